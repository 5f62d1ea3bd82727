"""Compare two records: which ratios moved between two days or machines, and whose seconds changed."""

import math

__all__ = ["compare_records"]

MOVED = 1.3  # a ratio that moved by a larger factor is marked
HEAD = ("work", "peer", "ours/peer", "ratio, old → new", "our seconds", "their seconds", "moved")


def compare_records(old, new):
    """Lay two records out for a terminal, one line a race; moved ratios name the side that changed more."""
    before, after = races_by_key(old), races_by_key(new)
    shared = [key for key in after if key in before]
    sides = {key: find_moved_side(before[key], after[key]) for key in shared}
    lines = [f"old: {describe_record(old)}", f"new: {describe_record(new)}", format_line(*HEAD)]
    for key in shared:
        first, second = ([race["ratio"], *race["seconds"]] for race in (before[key], after[key]))
        numbers = [f"{a:.3g} → {b:.3g}" for a, b in zip(first, second, strict=True)]
        lines.append(format_line(*key, *numbers, sides[key]))
    lines.append(f"{sum(map(bool, sides.values()))} of {len(shared)} ratios moved by more than 30%.")
    for name, keys in (("old", before.keys() - after.keys()), ("new", after.keys() - before.keys())):
        lines += [f"only in the {name} record: {', '.join(key)}" for key in sorted(keys)]
    return "\n".join(lines)


def format_line(work, peer, dtypes, ratio, ours, theirs, moved):
    return f"{work:<68} {peer:<45} {dtypes:<9} {ratio:>19} {ours:>19} {theirs:>19}  {moved}".rstrip()


def races_by_key(record):
    """Return a record's races by work, peer and types."""
    return {(race["work"], race["peer"], "/".join(race["dtypes"])): race for race in record["races"]}


def find_moved_side(old, new):
    """Return whose seconds changed more, "ours" or "theirs", if the ratio moved by more than `MOVED`."""
    if max(old["ratio"], new["ratio"]) <= MOVED * min(old["ratio"], new["ratio"]):
        return ""
    ours, theirs = (abs(math.log(b / a)) for a, b in zip(old["seconds"], new["seconds"], strict=True))
    return "ours" if ours > theirs else "theirs"


def describe_record(record):
    """Describe a record's day and machine in a line."""
    machine, note = record["machine"], record.get("note")
    cores = {library["core"] for library in machine.get("libraries", [])} - {None}
    parts = [record["date"], machine["processor"] or machine["architecture"], f"{machine['cpus']} cores"]
    return ", ".join([*parts, *(f"BLAS for {core}" for core in sorted(cores)), *([note] if note else [])])
