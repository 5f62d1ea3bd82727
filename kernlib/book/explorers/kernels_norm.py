"""A fit to points that can be dragged, whose norm grows as λ falls, and the values that its norm allows."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Line, Plot, Points, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge

__all__ = [
    "KERNEL",
    "LAMS",
    "NORM",
    "OFF",
    "PLACES",
    "START",
    "allowed",
    "curve",
    "fit",
    "least_norm",
]

GAMMA = 4.0
KERNEL = Gaussian(GAMMA)
LAMS = (0.0005, 0.002, 0.005, 0.02, 0.05, 0.2, 0.5)
PLACES = (-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2)
DRAWN = np.linspace(-2.1, 2.1, 113)
FINE = np.geomspace(LAMS[0], LAMS[-1], 41)


X = np.linspace(-2, 2, 12)
NOISE = np.random.default_rng(4).normal(size=12)
START = tuple(zip(X.tolist(), np.round(np.sin(2 * X) + 0.4 * NOISE, 2).tolist(), strict=True))
OFF = tuple((x, -2.5) if i == 8 else (x, y) for i, (x, y) in enumerate(START))


def heights(data: Sequence) -> NDArray:
    """List the y of the points, whose x are fixed."""
    return np.array(data, dtype=float)[:, 1]


def fit(data: Sequence, lam: float) -> tuple[NDArray, float, float]:
    """Return the coefficients of kernel ridge regression, ‖f‖, and the mean loss."""
    G, y = KERNEL(X[:, None]), heights(data)
    alpha = dual_ridge(G, y, lam=lam)
    return alpha, np.sqrt(alpha @ G @ alpha), np.mean((y - G @ alpha) ** 2) / 2


def least_norm(data: Sequence) -> float:
    """Compute the smallest norm of a function through all points."""
    y = heights(data)
    return np.sqrt(y @ np.linalg.solve(KERNEL(X[:, None]), y))


def values(x, data, lam):
    """f at the places x."""
    return KERNEL(np.asarray(x, float).reshape(-1, 1), X[:, None]) @ fit(data, lam)[0]


def allowed(x: NDArray, data: Sequence, lam: float, at: float) -> tuple[NDArray, NDArray]:
    """Find the middle and half the width of the values that are possible with the norm and f(at) of f."""
    similar, height = np.exp(-GAMMA * (x - at) ** 2), values(at, data, lam)[0]
    left = max(fit(data, lam)[1] ** 2 - height**2, 0)  # below 0 by rounding where f is a multiple of κ(·, at)
    return height * similar, np.sqrt(left * (1 - similar**2))


@Plot.panel(
    "A fit of the norm ‖f‖", x="x", y="f(x)", xlim=(-2.1, 2.1), ylim=(-3, 3), cursor="at", handles="data"
)
def curve(data, lam, at):
    """Twelve points to drag, a curve f, and a band that is closed at x, widens on both sides of it and then
    has a constant width. The curve stays in the band.
    """
    middle, reach = allowed(DRAWN, data, lam, at)
    return {
        "f": Line(DRAWN, values(DRAWN, data, lam)),
        "possible with ‖f‖ and f(x)": Line(DRAWN, middle, middle - reach, middle + reach, "reference"),
        "f(x)": Dots([at], values(at, data, lam), "large"),
    }


# wider than the curve, or the axis would answer the question
@Plot.panel("‖f‖ against λ", x="λ", y="‖f‖", log="xy", ylim=(0.2, 20), cursor="lam")
def norms(data):
    """The norm grows as λ falls, and levels off at that of the smoothest curve through all points."""
    return {
        "‖f‖": Line(FINE, [fit(data, lam)[1] for lam in FINE]),
        "through all points": Line(FINE[[0, -1]], [least_norm(data)] * 2, style="reference"),
    }


def summary(data, lam, at):
    """Write norm and loss, and how wide the band is nearby."""
    _, norm, loss = fit(data, lam)
    _, reach = allowed(np.array([at + 0.5]), data, lam, at)
    return (
        f"‖f‖ = {norm:.2f}, loss {show(loss, 2)}. At a distance of 0.5 from x = {show(at)}, the band has a "
        f"width of {2 * reach[0]:.2f}."
    )


NORM = Explorer(
    title="What the norm allows",
    name="norm",
    hint="Drag a point up or down, or the dotted line.",
    script="kernels_norm",
    data={"x": X, "gamma": GAMMA, "drawn": DRAWN, "fine": FINE},
    controls=(
        Points("data", START, groups=[1] * 12, move="y", label="Data"),
        Slider("lam", LAMS, "λ", 0.02, log=True, play=2),
        Slider("at", PLACES, "x", 0),
    ),
    presets={"the data": {"data": START}, "one point off": {"data": OFF, "lam": 0.0005}},
    panels=(curve, norms, Readout(summary)),
    predict=Predict(
        "λ sets the weight of ‖f‖² against the loss. It falls from 0.5 to 0.0005, to a thousandth. By what "
        "factor does ‖f‖ grow?",
        answer="about 8",
        options=("about 8", "about 30", "about 1,000"),
        reason="With a small λ, the curve nearly runs through all points. It approaches the curve of "
        "least norm through all points, so ‖f‖ stays below the norm of that curve, 3.1.",
        shows=(("A fit of the norm ‖f‖", "f"),),
        at={"lam": 0.5},
    ),
)
