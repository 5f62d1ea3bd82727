"""One race: the same work by kernlib and by a peer, each in a process of its own, taking turns."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

import numpy as np

from benchmarks.limits import floor_seconds, shown
from benchmarks.machine import TRIES, Others, busy, taken
from benchmarks.worker import Worker, WorkerFailed

__all__ = ["PeerFailed", "Race", "Result", "run"]

LONG = 5  # seconds of a turn of both above which there are few


@dataclass(frozen=True)
class Race:
    """
    The same work, done twice, and how far each result is from a truth that is computed apart.

    A side is a function that a fresh process finds by its name: from "f32" or "f64" it makes the inputs, and
    gives the work as a function without arguments.
    """

    work: str  # what is computed, and of what size
    peer: str  # who else computes it
    ours: Callable[[str], Callable[[], Any]]
    theirs: Callable[[str], Callable[[], Any]]
    error: Callable[[Any], float]  # of a result; smaller is better
    measure: str  # what the error is: "largest error", "root mean square error on the test part"
    dtypes: tuple[str, str] = ("f64", "f64")  # what ours and theirs compute in: "f64" or "f32"
    goal: float | None = None  # the ratio to reach
    slack: float = 1e-10  # by how much our error may exceed theirs: what rounding explains
    needs: str | None = None  # the package of the peer, where it is not one of kernlib's own
    floor: str | None = None  # seconds that the machine needs at least, in the rates of `limits`
    sizes: Mapping[str, float] = field(default_factory=dict)  # the letters of the floor
    because: tuple[str, Callable] | None = None  # a step that keeps us from the floor, timed on its own


class PeerFailed(Exception):
    """The peer is installed, and does not run."""


@dataclass(frozen=True)
class Result:
    """
    What a race gave: its own facts, and pairs of ours and theirs.

    A ratio is theirs over ours, of each turn; the median, and for the clock the quartiles.
    """

    work: str
    peer: str
    measure: str
    dtypes: tuple[str, str]
    goal: float | None
    turns: int
    ratio: float
    quartiles: tuple[float, float]
    cpu_ratio: float
    seconds: tuple[float, float]  # medians
    cpu: tuple[float, float]
    errors: tuple[float, float]
    megabytes: tuple[float | None, float | None]  # the peak beyond what was held before
    accurate: bool  # whether our error is at most theirs, up to five per cent and the slack
    floor: str | None
    floor_seconds: float | None
    share: float | None  # the floor over our seconds
    because: tuple[str, float] | None  # the step and its seconds
    others: float | None  # share of the machine that others took
    steal: float | None
    busy: bool  # whether others took too much in every try
    tries: int

    def as_dict(self):
        """Give the fields for the record, with floats of four digits."""

        def brief(value):
            if isinstance(value, float):
                return float(f"{value:.4g}")
            return [brief(item) for item in value] if isinstance(value, tuple) else value

        return {name: brief(value) for name, value in asdict(self).items()}


def run(race, rates=None, turns=None):
    """Run a race; `PeerFailed` if the peer fails, `WorkerFailed` if ours does. Shares need the `rates`."""
    sides = [(race.ours, race.dtypes[0]), (race.theirs, race.dtypes[1])]
    with ExitStack() as stack:
        ours, theirs = (stack.enter_context(Worker(partial(*side), race.error)) for side in sides)
        errors = ours.warm_up(), of_peer(theirs.warm_up)
        tries = [take_turns(ours, theirs, turns)]
        while turns is None and busy(tries[-1][1]) and len(tries) < TRIES:
            tries.append(take_turns(ours, theirs, turns))
    best = min(tries, key=lambda attempt: taken(attempt[1]))
    measured, (others, steal) = best
    seconds, cpu = measured[:, :, 0], measured[:, :, 1]
    ratios, median = seconds[:, 1] / seconds[:, 0], np.median(seconds, axis=0)
    peaks = measured[:, :, 2].max(axis=0)
    floor = None
    if race.floor is not None and rates is not None:
        floor = floor_seconds(race.floor, race.sizes, race.dtypes[0], rates)
    return Result(
        race.work,
        race.peer,
        race.measure,
        race.dtypes,
        race.goal,
        turns=len(measured),
        ratio=float(np.median(ratios)),
        quartiles=tuple(float(q) for q in np.quantile(ratios, [0.25, 0.75])),
        cpu_ratio=float(np.median(cpu[:, 1] / np.maximum(cpu[:, 0], 1e-6))),
        seconds=tuple(float(s) for s in median),
        cpu=tuple(float(s) for s in np.median(cpu, axis=0)),
        errors=errors,
        megabytes=tuple(None if np.isnan(peak) else float(peak) for peak in peaks),
        accurate=bool(errors[0] <= 1.05 * errors[1] + race.slack),
        floor=None if race.floor is None else shown(race.floor),
        floor_seconds=floor,
        share=None if floor is None else float(floor / median[0]),
        because=step(race),
        others=others,
        steal=steal,
        busy=busy(best[1]),
        tries=len(tries),
    )


def take_turns(ours, theirs, turns):
    """Let both work in turn: an array (turns, 2, 3) of seconds, CPU and megabytes, and what others took."""
    others, measured = Others(ours.process.pid, theirs.process.pid), []
    while turns is None or len(measured) < turns:
        pair = [None, None]
        for i in (0, 1) if len(measured) % 2 == 0 else (1, 0):
            pair[i] = ours.turn() if i == 0 else of_peer(theirs.turn)
        measured.append(pair)
        if turns is None:
            turns = turns_for(sum(turn.seconds for turn in pair))
    return np.array(measured, dtype=np.float64), others.shares()


def turns_for(seconds):
    """Nine turns and more of short works, three of long ones."""
    return 3 if seconds > LONG else min(25, max(9, int(2 / seconds)))


def of_peer(work):
    """Do the peer's part, and say whose fault it is if it fails."""
    try:
        return work()
    except WorkerFailed as failure:
        raise PeerFailed(str(failure)) from failure


def step(race):
    """Time the step of `because`, in a process of its own."""
    if race.because is None:
        return None
    text, build = race.because
    with Worker(partial(build, race.dtypes[0]), unjudged) as worker:
        worker.warm_up()
        return text, float(np.median([worker.turn().seconds for _ in range(5)]))


def unjudged(result):
    """No error is asked for."""
    return 0.0
