"""Answers to the exercises on kernels."""

import numpy as np

RIGHT = {
    "check_witness": [[1, 2], np.array([3.0, 0.5, 2.0])],
    "check_outlier": [9, np.int64(9)],
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
