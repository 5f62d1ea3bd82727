"""Self-checks of the exercises on string kernels.

Chapter: The all-subsequences kernel.
"""

import numbers
from collections import Counter
from fractions import Fraction
from itertools import combinations

from kernlib.exercises import expect, hint, self_check
from kernlib.strings import all_subsequences, spectrum, subsequence_counts
from kernlib.validation import shown

__all__ = [
    "check_gap_features",
    "check_growth",
    "check_identity_machine",
    "check_kernel",
    "check_marks",
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
    for weight in WEIGHTS:
        for s, t in PAIRS:
            found, right = function(s, t, weight), all_subsequences(s, t, weight=weight)
            what = f"κ({s or 'ε'}, {t or 'ε'}) with weight {weight}"
            expect(
                isinstance(found, numbers.Rational),
                f"{what} should be exact, an int or a Fraction, got {shown(found)}. Hint: start from ones "
                "that are integers, and add and multiply only.",
            )
            expect(
                found == right,
                f"{what} should be {right}, got {found}." + kernel_hint(s, t, weight, found),
            )
    compared = comparisons(function)
    most = 3 * LONG**2
    expect(
        compared <= most,
        f"Two strings of {LONG} letters should take at most {most:,} comparisons of letters, got "
        f"{compared:,}. Hint: P(j) continues P(j − 1), so no sum is taken twice.",
    )
    print("✓ exercise 1: the right numbers, exactly, in O(|s||t|) comparisons")


def kernel_hint(s, t, weight, found):
    """The mistake that explains a wrong κ(s, t), to append to a sentence."""
    parts = range(1, min(len(s), len(t)) + 1)
    common = subsequence_counts(s).keys() & subsequence_counts(t).keys()
    right = all_subsequences(s, t, weight=weight)
    mistakes = {
        "the weight μ goes with each match": all_subsequences(s, t),
        "a subsequence counts once for every pair of positions": sum(weight ** len(u) for u in common),
        "a subsequence may have gaps": 1 + sum(weight**k * spectrum(s, t, length=k) for k in parts),
        "a match adds DP(i − 1, j − 1), not DP(i − 1, j)": wrong_table(s, t, weight, corner=0),
        "DP(i, j) is the entry above, DP(i − 1, j), plus P(j)": wrong_table(s, t, weight, above=0),
    }
    if not (s and t):  # who forgets it is told here, before the other pairs
        mistakes["the empty subsequence counts too, so row 0 and column 0 are ones"] = right - 1
    mistakes = {text: float(wrong) for text, wrong in mistakes.items() if wrong != right}
    return hint(float(found), mistakes, atol=0)


def wrong_table(s, t, weight, *, corner=1, above=1):
    """The last entry of a table whose matches add DP(i − 1, j − corner), and which may leave out `above`."""
    row = [weight**0] * (len(t) + 1)
    for a in s:
        P, new = 0, row[:1]
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
    print("✓ exercise 2: C(2n, n) exceeds 2⁵³ at n = 29, and float64 at n = 515")


@self_check
def check_gap_features(function):
    """
    Check φᵤ(s) = Σ λ^(i_k − i₁ + 1) over the positions of u in s, for all u of one length.

    Parameters
    ----------
    function : callable
        Called as ``function(s, length, decay)``; returns a dict from u, a str, to φᵤ(s) for all u that occur.
    """
    for s in ("cat", "gatta", "aabab"):
        for length, decay in ((1, Fraction(1, 2)), (2, Fraction(1, 2)), (3, Fraction(1, 3)), (2, 1)):
            found, right = function(s, length, decay), gap_features(s, length, decay)
            what = f"φ({s}) for length {length} and decay {decay}"
            expect(
                set(found) == set(right),
                f"{what} should have the features {', '.join(sorted(right))}, got "
                f"{', '.join(sorted(map(str, found))) or 'none'}. Hint: each u of this length in s, "
                "gaps allowed.",
            )
            us = sorted(right)
            tightest = {u: max(decay ** (i[-1] - i[0] + 1) for i in positions(s, u)) for u in us}
            mistakes = {
                "the exponent is i_k − i₁ + 1, how many letters of s the occurrence spans": gap_features(
                    s, length, decay, lambda i: i[-1] - i[0]
                ),
                "the exponent is the span in s, gaps included, not the length of u": gap_features(
                    s, length, decay, len
                ),
                "u may occur several times; its occurrences are added": tightest,
            }
            mistakes = {text: [float(wrong[u]) for u in us] for text, wrong in mistakes.items()}
            why = hint([float(found[u]) for u in us], mistakes, atol=1e-12)
            for u in us:
                expect(
                    abs(found[u] - right[u]) < 1e-9,
                    f"Entry {u} of {what} should be {right[u]}, got {found[u]}.{why}",
                )
    print("✓ exercise 3: the features of the gap-weighted kernel")


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


@self_check
def check_marks(function):
    """
    Check the factor κ(⟨s⟩, ⟨t⟩) / κ(s, t) that marks at both ends bring, as a function of μ.

    Parameters
    ----------
    function : callable
        From μ to the factor.
    """
    for mu in (1.0, 0.5, 0.1):
        found, right = function(mu), (1 + mu) ** 2
        mistakes = {
            "there is a mark at each end": 1 + mu,
            "both marks can be matched at once: the choices multiply": 1 + 2 * mu,
            "a mark may also be left out": mu**2,
            "it is κ, not the normalised kernel": 1.0,
        }
        expect(
            abs(found - right) < 1e-9,
            f"The factor for μ = {mu} should be {right:.3g}, got {float(found):.3g}."
            + hint(found, mistakes, atol=1e-9),
        )
    print("✓ exercise 4: both marks bring the same factor to every pair, so normalising removes it")


@self_check
def check_identity_machine(function):
    """
    Check the SVM on G = I: α₊ = 2n₋/n, α₋ = 2n₊/n, b = (n₊ − n₋)/n.

    Parameters
    ----------
    function : callable
        From n₊ and n₋ to (α₊, α₋, b).
    """
    for plus, minus in ((1, 1), (10, 30), (70, 30)):
        n, found = plus + minus, tuple(function(plus, minus))
        right = 2 * minus / n, 2 * plus / n, (plus - minus) / n
        mistakes = {
            "the smaller class gets the larger α: Σ yᵢαᵢ = 0": (right[1], right[0], right[2]),
            "the sign of b: the majority should win where κ = 0": (right[0], right[1], -right[2]),
            "α = 1 needs classes of one size": (1, 1, 0),
            "½Σαᵢ² has the derivative αᵢ, not 2αᵢ": (right[0] / 2, right[1] / 2, right[2]),
        }
        mistakes = {text: wrong for text, wrong in mistakes.items() if wrong != right}
        expect(len(found) == 3, f"The function should return (α₊, α₋, b), got {len(found)} numbers.")
        expect(
            all(abs(a - b) < 1e-9 for a, b in zip(found, right, strict=True)),
            f"For n₊ = {plus}, n₋ = {minus} the machine should have (α₊, α₋, b) = "
            f"({', '.join(f'{v:.3g}' for v in right)}), got ({', '.join(f'{float(v):.3g}' for v in found)})."
            + hint(found, mistakes, atol=1e-9),
        )
    print("✓ exercise 5: where nothing is similar, the majority decides")
