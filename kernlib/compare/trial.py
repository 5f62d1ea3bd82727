"""One table, cut in two and prepared: what the exact machine would take, the choice of γ and C, the ladders.

Chapter: Your own data.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.pipeline import Pipeline

from kernlib.compare.choice import Chooser
from kernlib.compare.climb import Budget, Ladder, climb, doubled, halved, in_bytes, in_seconds
from kernlib.compare.machines import (
    SCORES,
    Run,
    exact,
    features_for,
    gram_bytes,
    linear,
    memory_of,
    on_features,
    run,
    standard_error,
)
from kernlib.compare.result import Comparison, Forecast, recommend, rungs_of
from kernlib.compare.tables import FEWEST, Table, preparation, split_rows
from kernlib.kernels import Kernel
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.rows import take_rows

__all__ = ["Trial"]

TEST_SHARE, TEST_ROWS = 0.25, 20_000  # which tell scores apart that differ by a third of a percent
FIRST_COLUMNS, USUAL_COLUMNS = 16, 256  # c of the first rung, and the most that time should reach
FIRST_ROWS = 500  # of the exact machine's first rung, at least
PILOT = 2000  # rows that forecasts start from; of the exact machine a quarter
PACE = 200_000  # numbers that are prepared, at most, for a second of the budget
CHOOSING = 0.3  # the part of the budget that cross-validation may take
PREPARING = 40  # bytes for a number of the table while it is prepared; 8 later


class Trial:
    """A table within a budget; `runs` are the machines tried so far, `kept` those of the first seed."""

    def __init__(self, table: Table, scoring: str, budget: Budget, random_state: int, verbose: bool) -> None:
        self.table, self.scoring, self.budget = table, scoring, budget
        self.random_state, self.verbose = random_state, verbose
        self.task, self.notes = table.task, list(table.notes)
        self.runs: list[Run] = []
        self.kept: dict[tuple[str, int], tuple[Pipeline, float, NDArray]] = {}
        self.bar: Any = None
        size = min(TEST_ROWS, int(np.ceil(TEST_SHARE * len(table.y))))
        train, test = split_rows(table.y, table.task, size, random_state)
        self.test_rows, self.all_rows = np.sort(test), len(train)
        rows = self.affordable(len(train), size)
        self.prepare = (
            preparation(table).set_output(transform="default").fit(take_rows(table.X, train[:rows]))
        )
        self.train, self.test = self.prepared(train[:rows]), self.prepared(self.test_rows)
        self.held = self.train[0].nbytes + self.test[0].nbytes

    def affordable(self, rows: int, test_rows: int) -> int:
        """Count the rows that can be prepared, and leave memory for the smallest machine on features."""
        width, memory = self.table.width, self.budget.memory
        wanted, rows = rows, min(rows, max(PILOT, int(PACE * self.budget.seconds / width)))
        c = min(rows, FIRST_COLUMNS)
        while (
            PREPARING * (rows + test_rows) * width + memory_of("Nyström", self.task, rows, c, width) > memory
        ):
            if (rows := rows // 2) < FEWEST:
                raise ValueError(f"memory must be larger: {in_bytes(memory)} hold no machine.")
        if rows < wanted:
            self.notes.append(
                f"Of {wanted:,} training rows, {rows:,} are prepared: more are beyond the budget."
            )
        return rows

    def prepared(self, rows: NDArray) -> tuple[NDArray, NDArray]:
        """Give some rows as numbers, with their targets."""
        X = self.prepare.transform(take_rows(self.table.X, rows))
        return np.ascontiguousarray(X, dtype=np.float64), self.table.y[rows]

    def forecast(self, family: Callable[[float], Kernel], free: bool) -> Forecast:
        """
        Forecast what the exact machine takes on all training rows: 8n² bytes for G, and the time by the power
        of n, from 2 to 3, that fits of a few hundred rows follow.
        """
        n, p = self.all_rows, self.train[0].shape[1]
        text = f"Exact machine on {n:,} rows: Gram matrix {in_bytes(gram_bytes(n))}"
        if self.held + memory_of("exact", self.task, n, 0, p) > self.budget.memory:
            text += f": not on this machine, where {in_bytes(self.budget.memory)} are free."
            return Forecast(n, gram_bytes(n), np.nan, text)
        kernel = family(1 / (p * self.train[0].var())) if free else family(1.0)
        rows = [min(n, PILOT // 4), min(n, PILOT // 2)]
        half, seconds = (sum(self.pilot(exact(self.task, kernel, 1.0, m), m)) for m in rows)
        if n > rows[1]:
            seconds *= (n / rows[1]) ** np.clip(np.log2(seconds / half), 2, 3)
        text += f", about {in_seconds(seconds)} with the test."
        return Forecast(n, gram_bytes(n), float(seconds), text)

    def choose(self, family: Callable[[float], Kernel], free: bool) -> tuple[Kernel, float, float]:
        """Choose γ and C of the exact machine, and C of the one on features, in part of the budget."""
        self.say_next("choosing γ and C")
        first = self.chooser(CHOOSING).kernel_and_weight(family, free)
        gamma, C = first.values
        self.say_next("choosing C for features")
        second = self.chooser(CHOOSING * 4 / 3).weight(family(gamma), C)
        self.notes.append(
            f"{family(gamma)}, C = {C:g}, on features {second.values[0]:g}: "
            + (f"by cross-validation on {first.rows:,} rows." if first.rows else "too few rows for a choice.")
        )
        return family(gamma), C, second.values[0]

    def climb(self, kernel: Kernel, C: float, C_squared: float, seeds: Sequence[int]) -> None:
        """Climb the ladders: no kernel and exact in half of the time, then all in what is left."""
        (n, p), task = self.train[0].shape, self.task
        names, notes = features_for(kernel, p)
        usual = partial(
            on_features, task, "Nyström", kernel, C_squared, min(USUAL_COLUMNS, int(np.sqrt(n)) + 1)
        )
        rows = self.in_time(usual, len(names) * len(seeds))
        exact_ = self.ladder(
            "exact", halved(n, FIRST_ROWS), lambda _, m, seed: exact(task, kernel, C, m), [0]
        )
        linear_ = self.ladder("linear", [p], lambda *_: linear(task), [0], rows)
        others = [
            self.ladder(
                name,
                doubled(min(rows, FIRST_COLUMNS), rows),
                partial(on_features, task, name, kernel, C_squared),
                seeds,
                rows,
            )
            for name in names
        ]
        climb([linear_, exact_], self.budget, share=0.5)
        climb([exact_, *others], self.budget)
        self.notes += notes + [one.ended for one in (linear_, exact_, *others) if one.ended]

    def at_least_one(self) -> None:
        """Where the time was over before any fit, fit the machine without a kernel on a few rows."""
        if not self.runs:
            self.notes.append("The budget was spent before the first fit: only the linear machine is here.")
            self.run(linear(self.task), "linear", self.train[0].shape[1], min(len(self.train[1]), PILOT))

    def in_time(self, build: Callable[..., Pipeline], runs: int) -> int:
        """Count the rows on which so many fits of a usual machine, of c = √n, take half of the time left."""
        n = rows = len(self.train[1])
        m = min(n, PILOT)
        fit, test = self.pilot(build(m, 0), m)
        while rows > m and runs * (fit * rows / m + test) > self.budget.left / 2:
            rows //= 2
        if rows < n:
            self.notes.append(f"Of {n:,} training rows, {rows:,} are fitted: more do not fit the time.")
        return rows

    def ladder(
        self,
        name: str,
        sizes: list[int],
        build: Callable[..., Pipeline],
        seeds: Sequence[int],
        rows: int | None = None,
    ) -> Ladder:
        """
        Make the ladder of what ``build(size, rows, seed)`` gives, its first rung forecast from a fit on a few
        rows; without `rows`, a size is a number of rows.
        """
        task, p = self.task, self.train[0].shape[1]
        m = min(len(self.train[1]), PILOT if rows else PILOT // 4)
        fit, test = self.pilot(build(min(m, sizes[0]), m, seeds[0]), m)
        more = (rows or sizes[0]) / m
        first = fit * more + test if rows else fit * max(1, more) ** 2.5 + test * more

        def run_all(size):
            for seed in seeds:
                seconds = self.run(build(size, rows or size, seed), name, size, rows or size, seed)
                if seconds > self.budget.left:
                    break

        def memory(size):
            return self.held + memory_of(name, task, rows or size, size, p)

        return Ladder(name, sizes, run_all, memory, len(seeds) * first, 2 if rows else 4)

    def run(self, machine: Pipeline, name: str, size: int, rows: int, seed: int = 0) -> float:
        """Fit a machine on the first of the training rows, try it on the test rows, and give the seconds."""
        self.say_next(f"{name}, {size:,}")
        train = (A[:rows] for A in self.train)
        fitted, found, predicted = run(machine, name, size, seed, train, self.test, self.scoring)
        self.kept.setdefault((name, size), (fitted, found.score, predicted))
        self.runs.append(found)
        return found.fit_seconds + found.predict_seconds

    def pilot(self, machine: Pipeline, rows: int) -> tuple[float, float]:
        """Measure the seconds of a fit on the first few rows, and those of the test."""
        found = run(machine, "", 0, 0, (A[:rows] for A in self.train), self.test, self.scoring)[1]
        return found.fit_seconds, found.predict_seconds

    def chooser(self, share: float) -> Chooser:
        """Give the cross-validation, until a part of the budget is spent."""
        deadline = self.budget.start + share * self.budget.seconds
        memory = self.budget.memory - self.held
        return Chooser(self.task, *self.train, self.scoring, deadline, memory, self.random_state)

    def result(self, forecast: Forecast) -> Comparison:
        """Put together what was found."""
        table = list(rungs_of(self.runs))
        best = max(table, key=lambda rung: rung.score)
        X, y = self.test
        dummy = DummyClassifier() if self.task == "classification" else DummyRegressor()
        baseline = float(SCORES[self.scoring](y, dummy.fit(*self.train).predict(X)))
        error = standard_error(self.scoring, y, self.kept[best.machine, best.size][2])
        chosen, recommendation = recommend(table, error, forecast, baseline)
        fitted, score, _ = self.kept[chosen.machine, chosen.size]
        return Comparison(
            table=table,
            forecast=forecast,
            recommendation=recommendation,
            pipeline=Pipeline([("prepare", self.prepare), *fitted.steps]),
            chosen=chosen,
            score=score,
            test_rows=self.test_rows,
            task=self.task,
            scoring=self.scoring,
            baseline=baseline,
            error=error,
            notes=self.notes,
            seconds=self.budget.spent,
        )

    def say(self, *lines: str) -> None:
        """Print lines, where someone wants them."""
        if self.verbose:
            print(*lines, sep="\n")

    @contextmanager
    def progress(self) -> Iterator[None]:
        """Show the seconds of the budget as they are spent."""
        total = round(self.budget.seconds)
        with progress_bar(total=total, unit="s", verbose=self.verbose) as self.bar:
            yield
            self.bar.update(total - self.bar.n)

    def say_next(self, text: str) -> None:
        """Say what is done now."""
        self.bar.set_description_str(text, refresh=False)
        self.bar.update(min(round(self.budget.spent), self.bar.total) - self.bar.n)
