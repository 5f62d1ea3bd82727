"""What the explorer of n×n against p×p says, against oracles, and the rules that hold for every explorer."""

import gzip
import json
import random

import numpy as np
import pytest

from kernlib.explore.page import page_html
from kernlib.explorers import duality


def counted(n, p):
    """Multiplications of the dual route, one by one: half of ΦΦᵀ, then Cholesky's three loops."""
    product = sum(p for i in range(n) for j in range(i + 1))
    cholesky = sum(k for j in range(n) for i in range(j, n) for k in [j])
    return product + cholesky


@pytest.mark.parametrize("n, p", [(60, 10), (60, 60), (40, 300)])
def test_the_count_is_that_of_the_loops_up_to_lower_orders(n, p):
    assert duality.multiplications(n, p) == pytest.approx(counted(n, p), rel=3 / n)


@pytest.mark.parametrize("p", duality.FEATURES)
def test_the_dual_route_is_the_cheaper_one_exactly_below_p(p):
    dual, primal, crossing = duality.work(p).values()
    assert ((dual.y < primal.y) == (dual.x < p)).all()
    assert crossing.x == [p] and crossing.y[0] == duality.multiplications(p, p)
    G, covariance, features = duality.memory(p).values()
    assert ((G.y < covariance.y) == (G.x < p)).all()
    assert features.y**2 == pytest.approx(G.y * covariance.y)


def test_far_beyond_p_twice_as_many_rows_cost_eight_times_and_twice():
    assert duality.multiplications(2e6, 16) / duality.multiplications(1e6, 16) == pytest.approx(8, rel=1e-3)
    assert duality.multiplications(16, 2e6) / duality.multiplications(16, 1e6) == pytest.approx(2, rel=1e-3)


def test_the_sentence_names_the_cheaper_route_and_the_memory():
    assert "8 GB for G" in duality.cheaper(31_623, 16) and "primal route" in duality.cheaper(31_623, 16)
    assert "dual route needs 9 times fewer" in duality.cheaper(1000, 4096)
    assert all(duality.cheaper(n, 1024).endswith("Both cost about the same.") for n in (1000, 1024))


def test_every_stop_can_be_computed_and_the_page_stays_light():
    choose = random.Random(0).choice
    for _ in range(10):
        frames = duality.COST.frames(
            {control.name: choose(control.stops) for control in duality.COST.controls}
        )
        numbers = [v for frame in frames[:2] for series in frame["series"] for v in series["y"]]
        assert np.isfinite(np.array(numbers, dtype=float)).all() and json.dumps(frames)
    assert len(gzip.compress(page_html(duality.COST).encode())) <= 30_000
