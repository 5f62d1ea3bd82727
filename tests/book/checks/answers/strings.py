"""Answers to the exercises on string kernels."""

from collections import Counter
from fractions import Fraction
from unittest.mock import ANY

from kernlib.book.checks.strings import gap_features
from kernlib.strings import all_subsequences


def by_letter(s, t, weight):
    """Look letters up in a table of matches."""
    row, places = [1] * (len(t) + 1), {}
    for j, b in enumerate(t):
        places.setdefault(b, []).append(j)
    for a in s:
        gain = [0] * (len(t) + 1)
        for j in places.get(a, []):
            gain[j + 1] = weight * row[j]
        P, new = 0, []
        for j in range(len(t) + 1):
            P += gain[j]
            new.append(row[j] + P)
        row = new
    return row[-1]


def with_sums(s, t, weight):
    """Take each sum of the recurrence anew."""
    row = [1] * (len(t) + 1)
    for a in s:
        row = [row[j] + sum(weight * row[k] for k in range(j) if t[k] == a) for j in range(len(t) + 1)]
    return row[-1]


def parts_only(s, length, decay):
    parts = Counter(s[i : i + length] for i in range(len(s) - length + 1))
    return {u: count * decay**length for u, count in parts.items()}


def identity_machine(plus, minus):
    n = Fraction(plus + minus)
    return 2 * minus / n, 2 * plus / n, (plus - minus) / n


RIGHT = {
    "check_kernel": [lambda s, t, weight: all_subsequences(s, t, weight=weight), by_letter],
    "check_growth": [(29, 515)],
    "check_surnames": [0.0452],
    "check_gap_features": [lambda s, length, decay: gap_features(s, length, float(decay))],
    "check_marks": [lambda mu: 1 + mu * (2 + mu)],
    "check_identity_machine": [identity_machine],
}

WRONG = {
    "check_kernel": {
        "should be exact, an int or a Fraction, got float": lambda *case: float(by_letter(*case)),
        "at most 4,800 comparisons of letters, got .* continues P": with_sums,
    },
    "check_growth": {
        "n_exact .* got 28. Hint: that is the last": (28, 515),
        "n_float .* got 514. Hint: that is the last": (29, 514),
        "n_exact .* 4ⁿ is larger": (27, 512),
        "n_float .* 4ⁿ is larger": (29, 512),
        r"got 30\.$": (30, 515),
        r"n_exact should be real numbers, .* got _ANY": (ANY, ANY),
        r"n_exact should have shape \(\), got \(1,\)": ([29], [515]),
    },
    "check_gap_features": {
        "should be a dict, got list": lambda *case: list(gap_features(*case).items()),
        "should have the features": parts_only,
    },
}
