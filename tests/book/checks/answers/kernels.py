"""Answers to the exercises on kernels."""

import itertools
import math

import numpy as np


def monomials(weight=math.sqrt, constant=np.sqrt, choose=itertools.combinations_with_replacement):
    """The right features, with one part to be replaced."""

    def features(X, r, c0):
        X = np.column_stack([X, np.full(len(X), constant(c0))])
        columns = []
        for chosen in choose(range(X.shape[1]), r):
            powers = np.bincount(chosen, minlength=X.shape[1])
            ways = math.factorial(r) / math.prod(math.factorial(int(a)) for a in powers)
            columns.append(weight(ways) * np.prod(X[:, chosen], axis=1))
        return np.column_stack(columns)

    return features


def ordered(p, r):
    return itertools.product(p, repeat=r)


def distances(G, K, diag):
    return diag - 2 * K.mean(axis=1) + G.mean()


RIGHT = {
    "check_witness": [[1, 2], np.array([3.0, 0.5, 2.0])],
    "check_monomials": [monomials()],
    "check_distances": [distances],
    "check_outlier": [9, np.int64(9)],
    "check_largest_n": [
        lambda memory, itemsize: math.isqrt(int(memory) // itemsize),
        lambda memory, itemsize: int(np.sqrt(memory / itemsize)),
    ],
}

WRONG = {
    "check_witness": {
        "two or three points, got 1": [1.0],
        "got 4": [1, 2, 3, 4],
        "equal points": [1, 1],
        "further apart": [1, 1.001],
        "positive": [-1, 2],
        "finite": [np.nan, 1],
    },
    "check_monomials": {
        "columns should be 2, got 0": lambda X, r, c0: 0.0,
        "weights are missing": monomials(weight=lambda ways: 1.0),
        "by its root": monomials(constant=lambda c0: c0),
        "1 always": monomials(constant=lambda c0: 1.0),
        "root of its multinomial": monomials(weight=lambda ways: ways),
        "one monomial": monomials(weight=lambda ways: 1.0, choose=ordered),
        "the constant belongs": lambda X, r, c0: monomials()(X, r, c0)[:, :-1],
        "degrees below r": lambda X, r, c0: monomials()(X[:, 1:], r, c0),
        r"Φ should have shape|number of columns should be 2, got 1\.$": lambda X, r, c0: X[:, 0],
        "finite": lambda X, r, c0: np.nan * monomials()(X, r, c0),
    },
    "check_distances": {
        "not their squares": lambda *given: np.sqrt(distances(*given)),
        "factor 2 is": lambda G, K, diag: diag - K.mean(axis=1) + G.mean(),
        "all entries of G": lambda G, K, diag: diag - 2 * K.mean(axis=1) + np.diag(G).mean(),
        "norm of the mean is missing": lambda G, K, diag: diag - 2 * K.mean(axis=1),
        r"shape \(1,\), got \(2,\)": lambda G, K, diag: K.mean(axis=0),
        r"should be \[6.25\], got \[0\]\.$": lambda G, K, diag: 0 * diag,
    },
    "check_largest_n": {
        "a number takes itemsize bytes": lambda memory, itemsize: int(np.sqrt(memory)),
        "n² numbers": lambda memory, itemsize: memory // itemsize,
        "a whole number: round down": lambda memory, itemsize: np.sqrt(memory / itemsize),
        "not always 8": lambda memory, itemsize: math.isqrt(int(memory) // 8),
    },
    "check_outlier": {
        "that is the nearest": 159,
        "count from 0": 10,
        r"which \d+ rows exceed\.$": 0,
        "from 0 to 299, got 300": 300,
    },
}
