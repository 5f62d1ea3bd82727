"""Powers of the distance in an exponent: a few points of a line show which of them are not kernels.

Chapter: Kernels.
"""

import numpy as np

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Dots, Line, show
from kernlib.book.explore.panels import Plot, Readout

__all__ = ["BETAS", "COUNTS", "POWERS", "SPACINGS", "least_eigenvalue"]

BETAS = 0.5, 1.0, 1.5, 1.9, 2.0, 2.1, 2.2, 2.5, 3.0, 4.0
COUNTS = 3, 4, 5, 6
SPACINGS = 0.1, 0.2, 0.3, 0.5, 0.7, 1.0
FINE = np.linspace(0.5, 4, 71)
DISTANCE = np.linspace(0, 2, 101)


def least_eigenvalue(beta: float, n: int, s: float) -> float:
    """The least eigenvalue of exp(−|x − x′|^β) on n points of a line, s apart."""
    x = s * np.arange(n)
    return float(np.linalg.eigvalsh(np.exp(-(np.abs(x[:, None] - x) ** beta)))[0])


def bell(beta):
    """The function of the distance, between those of Laplace and Gauss."""
    return {
        "chosen β": Line(DISTANCE, np.exp(-(DISTANCE**beta))),
        "β = 1, Laplace": Line(DISTANCE, np.exp(-DISTANCE), style="dotted"),
        "β = 2, Gaussian": Line(DISTANCE, np.exp(-(DISTANCE**2)), style="dashed"),
    }


def least_over_beta(beta, n, s):
    """The least eigenvalue against the power."""
    return {
        "least eigenvalue": Line(FINE, [least_eigenvalue(b, n, s) for b in FINE]),
        "at the chosen β": Dots([beta], [least_eigenvalue(beta, n, s)], "large"),
        "zero": Line(BETAS, np.zeros(len(BETAS)), style="reference"),
    }


def verdict(beta, n, s):
    """What these points say about this power."""
    least = least_eigenvalue(beta, n, s)
    said = "not a kernel" if least < 0 else "these points do not refute it"
    return f"β = {beta:g}, {n} points {s:g} apart: least eigenvalue {show(least, 2)}, {said}."


POWERS = Explorer(
    title="Powers of the distance",
    name="kernels-powers",
    controls=(
        Slider("beta", BETAS, "power β", 1.5),
        Slider("n", COUNTS, "points n", 3),
        Slider("s", SPACINGS, "spacing s", 0.5),
    ),
    panels=(
        Plot(
            bell,
            "Similarity of two points",
            "A function that falls from one at distance zero. The larger the power, the flatter its top and "
            "the faster its fall beyond distance 1, where all powers cross.",
            "distance |x − x′|",
            "exp(−|x − x′|ᵝ)",
            ylim=(0, 1.05),
        ),
        Plot(
            least_over_beta,
            "Least eigenvalue of G",
            "The least eigenvalue against the power, with a line at zero.",
            "power β",
            "least eigenvalue",
            xlim=(0.4, 4.1),
        ),
        Readout(verdict),
    ),
    predict=Predict(
        "For which powers β > 0 is exp(−|x − x′|\u2060ᵝ) a kernel on the line?",  # no line ends before ᵝ
        answer="β ≤ 2",
        options=("all β", "β ≤ 1", "β ≤ 2", "β ≥ 1"),
        reason="The section on Schoenberg's theorem proves it. For each β above 2, three points that are "
        "near enough have a matrix with a negative eigenvalue.",
        shows=("Similarity of two points",),
        at={"beta": 2.1, "n": 6, "s": 0.3},
    ),
)
