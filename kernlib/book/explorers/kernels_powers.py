"""Powers of the distance in an exponent: points of a line, to drag, show which of them are not kernels."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from kernlib.book.explore import Explorer, Line, Plot, Points, Predict, Readout, Slider
from kernlib.book.explore.marks import show

__all__ = ["BETAS", "POWERS", "least_eigenvalue", "spaced"]

BETAS = 0.5, 1.0, 1.5, 1.9, 2.0, 2.1, 2.2, 2.5, 3.0, 4.0
FINE = np.linspace(0.5, 4, 36)
DRAWN = np.linspace(-3, 3, 121)
CHOSEN = 3  # the point that the curves are drawn around
ROUNDING = 1e-12  # an eigenvalue below it counts as zero


def spaced(s: float, n: int = 6) -> tuple:
    """Place n points of the line around 0, s apart, as dragged points."""
    return tuple((round(s * (i - (n - 1) / 2), 10), 0.0) for i in range(n))


START = spaced(0.5)


def least_eigenvalue(x: ArrayLike, beta: float) -> float:
    """The least eigenvalue of exp(−|x − x′|^β) on points of a line, or 0 if it is a rounding error."""
    least = np.linalg.eigvalsh(np.exp(-(np.abs(np.subtract.outer(x, x)) ** beta)))[0]
    return float(least) if abs(least) > ROUNDING else 0.0


def places(points: Sequence) -> list[float]:
    """List the points' places on the line."""
    return [x for x, _ in points]


@Plot.panel(
    "Similarity to the square", x="x", y="exp(−|x − x′|ᵝ)", xlim=(-3, 3), ylim=(-0.1, 1.05), handles="points"
)
def bell(points, beta):
    """Six points of a line to drag, and a function that falls from one at one of them. The larger the power,
    the flatter its top and the faster its fall beyond distance 1, where all powers cross.
    """
    distance = np.abs(DRAWN - places(points)[CHOSEN])
    return {
        "chosen β": Line(DRAWN, np.exp(-(distance**beta))),
        "β = 1, Laplace": Line(DRAWN, np.exp(-distance), style="dotted"),
        "β = 2, Gaussian": Line(DRAWN, np.exp(-(distance**2)), style="dashed"),
    }


@Plot.panel("Least eigenvalue of G", x="power β", y="least eigenvalue", xlim=(0.4, 4.1), cursor="beta")
def least_over_beta(points):
    """The least eigenvalue against the power, with a line at zero."""
    return {
        "least eigenvalue": Line(FINE, [least_eigenvalue(places(points), beta) for beta in FINE]),
        "zero": Line(FINE[[0, -1]], np.zeros(2), style="reference"),
    }


def verdict(points, beta):
    """What these points say about this power."""
    least = least_eigenvalue(places(points), beta)
    said = "not a kernel" if least < 0 else "these points do not refute it"
    return f"β = {beta:g}: the least eigenvalue of these points is {show(least, 2)}, {said}."


POWERS = Explorer(
    title="Powers of the distance",
    name="kernels-powers",
    hint="Drag a point, or select it with Tab and move it with the arrow keys.",
    script="kernels_powers",
    data={"drawn": DRAWN, "fine": FINE, "chosen": CHOSEN, "rounding": ROUNDING},
    controls=(
        Points("points", START, groups=[0, 0, 0, 1, 0, 0], move="x", label="Points"),
        Slider("beta", BETAS, "power β", 1.5, play=2),
    ),
    presets={
        "half a unit apart": {"points": START},
        "1 apart": {"points": spaced(1)},
        "three places, 0.2 apart": {"points": tuple(sorted(2 * spaced(0.2, 3)))},
    },
    panels=(bell, least_over_beta, Readout(verdict)),
    predict=Predict(
        "For which powers β > 0 is exp(−|x − x′|\u2060ᵝ) a kernel on the line?",  # no line ends before ᵝ
        answer="β ≤ 2",
        options=("all β", "β ≤ 1", "β ≤ 2", "β ≥ 1"),
        reason="The section on Schoenberg's theorem proves it. For each β above 2, three points that are "
        "near enough have a matrix with a negative eigenvalue.",
        shows=("Similarity to the square",),
        at={"beta": 2.1},
    ),
)
