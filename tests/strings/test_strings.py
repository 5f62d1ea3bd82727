"""The string kernels against enumerations, closed forms, each other and scikit-learn's ways."""

import math
import sys
import tracemalloc
from collections import defaultdict
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from kernlib.strings import (
    AllSubsequences,
    FixedLength,
    GapWeighted,
    Spectrum,
    StringGram,
    StringKernel,
    all_subsequences,
    base,
    fixed_length,
    gap_weighted,
    log_all_subsequences,
    spectrum,
    subsequence_counts,
    subsequence_table,
)

METHODS = ("table", "recurrence", "brute force")
KERNELS = [
    AllSubsequences(),
    AllSubsequences(0.3),
    AllSubsequences(0),
    FixedLength(2),
    GapWeighted(1, 0.5),
    GapWeighted(3, 0.6),
    Spectrum(1),
    Spectrum(2),
]
EPS = np.finfo(float).eps
MIXED = [
    "",
    "kernel",
    "日本語",
    "na\u0308ive\U0001f600",
    ("k", "e", 3, None),
    ["e", 3, ("pair", 1)],
    b"\x00\x01",
    np.array([0, 1, 3]),
    "e",
    "",
    "ekernelekernel",
]


def words(longest, letters="abc"):
    """All strings of up to so many letters."""
    return ["".join(u) for length in range(longest + 1) for u in product(letters, repeat=length)]


def dna(n, length, seed=0, spread=0):
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list("ACGT"), length + rng.integers(spread + 1))) for _ in range(n)]


def occurrences(s):
    """All tuples of positions of s, under the subsequence that they spell."""
    found = defaultdict(list)
    for length in range(len(s) + 1):
        for positions in combinations(range(len(s)), length):
            found[tuple(s[i] for i in positions)].append(positions)
    return found


def by_hand(kernel, s, t):
    """κ(s, t) as the sum over all common subsequences of the products of their features."""

    def span(positions):
        return positions[-1] - positions[0] + 1

    match kernel:
        case AllSubsequences(weight):
            feature = lambda u, places: weight ** (len(u) / 2) * len(places)  # noqa: E731
        case FixedLength(length):
            feature = lambda u, places: len(places) * (len(u) == length)  # noqa: E731
        case GapWeighted(length, decay):
            feature = lambda u, places: sum(decay ** span(i) for i in places if len(i) == length)  # noqa: E731
        case Spectrum(length):
            feature = lambda u, places: sum(len(i) == length == span(i) for i in places if i)  # noqa: E731
        case _:
            raise AssertionError(f"no formula by hand for {kernel}: write one")
    phi, psi = occurrences(s), occurrences(t)
    return sum(feature(u, phi[u]) * feature(u, psi[u]) for u in phi.keys() & psi.keys())


def of_two(kernel, s, t):
    """The two-string function of a kernel."""
    match kernel:
        case AllSubsequences(weight):
            return all_subsequences(s, t, weight=weight)
        case FixedLength(length):
            return fixed_length(s, t, length=length)
        case GapWeighted(length, decay):
            return gap_weighted(s, t, length=length, decay=decay)
        case Spectrum(length):
            return spectrum(s, t, length=length)
    raise AssertionError(f"no function of two strings for {kernel}")


def double_loop(kernel, S, T):
    return np.array([[of_two(kernel, s, t) for t in T] for s in S], dtype=float).reshape(len(S), len(T))


@pytest.fixture(params=[None, 3], ids=["one tile", "many tiles"])
def side(request, monkeypatch):
    """Run with tiles as they are, and with tiles of three strings."""
    if request.param:
        monkeypatch.setattr(base, "LARGEST_SIDE", request.param)


def test_every_kernel_on_strings_is_tested_here():
    assert set(StringKernel.__subclasses__()) == {type(kernel) for kernel in KERNELS}


# The all-subsequences kernel of two strings


def test_table_recurrence_and_brute_force_agree_on_all_short_pairs():
    for s, t in product(words(4), words(3)):
        by_method = {all_subsequences(s, t, method=method) for method in METHODS}
        assert len(by_method) == 1, (s, t)


