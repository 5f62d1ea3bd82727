"""γ on a Gram matrix and its spectrum.

Chapter: Kernels.
"""

import numpy as np

from kernlib.explore.controls import Choice, Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Dots, Line, show
from kernlib.explore.panels import Heat, Plot, Readout
from kernlib.kernels import Gaussian, Laplace, Matern

__all__ = ["EXPLORER", "gram", "points", "spectrum", "summary"]

KERNELS = {
    "Gaussian": Gaussian,
    "Laplace": Laplace,
    "Matérn 3/2": lambda gamma: Matern(1.5, 1 / gamma),
}
SIZES = 12, 10, 10  # of the three groups; 32 points, what a heat map of the book can show
CENTRES = (0, 0), (3, 0.5), (1, 3)


def data():
    """
    Draw 32 points in three groups, in the order of the groups.

    Returns
    -------
    ndarray of shape (32, 2)
        The same in every call.
    """
    return np.repeat(CENTRES, SIZES, axis=0) + 0.45 * np.random.default_rng(0).normal(size=(sum(SIZES), 2))


def points():
    """
    Give the points for the plot.

    Returns
    -------
    dict of str to Dots
        The three groups.
    """
    parts = np.split(data(), np.cumsum(SIZES)[:-1])
    return {f"group {i}": Dots(*part.T, "large") for i, part in enumerate(parts, start=1)}


def gram(kernel, gamma):
    """
    Compute G, Gᵢⱼ = κ(xᵢ, xⱼ), of the 32 points.

    Parameters
    ----------
    kernel : {"Gaussian", "Laplace", "Matérn 3/2"}
        κ; for Matérn, 1/γ is the length scale ℓ.
    gamma : float
        γ > 0.

    Returns
    -------
    ndarray of shape (32, 32)
        Ones on the diagonal.
    """
    return KERNELS[kernel](gamma)(data())


def eigenvalues(kernel, gamma):
    """
    Compute the eigenvalues of G.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `gram`.

    Returns
    -------
    ndarray of shape (32,)
        Largest first; their sum is 32, the trace.
    """
    return np.linalg.eigvalsh(gram(kernel, gamma))[::-1]


def spectrum(kernel, gamma):
    """
    Give the eigenvalues for the plot; those at rounding's level are left out.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `gram`.

    Returns
    -------
    dict of str to Line or Dots
        The eigenvalues against their rank.
    """
    lam, rank = eigenvalues(kernel, gamma), np.arange(1, sum(SIZES) + 1)
    lam = np.where(lam > 1e-12, lam, np.nan)
    return {
        "eigenvalues of G": Dots(rank, lam, "large"),
        "all equal, G = I": Line(rank, np.ones(32), style="reference"),
    }


def summary(kernel, gamma):
    """
    Put the picture in words: how alike neighbours and strangers are, and how many directions G has.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `gram`.

    Returns
    -------
    str
        With (Σλ)²/Σλ², the number of equal eigenvalues that would be as spread out.
    """
    G, lam = gram(kernel, gamma), eigenvalues(kernel, gamma)
    first, second = slice(0, SIZES[0]), slice(SIZES[0], SIZES[0] + SIZES[1])
    within = (G[first, first].sum() - SIZES[0]) / (SIZES[0] * (SIZES[0] - 1))
    across = G[first, second].mean()
    directions = lam.sum() ** 2 / (lam**2).sum()
    return (
        f"Mean similarity inside group 1: {within:.2f}; between groups 1 and 2: {across:.2f}. "
        f"G spreads over {directions:.1f} directions of 32; its largest eigenvalue is "
        f"{show(round(lam[0], 2))}."
    )


EXPLORER = Explorer(
    title="Bandwidth: from all alike to each alone",
    name="kernels",
    controls=(
        Slider("gamma", np.geomspace(0.001, 1000, 13).tolist(), "γ", 1.0, between=True, log=True),
        Choice("kernel", KERNELS, "kernel"),
    ),
    panels=(
        Plot(points, "The data", "32 points of the plane in three groups.", "x₁", "x₂"),
        Heat(gram, "Gram matrix G", "The Gram matrix of the points, in the order of the groups.", (0, 1)),
        Plot(
            spectrum,
            "Spectrum of G",
            "The eigenvalues of the Gram matrix, largest first, on a logarithmic axis.",
            "rank i",
            "eigenvalue λᵢ",
            log="y",
            ylim=(1e-8, 50),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "γ grows without bound while the points stay where they are. What does the Gram matrix become?",
        answer="the identity",
        options=("all ones", "the identity", "all zeros"),
        reason=(
            "κ(x, x) = 1 whatever γ is, and κ(x, x′) goes to 0 for every other pair: each point is alike to "
            "itself "
            "alone. As γ goes to 0 it is all ones, a matrix of rank one."
        ),
    ),
)
