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
    "check_clipped": [np.diag([1, -1.05]), [[0, 1.0], [1.0, -0.01]]],
    "check_letters_rank": [58],
}

WRONG = {
    "check_features": {
        "root of the eigenvalues": lambda G, k: features(G, k, power=1),
        "eigenvalues are missing": lambda G, k: features(G, k, power=0),
        "smallest": lambda G, k: features(G, k, order=linalg.eigh),
        "rotation": rotated,
        "finite": unclipped,
        r"shape \(2, 1\)": lambda G, k: features(G, k + 1),
    },
    "check_smallest_rank": {
        "one more than needed": lambda G, tol: smallest_rank(G, tol, shift=1),
        "still leaves too much": lambda G, tol: smallest_rank(G, tol, shift=-1),
        "root of the sum of squares": lambda G, tol: smallest_rank(G, tol, power=2),
        "not their squares": by_share,
        "one eigenvalue, not the tail": by_one,
        r"shape \(\), got \(1,\)": lambda G, tol: [1],
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
        "squares each": lambda G, lam: effective(G, lam, power=2),
        "counts": lambda G, lam: np.sum(np.linalg.eigvalsh(G) > len(G) * lam),
    },
    "check_clipped": {
        r"as far, got [\d.e-]+ against [\d.e-]+e-\d+\.": np.eye(1).repeat(2, 0).repeat(2, 1),
        r"as far, got 3\.16 against 3\. .* hardly larger": np.diag([1.0, -3.0]),
        "symmetric": [[1, 2], [3, 4]],
        "two to five rows, got 6": np.eye(6),
    },
    "check_letters_rank": {
        "5 % of its square": 8,
        "of the trace": 168,
        "counts from 0": 57,
        "one less": 59,
        r"got 100\.$": 100,
    },
}
