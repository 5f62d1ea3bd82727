"""The spectra of the letters' Gram matrices by bandwidth, and the ranks that they need."""

import numpy as np
import pytest

from kernlib.book.explorers import rank_truncation_bandwidth as bandwidth
from kernlib.book.explorers.rank_truncation_scores import task
from kernlib.kernels import Gaussian
from kernlib.low_rank import rank_trunc


def test_the_spectra_have_one_trace_and_the_errors_are_those_of_the_truncated_matrices():
    G = Gaussian(1 / 16)(task()[0])
    for k in (5, 25):
        error = np.linalg.norm(G - rank_trunc(G, k, "eigsh", random_state=0)) / np.linalg.norm(G)
        assert bandwidth.errors(1)[k] == pytest.approx(error)
    for width in (0.1, 1, 10):
        assert bandwidth.spectrum(width).sum() == pytest.approx(len(G))


def test_the_rank_for_an_error_is_the_least_one_and_grows_with_gamma():
    ranks = [bandwidth.rank_for(width, 0.01) for width in (0.1, 1, 10)]
    assert ranks == sorted(ranks) and ranks[1] == bandwidth.BANDWIDTH.predict.answer
    for width, rank in zip((0.1, 1, 10), ranks, strict=True):
        left = bandwidth.errors(width)
        assert left[rank] <= 0.01 < left[rank - 1]


def test_the_picture_has_both_halves_of_the_alphabet_and_a_diagonal_of_ones():
    corner = bandwidth.corner(1)
    assert corner.shape == (40, 40) and np.diag(corner) == pytest.approx(np.ones(40))
    assert bandwidth.corner(0.1).mean() > 0.5 > 0.1 > bandwidth.corner(10).mean()


def test_the_words_name_both_ranks():
    assert bandwidth.summary(1, 233).endswith("For 10% you need 25 of 1,500 eigenpairs, for 1% 233.")
    assert "leaves no error" in bandwidth.summary(1, 1500)
