"""The variances of orthogonal and of independent draws: against simulation and limits."""

import numpy as np
import pytest

from kernlib.book.explorers import fourier_orthogonal as orthogonal


@pytest.mark.parametrize("p", [2, 5, 22])
def test_the_formula_is_the_variance_of_orthogonal_blocks(p):
    entry = orthogonal.block_means(p)
    centered = entry - entry.mean(axis=1, keepdims=True)
    found = np.mean(centered**2, axis=1)
    error = np.sqrt((np.mean(centered**4, axis=1) / found**2 - 1) / (orthogonal.ENTRIES / 8))
    expected = orthogonal.orthogonal_variance(p, orthogonal.MEASURED**2 / 2) / (2 * p)
    assert (np.abs(found / expected - 1) < 5 * error).all()
    dots = orthogonal.both_variances(p)["measured"].y
    np.testing.assert_allclose(dots, 2 * p * found)


def test_the_words_name_the_ratio_and_its_limit():
    words = orthogonal.summary(22, 0.1)
    assert "0.124 times" in words and "3/(p + 2) = 0.125" in words
    assert orthogonal.ratios(22)["this p"].y[0] == pytest.approx(3 / 24, rel=0.02)
    assert orthogonal.ORTHOGONAL.predict.answer == "an eighth"
