"""Self-checks of the exercises on Nyström's method.

They ask for what holds whatever was drawn: identities between blocks of a Gram matrix, singular blocks among
them.

Chapter: Nyström.
"""

from functools import partial

import numpy as np

from kernlib.book.checks import expect_right, self_check
from kernlib.book.checks._landmarks import check_bad_landmarks, check_letters_trace, check_loo
from kernlib.book.checks._letters import letters
from kernlib.kernels import Gaussian, Laplace

__all__ = [
    "check_bad_landmarks",
    "check_completion",
    "check_letters_trace",
    "check_loo",
    "check_out_of_sample",
    "check_partial_cholesky",
    "check_trace_error",
    "letters",
]


@self_check
def check_completion(function):
    """
    Check the block that Nyström fills in: K₂₁W⁺K₂₁ᵀ, for a W that is invertible and for one that is not.

    Parameters
    ----------
    function : callable
        Called as ``function(W, K21)``; gives an array of shape (n − c, n − c).
    """

    def right(W, K21):
        return K21 @ np.linalg.pinv(W, hermitian=True) @ K21.T

    regular = [(np.array([[2.0]]), np.array([[1.0]]))]
    singular = [(np.ones((2, 2)), np.array([[0.5, 0.5]]))]
    for p, repeated in ((1, False), (3, False), (3, True)):
        X = np.random.default_rng(p).normal(size=(20, p))
        if repeated:
            X[3:6] = X[:3]
        G = Laplace(0.7)(X)
        (singular if repeated else regular).append((G[:6, :6], G[6:, :6]))
    mistakes = {
        "W stands where its inverse should": lambda W, K21: K21 @ W @ K21.T,
        "the inverse of W is missing; U₁ is no orthogonal matrix that would cancel": lambda W, K21: (
            K21 @ K21.T
        ),
        "W⁻¹ stands between, not its square": lambda W, K21: right(W @ W, K21),
    }
    expect_right("the block", function, right, regular, mistakes)
    why = "W is singular here; which eigenvalues may you divide by?"
    expect_right("the block", function, right, singular, {}, other=why)
    print("✓ the unseen block is K₂₁W⁺K₂₁ᵀ, repeated landmarks or not")


@self_check
def check_trace_error(function):
    """
    Check the exact error tr(G − Ĝ), computed from the diagonal of G, C and W alone.

    Parameters
    ----------
    function : callable
        Called as ``function(diagonal, C, W)``; gives a number.
    """
    cases = [(np.array([2.0, 2.0]), np.array([[2.0], [1.0]]), np.array([[2.0]]))]
    for p, c in ((1, 3), (2, 8), (5, 20)):
        X, kernel = np.random.default_rng(p).normal(size=(60, p)), 2 * Gaussian(0.5)
        cases.append((kernel.diag(X), kernel(X, X[:c]), kernel(X[:c])))

    def kept(C, W):
        return np.trace(C @ np.linalg.pinv(W, hermitian=True) @ C.T)

    def right(diagonal, C, W):
        return np.sum(diagonal) - kept(C, W)

    mistakes = {
        "this is the trace of Ĝ, not of what it misses": lambda diagonal, C, W: kept(C, W),
        "this is the mean over the rows, not the sum": lambda *case: right(*case) / len(case[0]),
        "this is a part of tr G; nobody divided here": lambda *case: right(*case) / case[0].sum(),
        "the diagonal of G is 2 here, not 1": lambda diagonal, C, W: len(C) - kept(C, W),
        "these are the squares of C; between two C stands W⁺": lambda diagonal, C, W: (
            diagonal.sum() - np.sum(C**2)
        ),
        "this is tr Ĝ − tr G": lambda *case: -right(*case),
    }
    expect_right("tr(G − Ĝ)", function, right, cases, mistakes, atol=1e-4)  # cuts reach up to here
    print("✓ tr(G − Ĝ) from the diagonal and the columns of G alone")


@self_check
def check_out_of_sample(function):
    """
    Check the features of new points: κ(x, landmarks) V_k Σ_k^{−1/2}, for k ≤ c.

    Parameters
    ----------
    function : callable
        Called as ``function(kernel, X_new, landmarks, k)``; gives an array of shape (m, k).
    """
    cases = [(Laplace(0.4), np.array([[0.5]]), np.array([[0.0], [1.0]]), 1)]
    for p, k in ((1, 4), (2, 4), (5, 9)):
        rng = np.random.default_rng(p)
        landmarks, X_new = rng.normal(size=(9, p)), rng.normal(size=(15, p))
        cases.append((Laplace(0.4), X_new, landmarks, k))

    def features(kernel, X_new, landmarks, k, *, power=-0.5, largest=True):
        s, V = np.linalg.eigh(kernel(landmarks))
        kept = slice(len(s) - k, None) if largest else slice(k)
        return kernel(X_new, landmarks) @ V[:, kept] * s[kept] ** power

    def right(kernel, X_new, landmarks, k):
        return features(kernel, X_new, landmarks, k)

    mistakes = {
        "the power of Σ_k is −1/2, not −1": partial(features, power=-1),
        "the power of Σ_k is −1/2, not 1/2": partial(features, power=0.5),
        "Σ_k^{−1/2} is missing": partial(features, power=0),
        "these are the smallest eigenvalues; eigh gives them in ascending order": partial(
            features, largest=False
        ),
    }
    view = lambda Z: Z @ Z.T  # noqa: E731  columns may have either sign
    expect_right("Z", function, right, cases, mistakes, view=view, seen="ZZᵀ")
    print("✓ new points are mapped by their row to the landmarks")


@self_check
def check_partial_cholesky(function):
    """
    Check that c steps of a Cholesky decomposition with given pivots are Nyström's approximation.

    Parameters
    ----------
    function : callable
        Called as ``function(G, pivots)``; gives F of shape (n, c) with FFᵀ = C W⁻¹ Cᵀ.
    """
    cases = [(np.array([[4.0, 2.0], [2.0, 2.0]]), [0]), (np.array([[4.0, 2.0], [2.0, 2.0]]), [1, 0])]
    for n, pivots in ((12, [7, 0, 3]), (30, [11, 29, 4, 17, 0, 8])):
        cases.append((Laplace(0.8)(np.random.default_rng(n).normal(size=(n, 3))), pivots))

    def factor(G, pivots, *, subtract=True, divide=np.sqrt):
        F = np.zeros((len(G), len(pivots)))
        for j, i in enumerate(pivots):
            column = G[:, i] - (F[:, :j] @ F[i, :j] if subtract else 0)
            F[:, j] = column / divide(column[i])
        return F

    def right(G, pivots):
        return factor(G, pivots)

    mistakes = {
        "from each column subtract what the columns before explain": partial(factor, subtract=False),
        "divide by the root of the pivot": partial(factor, divide=lambda pivot: pivot),
        "the division by the root of the pivot is missing": partial(factor, divide=lambda pivot: 1),
    }
    view = lambda F: F @ F.T  # noqa: E731
    expect_right("F", function, right, cases, mistakes, view=view, seen="FFᵀ")
    why = "take the pivots in their order; column j of F is zero at the pivots before"
    expect_right("F", function, right, cases, {}, other=why)
    print("✓ partial Cholesky with these pivots is Nyström with these landmarks")
