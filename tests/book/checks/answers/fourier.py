"""Answers to the exercises on random Fourier features."""

import math

import numpy as np


def pairs(scale=lambda gamma: np.sqrt(2 * gamma), factor=lambda c: np.sqrt(2 / c), redraw=False, seeded=True):
    """The (cos, sin) map, with one of its parts to be replaced."""

    def function(X_train, X_test, *, c, gamma, random_state):
        rng = np.random.default_rng(random_state if seeded else 0)

        def draw():
            return rng.normal(scale=scale(gamma), size=(X_train.shape[1], c // 2))

        first = draw()
        second = draw() if redraw else first
        return tuple(
            factor(c) * np.hstack([np.cos(X @ W), np.sin(X @ W)])
            for X, W in ((X_train, first), (X_test, second))
        )

    return function


def global_pairs(X_train, X_test, *, c, gamma, random_state):
    """Draws from numpy's global generator."""
    Omega = np.random.normal(scale=np.sqrt(2 * gamma), size=(X_train.shape[1], c // 2))  # noqa: NPY002
    return [np.sqrt(2 / c) * np.hstack([np.cos(X @ Omega), np.sin(X @ Omega)]) for X in (X_train, X_test)]


def columns(n, *, error, chance):
    return 2 * math.ceil(2 * math.log(n**2 / chance) / error**2)


def cauchy(scale=lambda gamma: gamma, seeded=True):
    def function(p, m, *, gamma, random_state):
        rng = np.random.default_rng(random_state if seeded else 0)
        return scale(gamma) * rng.standard_cauchy(size=(p, m))

    return function


def normal(p, m, *, gamma, random_state):
    return np.random.default_rng(random_state).normal(scale=np.sqrt(2 * gamma), size=(p, m))


def multivariate(p, m, *, gamma, random_state):
    rng = np.random.default_rng(random_state)
    return gamma * rng.normal(size=(p, m)) / np.abs(rng.normal(size=m))


def orthogonal(lengths=lambda drawn: np.linalg.norm(drawn, axis=0), rotate=True, seeded=True):
    """Orthogonal frequencies, with one of their parts to be replaced."""

    def function(p, m, *, gamma, random_state):
        rng = np.random.default_rng(random_state if seeded else 0)
        blocks = []
        for _ in range(-(-m // p)):
            Q, R = np.linalg.qr(rng.normal(size=(p, p)))
            blocks.append(Q * np.sign(np.diag(R)) if rotate else np.eye(p))
        return np.sqrt(2 * gamma) * np.hstack(blocks)[:, :m] * lengths(rng.normal(size=(p, m)))

    return function


RIGHT = {
    "check_pairs": [pairs(), lambda *sets, **options: [Z.tolist() for Z in pairs()(*sets, **options)]],
    "check_columns": [columns],
    "check_letters_columns": [352],
    "check_pairs_worse": [3.64],
    "check_laplace": [cauchy()],
    "check_orthogonal": [orthogonal()],
}

WRONG = {
    "check_pairs": {
        "half their variance": pairs(scale=np.sqrt),
        "twice their variance": pairs(scale=lambda gamma: 2 * np.sqrt(gamma)),
        "not a standard deviation": pairs(scale=lambda gamma: 2 * gamma),
        r"√\(1/m\)": pairs(factor=lambda c: np.sqrt(1 / c)),
        "c counts columns": pairs(factor=lambda c: np.sqrt(4 / c)),
        "same Ω": pairs(redraw=True),
        "not 2/c": pairs(factor=lambda c: 2 / c),
        "factor .* is missing": pairs(factor=lambda c: 1),
        "𝒩\\(0, I\\)": pairs(scale=lambda gamma: 1),
        "𝒩\\(0, 2I\\)": pairs(scale=lambda gamma: np.sqrt(2)),
        "not from np.random itself": global_pairs,
        "mapped in one call": lambda X_train, X_test, **asked: pairs()(X_train, X_test, **asked)[0],
        "Another random_state should give other numbers": pairs(seeded=False),
    },
    "check_columns": {
        "number of frequencies": lambda n, **asked: columns(n, **asked) // 2,
        "phase map": lambda n, **asked: 2 * columns(n, **asked),
        "n², not n": lambda n, error, chance: 2 * math.ceil(2 * math.log(n / chance) / error**2),
        r"should be 60, got 62\.$": lambda n, **asked: columns(n, **asked) + 2,
        "enough: round up": lambda n, **asked: columns(n, **asked) - 2,
    },
    "check_laplace": {
        "the Gaussian's law": normal,
        r"yours seems to be 1\.$": cauchy(lambda gamma: 1.0),
        "seems to be 1/γ": cauchy(lambda gamma: 1 / gamma),
        r"√\(2γ\)": cauchy(lambda gamma: np.sqrt(2 * gamma)),
        "Euclidean distance": multivariate,
        "Another random_state": cauchy(seeded=False),
        r"shape \(1, 40000\)": lambda p, m, **asked: cauchy()(m, p, **asked),
    },
    "check_orthogonal": {
        "should be orthogonal": normal,
        "draw the lengths": orthogonal(lengths=lambda drawn: np.sqrt(len(drawn))),
        "2γp": orthogonal(lengths=lambda drawn: np.linalg.norm(drawn, axis=0) * 1.1),
        "along each axis": orthogonal(rotate=False),
        "Another random_state": orthogonal(seeded=False),
    },
    "check_letters_columns": {
        "phase map": 376,
        "mean of the squares": 348,
        "those are frequencies": 176,
        "by its square": 17.6,
        "that is the bound": 25_622,
        r"got 10\.$": 10,
    },
    "check_pairs_worse": {"where is q": 1.0, "positive": -3.64},
}
