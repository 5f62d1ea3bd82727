"""Products of two features with a phase: against quadrature over the frequencies and over the phase."""

import numpy as np
import pytest

from kernlib.book.explorers.bochner_phase import MOVED, START, feature, mean_product, q, turn
from kernlib.kernels import Gaussian

POINTS = [(1.0, -0.4), (0.3, 0.3), (-2.0, 1.1)]


@pytest.mark.parametrize("b", [0, 0.25, 0.4, 1.5])
@pytest.mark.parametrize(("x", "t"), POINTS)
def test_the_mean_over_the_frequencies_is_an_integral(x, t, b):
    nodes, weights = np.polynomial.hermite_e.hermegauss(
        100
    )  # of a standard normal; ω has the variance 2γ = 4
    products = feature(x, 2 * nodes, b) * feature(t, 2 * nodes, b)
    assert mean_product(x, t, b) == pytest.approx(weights @ products / np.sqrt(2 * np.pi), abs=1e-12)
    assert q(x - t) == pytest.approx(Gaussian(2.0)(np.array([[x]]), np.array([[t]]))[0, 0])


@pytest.mark.parametrize("omega", [0.5, 2, 4])
def test_the_level_is_the_mean_over_a_turn_and_moving_both_points_keeps_it(omega):
    for pair in (START, MOVED):
        marks = turn(pair, omega, 0.3)
        level = marks["cos ω(x − x′), its mean over b"].y[0]
        assert marks["product"].y[:-1].mean() == pytest.approx(level, abs=1e-14)
        assert level == pytest.approx(np.cos(1.4 * omega))