def test_the_kernel_counts_matching_pairs_of_position_tuples_on_all_strings_of_up_to_six_letters():
    S = words(6)
    features = [{u: len(places) for u, places in occurrences(s).items()} for s in S]
    number = {u: column for column, u in enumerate(set().union(*features))}
    Phi = np.zeros((len(S), len(number)))
    for row, phi in zip(Phi, features, strict=True):
        row[[number[u] for u in phi]] = list(phi.values())
    assert (AllSubsequences()(S) == Phi @ Phi.T).all()
    weights = 0.3 ** np.array([len(u) for u in number])
    np.testing.assert_allclose(AllSubsequences(0.3)(S), (Phi * weights) @ Phi.T, rtol=1e-13)


def test_the_symmetric_twin_of_the_recurrence_holds():
    mu = Fraction(2, 3)
    for s, t in product(words(3), words(3)):
        for a in "abc":
            grown = all_subsequences(s, t, weight=mu) + mu * sum(
                all_subsequences(s[:i], t, weight=mu) for i in range(len(s)) if s[i] == a
            )
            assert all_subsequences(s, t + a, weight=mu) == grown


@pytest.mark.parametrize("n", [0, 1, 5, 29, 64, 300])
def test_equal_letters_give_the_central_binomial_coefficient_exactly(n):
    value = all_subsequences("a" * n, "a" * n)
    assert value == math.comb(2 * n, n) and type(value) is int
    assert all_subsequences("a" * n, "a" * n, weight=Fraction(3)) == sum(
        3**k * math.comb(n, k) ** 2 for k in range(n + 1)
    )


@settings(max_examples=60, deadline=None)
@given(st.text("ab", max_size=7), st.text("ab", max_size=7), st.fractions(0, 5, max_denominator=9))
def test_a_rational_weight_is_exact_by_every_method(s, t, mu):
    exact = sum(
        mu ** len(u) * len(places) * len(occurrences(t).get(u, [])) for u, places in occurrences(s).items()
    )
    for method in METHODS:
        value = all_subsequences(s, t, weight=mu, method=method)
        assert value == exact and type(value) is Fraction


def test_weight_zero_leaves_the_empty_subsequence():
    for weight in (0, 0.0, Fraction(0)):
        for method in METHODS:
            assert all_subsequences("banana", "ananas", weight=weight, method=method) == 1
        assert log_all_subsequences("banana", "ananas", weight=weight) == 0


@pytest.mark.parametrize(
    "weight, kind",
    [(2, int), (np.int8(2), int), (Fraction(2), Fraction), (2.0, float), (np.float32(2), float)],
)
def test_the_weight_decides_the_arithmetic(weight, kind):
    for method in METHODS:
        value = all_subsequences("abcabcab", "cabbacab", weight=weight, method=method)
        assert type(value) is kind and value == all_subsequences("abcabcab", "cabbacab", weight=2)
    assert {type(entry) for row in subsequence_table("abc", "ca", weight=weight) for entry in row} == {kind}


def test_the_table_holds_the_kernel_of_every_pair_of_prefixes():
    s, t = "gatta", "tagat"
    table = subsequence_table(s, t)
    assert [len(row) for row in table] == [len(t) + 1] * (len(s) + 1)
    assert set(table[0]) == {row[0] for row in table} == {1}
    for i, j in product(range(len(s) + 1), range(len(t) + 1)):
        assert table[i][j] == all_subsequences(s[:i], t[:j], method="brute force")
    assert subsequence_table("", "ab") == [[1, 1, 1]] and subsequence_table("", "") == [[1]]


def test_the_feature_map_counts_occurrences():
    assert subsequence_counts("aaaa") == {"": 1, "a": 4, "aa": 6, "aaa": 4, "aaaa": 1}
    assert subsequence_counts((1, 2, 1)) == {
        (): 1,
        (1,): 2,
        (2,): 1,
        (1, 2): 1,
        (2, 1): 1,
        (1, 1): 1,
        (1, 2, 1): 1,
    }
    for s in words(5, "ab"):
        phi = subsequence_counts(s)
        assert phi == {"".join(u): len(places) for u, places in occurrences(s).items()}
        for k in range(len(s) + 1):
            assert sum(len(u) == k for u in phi) <= min(math.comb(len(s), k), 2**k)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 3), max_size=12))
