"""Both fits of the noisy curve and their distance: against formulas that hold no features."""

import numpy as np
import pytest

from kernlib.book.explorers import nystrom_curve as panels
from kernlib.kernels import Gaussian


@pytest.mark.parametrize("lam", [1e-4, 1.0])
def test_the_fit_on_landmarks_minimizes_over_sums_of_their_kernels(lam):
    """w = Σ aⱼ φ(zⱼ) with (CᵀC + nλW) a = Cᵀy."""
    x, y = panels.training_points()
    spots = panels.landmarks(8, "anywhere", 3)
    kernel = Gaussian(panels.GAMMA)
    C, W = kernel(x, spots), kernel(spots)
    a = np.linalg.solve(C.T @ C + len(x) * lam * W, C.T @ y)
    expected = kernel(panels.GRID, spots) @ a
    assert panels.nystrom_fit(8, lam, "anywhere", 3) == pytest.approx(expected, abs=1e-6)
    at = panels.C_STOPS.index(8)
    distance = np.sqrt(np.mean((expected - panels.exact_fit(lam)) ** 2))
    assert panels.distances(lam, "anywhere")[at, 3] == pytest.approx(distance, rel=1e-4)


def test_more_landmarks_keep_the_earlier_ones_and_stay_where_they_may_be():
    for places, end in panels.PLACES.items():
        few, many = (panels.landmarks(c, places, 5) for c in (4, 30))
        assert (many[:4] == few).all() and len(many) == 30 and many.max() <= end


def test_the_effective_dimension_is_the_trace_of_the_smoother():
    G = Gaussian(panels.GAMMA)(panels.training_points()[0])
    smoother = np.linalg.solve(G + 80 * 1e-2 * np.eye(80), G)
    assert panels.effective_dimension(1e-2) == pytest.approx(np.trace(smoother))
    assert f"dimension is {np.trace(smoother):.1f}." in panels.summary(10, 1e-2, "anywhere")
