"""The table of the all-subsequences kernel, filled step by step, for two strings."""

import numpy as np

from kernlib.book.explore import Bars, Cells, Explorer, Fill, Plot, Predict, Readout, Slider, Table, TextBox
from kernlib.book.explore.marks import show
from kernlib.plain import subsequence_table
from kernlib.strings import AllSubsequences, all_subsequences, subsequence_counts

__all__ = ["EXPLORER", "by_length"]

PAIRS = ("gatta", "cata", "aaaa", "tag")
LONGEST = 6  # letters, for a table that fits a phone


@Table.panel("κ of the two prefixes")
def table(s, t, step):
    """The table of the recurrence, filled so far. The cells that add up to the marked one are lit."""
    rows, columns = len(s), len(t)
    done = min(step, rows * columns)
    full = subsequence_table(s, t)
    values = [
        [full[i][j] if min(i, j) == 0 or (i - 1) * columns + j <= done else None for j in range(columns + 1)]
        for i in range(rows + 1)
    ]
    if done < rows * columns:
        i, j = place(t, done + 1)
        values[i][j] = "?"
    names = ["ε", *t], ["ε", *s]
    return (
        Cells(values, *names, place(t, done), added(s, t, *place(t, done))) if done else Cells(values, *names)
    )


def added(s, t, i, j):
    """List the cells that add up to the cell (i, j): the one above, and one for each match in the row."""
    return [(i - 1, j), *((i - 1, m - 1) for m in range(1, j + 1) if t[m - 1] == s[i - 1])]


@Fill.panel("The next cell", slider="step")
def next_cell(s, t, step):
    """Answers for the next cell"""
    done = min(step, len(s) * len(t))
    if done == len(s) * len(t):
        return "The table is full.", None, {}
    i, j = place(t, done + 1)
    full, a = subsequence_table(s, t), s[i - 1]
    right, above, left, corner = full[i][j], full[i - 1][j], full[i][j - 1], full[i - 1][j - 1]
    reasons = [
        (above, f"{above} counts the pairs that do not use the last {a} of {s[:i]}. Some pairs use it."),
        (above + corner, f"An earlier {a} of {t[:j]} can match the last {a} of {s[:i]}, too."),
        (left, f"{left} counts the pairs that do not use the last {a} of {t[:j]}. Some pairs use it."),
    ]
    if a != t[j - 1]:
        reasons = [
            (above + left, f"{above} + {left} counts twice the pairs that use neither last letter."),
            (above, f"{above} counts the pairs without the last {a} of {s[:i]}. It matches an earlier {a}."),
            (above + corner, f"The last letters, {a} and {t[j - 1]}, differ: they cannot match each other."),
        ]
    three = f"{above} + {left} + {corner} counts three times the pairs that use neither last letter."
    reasons.append((above + left + corner, three))  # never right
    wrong = {}
    for value, why in reasons:
        if value != right and len(wrong) < 2:
            wrong.setdefault(value, why)
    return (
        f"Cell ({i}, {j}), for {s[:i]} and {t[:j]}: how many pairs of choices spell the same string?",
        right,
        wrong,
    )


def place(t, done):
    """Row i and column j, both from 1 on, of the cell filled last."""
    return (done - 1) // len(t) + 1, (done - 1) % len(t) + 1


def by_length(s: str, t: str, step: int) -> list[int]:
    """Σ φᵤ(s[1:i])φᵤ(t[1:j]) by the length of u, for the cell (i, j) filled last; they sum to its number."""
    done = min(step, len(s) * len(t))
    i, j = place(t, done) if done else (0, 0)
    counts_s, counts_t = subsequence_counts(s[:i]), subsequence_counts(t[:j])
    totals = [0] * (min(len(s), len(t)) + 1)
    for u in counts_s.keys() & counts_t.keys():
        totals[len(u)] += counts_s[u] * counts_t[u]
    return totals


@Plot.panel("The last filled cell, by length", x="length of the subsequence u", y="matching pairs")
def common(s, t, step):
    """The matching pairs of positions, by the length of the shared subsequence. They add up to the number in
    the cell.
    """
    totals = by_length(s, t, step)
    return {"": Bars(np.arange(len(totals)), totals)}


def summary(s, t, step):
    """Add up the last cell from the colored ones, and by length; name κ(s, t) once the table is full."""
    done, full = min(step, len(s) * len(t)), subsequence_table(s, t)
    text = "Row 0 and column 0: every string shares the empty subsequence once."
    if done:
        i, j = place(t, done)
        cells = [show(full[k][m]) for k, m in added(s, t, i, j)]
        sums = f"{cells[0]}, the colored cell"
        if len(cells) > 1:
            sums = f"{show(full[i][j])} = {' + '.join(cells)}, the colored cells"
        lengths = " + ".join(map(show, by_length(s, t, step)))
        text = f"Cell ({i}, {j}): {sums}. By length: {lengths}."
    if done < len(s) * len(t):
        return text if done else f"{text} The other cells of {s} and {t} are still empty."
    ((normalized,),) = AllSubsequences().normalized([s], [t])
    whole = f"κ({s or 'ε'}, {t or 'ε'}) = {show(all_subsequences(s, t))}"
    return f"{text} All {done} cells are filled: {whole}, normalized {normalized:.3f}."


EXPLORER = Explorer(
    title="All subsequences: the table, cell by cell",
    name="subsequences",
    controls=(
        TextBox("s", PAIRS, "s", "gatta", longest=LONGEST),
        TextBox("t", PAIRS, "t", "cata", longest=LONGEST),
        Slider("step", range(LONGEST**2 + 1), "cells filled", 0, play=2),
    ),
    script="strings",
    hint="Choose the number for the cell with the question mark, or press play. Type strings of your own, "
    "up to six letters.",
    presets={
        "a letter that t lacks": {"s": "gatta", "t": "cata", "step": 0},
        "one letter, repeated": {"s": "aaaa", "t": "aaaa", "step": 0},
        "the last row": {"s": "gatta", "t": "cata", "step": 16},
    },
    panels=(table, next_cell, common, Readout(summary)),
    predict=Predict(
        "The table of gatta and cata ends with κ(gatta, cata) = 14. What is κ(aaaa, aaaa)?",
        answer="70",
        options=("5", "16", "70"),
        shows=("κ of the two prefixes",),
        reason="Any k positions of one string match any k of the other: for k = 1 alone there are 16 pairs. "
        "The choices spell only 5 different strings.",
        at={"s": "gatta", "t": "cata", "step": 0},
    ),
)
