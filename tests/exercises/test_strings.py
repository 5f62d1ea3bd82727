"""The self-checks of the chapter on strings: a right answer passes, a typical mistake gets its sentence."""

from collections import Counter
from fractions import Fraction
from itertools import combinations

import pytest

from kernlib.exercises import strings
from kernlib.exercises.strings import gap_features, positions
from kernlib.strings import all_subsequences, spectrum, subsequence_counts


def kernel(s, t, weight, *, first=1, corner=1, use_weight=True):
    """The table, with one of its parts to be replaced."""
    row = [first] * (len(t) + 1)
    for a in s:
        P, new = 0, [first]
        for j, b in enumerate(t, start=1):
            if a == b:
                P += (weight if use_weight else 1) * row[j - corner]
            new.append(row[j] + P)
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


RIGHT = {
    "the table": lambda: strings.check_kernel(kernel),
    "kernlib's": lambda: strings.check_kernel(lambda s, t, weight: all_subsequences(s, t, weight=weight)),
    "matches looked up": lambda: strings.check_kernel(by_letter),
    "growth": lambda: strings.check_growth(29, 515),
    "gap features": lambda: strings.check_gap_features(gap_features),
    "gap features in floats": lambda: strings.check_gap_features(
        lambda s, length, decay: gap_features(s, length, float(decay))
    ),
    "marks": lambda: strings.check_marks(lambda mu: (1 + mu) ** 2),
    "identity": lambda: strings.check_identity_machine(
        lambda a, b: (2 * b / (a + b), 2 * a / (a + b), (a - b) / (a + b))
    ),
}

WRONG = {
    "zeros at the border": (
        lambda: strings.check_kernel(lambda s, t, w: all_subsequences(s, t, weight=w) - 1),
        "should be 1, got 0. Hint: the empty subsequence",
    ),
    "the entry above": (
        lambda: strings.check_kernel(lambda s, t, w: kernel(s, t, w, corner=0)),
        r"a match adds DP\(i − 1, j − 1\)",
    ),
    "the weight ignored": (
        lambda: strings.check_kernel(lambda s, t, w: kernel(s, t, w, use_weight=False)),
        "with weight 1/2 should be .* μ goes with each match",
    ),
    "each once": (lambda: strings.check_kernel(distinct), "once for every pair of positions"),
    "no gaps": (lambda: strings.check_kernel(contiguous), "may have gaps"),
    "floats": (
        lambda: strings.check_kernel(lambda s, t, w: float(kernel(s, t, w))),
        r"should be exact, an int or a Fraction, got 1\.0",
    ),
    "the recurrence as it stands": (
        lambda: strings.check_kernel(
            lambda s, t, w: slow(s, t, w) if isinstance(s, str) else naive_letters(s, t)
        ),
        "at most 4,800 comparisons of letters, got .* continues P",
    ),
    "the last that fits": (
        lambda: strings.check_growth(28, 515),
        "n_exact .* got 28. Hint: that is the last",
    ),
    "the last float": (lambda: strings.check_growth(29, 514), "n_float .* got 514. Hint: that is the last"),
    "4ⁿ": (lambda: strings.check_growth(27, 512), r"did you use 4ⁿ"),
    "4ⁿ for floats": (lambda: strings.check_growth(29, 512), r"n_float .* did you use 4ⁿ"),
    "some n": (lambda: strings.check_growth(30, 515), r"got 30\.$"),
    "the span less one": (
        lambda: strings.check_gap_features(lambda s, k, lam: gap_features(s, k, lam, lambda i: i[-1] - i[0])),
        r"the exponent is i_k − i₁ \+ 1",
    ),
    "the length of u": (
        lambda: strings.check_gap_features(lambda s, k, lam: gap_features(s, k, lam, len)),
        "not the length of u",
    ),
    "one occurrence": (lambda: strings.check_gap_features(first_occurrence), "occurrences are added"),
    "contiguous parts": (lambda: strings.check_gap_features(parts_only), "should have the features"),
    "one mark": (lambda: strings.check_marks(lambda mu: 1 + mu), "should be 4, got 2. Hint: there is a mark"),
    "a sum": (lambda: strings.check_marks(lambda mu: 1 + 2 * mu), "the choices multiply"),
    "both always": (lambda: strings.check_marks(lambda mu: mu**2), "may also be left out"),
    "normalised": (
        lambda: strings.check_marks(lambda mu: 0.0 * mu + 1),
        "not the normalised kernel|mark may",
    ),
    "α swapped": (
        lambda: strings.check_identity_machine(
            lambda a, b: (2 * a / (a + b), 2 * b / (a + b), (a - b) / (a + b))
        ),
        "the smaller class gets the larger α",
    ),
    "the sign of b": (
        lambda: strings.check_identity_machine(
            lambda a, b: (2 * b / (a + b), 2 * a / (a + b), (b - a) / (a + b))
        ),
        "the majority should win",
    ),
    "classes of one size": (lambda: strings.check_identity_machine(lambda a, b: (1, 1, 0)), "α = 1 needs"),
    "two numbers": (lambda: strings.check_identity_machine(lambda a, b: (1, 0)), "got 2 numbers"),
}


def naive_letters(s, t):
    """The recurrence with each sum taken anew, comparing letters by ==."""
    row = [1] * (len(t) + 1)
    for a in s:
        row = [row[j] + sum(row[k] for k in range(j) if t[k] == a) for j in range(len(t) + 1)]
    return row[-1]


@pytest.mark.parametrize("case", RIGHT)
def test_a_right_answer_passes_with_one_line(case, capsys):
    RIGHT[case]()
    printed = capsys.readouterr().out
    assert printed.startswith("✓ exercise ") and printed.count("\n") == 1


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_answer_gets_the_sentence_that_fits(case, capsys):
    call, sentence = WRONG[case]
    with pytest.raises(AssertionError, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value) and capsys.readouterr().out == ""


def test_the_oracle_of_gap_features_is_the_definition():
    assert gap_features("cat", 2, Fraction(1, 2)) == {
        "ca": Fraction(1, 4),
        "at": Fraction(1, 4),
        "ct": Fraction(1, 8),
    }
    assert positions("aab", "ab") == [(0, 2), (1, 2)]
