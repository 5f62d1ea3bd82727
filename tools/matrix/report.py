"""What the results say: a table, a line for each failure, the margins of the asserts."""

from collections import defaultdict
from pathlib import Path

ROUNDING = 1e-9  # an assert whose room differs by more between machines depends on rounding
THIN = 10


def short(item):
    """A column's heading: a chapter's number, or the beginning of a name."""
    number, _, rest = Path(item).stem.partition("_")
    return number + "s" * ("solutions" in rest) if number.isdigit() else number[:6]


def table(results, items, unavailable):
    """
    Lay out which machine passed what.

    Parameters
    ----------
    results : dict
        Machine's name -> item -> result.
    items : list of str
        The columns.
    unavailable : dict
        Machine's name -> why it can't be had here.

    Returns
    -------
    str
        A line for each machine.
    """
    width = max(map(len, [*results, *unavailable]))
    lines = [" ".join([" " * width, *(f"{short(item):>6}" for item in items)])]
    for machine, done in results.items():
        marks = [len(done[item]["failures"]) or "·" if item in done else "-" for item in items]
        lines.append(" ".join([f"{machine:{width}}", *(f"{mark:>6}" for mark in marks)]))
    lines += [f"{machine:{width}}   not run: {why}" for machine, why in unavailable.items()]
    return "\n".join([*lines, "· passed, a number: cells or tests that failed"])


def failure_lines(machine, item, result):
    """Machine, notebook, cell, and what is wrong."""
    return [f"{machine}  {Path(item).stem}  {each['where']}: {each['what']}" for each in result["failures"]]


def compared(results):
    """Each measured comparison on all machines: place -> machine -> (room, actual, bound, upper)."""
    found = defaultdict(dict)
    for machine, done in results.items():
        for item, result in done.items():
            for each in result["asserts"]:
                for number, worst in each["comparisons"].items():
                    place = (Path(item).stem, each["cell"], each["line"], each["source"], int(number))
                    found[place][machine] = worst
    return found


def margins(results):
    """
    List the comparisons that rounding can touch, those first that it touches most.

    Parameters
    ----------
    results : dict
        Machine's name -> notebook -> result.

    Returns
    -------
    list of dict
        For each comparison whose room (way to the bound ÷ bound) differs between machines by more than 1e-9:
        place; margin, the least room ÷ the range of rooms: how many times over the machines would have to
        differ for the assert to fail; the machine of the least room; there, actual value, bound, and their
        ratio (bound ÷ actual, or actual ÷ a bound from below).

    Notes
    -----
    For an error e ≥ 0 below a bound, margin ≥ ratio − 1, and near it where e is all rounding's. For a score
    or a slope the ratio says nothing: 0.984 > 0.98 is far apart if all machines agree to 1e-7.
    """
    listed = []
    for place, worst in compared(results).items():
        rooms = [room for room, *_ in worst.values()]
        spread = max(rooms) - min(rooms)
        scale = 1 if all(bound for _, _, bound, _ in worst.values()) else max(map(abs, rooms))
        if spread <= ROUNDING * scale:
            continue
        machine = min(worst, key=worst.get)
        room, actual, bound, upper = worst[machine]
        small, large = (actual, bound) if upper else (bound, actual)
        if large < 0:  # −1e-13 < −1e-16 has the ratio of 1e-16 < 1e-13
            small, large = -large, -small
        found = {
            "place": place,
            "margin": room / spread,
            "machine": machine,
            "actual": actual,
            "bound": bound,
        }
        listed.append(found | {"ratio": large / small if small > 0 else float("inf")})
    return sorted(listed, key=lambda each: each["margin"])


def margin_lines(results, most=None):
    """The thinnest margins as lines of text, those under 10 marked."""
    listed = margins(results)
    thin = sum(each["margin"] < THIN for each in listed)
    lines = [
        f"{len(listed)} comparisons depend on rounding; {thin} have a margin under {THIN} (marked !)",
        "   margin  bound÷actual  least on         where",
    ]
    for each in listed[:most]:
        notebook, cell, line, source, number = each["place"]
        lines.append(
            f"{'!' if each['margin'] < THIN else ' '} {each['margin']:7.3g}  {each['ratio']:12.3g}  "
            f"{each['machine']:15}  {notebook} [{cell}] line {line}, comparison {number}: "
            f"{each['actual']:.3g} against {each['bound']:.3g} in {source}"
        )
    return lines


def unmeasured(results):
    """The asserts that no machine could measure, each once."""
    measured = {}
    for done in results.values():
        for item, result in done.items():
            for each in result["asserts"]:
                place = f"{Path(item).stem} [{each['cell']}] line {each['line']}: {each['source']}"
                measured[place] = measured.get(place, False) or bool(each["comparisons"])
    return [place for place in measured if not measured[place]]
