"""Self-checks of the exercises on Nyström's method.

They ask for what holds whatever was drawn: identities between blocks of a Gram matrix, singular blocks among
them.

Chapter: Nyström.
"""

import numpy as np

from kernlib.exercises import expect, expect_close, expect_numbers, hint, self_check
from kernlib.kernels import Gaussian, Laplace
from kernlib.ridge import dual_ridge

__all__ = [
    "check_completion",
    "check_loo",
    "check_out_of_sample",
    "check_partial_cholesky",
    "check_trace_error",
]

CLOSE = 1e-6  # between two routes to one number: cuts of small eigenvalues differ, and reach up to here
AWAY = "an entry {:.3g} away"


@self_check
def check_completion(function):
    """
    Check the block that Nyström fills in: K₂₁W⁺K₂₁ᵀ, for a W that is invertible and for one that is not.

    Parameters
    ----------
    function : callable
        Called as ``function(W, K21)``; gives an array of shape (n − c, n − c).
    """
    for p, repeated in ((1, False), (3, False), (3, True)):
        X = np.random.default_rng(p).normal(size=(20, p))
        if repeated:
            X[3:6] = X[:3]
        c, G = 6, Laplace(0.7)(X)
        W, K21 = G[:c, :c], G[c:, :c]
        found = function(W, K21)
        what = f"The block for p = {p}{', with repeated landmarks' if repeated else ''}"
        expect_numbers(what, found, (20 - c, 20 - c))
        right = K21 @ np.linalg.pinv(W, hermitian=True) @ K21.T
        mistakes = {
            "W stands where its inverse should": K21 @ W @ K21.T,
            "the inverse of W is missing; U₁ is no orthogonal matrix that would cancel": K21 @ K21.T,
        }
        worst = np.abs(np.asarray(found) - right).max()
        advice = hint(found, mistakes, atol=CLOSE)
        if repeated and not advice:
            advice = " Hint: W is singular here; which eigenvalues may you divide by?"
        expect(worst < CLOSE, f"{what} should be K₂₁W⁺K₂₁ᵀ, got an entry {worst:.3g} away.{advice}")
    print("✓ exercise 1: the unseen block is K₂₁W⁺K₂₁ᵀ, repeated landmarks or not")


@self_check
def check_trace_error(function):
    """
    Check the exact error tr(G − Ĝ), computed from the diagonal of G, C and W alone.

    Parameters
    ----------
    function : callable
        Called as ``function(diagonal, C, W)``; gives a number.
    """
    for p, c in ((1, 3), (2, 8), (5, 20)):
        X = np.random.default_rng(p).normal(size=(60, p))
        kernel = 2 * Gaussian(0.5)
        G, C, W = kernel(X), kernel(X, X[:c]), kernel(X[:c])
        found = function(kernel.diag(X), C, W)
        expect_numbers(f"The error for p = {p}", found, ())
        right = np.trace(G - C @ np.linalg.pinv(W, hermitian=True) @ C.T)
        mistakes = {
            "this is the trace of Ĝ, not of what it misses": np.trace(G) - right,
            "this is the mean over the rows, not the sum": right / 60,
            "this is a part of tr G; nobody divided here": right / np.trace(G),
            "the diagonal of G is 2 here, not 1": right - 60,
        }
        expect(
            abs(found - right) < CLOSE * 120,
            f"With p = {p} and c = {c}, tr(G − Ĝ) should be {right:.3g}, got {float(found):.3g}."
            + hint(found, mistakes, atol=CLOSE * 120),
        )
    print("✓ exercise 2: tr(G − Ĝ) from the diagonal and the columns of G alone")


