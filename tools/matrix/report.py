"""Report results, which are nested: machine's name -> item -> result."""

from collections import defaultdict
from pathlib import Path

ROUNDING = 1e-9  # an assert depends on rounding if its relative slack differs by more between machines
THIN = 10  # margins below this are marked


def format_table(results, items, unavailable):
    """Lay out which machine (a row) passed which item (a column), and why some machines are unavailable."""
    width = max(map(len, [*results, *unavailable]))
    lines = [" ".join([" " * width, *(f"{abbreviate(item):>6}" for item in items)])]
    for machine, done in results.items():
        marks = [len(done[item]["failures"]) or "·" if item in done else "-" for item in items]
        lines.append(" ".join([f"{machine:{width}}", *(f"{mark:>6}" for mark in marks)]))
    lines += [f"{machine:{width}}   not run: {why}" for machine, why in unavailable.items()]
    return "\n".join([*lines, "· passed; a number counts the cells or tests that failed"])


def abbreviate(item):
    """Shorten an item to a column's heading: a chapter's number, or the first letters of a name."""
    number, _, rest = Path(item).stem.partition("_")
    if not number.isdigit():
        return number[:6]
    return f"{number}s" if "solutions" in rest else number


def collect_comparisons(results):
    """Collect the measured comparisons: place -> machine -> (slack, actual, bound, upper)."""
    found = defaultdict(dict)
    for machine, done in results.items():
        for item, result in done.items():
            for each in result["asserts"]:
                for number, worst in each["comparisons"].items():
                    place = (Path(item).stem, each["cell"], each["line"], each["source"], int(number))
                    found[place][machine] = worst
    return found


def compute_margins(results):
    """List the comparisons that depend on rounding, the smallest margin first.

    The slack of a comparison is the distance from the actual value to the bound, over the bound. The margin
    is the smallest slack over the range of the slacks of all machines: by what factor machines would have to
    differ more for the assert to fail.
    """
    margins = []
    for place, worst in collect_comparisons(results).items():
        slacks = [slack for slack, *_ in worst.values()]
        spread = max(slacks) - min(slacks)
        scale = 1 if all(bound for _, _, bound, _ in worst.values()) else max(map(abs, slacks))
        if spread > ROUNDING * scale:
            machine = min(worst, key=worst.get)
            slack, actual, bound, _ = worst[machine]
            margins.append((slack / spread, machine, actual, bound, place))
    return sorted(margins)


def format_margins(results, most=None):
    """Write a line for each of the smallest margins, and mark those below `THIN`."""
    margins = compute_margins(results)
    thin = sum(margin < THIN for margin, *_ in margins)
    lines = [
        f"{len(margins)} comparisons depend on rounding; {thin} have a margin below {THIN} (marked !)",
        "   margin  smallest on      where",
    ]
    for margin, machine, actual, bound, place in margins[:most]:
        notebook, cell, line, source, number = place
        lines.append(
            f"{'!' if margin < THIN else ' '} {margin:7.3g}  {machine:15}  {notebook} "
            f"[{cell}] line {line}, comparison {number}: {actual:.3g} against {bound:.3g} in {source}"
        )
    return lines
