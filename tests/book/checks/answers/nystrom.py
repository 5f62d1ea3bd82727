"""Answers to the exercises on Nyström's method."""

import numpy as np

from kernlib.numerics.psd import inverse_root


def completion(W, K21):
    Z = K21 @ inverse_root(W)[0]
    return Z @ Z.T


def trace_error(diagonal, C, W):
    return np.sum(diagonal) - np.trace(np.linalg.solve(W, C.T @ C))


def out_of_sample(kernel, X_new, landmarks, k):
    V, sigma, _ = np.linalg.svd(kernel(landmarks))
    return kernel(X_new, landmarks) @ V[:, :k] / np.sqrt(sigma[:k])


def partial_cholesky(G, pivots):
    F = np.zeros((len(G), 0))
    for i in pivots:
        column = G[:, i] - F @ F[i]
        F = np.column_stack([F, column / column[i] ** 0.5])
    return F


def emptying(G, pivots):
    """Take the pivots out of the caller's list."""
    return partial_cholesky(G, [pivots.pop(0) for _ in range(len(pivots))])


RIGHT = {
    "check_trace_error": [trace_error],
    "check_out_of_sample": [out_of_sample, lambda *given: -out_of_sample(*given)],
    "check_partial_cholesky": [partial_cholesky, lambda G, pivots: -partial_cholesky(G, pivots)],
    "check_letters_trace": [4487.2, 4490],
    "check_bad_landmarks": [[0, 9, 27, 65, 73, 88, 39, 37, 94, 50]],
}

WRONG = {
    "check_completion": {
        "W is singular": lambda W, K21: completion(W, K21) + (np.linalg.matrix_rank(W) < len(W))
    },
    "check_partial_cholesky": {
        "take the pivots in their order": lambda G, pivots: (
            G[:, pivots] @ inverse_root(G[np.ix_(pivots, pivots)])[0]
        ),
        r"should be \[\[4, 2\], \[2, 1\]\], got \[\[64.*\]\]\.$": lambda G, pivots: 2 * G[:, pivots],
        "should not change its arguments": emptying,
    },
    "check_bad_landmarks": {
        "explains itself": range(10),
        "should be different, got 9": [0, 0, *range(2, 10)],
        "from 0 to 99": range(95, 105),
        r"shape \(10,\)": range(9),
        "whole numbers": np.arange(10) + 0.5,
    },
}
