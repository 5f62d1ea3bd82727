"""Answers to the exercises on Nyström's method."""

import numpy as np
from scipy import linalg

from kernlib.numerics.psd import inverse_root
from kernlib.ridge import dual_ridge


def completion(W, K21):
    return K21 @ np.linalg.pinv(W, hermitian=True) @ K21.T


def trace_error(diagonal, C, W):
    Z = C @ inverse_root(W)[0]
    return np.sum(diagonal) - np.sum(Z**2)


def out_of_sample(kernel, X_new, landmarks, k, *, power=-0.5, kept=slice(None, None, -1)):
    sigma, V = linalg.eigh(kernel(landmarks))
    kept = np.arange(len(sigma))[kept][:k]
    return kernel(X_new, landmarks) @ (V[:, kept] * sigma[kept] ** power)


def partial_cholesky(G, pivots, *, subtract=True):
    F = np.zeros((len(G), len(pivots)))
    for j, i in enumerate(pivots):
        column = G[:, i] - (F[:, :j] @ F[i, :j] if subtract else 0)
        F[:, j] = column / column[i] ** 0.5
    return F


def loo(Z, y, lam, *, shift=len, divide=True):
    H = Z @ np.linalg.solve(Z.T @ Z + shift(Z) * lam * np.eye(Z.shape[1]), Z.T)
    residuals = y - H @ y
    return residuals / (1 - np.diag(H)) if divide else residuals


RIGHT = {
    "check_completion": [completion, lambda W, K21: (Z := K21 @ inverse_root(W)[0]) @ Z.T],
    "check_trace_error": [
        trace_error,
        lambda diagonal, C, W: diagonal.sum() - np.trace(np.linalg.solve(W, C.T @ C)),
    ],
    "check_out_of_sample": [out_of_sample, lambda *given: -out_of_sample(*given)],
    "check_partial_cholesky": [partial_cholesky],
    "check_loo": [loo],
    "check_letters_trace": [4487.2, 4490],
    "check_bad_landmarks": [[0, 9, 27, 65, 73, 88, 39, 37, 94, 50]],
}

WRONG = {
    "check_completion": {
        "Hint: W stands where its inverse should": lambda W, K21: K21 @ W @ K21.T,
        "Hint: the inverse of W is": lambda W, K21: K21 @ K21.T,
        r"shape \(14, 14\), got \(6, 6\)": lambda W, K21: K21.T @ K21 if len(W) == 6 else completion(W, K21),
        r"should be \[\[0.5\]\], got \[\[0.4762\]\]\.$": lambda W, K21: (
            K21 @ np.linalg.solve(W + 0.1 * np.eye(len(W)), K21.T)
        ),
        "W is singular here": lambda W, K21: completion(W, K21) + (np.linalg.matrix_rank(W) < len(W)),
    },
    "check_trace_error": {
        "Hint: this is the trace of Ĝ": lambda diagonal, C, W: diagonal.sum() - trace_error(diagonal, C, W),
        "Hint: the diagonal of G is 2 here": lambda diagonal, C, W: trace_error(np.ones(len(C)), C, W),
        "Hint: this is the mean over the rows": lambda diagonal, C, W: trace_error(diagonal, C, W) / len(C),
        "Hint: this is a part of tr G": lambda diagonal, C, W: trace_error(diagonal, C, W) / diagonal.sum(),
        r"shape \(\), got \(2,\)": lambda diagonal, C, W: (
            diagonal - np.sum((C @ inverse_root(W)[0]) ** 2, axis=1)
        ),
    },
    "check_out_of_sample": {
        "Hint: the power of Σ_k is −1/2, not −1": lambda *given: out_of_sample(*given, power=-1),
        "Hint: the power of Σ_k is −1/2, not 1/2": lambda *given: out_of_sample(*given, power=0.5),
        "Hint: Σ_k.* is missing": lambda *given: out_of_sample(*given, power=0),
        "Hint: these are the smallest eigenvalues": lambda *given: out_of_sample(*given, kept=slice(None)),
        r"shape \(1, 1\), got \(1, 2\)": lambda kernel, X_new, landmarks, k: out_of_sample(
            kernel, X_new, landmarks, 9
        ),
    },
    "check_partial_cholesky": {
        "Hint: from each column subtract": lambda *given: partial_cholesky(*given, subtract=False),
        "take the pivots in their order": lambda G, pivots: (
            G[:, pivots] @ inverse_root(G[np.ix_(pivots, pivots)])[0]
        ),
        r"should be \[\[4, 2\], \[2, 1\]\], got \[\[64.*\]\]\.$": lambda G, pivots: 2 * G[:, pivots],
    },
    "check_loo": {
        "Hint: these are the residuals on the data": lambda *given: loo(*given, divide=False),
        "Hint: the book's λ enters as nλ": lambda *given: loo(*given, shift=lambda Z: 1),
        "Hint: each refit keeps the number nλ": lambda *given: loo(*given, shift=lambda Z: len(Z) - 1),
        "Hint: the sign is turned": lambda *given: -loo(*given),
        "Hint: these are dual coefficients": lambda Z, y, lam: dual_ridge(Z @ Z.T, y, lam=lam),
        "Hint: divide by 1 − hᵢ, do not multiply": lambda *given: (
            loo(*given, divide=False) ** 2 / loo(*given)
        ),
        r"shape \(2,\), got \(\)": lambda *given: np.mean(loo(*given) ** 2),
    },
    "check_letters_trace": {
        "this is the trace of Ĝ": 16_000 - 4487.2,
        "a part of tr G": 0.28,
        "that is γ = 1": 15_770,
        r"got 1\.$": 1,
    },
    "check_bad_landmarks": {
        "explains itself": range(10),
        "should be different, got 9": [0, 0, *range(2, 10)],
        "from 0 to 99": range(95, 105),
        r"shape \(10,\)": range(9),
        "whole numbers": np.arange(10) + 0.5,
    },
}
