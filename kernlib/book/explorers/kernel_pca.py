"""A cloud that moves away from the origin: where the first component goes without centering.

Chapter: Kernel PCA.
"""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Dots, Line
from kernlib.book.explore.panels import Plot, Readout

__all__ = [
    "CENTERING",
    "best_split",
    "caught",
    "cloud",
    "first_components",
]


def best_split(Z: NDArray) -> tuple[int, float]:
    """Find the column, from 1, that best separates the first half of the rows, and the share that it gets."""
    half = len(Z) // 2
    inner = np.arange(len(Z)) < half
    right = np.cumsum(np.where(inner[np.argsort(Z, axis=0)], 1, -1), axis=0)[:-1]
    right[np.diff(np.sort(Z, axis=0), axis=0) <= 0] = 0  # no threshold fits between equal numbers
    accuracy = (half + np.abs(right).max(axis=0)) / len(Z)
    return int(accuracy.argmax()) + 1, float(accuracy.max())


LONG, ACROSS = np.array([[1, -1], [1, 1]]) / np.sqrt(2)  # directions of standard deviation 1 and 0.2
ANGLES = 0, 45, 70, 90  # degrees from LONG
REACH = 2.5
DISTANCES = (0, 0.25, 0.5, 0.75, 1, 1.15, 1.3, 1.5, 2, 2.5)


def toward(angle: float) -> NDArray:
    """Return the unit vector at this angle to the long axis, in degrees."""
    return np.cos(np.radians(angle)) * LONG + np.sin(np.radians(angle)) * ACROSS


def cloud(distance: float, angle: float = 70) -> NDArray:
    """80 points whose covariance is exactly LONG LONGᵀ + 0.04 ACROSS ACROSSᵀ, with their mean out there."""
    A = np.random.default_rng(0).normal(size=(80, 2))
    A = A - A.mean(axis=0)
    U = np.linalg.solve(np.linalg.cholesky(A.T @ A), A.T).T  # orthonormal, of signs that no library chooses
    return np.sqrt(80) * U @ np.array([LONG, 0.2 * ACROSS]) + distance * toward(angle)


def first_components(distance: float, angle: float = 70) -> tuple[NDArray, ...]:
    """First eigenvectors of (1/n)XᵀX and of the covariance matrix, to the right of the origin."""
    X = cloud(distance, angle)
    return tuple(
        u * (1 if u[0] >= 0 else -1) for u in (np.linalg.svd(A)[2][0] for A in (X, X - X.mean(axis=0)))
    )


def directions(distance, angle):
    """The cloud, and the two directions: one through the origin, one through the mean."""
    X, steps = cloud(distance, angle), np.array([-REACH, REACH])
    uncentered, centered = first_components(distance, angle)
    return {
        "points": Dots(*X.T),
        "uncentered": Line(*np.outer(uncentered, 2 * steps), style="dashed"),
        "centered": Line(*(X.mean(axis=0)[:, None] + np.outer(centered, steps))),
        "origin": Dots([0.0], [0.0], "large"),
    }


def caught(distance: float, angle: float = 70) -> float:
    """Return the variance along the uncentered component, as a share of that along the centered one."""
    X = cloud(distance, angle)
    uncentered, centered = first_components(distance, angle)
    return np.var(X @ uncentered) / np.var(X @ centered)


def shares(angle):
    """Draw the share of the variance that the uncentered component catches against the distance."""
    jump = np.sqrt(1 - 0.2**2)  # at 90°, where the mean's square plus 0.04 is 1; drawn upright
    distances = np.sort([*np.linspace(DISTANCES[0], DISTANCES[-1], 51), jump - 1e-6, jump + 1e-6])
    half = Line(DISTANCES[:: len(DISTANCES) - 1], [0.5, 0.5], style="reference")
    drawn = Line(distances, [caught(d, angle) for d in distances], style="dashed")
    return {"half": half, "uncentered": drawn}  # second, as in the other panel: one color


def turned(distance, angle):
    """How far the uncentered component is turned, and the share of the variance that it catches."""
    uncentered, centered = first_components(distance, angle)
    turn = np.degrees(np.arccos(min(1, abs(uncentered @ centered))))
    return (
        f"Without centering the first component is turned by {turn:.0f}° and catches "
        f"{100 * caught(distance, angle):.0f}% of the variance that the centered one catches."
    )


CENTERING = Explorer(
    title="What happens without centering",
    name="centering",
    controls=(
        Slider("distance", DISTANCES, "distance of the mean", 0, between=True, play=2),
        Slider("angle", ANGLES, "its angle to the long axis (°)", 70),
    ),
    panels=(
        Plot(
            directions,
            "First component, with and without centering",
            "A narrow cloud, the direction of its first component, and the same without centering.",
            "x₁",
            "x₂",
            xlim=(-2.6, 4.4),
            ylim=(-3.6, 3.4),
            equal=True,
        ),
        Plot(
            shares,
            "Share of the variance",
            "The share of the largest variance that the first component catches without centering, which "
            "falls from 1 as the mean moves away, unless it moves along the long axis.",
            "distance of the mean",
            "share",
            ylim=(0, 1.03),
            cursor="distance",
        ),
        Readout(turned),
    ),
    predict=Predict(
        "The cloud has the standard deviation 1 along its long axis and 0.2 along the short one. It moves "
        "away from the origin and keeps its shape, at 70° to the long axis. Without centering, at which "
        "distance of the mean does the first component catch only half of the variance that the centered one "
        "catches?",
        answer="about 1",
        options=("about 0.2", "about 1", "about 2"),
        shows=tuple(("First component, with and without centering", one) for one in ("points", "origin")),
        at={"distance": 1.15, "angle": 70},
        reason=(
            "Without centering the matrix is the covariance plus the outer product of the mean with itself. "
            "The squared length of the mean competes with the largest variance, which is 1. At 70° the first "
            "component catches half at a distance of 1.15."
        ),
    ),
)
