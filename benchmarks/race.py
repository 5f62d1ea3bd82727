"""One race: the same work by kernlib and by a peer, taking turns in one process, checked for accuracy."""

import gc
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["PeerFailed", "Race", "Result", "run"]


@dataclass(frozen=True)
class Race:
    """The same work, done twice, and how far each result is from a truth that is computed apart."""

    work: str  # what is computed, and of what size
    peer: str  # who else computes it
    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    error: Callable[[Any], float]  # of a result; smaller is better
    measure: str  # what the error is: "largest error", "root mean square error on the test part"
    dtypes: tuple[str, str] = ("f64", "f64")  # what ours and theirs compute in: "f64" or "f32"
    goal: float | None = None  # the ratio to reach, from the project's design
    slack: float = 1e-10  # by how much our error may exceed theirs: what rounding explains
    rounds: int = 7  # how many turns each takes, after one that isn't counted


class PeerFailed(Exception):
    """The peer is installed, and does not run."""


@dataclass(frozen=True)
class Result:
    """
    What a race gave: its own facts, and pairs of ours and theirs.

    The ratio is their seconds over ours, of each round: median, smallest and largest.
    """

    work: str
    peer: str
    measure: str
    dtypes: tuple[str, str]
    goal: float | None
    rounds: int
    ratio: float
    lowest: float
    highest: float
    seconds: tuple[float, float]  # medians
    errors: tuple[float, float]
    megabytes: tuple[float | None, float | None]  # the peak beyond what was held before; None if not told
    accurate: bool  # whether our error is at most theirs, up to five per cent and the slack

    def as_dict(self):
        """Give the fields for the record, with floats of four digits."""

        def brief(value):
            if isinstance(value, float):
                return float(f"{value:.4g}")
            return [brief(item) for item in value] if isinstance(value, tuple) else value

        return {name: brief(value) for name, value in asdict(self).items()}


def run(race):
    """Run a race; `PeerFailed` if the peer does, while what fails in ours is raised as it is."""
    contestants = (race.ours, race.theirs)
    errors, megabytes = [], []
    for work in contestants:  # the round that isn't counted: it warms up, and is looked at
        gc.collect()
        before = memory("VmRSS", reset_peak=True)
        try:
            result = work()
        except Exception as error:
            if work is race.theirs:
                raise PeerFailed(f"{type(error).__name__}: {error}") from error
            raise
        peak = memory("VmHWM")
        megabytes.append(None if before is None else max(0.0, (peak - before) / 1024))
        errors.append(float(race.error(result)))
        del result
    seconds = np.empty((race.rounds, 2))
    for turn in range(race.rounds):
        for i in (0, 1) if turn % 2 == 0 else (1, 0):
            start = time.perf_counter()
            contestants[i]()
            seconds[turn, i] = time.perf_counter() - start
    ratios = seconds[:, 1] / seconds[:, 0]
    return Result(
        race.work,
        race.peer,
        race.measure,
        race.dtypes,
        race.goal,
        race.rounds,
        ratio=float(np.median(ratios)),
        lowest=float(ratios.min()),
        highest=float(ratios.max()),
        seconds=tuple(float(s) for s in np.median(seconds, axis=0)),
        errors=tuple(errors),
        megabytes=tuple(megabytes),
        accurate=bool(errors[0] <= 1.05 * errors[1] + race.slack),
    )


def memory(field, reset_peak=False):
    """
    Read the kilobytes that this process holds ("VmRSS") or held at most ("VmHWM"); None where not on Linux.

    With `reset_peak` a new measurement of the most begins.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    if reset_peak:
        Path("/proc/self/clear_refs").write_text("5")
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith(field))
