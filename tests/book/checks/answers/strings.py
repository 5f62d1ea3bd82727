"""Answers to the exercises on string kernels."""

from collections import Counter

from kernlib.book.checks.strings import gap_features
from kernlib.strings import all_subsequences


def with_sums(s, t, weight):
    """Take each sum of the recurrence anew."""
    row = [1] * (len(t) + 1)
    for a in s:
        row = [row[j] + sum(weight * row[k] for k in range(j) if t[k] == a) for j in range(len(t) + 1)]
    return row[-1]


def padded(s, t, weight):
    """Count letters from 1, and rows by a table."""
    s, t, table = f" {s.lower()}", " " + t, {}
    for i in range(len(s)):
        for j in range(len(t)):
            above = table[i - 1, j] if i else 1
            P = (
                0
                if 0 in (i, j)
                else table[i, j - 1, "P"] + weight * table[i - 1, j - 1] * (ord(s[i]) == ord(t[j]))
            )
            table[i, j], table[i, j, "P"] = above + P, P
    return table[len(s) - 1, len(t) - 1]


def parts_only(s, length, decay):
    parts = Counter(s[i : i + length] for i in range(len(s) - length + 1))
    return {u: count * decay**length for u, count in parts.items()}


RIGHT = {
    "check_kernel": [lambda s, t, weight: all_subsequences(s, t, weight=weight), padded],
    "check_growth": [(29, 515)],
    "check_surnames": [0.0452],
}

WRONG = {
    "check_kernel": {
        "should be exact, an int or a Fraction, got float": lambda s, t, weight: float(
            all_subsequences(s, t, weight=weight)
        ),
        "at most 4,800 comparisons of letters, got .* continues P": with_sums,
    },
    "check_growth": {
        "n_exact .* got 28. Hint: that is the last": (28, 515),
        "n_exact .* 4ⁿ is larger": (27, 512),
        r"got 30\.$": (30, 515),
    },
    "check_gap_features": {
        "should be a dict, got list": lambda *case: list(gap_features(*case).items()),
        "should have the features .* gaps allowed": parts_only,
        "join the letters of u": lambda *case: {tuple(u): value for u, value in gap_features(*case).items()},
    },
}
