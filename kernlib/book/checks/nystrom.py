"""Self-checks of the exercises on Nyström's method.

They check what holds whatever was drawn: identities between blocks of a Gram matrix, some of them singular.

Chapter: Nyström.
"""

import numpy as np

from kernlib.book.checks import letters
from kernlib.book.checks._check import function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_numbers
from kernlib.book.checks._refits import CENTERED, TWICE, by_formula, residuals_of_refits
from kernlib.kernels import Gaussian, Laplace

normal = np.random.default_rng(0).normal


def completion_case(X):
    """Give the blocks of a Gram matrix whose first six rows are landmarks."""
    G = Laplace(0.7)(X)
    return G[:6, :6], G[6:, :6]


REPEATED = normal(size=(17, 3))[[0, 1, 2, *range(17)]]  # three landmarks come twice
SINGULAR = [(np.ones((2, 2)), np.array([[0.5, 0.5]])), completion_case(REPEATED)]


@function_check(
    "the unseen block is K₂₁W⁺K₂₁ᵀ, repeated landmarks or not",
    "the block",
    [(np.array([[2.0]]), np.array([[1.0]])), *(completion_case(normal(size=(20, p))) for p in (1, 3))],
    {
        "multiply by the inverse of W, not by W": lambda W, K21: K21 @ W @ K21.T,
        "the inverse of W is missing": lambda W, K21: K21 @ K21.T,
        "multiply by W⁻¹, not by its square": lambda W, K21: check_completion.right(W @ W, K21),
    },
    again={"cases": SINGULAR, "otherwise": "W is singular; which eigenvalues may you divide by?"},
)
def check_completion(W, K21):
    """Check the block that Nyström fills in, K₂₁W⁺K₂₁ᵀ, also for a singular W."""
    return K21 @ np.linalg.pinv(W, hermitian=True) @ K21.T


@function_check(
    "tr(G − Ĝ) from the diagonal and the columns of G alone",
    "tr(G − Ĝ)",
    [(np.array([2.0, 2.0]), np.array([[2.0], [1.0]]), np.array([[2.0]]))]
    + [
        (np.full(60, 2.0), 2 * Gaussian(0.5)(X, X[:c]), 2 * Gaussian(0.5)(X[:c]))
        for X, c in ((normal(size=(60, 1)), 3), (normal(size=(60, 2)), 8), (normal(size=(60, 5)), 20))
    ],
    {
        "this is the trace of Ĝ, not of G − Ĝ": lambda d, C, W: np.trace(check_completion.right(W, C)),
        "take the sum over the rows, not the mean": lambda d, C, W: check_trace_error.right(d, C, W) / len(d),
        "do not divide by tr G": lambda d, C, W: check_trace_error.right(d, C, W) / d.sum(),
        "the diagonal of G is 2 here, not 1": lambda d, C, W: check_trace_error.right(d / 2, C, W),
        "W⁺ is missing between C and Cᵀ": lambda d, C, W: d.sum() - np.sum(C**2),
        "this is tr Ĝ − tr G": lambda *case: -check_trace_error.right(*case),
    },
    atol=1e-4,
)
def check_trace_error(diagonal, C, W):
    """Check the exact error tr(G − Ĝ), computed from the diagonal of G, C and W alone."""
    return np.sum(diagonal) - np.trace(check_completion.right(W, C))


@function_check(
    "new points are mapped by their kernel values with the landmarks",
    "Z",
    [(Laplace(0.4), np.array([[0.5]]), np.array([[0.0], [1.0]]), 1)]
    + [(Laplace(0.4), normal(size=(15, p)), normal(size=(9, p)), k) for p, k in ((1, 4), (2, 4), (5, 9))],
    {
        "the power of Σ_k is −1/2, not −1": {"power": -1},
        "the power of Σ_k is −1/2, not 1/2": {"power": 0.5},
        "Σ_k^(−1/2) is missing": {"power": 0},
        "these are the smallest eigenvalues: eigh sorts in ascending order": {"order": 1},
    },
    view=("ZZᵀ", lambda Z: Z @ Z.T),
)
def check_out_of_sample(kernel, X_new, landmarks, k, *, power=-0.5, order=-1):
    """Check the features of new points: κ(x, landmarks) V_k Σ_k^(−1/2), for k ≤ c."""
    sigma, V = (A[..., ::order] for A in np.linalg.eigh(kernel(landmarks)))
    return kernel(X_new, landmarks) @ V[:, :k] * sigma[:k] ** power


SMALL = np.array([[4.0, 2.0], [2.0, 2.0]])
GRAMS = Laplace(0.8)(normal(size=(12, 3))), Laplace(0.8)(normal(size=(30, 3)))
IN_ORDER = "take the pivots in their order; column j of F is zero at the pivots before"


