"""The test matrix, its errors and its cliff: against singular values and Weyl's inequalities."""

import numpy as np
import pytest

from kernlib.book.explorers import rank_truncation


def test_the_measured_error_of_a_truncation_is_the_tail_of_the_spectrum():
    for k in (1, 19, 20, 100):
        tail, measured, _ = rank_truncation.error(k).values()
        assert measured.y[0] == pytest.approx(tail.y[k], abs=1e-12)
    lam = rank_truncation.spectrum()[""].y
    assert lam[19] > 5 * lam[20]


@pytest.mark.parametrize("a", [0.5, 3, 50])
def test_the_errors_are_the_tails_of_the_weighted_sums_singular_values(a):
    signal, noise = rank_truncation.parts()
    squares = np.linalg.svd(a * signal + noise, compute_uv=False) ** 2
    expected = [np.sqrt(squares[k:].sum() / squares.sum()) for k in range(101)]
    np.testing.assert_allclose(rank_truncation.weighted_error(a)["error"].y, expected, atol=1e-7)
    if a == 50:
        np.testing.assert_allclose(rank_truncation.matrix(), 50 * signal + noise)


def test_the_gap_is_ninefold_at_50_and_its_upper_end_is_below_the_line_from_4_on():
    lam, faint = rank_truncation.eigenvalues(50), rank_truncation.eigenvalues(1)
    assert lam[19] > 5 * lam[20] and faint[19] < 1.1 * faint[20]
    assert f"and {lam[19] / lam[20]:.3g} times λ₂₁" in rank_truncation.cliff(50)
    weights = rank_truncation.ELBOW.controls[0].stops
    gone = [a for a in weights if "is below the noise's line" in rank_truncation.cliff(a)]
    assert max(gone) == rank_truncation.ELBOW.predict.answer == 4
    assert gone == [a for a in weights if a <= 4]
    assert [a for a in weights if rank_truncation.cliff(a).endswith(": a cliff.")] == [10, 15, 20, 30, 50]


def test_k_eigenpairs_of_200_rows_are_201_k_numbers():
    assert "stores 4,020 numbers in place of 40,000" in rank_truncation.summary(20)


def test_the_errors_of_the_photograph_are_those_of_the_pictures():
    A = rank_truncation.photo() / 63
    assert A.shape == (53, 80) and A.min() >= 0 and A.max() <= 1
    for k in (1, 20):
        error = np.linalg.norm(A - rank_truncation.photograph(k)) / np.linalg.norm(A)
        assert rank_truncation.error(k)["photograph"].y[k] == pytest.approx(error)
