"""The test matrix and its errors, against singular values; the photograph."""

import numpy as np
import pytest

from kernlib.book.explorers import rank_truncation


def test_the_measured_error_of_a_truncation_is_the_tail_of_the_spectrum():
    for k in (1, 19, 20, 100):
        tail, measured, _ = rank_truncation.error(k).values()
        assert measured.y[0] == pytest.approx(tail.y[k], abs=1e-12)
    lam = rank_truncation.spectrum()[""].y
    assert lam[19] > 5 * lam[20]


def test_the_errors_are_the_tails_of_the_singular_values():
    signal, noise = rank_truncation.parts()
    squares = np.linalg.svd(50 * signal + noise, compute_uv=False) ** 2
    expected = [np.sqrt(squares[k:].sum() / squares.sum()) for k in range(101)]
    np.testing.assert_allclose(rank_truncation.exact_errors(), expected, atol=1e-7)
    np.testing.assert_allclose(rank_truncation.matrix(), 50 * signal + noise)


def test_the_errors_of_the_photograph_are_those_of_the_pictures():
    A = rank_truncation.photo() / 63
    assert A.shape == (53, 80) and A.min() >= 0 and A.max() <= 1
    for k in (1, 20):
        error = np.linalg.norm(A - rank_truncation.photograph(k)) / np.linalg.norm(A)
        assert rank_truncation.error(k)["photograph"].y[k] == pytest.approx(error)
