"""Frequencies to drag: their error is that of the features, and their worth that of independent ones."""

import numpy as np
import pytest

from kernlib.book.explorers import fourier_spread as spread
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian


def test_the_error_is_that_of_the_features():
    phi = FourierFeatures(Gaussian(0.5), n_components=2 * spread.COUNT, random_state=3).fit(np.zeros((1, 2)))
    delta = np.random.default_rng(0).normal(size=(5, 2))
    entries = phi.transform(delta) @ phi.transform(np.zeros((1, 2))).T
    expected = entries[:, 0] - Gaussian(0.5)(delta, np.zeros((1, 2)))[:, 0]
    np.testing.assert_allclose(spread.errors(delta, spread.draw_frequencies("iid", 3)), expected, atol=1e-12)


def test_independent_frequencies_have_the_expected_square_and_are_worth_themselves():
    draws = [spread.draw_frequencies("iid", seed) for seed in range(300)]
    found = np.array([spread.mean_squares(draw)[0] for draw in draws])
    expected = spread.mean_squares(draws[0])[1]
    assert (np.abs(found.mean(axis=0) - expected) <= 5 * found.std(axis=0) / np.sqrt(300)).all()
    inverse = np.mean([1 / spread.worth(draw, 3) for draw in draws])
    assert inverse == pytest.approx(1 / spread.COUNT, rel=0.1)


def test_worth_is_that_of_averages_over_the_disk():
    frequencies, radii = np.array(spread.PRESETS["one length"]["frequencies"]), (np.arange(400) + 0.5) / 400
    along = np.stack([np.outer(radii, wave(spread.ANGLES)) for wave in (np.cos, np.sin)], axis=2)
    squares = spread.errors(along.reshape(-1, 2), frequencies).reshape(400, -1) ** 2
    independent = (1 - np.exp(-(radii**2))) ** 2 / 2
    expected = radii @ independent / (radii @ squares.mean(axis=1))
    assert spread.worth(frequencies, 1) == pytest.approx(expected, rel=0.01)
