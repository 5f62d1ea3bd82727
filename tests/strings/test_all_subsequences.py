"""The all-subsequences kernel of two strings against enumerations, closed forms and itself."""

import math
import sys
from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from samples import assert_refused, peak_bytes

from kernlib.plain import subsequence_table
from kernlib.strings import AllSubsequences, all_subsequences, log_all_subsequences, subsequence_counts

METHODS = ("table", "recurrence", "brute force")
EPS = np.finfo(float).eps


def words(longest, letters="ab"):
    """All strings of at most so many letters."""
    return ["".join(u) for length in range(longest + 1) for u in product(letters, repeat=length)]


def occurrences(s):
    """The number of tuples of positions of s that spell a string, for each that occurs."""
    return Counter(
        tuple(s[i] for i in positions)
        for length in range(len(s) + 1)
        for positions in combinations(range(len(s)), length)
    )


def test_every_method_is_the_enumeration_and_exact():
    mu = Fraction(2, 3)
    for s, t in product([*words(4), "abcabc", "cabbage"], [*words(4), "bacca"]):
        phi, psi = occurrences(s), occurrences(t)
        exact = sum(mu ** len(u) * phi[u] * psi[u] for u in phi)
        for method in METHODS:
            value = all_subsequences(s, t, weight=mu, method=method)
            assert value == exact and type(value) is Fraction, (s, t, method)


def test_weight_zero_leaves_the_empty_subsequence():
    for weight in (0, 0.0, Fraction(0)):
        for method in METHODS:
            assert all_subsequences("banana", "ananas", weight=weight, method=method) == 1
        assert log_all_subsequences("banana", "ananas", weight=weight) == 0


@pytest.mark.parametrize(
    "weight, kind",
    [(2, int), (np.int8(2), int), (Fraction(2), Fraction), (2.0, float), (np.float32(2), float)],
)
def test_the_result_has_the_type_of_the_weight(weight, kind):
    for method in METHODS:
        value = all_subsequences("abcabcab", "cabbacab", weight=weight, method=method)
        assert type(value) is kind and value == all_subsequences("abcabcab", "cabbacab", weight=2)


def test_the_table_holds_the_kernel_of_every_pair_of_prefixes():
    s, t = "gatta", "tagat"
    table = subsequence_table(s, t)
    assert [len(row) for row in table] == [len(t) + 1] * (len(s) + 1)
    for i, j in product(range(len(s) + 1), range(len(t) + 1)):
        assert table[i][j] == all_subsequences(s[:i], t[:j], method="brute force")
    assert subsequence_table("", "ab") == [[1, 1, 1]] and subsequence_table("", "") == [[1]]


def test_the_feature_map_counts_occurrences():
    assert subsequence_counts("aaaa") == {"": 1, "a": 4, "aa": 6, "aaa": 4, "aaaa": 1}
    assert subsequence_counts((1, 2, 1)) == occurrences((1, 2, 1))
    for s in words(5):
        assert subsequence_counts(s) == {"".join(u): count for u, count in occurrences(s).items()}


def test_an_exact_number_takes_the_memory_of_two_rows_of_its_table():
    n = 300
    value = all_subsequences("a" * n, "a" * n)
    # no number is larger than the last; a list holds 8 bytes of each, and grows by an eighth at a time
    assert peak_bytes(lambda: all_subsequences("a" * n, "a" * n)) < 3 * (n + 1) * (sys.getsizeof(value) + 8)


@pytest.mark.parametrize(("weight", "n"), [(1, 520), (Fraction(5 * 10**6, 2), 60)])
def test_the_logarithm_is_that_of_the_exact_number_beyond_float64(weight, n):
    exact = Fraction(sum(weight**k * math.comb(n, k) ** 2 for k in range(n + 1)))
    log = math.log(exact.numerator) - math.log(exact.denominator)
    value = log_all_subsequences("a" * n, "a" * n, weight=weight)
    assert abs(value - log) < 2 * n * EPS * log  # a rounding for each of the sums on a path
    assert math.isclose(AllSubsequences(weight).diag(["a" * n], log=True)[0], value, rel_tol=2 * n * EPS)


def test_the_logarithm_is_right_if_entries_of_a_row_differ_by_more_than_float64_spans():
    n = 4000  # the entries that matter are 10^450 times smaller than the largest in their rows
    expected = math.lgamma(2 * n + 1) - 2 * math.lgamma(n + 1)
    assert math.isclose(log_all_subsequences("a" * n, "a" * n), expected, rel_tol=1e-12)


def test_514_equal_letters_fit_in_float64_and_for_515_the_error_names_alternatives():
    s = "a" * 514
    assert math.isclose(all_subsequences(s, s, weight=1.0), math.comb(1028, 514), rel_tol=1e-12)
    with pytest.raises(OverflowError) as caught:
        all_subsequences(s + "a", s + "a", weight=1.0)
    assert str(caught.value) == (
        "κ(s, t) is about e^710.2, beyond float64: use the log scale (log_all_subsequences), or an int "
        "or a Fraction as weight for the exact number."
    )


def test_bad_input_raises_one_sentence():
    for s, t, options, error, sentence in [
        (5, "a", {}, TypeError, "s must be a sequence of symbols, got 5"),
        (np.ones((2, 2)), "a", {}, TypeError, r"s must be a sequence .* shape \(2, 2\)"),
        ("a", None, {}, TypeError, "t must be a sequence of symbols, got None"),
        ("a", [[1]], {}, TypeError, r"t must hold hashable symbols, got \[\[1\]\]"),
        ("a", "a", {"weight": -2}, ValueError, "weight must be zero or positive and finite, got -2"),
        ("a", "a", {"weight": "1"}, TypeError, "weight must be a number, got '1'"),
    ]:
        for compute in (all_subsequences, log_all_subsequences):
            assert_refused(lambda: compute(s, t, **options), sentence, error)  # noqa: B023
    long, few = "a" * 21, "must have at most 20 symbols to be listed, got 21"
    for call, sentence in [
        (lambda: all_subsequences("a", "a", method="fast"), "method must be one of 'table', "),
        (lambda: subsequence_counts(long), f"s {few}"),
        (lambda: all_subsequences(long, "a", method="brute force"), f"s {few}"),
        (lambda: all_subsequences("a", long, method="brute force"), f"t {few}"),
    ]:
        assert_refused(call, sentence)
