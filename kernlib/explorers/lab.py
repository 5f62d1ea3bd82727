"""The lab's last figure as an explorer: score and time of both methods at a c of your choice.

It computes nothing: it looks up what the lab has measured.

Chapter: The large-scale lab.
"""

import itertools

import numpy as np

from kernlib.explore.controls import Choice, Slider
from kernlib.explore.explorer import Explorer
from kernlib.explore.marks import Line
from kernlib.explore.panels import Plot, Readout

__all__ = ["synthesis"]

SCORES = {"accuracy": 3, "balanced accuracy": 4}


def synthesis(c_grid, sweep, exact):
    """
    The explorer of a sweep over c, with the exact machines beside it; its bands reach over all seeds.

    The sweep holds, for each method, an array of shape (len(c_grid), seeds, 5): seconds for features, fit and
    prediction, accuracy, balanced accuracy; `exact` the same five numbers for each exact machine.
    """
    c_grid = [int(c) for c in c_grid]

    def lines(values):
        """One line with its band for each method, a reference for each exact machine."""
        series = {}
        for (name, runs), style in zip(sweep.items(), ("", "dashed"), strict=True):
            of_runs = values(np.asarray(runs))
            series[name] = Line(c_grid, np.median(of_runs, 1), of_runs.min(1), of_runs.max(1), style)
        styles = itertools.cycle(("reference", "dotted"))
        for (name, numbers), style in zip(exact.items(), styles, strict=False):
            series[name] = Line(c_grid, np.full(len(c_grid), values(np.asarray(numbers))), style=style)
        return series

    def scores(score):
        return lines(lambda runs: runs[..., SCORES[score]])

    def times():
        return lines(lambda runs: runs[..., :3].sum(axis=-1))

    def summary(c, score):
        at = c_grid.index(c)
        found, spent = scores(score), times()
        said = [f"{name}: {found[name].y[at]:.3f} in {spent[name].y[at]:.2f} s" for name in found]
        return f"c = {c}, {score}. {'; '.join(said)}."

    return Explorer(
        title="Score and time at each c",
        name="lab",
        controls=(Slider("c", c_grid), Choice("score", SCORES, "score")),
        panels=(
            Plot(
                scores,
                "Score on the test set",
                "Scores rise with c towards the exact machine's line, Nyström's above those of random "
                "features.",
                "columns or landmarks c",
                "score",
                cursor="c",
            ),
            Plot(
                times,
                "Features, fit and prediction",
                "Times rise with c on a logarithmic axis, from far below the exact machine's.",
                "columns or landmarks c",
                "seconds",
                log="y",
                cursor="c",
            ),
            Readout(summary),
        ),
    )
