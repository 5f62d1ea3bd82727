"""The lab's measurements as explorers: what a second is worth, and score and time at a c of your choice.

They compute no model: they show what the lab, or ``python -m benchmarks.lab`` before it, measured.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show

__all__ = ["CONSTANT", "PRICES", "RECORD", "best_at_price", "price_of_a_second", "read_record", "synthesis"]

RECORD = Path(__file__).with_name("lab.json")  # written by benchmarks/lab.py
SCORES = {"accuracy": 3, "balanced accuracy": 4}
METHODS = {"random features": "", "Nyström, k = c − 10": "dashed"}
LIMIT = "Gaussian SVM, squared hinge"  # which both methods tend to, with LinearSVC's loss
TUNED = "Gaussian SVM, C = 10"
EXACT = {"Gaussian SVM": "reference", TUNED: "dashed", "linear SVM": "dotted", LIMIT: "dotted"}
GAUSSIAN = "Gaussian SVM, C = 1 and 10 (higher)"
CONSTANT = "constant classifier"
SHARES = {"about a tenth": 0.1, "about a third": 1 / 3, "about three quarters": 0.75}
PRICES = (0.03, 0.1, 0.3, 1, 3, 10, 30, 100)  # percentage points of balanced accuracy for a second


def read_record() -> dict[str, Any]:
    """The measurements on each data set at the full size of the lab, with their date and computer."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def synthesis(record: Mapping[str, Any]) -> Explorer:
    """The explorer of each data set's sweep over c, with the exact models beside it.

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
            label = name.partition(",")[0]  # Nyström's k is for the chapters
            series[label] = Line(c_grid, np.median(of_runs, 1), of_runs.min(1), of_runs.max(1), style)
        for name in exact:
            constant = np.full(len(c_grid), values(np.asarray(record[data]["machines"][name])))
            series[name] = Line(c_grid, constant, style=EXACT[name])
        return series

    @Plot.panel("Score on the test set", x="columns or landmarks c", y="score", cursor="c")
    def scores(data, score):
        """Scores rise with c toward the line of the exact model with the same loss. The line of the exact
        model with C = 10 is above them.
        """
        return lines(data, lambda runs: runs[..., SCORES[score]], EXACT)

    @Plot.panel(
        "Time for features, fit and prediction", x="columns or landmarks c", y="seconds", log="y", cursor="c"
    )
    def times(data):
        """Processor time rises with c on a logarithmic axis, from far below the exact SVM's."""
        return lines(data, lambda runs: runs[..., :3].sum(axis=-1), [name for name in EXACT if name != LIMIT])

    def summary(data, c, score):
        at = c_grid.index(c)
        found, spent = scores(data, score), times(data)
        both = [name.partition(",")[0] for name in METHODS]
        said = [
            f"{name[0].upper()}{name[1:]}: {found[name].y[at]:.3f} in {spent[name].y[at]:#.3g} s"
            for name in both
        ]
        exact = {name: f"{found[name].y[at]:.3f}" for name in EXACT}
        return (
            f"{data}, c = {c}, {score}. {'. '.join(said)}. Exact Gaussian SVM: {exact['Gaussian SVM']} "
            f"({exact[TUNED]} with C = 10, {exact[LIMIT]} with the squared hinge). "
            f"Linear SVM: {exact['linear SVM']}."
        )

    return Explorer(
        title="Score and time at each c",
        name="lab",
        hint="The second plot has no SVM with the squared hinge: it was fitted in another way, so its time "
        "cannot be compared.",
        controls=(
            Choice("data", record, "data"),
            Slider("c", c_grid, default=c_grid[len(c_grid) // 4], play=2),
            Choice("score", SCORES, "score", "balanced accuracy"),  # accuracy hides a rare class
        ),
        panels=(scores, times, Readout(summary)),
        predict=gain_question(*next(iter(record.items()))),
    )


def gain_question(data, found):
    """How much of the gain of the exact model with the same loss over a constant classifier Nyström keeps."""
    models = [rest for name, *rest in measured(found) if name == "Nyström, k = c − 10"]
    limit, hinge, tuned = (found["machines"][name][4] for name in (LIMIT, "Gaussian SVM", TUNED))
    kept = [(score / 100 - 0.5) / (limit - 0.5) for _, _, score in models]
    at = len(models) // 4
    c, seconds, score = models[at]
    return Predict(
        f"On the {data}, the exact Gaussian SVM has a balanced accuracy of {limit:.3f} (with the squared "
        f"hinge, the loss that the approximations use). A constant classifier has 0.5. How much of this "
        f"gain, {limit - 0.5:.3f}, does Nyström keep with {c} landmarks?",
        answer=min(SHARES, key=lambda name: abs(SHARES[name] - kept[at])),
        options=tuple(SHARES),
        reason=f"Nyström has {score / 100:.3f} in {seconds:.1f} s, and the exact SVM with the squared "
        f"hinge has {limit:.3f}: Nyström keeps {kept[at]:.0%} of the gain. Further landmarks bring less: at "
        f"c = {models[-1][0]} it keeps {kept[-1]:.0%}. The loss and C matter, too: the Gaussian SVM with "
        f"the hinge has {hinge:.3f} at C = 1 and {tuned:.3f} at C = 10.",
        # the lines of the methods are the answer
        shows=[("Score on the test set", name) for name in (LIMIT, "linear SVM")],
    )


def measured(found):
    """List (model, c, seconds, balanced accuracy in percent) of all models, the medians of their runs."""
    models = [(CONSTANT, None, 0.0, 50.0)]
    for name, runs in found["sweep"].items():
        runs = np.asarray(runs)
        seconds, scores = np.median(runs[..., :3].sum(axis=2), 1), 100 * np.median(runs[..., 4], 1)
        models += [(name, *rest) for rest in zip(found["c"], seconds, scores, strict=True)]
    for name in (model for model in EXACT if model != LIMIT):
        runs = found["machines"][name]
        models.append((name, None, float(np.sum(runs[:3])), 100 * runs[4]))
    return models


def best_at_price(found: Mapping[str, Any], price: float) -> tuple[str, int | None, float, float]:
    """Find the largest score − price · seconds; return the model, its c, seconds and score in percent."""
    return max(measured(found), key=lambda model: model[3] - price * model[2])


def price_of_a_second(record: Mapping[str, Any]) -> Explorer:
    """Draw score against seconds of all models of a record as in `synthesis`, and the best at a price."""

    @Plot.panel(
        "Score against seconds",
        x="seconds for features, fit and prediction",
        y="balanced accuracy (%)",
        log="x",
        xlim=(0.04, 60),
        ylim=(48, 96),
    )
    def scores(data, price):
        """Balanced accuracy against processor seconds of both approximations, of three support vector
        machines, and of a constant classifier; a dashed curve through the best model joins what is equally
        good at this price.
        """
        models, (_, _, seconds, score) = measured(record[data]), best_at_price(record[data], price)
        series = {}
        of = {name: np.array([model[2:] for model in models if model[0] == name]).T for name, *_ in models}
        for name, style in METHODS.items():
            series[name] = Line(*of[name], style=style)
        # six colors: no model without columns may have that of a method
        series[GAUSSIAN] = Dots(*np.hstack([of["Gaussian SVM"], of[TUNED]]), "large")
        t = np.geomspace(0.04, 60, 60)
        series["the best"] = Dots([max(seconds, t[0])], [score], "large")
        series["linear SVM"] = Dots(*of["linear SVM"], "large")
        series[CONSTANT] = Line(t, np.full(len(t), 50.0), style="dotted")
        series["equally good"] = Line(t, score + price * (t - seconds), style="reference")
        return series

    @Plot.panel(
        "The best score at each price",
        x="points per second",
        y="balanced accuracy (%)",
        log="x",
        ylim=(48, 96),
        cursor="price",
    )
    def at_each_price(data):
        """The balanced accuracy of the best model against the price of a second: it falls in steps from that
        of an exact support vector machine toward 50%.
        """
        prices = np.geomspace(PRICES[0], PRICES[-1], 241)
        best = [best_at_price(record[data], price) for price in prices]
        series = {}
        for kind in (*METHODS, GAUSSIAN):  # in the order of the other panel, for its colors
            of_kind = {"Gaussian SVM", TUNED} if kind == GAUSSIAN else {kind}
            score = [score if name in of_kind else np.nan for name, _, _, score in best]
            series[kind] = Line(prices, score, style=METHODS.get(kind, ""))
        return series | {CONSTANT: Line(prices[[0, -1]], [50, 50], style="reference")}

    def summary(data, price):
        name, c, seconds, score = best_at_price(record[data], price)
        at = f", c = {c}" if c else ""
        cost = f"{seconds:.2f} s cost {show(price * seconds, 2)} points" if seconds else "it costs nothing"
        return (
            f"At {price:g} points per second the best model is: {name}{at}. Its balanced accuracy is "
            f"{score:.1f}%, and {cost}."
        )

    return Explorer(
        title="The price of a second",
        name="price",
        hint="Drag the dotted line in the second panel: it is the price. The diamond in the first one is the "
        "best model.",
        controls=(
            Slider("price", PRICES, "points per second", 0.3, log=True, play=2),
            Choice("data", record, "data"),
        ),
        panels=(scores, at_each_price, Readout(summary)),
        predict=Predict(
            "A second of processor time is worth 10 percentage points of balanced accuracy. Which model is "
            "the best?",
            options=("an exact Gaussian SVM", "270 to 570 columns", "at most 220 columns"),
            answer="at most 220 columns",
            reason="The first columns gain many points in a fraction of a second. Each further second gains "
            "fewer points than it costs. Where a second is nearly free, an exact SVM is the best. At 100 "
            "points per second it is the constant classifier on the shirts, because it costs nothing.",
            # what the exact models cost and reach is given, the columns are the answer
            shows=tuple(("Score against seconds", name) for name in (GAUSSIAN, "linear SVM", CONSTANT)),
            at={"price": 10},
        ),
    )
