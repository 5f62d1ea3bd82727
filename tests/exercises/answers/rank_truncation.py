"""Answers to the exercises on rank truncation."""

import numpy as np
from scipy import linalg

from kernlib.low_rank import rank_trunc, truncation_errors


def largest(G):
    return (A[..., ::-1] for A in linalg.eigh(G))


def features(G, k, *, power=0.5, order=largest):
    lam, U = order(G)
    return U[:, :k] * np.maximum(lam[:k], 0) ** power


def unclipped(G, k):
    """With the slightly negative eigenvalues of a singular G."""
    lam, U = largest(G)
    return U[:, :k] * np.sqrt(np.where(lam[:k] < 1e-12, -1, lam[:k]))


def rotated(G, k):
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(k, k)))[0]
    return features(G, k) @ Q


def smallest_rank(G, tol, *, shift=0, power=1):
    return int(np.argmax(truncation_errors(G) ** power <= tol)) + shift


def by_share(G, tol):
    sizes = np.sort(np.abs(np.linalg.eigvalsh(G)))[::-1]
    return int(np.argmax(1 - np.concatenate([[0], np.cumsum(sizes)]) / sizes.sum() <= tol))


def by_one(G, tol):
    sizes = np.abs(np.linalg.eigvalsh(G))
    return int(np.sum(sizes > tol * sizes.max()))


def nearest_psd(G, k):
    lam, U = largest(G)
    kept = np.maximum(lam[:k], 0)
    return (U[:, :k] * kept) @ U[:, :k].T


def of_truncation(change):
    def function(G, k):
        lam, U = linalg.eigh(rank_trunc(G, k, "eigh"))
        return (U * change(lam)) @ U.T

    return function


def effective(G, lam, *, shift=len, power=1):
    values = np.linalg.eigvalsh(G)
    return np.sum((values / (values + shift(G) * lam)) ** power)


RIGHT = {
    "check_features": [features],
    "check_smallest_rank": [smallest_rank],
    "check_nearest_psd": [nearest_psd],
    "check_effective_dimension": [effective],
}

WRONG = {
    "check_features": {
        "square root": lambda G, k: features(G, k, power=1),
        "eigenvalues are missing": lambda G, k: features(G, k, power=0),
        "smallest": lambda G, k: features(G, k, order=linalg.eigh),
        "rotation": rotated,
        "finite": unclipped,
        "shape": lambda G, k: features(G, k + 1),
    },
    "check_smallest_rank": {
        "one more": lambda G, tol: smallest_rank(G, tol, shift=1),
        "too much": lambda G, tol: smallest_rank(G, tol, shift=-1),
        "square root|too much": lambda G, tol: smallest_rank(G, tol, power=2),
        "not their squares|one more|too much": by_share,
        "one eigenvalue|one more": by_one,
        r"should be 1, got \[1\]\.$": lambda G, tol: [1],
    },
    "check_nearest_psd": {
        "negative eigenvalues": lambda G, k: rank_trunc(G, k, "eigh"),
        "clip first": of_truncation(lambda lam: np.maximum(lam, 0)),
        "magnitudes": of_truncation(np.abs),
        "rank above k": lambda G, k: nearest_psd(G, len(G)),
    },
    "check_effective_dimension": {
        "nλ, not λ": lambda G, lam: effective(G, lam, shift=lambda G: 1),
        "n − d": lambda G, lam: len(G) - effective(G, lam),
        "squares": lambda G, lam: effective(G, lam, power=2),
        "counts": lambda G, lam: np.sum(np.linalg.eigvalsh(G) > len(G) * lam),
    },
}
