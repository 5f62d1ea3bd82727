"""Answers to the exercises of Beyond one machine."""

import numpy as np

from kernlib.streaming import RidgeStatistics


def merge(parts):
    while len(parts) > 1:
        parts = [sum(parts[i + 1 : i + 2], start=parts[i]) for i in range(0, len(parts), 2)]
    return parts[0]


def rows_for(c, p, share):
    return int(np.ceil((c**2 + c) / (share * (p + 1))))


def forget(total, part):
    if part.n >= total.n:
        raise ValueError("nothing would be left")
    return RidgeStatistics(total.n - part.n, total.gram - part.gram, total.moment - part.moment)


RIGHT = {
    "check_merge": [merge],
    "check_rows_for": [rows_for],
    "check_forget": [forget],
    "check_same_sums": [([0, 3, 3], [1, 1, 4])],
    "check_fold_error": [0.719],
}

WRONG = {
    "check_merge": {
        "Hint: add neighbours in pairs": lambda parts: sum(parts[1:], start=parts[0]),
        "should count 10 rows, got 5": lambda parts: merge(parts[:-1] or parts),
    },
    "check_rows_for": {
        "targets travel with the rows\\?$": lambda c, p, share: int(np.ceil((c**2 + c) / (share * p))),
        "has c numbers too": lambda c, p, share: int(np.ceil(c**2 / (share * (p + 1)))),
        "round up": lambda c, p, share: int((c**2 + c) / (share * (p + 1))),
        r"rows_for should be 1, got 0\.$": lambda c, p, share: 0,
    },
    "check_forget": {
        "gram of all its rows": lambda t, p: RidgeStatistics(t.n - p.n, t.gram, t.moment - p.moment),
        "should refuse 5 rows of 5": lambda t, p: RidgeStatistics(
            t.n - p.n, t.gram - p.gram, t.moment - p.moment
        ),
    },
    "check_same_sums": {
        "the same three numbers": ([0, 3, 3], [3, 0, 3]),
        "same u = Σz": ([0, 3, 3], [1, 1, 1]),
        "same S = Σz²": ([0, 3, 3], [1, 2, 3]),
        "further apart": ([0, 0.03, 0.03], [0.01, 0.01, 0.04]),
        r"shape \(3,\)": ([0, 3], [1, 1]),
    },
    "check_fold_error": {
        "rows that were fitted": 0.6922,
        "test on the fifth": 0.775,
        "not their sum": 3.595,
        "that is its root": 0.848,
        r"got 0\.$": 0,
    },
}
