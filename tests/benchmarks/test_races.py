"""The benchmark finds out who is slower, less accurate or crashed, and whether others disturbed it."""

import multiprocessing
import pickle
import time
from dataclasses import replace
from functools import partial

import planted
import psutil
import pytest

from benchmarks import machine, peers
from benchmarks.limits import NAMES, compute_floor
from benchmarks.machine import OtherLoad
from benchmarks.race import PeerFailed, Race, run
from benchmarks.races import RACES
from benchmarks.worker import Worker, WorkerFailed

RATES = {"f32": dict.fromkeys(NAMES, 2e9), "f64": dict.fromkeys(NAMES, 1e9)}
RACE = Race(
    *("made-up", "a slower and less accurate side"),
    ours=partial(planted.sleep, 0.1),
    theirs=partial(planted.sleep, 0.5),
    error=planted.identity,
    measure="its seconds",
    floor={"n / gemm": 1e7},
)


def test_a_slower_and_less_accurate_side_is_recorded_with_our_share_of_the_floor():
    result = run(RACE, RATES, turns=2)
    assert result["accurate"] and result["ratio"] > 2
    assert result["quartiles"][0] <= result["ratio"] <= result["quartiles"][1]
    assert result["floor_seconds"] == 0.01 and 0 < result["share"] <= 0.1
    worse = run(replace(RACE, ours=RACE.theirs, theirs=RACE.ours), RATES, turns=2)
    assert worse["ratio"] < 0.5 and not worse["accurate"]


def test_a_floor_adds_up_amounts_over_the_rates_of_their_type():
    assert compute_floor({"n / gemm": 4e9, "n² / 2 / exp64": 3e9}, "f32", RATES) == 2 + 3


def test_a_side_that_waits_is_stopped_with_its_threads():
    with Worker(partial(planted.spin, "f64"), planted.identity) as worker:
        for _ in range(2):
            worker.work()
            process, end = psutil.Process(worker.process.pid), time.monotonic() + 10
            while process.status() != psutil.STATUS_STOPPED and time.monotonic() < end:
                time.sleep(0.01)
            spent = process.cpu_times()
            time.sleep(0.2)
            assert process.status() == psutil.STATUS_STOPPED
            assert process.cpu_times() == spent


@pytest.mark.parametrize("broken", [planted.die, planted.fail])
def test_a_crash_is_reported_with_the_side_that_crashed(broken):
    with pytest.raises(PeerFailed, match=r"exit code 3|ValueError: invalid literal"):
        run(replace(RACE, theirs=broken), RATES, turns=3)
    with pytest.raises(WorkerFailed):
        run(replace(RACE, ours=broken), RATES, turns=3)
    assert not multiprocessing.active_children()


def test_a_race_on_a_busy_machine_is_repeated_and_the_quietest_try_counts(monkeypatch):
    shares = iter([(0.5, 0.0), (0.2, 0.0), (0.0, 0.3)])
    monkeypatch.setattr(OtherLoad, "shares", lambda self: next(shares))
    monkeypatch.setattr("benchmarks.race.choose_turns", lambda seconds: 1)
    result = run(replace(RACE, theirs=RACE.ours))
    assert result["busy"] and result["tries"] == 3
    assert (result["others"], result["steal"]) == (0.2, 0.0)
    shares = iter([(0.5, 0.0), (0.01, 0.0)])
    result = run(replace(RACE, theirs=RACE.ours))
    assert not result["busy"] and result["tries"] == 2


def test_the_load_of_others_and_of_the_host_does_not_include_our_own_work(monkeypatch):
    readings = iter([(10.0, 1.0), (13.0, 1.5)])
    monkeypatch.setattr(machine, "read_all_work", lambda: next(readings))
    monkeypatch.setattr(machine, "cpu_count", lambda: 2)
    own, clock = iter([5.0, 6.0]), iter([100.0, 102.0])
    monkeypatch.setattr(OtherLoad, "read_own_work", lambda self: next(own))
    monkeypatch.setattr(machine.time, "perf_counter", lambda: next(clock))
    assert OtherLoad().shares() == (0.5, 0.125)  # of 2 s on 2 cores: 3 s of work, of which 1 s is ours


def test_every_race_reaches_its_process_by_name_and_has_a_floor_and_a_step():
    for race in [race for races in RACES.values() for race in races]:
        assert pickle.loads(pickle.dumps(race)).work == race.work
        assert set(race.dtypes) <= {"f32", "f64"}
        assert compute_floor(race.floor, race.dtypes[0], RATES) > 0


def test_every_peer_that_can_be_had_runs_in_a_race():
    raced = {race.needs for races in RACES.values() for race in races} - {None}
    assert raced <= set(peers.NAMES.values())
    assert set(peers.NAMES.values()) - raced <= set(peers.ABSENT)
