"""Self-checks of the exercises on string kernels.

Chapter: The all-subsequences kernel.
"""

import numbers
from fractions import Fraction
from itertools import combinations

import numpy as np

from kernlib.book.checks._check import function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import Comparison, expect, expect_numbers
from kernlib.book.datasets import load_surnames
from kernlib.strings import Spectrum, all_subsequences, subsequence_counts

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
PAIRS = [pair.split("|") for pair in ("|", "|ab", "ab|", "a|a", "aaaa|aaaa", "gatta|cata", "abcab|bacabc")]
KERNEL_CASES = [(s, t, weight) for weight in (1, HALF) for s, t in PAIRS]
LONG = 40  # letters of the strings on which comparisons are counted


def count_distinct(s, t, weight):
    """Sum over the different common subsequences."""
    return sum(weight ** len(u) for u in subsequence_counts(s).keys() & subsequence_counts(t).keys())


def count_contiguous(s, t, weight):
    """Sum over the common substrings."""
    lengths = range(1, min(len(s), len(t)) + 1)
    return 1 + sum(weight**k * int(Spectrum(k)([s], [t])[0, 0]) for k in lengths)


def overwrite_row(s, t, weight):
    """Fill each row in the place of the one above, which it still has to read."""
    row = [1] * (len(t) + 1)
    for a in s:
        P = 0
        for j, b in enumerate(t):
            P += weight * row[j] * (a == b)
            row[j + 1] += P
    return row[-1]


def is_exact(function):
    """Expect integers or fractions."""
    for s, t, weight in KERNEL_CASES:
        kind = type(found := function(s, t, weight)).__name__
        sentence = f"With s = {s!r}, t = {t!r}, κ(s, t) should be exact, an int or a Fraction, got {kind}."
        hint = "start from integer ones, and only add and multiply"
        expect(isinstance(found, numbers.Rational), sentence, hint)


class Letter(str):
    """A letter that counts how often it is compared or looked up."""

    compared = 0

    def __eq__(self, other):
        Letter.compared += 1
        return str.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        Letter.compared += 1
        return str.__hash__(self)


class Word(str):
    """A string of letters that count."""

    def __iter__(self):
        return map(Letter, super().__iter__())

    def __getitem__(self, places):
        part = super().__getitem__(places)
        return Word(part) if isinstance(places, slice) else Letter(part)


