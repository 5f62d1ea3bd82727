"""The band between the centers: against the definition of a Lipschitz function."""

import numpy as np
import pytest

from kernlib.book.explorers import fourier_cover as cover


@pytest.mark.parametrize("waves", [5, 20, 80])
@pytest.mark.parametrize("centers", cover.COUNTS)
def test_the_band_holds_the_error_and_closes_at_the_centers(centers, waves):
    places, known, low, high = cover.between_centers(centers, waves)
    f = cover.error(waves)
    assert (low <= f + 1e-12).all()
    assert (f <= high + 1e-12).all()
    width = np.interp(places, cover.DELTA, high - low)
    steepest = np.abs(np.diff(f)).max() / np.diff(cover.DELTA)[0]
    assert width.max() <= 2 * steepest * np.diff(cover.DELTA)[0]  # a center may lie between two places
    at_centers, everywhere = cover.guaranteed(centers, waves)
    assert at_centers == pytest.approx(np.abs(known).max())
    assert np.abs(f).max() <= everywhere + 1e-12


def test_half_the_distance_between_centers_allows_half_the_change():
    for waves in (5, 20, 80):
        excess = [np.subtract(*cover.guaranteed(centers, waves)[::-1]) for centers in (7, 13, 25, 49)]
        steepest = np.abs(np.gradient(cover.error(waves), cover.DELTA)).max()
        assert (np.array(excess) <= steepest * 3 / np.array([6, 12, 24, 48])).all()
