"""Self-checks of the exercises on kernels of histograms.

Chapter: Object recognition.
"""

import numpy as np

from kernlib.book.checks._check import function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_witness
from kernlib.book.datasets import load_fashion
from kernlib.kernels import AdditiveChiSquared, ChiSquared, Intersection

DIMENSIONS = (1, 2, 5, 22)
random = np.random.default_rng(0).random


def draw_histograms(n, p):
    """Draw (n, p) positive numbers, of which about a third are zero, and the first row too."""
    X = (random((n, p)) + 0.01) * (random((n, p)) < 0.7)
    X[0] = 0
    return X


def chi2_distance(X, Y):
    """Compute the χ² distance."""
    return -np.log(ChiSquared()(X, Y))


@function_check(
    "additive χ²: right in every dimension, with empty bins too",
    "the matrix",
    [(np.array([[1.0]]), np.array([[3.0]])), (np.array([[0.0]]), np.array([[0.0]]))]
    + [(draw_histograms(9, p), draw_histograms(6, p)) for p in DIMENSIONS],
    {
        "a factor 2 is missing": lambda X, Y: AdditiveChiSquared()(X, Y) / 2,
        "there is a factor 2 too many": lambda X, Y: 2 * AdditiveChiSquared()(X, Y),
        "minus the χ² distance is not positive semi-definite": lambda *case: -chi2_distance(*case),
        "this is the χ² distance": chi2_distance,
        "this is the exponential kernel": lambda X, Y: ChiSquared()(X, Y),
        "this is the intersection kernel": lambda X, Y: Intersection()(X, Y),
        "divide by x + y, do not multiply": lambda X, Y: 2 * (X[:, None] * Y * (X[:, None] + Y)).sum(axis=2),
    },
)
def check_additive_chi2(X, Y):
    """Check a Gram matrix of Σᵢ 2xᵢyᵢ/(xᵢ + yᵢ) in p = 1, 2, 5 and 22, with empty bins."""
    return AdditiveChiSquared()(X, Y)


@function_check(
    "the explicit map: 2m + 1 columns per bin, and ZZᵀ is the sampled kernel",
    "Z",
    [(np.array([[1.0], [2.0]]), 1, 0.5)]
    + [(draw_histograms(10, p), m, L) for p in DIMENSIONS for m, L in ((0, 0.8), (1, 0.5), (4, 0.4))],
    {
        "the factor 2 of the frequencies ±jL is missing": {"two": 1},
        "j = 0 has no partner, and no factor 2": {"zero": 2},
        "the density is sech(πω), not sech(ω)": {"rate": 1},
        "each sample has the weight L of its interval": {"interval": False},
        "take the square root of the weights": {"weigh": np.array},
        "the square root of x is missing": {"root": np.ones_like},
        "take the square root of x": {"root": np.array},
    },
    view=("ZZᵀ", lambda Z: Z @ Z.T),
)
def check_chi2_map(X, m, L, *, two=2, zero=1, rate=np.pi, interval=True, weigh=np.sqrt, root=np.sqrt):
    """Check that ZZᵀ is Σᵢ √(xᵢyᵢ) L Σ_{|j| ≤ m} sech(πjL) cos(jL log yᵢ/xᵢ), in any order of columns."""
    log, front = np.log(np.where(X > 0, X, 1)), np.where(X > 0, root(X), 0)
    columns = []
    for j in range(m + 1):
        size = weigh((two if j else zero) * (L if interval else 1) / np.cosh(rate * j * L))
        columns += [front * size * np.cos(j * L * log)] + [front * size * np.sin(j * L * log)] * (j > 0)
    return np.hstack(columns)


EDGES = np.array([0.0, 3.0]), np.array([0.0, 0.1, 0.4, 1.2, 3.0]), np.linspace(0, 3, 10)


