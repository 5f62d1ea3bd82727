"""Three ways to replace G by c columns, with `kernlib.plain`, on the thirty points of chapter 3."""

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.book.explorers.duality_steps import DRAWN, data
from kernlib.low_rank import relative_error
from kernlib.plain import (
    dual_ridge,
    gaussian,
    gaussian_frequencies,
    nystrom_features,
    pair_features,
    pivoted_cholesky,
    primal_ridge,
)

__all__ = ["CALLS", "COLUMNS", "DRAWS", "WAYS", "largest_gap", "matrix_error", "times_the_least"]

GAMMA, LAM = 30.0, 1e-3
COLUMNS = 2, 4, 6, 8, 10, 12, 14, 16
DRAWS = 20  # of landmarks and frequencies; the curve has the first of them
CALLS = {  # of kernlib.plain, as the readout shows them
    "rank truncation": "nystrom_features(G, G, c)",
    "Nyström": "nystrom_features(C, W, c)",
    "random features": "pair_features(X, frequencies)",
}


@cache
def draw(seed):
    """The landmarks, and the frequencies, of which smaller c use the first."""
    X, _ = data()
    rng = np.random.default_rng(seed)
    pivots, _ = pivoted_cholesky(gaussian(X, X, GAMMA), COLUMNS[-1], rng)
    return X[pivots], gaussian_frequencies(1, COLUMNS[-1] // 2, GAMMA, rng)


def features(way: str, c: int, seed: int = 0) -> Callable:
    """Give the map to c columns, a function of rows."""
    X, _ = data()
    landmarks, frequencies = draw(seed)
    if way == "random features":
        return lambda rows: pair_features(rows, frequencies[:, : c // 2])
    chosen = X if way == "rank truncation" else landmarks[:c]
    W = gaussian(chosen, chosen, GAMMA)
    return lambda rows: nystrom_features(gaussian(rows, chosen, GAMMA), W, c)


@cache
def curves(way: str, c: int, seed: int = 0) -> tuple[NDArray, NDArray]:
    """The fit on c columns, and that of all rows, at `DRAWN`."""
    X, y = data()
    Z, x = features(way, c, seed), DRAWN[:, None]
    exact = gaussian(x, X, GAMMA) @ dual_ridge(gaussian(X, X, GAMMA), y, LAM)
    return Z(x) @ primal_ridge(Z(X), y, LAM), exact


def matrix_error(way: str, c: int, seed: int = 0) -> float:
    """Compute ‖ZZᵀ − G‖/‖G‖ in the Frobenius norm."""
    X, _ = data()
    return relative_error(features(way, c, seed)(X), gaussian(X, X, GAMMA))


def largest_gap(way: str, c: int, seed: int = 0) -> float:
    """Find how far the curve on c columns is from that of all rows, where it is farthest."""
    return float(np.abs(np.subtract(*curves(way, c, seed))).max())


def times_the_least(way: str, c: int) -> list[float]:
    """Compute the error of each draw over that of rank truncation."""
    least = matrix_error("rank truncation", c)
    return [matrix_error(way, c, seed) / least for seed in range(DRAWS)]


@Plot.panel("Ridge regression", x="x", y="y", ylim=(-1.7, 1.7))
def curve(way, c):
    """Thirty noisy points of a sine wave, the curve fitted with all 30 columns of the Gram matrix, and the
    one fitted with c columns, which comes closer as c grows.
    """
    X, y = data()
    few, exact = curves(way, c)
    return {
        "data": Dots(X[:, 0], y, "large"),
        "all 30 columns: dual_ridge": Line(DRAWN, exact, style="reference"),
        "c columns: primal_ridge": Line(DRAWN, few),
    }


@Plot.panel(
    "Relative error of ZZᵀ",
    x="columns c",
    y="‖ZZᵀ − G‖ / ‖G‖ (Frobenius norm)",
    log="y",
    ylim=(1e-6, 2),
    cursor="c",
)
def errors():
    """The error of the matrix against the number of columns, on a logarithmic axis: medians of twenty draws,
    with bands that hold eighteen. It falls fastest for rank truncation, nearly as fast for Nyström, and
    slowly for random features, about like 1/√c (gray).
    """
    lines = {"rank truncation": Line(COLUMNS, [matrix_error("rank truncation", c) for c in COLUMNS])}
    for way, style in (("Nyström", "dashed"), ("random features", "dotted")):
        found = [[matrix_error(way, c, seed) for c in COLUMNS] for seed in range(DRAWS)]
        low, middle, high = np.quantile(found, [0.05, 0.5, 0.95], axis=0)
        lines[way] = Line(COLUMNS, middle, low, high, style)
    lines["slope −½"] = Line(COLUMNS, middle[0] * np.sqrt(COLUMNS[0] / np.array(COLUMNS)), style="reference")
    return lines


def summary(way, c):
    """The calls that drew the curve, and both errors."""
    return (
        f"Z = {CALLS[way]} and w = primal_ridge(Z, y, lam), with c = {c}. The relative error of ZZᵀ "
        f"is {show(matrix_error(way, c), 2)}; the curve is off by at most {show(largest_gap(way, c), 2)}."
    )


WAYS = Explorer(
    title="Three ways to c columns",
    name="plain",
    controls=(
        Slider("c", COLUMNS, "columns c", 6, play=2),
        Choice("way", tuple(CALLS), "method"),
    ),
    panels=(curve, errors, Readout(summary)),
    predict=Predict(
        "Three methods replace the 30 × 30 matrix G by ZZᵀ, where Z has 8 columns. No error is smaller than "
        "that of rank truncation, and Nyström's is about four times as large. What is that of random "
        "features?",
        answer="more than a hundred times as large",
        options=(
            "about four times as large",
            "about twenty times as large",
            "more than a hundred times as large",
        ),
        at={"c": 8, "way": "random features"},
        shows=(("Ridge regression", "data"), ("Ridge regression", "all 30 columns: dual_ridge")),
        reason="The eigenvalues of G fall fast, and so do the errors of rank truncation and of Nyström. That "
        "of random features falls about like 1/√c for every G. But rank truncation needs all of G, Nyström c "
        "of its columns, and random features none.",
    ),
)
