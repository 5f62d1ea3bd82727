"""Truncation against Eckart and Young's exact error, for every method."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import assert_refused, symmetric

from kernlib.low_rank import rank_trunc, relative_error, truncation_errors

METHODS = ("fast", "slow", "eigh", "eigsh", "randomized")


SPECTRA = {
    "psd, fast decay": 0.5 ** np.arange(30),
    "psd, flat": np.linspace(2, 1, 30),
    "indefinite, largest by magnitude negative": np.array([-10.0, 9, -8, 7, -6, 5, *np.linspace(1, -1, 24)]),
    "negative": -np.arange(1.0, 31),
    "rank 4": np.array([5.0, -4, 3, 2] + 26 * [0.0]),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_the_error_is_eckart_and_youngs(spectrum, method):
    lam = SPECTRA[spectrum]
    G = symmetric(lam)
    for k in (0, 1, 3, 6, 20, 29, 30):
        Gk = rank_trunc(G, k, method, random_state=0)
        exact = np.sqrt(np.sum(np.sort(lam**2)[: len(lam) - k]))
        error, rounding = np.linalg.norm(G - Gk), 1e-12 * np.linalg.norm(G)
        assert np.linalg.matrix_rank(Gk, tol=1e-9) <= k
        assert error >= exact - rounding, k
        # randomized: Halko, Martinsson and Tropp's bound at 10 extra vectors and no power iteration
        assert error <= (exact * np.sqrt(1 + k / 9) if method == "randomized" else exact) + rounding, k


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(0, 2**31))
def test_all_errors_from_one_decomposition_are_those_of_the_truncations(n, seed):
    A = np.random.default_rng(seed).normal(size=(n, n))
    G = A + A.T
    loop = [np.linalg.norm(G - rank_trunc(G, k, "slow")) / np.linalg.norm(G) for k in range(n + 1)]
    np.testing.assert_allclose(truncation_errors(G), loop, atol=1e-12)


def test_the_error_of_features_is_that_of_their_gram_matrix():
    Z = np.linalg.cholesky(symmetric([4.0, 2, 1]) + np.eye(3))
    assert relative_error(Z, symmetric([4.0, 2, 1])) == pytest.approx(np.sqrt(3 / 21))
    small = np.array([[200, 100], [3, 250]])
    assert relative_error(small.astype(np.uint8), small @ small.T) == 0


@pytest.mark.parametrize("method", METHODS)
def test_float32_is_factored_in_float64_and_cast_last(method):
    G = symmetric(SPECTRA["psd, fast decay"]).astype(np.float32)
    Gk = rank_trunc(G, 5, method, random_state=0)
    assert Gk.dtype == np.float32
    expected = rank_trunc(G.astype(np.float64), 5, method, random_state=0)
    np.testing.assert_array_equal(Gk, expected.astype(np.float32))


@pytest.mark.parametrize("method", METHODS)
def test_extreme_matrices(method):
    assert (rank_trunc(np.zeros((4, 4)), 2, method) == 0).all()
    np.testing.assert_array_equal(rank_trunc(np.array([[3.0]]), 1, method), [[3.0]])
    ones = np.ones((5, 5))
    np.testing.assert_allclose(rank_trunc(ones, 1, method), ones, atol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_argument_is_left_as_it_was_and_draws_repeat(method):
    G = symmetric(SPECTRA["psd, flat"])
    before = G.copy()
    first, second = (rank_trunc(G, 7, method, random_state=3) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    full = rank_trunc(G, 30, method)
    full += 1
    np.testing.assert_array_equal(G, before)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda G: rank_trunc(G, 6), r"k must be between 0 and 5 \(the size of G\), got 6"),
        (lambda G: rank_trunc(G, 2, "quick"), "method must be one of 'fast', 'slow'.* got 'quick'"),
        (lambda G: rank_trunc(G[:3], 2), r"G must be square, got shape \(3, 5\)"),
        (lambda G: rank_trunc(G + 1e-4 * np.eye(5, k=1), 2), "G must be symmetric, got entries that differ"),
        (lambda G: truncation_errors(0 * G), "G must not be zero"),
        (lambda G: relative_error(G, 0 * G), "G must not be zero"),
        (lambda G: relative_error(G[:3], G), r"G must have shape \(3, 3\), as Z has 3 rows, got \(5, 5\)"),
    ],
)
def test_bad_input_gets_one_sentence(call, sentence):
    assert_refused(lambda: call(symmetric(np.arange(1.0, 6))), sentence)
