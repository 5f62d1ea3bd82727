"""Self-checks of the exercises on string kernels.

Chapter: The all-subsequences kernel.
"""

import numbers
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations

from kernlib.book.checks import expect, hint, self_check
from kernlib.book.checks._machines import check_identity_machine, check_marks, check_surnames, surnames
from kernlib.numerics.validation import describe
from kernlib.strings import all_subsequences, spectrum, subsequence_counts

__all__ = [
    "check_gap_features",
    "check_growth",
    "check_identity_machine",
    "check_kernel",
    "check_marks",
    "check_surnames",
    "surnames",
]

PAIRS = [pair.split("|") for pair in ("|", "|ab", "ab|", "a|a", "aaaa|aaaa", "gatta|cata", "abcab|bacabc")]
WEIGHTS = (1, Fraction(1, 2))
LONG = 40  # letters of the strings on which comparisons are counted


@self_check
def check_kernel(function):
    """
    Check κ(s, t) for several pairs and weights, and that letters are compared O(|s||t|) times.

    Parameters
    ----------
    function : callable
        Called as ``function(s, t, weight)``, with strings or tuples of letters and a weight that is an int
        or a Fraction.
    """
    answers = []
    for case in ((s, t, weight) for weight in WEIGHTS for s, t in PAIRS):
        found, right = function(*case), all_subsequences(*case[:2], weight=case[2])
        answers.append((case, found, right))
        expect(
            isinstance(found, numbers.Rational),
            f"{kappa(*case)} should be exact, an int or a Fraction, got {describe(found)}. Hint: start from "
            "ones that are integers, and add and multiply only.",
        )
    mistakes = {
        "the weight μ goes with each match": lambda s, t, weight: all_subsequences(s, t),
        "a subsequence counts once for every pair of positions": distinct,
        "a subsequence may have gaps": contiguous,
        "a match adds DP(i − 1, j − 1), not DP(i − 1, j)": partial(wrong_table, corner=0),
        "DP(i, j) is the entry above, DP(i − 1, j), plus P(j)": partial(wrong_table, above=0),
        "the empty subsequence counts too, so row 0 and column 0 are ones": lambda s, t, weight: (
            all_subsequences(s, t, weight=weight) - 1
        ),
        "the running sum P starts anew in every row": partial(wrong_table, anew=False),
    }
    values = {text: [float(wrong(*case)) for case, _, _ in answers] for text, wrong in mistakes.items()}
    why = hint([float(found) for _, found, _ in answers], values, atol=0)
    for case, found, right in answers:
        expect(found == right, f"{kappa(*case)} should be {right}, got {found}.{why}")
    compared = comparisons(function)
    most = 3 * LONG**2
    expect(
        compared <= most,
        f"Two strings of {LONG} letters should take at most {most:,} comparisons of letters, got "
        f"{compared:,}. Hint: P(j) continues P(j − 1), so no sum is taken twice.",
    )
    print("✓ the right numbers, exactly, in O(|s||t|) comparisons")


def kappa(s, t, weight):
    """κ of two strings and a weight, in words."""
    return f"κ({s or 'ε'}, {t or 'ε'}) with weight {weight}"


def distinct(s, t, weight):
    """Σ over the different common subsequences."""
    return sum(weight ** len(u) for u in subsequence_counts(s).keys() & subsequence_counts(t).keys())


def contiguous(s, t, weight):
    """Without gaps."""
    parts = range(1, min(len(s), len(t)) + 1)
    return 1 + sum(weight**k * spectrum(s, t, length=k) for k in parts)


def wrong_table(s, t, weight, *, corner=1, above=1, anew=True):
    """The last entry of a table with a mistake: another corner, nothing from above, a sum that goes on."""
    row, P = [weight**0] * (len(t) + 1), 0
    for a in s:
        P, new = 0 if anew else P, row[:1]
        for j, b in enumerate(t, start=1):
            P += weight * row[j - corner] if a == b else 0
            new.append(above * row[j] + P)
        row = new
    return row[-1]


class Letter:
    """A letter that counts how often it is compared."""

    def __init__(self, name, count):
        self.name, self.count = name, count

    def __eq__(self, other):
        self.count["=="] += 1
        return self.name == other.name

    def __hash__(self):
        self.count["=="] += 1
        return hash(self.name)


