"""The threshold above which a classifier says "shirt": what it finds, and what it takes for a shirt."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from kernlib.book.datasets import load_shirts
from kernlib.book.explore import Bars, Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.fourier import random_features
from kernlib.nystrom import nystrom

__all__ = ["MODELS", "THRESHOLD", "THRESHOLDS", "area", "balanced", "decisions", "shares_found"]

ROWS, FITTED, TESTED = 60_000, 4000, 8000  # the first rows of the lab's training and test sets
MODELS = "linear SVM", "Gaussian SVM", "random features, c = 300", "Nyström, c = 500, k = 300"
THRESHOLDS = (-1.3, -1.2, -1.1, -1.05, *(round(-1 + 0.05 * i, 2) for i in range(9)), *(-0.5, -0.4, -0.3))
THRESHOLDS += (-0.2, -0.1, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
EDGES = np.linspace(-3.4, 2, 28)  # of the bars; values beyond count in the outermost ones
QUANTILES = np.linspace(0, 1, 81)  # of f, at which the curves are drawn
TOP = 0.4  # of the bars


@cache
def decisions() -> dict[str, tuple[NDArray, NDArray]]:
    """Fit the four models on 4,000 rows; f on the shirts among 8,000 others, and on what is no shirt."""
    data = load_shirts()
    X = np.concatenate([data.train.X, data.test.X])[:ROWS]
    y = np.concatenate([data.train.y, data.test.y])[:ROWS]
    split = train_test_split(StandardScaler().fit_transform(X), y, train_size=len(X) // 3, random_state=0)
    (A, B), y_A, y_B = (split[0][:FITTED], split[1][:TESTED]), split[2][:FITTED], split[3][:TESTED]
    options = {"gamma": 1 / X.shape[1], "random_state": 0}
    fits = (
        (LinearSVC(dual=False), (A, B)),
        (SVC(gamma=options["gamma"]), (A, B)),
        (LinearSVC(dual=False), random_features(A, B, c=300, **options)),
        (LinearSVC(dual=False), nystrom(A, B, c=500, k=300, **options)),
    )
    found = {}
    for name, (model, (Z_A, Z_B)) in zip(MODELS, fits, strict=True):
        f = model.fit(Z_A, y_A).decision_function(Z_B)
        found[name] = f[y_B == 1], f[y_B == -1]
    return found


def shares_found(model: str, threshold: NDArray) -> tuple[NDArray, NDArray]:
    """The share of the shirts with f above each threshold, and the share of the others."""
    shirts, others = (np.sort(f) for f in decisions()[model])
    above = [1 - np.searchsorted(f, threshold, side="right") / len(f) for f in (shirts, others)]
    return above[0], above[1]


@cache
def roc_curve(model):
    """The shares found and mistaken at thresholds from the least to the largest f."""
    return shares_found(model, np.quantile(np.concatenate(decisions()[model]), QUANTILES))


@Plot.panel("Values f(x) of 8,000 photographs", x="f(x)", y="share of the class", ylim=(0, TOP), cursor="t")
def values(model):
    """Two overlapping hills of values: that of the shirts is further right than that of the others, but most
    of both lies below zero.
    """
    middles = (EDGES[1:] + EDGES[:-1]) / 2
    shirts, others = (
        np.histogram(f.clip(EDGES[0], EDGES[-1]), EDGES)[0] / len(f) for f in decisions()[model]
    )
    return {
        "others": Bars(middles, others, "gray"),
        "shirts": Bars(middles, shirts),
    }


@Plot.panel(
    "What is found, what is mistaken",
    x="share of the others taken for shirts",
    y="share of the shirts found",
    xlim=(0, 1),
    ylim=(0, 1),
)
def curves(model, t):
    """The share of the shirts found against the share of the others taken for shirts, for four models: three
    curves close together rise steeply, that of the linear model less so.
    """
    series = {}
    for name in MODELS:
        found, mistaken = roc_curve(name)
        series[name] = Line(mistaken, found, style="" if name == model else "dashed")
    found, mistaken = shares_found(model, np.array([t]))
    series["this threshold"] = Dots(mistaken, found, "large")
    series["a random guess"] = Line([0, 1], [0, 1], style="reference")
    return series


def balanced(model: str, threshold: NDArray) -> NDArray:
    """The mean of the shares of shirts and of others that get the right label."""
    found, mistaken = shares_found(model, threshold)
    return (1 + found - mistaken) / 2


@cache
def area(model: str) -> float:
    """The area under the curve: the share of pairs of a shirt and another with the larger f at the shirt."""
    shirts, others = decisions()[model]
    return float(np.mean(shirts[:, None] > others))


def summary(model, t):
    """Both shares, the accuracy and the balanced accuracy at the threshold, and the area under the curve."""
    (found,), (mistaken,) = shares_found(model, np.array([t]))
    shirts, others = map(len, decisions()[model])
    right = (found * shirts + (1 - mistaken) * others) / (shirts + others)
    return (
        f"{model}, threshold {show(t)}: of 100 shirts it finds {100 * found:.0f}, and of 100 other "
        f"photographs it takes {100 * mistaken:.0f} for shirts. Accuracy {right:.3f}, balanced accuracy "
        f"{balanced(model, np.array([t]))[0]:.3f}. Area under the curve {area(model):.3f}."
    )


THRESHOLD = Explorer(
    title="Where does a shirt begin?",
    name="threshold",
    hint="Drag the dotted line, the threshold: what is to the right of it is called a shirt.",
    controls=(
        Slider("t", THRESHOLDS, "threshold", 0.0, play=4),
        Choice("model", MODELS, "model"),
    ),
    panels=(values, curves, Readout(summary)),
    predict=Predict(
        "The linear SVM calls almost nothing a shirt, so its balanced accuracy is 0.51. You may move its "
        "threshold. What is the best balanced accuracy that it then reaches?",
        answer="0.80",
        options=("0.51", "0.65", "0.80"),
        shows=("Values f(x) of 8,000 photographs",),
        reason="At a threshold of −0.65 the linear SVM finds 83 of 100 shirts, and takes 22 of 100 other "
        "photographs for shirts: 0.80. Its values rank the photographs well. Zero was the wrong cut.",
        at={"t": -0.65},
    ),
)
