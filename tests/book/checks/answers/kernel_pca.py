"""Answers to the exercises on kernel PCA."""

import numpy as np
from scipy import linalg


def centred(K, G):
    rows = K - G.mean(axis=0)
    return rows - rows.mean(axis=1, keepdims=True)


def projecting(power=0.5, cut=True, rows=centred, columns=centred, order=-1):
    """A student's kernel PCA, with mistakes to choose from."""

    def project(G, K, k):
        lam, V = linalg.eigh(columns(G, G))
        lam, V = lam[::-1][:k], V[:, ::-1][:, :k]
        kept = lam > 1e-10 * lam[0] if cut else lam != 0
        alpha = np.zeros_like(V)
        alpha[:, kept] = V[:, kept] / np.abs(lam[kept]) ** power
        return (rows(K, G) @ alpha)[:, ::-order]

    return project


def placing(factor=-0.5, root=0.5, centre=True):
    def place(D, k):
        lam, V = linalg.eigh(factor * (centred(D, D) if centre else D))
        lam, V = np.maximum(lam[::-1][:k], 0), V[:, ::-1][:, :k]
        return np.pad(V * lam**root, ((0, 0), (0, k - V.shape[1])))

    return place


def second_and_third(D, k):
    """Wrong only where two dimensions have no room for four points."""
    lam, V = linalg.eigh(-0.5 * centred(D, D))
    order = np.argsort(-lam)[:k] if k != 2 or len(D) != 4 else [2, 1]
    return V[:, order] * np.sqrt(np.maximum(lam[order], 0))


def unclipped(D, k):
    """With roots of negative eigenvalues where the distances belong to no points."""
    lam, V = linalg.eigh(-0.5 * centred(D, D))
    if len(D) == 15:
        lam = np.maximum(lam, 0)
    return (V * np.sqrt(lam))[:, ::-1][:, :k]


def stepping(halve=True, weight=lambda w, terms: terms, divide=True):
    def preimage(z, X, w, gamma, steps):
        def nearness(point):
            return w * np.exp(-gamma * np.sum((X - point) ** 2, axis=1))

        for _ in range(steps):
            part = weight(w, nearness(z))
            candidate = part @ X / (part.sum() if divide else 1)
            for _ in range(50 * halve):
                if nearness(candidate).sum() >= nearness(z).sum():
                    break
                candidate = (z + candidate) / 2
            z = candidate
        return z

    return preimage


STAR = np.full((4, 4), 4.0) - 4 * np.eye(4)  # a centre and three leaves, two steps apart
STAR[0, 1:] = STAR[1:, 0] = 1

RIGHT = {
    "check_centred": [centred],
    "check_letters_share": [0.302],
    "check_no_map": [STAR],
    "check_project": [projecting(), lambda G, K, k: -projecting()(G, K, k)],
    "check_place": [placing(), lambda D, k: placing()(D, k).tolist()],
    "check_preimage": [stepping()],
}

WRONG = {
    "check_centred": {
        "what is left has row means": lambda K, G: K - G.mean(axis=0),
        "training means are missing": lambda K, G: K - K.mean(axis=1, keepdims=True),
        "those of the new rows": lambda K, G: centred(K, K),
        "the mean of all entries belongs to the training matrix": lambda K, G: (
            K - G.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
        ),
        r"shape \(1, 2\), got \(2, 1\)": lambda K, G: centred(K, G).T,
    },
    "check_project": {
        "not divided by the root": projecting(power=0),
        "not by its root": projecting(power=1),
        "the rows of K are not centred": projecting(rows=lambda K, G: K),
        "by their own means": projecting(rows=lambda K, G: K - K.mean(axis=0)),
        "G is not centred": projecting(rows=lambda K, G: K, columns=lambda K, G: K),
        "should fall": projecting(order=1),
        "should be zeros": projecting(cut=False),
    },
    "check_place": {
        "the factor one half is missing": placing(factor=-1),
        "the half was taken twice": placing(factor=-0.25),
        "V should be scaled by the roots": placing(root=0),
        "D is not centred": placing(centre=False),
        r"entry \(0, 1\) of their squared distances should be 13, got 0.9966\.$": second_and_third,
        "finite": unclipped,
    },
    "check_preimage": {
        "halve a step that lowers S": stepping(halve=False),
        "the denominator is missing": stepping(divide=False, halve=False),
        "the kernel values are missing": stepping(weight=lambda w, terms: w, halve=False),
        "the weights w are missing": stepping(weight=lambda w, terms: terms / w, halve=False),
        "z does not move": lambda z, X, w, gamma, steps: z,
    },
    "check_letters_share": {
        "G is not centred": 0.431,
        "not of G": 0.2397,
        "do not square": 0.729,
        "that is what five components leave": 0.698,
        "not per cent": 30.2,
        r"got 0.5\.$": 0.5,
    },
    "check_no_map": {
        "always fit into a plane": np.ones((3, 3)) - np.eye(3),
        "three in a row": 4 * (np.ones((4, 4)) - np.eye(4)),
        "a detour is shorter": [[0, 1, 9], [1, 0, 1], [9, 1, 0]],
        "zeros across": np.ones((3, 3)),
        "a positive distance": np.zeros((3, 3)),
        "three to six rows, got 2": np.ones((2, 2)),
    },
}
