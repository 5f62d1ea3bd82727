"""What the explorer of a weighted signal says, against the lab's matrix and Weyl's inequalities."""

import numpy as np
import pytest

from kernlib.explorers import rank_truncation
from kernlib.low_rank import truncation_errors


def test_weight_50_gives_the_labs_matrix():
    signal, noise = rank_truncation.parts()
    np.testing.assert_allclose(rank_truncation.matrix(), 50 * signal + noise)
    np.testing.assert_allclose(
        rank_truncation.weighted_error(50)[""].y, rank_truncation.exact_errors()[:101], atol=1e-7
    )


@pytest.mark.parametrize("a", [0.5, 3, 20])
def test_the_errors_are_those_of_the_weighted_sum(a):
    signal, noise = rank_truncation.parts()
    expected = truncation_errors(a * signal + noise)[:101]
    np.testing.assert_allclose(rank_truncation.weighted_error(a)[""].y, expected, atol=1e-7)


@pytest.mark.parametrize("a", [0.5, 7, 50])
def test_all_but_twenty_eigenvalues_stay_below_the_noise(a):
    shown = rank_truncation.weighted_spectrum(a)
    assert (shown["eigenvalues"].y[20:] <= shown["largest of the noise"].y[0] * (1 + 1e-12)).all()


def test_the_cliff_is_ninefold_at_50_and_gone_at_1():
    lam, faint = rank_truncation.eigenvalues(50), rank_truncation.eigenvalues(1)
    assert lam[19] > 5 * lam[20] and faint[19] < 1.1 * faint[20]
    assert f"{lam[19] / lam[20]:.2g}"[0] in rank_truncation.cliff(50)
