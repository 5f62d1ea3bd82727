"""Answers to the exercises on kernel PCA."""

import numpy as np
from scipy import linalg


def centered(K, G):
    rows = K - G.mean(axis=0)
    return rows - rows.mean(axis=1, keepdims=True)


def projecting(cut=1e-10):
    """Write kernel PCA as a student does, with a cut of small eigenvalues."""

    def project(G, K, k):
        lam, V = linalg.eigh(centered(G, G))
        lam, V = lam[::-1][:k], V[:, ::-1][:, :k]
        kept = lam > cut * lam[0] if cut else lam != 0
        alpha = np.zeros_like(V)
        alpha[:, kept] = V[:, kept] / np.sqrt(np.abs(lam[kept]))
        return centered(K, G) @ alpha

    return project


def place(D, k):
    lam, V = linalg.eigh(-0.5 * centered(D, D))
    return V[:, ::-1][:, :k] * np.sqrt(np.maximum(lam[::-1][:k], 0))


def unclipped(D, k):
    """Take roots of negative eigenvalues where no points have these distances."""
    lam, V = linalg.eigh(-0.5 * centered(D, D))
    if len(D) == 15:
        lam = np.maximum(lam, 0)
    return (V * np.sqrt(lam))[:, ::-1][:, :k]


def by_magnitude(D, k):
    """Take the singular values for the eigenvalues, which loses their signs."""
    U, s, _ = linalg.svd(-0.5 * centered(D, D))
    return U[:, :k] * np.sqrt(s[:k])


def bare_steps(z, X, w, gamma, steps):
    """Never halve a step."""
    for _ in range(steps):
        terms = w * np.exp(-gamma * np.sum((X - z) ** 2, axis=1))
        z = terms @ X / terms.sum()
    return z


STAR = np.full((4, 4), 4.0) - 4 * np.eye(4)  # a center and three leaves, two steps apart
STAR[0, 1:] = STAR[1:, 0] = 1

RIGHT = {
    "check_letters_share": [0.302],
    "check_no_map": [STAR],
    "check_project": [lambda G, K, k: -projecting()(G, K, k)],
    "check_place": [lambda D, k: place(D, k).tolist()],
}

WRONG = {
    "check_project": {"HGH has rank 1 here": projecting(cut=0)},
    "check_place": {"finite": unclipped, "an SVD loses their signs": by_magnitude},
    "check_preimage": {"halve a step that does": bare_steps},
    "check_no_map": {
        "always fit into a plane": np.ones((3, 3)) - np.eye(3),
        "three objects on a line": 4 * (np.ones((4, 4)) - np.eye(4)),
        "square these distances": np.sqrt(STAR),
        "a detour is shorter": [[0, 1, 9], [1, 0, 1], [9, 1, 0]],
        "zeros on the diagonal": np.ones((3, 3)),
        "a positive distance": np.zeros((3, 3)),
    },
}
