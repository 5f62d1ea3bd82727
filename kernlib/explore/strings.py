"""The table of the all-subsequences kernel, filled step by step, for two strings.

Chapter: The all-subsequences kernel.
"""

import numpy as np

from kernlib.explore.controls import Slider, TextBox
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Bars, Cells, show
from kernlib.explore.panels import Plot, Readout, Table
from kernlib.strings import all_subsequences, subsequence_counts, subsequence_table

__all__ = ["EXPLORER", "common", "summary", "table"]

PAIRS = ("gatta", "cata", "aaaa", "tag")
LONGEST = 8  # letters, for a table that fits a page


def table(s, t, step):
    """
    Fill DP(i, j) = κ(s[1:i], t[1:j]) cell by cell, row by row.

    Parameters
    ----------
    s, t : str
        Strings.
    step : int
        How many cells are filled, beyond row 0 and column 0, which are ones.

    Returns
    -------
    Cells
        The last one filled is marked.
    """
    rows, columns = len(s), len(t)
    done = min(step, rows * columns)
    full = subsequence_table(s, t)
    values = [
        [full[i][j] if min(i, j) == 0 or (i - 1) * columns + j <= done else None for j in range(columns + 1)]
        for i in range(rows + 1)
    ]
    marked = ((done - 1) // columns + 1, (done - 1) % columns + 1) if done else None
    return Cells(values, ["ε", *t], ["ε", *s], marked)


def common(s, t):
    """
    Count φᵤ(s)φᵤ(t) by the length of u; the sum over all lengths is κ(s, t).

    Parameters
    ----------
    s, t : str
        Strings.

    Returns
    -------
    dict of str to Bars
        Against |u|.
    """
    counts_s, counts_t = subsequence_counts(s), subsequence_counts(t)
    totals = np.zeros(min(len(s), len(t)) + 1)
    for u in counts_s.keys() & counts_t.keys():
        totals[len(u)] += counts_s[u] * counts_t[u]
    return {"": Bars(np.arange(len(totals)), totals)}


def summary(s, t, step):
    """
    Say how the cell filled last came about.

    Parameters
    ----------
    s, t : str
        Strings.
    step : int
        How many cells are filled.

    Returns
    -------
    str
        DP(i, j) = DP(i−1, j) + P(j), in numbers.
    """
    columns, done = len(t), min(step, len(s) * len(t))
    total = all_subsequences(s, t)
    normalised = total / np.sqrt(all_subsequences(s, s) * all_subsequences(t, t))
    whole = f"κ({s or 'ε'}, {t or 'ε'}) = {show(total)}, normalised {normalised:.3f}."
    if not done:
        return f"Row 0 and column 0: every string shares the empty subsequence once. {whole}"
    i, j = (done - 1) // columns + 1, (done - 1) % columns + 1
    full = subsequence_table(s, t)
    matches = [m for m in range(1, j + 1) if t[m - 1] == s[i - 1]]
    terms = " + ".join(show(full[i - 1][m - 1]) for m in matches) or "0"
    return (
        f"Cell ({i}, {j}): {show(full[i][j])} = {show(full[i - 1][j])} from above + P, where P = {terms} "
        f"sums DP({i - 1}, m − 1) over the m ≤ {j} with t[m] = {s[i - 1]}. {whole}"
    )


EXPLORER = Explorer(
    title="All subsequences: the table, cell by cell",
    name="subsequences",
    controls=(
        TextBox("s", PAIRS, "s", "gatta", longest=LONGEST),
        TextBox("t", PAIRS, "t", "cata", longest=LONGEST),
        Slider("step", range(0, 26), "cells filled", 7),
    ),
    panels=(
        Table(table, "DP(i, j) = κ(s[1:i], t[1:j])", "The table of the recurrence, filled so far."),
        Plot(
            common,
            "Where κ comes from",
            "The matching pairs of positions, by the length of the shared subsequence.",
            "length of the subsequence u",
            "Σ φᵤ(s)φᵤ(t)",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "How many subsequences, the empty one included and each counted once for every pair of positions, "
        "do aaaa and "
        "aaaa share?",
        answer="70",
        options=("5", "16", "70"),
        reason="Of length k there are C(4, k)² pairs, and Σ C(4, k)² = C(8, 4) = 70. There are 5 different "
        "ones.",
    ),
)