@function_check(
    "the staircase: ZZᵀ is at most δ/4 per bin below the intersection kernel",
    "Z",
    [(np.array([[0.5], [1.5]]), np.array([0.0, 1.0, 2.0]))]
    + [(3 * random((10, p)), edges) for p in DIMENSIONS for edges in EDGES],
    {
        "columns have the height √δ, not δ": {"height": np.array},
        "columns have the height √δ, not 1": {"height": np.ones_like},
        "the last step counts in part": {"part": np.floor},
        "the last step counts in part, not whole": {"part": np.ceil},
    },
    view=("ZZᵀ", lambda Z: Z @ Z.T),
)
def check_staircase(X, edges, *, part=np.array, height=np.sqrt):
    """Check the staircase features of the intersection kernel through their inner products."""
    covered = np.clip((X[:, :, None] - edges[:-1]) / np.diff(edges), 0, 1)
    return (part(covered) * height(np.diff(edges))).reshape(len(X), -1)


OMEGA = np.arange(-15, 15.01, 0.05)
COSINES = 0.05 * np.cos(np.outer(np.linspace(0, 8, 17), OMEGA))  # the sum is exact: no pole is near the line


def is_positive(function):
    """Expect a density that is not negative."""
    least = np.min(function(OMEGA))
    expect(least >= 0, f"A density should not be negative, got {least:.2g}.")


@function_check(
    "Jensen–Shannon: the density is positive, and its transform is the signature",
    "s(ω) at 601 frequencies",
    [(OMEGA,)],
    {
        "a density is not negative": {"factor": -1},
        "the logarithms of the kernel have base 2": {"factor": np.log(2)},
        "divide by the natural logarithm of 2, do not multiply": {"factor": np.log(2) ** 2},
        "there is a factor 2 too many, or a factor ½ is missing": {"factor": 2},
        "a factor 2 is missing": {"factor": 0.5},
        "−4𝒦″ has the transform 4ω²s": {"inside": 1},
        "this is the density of the additive χ² kernel": {"factor": np.log(2), "inside": 0},
    },
    is_positive,
    view=("∫ s(ω) cos(ωu) dω for u = 0, ½, …, 8", lambda density: COSINES @ density),
    atol=1e-8,
)
def check_jensen_shannon(omega, *, factor=1, inside=4):
    """Check that ∫ s(ω) cos(ωu) dω is the signature of the Jensen–Shannon kernel."""
    return factor / np.log(2) / np.cosh(np.pi * omega) / (1 + inside * omega**2)


@self_check("an eigenvalue of {:.3g}: even r = 1/10 gives no kernel")
def check_power_mean(points):
    """Check two or three positive numbers that give ((xʳ + yʳ)/2)^(1/r), r = 1/10, a negative eigenvalue."""
    return expect_witness(points, lambda x: ((x[:, None] ** 0.1 + x**0.1) / 2) ** 10)


def pictures(n: int) -> np.ndarray:
    """Load the first n pictures as histograms: where their gray is, in 196 bins of 2 × 2 pixels.

    Parameters
    ----------
    n : int
        How many, at most 2,000.

    Returns
    -------
    ndarray of shape (n, 196)
        Rows of sum 1.
    """
    H = load_fashion().images[:n].reshape(n, 14, 2, 14, 2).sum(axis=(2, 4)).reshape(n, -1)
    return H / H.sum(axis=1, keepdims=True)


@number_check("the error of three columns per bin on 100 pictures")
def check_pictures_error():
    """Check ‖ZZᵀ − G‖_F/‖G‖_F of the map with m = 1 and L = 0.65, for 100 pictures and additive χ²."""
    H = pictures(100)
    G = AdditiveChiSquared()(H, H)

    def error(m, L):
        Z = check_chi2_map.right(H, m, L)
        return np.linalg.norm(Z @ Z.T - G) / np.linalg.norm(G)

    right = error(1, 0.65)
    return right, {
        "divide by ‖G‖_F": right * np.linalg.norm(G),
        "these are squares": right**2,
        "that is m = 2": error(2, 0.65),
        "that is m = 0": error(0, 0.65),
        "that is L = 0.5": error(1, 0.5),
        "that is L = 0.8": error(1, 0.8),
    }


__all__ = public_names(globals(), "pictures")