def test_symmetry_reversal_and_renaming_change_nothing(s, t):
    value = all_subsequences(s, t)
    assert value == all_subsequences(t, s) == all_subsequences(s[::-1], t[::-1])
    assert value == all_subsequences([f"symbol {a}" for a in s], tuple(f"symbol {a}" for a in t))
    for length in (1, 2, 3):
        exact = {"length": length, "decay": Fraction(1, 3)}
        assert (
            gap_weighted(s, t, **exact)
            == gap_weighted(t, s, **exact)
            == gap_weighted(s[::-1], t[::-1], **exact)
        )


def test_unicode_is_compared_by_code_point():
    assert all_subsequences("é", "e\u0301") == 1  # one code point against two others
    assert all_subsequences("日本", "本日") == 3
    assert all_subsequences("\U0001f600", "\U0001f600") == 2


# Floats, and logarithms where these end


@pytest.mark.parametrize("weight", [1, Fraction(5, 2)])
def test_the_logarithm_is_that_of_the_exact_number_beyond_float64(weight):
    n = 600
    exact = Fraction(sum(weight**k * math.comb(n, k) ** 2 for k in range(n + 1)))
    log = math.log(exact.numerator) - math.log(exact.denominator)
    value = log_all_subsequences("a" * n, "a" * n, weight=weight)
    assert abs(value - log) < 2 * n * EPS * log  # a rounding for each of the sums on a path
    assert math.isclose(AllSubsequences(weight).diag(["a" * n], log=True)[0], value, rel_tol=2 * n * EPS)


def test_the_logarithm_of_random_strings_is_that_of_the_exact_number():
    for s, t in zip(dna(10, 0, 1, spread=60), dna(10, 0, 2, spread=60), strict=True):
        exact = math.log(all_subsequences(s, t))
        assert math.isclose(log_all_subsequences(s, t), exact, rel_tol=1e-14, abs_tol=1e-14)


def test_the_logarithm_survives_rows_that_span_more_than_float64():
    n = 4000  # the entries that decide lie 10^450 below the largest in their rows
    expected = math.lgamma(2 * n + 1) - 2 * math.lgamma(n + 1)
    assert math.isclose(log_all_subsequences("a" * n, "a" * n), expected, rel_tol=1e-12)


def test_514_equal_letters_fit_in_float64_and_515_are_refused():
    for n, fits in [(514, True), (515, False)]:
        s = "a" * n
        for compute in (
            lambda s=s: all_subsequences(s, s, weight=1.0),
            lambda s=s: AllSubsequences()(["", s])[1, 1],
            lambda s=s: AllSubsequences().diag(["", s])[1],
        ):
            if fits:
                assert math.isclose(compute(), math.comb(2 * n, n), rel_tol=1e-12)
            else:
                with pytest.raises(OverflowError, match=r"beyond float64.* use the log scale"):
                    compute()


def test_only_the_pairs_that_overflow_are_named_and_the_log_scale_gives_all(side):
    S = ["a" * 40, "b" * 9, "a" * 520, "", "ab" * 150]
    with pytest.raises(OverflowError, match=r"first at \[2, 2\]"):
        AllSubsequences()(S)
    with pytest.raises(OverflowError, match=r"first at \[2\]"):
        AllSubsequences().diag(S)
    exact = [[math.log(all_subsequences(s, t)) for t in S] for s in S]
    np.testing.assert_allclose(AllSubsequences()(S, log=True), exact, rtol=1e-12)


def test_gaps_too_long_for_float64_keep_their_logarithm():
    s, t = "a" + "x" * 200 + "b", "a" + "y" * 150 + "b"
    kernel, exact = GapWeighted(2, 0.1), math.log(0.1) * (202 + 152)
    assert kernel([s], [t])[0, 0] == 0
    assert math.isclose(kernel([s], [t], log=True)[0, 0], exact, rel_tol=1e-13)
    assert kernel(["ab"], ["cd"], log=True)[0, 0] == -np.inf


