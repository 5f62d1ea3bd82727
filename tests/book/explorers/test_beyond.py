"""The model of a pass: its three terms, by hand and in the limits."""

import math

import numpy as np
import pytest

from kernlib.book.explorers import beyond


@pytest.mark.parametrize(("n", "c", "m"), [(3e5, 100, 2), (1e9, 300, 16), (1e6, 1000, 1)])
def test_the_terms_are_those_of_the_formula(n, c, m):
    blocks = math.ceil(n / 100_000)
    compute, merge, solve = beyond.pass_seconds(n, c, m)
    assert np.isclose(compute, n * (40 * c + 2 * c * c) / min(m, blocks) / 2e10)
    levels = next(level for level in range(99) if 8**level >= blocks) if m > 1 else 0
    assert np.isclose(merge, levels * 7 * 8 * (c * (c + 1) / 2 + c) / 1.25e8)
    assert np.isclose(solve, c**3 / 6e10)


def test_idle_workers_change_nothing():
    assert np.array_equal(beyond.pass_seconds(1e6, 300, 10), beyond.pass_seconds(1e6, 300, 1000))


def test_reading_waits_for_the_slowest_place():
    size = 168e9  # bytes of a billion rows
    assert np.isclose(beyond.reading_seconds(1e9, 64, beyond.LAPTOP, 1, 0.5), size / 5e8)
    assert np.isclose(beyond.reading_seconds(1e9, 64, beyond.SERVER, 10, 0.5), size / 1.25e9)
    assert np.isclose(beyond.reading_seconds(1e9, 64, beyond.OWN, 10, 2), size / 64 / 2e9)
    assert np.isclose(beyond.reading_seconds(1e5, 64, beyond.OWN, 10, 0.5), 168e5 / 5e8)  # a single block


def test_a_thousand_workers_are_worth_ten_for_a_million_rows_and_nearly_all_for_a_thousand_million():
    gains = [sum(beyond.pass_seconds(n, 300, 1)) / sum(beyond.pass_seconds(n, 300, 1000)) for n in (1e6, 1e9)]
    assert 8 < gains[0] <= 10 and 900 < gains[1] <= 1000


def test_the_stacks_are_the_shares_of_the_parts():
    series = beyond.share_over_m(1e9, 300, 16, beyond.SERVER, 1, 0.5)
    assert series.pop("workers m").x == [beyond.WORKERS.index(16)]
    for k, m in enumerate(beyond.WORKERS):
        found = beyond.parts(1e9, 300, m, beyond.SERVER, 1, 0.5)
        heights = [bars.y[k] - bars.low[k] for bars in series.values()]
        assert np.allclose(heights, np.array(list(found.values())) / sum(found.values()))
    assert np.allclose(series["the solution"].y, 1)
