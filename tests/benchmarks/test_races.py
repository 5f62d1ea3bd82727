"""The benchmark's harness tells what it must: who is slower, who is wrong, who crashed, and who disturbed."""

import multiprocessing
import pickle
import time
from dataclasses import replace
from functools import partial

import planted
import psutil
import pytest

from benchmarks import limits, machine, peers
from benchmarks.limits import NAMES, floor_seconds
from benchmarks.machine import Others
from benchmarks.race import PeerFailed, Race, run
from benchmarks.races import RACES
from benchmarks.worker import Worker, WorkerFailed

RATES = {dtype: dict.fromkeys(NAMES, 1e9) for dtype in ("f32", "f64")}
PLANTED = Race(
    "planted",
    "a slower and less accurate side",
    ours=partial(planted.sleeping, 0.1),
    theirs=partial(planted.sleeping, 0.8),
    error=planted.itself,
    measure="its seconds",
    floor="n * 1e7 / gemm",
    sizes={"n": 1},
)


def test_a_slower_and_less_accurate_side_is_told_and_the_share_of_the_floor():
    result = run(PLANTED, RATES, turns=3)
    assert result.accurate and result.ratio > 2
    assert result.quartiles[0] <= result.ratio <= result.quartiles[1]
    assert result.floor_seconds == 0.01 and 0 < result.share <= 0.1
    worse = run(replace(PLANTED, ours=PLANTED.theirs, theirs=PLANTED.ours), RATES, turns=3)
    assert worse.ratio < 0.5 and not worse.accurate


def test_a_side_whose_turn_it_is_not_is_stopped_and_its_threads_with_it():
    with Worker(partial(planted.spinning, "f64"), planted.none) as worker:
        for work in (worker.warm_up, worker.turn):
            work()
            process, end = psutil.Process(worker.process.pid), time.monotonic() + 10
            while process.status() != psutil.STATUS_STOPPED and time.monotonic() < end:
                time.sleep(0.01)
            spent = process.cpu_times()
            time.sleep(0.2)
            assert process.status() == psutil.STATUS_STOPPED
            assert process.cpu_times() == spent


@pytest.mark.parametrize("broken", [planted.dying, planted.raising])
def test_a_side_that_crashes_is_told_and_whose_it_is(broken):
    with pytest.raises(PeerFailed, match=r"exit code 3|ValueError: invalid literal"):
        run(replace(PLANTED, theirs=broken), RATES, turns=3)
    with pytest.raises(WorkerFailed):
        run(replace(PLANTED, ours=broken), RATES, turns=3)
    assert not multiprocessing.active_children()


def test_a_busy_machine_is_told_and_the_race_repeated(monkeypatch):
    shares = iter([(0.5, 0.0), (0.2, 0.0), (0.0, 0.3)])
    monkeypatch.setattr(Others, "shares", lambda self: next(shares))
    monkeypatch.setattr("benchmarks.race.turns_for", lambda seconds: 1)
    result = run(replace(PLANTED, theirs=PLANTED.ours))
    assert result.busy and result.tries == 3
    assert (result.others, result.steal) == (0.2, 0.0)  # the quietest counts
    shares = iter([(0.5, 0.0), (0.01, 0.0)])
    result = run(replace(PLANTED, theirs=PLANTED.ours))
    assert not result.busy and result.tries == 2


def test_rates_beside_others_work_are_measured_again_and_the_best_counts(monkeypatch):
    shares = iter([(0.5, 0.0), (0.0, 0.2), (0.0, 0.0)])
    speeds = iter([1, 3, 2, 7, 8, 1])  # float32 and float64 of each try
    monkeypatch.setattr(Others, "shares", lambda self: next(shares))
    monkeypatch.setattr(limits, "rates_of", lambda dtype, rounds: {"gemm": next(speeds)})
    assert limits.measure() == {"f32": {"gemm": 8}, "f64": {"gemm": 7}}


def test_what_others_and_the_host_took_is_told_from_our_own_work(monkeypatch):
    readings = iter([(10.0, 1.0), (13.0, 1.5)])
    monkeypatch.setattr(machine, "all_work", lambda: next(readings))
    monkeypatch.setattr(machine, "cpu_count", lambda: 2)
    own, clock = iter([5.0, 6.0]), iter([100.0, 102.0])
    monkeypatch.setattr(Others, "own_work", lambda self: next(own))
    monkeypatch.setattr(machine.time, "perf_counter", lambda: next(clock))
    assert Others().shares() == (0.5, 0.125)  # of 2 s on 2 cores: 3 s of work, of which 1 s is ours


def test_every_race_reaches_its_process_by_name_and_has_a_floor_and_a_step_that_keeps_it_there():
    for race in [race for races in RACES.values() for race in races]:
        assert pickle.loads(pickle.dumps(race)).work == race.work
        assert set(race.dtypes) <= {"f32", "f64"}
        assert floor_seconds(race.floor, race.sizes, race.dtypes[0], RATES) > 0
        assert pickle.loads(pickle.dumps(race.because))[0]


def test_every_peer_that_can_be_had_runs_in_a_race():
    raced = {race.needs for races in RACES.values() for race in races} - {None}
    assert raced <= set(peers.NAMES.values())
    assert set(peers.NAMES.values()) - raced <= set(peers.ABSENT)
