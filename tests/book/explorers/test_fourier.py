"""What the explorer of random Fourier features says, against simulation and oracles."""

import numpy as np
import pytest

from kernlib.book.explorers import fourier
from kernlib.kernels import Gaussian
from kernlib.low_rank import relative_error


@pytest.mark.parametrize("form", fourier.FORMS)
def test_the_predicted_error_is_the_root_of_the_mean_square_over_draws(form):
    """Within five standard errors of 400 draws."""
    G = Gaussian(0.1)(fourier.data())
    squares = [relative_error(fourier.features(16, 0.1, form, draw), G) ** 2 for draw in range(400)]
    standard_error = np.std(squares) / np.sqrt(len(squares))
    assert abs(np.mean(squares) - fourier.expected_error(16, 0.1, form) ** 2) < 5 * standard_error


def test_the_scatter_plot_compares_the_same_entries():
    dots, diagonal, _ = fourier.against_exact(400, 0.1, "pairs (cos, sin)", 0).values()
    assert np.abs(diagonal.y - 1).max() < 1e-12
    X = fourier.data()
    assert dots.x == pytest.approx(
        [np.exp(-0.1 * np.sum((X[i] - X[i + 1]) ** 2)) for i in range(fourier.SHOWN)]
    )
    assert np.abs(dots.x - dots.y).max() < 6 * np.sqrt(1.5 / 400)
