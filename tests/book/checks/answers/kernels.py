"""Answers to the exercises on kernels."""

import itertools
import math

import numpy as np


def monomials(X, r, c0):
    """Give the right features, in another order and with signs."""
    X = np.column_stack([np.full(len(X), np.sqrt(c0)), -X])
    columns = []
    for chosen in itertools.combinations_with_replacement(range(X.shape[1]), r):
        powers = np.bincount(chosen, minlength=X.shape[1])
        ways = math.factorial(r) / math.prod(math.factorial(int(a)) for a in powers)
        columns.append(math.sqrt(ways) * np.prod(X[:, chosen], axis=1))
    return np.column_stack(columns)


RIGHT = {
    "check_witness": [[1, 2], np.array([3.0, 0.5, 2.0])],
    "check_monomials": [monomials],
    "check_outlier": [9, np.int64(9)],
    "check_largest_n": [lambda memory, itemsize: int(np.sqrt(memory / itemsize))],
}

WRONG = {
    "check_witness": {
        "two or three points, got 1": [1.0],
        "got 4": [1, 2, 3, 4],
        "matrix of equal entries": [1, 1],
        "further apart": [1, 1.001],
        "positive": [-1, 2],
        "finite": [np.nan, 1],
    },
    "check_outlier": {
        "that is the nearest": 159,
        "count from 0": 10,
        r"\d+ are further\.$": 0,
        "from 0 to 299, got 300": 300,
    },
}
