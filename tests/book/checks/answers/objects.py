"""Answers to the exercises on kernels of histograms."""

import numpy as np


def additive(X, Y):
    x, y = X[:, None], Y[None]
    return (2 * x * y / np.where(x + y > 0, x + y, 1)).sum(axis=2)


def chi2_map(X, m, L):
    log = np.log(np.where(X > 0, X, 1))
    columns = [np.sqrt(L * X)]
    for j in range(1, m + 1):
        size = np.sqrt(2 * L * X / np.cosh(np.pi * j * L))
        columns += [size * np.sin(j * L * log), size * np.cos(j * L * log)]
    return np.hstack(columns)


RIGHT = {
    "check_additive_chi2": [lambda X, Y: additive(X.astype(np.float32), Y.astype(np.float32))],
    "check_chi2_map": [lambda X, m, L: -chi2_map(X, m, L)[:, ::-1]],
    "check_power_mean": [[1, 100], [3.0, 0.1, 50]],
    "check_pictures_error": [0.0777],
}

WRONG = {
    "check_additive_chi2": {
        "division by zero": lambda X, Y: (2 * X[:, None] * Y / (X[:, None] + Y)).sum(axis=2),
        r"\[\[1.5\]\], got \[\[1.50001\]\]\.$": lambda X, Y: additive(X, Y) + 1e-5,
    },
    "check_power_mean": {
        "further apart": [1, 1.1],
        "equal entries": [2, 2],
        "positive, got -1": [-1, 2],
        "three points, got 1": [1],
    },
}
