"""γ and the number of components: the spectrum, and points reconstructed in the input space.

`CENTERING` moves a cloud away from the origin: where the first component goes without centering.

Chapter: Kernel PCA.
"""

import warnings
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_circles
from sklearn.exceptions import ConvergenceWarning

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Dots, Line
from kernlib.book.explore.panels import Plot, Readout
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian

__all__ = [
    "CENTERING",
    "EXPLORER",
    "PER_RING",
    "best_split",
    "caught",
    "cloud",
    "data",
    "denoised",
    "first_components",
    "fitted",
]

PER_RING, NOISE = 150, 0.06
RADII = 0.4, 1.0
MOST = 12
K_STOPS = (1, 2, 3, 4, 5, 8, 12)


def data() -> NDArray:
    """The chapter's two rings, of radii 0.4 and 1 with noise, 150 points each, the inner one's first."""
    X, inner = make_circles(2 * PER_RING, factor=RADII[0] / RADII[1], noise=NOISE, random_state=0)
    return np.concatenate([X[inner == 1], X[inner == 0]])


@lru_cache(maxsize=32)
def fitted(gamma: float, k: int) -> KernelPCA:
    """Kernel PCA of the rings with k components."""
    return KernelPCA(Gaussian(gamma), n_components=k).fit(data())


def rings(points: NDArray) -> dict[str, Line | Dots]:
    """The two halves of 300 points, which are those of the rings."""
    return {"inner ring": Dots(*points[:PER_RING].T), "outer ring": Dots(*points[PER_RING:].T)}


def spectrum(gamma):
    """The share of the variance in feature space that each component holds, and the sum so far."""
    share, number = fitted(gamma, MOST).explained_variance_ratio_, np.arange(1, MOST + 1)
    return {"one component": Dots(number, share, "large"), "all up to it": Line(number, np.cumsum(share))}


def denoised(gamma: float, k: int) -> dict[str, Line | Dots]:
    """The pre-images of the points' projections on k components, and the circles around which they lay."""
    with warnings.catch_warnings():  # a few points still creep by less than a pixel
        warnings.simplefilter("ignore", ConvergenceWarning)
        back = fitted(gamma, k).denoise(data(), max_iter=60, tol=1e-3)
    drawn = rings(np.round(back, 2))  # to less than a pixel: a third of the weight
    t = np.append(np.linspace(0, 2 * np.pi, 49), np.nan)  # a gap between the two
    x, y = (np.outer(RADII, wave(t)).ravel() for wave in (np.cos, np.sin))
    return drawn | {"circles": Line(x, y, style="reference")}


def summary(gamma, k):
    """Report the share of the variance, and the radii of the reconstructed rings."""
    share = fitted(gamma, k).explained_variance_ratio_.sum()
    radii = {name: np.hypot(*denoised(gamma, k)[name][:2]) for name in ("inner ring", "outer ring")}
    found = (f"the {name} has the radius {r.mean():.2f} ± {r.std():.2f}" for name, r in radii.items())
    return (
        f"{k} component{'s hold' if k > 1 else ' holds'} {100 * share:.0f}% of the variance. "
        f"Reconstructed, {' and '.join(found)} (mean ± standard deviation)."
    )


def best_split(Z: NDArray) -> tuple[int, float]:
    """Find the column, from 1, that best separates the first half of the rows, and the share that it gets."""
    half = len(Z) // 2
    inner = np.arange(len(Z)) < half
    right = np.cumsum(np.where(inner[np.argsort(Z, axis=0)], 1, -1), axis=0)[:-1]
    right[np.diff(np.sort(Z, axis=0), axis=0) <= 0] = 0  # no threshold fits between equal numbers
    accuracy = (half + np.abs(right).max(axis=0)) / len(Z)
    return int(accuracy.argmax()) + 1, float(accuracy.max())


EXPLORER = Explorer(
    title="Two rings, reconstructed from k components",
    name="kernel-pca-back",
    controls=(
        Slider("gamma", (0.03, 0.1, 0.3, 1, 3, 10, 30.0), "γ", 3, between=True, log=True),
        Slider("k", K_STOPS, "components k", 12, between=True, play=2),
    ),
    presets={
        "the angle alone": {"gamma": 3, "k": 2},
        "two separate rings": {"gamma": 3, "k": 3},
        "less noise": {"gamma": 3, "k": 12},
    },
    panels=(
        Plot(
            denoised,
            "Two rings, reconstructed from k components",
            "The points after projection on k components, mapped back to the plane.",
            "x₁",
            "x₂",
            xlim=(-1.3, 1.3),
            ylim=(-1.3, 1.3),
            equal=True,
        ),
        Plot(
            spectrum,
            "Share of the variance",
            "The share of each component, falling, and their sum, rising.",
            "component",
            "share",
            ylim=(0, 1.03),
            cursor="k",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "γ = 3. Each point is replaced by the point of the plane that is nearest, in feature space, to its "
        "projection on two components. Where do the two rings lie after this?",
        answer="both near one circle",
        options=("where they were", "both near one circle", "both near the center"),
        at={"gamma": 3, "k": 2},
        reason="The first two components show the angle of a point, but not which ring it is on. The third "
        "component is the radius: with three components the rings separate.",
        shows=("Share of the variance", ("Two rings, reconstructed from k components", "circles")),
    ),
)


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