def comparisons(function):
    """How often letters are compared, or looked up, for two strings of 40 letters."""
    count = Counter()
    s, t = (tuple(Letter(name, count) for name in word * (LONG // len(word))) for word in ("acgt", "aacg"))
    function(s, t, 1)
    return count["=="]


@self_check
def check_growth(n_exact, n_float):
    """
    Check the first n at which κ(aⁿ, aⁿ) exceeds 2⁵³, and the first at which it exceeds every float64.

    Parameters
    ----------
    n_exact, n_float : int
        Lengths.
    """
    for name, found, right, power in (("n_exact", n_exact, 29, "2⁵³"), ("n_float", n_float, 515, "float64")):
        mistakes = {
            f"that is the last n which does not exceed {power}; the first beyond is asked for": right - 1,
            "κ is C(2n, n): did you use 4ⁿ, which is larger": {29: 27, 515: 512}[right],
        }
        expect(
            found == right,
            f"{name} should be the first n with C(2n, n) beyond {power}, got {found}."
            + hint(found, mistakes, atol=0),
        )
    print("✓ C(2n, n) exceeds 2⁵³ at n = 29, and float64 at n = 515")


@self_check
def check_gap_features(function):
    """
    Check φᵤ(s) = Σ λ^(i_k − i₁ + 1) over the positions of u in s, for all u of one length.

    Parameters
    ----------
    function : callable
        Called as ``function(s, length, decay)``; returns a dict from u, a str, to φᵤ(s) for all u that occur.
    """
    half, third = Fraction(1, 2), Fraction(1, 3)
    cases = [("ab", 1, half), ("ab", 2, half), ("aab", 2, half), ("cat", 2, half), ("gatta", 3, third)]
    cases += [("aabab", 2, half), ("aabab", 2, 1)]
    answers = []
    for case in cases:
        found, right = function(*case), gap_features(*case)
        what = "With s = {}, length = {}, decay = {}".format(*case)
        expect(isinstance(found, dict), f"{what}, φ should be a dict, got {type(found).__name__}.")
        expect(
            set(found) == set(right),
            f"{what}, φ should have the features {', '.join(sorted(right))}, got "
            f"{', '.join(sorted(map(str, found))) or 'none'}. Hint: each u of this length, gaps allowed.",
        )
        answers += [(what, u, found[u], right[u]) for u in sorted(right)]
    mistakes = {
        "the exponent is i_k − i₁ + 1, how many letters of s the occurrence spans": lambda i: i[-1] - i[0],
        "the exponent is the span in s, gaps included, not the length of u": len,
        "the exponent is the span, not the number of letters left out": lambda i: i[-1] - i[0] + 1 - len(i),
    }
    wrong = {text: [gap_features(*case, exponent) for case in cases] for text, exponent in mistakes.items()}
    wrong["u may occur several times; its occurrences are added"] = [chosen(max, *case) for case in cases]
    wrong["all occurrences of u are added, not the first alone"] = [chosen(first, *case) for case in cases]
    values = {text: [float(d[u]) for d in dicts for u in sorted(d)] for text, dicts in wrong.items()}
    why = hint([float(value) for _, _, value, _ in answers], values, atol=1e-12)
    for what, u, found, right in answers:
        expect(abs(found - right) < 1e-9, f"{what}, φ({u}) should be {right}, got {found}.{why}")
    print("✓ the features of the gap-weighted kernel")


def positions(s, u):
    """Each i with s(i) = u, from 0 on."""
    return [i for i in combinations(range(len(s)), len(u)) if "".join(s[k] for k in i) == u]


def gap_features(s, length, decay, exponent=lambda i: i[-1] - i[0] + 1):
    """φᵤ(s) = Σ λ^exponent(i) over the positions i of u in s, for every u of this length."""
    features = {}
    for i in combinations(range(len(s)), length):
        u = "".join(s[k] for k in i)
        features[u] = features.get(u, 0) + decay ** exponent(i)
    return features


def chosen(one, s, length, decay):
    """One term of each φᵤ(s)."""
    features = gap_features(s, length, decay)
    return {u: one([decay ** (i[-1] - i[0] + 1) for i in positions(s, u)]) for u in features}


def first(terms):
    """That of the first occurrence."""
    return terms[0]
