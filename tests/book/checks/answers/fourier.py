"""Answers to the exercises on random Fourier features."""

import numpy as np


def pairs(factor=lambda c: np.sqrt(2 / c), draw=lambda rng, size: rng.normal(size=size), seeded=True):
    """Compute the (cos, sin) map, with one of its parts replaced."""

    def function(X_train, X_test, *, c, gamma, random_state):
        rng = np.random.default_rng(random_state if seeded else 0)
        Omega = np.sqrt(2 * gamma) * draw(rng, (X_train.shape[1], c // 2))
        waves = X_train @ Omega, X_test @ Omega
        return [factor(c) * np.hstack([np.cos(XW), np.sin(XW)]) for XW in waves]

    return function


def from_global(rng, size):
    return np.random.normal(size=size)  # noqa: NPY002


def normal(p, m, *, gamma, random_state):
    return np.random.default_rng(random_state).normal(scale=np.sqrt(2 * gamma), size=(p, m))


def multivariate(p, m, *, gamma, random_state):
    rng = np.random.default_rng(random_state)
    return gamma * rng.normal(size=(p, m)) / np.abs(rng.normal(size=m))


def orthogonal(lengths=lambda drawn: np.linalg.norm(drawn, axis=0), rotate=True):
    """Draw orthogonal frequencies, with one of their parts replaced."""

    def function(p, m, *, gamma, random_state):
        rng = np.random.default_rng(random_state)
        blocks = []
        for _ in range(-(-m // p)):
            Q, R = np.linalg.qr(rng.normal(size=(p, p)))
            blocks.append(Q * np.sign(np.diag(R)) if rotate else np.eye(p))
        return np.sqrt(2 * gamma) * np.hstack(blocks)[:, :m] * lengths(rng.normal(size=(p, m)))

    return function


RIGHT = {
    "check_pairs": [lambda *sets, **options: [Z.tolist() for Z in pairs()(*sets, **options)]],
    "check_letters_columns": [352],
    "check_pairs_worse": [3.64],
}

WRONG = {
    "check_pairs": {
        r"√\(1/m\)": pairs(factor=lambda c: np.sqrt(1 / c)),
        "c counts columns": pairs(factor=lambda c: np.sqrt(4 / c)),
        "frequencies are uniform": pairs(draw=lambda rng, size: rng.uniform(-1, 1, size=size)),
        "half-normal": pairs(draw=lambda rng, size: np.abs(rng.normal(size=size))),
        "not from np.random itself": pairs(draw=from_global),
        "Another random_state should give other numbers": pairs(seeded=False),
    },
    "check_laplace": {
        "the Gaussian's law": normal,
        "one radius": multivariate,
    },
    "check_orthogonal": {
        "should be orthogonal": normal,
        "draw the lengths": orthogonal(lengths=lambda drawn: np.sqrt(len(drawn))),
        "2γp": orthogonal(lengths=lambda drawn: np.linalg.norm(drawn, axis=0) * 1.1),
        "along each axis": orthogonal(rotate=False),
    },
    "check_pairs_worse": {"where is q": 1.0, "positive": -3.64},
}