def compares_few(function):
    """Expect O(|s||t|) comparisons of letters."""
    s, t = (Word(word * (LONG // len(word))) for word in ("acgt", "aacg"))
    Letter.compared, most = 0, 3 * LONG**2
    function(s, t, 1)
    got = f"at most {most:,} comparisons of letters, got {Letter.compared:,}"
    sentence = f"Two strings of {LONG} letters should take {got}."
    expect(Letter.compared <= most, sentence, "P(j) continues P(j − 1), so that no sum is computed twice")


@function_check(
    "the right numbers, exactly, in O(|s||t|) comparisons",
    "κ(s, t)",
    KERNEL_CASES,
    {
        "each match has the weight μ": lambda s, t, weight: all_subsequences(s, t),
        "a subsequence counts once for every pair of positions": count_distinct,
        "a subsequence may have gaps": count_contiguous,
        "a match adds DP(i − 1, j − 1), not DP(i − 1, j)": {"corner": 0},
        "DP(i, j) is the entry above, DP(i − 1, j), plus P(j)": {"above": 0},
        "the empty subsequence counts too, so row 0 and column 0 are ones": {"empty": 0},
        "the running sum P starts anew in every row": {"anew": False},
        "P(j) keeps the matches farther left: the letter may match any of them": {"kept": 0},
        "P has what the row found so far: do not add the entry to the left, too": {"kept": 0, "left": 1},
        "the row above is overwritten before it is read: write into a new row": overwrite_row,
    },
    is_exact,
    compares_few,
    atol=0,
)
def check_kernel(s, t, weight, *, corner=1, above=1, anew=True, empty=1, kept=1, left=0):
    """Check κ(s, t) for several pairs and weights, exactly, and that letters are compared O(|s||t|) times."""
    row, P = [weight**0] * (len(t) + 1), 0
    for a in s:
        P, new = 0 if anew else P, row[:1]
        for j, b in enumerate(t, start=1):
            P = kept * P + (weight * row[j - corner] if a == b else 0)
            new.append(above * row[j] + P + left * new[-1])
        row = new
    return row[-1] - 1 + empty


@self_check("C(2n, n) exceeds 2⁵³ at n = 29, and float64 at n = 515")
def check_growth(n_exact, n_float):
    """Check the first n at which κ(aⁿ, aⁿ) exceeds 2⁵³, and the first at which it exceeds every float64."""
    for name, found, limit, right, power_of_four in (
        ("n_exact", n_exact, "2⁵³", 29, 27),
        ("n_float", n_float, "the largest float64", 515, 512),
    ):
        expect_numbers(name, found, ())
        hints = {right - 1: f"that is the last n that does not exceed {limit}"}
        hints[power_of_four] = "κ is C(2n, n), and 4ⁿ is larger"
        sentence = f"{name} should be the first n for which C(2n, n) exceeds {limit}, got {found}."
        expect(found == right, sentence, hints.get(float(found), ""))


def gap_features(s, length, decay, *, exponent=lambda i: i[-1] - i[0] + 1, combine=sum):
    """Combine λ^exponent(i) over the positions i of u in s, for every u of this length that occurs."""
    terms = {}
    for i in combinations(range(len(s)), length):
        terms.setdefault("".join(s[k] for k in i), []).append(decay ** exponent(i))
    return {u: combine(powers) for u, powers in terms.items()}


GAP_CASES: list[tuple[str, int, Fraction | int]] = [
    ("ab", 1, HALF),
    ("ab", 2, HALF),
    ("aab", 2, HALF),
    ("cat", 2, HALF),
    ("gatta", 3, THIRD),
]
GAP_CASES += [("aabab", 2, HALF), ("aabab", 2, 1)]
compare_features = Comparison(
    "φ, in alphabetical order,",
    gap_features,
    GAP_CASES,
    {
        "the exponent is i_k − i₁ + 1, the span of u in s": {"exponent": lambda i: i[-1] - i[0]},
        "the exponent is the span in s, gaps included, not the length of u": {"exponent": len},
        "the span counts all letters, not the gaps": {"exponent": lambda i: i[-1] - i[0] + 1 - len(i)},
        "u may occur several times: add its occurrences": {"combine": max},
        "add all occurrences of u, not the first alone": {"combine": lambda powers: powers[0]},
    },
    read=lambda features: [features[u] for u in sorted(features)],
)


@self_check("the features of the gap-weighted kernel", compare_features)
def check_gap_features(function):
    """Check φᵤ(s) = Σ λ^(i_k − i₁ + 1) over the positions of u in s, in a dict of all u of one length."""
    for s, length, decay in GAP_CASES:
        found, right = function(s, length, decay), sorted(gap_features(s, length, decay))
        start = f"With s = {s!r}, length = {length}, decay = {decay}, φ should"
        expect(isinstance(found, dict), f"{start} be a dict, got {type(found).__name__}.")
        sentence = f"{start} have the features {right}, got {sorted(map(str, found))}."
        is_joined = all(isinstance(u, str) for u in found)
        hint = "take each u of this length, gaps allowed" if is_joined else "join the letters of u"
        expect(set(found) == set(right), sentence, hint)


def surnames(n: int) -> list[str]:
    """Load n surnames at equal steps from the list of seven languages.

    Parameters
    ----------
    n : int
        How many, at most 2,700.

    Returns
    -------
    list of str
        Of 3 to 14 letters.
    """
    names = load_surnames().strings
    return [str(names[i]) for i in np.linspace(0, len(names) - 1, n).astype(int)]


@number_check("the mean similarity of two surnames")
def check_surnames():
    """Check the mean of κ(s, t)/√(κ(s, s)κ(t, t)) over the pairs s ≠ t of 60 surnames, with μ = 1."""
    names, pairs = surnames(60), np.triu_indices(60, 1)
    K = np.array([[float(all_subsequences(s, t)) for t in names] for s in names])
    squares = np.outer(K.diagonal(), K.diagonal())
    return np.mean((K / np.sqrt(squares))[pairs]), {
        "leave out the pairs of a name with itself": np.mean(K / np.sqrt(squares)),
        "normalize the values": K[pairs].mean(),
        "divide by the square root of κ(s, s)κ(t, t)": np.mean((K / squares)[pairs]),
        "take the mean of quotients, not a quotient of means": K[pairs].mean() / K.diagonal().mean(),
    }


@function_check(
    "the two marks multiply every value by the same factor, so normalizing removes it",
    "the factor",
    [(1.0,), (0.5,), (0.1,)],
    {
        "there is a mark at each end": lambda mu: 1 + mu,
        "both marks can be matched at once: the choices multiply": lambda mu: 1 + 2 * mu,
        "a mark may also be left out": lambda mu: mu**2,
        "use κ, not the normalized kernel": lambda mu: 1.0,
        "the weight of a match is μ, not μ²": lambda mu: (1 + mu**2) ** 2,
    },
)
def check_marks(mu):
    """Check the factor κ(⟨s⟩, ⟨t⟩) / κ(s, t) that marks at both ends bring, as a function of μ."""
    return (1 + mu) ** 2


@function_check(
    "where nothing is similar, the larger class decides",
    "(α₊, α₋, b)",
    [(1, 1), (1, 3), (10, 30), (70, 30)],
    {
        "the smaller class gets the larger α: Σ yᵢαᵢ = 0": {"alphas": lambda *n: (2 * n[0], 2 * n[1])},
        "the sign of b is wrong: the majority wins where κ = 0": {"sign": -1},
        "α = 1 only if the classes have the same size": lambda plus, minus: [1, 1, 0],
        "b = 0 only if the classes have the same size": {"sign": 0},
        "½Σαᵢ² has the derivative αᵢ, not 2αᵢ": {"alphas": lambda plus, minus: (minus, plus)},
        "α₊ is 2n₋/n, not 2/n₊": lambda plus, minus: [2 / plus, 2 / minus, (plus - minus) / (plus + minus)],
    },
)
def check_identity_machine(plus, minus, *, alphas=lambda plus, minus: (2 * minus, 2 * plus), sign=1):
    """Check the SVM on G = I: α₊ = 2n₋/n, α₋ = 2n₊/n, b = (n₊ − n₋)/n."""
    n = plus + minus
    return [*(alpha / n for alpha in alphas(plus, minus)), sign * (plus - minus) / n]


__all__ = public_names(globals(), "surnames")
