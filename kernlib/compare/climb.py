"""A budget of seconds and bytes, spent on ladders whose rungs grow in size."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from time import perf_counter

import numpy as np

__all__ = ["Budget", "Ladder", "climb", "divided", "doubled", "in_bytes", "in_seconds"]

CUBIC = 3  # the largest power of the size that the cost of a model grows as
MARGIN = 1.3  # how many times its forecast a rung may take
UNTRIED = 0.5  # of the time that its kind has taken counts for a ladder of which no rung was run
FAVOR = 4  # how many times as long the next rung of the leading model may take and still come first


@dataclass
class Budget:
    """Seconds from now on, and bytes; `clock` returns the time."""

    seconds: float
    memory: float
    clock: Callable = perf_counter
    start: float = field(init=False)

    def __post_init__(self):
        self.start = self.clock()

    @property
    def spent(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    @property
    def left(self) -> float:
        """Seconds until the end."""
        return self.seconds - self.spent

    def deadline(self, part: float, number: int) -> float:
        """Return when the first of so many steps must end that share the time until a part of the budget."""
        now = self.clock()
        return now + max(0.0, self.start + part * self.seconds - now) / number


@dataclass
class Ladder:
    """One model at sizes that grow: `climb` runs them in turn while time and memory last.

    `run` fits the model of a size, and returns how many times if that is more than once; `memory` returns its
    bytes. `first` is the forecast of the first fit in seconds, which grow as the `work` of a size to a power
    from `least` to `most`. A fit takes at most `share` of the time left. A refit would take `refit` times as
    long; the rungs after the first `whole` ones leave that time. Ladders of one `kind` share their time.
    """

    name: str
    sizes: list
    run: Callable
    memory: Callable
    first: float
    least: float
    most: float = CUBIC
    share: float = 1.0
    refit: float = 0.0
    whole: int = 0
    work: Callable = float
    kind: str = ""
    seconds: list = field(default_factory=list)
    ended: str = ""

    @property
    def size(self) -> int:
        """The size of the next rung."""
        return self.sizes[len(self.seconds)]

    def forecast(self) -> float:
        """Forecast the seconds of the next fit: they grow as those of the last rungs did."""
        if not self.seconds:
            return MARGIN * self.first
        power, last = self.least, self.seconds[-1]
        *before, now, then = map(self.work, self.sizes[: len(self.seconds) + 1])
        if before and now > before[-1] and self.seconds[-2] > 0:
            growth = np.log(last / self.seconds[-2]) / np.log(now / before[-1])
            power = np.clip(growth, power, self.most)
        return MARGIN * last * (then / now) ** power

    def refusal(self, budget: Budget, share: float, reserve: float) -> str:
        """Return why the next rung is not run, its memory or its time; "" if it can be."""
        needed, seconds = self.memory(self.size), self.forecast()
        what = f"{self.name} " + " × ".join(f"{number:,}" for number in np.atleast_1d(self.size))
        if isinstance(self.size, tuple):
            what += " rows"
        if needed > budget.memory:
            return f"{what}: {in_bytes(needed)} do not fit within {in_bytes(budget.memory)}."
        left = max(0.0, budget.left)
        needs, has = f"{what}: about {in_seconds(seconds)}", f"the {in_seconds(left)} left."
        if left == 0:
            return f"{what}: no time was left."
        if seconds > share * left:
            return f"{needs}, more than its share of {has}"
        refit = 0.0 if len(self.seconds) < self.whole else self.refit * seconds
        if seconds + max(reserve, refit) > left:
            return f"{needs} plus a refit, more than {has}"
        return ""


def climb(
    ladders: Sequence[Ladder],
    budget: Budget,
    reserve: Callable[[], float] = lambda: 0.0,
    leader: Callable[[], str] = lambda: "",
) -> None:
    """Run rungs until none fits the budget, less what `reserve` returns.

    The next rung is that after which its kind has taken the least time; for the first of a ladder, half of
    what its kind has taken counts, since a model that was not tried cannot lead. The ladder that `leader`
    names has no share, and comes before rungs that take a quarter of the time.
    """
    while going := [ladder for ladder in ladders if len(ladder.seconds) < len(ladder.sizes)]:
        able, first, kept = [], leader(), reserve()
        spent: Counter = Counter()
        for ladder in ladders:
            spent[ladder.kind] += sum(ladder.seconds)
        for ladder in going:
            share, favor = (1.0, FAVOR) if ladder.name == first else (ladder.share, 1)
            ladder.ended = ladder.refusal(budget, share, kept)
            if not ladder.ended:
                before = spent[ladder.kind] * (1 if ladder.seconds else UNTRIED)
                able.append((before + ladder.forecast() / favor, ladder))
        if not able:
            return
        (_, ladder), start = min(able, key=itemgetter(0)), budget.clock()
        fits = ladder.run(ladder.size) or 1
        ladder.seconds.append((budget.clock() - start) / fits)


def doubled(first: int, last: int) -> list[int]:
    """Return first, 2 first, 4 first, ... and last, leaving out the one just before it."""
    sizes = []
    while first <= last / 1.5:
        sizes.append(first)
        first *= 2
    return [*sizes, last]


def divided(last: int, least: int, by: int = 2) -> list[int]:
    """Return ..., last/4, last/2, last, or by another factor; none but the last is below the least."""
    sizes = [last]
    while sizes[0] // by >= least:
        sizes.insert(0, sizes[0] // by)
    return sizes


def in_bytes(number: float) -> str:  # type: ignore[return]  # the last unit takes any number
    """Write a number of bytes with three digits."""
    for unit in ("B", "kB", "MB", "GB", "TB", "PB", "EB"):
        if number < 999.5 or unit == "EB":
            return f"{number:.3g} {unit}"
        number /= 1000


def in_seconds(number: float) -> str:
    """Write a time with two digits."""
    if number < 99.5:
        return f"{number:.2g} s"
    return f"{number / 60:.0f} minutes" if number < 5940 else f"{number / 3600:,.0f} hours"