# The family


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_functions_of_two_strings_are_the_enumeration_on_all_short_pairs(kernel):
    for s, t in product([*words(4, "ab"), "abcabc", "cabbage"], [*words(4, "ab"), "bacca"]):
        assert math.isclose(of_two(kernel, s, t), by_hand(kernel, s, t), rel_tol=1e-13)


def test_gap_weighted_is_the_example_of_its_paper():
    lam = Fraction(1, 3)
    assert gap_weighted("cat", "car", length=2, decay=lam) == lam**4
    assert gap_weighted("cat", "cat", length=2, decay=lam) == 2 * lam**4 + lam**6


@settings(max_examples=40, deadline=None)
@given(st.text("abc", max_size=9), st.text("abc", max_size=9), st.fractions(0, 3, max_denominator=5))
def test_all_subsequences_are_those_of_every_fixed_length(s, t, mu):
    by_length = [fixed_length(s, t, length=k) for k in range(1, min(len(s), len(t)) + 1)]
    assert all_subsequences(s, t, weight=mu) == 1 + sum(mu**k * kappa for k, kappa in enumerate(by_length, 1))


def peak(job):
    """The memory that a call takes, in bytes, and what it gives."""
    tracemalloc.start()
    try:
        value = job()
        return tracemalloc.get_traced_memory()[1], value
    finally:
        tracemalloc.stop()


def test_an_exact_number_takes_the_memory_of_two_rows_of_its_table():
    n = 300
    used, value = peak(lambda: all_subsequences("a" * n, "a" * n))
    assert value == math.comb(2 * n, n)
    row = (n + 1) * (
        sys.getsizeof(value) + 8
    )  # no number is larger than the last; a list holds 8 bytes of each
    assert used < 3 * row  # the table would be a hundred times that; lists grow by an eighth at a time


@pytest.mark.parametrize("length", [3, 10**6, 10**30])
def test_a_length_beyond_the_strings_costs_nothing(length):
    def all_ways():
        kernels = FixedLength(length), GapWeighted(length, 0.5), Spectrum(length)
        return [
            fixed_length("ab", "ab", length=length),
            gap_weighted("ab", "ab", length=length, decay=0.5),
            gap_weighted("ab", "ab", length=length, decay=Fraction(1, 2)),
            spectrum("ab", "ab", length=length),
            *(kernel(["ab"], ["ab", "abab"])[0, 0] for kernel in kernels),
            *(kernel.diag(["ab"])[0] for kernel in kernels),
            *(kernel.normalised(["ab"])[0, 0] for kernel in kernels),
        ]

    all_ways()  # the first call may import
    used, values = peak(all_ways)
    assert values == [0] * 13
    assert used < 10**5


def test_a_length_of_numpys_small_integers_counts_as_any_other():
    three = np.uint8(3)  # in which 2 − 3 is 255
    assert spectrum("ab", "ab", length=three) == Spectrum(three)(["ab"])[0, 0] == 0
    assert Spectrum(three) == Spectrum(3) and type(Spectrum(three).length) is int


def test_strings_shorter_than_the_length_share_nothing():
    for kernel in (FixedLength(3), GapWeighted(3, 0.5), Spectrum(3)):
        assert (kernel(["", "ab"], ["ab", "abc"]) == 0).all()
        assert (kernel.normalised(["", "ab"]) == 0).all()


# Gram matrices


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_gram_is_the_double_loop_for_any_sequences_of_any_lengths(kernel, side):
    S, T = MIXED, [*MIXED[::-2], "ele", ()]
    expected = double_loop(kernel, S, T)
    np.testing.assert_allclose(kernel(S, T), expected, rtol=1e-13)
    np.testing.assert_allclose(kernel(S), double_loop(kernel, S, S), rtol=1e-13)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(kernel(S, T, log=True), np.log(expected), rtol=1e-12, atol=1e-13)


