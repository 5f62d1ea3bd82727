"""Answers to the exercises on string kernels."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations

from kernlib.book.checks.strings import gap_features
from kernlib.strings import all_subsequences, spectrum, subsequence_counts


def kernel(s, t, weight, *, corner=1, above=1, use_weight=True):
    """The table, with one of its parts to be replaced."""
    row = [1] * (len(t) + 1)
    for a in s:
        P, new = 0, [1]
        for j, b in enumerate(t, start=1):
            if a == b:
                P += (weight if use_weight else 1) * row[j - corner]
            new.append(above * row[j] + P)
        row = new
    return row[-1]


def contiguous(s, t, weight):
    return 1 + sum(weight**k * spectrum(s, t, length=k) for k in range(1, min(len(s), len(t)) + 1))


def distinct(s, t, weight):
    common = subsequence_counts(s).keys() & subsequence_counts(t).keys()
    return sum(weight ** len(u) for u in common)


def slow(s, t, weight):
    return all_subsequences(s, t, weight=weight, method="recurrence")


def by_letter(s, t, weight):
    """Right, and looks letters up in a table of matches."""
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


def first_occurrence(s, length, decay):
    features = {}
    for i in combinations(range(len(s)), length):
        features.setdefault("".join(s[k] for k in i), decay ** (i[-1] - i[0] + 1))
    return features


def parts_only(s, length, decay):
    parts = Counter(s[i : i + length] for i in range(len(s) - length + 1))
    return {u: count * decay**length for u, count in parts.items()}


def naive_letters(s, t):
    """The recurrence with each sum taken anew, comparing letters by ==."""
    row = [1] * (len(t) + 1)
    for a in s:
        row = [row[j] + sum(row[k] for k in range(j) if t[k] == a) for j in range(len(t) + 1)]
    return row[-1]


def identity_machine(plus, minus, *, swapped=False, sign=1, number=float, factor=2):
    n = number(plus + minus)
    alphas = factor * minus / n, factor * plus / n
    return (*(alphas[::-1] if swapped else alphas), sign * (plus - minus) / n)


RIGHT = {
    "check_kernel": [kernel, lambda s, t, weight: all_subsequences(s, t, weight=weight), by_letter],
    "check_growth": [(29, 515)],
    "check_surnames": [0.0452],
    "check_gap_features": [gap_features, lambda s, length, decay: gap_features(s, length, float(decay))],
    "check_marks": [lambda mu: (1 + mu) ** 2],
    "check_identity_machine": [identity_machine, partial(identity_machine, number=Fraction)],
}

WRONG = {
    "check_kernel": {
        "the empty subsequence": lambda s, t, w: all_subsequences(s, t, weight=w) - 1,
        r"a match adds DP\(i − 1, j − 1\)": lambda s, t, w: kernel(s, t, w, corner=0),
        r"DP\(i, j\) is the entry above": lambda s, t, w: kernel(s, t, w, above=0),
        "with weight 1/2 should be .*μ goes with each match": lambda s, t, w: kernel(
            s, t, w, use_weight=False
        ),
        "once for every pair of positions": distinct,
        "may have gaps": contiguous,
        r"should be exact, an int or a Fraction, got 1\.0": lambda s, t, w: float(kernel(s, t, w)),
        "at most 4,800 comparisons of letters, got .* continues P": lambda s, t, w: (
            slow(s, t, w) if isinstance(s, str) else naive_letters(s, t)
        ),
    },
    "check_growth": {
        "n_exact .* got 28. Hint: that is the last": (28, 515),
        "n_float .* got 514. Hint: that is the last": (29, 514),
        "n_exact .* did you use 4ⁿ": (27, 512),
        "n_float .* did you use 4ⁿ": (29, 512),
        r"got 30\.$": (30, 515),
    },
    "check_gap_features": {
        r"the exponent is i_k − i₁ \+ 1": lambda s, k, lam: gap_features(s, k, lam, lambda i: i[-1] - i[0]),
        "not the length of u": lambda s, k, lam: gap_features(s, k, lam, len),
        "not the first alone": first_occurrence,
        "should have the features": parts_only,
    },
    "check_marks": {
        "there is a mark at each": lambda mu: 1 + mu,
        "the choices multiply": lambda mu: 1 + 2 * mu,
        "may also be left out": lambda mu: mu**2,
        "not the normalised kernel": lambda mu: 0.0 * mu + 1,
        "and not μ²": lambda mu: (1 + mu**2) ** 2,
    },
    "check_identity_machine": {
        "the smaller class gets the larger α": lambda *n: [
            float(v) for v in identity_machine(*n, swapped=True)
        ],
        "the majority should win": partial(identity_machine, sign=-1),
        "α = 1 needs": lambda plus, minus: (1, 1, 0),
        "not 2αᵢ": partial(identity_machine, factor=1),
        r"shape \(3,\), got \(2,\)": lambda plus, minus: (1, 0),
    },
    "check_surnames": {
        "beside itself": 0.0611,
        "not normalised": 6.728,
        "divide by the root": 0.0006205,
        "mean of the quotients": 0.02193,
        "not per cent": 4.52,
        r"got 0.5\.$": 0.5,
    },
}
