"""Self-checks of the exercises on kernels of histograms.

Chapter: Object recognition.
"""

from functools import partial

import numpy as np

from kernlib.book.checks import expect, expect_close, expect_numbers, expect_right, self_check
from kernlib.book.checks._pictures import check_pictures_error, check_power_mean, pictures, sampled
from kernlib.kernels import AdditiveChiSquared, ChiSquared, Intersection

__all__ = [
    "check_additive_chi2",
    "check_chi2_map",
    "check_jensen_shannon",
    "check_pictures_error",
    "check_power_mean",
    "check_staircase",
    "pictures",
]

DIMENSIONS = (1, 2, 5, 22)


@self_check
def check_additive_chi2(function):
    """
    Check a Gram matrix of Σᵢ 2xᵢyᵢ/(xᵢ + yᵢ) in p = 1, 2, 5 and 22, with empty bins.

    Parameters
    ----------
    function : callable
        Called as ``function(X, Y)``, with two arrays of histograms.
    """
    cases = [(np.array([[1.0]]), np.array([[3.0]])), (np.array([[0.0]]), np.array([[0.0]]))]
    cases += [tuple(histograms(n, p, seed) for seed, n in enumerate((9, 6))) for p in DIMENSIONS]

    def right(X, Y):
        return AdditiveChiSquared()(X, Y)

    def distance(X, Y):
        return -np.log(ChiSquared()(X, Y))

    mistakes = {
        "a factor 2 is missing": lambda X, Y: right(X, Y) / 2,
        "a factor 2 too many": lambda X, Y: right(X, Y) * 2,
        "this is minus the χ² distance, only conditionally positive semi-definite": lambda X, Y: (
            -distance(X, Y)
        ),
        "this is the χ² distance": distance,
        "this is the exponential kernel": lambda X, Y: np.exp(-distance(X, Y)),
        "this is the intersection kernel": lambda X, Y: Intersection()(X, Y),
        "the sum is in the numerator, 2xy·(x + y)": lambda X, Y: 2 * sums(X, Y, lambda x, y: x * y * (x + y)),
    }
    expect_right("the matrix", function, right, cases, mistakes)
    print("✓ additive χ²: right in every dimension, with empty bins too")


@self_check
def check_chi2_map(function):
    """
    Check that ZZᵀ is Σᵢ √(xᵢyᵢ) L Σ_{|j| ≤ m} sech(πjL) cos(jL log yᵢ/xᵢ), in whatever order of columns.

    Parameters
    ----------
    function : callable
        Called as ``function(X, m, L)``; gives Z of shape (n, p(2m + 1)).
    """
    cases = [(np.array([[1.0], [2.0]]), 1, 0.5)]
    cases += [(histograms(10, p, p), m, L) for p in DIMENSIONS for m, L in ((0, 0.8), (1, 0.5), (4, 0.4))]

    def right(X, m, L):
        return sampled(X, m, L)

    mistakes = {
        "the factor 2 of the frequencies ±jL is missing": partial(sampled, two=1),
        "j = 0 has no partner, and no factor 2": partial(sampled, zero=2),
        "the density is sech(πω), not sech(ω)": partial(sampled, rate=1),
        "each sample has the weight L of its interval": partial(sampled, interval=False),
        "weights stand under the root, as √s": partial(sampled, weigh=np.array),
        "the root of x is missing": partial(sampled, root=np.ones_like),
        "x stands under a root": partial(sampled, root=np.array),
    }
    expect_right("Z", function, right, cases, mistakes, view=lambda Z: Z @ Z.T, seen="ZZᵀ")
    print("✓ the explicit map: 2m + 1 columns a bin, and ZZᵀ is the sampled kernel")


@self_check
def check_staircase(function):
    """
    Check the staircase features of the intersection kernel through their inner products.

    Parameters
    ----------
    function : callable
        Called as ``function(X, edges)``, edges of N steps from 0 up to at least all entries; gives Z of shape
        (n, pN).
    """
    cases = [(np.array([[0.5], [1.5]]), np.array([0.0, 1.0, 2.0]))]
    for p in DIMENSIONS:
        X = np.random.default_rng(p).random((10, p)) * 3
        cases += [
            (X, np.array([0.0, 3.0])),
            (X, np.array([0.0, 0.1, 0.4, 1.2, 3.0])),
            (X, np.linspace(0, 3, 10)),
        ]

    def steps(X, edges, *, part=np.array, height=np.sqrt):
        covered = np.clip((X[:, :, None] - edges[:-1]) / np.diff(edges), 0, 1)
        return (part(covered) * height(np.diff(edges))).reshape(len(X), -1)

    def right(X, edges):
        return steps(X, edges)

    mistakes = {
        "columns have the height √δ, not δ": partial(steps, height=np.array),
        "columns have the height √δ, not 1": partial(steps, height=np.ones_like),
        "the last step counts in part": partial(steps, part=np.floor),
        "the last step counts in part, not whole": partial(steps, part=np.ceil),
    }
    expect_right("Z", function, right, cases, mistakes, view=lambda Z: Z @ Z.T, seen="ZZᵀ")
    print("✓ the staircase: ZZᵀ is the intersection kernel, less at most δ/4 a bin")


@self_check
def check_jensen_shannon(density):
    """
    Check that ∫ s(ω) cos(ωu) dω is the signature of the Jensen–Shannon kernel.

    Parameters
    ----------
    density : callable
        s, called with an array of ω.
    """
    omega, u = np.arange(-15, 15.01, 0.05), np.linspace(0, 8, 17)
    cosines = 0.05 * np.cos(np.multiply.outer(u, omega))  # exact to rounding: s has no pole near the line
    found = density(omega)
    expect_numbers("The density at 601 frequencies", found, omega.shape)
    expect(np.min(found) >= 0, f"A density should not be negative, got {np.min(found):.2g}.")
    f = lambda v: np.exp(v / 2) * np.log2(1 + np.exp(-v)) / 2  # noqa: E731
    right, s = f(u) + f(-u), 1 / np.cosh(np.pi * omega) / (1 + 4 * omega**2)
    mistakes = {
        "the logarithms of the kernel have base 2": cosines @ s,
        "divide by the natural logarithm of 2, do not multiply": cosines @ (s * np.log(2)),
        "a factor 2 too many or a half too little": cosines @ (2 * s / np.log(2)),
        "a factor 2 is missing": cosines @ (s / 2 / np.log(2)),
        "−4𝒦″ has the transform 4ω²s": cosines @ (1 / np.cosh(np.pi * omega) / (1 + omega**2) / np.log(2)),
        "this is the density of the additive χ² kernel": cosines @ (1 / np.cosh(np.pi * omega)),
    }
    what, got = "∫ s(ω) cos(ωu) dω should be the signature", "a value {:.2g} away"
    expect_close(what, cosines @ found, right, mistakes, atol=1e-8, got=got)
    print("✓ Jensen–Shannon: the density is positive, and its transform is the signature")


def histograms(n, p, seed):
    """(n, p) positive numbers, of which about a third are zero, the first row's among them."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, p)) + 0.01) * (rng.random((n, p)) < 0.7)
    X[0] = 0
    return X


def sums(X, Y, term):
    """Σᵢ term(xᵢ, yᵢ) over the bins, (n, m)."""
    return term(X[:, None], Y[None]).sum(axis=2)
