"""Self-checks of the exercises on kernels of histograms.

Chapter: Object recognition.
"""

import numpy as np

from kernlib.exercises import expect, expect_close, expect_numbers, self_check
from kernlib.kernels import AdditiveChiSquared, ChiSquared

__all__ = ["check_additive_chi2", "check_chi2_map", "check_jensen_shannon", "check_staircase"]

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
    for p in DIMENSIONS:
        X, Y = (histograms(n, p, seed) for seed, n in enumerate((9, 6)))
        with np.errstate(divide="ignore", invalid="ignore"):
            found = function(X, Y)
        expect_numbers(f"The matrix for p = {p}", found, (9, 6))
        right, distance = AdditiveChiSquared()(X, Y), -np.log(ChiSquared()(X, Y))
        mistakes = {
            "a factor 2 is missing": right / 2,
            "this is minus the χ² distance, only conditionally positive semi-definite": -distance,
            "this is the χ² distance": distance,
            "this is the exponential kernel": np.exp(-distance),
            "the sum is in the numerator, 2xy·(x + y)": 2 * sums(X, Y, lambda x, y: x * y * (x + y)),
        }
        what = f"With p = {p} the matrix should be the additive χ² kernel's"
        expect_close(what, found, right, mistakes, atol=1e-9)
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
    for p in DIMENSIONS:
        X = histograms(10, p, seed=p)
        for m, L in ((0, 0.8), (1, 0.5), (4, 0.4)):
            with np.errstate(divide="ignore", invalid="ignore"):
                Z = function(X, m, L)
            expect_numbers(f"Z for p = {p} and m = {m}", Z, (10, p * (2 * m + 1)))
            omega = L * np.arange(m + 1)
            twice = np.where(omega > 0, 2, 1)
            weight = L / np.cosh(np.pi * omega)
            mistakes = {
                "the factor 2 of the frequencies ±jL is missing": waves(X, omega, weight),
                "j = 0 has no partner, and no factor 2": waves(X, omega, 2 * weight),
                "the density is sech(πω), not sech(ω)": waves(X, omega, L * twice / np.cosh(omega)),
                "each sample has the weight L of its interval": waves(X, omega, twice * weight / L),
                "weights stand under the root, as √s": waves(X, omega, (twice * weight) ** 2),
                "the root of x is missing": waves(X, omega, twice * weight, power=0),
                "x stands under a root": waves(X, omega, twice * weight, power=2),
            }
            what = f"With p = {p}, m = {m} and L = {L}, ZZᵀ should be the sampled kernel"
            expect_close(what, Z @ np.transpose(Z), waves(X, omega, twice * weight), mistakes, atol=1e-9)
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
    for p in DIMENSIONS:
        X = np.random.default_rng(p).random((10, p)) * 3
        for edges in (np.array([0.0, 3.0]), np.array([0.0, 0.1, 0.4, 1.2, 3.0]), np.linspace(0, 3, 10)):
            delta = np.diff(edges)
            steps = len(delta)
            Z = function(X, edges)
            expect_numbers(f"Z for p = {p} and {steps} steps", Z, (10, p * steps))
            part = np.clip((X[:, :, None] - edges[:-1]) / delta, 0, 1)
            root = np.sqrt(delta)
            mistakes = {
                "columns have the height √δ, not δ": products(part * delta),
                "columns have the height √δ, not 1": products(part),
                "the last step counts in part": products(np.floor(part) * root),
                "the last step counts in part, not whole": products(np.ceil(part) * root),
            }
            what = f"With p = {p}, {steps} steps ZZᵀ should be the staircase's"
            expect_close(what, Z @ np.transpose(Z), products(part * root), mistakes, atol=1e-9)
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


def products(A):
    """Inner products of features (n, p, c), with c columns for each bin."""
    flat = A.reshape(len(A), -1)
    return flat @ flat.T


def waves(X, omega, weight, power=1):
    """Σᵢ √(xᵢyᵢ)^power Σⱼ weightⱼ cos(ωⱼ log yᵢ/xᵢ); an empty bin gives 0, whatever the power is."""
    filled = X > 0
    log, root = np.log(np.where(filled, X, 1)), np.where(filled, np.sqrt(X) ** power, 0)
    angles = log[..., None] * omega
    both = [root[..., None] * np.sqrt(weight) * wave(angles) for wave in (np.cos, np.sin)]
    return sum(products(part) for part in both)
