"""The lab's last figure as an explorer: score and time of both methods at a c of your choice.

It computes nothing: it shows what the lab, or ``python -m benchmarks.lab`` before it, measured.

Chapter: The large-scale lab.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kernlib.book.explore.controls import Choice, Slider
from kernlib.book.explore.explorer import Explorer
from kernlib.book.explore.marks import Line
from kernlib.book.explore.panels import Plot, Readout

__all__ = ["RECORD", "read_record", "synthesis"]

RECORD = Path(__file__).with_name("lab.json")  # written by benchmarks/lab.py
SCORES = {"accuracy": 3, "balanced accuracy": 4}
METHODS = {"random features": "", "Nyström, k = c − 10": "dashed"}
LIMIT = "Gaussian SVM, squared hinge"  # which both methods tend to, with LinearSVC's loss
EXACT = {"Gaussian SVM": "reference", "linear SVM": "dotted", LIMIT: ""}


def read_record() -> dict[str, Any]:
    """The measurements on each data set at the full size of the lab, with their date and computer."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def synthesis(record: Mapping[str, Any]) -> Explorer:
    """
    The explorer of each data set's sweep over c, with the exact models beside it.

    A record holds, for each data set, the grid ``c``; the ``sweep``, for each method an array of shape
    (len(c), seeds, 5): seconds for features, fit and prediction, accuracy, balanced accuracy; and the same
    five numbers for each of its exact ``machines``. Lines are medians, bands reach over all seeds.
    """
    c_grid = record[next(iter(record))]["c"]

    def lines(data, values, exact):
        """One line with its band for each method, and a line without a band for each exact model."""
        series = {}
        for name, style in METHODS.items():
            of_runs = values(np.asarray(record[data]["sweep"][name]))
            series[name] = Line(c_grid, np.median(of_runs, 1), of_runs.min(1), of_runs.max(1), style)
        for name in exact:
            constant = np.full(len(c_grid), values(np.asarray(record[data]["machines"][name])))
            series[name] = Line(c_grid, constant, style=EXACT[name])
        return series

    def scores(data, score):
        return lines(data, lambda runs: runs[..., SCORES[score]], EXACT)

    def times(data):
        return lines(data, lambda runs: runs[..., :3].sum(axis=-1), [name for name in EXACT if name != LIMIT])

    def summary(data, c, score):
        at = c_grid.index(c)
        found, spent = scores(data, score), times(data)
        said = [
            f"{name}: {line.y[at]:.3f}" + (f" in {spent[name].y[at]:#.3g} s" if name in spent else "")
            for name, line in found.items()
        ]
        return f"{data}, c = {c}, {score}. {'; '.join(said)}."

    return Explorer(
        title="Score and time at each c",
        name="lab",
        controls=(
            Choice("data", record, "data"),
            Slider("c", c_grid),
            Choice("score", SCORES, "score", "balanced accuracy"),  # accuracy hides a rare class
        ),
        panels=(
            Plot(
                scores,
                "Score on the test set",
                "Scores rise with c towards the lines of the exact models. Nyström's are above those of "
                "random features.",
                "columns or landmarks c",
                "score",
                cursor="c",
            ),
            Plot(
                times,
                "Features, fit and prediction",
                "Processor time rises with c on a logarithmic axis, from far below the exact SVM's.",
                "columns or landmarks c",
                "seconds",
                log="y",
                cursor="c",
            ),
            Readout(summary),
        ),
    )
