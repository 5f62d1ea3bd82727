"""How many eigenpairs of the letters' Gram matrix are enough, for a wide and for a narrow kernel."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from kernlib.book.explore import Explorer, Heat, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.book.explorers.rank_truncation_scores import DRAWN, RANKS, N, P, task
from kernlib.kernels import Gaussian

__all__ = ["BANDWIDTH", "errors", "rank_for", "spectrum"]

WIDTHS = (0.1, 0.3, 1, 3, 10)  # γp
SHOWN = 20  # letters of each half of the alphabet in the picture


@cache
def spectrum(width: float) -> NDArray:
    """Compute the eigenvalues of the Gram matrix of 1,500 letters with γ = width/16, largest first."""
    return np.maximum(linalg.eigvalsh(Gaussian(width / P)(task()[0]))[::-1], 0)


def errors(width: float) -> NDArray:
    """‖G − G_k‖_F / ‖G‖_F for k = 0, …, n."""
    squares = np.append(np.cumsum(spectrum(width)[::-1] ** 2)[::-1], 0)
    return np.sqrt(squares / squares[0])


def rank_for(width: float, error: float) -> int:
    """Find the least k with an error of at most `error`."""
    return int(np.argmax(errors(width) <= error))


@Heat.panel("G of 40 letters", limits=(0, 1))
def corner(width):
    """Similarities of 40 letters. With a small gamma nearly all are large, with a large gamma only the
    diagonal is.
    """
    X, y, *_ = task()
    rows = np.concatenate([np.flatnonzero(y == label)[:SHOWN] for label in (-1, 1)])
    return Gaussian(width / P)(X[rows])


@Plot.panel(
    "Relative error at rank k",
    x="rank kept, k",
    y="‖Gₖ − G‖ / ‖G‖",
    log="xy",
    xlim=(1, N),
    ylim=(1e-3, 1.2),
    cursor="k",
)
def errors_left(width):
    """The error against k on logarithmic axes, with lines at 10% and 1%. A larger gamma needs more
    eigenpairs.
    """
    inside = DRAWN[DRAWN < N]
    return {
        "error of Gₖ": Line(inside, errors(width)[inside]),
        "10%": Line([1, N], [0.1, 0.1], style="reference"),
        "1%": Line([1, N], [0.01, 0.01], style="reference"),
    }


@Plot.panel("Spectrum", x="index i", y="eigenvalue λᵢ", log="xy", xlim=(1, N), ylim=(1e-6, 2000), cursor="k")
def eigenvalues(width):
    """The eigenvalues on logarithmic axes: they fall fast for a small gamma, hardly for a large one."""
    return {"": Line(DRAWN, spectrum(width)[DRAWN - 1])}


def summary(width, k):
    """Report the error at rank k, and which ranks leave 10% and 1%."""
    ten, one = (rank_for(width, error) for error in (0.1, 0.01))
    left = "no error" if k == N else f"an error of {show(100 * errors(width)[k], 2)}%"
    return f"Rank {k:,} leaves {left}. For 10% you need {ten:,} of {N:,} eigenpairs, for 1% {one:,}."


BANDWIDTH = Explorer(
    title="How many eigenpairs does a bandwidth need?",
    name="rank-bandwidth",
    hint="Drag the dotted line, or play γ.",
    controls=(
        Slider("width", WIDTHS, "γ times p", 1, play=1),
        Slider("k", RANKS, "rank k", 40),
    ),
    presets={"wide": {"width": 0.1}, "γ = 1/p": {"width": 1}, "narrow": {"width": 10}},
    panels=(corner, errors_left, eigenvalues, Readout(summary)),
    predict=Predict(
        "At γ = 1/p, how many of the 1,500 eigenpairs must you keep for an error of 1%?",
        answer=233,
        marker="k",
        shows=("G of 40 letters", ("Relative error at rank k", "1%")),
        reason="Every letter resembles some others but not the rest, so G is neither close to a constant "
        "matrix nor to the identity. Its eigenvalues fall gradually, and a sixth of them are needed.",
        at={"k": 233},
    ),
)
