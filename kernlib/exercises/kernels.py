"""Self-checks of the exercises on kernels.

Chapter: Kernels.
"""

import itertools
import math

import numpy as np

from kernlib.exercises import expect, expect_numbers, hint, self_check
from kernlib.kernels import Gaussian, Polynomial

__all__ = ["check_distances", "check_largest_n", "check_monomials", "check_witness"]


@self_check
def check_witness(points):
    """
    Check that at most three positive numbers give max(x, x′) a Gram matrix with a negative eigenvalue.

    Parameters
    ----------
    points : array_like of shape (n,)
        Two or three positive numbers.
    """
    n = np.size(points)
    expect(n in (2, 3), f"Give two or three points, got {n}.")
    expect_numbers("points", points, (n,))
    x = np.asarray(points, dtype=float)
    expect((x > 0).all(), f"The points should be positive, got {x.min():.3g}.")
    lam = np.linalg.eigvalsh(np.maximum(x[:, None], x))[0]
    suspicion = "equal points see one number only" if np.ptp(x) == 0 else "take them further apart"
    expect(
        lam < -0.01,
        f"The smallest eigenvalue should be below -0.01, got {lam:.3g}. Hint: {suspicion}.",
    )
    print("✓ exercise 1: a negative eigenvalue, so max is no kernel")


@self_check
def check_monomials(function):
    """
    Check that ΦΦᵀ is (xᵀx′ + c₀)ʳ with C(p+r, r) columns, for several p, r and c₀.

    Parameters
    ----------
    function : callable
        Called as ``function(X, r, c0)`` with X of shape (n, p); gives Φ.
    """
    rng = np.random.default_rng(0)
    for p, r, c0 in ((2, 2, 1.0), (1, 4, 0.5), (2, 3, 2.0), (5, 2, 0.3), (3, 4, 1.5)):
        X, count = rng.normal(size=(6, p)), math.comb(p + r, r)
        Phi = function(X, r, c0)
        columns = np.shape(Phi)[1] if np.ndim(Phi) == 2 else None
        mistakes = {
            "the constant belongs to it too": count - 1,
            "degrees below r belong to it too": math.comb(p + r - 1, r),
            "x₁x₂ and x₂x₁ are one monomial": (p + 1) ** r,
        }
        expect(
            columns == count,
            f"For p = {p} and r = {r} there should be {count} columns, got {columns}."
            + hint(columns, mistakes, atol=0),
        )
        expect_numbers("The features", Phi, (len(X), count))
        u, got = X @ X.T, np.asarray(Phi) @ np.transpose(Phi)
        right = (u + c0) ** r
        mistakes = {
            "c₀ enters a feature by its root": (u + c0**2) ** r,
            "c₀ seems to be 1 always": (u + 1) ** r,
            "the weights are missing, and this is another kernel": unweighted(X, r, c0),
        }
        expect(
            np.allclose(got, right, rtol=1e-9, atol=1e-9),
            f"For p = {p}, r = {r} and c₀ = {c0} an entry of ΦΦᵀ is {np.abs(got - right).max():.3g} away "
            "from (xᵀx′ + c₀)ʳ." + hint(got, mistakes, atol=1e-9),
        )
    print("✓ exercise 2: C(p+r, r) weighted monomials, and ΦΦᵀ = (xᵀx′ + c₀)ʳ")


def unweighted(X, r, c0):
    """ΦΦᵀ of the monomials of (x, √c₀) without their weights."""
    X = np.column_stack([X, np.full(len(X), np.sqrt(c0))])
    chosen = itertools.combinations_with_replacement(range(X.shape[1]), r)
    Phi = np.column_stack([np.prod(X[:, i], axis=1) for i in chosen])
    return Phi @ Phi.T


@self_check
def check_distances(function):
    """
    Check the squared distances ‖φ(x) − m‖² to the mean m of the training features, from kernel values only.

    Parameters
    ----------
    function : callable
        Called as ``function(G, K, diag)``: the Gram matrix of n training rows, the kernel values of m new
        rows against them, of shape (m, n), and κ(x, x) of the new rows.
    """
    rng = np.random.default_rng(0)
    for p, kernel in ((2, Polynomial(1, 0)), (3, Polynomial(2, 1.0)), (5, Gaussian(0.3))):
        X, Y = rng.normal(size=(20, p)) + 0.5, rng.normal(size=(7, p))
        G, K, diag = kernel(X), kernel(Y, X), kernel.diag(Y)
        right = diag - 2 * K.mean(axis=1) + G.mean()
        found = function(G, K, diag)
        expect_numbers("The distances", found, (7,))
        mistakes = {
            "these are distances, not their squares": np.sqrt(right),
            "the factor 2 is missing": diag - K.mean(axis=1) + G.mean(),
            "the norm of the mean is the mean of all entries of G": diag
            - 2 * K.mean(axis=1)
            + np.trace(G) / len(G),
            "the norm of the mean is missing": diag - 2 * K.mean(axis=1),
        }
        worst = np.abs(np.asarray(found) - right).max()
        expect(
            worst < 1e-9,
            f"With {kernel} a squared distance is {worst:.3g} away." + hint(found, mistakes, atol=1e-9),
        )
    print("✓ exercise 3: distances in feature space from kernel values only")


@self_check
def check_largest_n(function):
    """
    Check the largest n whose full Gram matrix fits into so many bytes.

    Parameters
    ----------
    function : callable
        Called as ``function(memory, itemsize)``, in bytes; gives an int.
    """
    for memory, itemsize in ((16e9, 8), (16e9, 4), (80e9, 8), (1000, 8), (72, 8)):
        n = function(memory, itemsize)
        expect(np.ndim(n) == 0 and n == int(n), f"n should be an integer, got {n}.")
        right = math.isqrt(int(memory) // itemsize)
        mistakes = {
            "a number takes itemsize bytes": math.isqrt(int(memory)),
            "the matrix has n² numbers": memory // itemsize,
        }
        expect(
            n == right,
            f"In {memory:.3g} bytes, {itemsize} a number, n should be {right}, got {n}."
            + hint(n, mistakes, atol=0),
        )
    print("✓ exercise 4: n = ⌊√(memory/itemsize)⌋")
