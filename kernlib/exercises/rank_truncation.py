"""Self-checks of the exercises on rank truncation.

Chapter: Rank truncation.
"""

import numpy as np
from scipy import linalg

from kernlib.exercises import expect, expect_close, expect_numbers, hint, self_check
from kernlib.kernels import Gaussian
from kernlib.low_rank import rank_trunc, truncation_errors

__all__ = ["check_effective_dimension", "check_features", "check_nearest_psd", "check_smallest_rank"]

CLOSE = 1e-6  # rounding is far below, every mistake far above


@self_check
def check_features(function):
    """
    Check Z = U_kΛ_k^{1/2}: ZZᵀ = G_k, orthogonal columns, and zeros beyond the rank of G.

    Parameters
    ----------
    function : callable
        Called as ``function(G, k)`` with a positive semi-definite G; gives an array of shape (n, k).
    """
    for p, repeated in ((1, False), (5, False), (3, True)):
        X = np.random.default_rng(p).normal(size=(30, p))
        if repeated:
            X[10:] = np.tile(X[:10], (2, 1))  # G has rank 10
        G = Gaussian(0.5)(X)
        lam, U = (A[..., ::-1] for A in linalg.eigh(G))
        for k in (1, 4, 20):
            what = f"Z for p = {p}, k = {k}{', of a G of rank 10' if repeated else ''}"
            Z = function(G, k)
            expect_numbers(what, Z, (30, k))
            Z, right = np.asarray(Z), rank_trunc(G, k, "eigh")
            mistakes = {
                "the square root of the eigenvalues is missing": (U[:, :k] * lam[:k] ** 2) @ U[:, :k].T,
                "the eigenvalues are missing": U[:, :k] @ U[:, :k].T,
                "these are the k smallest eigenvalues; eigh sorts upwards": G - rank_trunc(G, 30 - k, "eigh"),
            }
            expect_close(f"{what}: ZZᵀ should be G_k", Z @ Z.T, right, mistakes, atol=CLOSE)
            off = np.abs(Z.T @ Z - np.diag(np.sum(Z**2, axis=0))).max()
            expect(
                off < CLOSE,
                f"{what}: the columns should be orthogonal, got an inner product {off:.2g}. "
                "Hint: this is Z times a rotation.",
            )
    print("✓ exercise 1: ZZᵀ = G_k, with orthogonal columns, also where G has a lower rank")


@self_check
def check_smallest_rank(function):
    """
    Check the least k with ‖G − G_k‖_F ≤ tol ‖G‖_F.

    Parameters
    ----------
    function : callable
        Called as ``function(G, tol)``; gives an int. G may be indefinite.
    """
    for n in (12, 60):
        A = np.random.default_rng(n).normal(size=(n, n))
        for kind, G in (
            ("positive semi-definite", Gaussian(0.5)(A[:, :2])),
            ("indefinite", A + A.T),
        ):
            sizes = np.sort(np.abs(np.linalg.eigvalsh(G)))[::-1]
            for tol in (0.5, 0.1, 0.01):
                errors = truncation_errors(G)
                right = int(np.argmax(errors <= tol))
                shares = 1 - np.concatenate([[0], np.cumsum(sizes)]) / np.sum(sizes)
                mistakes = {
                    "this is one more than needed: k counts from 0": right + 1,
                    "this rank still leaves too much: k counts from 0": right - 1,
                    "the square root of the sum of squares is missing": np.argmax(errors**2 <= tol),
                    "this sums eigenvalues, not their squares": np.argmax(shares <= tol),
                    "this compares one eigenvalue, not the tail": np.sum(sizes > tol * sizes[0]),
                }
                found = function(G, tol)
                expect(
                    np.ndim(found) == 0 and found == right,
                    f"For a matrix ({kind}, n = {n}) and tol = {tol}, k should be {right}, got {found}."
                    + hint(found, mistakes, atol=0),
                )
    print("✓ exercise 2: the least rank, for semi-definite and indefinite matrices")


@self_check
def check_nearest_psd(function):
    """
    Check the positive semi-definite matrix of rank at most k that is nearest to an indefinite G.

    Parameters
    ----------
    function : callable
        Called as ``function(G, k)``; gives an array of shape (n, n).
    """
    for n in (2, 5, 30):
        A = np.random.default_rng(n).normal(size=(n, n))
        G = A + A.T - np.eye(n)
        lam, U = (B[..., ::-1] for B in linalg.eigh(G))
        for k in (1, n // 2, n - 1):
            what = f"The matrix for n = {n}, k = {k}"
            kept = np.where(np.arange(n) < k, np.maximum(lam, 0), 0)
            right = (U * kept) @ U.T
            low, V = linalg.eigh(rank_trunc(G, k, "eigh"))
            mistakes = {
                "this is G_k, which keeps negative eigenvalues": rank_trunc(G, k, "eigh"),
                "clip first, then truncate": (V * np.maximum(low, 0)) @ V.T,
                "an SVD loses the signs; these are magnitudes": (V * np.abs(low)) @ V.T,
                "this has a rank above k": (U * np.maximum(lam, 0)) @ U.T,
            }
            found = function(G, k)
            expect_numbers(what, found, (n, n))
            what += " should keep the positive ones among the k largest eigenvalues"
            expect_close(what, found, right, mistakes, atol=CLOSE)
    print("✓ exercise 3: the nearest positive semi-definite matrix of rank at most k")


@self_check
def check_effective_dimension(function):
    """
    Check d_eff(λ) = Σᵢ λᵢ/(λᵢ + nλ).

    Parameters
    ----------
    function : callable
        Called as ``function(G, lam)``; gives a float.
    """
    for n, p in ((10, 1), (60, 3)):
        G = Gaussian(0.5)(np.random.default_rng(n).normal(size=(n, p)))
        values = np.linalg.eigvalsh(G)
        for lam in (1.0, 0.1, 1e-3):
            right = np.sum(values / (values + n * lam))
            mistakes = {
                "the shift is nλ, not λ": np.sum(values / (values + lam)),
                "this is n − d_eff(λ)": n - right,
                "this squares each term": np.sum((values / (values + n * lam)) ** 2),
                "this counts the eigenvalues above nλ": np.sum(values > n * lam),
            }
            found = function(G, lam)
            expect_numbers(f"d_eff({lam})", found, ())
            expect(
                abs(found - right) < CLOSE,
                f"For n = {n} and λ = {lam}, d_eff(λ) should be {right:.4g}, got {found:.4g}."
                + hint(found, mistakes, atol=CLOSE),
            )
    print("✓ exercise 4: the effective dimension")
