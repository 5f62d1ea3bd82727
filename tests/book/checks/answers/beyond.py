"""Answers to the exercises of Beyond one machine."""

import numpy as np

from kernlib.streaming import RidgeStatistics

NOTHING = RidgeStatistics(0, np.zeros((3, 3)), np.zeros(3))


def merge(parts):
    while len(parts) > 1:
        parts = [sum(parts[i + 1 : i + 2], start=parts[i]) for i in range(0, len(parts), 2)]
    return parts[0]


RIGHT = {
    "check_same_sums": [([0, 3, 3], [1, 1, 4])],
    "check_fold_error": [0.7485],
}

WRONG = {
    "check_merge": {
        "got 3. Hint: add neighbors in pairs": lambda parts: sum(parts[1:], start=parts[0]),
        "should be 0 additions deep, got 1": lambda parts: sum(parts, start=NOTHING),
        "got 0. Hint: add the parts themselves": lambda parts: RidgeStatistics(
            sum(part.n for part in parts),
            sum(part.gram for part in parts),
            sum(part.moment for part in parts),
        ),
        "should count 10 rows, got 5": lambda parts: merge(parts[:-1] or parts),
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
    },
}
