"""What the explorer of the bounds says, against the bounds themselves and errors on a grid."""

import numpy as np
import pytest

from kernlib.book.explorers import fourier_bounds as bounds
from kernlib.fourier import uniform_error


def test_hoeffdings_error_solves_the_union_bound():
    error = bounds.hoeffding_error(300, 5, 0.1)
    assert 5 * 2 * np.exp(-300 * error**2 / 4) == pytest.approx(0.1)


def test_the_record_is_what_a_search_finds():
    for p, diameter in ((1, 3), (22, 10)):
        found = np.array(bounds.read_record()[f"{p}, {diameter}"])
        radius = np.sqrt(2 / p) * diameter
        for i, c in enumerate(bounds.COLUMNS[:4]):
            # single precision may lead to another peak
            assert bounds.largest_error(p, c, 0, radius=radius) == pytest.approx(found[i, 0], rel=0.02)


def test_found_errors_grow_with_the_domain_and_stay_below_the_bounds():
    for p in bounds.DIMENSIONS:
        found = np.array([bounds.errors_found(p, diameter) for diameter in bounds.DIAMETERS])
        assert (np.diff(found, axis=0) >= 0).all()
        for diameter, errors in zip(bounds.DIAMETERS, found, strict=True):
            guaranteed = [uniform_error(c, p, np.sqrt(2) * diameter, 66) for c in bounds.COLUMNS]
            assert (errors.max(axis=1) < guaranteed).all()
    lines = bounds.largest_errors(22, 10)
    assert list(lines["largest error found"].y) == list(np.median(bounds.errors_found(22, 10), axis=1))
    assert "Rahimi & Recht 2.5 (5.2 times the median, vacuous)" in bounds.bounds_in_words(300, 22, 10)