@self_check
def check_out_of_sample(function):
    """
    Check the features of new points: κ(x, landmarks) V_k Σ_k^{−1/2}, for k ≤ c.

    Parameters
    ----------
    function : callable
        Called as ``function(kernel, X_new, landmarks, k)``; gives an array of shape (m, k).
    """
    for p, k in ((1, 4), (2, 4), (5, 9)):
        rng = np.random.default_rng(p)
        landmarks, X_new = rng.normal(size=(9, p)), rng.normal(size=(15, p))
        kernel = Laplace(0.4)
        Z = function(kernel, X_new, landmarks, k)
        expect_numbers(f"The features for p = {p}, k = {k}", Z, (15, k))
        s, V = np.linalg.eigh(kernel(landmarks))
        C = kernel(X_new, landmarks)
        right = _gram_of(C, s[-k:], V[:, -k:], -0.5)
        mistakes = {
            "the power of Σ_k is −1/2, not −1": _gram_of(C, s[-k:], V[:, -k:], -1),
            "the power of Σ_k is −1/2, not 1/2": _gram_of(C, s[-k:], V[:, -k:], 0.5),
            "Σ_k^{−1/2} is missing": _gram_of(C, s[-k:], V[:, -k:], 0),
            "these are the smallest eigenvalues; eigh gives them in ascending order": _gram_of(
                C, s[:k], V[:, :k], -0.5
            ),
        }
        what = f"For p = {p}, k = {k}, ZZᵀ should be C W_k⁺ Cᵀ"  # so columns may have either sign
        expect_close(what, Z @ np.transpose(Z), right, mistakes, atol=CLOSE, got=AWAY)
    print("✓ exercise 3: new points are mapped by their row to the landmarks")


@self_check
def check_partial_cholesky(function):
    """
    Check that c steps of a Cholesky decomposition with given pivots are Nyström's approximation.

    Parameters
    ----------
    function : callable
        Called as ``function(G, pivots)``; gives F of shape (n, c) with FFᵀ = C W⁻¹ Cᵀ.
    """
    for n, pivots in ((8, [2]), (12, [7, 0, 3]), (30, [11, 29, 4, 17, 0, 8])):
        X = np.random.default_rng(n).normal(size=(n, 3))
        G = Laplace(0.8)(X)
        what = f"F for n = {n} and {len(pivots)} pivots"
        F = function(G, pivots)
        expect_numbers(what, F, (n, len(pivots)))
        F, C, W = np.asarray(F), G[:, pivots], G[np.ix_(pivots, pivots)]
        right = C @ np.linalg.solve(W, C.T)
        mistakes = {
            "from each column subtract what the columns before explain": C @ (C / np.diag(W)).T,
        }
        expect_close(f"{what} should give FFᵀ = C W⁻¹ Cᵀ", F @ F.T, right, mistakes, atol=CLOSE, got=AWAY)
        above = np.abs(np.triu(F[pivots], 1)).max()
        expect(
            above < CLOSE,
            f"{what} should be a lower triangle in the rows of the pivots, got {above:.3g} above it. "
            "Hint: take the pivots in their order; column j of F is zero at the pivots before.",
        )
    print("✓ exercise 4: partial Cholesky with these pivots is Nyström with these landmarks")


@self_check
def check_loo(function):
    """
    Check the leave-one-out residuals of ridge regression on features, which keep the number nλ.

    Parameters
    ----------
    function : callable
        Called as ``function(Z, y, lam)``; gives n residuals.
    """
    rng = np.random.default_rng(0)
    for n, c in ((12, 3), (30, 10)):
        Z, y, lam = rng.normal(size=(n, c)), rng.normal(size=n), 0.1

        def residuals(shift, left=True, Z=Z, y=y, n=n):
            """Of refits without each row, or of the one fit."""
            found = []
            for i in range(n):
                rest = np.arange(n) != i if left else np.full(n, True)
                A = Z[rest]
                w = np.linalg.solve(A.T @ A + shift * np.eye(A.shape[1]), A.T @ y[rest])
                found.append(y[i] - Z[i] @ w)
            return np.array(found)

        found = function(Z, y, lam)
        expect_numbers(f"The residuals for n = {n}", found, (n,))
        right = residuals(n * lam)
        alpha = dual_ridge(Z @ Z.T, y, lam=lam)
        mistakes = {
            "these are the residuals on the data; divide by 1 − hᵢ": residuals(n * lam, left=False),
            "the book's λ enters as nλ, not as λ": residuals(lam),
            "each refit keeps the number nλ, not (n − 1)λ": residuals((n - 1) * lam),
            "the sign is turned: yᵢ − f(xᵢ)": -right,
            "these are dual coefficients α": alpha,
            "divide by 1 − hᵢ, do not multiply": residuals(n * lam, left=False) ** 2 / right,
        }
        what, got = f"The residuals for n = {n} should be those of refits without each row", "one {:.3g} away"
        expect_close(what, found, right, mistakes, atol=CLOSE, got=got)
    print("✓ exercise 5: n residuals from one fit, equal to those of n refits")


def _gram_of(C, s, V, power):
    """The inner products of the features C V Σ^power."""
    Z = (C @ V) * s**power
    return Z @ Z.T
