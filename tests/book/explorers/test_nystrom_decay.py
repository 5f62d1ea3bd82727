"""The decay of the spectrum, and both methods' errors: against formulas and oracles."""

import numpy as np
import pytest

from kernlib.book.explorers import nystrom_decay as decay
from kernlib.book.explorers.nystrom_draws import KERNELS, data
from kernlib.kernels import Laplace

CASES = [(kernel, gamma) for kernel in KERNELS for gamma in (0.1, 10.0)]


def test_no_point_is_drawn_that_rounding_decides():
    gamma = decay.DECAY.controls[1].stops[0]  # the fastest fall
    lines = [decay.spectrum("Gaussian", gamma), *decay.error_over_c("Gaussian", gamma).values()]
    # an eigenvalue is off by up to nε, an entry of Nyström's matrix by up to √(cε), where the largest is 1
    least = [200 * np.finfo(float).eps] + 3 * [np.sqrt(128 * np.finfo(float).eps)]
    for line, bound in zip(lines, least, strict=True):
        assert np.nanmin(line.y) > bound


def test_the_best_error_is_that_of_the_truncated_decomposition():
    G = Laplace(1.0)(data())
    sigma, U = np.linalg.eigh(G)
    G8 = (U[:, -8:] * sigma[-8:]) @ U[:, -8:].T
    best = decay.error_over_c("Laplace", 1.0)["best of rank c"].y
    assert best[2] == pytest.approx(np.linalg.norm(G - G8) / np.linalg.norm(G))


def test_the_slope_of_random_features_is_a_half_and_nystroms_is_lost():
    """As the question's answer says; the exponents of a line through seven medians of the draws."""
    slopes = {}
    for gamma in (1.0, 100.0):
        for name, line in list(decay.error_over_c("Gaussian", gamma).items())[:2]:
            slopes[name, gamma] = np.polyfit(np.log(line.x), np.log(line.y), 1)[0]
    assert slopes["random features", 1.0] == pytest.approx(-0.5, abs=0.15)
    assert slopes["random features", 100.0] == pytest.approx(-0.5, abs=0.15)
    assert slopes["Nyström", 1.0] < -1
    assert slopes["Nyström", 100.0] > -0.25


@pytest.mark.parametrize(("kernel", "gamma"), CASES)
def test_the_shares_add_up_to_one_and_fall(kernel, gamma):
    shares = decay.spectrum(kernel, gamma).y
    assert np.nansum(shares) == pytest.approx(1)
    assert (np.diff(shares[np.isfinite(shares)]) <= 0).all()
