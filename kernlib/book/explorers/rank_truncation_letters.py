"""How many eigenpairs of a Gaussian Gram matrix of letters are needed, for each bandwidth.

Chapter: Rank truncation at work.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from kernlib.book.datasets import load_letters
from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Line, show
from kernlib.book.explore.panels import Plot, Readout
from kernlib.kernels import Gaussian

__all__ = ["LETTERS", "N", "P", "letters", "rank_for", "spectrum", "tail", "task"]

N, P = 1500, 16
TIMES = (0.1, 0.3, 1.0, 3.0, 10.0)  # γ in units of 1/p
RANKS = (1, 2, 3, 5, 8, 11, 17, 25, 38, 59, 94, 147, 233, 362, 571, 884, 1236, 1455)
LAST = 1483  # only 1,484 of the letters are different, so the other eigenvalues are 0
STEEP = (1350, 1400, 1430, 1470, 1480, LAST)  # where the error of a narrow kernel drops
DRAWN = np.unique([*np.geomspace(1, 1324, 58).astype(int), *RANKS, *STEEP])


@cache
def task() -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """1,500 letters, standardized by all training letters, and their labels; the same of all test letters."""
    data = load_letters()
    X, y = data.train.X, data.train.y
    rows = np.random.default_rng(0).permutation(len(X))[:N]
    center, scale = X.mean(axis=0), X.std(axis=0)
    return (X[rows] - center) / scale, y[rows], (data.test.X - center) / scale, data.test.y


def letters() -> NDArray:
    """1,500 letters, standardized by all training letters."""
    return task()[0]


@cache
def spectrum(times: float) -> NDArray:
    """The eigenvalues of the Gram matrix with γ = times/p, largest first."""
    return linalg.eigvalsh(Gaussian(times / P)(letters()))[::-1]


@cache
def tail(times: float) -> NDArray:
    """‖G − G_k‖_F / ‖G‖_F for k = 0, …, n."""
    squares = np.append(np.cumsum(spectrum(times)[::-1] ** 2)[::-1], 0)
    return np.sqrt(squares / squares[0])


def rank_for(times: float, error: float) -> int:
    """The smallest rank with at most this error."""
    return int(np.argmax(tail(times) <= error))


def compare(values, times):
    """The curve of this γ, and for comparison three others."""
    others = [other for other in (0.1, 1, 10) if other != times]
    lines = {f"γ = {show(other)}/p": Line(DRAWN, values(other), style="reference") for other in others}
    return {"this γ": Line(DRAWN, values(times))} | lines


def spectra(times):
    """The eigenvalues against their index; what is below 10⁻⁴ is left out."""
    return compare(lambda t: np.where(spectrum(t) > 1e-4, spectrum(t), np.nan)[DRAWN - 1], times)


def errors(times):
    """The relative error of G_k against k."""
    return compare(lambda t: tail(t)[DRAWN], times)


def summary(k, times):
    """The error at this rank, and the ranks that leave 10% and 1%."""
    return (
        f"γ = {show(times)}/p: rank {k:,} leaves an error of {show(100 * tail(times)[k], 2)}%. An error of "
        f"10% needs k = {rank_for(times, 0.1):,}, one of 1% needs k = {rank_for(times, 0.01):,}."
    )


LETTERS = Explorer(
    title="How many eigenpairs do the letters need?",
    name="rank-letters",
    controls=(
        Slider("k", RANKS, "rank k", 5, play=3),
        Slider("times", TIMES, "γ · p", 1.0),
    ),
    presets={"wide": {"times": 0.1}, "γ = 1/p": {"times": 1.0}, "narrow": {"times": 10.0}},
    panels=(
        Plot(
            spectra,
            "Spectrum of 1,500 letters",
            "Eigenvalues on logarithmic axes. For the smallest gamma they fall from over a thousand to below "
            "a thousandth by rank 500, for the largest they stay between ten and about one.",
            "index i",
            "eigenvalue λᵢ",
            log="xy",
            ylim=(1e-4, 2000),
            cursor="k",
        ),
        Plot(
            errors,
            "Relative error of Gₖ",
            "The error against k, on logarithmic axes: it falls below 1% at about ten for the smallest "
            "gamma, at about 230 for 1/p, and for the largest stays near one until k approaches 1,500.",
            "rank kept, k",
            "‖Gₖ − G‖ / ‖G‖",
            log="xy",
            ylim=(1e-4, 1.2),
            cursor="k",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "γ = 1/p, and the solid curve is the spectrum. At which rank k is the error of Gₖ down to 1%? "
        "Set your guess.",
        answer=233,
        marker="k",
        reason=(
            "The error is the tail of the spectrum. The first 25 eigenpairs already reach 10%, but the "
            "eigenvalues after them fall slowly."
        ),
        shows=("Spectrum of 1,500 letters",),
        at={"k": 233},
    ),
)
