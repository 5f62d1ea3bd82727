"""Mercer's list of features: sines that sum to min(x, x′)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Explorer, Line, Plot, Predict, Readout, Slider

__all__ = ["FEATURES", "MERCER", "PLACES", "error_of", "sines"]

FEATURES = 1, 2, 3, 5, 10, 11, 20, 50, 100
PLACES = 0.25, 0.5, 0.75, 1.0
DRAWN = np.linspace(0, 1, 201)


def sines(t: Sequence[float] | NDArray, m: int) -> NDArray:
    """Compute the first m features of min(x, x′) at each t, √2 sin(ωⱼt)/ωⱼ with ωⱼ = (j + ½)π."""
    omega = (np.arange(m) + 0.5) * np.pi
    return np.sqrt(2) * np.sin(np.outer(t, omega)) / omega


def error_of(m: int, x: float) -> NDArray:
    """Compute min(·, x) minus the sum of its first m features, at `DRAWN`."""
    return np.minimum(DRAWN, x) - sines(DRAWN, m) @ sines([x], m)[0]


@Plot.panel("Kernel and sum", x="x", y="similarity of x to x′", ylim=(-0.05, 1.05), cursor="x")
def sum_of_features(m, x):
    """A line that rises with slope one up to x′ and then stays level, and a sum of sines that approaches it,
    most slowly at x′.
    """
    kernel = np.minimum(DRAWN, x)
    return {
        "sum of m features": Line(DRAWN, kernel - error_of(m, x)),
        "min(x, x′)": Line(DRAWN, kernel, style="reference"),
    }


@Plot.panel("What is left out", x="x", y="min(x, x′) − sum")
def what_is_left(m, x):
    """The difference of the two: a positive peak at x′, and waves of both signs around it."""
    return {
        "min(x, x′) − sum": Line(DRAWN, error_of(m, x)),
        "zero": Line([0, 1], [0, 0], style="reference"),
    }


@Plot.panel("Largest error", x="features m", y="error", log="xy", cursor="m")
def largest_error(x):
    """The largest error against the number of features, both axes logarithmic, falls with slope minus one,
    along the bound.
    """
    return {
        "largest error": Line(FEATURES, [np.abs(error_of(m, x)).max() for m in FEATURES]),
        "2/(π²m)": Line(FEATURES, 2 / (np.pi**2 * np.array(FEATURES)), style="dashed"),
    }


def summary(m, x):
    """Where the sum is worst, and by how much."""
    error = np.abs(error_of(m, x))
    features = f"{m} feature{'s' * (m > 1)}"
    return f"{features}: the largest error is {error.max():.4f}, at x = {DRAWN[error.argmax()]:.2f}."


MERCER = Explorer(
    title="A kernel as a sum of sines",
    name="kernels-mercer",
    controls=(
        Slider("m", FEATURES, "features m", 3, play=2),
        Slider("x", PLACES, "x′", 0.5),
    ),
    panels=(sum_of_features, what_is_left, largest_error, Readout(summary)),
    predict=Predict(
        "Twenty sines are summed. Where does the sum differ most from min(x, ½)?",
        answer="at x = ½",
        options=("at x = 0", "at x = ½", "at x = 1"),
        reason="The error is the sum of the terms left out. At x = x′ = ½ each of them is positive. "
        "Elsewhere they have both signs, and partly cancel.",
        shows=(("Kernel and sum", "min(x, x′)"),),
        at={"m": 20},
    ),
)
