"""γ and the number of components: projections, spectrum, and points brought back to the input space.

Chapter: Kernel PCA.
"""

import warnings
from functools import lru_cache

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from kernlib.explore.controls import Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Dots, Line
from kernlib.explore.panels import Plot, Readout
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian

__all__ = ["EXPLORER", "denoised", "projections", "spectrum", "summary"]

PER_RING, NOISE = 50, 0.12
RADII = 0.5, 1.5
MOST = 12
K_STOPS = (1, 2, 3, 4, 6, 8, 12)


def data():
    """
    Draw two noisy rings around the origin, 50 points each.

    Returns
    -------
    ndarray of shape (100, 2)
        The inner ring first; the same in every call.
    """
    rng = np.random.default_rng(0)
    angles = rng.uniform(0, 2 * np.pi, 2 * PER_RING)
    rings = np.repeat(RADII, PER_RING) * np.array([np.cos(angles), np.sin(angles)])
    return rings.T + NOISE * rng.normal(size=(2 * PER_RING, 2))


@lru_cache(maxsize=32)
def fitted(gamma, k):
    """
    Fit kernel PCA to the rings.

    Parameters
    ----------
    gamma : float
        γ > 0 of the Gaussian kernel.
    k : int
        Number of components.

    Returns
    -------
    KernelPCA
        Fitted.
    """
    return KernelPCA(Gaussian(gamma), n_components=k).fit(data())


def rings(points):
    """
    Give points of both rings for a plot.

    Parameters
    ----------
    points : ndarray of shape (100, 2)
        The inner ring's first.

    Returns
    -------
    dict of str to Dots
        Two classes.
    """
    return {"inner ring": Dots(*points[:PER_RING].T), "outer ring": Dots(*points[PER_RING:].T)}


def projections(gamma):
    """
    Compute the projections on the first two components.

    Parameters
    ----------
    gamma : float
        γ > 0.

    Returns
    -------
    dict of str to Dots
        Both rings.
    """
    return rings(fitted(gamma, MOST).transform(data())[:, :2])


def spectrum(gamma):
    """
    Compute the share of the variance in feature space that each component holds.

    Parameters
    ----------
    gamma : float
        γ > 0.

    Returns
    -------
    dict of str to Line or Dots
        Against the component's number, with the sum so far.
    """
    share, number = fitted(gamma, MOST).explained_variance_ratio_, np.arange(1, MOST + 1)
    return {"one component": Dots(number, share, "large"), "all up to it": Line(number, np.cumsum(share))}


def denoised(gamma, k):
    """
    Compute pre-images of the points projected on k components.

    Parameters
    ----------
    gamma : float
        γ > 0.
    k : int
        Number of components.

    Returns
    -------
    dict of str to Dots
        Both rings, back in the plane.
    """
    with warnings.catch_warnings():  # a few points still creep by less than a pixel
        warnings.simplefilter("ignore", ConvergenceWarning)
        return rings(fitted(gamma, k).denoise(data(), max_iter=60, tol=1e-3))


def summary(gamma, k):
    """
    Put the shares, and how well one number separates the rings, in words.

    Parameters
    ----------
    gamma : float
        γ > 0.
    k : int
        Number of components.

    Returns
    -------
    str
        The best component splits the rings at the best threshold.
    """
    model = fitted(gamma, k)
    best, accuracy = best_split(model.transform(data()))
    return (
        f"{k} component{'s' if k > 1 else ''}: {100 * model.explained_variance_ratio_.sum():.0f} % of the "
        "variance "
        f"in feature space. Of these, component {best} alone tells the rings apart for {100 * accuracy:.0f} "
        "% of "
        "the points."
    )


def best_split(Z):
    """
    Find the column and the threshold that separate the rings best.

    Parameters
    ----------
    Z : ndarray of shape (100, k)
        Projections, the inner ring's first.

    Returns
    -------
    number : int
        Of the component, from 1.
    accuracy : float
        Share of the points on their side of the threshold.
    """
    inner = np.arange(2 * PER_RING) < PER_RING
    right = np.cumsum(np.where(inner[np.argsort(Z, axis=0)], 1, -1), axis=0)[:-1]
    right[np.diff(np.sort(Z, axis=0), axis=0) <= 0] = 0  # no threshold fits between equal numbers
    accuracy = (PER_RING + np.abs(right).max(axis=0)) / (2 * PER_RING)
    return int(accuracy.argmax()) + 1, float(accuracy.max())


EXPLORER = Explorer(
    title="Kernel PCA of two rings",
    name="kernel-pca",
    controls=(
        Slider("gamma", (0.03, 0.1, 0.3, 1, 3, 10, 30.0), "γ", 1, between=True, log=True),
        Slider("k", K_STOPS, "components k", 2, between=True),
    ),
    panels=(
        Plot(
            projections,
            "First two projections",
            "The points of both rings in the plane of the first two components.",
            "component 1",
            "component 2",
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
        Plot(
            denoised,
            "Back in the plane, from k components",
            "The points after projection on k components and back.",
            "x₁",
            "x₂",
            xlim=(-2.1, 2.1),
            ylim=(-2.1, 2.1),
            equal=True,
        ),
        Readout(summary),
    ),
    predict=Predict(
        "γ is very small. What do the first two projections look like?",
        answer="the rings themselves",
        options=("one point", "the rings themselves", "two separate clouds"),
        reason=(
            "For small γ, exp(−γ‖x − x′‖²) is 1 − γ‖x − x′‖² to first order; centred, that is 2γ times the "
            "inner product "
            "of the centred points. So it is ordinary PCA, and ordinary PCA of the plane only turns it."
        ),
    ),
)
