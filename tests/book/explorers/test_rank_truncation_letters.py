"""The letters' spectra and errors for each bandwidth: against truncated matrices."""

import numpy as np
import pytest

from kernlib.book.explorers import rank_truncation_letters as letters
from kernlib.kernels import Gaussian
from kernlib.low_rank import rank_trunc


def test_the_error_at_rank_k_is_that_of_the_truncated_matrix():
    G = Gaussian(1 / 16)(letters.letters())
    for k in (5, 60):
        error = np.linalg.norm(G - rank_trunc(G, k, "eigsh", random_state=0)) / np.linalg.norm(G)
        assert letters.tail(1.0)[k] == pytest.approx(error)
    assert letters.spectrum(1.0).sum() == pytest.approx(len(G))


def test_the_curve_passes_through_every_stop_and_ends_before_the_zero_eigenvalues():
    curve = letters.errors(10.0)["this γ"]
    drawn = dict(zip(curve.x, curve.y, strict=True))
    assert all(drawn[k] == letters.tail(10.0)[k] for k in letters.RANKS)
    different = len(np.unique(letters.letters(), axis=0))
    assert max(drawn) == different - 1
    assert drawn[different - 1] > 1e-4 and letters.tail(10.0)[different] < 1e-12


@pytest.mark.parametrize("error", [0.1, 0.01])
def test_the_rank_for_an_error_is_the_smallest(error):
    for times in letters.TIMES:
        k = letters.rank_for(times, error)
        assert letters.tail(times)[k] <= error < letters.tail(times)[k - 1]


def test_the_words_and_the_answer_are_those_of_the_spectrum():
    assert letters.LETTERS.predict.answer == letters.rank_for(1.0, 0.01)
    words = letters.summary(25, 1.0)
    assert "leaves an error of 9.9%" in words and "10% needs k = 25, one of 1% needs k = 233" in words
    assert {letters.rank_for(times, 0.01) for times in (0.1, 1.0, 10.0)} <= set(letters.RANKS)
