"""Answers to the exercises on kernels."""

import numpy as np

RIGHT = {
    "check_witness": [[1, 2], np.array([3.0, 0.5, 2.0])],
    "check_typical": [211, np.int64(211)],
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
    "check_typical": {
        "16 numbers are nearest": 159,
        "that is the furthest": 9,
        "count from 0": 212,
        r"\d+ are nearer\.$": 0,
        "from 0 to 499, got 500": 500,
    },
}