@function_check(
    "partial Cholesky with these pivots is Nyström with these landmarks",
    "F",
    [(SMALL, [0]), (SMALL, [1, 0]), (GRAMS[0], [7, 0, 3]), (GRAMS[1], [11, 29, 4, 17, 0, 8])],
    {
        "subtract from each column what the columns before it explain": {"subtract": 0},
        "divide by the square root of the pivot": {"divide": lambda pivot: pivot},
        "the division by the square root of the pivot is missing": {"divide": lambda pivot: 1},
    },
    view=("FFᵀ", lambda F: F @ F.T),
    again={"view": ("|F|", np.abs), "otherwise": IN_ORDER},  # columns may have either sign
)
def check_partial_cholesky(G, pivots, *, subtract=1, divide=np.sqrt):
    """Check that c steps of a Cholesky decomposition with given pivots are Nyström's approximation."""
    F = np.zeros((len(G), len(pivots)))
    for j, i in enumerate(pivots):
        column = G[:, i] - subtract * F[:, :j] @ F[i, :j]
        F[:, j] = column / divide(column[i])
    return F


def from_features(combine):
    """Make a mistake as `by_formula` does, for G = ZZᵀ."""
    return lambda Z, y, lam: by_formula(combine)(Z @ Z.T, y, lam)


@function_check(
    "n residuals from one fit, equal to those of n refits",
    "the residuals",
    [(np.array([[1.0], [2.0]]), np.array([1.0, 3.0]), 0.5)]
    + [(normal(size=(n, c)), normal(size=n), 0.1) for n, c in ((12, 3), (30, 10))],
    {
        "the refits keep the number nλ, not (n − 1)λ": {"shift": lambda n: n - 1},
        "these are the residuals on the data; divide by 1 − hᵢ": from_features(
            lambda a, v, d, shift: shift * a
        ),
        "this is f₋ᵢ(xᵢ), not the residual": lambda Z, y, lam: y - check_loo.right(Z, y, lam),
        "the sign is wrong: it is yᵢ − f₋ᵢ(xᵢ)": lambda *case: -check_loo.right(*case),
        "these are squares": lambda *case: check_loo.right(*case) ** 2,
        "these are the dual coefficients α": from_features(lambda a, v, d, shift: a),
        "the shift is nλ, not λ": {"shift": lambda n: 1},
        TWICE: {"shift": lambda n: 2 * n},
        CENTERED: {"center": 1},
        "divide αᵢ by the entry of (G + nλI)⁻¹, do not multiply": from_features(lambda a, v, d, shift: a * v),
        "take the diagonal of the inverse, not of G + nλI": from_features(lambda a, v, d, shift: a / d),
        "divide by 1 − hᵢ, do not multiply": from_features(lambda a, v, d, shift: shift**2 * a * v),
        "divide by 1 − hᵢ, not by hᵢ": from_features(lambda a, v, d, shift: shift * a / (1 - shift * v)),
    },
)
def check_loo(Z, y, lam, *, shift=lambda n: n, center=0):
    """Check the leave-one-out residuals of ridge regression on features, which keep the number nλ."""
    return residuals_of_refits(Z @ Z.T, y, lam, shift=shift, center=center)


@number_check("the error of a Gram matrix of 2 GB that was never formed")
def check_letters_trace():
    """Check tr(G − Ĝ) of 16,000 letters with the first 100 as landmarks, γ = 1/16."""
    X = letters(16_000)

    def kept(gamma):
        C, W = Gaussian(gamma)(X, X[:100]), Gaussian(gamma)(X[:100])
        return np.sum(C * (C @ np.linalg.pinv(W, hermitian=True)))

    right = len(X) - kept(1 / 16)
    return right, {
        "this is the trace of Ĝ, not of G − Ĝ": kept(1 / 16),
        "do not divide by tr G": right / len(X),
        "that is γ = 1": len(X) - kept(1.0),
    }


@self_check("tr(G − Ĝ) = {:.1f}, worse than 1,000 random choices")
def check_bad_landmarks(rows):
    """Check ten landmarks among 100 letters that are worse, by the trace, than 1,000 random choices."""
    rows = expect_numbers("The rows", rows, (10,))
    expect((rows == rows.astype(int)).all(), "The rows should be whole numbers.")
    rows, different = rows.astype(int), len(np.unique(rows))
    expect(rows.min() >= 0 and rows.max() < 100, "The rows should be indices from 0 to 99.")
    expect(different == 10, f"The rows should be different, got {different} of ten.")
    G, rng = Gaussian(1 / 16)(letters(100)), np.random.default_rng(0)

    def error(rows):
        return np.trace(G) - np.trace(np.linalg.solve(G[np.ix_(rows, rows)], G[rows] @ G[:, rows]))

    worst, got = max(error(rng.choice(100, 10, replace=False)) for _ in range(1000)), error(rows)
    sentence = f"tr(G − Ĝ) should exceed {worst:.1f}, the worst of 1,000 random choices, got {got:.1f}."
    expect(got > worst, sentence, "a row that is far from all others explains itself and nothing else")
    return (got,)


__all__ = public_names(globals(), "letters")