lists_of_strings = st.lists(st.text("abé日", max_size=12), max_size=9)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(KERNELS), lists_of_strings, lists_of_strings)
def test_gram_is_the_double_loop_for_random_lists(kernel, S, T):
    np.testing.assert_allclose(kernel(S, T), double_loop(kernel, S, T), rtol=1e-13)
    np.testing.assert_allclose(kernel.diag(S), [of_two(kernel, s, s) for s in S], rtol=1e-13)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(KERNELS), lists_of_strings, st.randoms(use_true_random=False))
def test_permuted_strings_give_the_permuted_gram_matrix(kernel, S, random):
    order = random.sample(range(len(S)), len(S))
    permuted = [S[i] for i in order]
    np.testing.assert_allclose(kernel(permuted), kernel(S)[np.ix_(order, order)], rtol=1e-13)
    np.testing.assert_allclose(kernel.normalised(permuted, S), kernel.normalised(S)[order], rtol=1e-13)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_gram_is_symmetric_psd_with_the_diagonal_of_diag(kernel, side):
    S = [*dna(40, 0, spread=30), "", "A"]
    for G in (kernel(S), kernel.normalised(S)):
        assert (G == G.T).all()
        lam = np.linalg.eigvalsh(G)
        assert lam[0] >= -len(G) * EPS * lam[-1]
    assert (np.diag(kernel(S)) == kernel.diag(S)).all()
    assert (np.diag(kernel(S, log=True)) == kernel.diag(S, log=True)).all()


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_normalised_kernel_is_a_cosine(kernel, side):
    S, T = [*dna(15, 4, 1, spread=30), "AC", "AC"], dna(10, 4, 2, spread=30)
    G = kernel.normalised(S)
    has_features = kernel.diag(S) > 0
    assert (np.diag(G) == has_features).all()
    assert (G >= 0).all() and (G <= 1).all()
    norms = [np.sqrt(kernel.diag(strings)) for strings in (S, T)]
    with np.errstate(invalid="ignore"):
        expected = np.nan_to_num(kernel(S, T) / np.outer(*norms))
    np.testing.assert_allclose(kernel.normalised(S, T), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel.normalised(S, S), G, rtol=1e-12)


def test_the_normalised_kernel_never_overflows(side):
    n = 530
    twice = 2 * dna(5, 30, spread=9)  # some in numbers, some in logarithms, where tiles are small
    G = AllSubsequences().normalised(["a" * n, "a" * (n - 1), "b" * n, "", *twice])
    square = Fraction(math.comb(2 * n - 1, n) ** 2, math.comb(2 * n, n) * math.comb(2 * n - 2, n - 1))
    assert math.isclose(G[0, 1], math.sqrt(square), rel_tol=2 * n * EPS * math.log(math.comb(2 * n, n)))
    assert (np.diag(G) == 1).all() and (G >= 0).all() and (G <= 1).all()
    assert math.isclose(G[2, 3], math.exp(-math.log(math.comb(2 * n, n)) / 2), rel_tol=1e-10)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_an_empty_list_gives_an_empty_matrix(kernel):
    for compute in (kernel, kernel.normalised):
        assert compute([]).shape == (0, 0)
        assert compute([], ["a", "b"]).shape == (0, 2)
        assert compute(["a", "b"], []).shape == (2, 0)
    assert kernel.diag([]).shape == (0,)


def test_lists_may_be_arrays_tuples_and_generators():
    S = ["abc", "cab", "bca"]
    expected = AllSubsequences()(S)
    for other in (np.array(S), np.array(S, dtype=object), tuple(S), np.array([list(s) for s in S])):
        assert (AllSubsequences()(other) == expected).all()
    assert (AllSubsequences()(s for s in S) == expected).all()


# scikit-learn


def words_with_or_without_a_motif(n=60):
    """Strings with "GAT" in order somewhere in the second half of the classes, and never in the first."""
    strings, y = dna(4 * n, 6, 5, spread=6), []
    y = [any(s[i] + s[j] + s[k] == "GAT" for i, j, k in combinations(range(len(s)), 3)) for s in strings]
    return strings, np.array(y)


