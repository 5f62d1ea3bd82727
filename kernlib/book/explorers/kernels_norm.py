"""A fit whose norm grows as λ falls, and the values that functions of this norm can have.

Chapter: Kernels.
"""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Dots, Line, show
from kernlib.book.explore.panels import Plot, Readout
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge

__all__ = ["KERNEL", "LAMS", "NORM", "PLACES", "allowed", "curve", "fit", "least_norm", "points"]

GAMMA = 4.0
KERNEL = Gaussian(GAMMA)
LAMS = (0.0005, 0.002, 0.005, 0.02, 0.05, 0.2, 0.5)
PLACES = (-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2)
DRAWN = np.linspace(-2.1, 2.1, 57)
FINE = np.geomspace(LAMS[0], LAMS[-1], 61)


def points() -> tuple[NDArray, NDArray]:
    """Draw twelve noisy points of a wave."""
    x = np.linspace(-2, 2, 12)
    return x[:, None], np.sin(2 * x) + 0.4 * np.random.default_rng(4).normal(size=12)


def fit(lam: float) -> tuple[NDArray, float, float]:
    """Return the coefficients of kernel ridge regression, ‖f‖, and the mean loss."""
    X, y = points()
    G = KERNEL(X)
    alpha = dual_ridge(G, y, lam=lam)
    return alpha, np.sqrt(alpha @ G @ alpha), np.mean((y - G @ alpha) ** 2) / 2


def least_norm() -> float:
    """Compute the smallest norm of a function through all points."""
    X, y = points()
    return np.sqrt(y @ np.linalg.solve(KERNEL(X), y))


def values(x, lam):
    """f at the places x."""
    return KERNEL(np.asarray(x, float).reshape(-1, 1), points()[0]) @ fit(lam)[0]


def allowed(x: NDArray, lam: float, at: float) -> tuple[NDArray, NDArray]:
    """Find the middle and half the width of the values that are possible with the norm and f(at) of f."""
    similar, height = np.exp(-GAMMA * (x - at) ** 2), values(at, lam)[0]
    return height * similar, np.sqrt((fit(lam)[1] ** 2 - height**2) * (1 - similar**2))


def curve(lam: float, at: float) -> dict[str, Line | Dots]:
    """Draw the points, f, and the values of all functions that have its norm and its value at x."""
    X, y = points()
    middle, reach = allowed(DRAWN, lam, at)
    return {
        "f": Line(DRAWN, values(DRAWN, lam)),
        "possible with ‖f‖ and f(x)": Line(DRAWN, middle, middle - reach, middle + reach, "reference"),
        "points": Dots(X[:, 0], y, "large"),
        "f(x)": Dots([at], values(at, lam), "large"),
    }


def norms():
    """Draw ‖f‖ against λ, and its limit."""
    found = [fit(lam)[1] for lam in FINE]
    return {
        "‖f‖": Line(FINE, found),
        "through all points": Line(FINE[[0, -1]], [least_norm()] * 2, style="reference"),
    }


def summary(lam, at):
    """Write norm and loss, and how wide the band is nearby."""
    _, norm, loss = fit(lam)
    _, reach = allowed(np.array([at + 0.5]), lam, at)
    return (
        f"‖f‖ = {norm:.2f}, loss {show(loss, 2)}. At a distance of 0.5 from x = {show(at)}, the band has a "
        f"width of {2 * reach[0]:.2f}."
    )


NORM = Explorer(
    title="What the norm allows",
    name="norm",
    controls=(Slider("lam", LAMS, "λ", 0.02, log=True, play=2), Slider("at", PLACES, "x", 0)),
    panels=(
        Plot(
            curve,
            "A fit of the norm ‖f‖",
            "Twelve points, a curve f, and a band that is closed at x, widens on both sides of it and then "
            "has a constant width. The curve stays in the band.",
            "x",
            "f(x)",
            ylim=(-3, 3),
            cursor="at",
        ),
        Plot(
            norms,
            "‖f‖ against λ",
            "The norm grows as λ falls, and levels off at that of the smoothest curve through all points.",
            "λ",
            "‖f‖",
            log="xy",
            ylim=(0.2, 20),  # wider than the curve, or the axis would answer the question
            cursor="lam",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "λ sets the weight of ‖f‖² against the loss. It falls from 0.5 to 0.0005, to a thousandth. By what "
        "factor does ‖f‖ grow?",
        answer="about 8",
        options=("about 8", "about 30", "about 1,000"),
        reason="With a small λ, the curve nearly runs through all points. It approaches the curve of "
        "least norm through all points, so ‖f‖ stays below the norm of that curve, 3.1.",
        shows=(("A fit of the norm ‖f‖", "points"), ("A fit of the norm ‖f‖", "f")),
        at={"lam": 0.5},
    ),
)
