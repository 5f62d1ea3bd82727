"""A cloud that moves away from the origin: where the first component goes without centering."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.book.explore import Dots, Explorer, Field, Line, Plot, Points, Predict, Readout
from kernlib.book.explore.marks import cell_centers, show

__all__ = ["CENTERING", "OFFSETS", "best_split", "caught", "cloud", "toward", "uncentered"]


def best_split(Z: NDArray) -> tuple[int, float]:
    """Find the column, from 1, that best separates the first half of the rows, and the share that it gets."""
    half = len(Z) // 2
    inner = np.arange(len(Z)) < half
    right = np.cumsum(np.where(inner[np.argsort(Z, axis=0)], 1, -1), axis=0)[:-1]
    right[np.diff(np.sort(Z, axis=0), axis=0) <= 0] = 0  # no threshold fits between equal numbers
    accuracy = (half + np.abs(right).max(axis=0)) / len(Z)
    return int(accuracy.argmax()) + 1, float(accuracy.max())


LONG, ACROSS = np.array([[1, -1], [1, 1]]) / np.sqrt(2)  # directions of standard deviation 1 and 0.2
COVARIANCE = np.outer(LONG, LONG) + 0.04 * np.outer(ACROSS, ACROSS)
LIMITS = (-3.2, 3.2)
REACH = 2.5  # of the line through the mean, on both sides
FARTHEST = 4.5  # the corner of the plane
CELLS = 48  # of the field, along each axis


def toward(angle: float) -> NDArray:
    """Return the unit vector at this angle to the long axis, in degrees."""
    return np.cos(np.radians(angle)) * LONG + np.sin(np.radians(angle)) * ACROSS


def offsets():
    """80 points of mean zero whose covariance is exactly COVARIANCE."""
    A = np.random.default_rng(0).normal(size=(80, 2))
    A = A - A.mean(axis=0)
    U = np.linalg.solve(np.linalg.cholesky(A.T @ A), A.T).T  # orthonormal, of signs that no library chooses
    return np.sqrt(80) * U @ np.array([LONG, 0.2 * ACROSS])


OFFSETS = offsets()


def cloud(mean: ArrayLike) -> NDArray:
    """Move the 80 points to this mean."""
    return OFFSETS + np.asarray(mean)


def uncentered(means: ArrayLike) -> NDArray:
    """First eigenvector of COVARIANCE + mmᵀ for each mean m, one a row, to the right of the origin."""
    x, y = np.transpose(means)
    angle = np.arctan2(2 * (COVARIANCE[0, 1] + x * y), x**2 - y**2) / 2  # both variances are equal
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def caught(means: ArrayLike) -> NDArray:
    """Variance along the uncentered component, as a share of that along the centered one, which is 1."""
    u = uncentered(means)
    return np.sum((u @ COVARIANCE) * u, axis=-1)


@Plot.panel(
    "First component, with and without centering",
    x="x₁",
    y="x₂",
    xlim=LIMITS,
    ylim=LIMITS,
    equal=True,
    handles="mean",
)
def directions(mean):
    """A narrow cloud, and the direction of its first component with and without centering. The plane is blue
    along the long axis and near the origin, where a mean does little harm, else orange.
    """
    at = np.array(mean[0])
    places = cell_centers(LIMITS, LIMITS, CELLS, CELLS)
    line = np.array([-2, 2]) * FARTHEST
    share = caught(places).reshape(CELLS, CELLS) - 0.5
    return {
        "the cloud": Dots(*cloud(at).T),
        "without centering": Line(*np.outer(uncentered(at), line)),
        "with centering": Line(*(at[:, None] + np.outer(LONG, [-REACH, REACH])), style="dashed"),
        "origin": Dots([0.0], [0.0], "large"),
        "share": Field(share, LIMITS, LIMITS, (-0.5, 0.5), "signed"),
    }


def direction_of(at):
    """The distance of the mean, and its angle to the long axis in degrees, from 0 to 90."""
    along, across = np.abs(np.array([LONG, ACROSS]) @ at)
    return float(np.hypot(along, across)), float(np.degrees(np.arctan2(across, along)))


@Plot.panel("Share of the variance", x="distance of the mean, in this direction", y="share", ylim=(0, 1.03))
def shares(mean):
    """The share of the largest variance that the first component catches without centering, which falls from
    1 as the mean moves away, unless it moves along the long axis.
    """
    distance, angle = direction_of(np.array(mean[0]))
    distances = np.linspace(0, FARTHEST, 181)
    return {
        "this mean": Dots([distance], [caught(distance * toward(angle))], "large"),
        "without centering": Line(distances, caught(np.outer(distances, toward(angle)))),
        "half": Line([0, FARTHEST], [0.5, 0.5], style="reference"),
    }


def turned(mean):
    """Where the mean is, how far the uncentered component is turned, and the share that it catches."""
    at = np.array(mean[0])
    distance, angle = direction_of(at)
    turn = np.degrees(np.arccos(min(1, abs(uncentered(at) @ LONG))))
    return (
        f"The mean is at the distance {show(distance, 3)}, at {angle:.0f}° to the long axis. Without "
        f"centering the first component is turned by {turn:.0f}° and catches {100 * caught(at):.0f}% of the "
        "variance that the centered one catches."
    )


def at(distance, angle=70):
    """One point, as an address writes it."""
    return (tuple(float(f"{part:.3g}") for part in distance * toward(angle)),)


CENTERING = Explorer(
    title="What happens without centering",
    name="centering",
    hint="Drag the cloud by the large point in its middle, its mean. A place is blue if, with the mean "
    "there, the component without centering still catches more than half, and orange if less.",
    script="kernel_pca_mean",
    data={
        "offsets": OFFSETS,
        "axes": [LONG, ACROSS],
        "covariance": COVARIANCE,
        "field": {"x": LIMITS, "y": LIMITS, "columns": CELLS, "rows": CELLS},
        "reach": REACH,
        "farthest": FARTHEST,
    },
    controls=(Points("mean", at(0.5), label="Mean of the cloud"),),
    presets={
        "near: 0.5": {"mean": at(0.5)},
        "half: 1.15": {"mean": at(1.15)},
        "far: 2.5": {"mean": at(2.5)},
        "far, along the cloud": {"mean": at(2.5, 0)},
    },
    panels=(directions, shares, Readout(turned)),
    predict=Predict(
        "The cloud has the standard deviation 1 along its long axis and 0.2 along the short one. You drag it "
        "away from the origin, at 70° to the long axis. Without centering, at which distance of the mean "
        "does the first component catch only half of the variance that the centered one catches?",
        answer="about 1",
        options=("about 0.2", "about 1", "about 2"),
        shows=tuple(("First component, with and without centering", one) for one in ("the cloud", "origin")),
        at={"mean": at(1.15)},
        reason="Without centering the matrix is the covariance plus the outer product of the mean with "
        "itself. The squared length of the mean competes with the largest variance, which is 1. At 70° the "
        "first component catches half at a distance of 1.15.",
    ),
)
