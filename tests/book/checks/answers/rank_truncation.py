"""Answers to the exercises on rank truncation."""

import numpy as np
from scipy import linalg


def features(G, k):
    lam, U = (A[..., ::-1] for A in linalg.eigh(G))
    return U[:, :k] * np.sqrt(np.maximum(lam[:k], 0))


def unclipped(G, k):
    """Keep the slightly negative eigenvalues of a singular G."""
    lam, U = (A[..., ::-1] for A in linalg.eigh(G))
    return U[:, :k] * np.sqrt(lam[:k])


def rotated(G, k):
    return features(G, k) @ np.linalg.qr(np.random.default_rng(0).normal(size=(k, k)))[0]


RIGHT = {
    "check_features": [lambda G, k: -features(G, k).astype(np.float32)],
    "check_clipped": [np.diag([1, -1.05]), [[0, 1.0], [1.0, -0.01]]],
    "check_letters_rank": [58],
}

WRONG = {
    "check_features": {"rotation": rotated, "finite": unclipped},
    "check_clipped": {
        r"as far away, got [\d.e-]+ against 0\.": np.ones((2, 2)),
        r"as far away, got 3\.16 against 3\. .* hardly larger": np.diag([1.0, -3.0]),
        "symmetric": [[1, 2], [3, 4]],
        "two to five rows, got 6": np.eye(6),
        "should be unique, got two largest": np.diag([1.0, -1.0]),
    },
}
