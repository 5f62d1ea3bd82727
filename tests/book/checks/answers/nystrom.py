"""Answers to the exercises on Nyström's method."""

import numpy as np

from kernlib.book.checks.nystrom import check_partial_cholesky
from kernlib.numerics.psd import inverse_root


def completion(W, K21):
    Z = K21 @ inverse_root(W)[0]
    return Z @ Z.T


def out_of_sample(kernel, X_new, landmarks, k):
    V, sigma, _ = np.linalg.svd(kernel(landmarks))
    return kernel(X_new, landmarks) @ V[:, :k] / np.sqrt(sigma[:k])


RIGHT = {
    "check_out_of_sample": [lambda *given: -out_of_sample(*given)],
    "check_partial_cholesky": [lambda G, pivots: -check_partial_cholesky.right(G, pivots)],
    "check_letters_trace": [4487.2, 4490],
    "check_bad_landmarks": [[0, 9, 27, 65, 73, 88, 39, 37, 94, 50]],
}

WRONG = {
    "check_completion": {
        "should be .* W is singular": lambda W, K21: completion(W, K21) + (np.linalg.matrix_rank(W) < len(W)),
        r"LinAlgError: Singular matrix\. Hint: W is singular": lambda W, K21: K21 @ np.linalg.inv(W) @ K21.T,
    },
    "check_partial_cholesky": {
        "take the pivots in their order": lambda G, pivots: (
            G[:, pivots] @ inverse_root(G[np.ix_(pivots, pivots)])[0]
        ),
    },
    "check_bad_landmarks": {
        "explains itself": range(10),
        "should be different, got 9": [0, 0, *range(2, 10)],
        "from 0 to 99": range(95, 105),
    },
}
