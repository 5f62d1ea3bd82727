"""Answers to the exercises on kernels of histograms."""

import numpy as np


def additive(X, Y):
    x, y = X[:, None], Y[None]
    return (2 * x * y / np.where(x + y > 0, x + y, 1)).sum(axis=2)


RIGHT = {
    "check_additive_chi2": [lambda X, Y: additive(X.astype(np.float32), Y.astype(np.float32))],
    "check_power_mean": [[1, 100]],
    "check_pictures_error": [0.01357, 0.0136],
}

WRONG = {
    "check_pictures_error": {"that is L = 0.8": 0.0777, "that is L = 0.5": 0.0799},
    "check_additive_chi2": {
        "division by zero": lambda X, Y: (2 * X[:, None] * Y / (X[:, None] + Y)).sum(axis=2),
    },
}
