"""One race: the same work by kernlib and by a peer, each in a process of its own, taking turns."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from benchmarks.limits import compute_floor
from benchmarks.machine import TRIES, OtherLoad, is_busy, largest_share
from benchmarks.worker import Worker, WorkerFailed

F64, MIXED, F32 = ("f64", "f64"), ("f32", "f64"), ("f32", "f32")  # what ours and theirs compute in

LONG = 5  # seconds of a turn of both; longer works take few turns


@dataclass(frozen=True)
class Race:
    """The same work by two sides, which make inputs of "f32" or "f64" and return a function to be timed."""

    work: str  # what is computed, and of what size
    peer: str  # who else computes it
    ours: Callable[[str], Callable[[], Any]]
    theirs: Callable[[str], Callable[[], Any]]
    error: Callable[[Any], float]  # of a result; smaller is better
    measure: str  # what the error is: "largest error", "root mean square error on the test part"
    dtypes: tuple[str, str] = ("f64", "f64")  # what ours and theirs compute in: "f64" or "f32"
    goal: float | None = None  # the ratio to reach
    slack: float = 1e-10  # by how much our error may exceed theirs: what rounding explains
    needs: str | None = None  # the package of the peer, if it is not one of kernlib's own
    floor: Mapping[str, float] | None = None  # the least seconds, as terms and amounts
    because: tuple[str, Callable] | None = None  # a step that keeps us from the floor, timed on its own


class PeerFailed(Exception):
    """The peer is installed, and does not run."""


def make_races(work, ours, error, measure, peers, *, slack, floor, because):
    """Return the races of one work: for each peer, one for each pair of types.

    A peer is (name, side, goals by types) and, if it has to be installed, its package. The slack is a pair
    for ours in float64 and in float32, and ``floor`` is a function of our type.
    """
    return [
        Race(
            *(work, name, ours, side, error, measure, dtypes, goal),
            slack=slack[dtypes[0] == "f32"],
            needs=package[0] if package else None,
            floor=floor(dtypes[0]),
            because=because,
        )
        for name, side, goals, *package in peers
        for dtypes, goal in goals.items()
    ]


def run(race, rates=None, turns=None):
    """Run a race and return its part of the record: pairs are of ours and theirs, ratios theirs over ours."""
    sides = [(race.ours, race.dtypes[0]), (race.theirs, race.dtypes[1])]
    with ExitStack() as stack:
        ours, theirs = (stack.enter_context(Worker(partial(*side), race.error)) for side in sides)
        errors = ours.work(), let_peer_work(theirs)
        tries = [take_turns(ours, theirs, turns)]
        while turns is None and is_busy(tries[-1][1]) and len(tries) < TRIES:
            tries.append(take_turns(ours, theirs, turns))
    measured, shares = min(tries, key=lambda attempt: largest_share(attempt[1]))
    seconds, cpu = measured[:, :, 0], measured[:, :, 1]
    ratios, median = seconds[:, 1] / seconds[:, 0], np.median(seconds, axis=0).tolist()
    peaks = measured[:, :, 2].max(axis=0)
    floor = compute_floor(race.floor, race.dtypes[0], rates) if race.floor and rates else None
    return {name: getattr(race, name) for name in ("work", "peer", "measure", "dtypes", "goal")} | {
        "turns": len(measured),
        "ratio": float(np.median(ratios)),
        "quartiles": np.quantile(ratios, [0.25, 0.75]).tolist(),
        "cpu_ratio": float(np.median(cpu[:, 1] / np.maximum(cpu[:, 0], 1e-6))),
        "seconds": median,
        "cpu": np.median(cpu, axis=0).tolist(),
        "errors": errors,
        "megabytes": [None if np.isnan(peak) else float(peak) for peak in peaks],  # beyond those held before
        "accurate": bool(errors[0] <= 1.05 * errors[1] + race.slack),
        "floor": " + ".join(race.floor) if race.floor else None,
        "floor_seconds": floor,
        "share": floor / median[0] if floor else None,
        "because": time_step(race),
        "others": shares[0],  # the share of the machine that others took
        "steal": shares[1],
        "busy": is_busy(shares),
        "tries": len(tries),
    }


def take_turns(ours, theirs, turns):
    """Let both work in turn; return an array (turns, 2, 3) of what a `Turn` holds, and others' shares."""
    load, measured = OtherLoad(ours.process.pid, theirs.process.pid), []
    while turns is None or len(measured) < turns:
        if len(measured) % 2 == 0:
            pair = [ours.work(), let_peer_work(theirs)]
        else:
            pair = [let_peer_work(theirs), ours.work()][::-1]
        measured.append(pair)
        if turns is None:
            turns = choose_turns(sum(turn.seconds for turn in pair))
    return np.array(measured, dtype=np.float64), load.shares()


def choose_turns(seconds):
    """Return how many turns to take: nine and more of short works, three of long ones."""
    return 3 if seconds > LONG else min(25, max(9, int(2 / seconds)))


def let_peer_work(worker):
    """Let the peer work, and raise an error that names it if it fails."""
    try:
        return worker.work()
    except WorkerFailed as failure:
        raise PeerFailed(str(failure)) from failure


def time_step(race):
    """Time the step of `because` in a process of its own; return its text and its seconds."""
    if race.because is None:
        return None
    text, build = race.because
    with Worker(partial(build, race.dtypes[0]), ignore_result) as worker:
        worker.work()
        return text, float(np.median([worker.work().seconds for _ in range(5)]))


def ignore_result(result):
    """Return an error of 0, because a step has none."""
    return 0.0
