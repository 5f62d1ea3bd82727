"""Answers to the exercises on random Fourier features."""

from fractions import Fraction

import numpy as np


def normal(p, m, *, gamma, random_state):
    return np.random.default_rng(random_state).normal(scale=np.sqrt(2 * gamma), size=(p, m))


def multivariate(p, m, *, gamma, random_state):
    rng = np.random.default_rng(random_state)
    return gamma * rng.normal(size=(p, m)) / np.abs(rng.normal(size=m))


def one_number(p, m, *, gamma, random_state):
    return np.repeat(gamma * np.random.default_rng(random_state).standard_cauchy((1, m)), p, axis=0)


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


def phase_columns(n, *, error, chance):
    return 2 * int(np.ceil(4 * np.log(n**2 / chance) / error**2))


def no_chance(n, *, error, chance):
    return 2 * int(np.ceil(2 * np.log(n**2 / (1 - chance)) / error**2))


RIGHT = {
    "check_letters_columns": [352],
    "check_pairs_worse": [3.64, 6.3, Fraction(364, 100)],
}

WRONG = {
    "check_laplace": {
        "the Gaussian's law": normal,
        "one radius": multivariate,
        "of its own for each coordinate": one_number,
    },
    "check_columns": {"phase map": phase_columns, "an entry is off": no_chance},
    "check_orthogonal": {
        "should be orthogonal": normal,
        "draw the lengths": orthogonal(lengths=lambda drawn: np.sqrt(len(drawn))),
        "2γp.*got 1": orthogonal(lengths=lambda drawn: np.linalg.norm(drawn, axis=0) * 1.1),
        "2γp.*got 0": orthogonal(lengths=lambda drawn: np.linalg.norm(drawn, axis=0) * 0.7),  # γ for 2γ
        "along each axis": orthogonal(rotate=False),
    },
    "check_pairs_worse": {r"got 0\.0385, and 0\.519\d for phases.* where is q": 1.0, "positive": -3.64},
}
