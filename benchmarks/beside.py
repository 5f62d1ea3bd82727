"""Two records side by side: which races' ratios moved between two days or machines, and whose seconds did."""

import math

__all__ = ["MOVED", "beside"]

MOVED = 1.3  # times, up or down: a ratio that moved by more asks for a reason
HEAD = ("work", "peer", "ours/peer", "ratio, old → new", "our seconds", "their seconds", "moved")


def beside(old, new):
    """
    Lay two records out for a terminal, one line a race.

    A ratio that is more than 1.3 times the other is marked by the side whose seconds moved more.
    """
    before, after = rows(old), rows(new)
    both = [key for key in after if key in before]
    movers = {key: mover(before[key], after[key]) for key in both}
    lines = [f"old: {described(old)}", f"new: {described(new)}", line(*HEAD)]
    for key in both:
        first, second = ([race["ratio"], *race["seconds"]] for race in (before[key], after[key]))
        numbers = [f"{a:.3g} → {b:.3g}" for a, b in zip(first, second, strict=True)]
        lines.append(line(*key, *numbers, movers[key]))
    lines.append(f"{sum(map(bool, movers.values()))} of {len(both)} ratios moved by more than 30 %.")
    for name, keys in (("old", before.keys() - after.keys()), ("new", after.keys() - before.keys())):
        lines += [f"only in the {name} one: {', '.join(key)}" for key in sorted(keys)]
    return "\n".join(lines)


def line(work, peer, dtypes, ratio, ours, theirs, moved):
    return f"{work:<68} {peer:<45} {dtypes:<9} {ratio:>19} {ours:>19} {theirs:>19}  {moved}".rstrip()


def rows(record):
    """Give a record's races by work, peer and types."""
    return {(race["work"], race["peer"], "/".join(race["dtypes"])): race for race in record["races"]}


def mover(old, new):
    """Say whose seconds moved more, "ours" or "theirs", where the ratio moved by more than `MOVED`."""
    if max(old["ratio"], new["ratio"]) <= MOVED * min(old["ratio"], new["ratio"]):
        return ""
    ours, theirs = (abs(math.log(b / a)) for a, b in zip(old["seconds"], new["seconds"], strict=True))
    return "ours" if ours > theirs else "theirs"


def described(record):
    """Name a record's day and machine in a line."""
    machine, note = record["machine"], record.get("note")
    cores = {library["core"] for library in machine.get("libraries", [])} - {None}
    parts = [record["date"], machine["processor"] or machine["architecture"], f"{machine['cpus']} cores"]
    parts += [f"BLAS for {core}" for core in sorted(cores)] + [note] * bool(note)
    return ", ".join(parts)
