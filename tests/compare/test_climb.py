"""Ladders are climbed within the budget of seconds and bytes, as long as a rung costs what was forecast."""

import numpy as np
import pytest
from clocks import Clock

from kernlib.compare.climb import Budget, climb, divided, doubled, in_bytes, in_seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.mark.parametrize("power", [0, 1, 2, 3])
@pytest.mark.parametrize("seconds", [0.5, 3, 20, 500])
def test_no_rung_ends_after_the_budget(power, seconds, clock):
    budget = Budget(seconds, 1, clock)
    ladders = [clock.ladder("a", lambda s: s**power, least=power), clock.ladder("b", lambda s: s / 3)]
    climb(ladders, budget)
    assert budget.spent <= seconds
    for ladder in ladders:  # it ended at the top, or its next rung did not fit
        whole = len(ladder.seconds) == len(ladder.sizes)
        assert whole == (ladder.ended == "")
        assert whole or ladder.forecast() > budget.left


def test_the_rung_of_the_least_forecast_goes_first(clock):
    climb([clock.ladder("a", lambda s: s), clock.ladder("b", lambda s: 3 * s)], Budget(14, 1, clock))
    assert clock.ran == [("a", 1), ("a", 2), ("b", 1), ("a", 4)]  # then 10.4 s for the next, and 4 are left


def test_the_forecast_is_of_one_fit_even_if_a_rung_had_several(clock):
    ladder = clock.ladder("a", lambda s: 3 * s, sizes=(1, 2))
    three = ladder.run

    def run(size):
        three(size)
        return 3

    ladder.run, ladder.first = run, 1
    budget = Budget(5, 1, clock)
    climb([ladder], budget)
    assert ladder.seconds == [1] and budget.spent == 3
    assert ladder.forecast() == pytest.approx(1.3 * 2)


def test_kinds_have_equal_shares_of_the_time_however_many_ladders_they_have(clock):
    two = [clock.ladder(name, lambda s: 1.0, sizes=range(1, 100), kind="kernel") for name in "ab"]
    one = clock.ladder("c", lambda s: 1.0, sizes=range(1, 100), kind="trees")
    climb([*two, one], Budget(50, 1, clock))
    assert sum(len(ladder.seconds) for ladder in two) == pytest.approx(len(one.seconds), abs=1)


def test_a_forecast_goes_on_as_the_last_rungs_did_within_reason():
    ladder = Clock().ladder("a", lambda s: s)
    for seconds, growth in (([2.0], 2), ([1.0, 3.0], 3), ([1.0, 1.0], 2), ([0.001, 5.0], 8)):
        ladder.seconds = seconds
        assert ladder.forecast() == pytest.approx(1.3 * growth * seconds[-1])
    sizes = (25, 100), (100, 400), (400, 400), (100, 400)
    ladder = Clock().ladder("boosted trees", np.prod, sizes=sizes)
    ladder.work = np.prod
    for seconds, growth in (([2.0], 16), ([2.0, 64.0], 4**1.25), ([2.0, 64.0, 64.0], 1 / 4)):
        ladder.seconds = seconds
        assert ladder.forecast() == pytest.approx(1.3 * growth * seconds[-1])


def test_the_time_that_is_reserved_is_left_and_so_is_that_of_a_refit():
    for refit, reserve in ((0.0, 30.0), (1.0, 0.0)):
        clock = Clock()
        ladder, budget = clock.ladder("a", lambda s: s), Budget(100, 1, clock)
        ladder.refit = refit
        climb([ladder], budget, lambda reserve=reserve: reserve)
        assert budget.left >= max(reserve, refit * ladder.seconds[-1])
        assert ladder.forecast() * (1 + refit) + reserve > budget.left and len(ladder.seconds) > 3


def test_the_leading_model_comes_before_rungs_that_take_a_quarter_of_its_time_and_has_no_share(clock):
    ladders = [clock.ladder("a", lambda s: 3 * s), clock.ladder("b", lambda s: s)]
    for ladder in ladders:
        ladder.share = 0.25
    climb(ladders, Budget(60, 1, clock), leader=lambda: "a")
    assert clock.ran == [("a", 1), ("b", 1), ("a", 2), ("b", 2), ("a", 4), ("b", 4), ("a", 8)]


def test_a_model_that_was_not_tried_has_its_turn_although_the_leading_one_of_its_kind_goes_on(clock):
    leading = clock.ladder("a", lambda s: 1.0, sizes=range(1, 100), kind="trees")
    untried = clock.ladder("b", lambda s: 4.0, kind="trees")
    climb([leading, untried], Budget(100, 1, clock), leader=lambda: "a")
    assert clock.ran.index(("b", 1)) == 10  # half of 10 s, and 5.2, are less than 10 s and a quarter of 1.4


def test_no_rung_takes_more_than_its_share_of_the_time_left(clock):
    ladder = clock.ladder("a", lambda s: s)
    ladder.share = 0.25
    climb([ladder], Budget(100, 1, clock))
    assert [size for _, size in clock.ran] == [1, 2, 4, 8, 16]  # then 41.6 s of the 69 that are left


def test_no_rung_takes_more_memory_than_there_is(clock):
    ladder = clock.ladder("exact", lambda s: 0.1, memory=lambda size: 8 * size**2)
    climb([ladder], Budget(100, 1500, clock))
    assert [size for _, size in clock.ran] == [1, 2, 4, 8]
    assert ladder.ended == "exact 16: 2.05 kB do not fit within 1.5 kB."


def test_sizes_double_and_end_at_the_last():
    assert doubled(16, 100) == [16, 32, 64, 100]
    assert doubled(16, 70) == [16, 32, 70] and doubled(16, 16) == [16] and doubled(8, 5) == [5]
    assert divided(4000, 500) == [500, 1000, 2000, 4000] and divided(300, 500) == [300]
    assert divided(4000, 250, 4) == [250, 1000, 4000]


def test_numbers_are_written_with_their_units():
    assert [in_bytes(8 * n**2) for n in (10, 60_000, 980_000)] == ["800 B", "28.8 GB", "7.68 TB"]
    assert [in_seconds(s) for s in (0.012, 7.44, 300, 7200)] == ["0.012 s", "7.4 s", "5 minutes", "2 hours"]
    assert in_bytes(np.float64(999.9)) == "1 kB"
