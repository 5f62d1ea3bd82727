"""What the explorer of the bounds says, against the bounds themselves and errors on a grid."""

import numpy as np
import pytest

from kernlib.book.explorers import fourier_bounds as bounds
from kernlib.fourier import uniform_error


def test_hoeffdings_error_solves_the_union_bound():
    error = bounds.hoeffding_error(300, 5, 0.1)
    assert 5 * 2 * np.exp(-300 * error**2 / 4) == pytest.approx(0.1)


def test_bounds_fall_like_one_over_root_c_and_the_table_follows_them():
    lines = bounds.largest_errors(22, 10)
    for name in ("one entry", "all entries, 20,000 rows", "Sriperumbudur & Szabó"):
        line = lines[name]
        assert np.diff(np.log(line.y)) / np.diff(np.log(line.x)) == pytest.approx(-0.5)
    assert str(bounds.guarantees(300, 22, 10)).count("vacuous") == 4
    assert "vacuous" not in str(bounds.guarantees(1_000_000, 1, 1))


def test_uniform_bounds_above_their_range_are_not_shown():
    spread = np.sqrt(2)
    assert bounds.guarantees(300, 22, 1).values[:2] == [["none: above σℓ", None]] * 2
    assert max(bounds.largest_errors(22, 1)["Rahimi & Recht"].y) <= spread


@pytest.mark.parametrize("seed", [0, 1])
def test_climbing_finds_the_largest_error_on_a_line(seed):
    omega = np.random.default_rng(seed).normal(size=(1, 50)).astype(np.float32)
    delta = np.linspace(-3, 3, 20_001)
    f = np.cos(delta[:, None] * omega).mean(axis=1) - np.exp(-(delta**2) / 2)
    assert bounds.largest_error(1, 100, seed) == pytest.approx(np.abs(f).max(), abs=1e-4)


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
    assert list(lines["largest error found, up to c = 10,000"].y) == list(
        np.median(bounds.errors_found(22, 10), axis=1)
    )
    assert "the largest error found is 0.47 to 0.49" in bounds.found_in_words(300, 22, 10)
    cells = bounds.guarantees(300, 22, 10)
    rows = dict(zip(cells.rows, cells.values, strict=True))
    assert rows["Rahimi & Recht"] == ["2.5 (vacuous)", "5.2"]
    assert rows["Sriperumbudur & Szabó"] == ["52 (vacuous)", "110"]
