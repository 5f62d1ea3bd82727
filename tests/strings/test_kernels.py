"""Gram matrices of lists of strings: double loops over two strings, and cosines."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from samples import assert_refused, dna, peak_bytes

from kernlib.strings import (
    AllSubsequences,
    FixedLength,
    GapWeighted,
    Spectrum,
    StringKernel,
    all_subsequences,
    base,
    gap_weighted,
    kernels,
)

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
ONE_EACH = [AllSubsequences(0.3), FixedLength(2), GapWeighted(3, 0.6), Spectrum(2)]
each_kernel = pytest.mark.parametrize("kernel", ONE_EACH, ids=str)
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


def compare(kernel, s, t):
    """κ(s, t) by the function of two strings; for the spectrum, the number of equal pairs of substrings."""
    match kernel:
        case AllSubsequences(weight):
            return all_subsequences(s, t, weight=weight)
        case FixedLength(length):
            return gap_weighted(s, t, length=length, decay=1)
        case GapWeighted(length, decay):
            return gap_weighted(s, t, length=length, decay=decay)
        case Spectrum(length):
            s, t = (r.tolist() if isinstance(r, np.ndarray) else list(r) for r in (s, t))
            starts = product(range(len(s) - length + 1), range(len(t) - length + 1))
            return sum(s[i : i + length] == t[j : j + length] for i, j in starts)
    raise AssertionError(f"no function of two strings for {kernel}")


def double_loop(kernel, S, T):
    return np.array([[compare(kernel, s, t) for t in T] for s in S], dtype=float).reshape(len(S), len(T))


@pytest.fixture
def many_blocks(monkeypatch):
    """Compute in blocks of three strings, and tables in strips of five columns."""
    monkeypatch.setattr(base, "LARGEST_SIDE", 3)
    monkeypatch.setattr(kernels, "STRIP", 5)


def test_every_kernel_on_strings_is_tested_here():
    kinds = {kind for kind in vars(kernels).values() if isinstance(kind, type) and kind is not StringKernel}
    kinds = {kind for kind in kinds if issubclass(kind, StringKernel)}
    assert kinds == {type(kernel) for kernel in KERNELS} == {type(kernel) for kernel in ONE_EACH}


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_gram_is_the_double_loop_for_any_sequences_of_any_lengths(kernel, many_blocks):
    S, T = MIXED, [*MIXED[::-2], "ele", ()]
    expected = double_loop(kernel, S, T)
    np.testing.assert_allclose(kernel(S, T), expected, rtol=1e-13)
    np.testing.assert_allclose(kernel(S), double_loop(kernel, S, S), rtol=1e-13)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(kernel(S, T, log=True), np.log(expected), rtol=1e-12, atol=1e-13)


@each_kernel
def test_gram_is_symmetric_psd_with_the_diagonal_of_diag(kernel, many_blocks):
    S = [*dna(20, 0, spread=30), "", "A"]
    for G in (kernel(S), kernel.normalized(S)):
        assert (G == G.T).all()
        lam = np.linalg.eigvalsh(G)
        assert lam[0] >= -len(G) * EPS * lam[-1]
    assert (np.diag(kernel(S)) == kernel.diag(S)).all()
    assert (np.diag(kernel(S, log=True)) == kernel.diag(S, log=True)).all()


@each_kernel
def test_the_normalized_kernel_is_a_cosine(kernel):
    S, T = [*dna(15, 4, 1, spread=30), "AC", "AC"], dna(10, 4, 2, spread=30)
    G = kernel.normalized(S)
    has_features = kernel.diag(S) > 0
    assert (np.diag(G) == has_features).all()
    assert (G >= 0).all() and (G <= 1).all()
    norms = [np.sqrt(kernel.diag(strings)) for strings in (S, T)]
    with np.errstate(invalid="ignore"):
        expected = np.nan_to_num(kernel(S, T) / np.outer(*norms))
    np.testing.assert_allclose(kernel.normalized(S, T), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel.normalized(S, S), G, rtol=1e-12)


@each_kernel
def test_an_empty_list_gives_an_empty_matrix(kernel):
    for compute in (kernel, kernel.normalized):
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


@pytest.mark.parametrize("kernel", [AllSubsequences(), GapWeighted(5)], ids=str)
def test_each_thread_holds_the_tables_of_one_block(kernel, monkeypatch, two_threads):
    S, numbers = dna(60, 20), 2**14
    monkeypatch.setattr(base, "BLOCK_NUMBERS", numbers)
    kernel(S[:2])  # what is imported late counts the first time
    symbols = 2 * 8 * 60 * 20  # bytes of the symbols and of their codes; their arrays take as much
    # beside its tables, a block has a strip, steps and codes, which together are not larger than two tables
    assert peak_bytes(lambda: kernel(S)) < 8 * 60**2 + 2 * symbols + 2 * 8 * 3 * numbers
    assert peak_bytes(lambda: kernel.diag(20 * S)) < 40 * symbols + 8 * 3 * numbers


def test_blocks_of_short_strings_are_not_large(two_threads):
    S = ["a"] * 1500
    assert peak_bytes(lambda: AllSubsequences()(S)) < 8 * 1500**2 + 2 * 8 * 10 * 128**2


# Beyond float64


def test_514_equal_letters_fit_in_float64_and_515_raise_an_error():
    assert math.isclose(AllSubsequences()(["", "a" * 514])[1, 1], math.comb(1028, 514), rel_tol=1e-12)
    for compute in (AllSubsequences(), AllSubsequences().diag):
        with pytest.raises(OverflowError, match=r"beyond float64.* use log=True"):
            compute(["", "a" * 515])


def test_the_error_names_the_first_pair_that_overflows_and_the_log_scale_gives_all(many_blocks):
    kernel = AllSubsequences(10**6)
    S = ["a" * 40, "b" * 9, "a" * 60, "", "ab" * 20]
    with pytest.raises(OverflowError, match=r"first at \[2, 2\]"):
        kernel(S)
    with pytest.raises(OverflowError, match=r"first at \[2\]"):
        kernel.diag(S)
    exact = [[math.log(all_subsequences(s, t, weight=10**6)) for t in S] for s in S]
    np.testing.assert_allclose(kernel(S, log=True), exact, rtol=1e-12)


def test_gaps_too_long_for_float64_keep_their_logarithm():
    s, t = "a" + "x" * 200 + "b", "a" + "y" * 150 + "b"
    kernel, exact = GapWeighted(2, 0.1), math.log(0.1) * (202 + 152)
    assert kernel([s], [t])[0, 0] == 0
    assert math.isclose(kernel([s], [t], log=True)[0, 0], exact, rel_tol=1e-13)
    assert kernel(["ab"], ["cd"], log=True)[0, 0] == -np.inf


def test_the_normalized_kernel_never_overflows(many_blocks):
    n, weight = 60, 10**6
    twice = 2 * dna(5, 10, spread=9)  # in numbers, the long ones in logarithms
    G = AllSubsequences(weight).normalized(["a" * n, "a" * (n - 1), "b" * n, "", *twice])
    longer, both, shorter = (
        sum(weight**k * math.comb(n - i, k) * math.comb(n - j, k) for k in range(n + 1))
        for i, j in ((0, 0), (0, 1), (1, 1))
    )
    exact = math.sqrt(Fraction(both**2, longer * shorter))
    assert math.isclose(G[0, 1], exact, rel_tol=2 * n * EPS * math.log(longer))
    assert (np.diag(G) == 1).all() and (G >= 0).all() and (G <= 1).all()
    assert math.isclose(G[2, 3], math.exp(-math.log(longer) / 2), rel_tol=1e-10)


def test_bad_input_raises_one_sentence():
    kernel = AllSubsequences()
    for call, error, sentence in [
        (lambda: kernel("a"), TypeError, r"S must be a list of strings, got a single one: pass \[S\]"),
        (lambda: kernel(["a"], b"bc"), TypeError, "T must be a list of strings, got a single one"),
        (lambda: kernel(3), TypeError, "S must be a list of strings, got 3"),
        (lambda: kernel(np.array([["abc"], ["ab"]])), TypeError, r"S must .* got an array of shape \(2, 1\)"),
        (lambda: kernel.diag(["a", math.nan]), TypeError, r"S\[1\] must be a sequence .* got nan"),
        (lambda: kernel.normalized(["a"], [[[]]]), TypeError, r"T\[0\] must hold hashable symbols"),
        (lambda: AllSubsequences(-0.1), ValueError, "weight must be zero or positive and finite, got -0.1"),
    ]:
        assert_refused(call, sentence, error)