def test_grid_search_over_kernels_takes_plain_lists_of_strings():
    X, y = words_with_or_without_a_motif()
    pipeline = make_pipeline(StringGram(), SVC(kernel="precomputed"))
    grid = {"stringgram__kernel": [AllSubsequences(0), FixedLength(3)], "svc__C": [1, 10]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(X[:160], y[:160])
    assert search.best_params_["stringgram__kernel"] == FixedLength(3)
    assert search.score(X[160:], y[160:]) > max(y.mean(), 1 - y.mean()) + 0.1
    by_hand = SVC(kernel="precomputed", C=search.best_params_["svc__C"])
    by_hand.fit(FixedLength(3).normalised(X[:160]), y[:160])
    expected = by_hand.decision_function(FixedLength(3).normalised(X[160:], X[:160]))
    np.testing.assert_allclose(search.decision_function(X[160:]), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("normalised", [True, False])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_transformer_gives_rows_of_the_gram_matrix(kernel, normalised):
    train, test = dna(20, 3, 1, spread=9), dna(7, 3, 2, spread=9)
    transformer = StringGram(kernel, normalised=normalised).fit(train)
    gram = kernel.normalised if normalised else kernel
    np.testing.assert_allclose(transformer.transform(test), gram(test, train), rtol=1e-13)
    np.testing.assert_allclose(transformer.fit_transform(train), transformer.transform(train), rtol=1e-12)
    for row, s in zip(transformer.transform(test), test, strict=True):
        np.testing.assert_allclose(transformer.transform([s])[0], row, rtol=1e-12)
    assert transformer.transform([]).shape == (0, 20)
    assert list(transformer.get_feature_names_out())[:2] == ["stringgram0", "stringgram1"]


def test_the_transformer_is_cloned_with_its_kernel_and_keeps_parameters_apart():
    transformer = StringGram(GapWeighted(4, 0.7), normalised=False)
    copy = clone(transformer)
    assert copy.get_params() == {"kernel": GapWeighted(4, 0.7), "normalised": False}
    assert StringGram().fit(["a"]).kernel_ == AllSubsequences() and StringGram().kernel is None
    train = ["ab", "ba"]
    fitted = StringGram().fit(train)
    train[0] = "zz"
    np.testing.assert_array_equal(
        fitted.transform(["ab"]), AllSubsequences().normalised(["ab"], ["ab", "ba"])
    )


@pytest.mark.parametrize(
    "make, error, sentence",
    [
        (lambda: all_subsequences(5, "a"), TypeError, "s must be a sequence of symbols, got 5"),
        (lambda: all_subsequences("a", None), TypeError, "t must be a sequence of symbols, got None"),
        (lambda: all_subsequences({"a"}, "a"), TypeError, "s must be a sequence of symbols, got {'a'}"),
        (
            lambda: all_subsequences(np.ones((2, 2)), "a"),
            TypeError,
            r"s must be a sequence .* shape \(2, 2\)",
        ),
        (lambda: all_subsequences("a", [[1]]), TypeError, "t must hold hashable symbols, got an unhashable"),
        (
            lambda: all_subsequences("a", "a", weight=-1),
            ValueError,
            "weight must be zero or positive and finite",
        ),
        (
            lambda: all_subsequences("a", "a", weight=math.nan),
            ValueError,
            "weight must be .* finite, got nan",
        ),
        (lambda: all_subsequences("a", "a", weight="1"), TypeError, "weight must be a number, got '1'"),
        (lambda: all_subsequences("a", "a", method="fast"), ValueError, "method must be one of 'table', "),
        (
            lambda: all_subsequences("a" * 21, "a", method="brute force"),
            ValueError,
            "s must have at most 20 symbols .* got 21",
        ),
        (
            lambda: all_subsequences("a", "a" * 21, method="brute force"),
            ValueError,
            "t must have at most 20 symbols .* got 21",
        ),
        (
            lambda: all_subsequences("a", 3, method="brute force"),
            TypeError,
            "t must be a sequence of symbols, got 3",
        ),
        (
            lambda: GapWeighted(2, Fraction(1, 10**400)),
            ValueError,
            "decay must be positive and finite, got 1/1",
        ),
        (
            lambda: subsequence_counts("a" * 21),
            ValueError,
            "at most 20 symbols to list its subsequences, got 21",
        ),
        (lambda: subsequence_counts(7), TypeError, "s must be a sequence of symbols, got 7"),
        (
            lambda: subsequence_table("a", "b", weight=-2),
            ValueError,
            "weight must be zero or positive .* got -2",
        ),
        (lambda: log_all_subsequences("a", "b", weight=-2), ValueError, "weight must be zero or positive"),
        (lambda: log_all_subsequences("a", 3), TypeError, "t must be a sequence of symbols, got 3"),
        (
            lambda: all_subsequences("a" * 600, "a" * 600, weight=1.0),
            OverflowError,
            r"κ\(s, t\) is about e\^828.0, beyond float64: use the log scale \(log_all_subsequences\), or an",
        ),
        (
            lambda: fixed_length("a", "a", length=0),
            ValueError,
            "length must be at least 1, got 0",
        ),
        (
            lambda: gap_weighted("a" * 518, "a" * 518, length=259, decay=1.0),
            OverflowError,
            r"κ\(s, t\) is beyond float64: use the log scale",
        ),
        (lambda: spectrum("a", "a", length=0), ValueError, "length must be at least 1, got 0"),
        (lambda: spectrum("a", "a", length=1.5), TypeError, "length must be an integer, got 1.5"),
        (lambda: gap_weighted("a", "a", length=2, decay=0), ValueError, "above 0 and at most 1, got 0"),
        (lambda: gap_weighted("a", "a", length=2, decay=1.5), ValueError, "above 0 and at most 1, got 1.5"),
        (lambda: gap_weighted("a", "a", length=2, decay="x"), TypeError, "decay must be a number, got 'x'"),
        (lambda: AllSubsequences(-0.1), ValueError, "weight must be zero or positive and finite, got -0.1"),
        (lambda: Spectrum(0), ValueError, "length must be at least 1, got 0"),
        (lambda: FixedLength(0), ValueError, "length must be at least 1, got 0"),
        (lambda: GapWeighted(0), ValueError, "length must be at least 1, got 0"),
        (lambda: GapWeighted(2, 0), ValueError, "decay must be above 0 and at most 1, got 0"),
        (
            lambda: AllSubsequences()("abc"),
            TypeError,
            r"S must be a list of strings, got a single one: pass \[S\]",
        ),
        (lambda: AllSubsequences()(["a"], b"bc"), TypeError, "T must be a list of strings, got a single one"),
        (lambda: AllSubsequences()(["a", 5]), TypeError, r"S\[1\] must be a sequence of symbols, got 5"),
        (lambda: AllSubsequences().diag(["a", math.nan]), TypeError, r"S\[1\] must be a sequence .* got nan"),
        (
            lambda: AllSubsequences().normalised(["a"], [[[]]]),
            TypeError,
            r"T\[0\] must hold hashable symbols",
        ),
        (lambda: AllSubsequences()({"a": 1}), TypeError, "S must be a list of strings, got {'a': 1}"),
        (lambda: AllSubsequences()(3), TypeError, "S must be a list of strings, got 3"),
        (
            lambda: AllSubsequences()(np.array([["abc"], ["ab"]])),
            TypeError,
            r"S must be a list of strings, got an array of shape \(2, 1\)",
        ),
        (
            lambda: StringGram("spectrum").fit(["a"]),
            TypeError,
            "kernel must be a kernel on strings .* 'spectrum'",
        ),
        (lambda: StringGram().fit([]), ValueError, "X must hold at least one string .* got none"),
        (lambda: StringGram().fit(["a", 1]), TypeError, r"X\[1\] must be a sequence of symbols, got 1"),
        (lambda: StringGram().transform(["a"]), ValueError, "is not fitted yet"),
    ],
)
def test_bad_input_gets_one_sentence(make, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        make()
    assert "\n" not in str(caught.value)
