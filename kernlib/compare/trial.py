"""One comparison: ladders of models within a budget, and the refit of the winner.

Chapter: Your own data.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import Pipeline
from sklearn.utils import gen_batches

from kernlib.compare.climb import Budget, Ladder, climb, doubled, halved, in_bytes, in_seconds
from kernlib.compare.models import build_model, features_for, gram_bytes, memory_of
from kernlib.compare.parts import Part, prepare_parts, prepared
from kernlib.compare.result import Comparison
from kernlib.compare.rungs import NOTICED, Forecast, Run, recommend, rungs_of
from kernlib.compare.scores import evaluate, output_of, standard_error
from kernlib.compare.tables import Table
from kernlib.kernels import Kernel
from kernlib.numerics.progress import progress_bar

__all__ = ["Trial"]

FIRST_COLUMNS = 16  # c of the first rung
FIRST_ROWS = 250  # of the exact and the linear model's first rung, at least
TREE_ROWS = 1000  # of the first trees
TREE_COST = 1e-4  # seconds, at most, of one step for each column and class
FEW_STEPS, STEPS, MORE_STEPS = (1, 3, 6, 12, 25, 50, 100), 100, (200, 400)  # on these rows, on more, on all
SHARES = {"linear": 0.3, "exact": 0.5, "Nyström": 0.4, "random features": 0.1, "tree": 0.4}  # of the time
ANOTHER = 0.03  # left that a rung may take; and another draw of the features
HELD = 1000  # rows that are predicted at once


@dataclass
class Trial:
    """A comparison within a budget: `runs` are the models so far."""

    table: Table
    pairs: Sequence[tuple[NDArray, NDArray]]
    scoring: str
    budget: Budget
    seeds: Sequence[int]
    refit: bool
    verbose: bool

    def __post_init__(self):
        table, budget, self.task = self.table, self.budget, self.table.task
        self.classes = np.unique(table.y) if self.task == "classification" else np.empty(0)
        self.runs: list[Run] = []
        self.fitted: dict[tuple[str, int, int], tuple[BaseEstimator, float]] = {}
        self.ladders: dict[str, Ladder] = {}
        self.bar: Any = None
        self.all_rows = min(len(train) for train, _ in self.pairs)
        start = budget.clock()
        self.parts, notes = prepare_parts(table, self.pairs, budget)
        self.preparing = budget.clock() - start
        self.notes = [*table.notes, *notes]
        self.test_rows = np.concatenate([part.test_rows for part in self.parts])
        self.targets = np.concatenate([part.test[1] for part in self.parts])
        self.rows = min(len(part.train[1]) for part in self.parts)
        self.width = self.parts[0].train[0].shape[1]

    def choose(self, family: Callable[[float], Kernel], free: bool) -> None:
        """Choose the kernel and λ for each part and, if there are several, for all rows."""
        parts = list(self.parts)
        if len(parts) > 1:
            everything = np.arange(len(self.table.y))
            parts.append(Part.of(self.table, everything, everything[:1]))
        balanced, self.whole = self.scoring == "balanced_accuracy", parts[-1]
        for i, part in enumerate(parts, 1):
            self.say_next("choosing γ and λ")
            part.choice = part.choose(family, free, self.classes, balanced, self.budget, i / len(parts))
        self.notes += self.whole.choice.notes

    def make_ladders(self) -> None:
        """Make the ladder of each model, and forecast the exact one."""
        names, notes = features_for(self.parts[0].choice.kernel, self.width)
        self.notes += notes
        rows = halved(self.rows, FIRST_ROWS)
        self.add_ladder("linear", rows, 0, (1.5, 3))
        self.add_ladder("exact", rows, 0, (4, 8))
        for name in names:
            sizes = doubled(min(self.rows, FIRST_COLUMNS), self.rows)
            self.add_ladder(name, sizes, self.preparing, (2, 4), self.rows)
        m = min(self.rows, TREE_ROWS)
        steps = [(steps, m) for steps in FEW_STEPS]
        steps += [(STEPS, size) for size in halved(self.rows, m + 1) if size > m]
        steps += [(more, self.rows) for more in MORE_STEPS]
        self.add_ladder("tree", steps, TREE_COST * self.width * max(1, len(self.classes)), (1.5, 2))
        self.forecast = self.forecast_exact()
        if self.verbose:
            print(self.forecast.text, *self.table.notes, sep="\n")

    def add_ladder(
        self, name: str, sizes: list, first: float, growth: tuple[float, float], rows: int | None = None
    ) -> None:
        """
        Make the ladder of a model whose first rung is forecast to take `first` seconds.

        Without `rows` the size is the number of rows. A refit takes as many times the seconds of a rung as
        there are rows in the table for each that is fitted, to the power 1, or 2.5 for the exact model.
        """
        more = len(self.table.y) / self.all_rows
        refit = self.refit * more ** (2.5 if name == "exact" else 1) / len(self.parts)
        held, outputs = sum(part.nbytes for part in self.parts), max(1, len(self.classes))

        def split(size):  # into what the model is built with and the number of rows
            return size if name == "tree" else (size, rows or size)

        def run(size):
            self.run_draws(name, *split(size))

        def memory(size):
            return held + memory_of(name, *split(size)[::-1], self.width, outputs)

        self.ladders[name] = Ladder(name, sizes, run, memory, first, *growth, SHARES[name], refit)

    def forecast_exact(self) -> Forecast:
        """Forecast the exact model on all training rows: its bytes, and the time by its first two rungs."""
        n, ladder, seconds = self.all_rows, self.ladders["exact"], np.nan
        text = f"Exact model on {n:,} rows: Gram matrix {in_bytes(gram_bytes(n))}"
        if ladder.memory(n) > self.budget.memory:
            text += f": more than the {in_bytes(self.budget.memory)} that may be used"
        else:
            climb([replace(ladder, sizes=ladder.sizes[:2])], self.budget)  # shares its list of seconds
        if ladder.seconds:
            rows, seconds = ladder.sizes[len(ladder.seconds) - 1], ladder.seconds[-1]
            if rows < n:
                growth = np.log2(seconds / ladder.seconds[0]) if len(ladder.seconds) > 1 else 3
                seconds *= (n / rows) ** np.clip(growth, 2, 3)
            refit = f", and {in_seconds(ladder.refit * seconds)} more on all rows" * self.refit
            text += f", about {in_seconds(seconds)} with the test{refit}"
        return Forecast(n, gram_bytes(n), seconds, text + ".")

    def build(self, part: Part, name: str, size: int, rows: int, seed: int) -> BaseEstimator:
        """Build the model of a rung for so many rows of a part."""
        kernel, lam = part.choice.kernel, part.choice.lam_for(rows)
        return build_model(name, self.task, size, kernel=kernel, lam=lam, seed=seed, **part.choice.decision)

    def climb(self) -> None:
        """Climb all ladders within their shares, then the leading one and the tree in what is left."""
        climb(list(self.ladders.values()), self.budget, self.reserve)
        if not self.runs:
            self.notes.append("The budget was spent before the first fit: only a linear model is here.")
            self.ladders["linear"].run(self.ladders["linear"].size)
        lead = [self.ladders[name] for name in {self.best().model: 0, "tree": 0}]
        for ladder in lead:
            ladder.share = 1.0
        climb(lead, self.budget, self.reserve)
        self.notes += [ladder.ended for ladder in self.ladders.values() if ladder.ended]

    def best(self) -> Run:
        """Return the run with the best score so far."""
        return max(self.runs, key=lambda run: run.score)

    def reserve(self) -> float:
        """Return the seconds for a refit of the best model so far, 0 if it had not all training rows."""
        if not self.runs or self.best().rows < self.all_rows:
            return 0.0
        return self.ladders[self.best().model].refit * self.best().fit_seconds

    def run_draws(self, name: str, size: int, rows: int) -> None:
        """Fit and test a model; again with other draws of its features if that takes little of the time."""
        for seed in self.seeds if name in ("random features", "Nyström") else self.seeds[:1]:
            start = self.budget.clock()
            self.run(name, size, rows, seed)
            if self.budget.clock() - start > ANOTHER * self.budget.left:
                return

    def run(self, name: str, size: int, rows: int, seed: int) -> None:
        """Fit a model to the first training rows of each part, and score it on the test rows of all."""
        self.say_next(f"{name}, {size:,}")
        fit, predict, outputs, clock = 0.0, 0.0, [], self.budget.clock
        for part in self.parts:
            model, X, start = self.build(part, name, size, rows, seed), part.test[0], clock()
            with warnings.catch_warnings():  # the steps of the linear model are limited on purpose
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(*(A[:rows] for A in part.train))
            fitted = clock()
            outputs += [
                output_of(model, X[some], self.scoring, self.classes) for some in gen_batches(len(X), HELD)
            ]
            fit, predict = fit + fitted - start, predict + clock() - fitted
        score, influence = self.evaluate(outputs)
        self.runs.append(Run(name, size, rows, seed, score, fit, predict, influence))
        self.fitted.setdefault((name, size, rows), (model, score))

    def evaluate(self, outputs: list[NDArray]) -> tuple[float, NDArray]:
        """Compute the score of outputs for the test rows of all parts, and the influence of each row."""
        return evaluate(self.scoring, self.targets, np.concatenate(outputs), self.classes)

    def result(self) -> Comparison:
        """Recommend a model, refit it, and return what was found."""
        outputs = []
        for part in self.parts:
            dummy = DummyClassifier(strategy="prior") if len(self.classes) else DummyRegressor()
            outputs.append(output_of(dummy.fit(*part.train), part.test[0], self.scoring, self.classes))
        baseline = self.evaluate(outputs)[0]
        table, influences = rungs_of(self.runs)
        chosen, recommendation = recommend(table, influences, self.forecast, baseline)
        (model, score), part, rows = self.fitted[chosen[:3]], self.parts[-1], chosen.rows
        refitted = self.ladders[chosen.model].refit * chosen.fit_seconds
        if self.refit and rows == self.all_rows and refitted < max(self.budget.left, NOTICED):
            self.say_next("refit on all rows")
            rows, seed, part = len(self.table.y), self.seeds[0], self.whole
            everything = np.random.default_rng(seed).permutation(rows)
            model = self.build(part, chosen.model, chosen.size, rows, seed)
            model.fit(*prepared(part.prepare, self.table, everything))
        elif self.refit:
            self.notes.append(f"No refit on all rows: the winner is fitted on {rows:,}.")
        choice = part.choice
        return Comparison(
            table=table,
            forecast=self.forecast,
            recommendation=recommendation,
            pipeline=Pipeline([("prepare", part.prepare), ("model", model)]),
            rows=rows,
            chosen=chosen,
            score=score,
            error=standard_error(influences[table.index(chosen)]),
            test_rows=self.test_rows,
            task=self.task,
            scoring=self.scoring,
            baseline=baseline,
            kernel=choice.kernel,
            gamma=choice.gamma,
            C=1 / (rows * choice.lam_for(rows)),
            scales=choice.scales,
            rounds=choice.rounds,
            notes=self.notes,
            seconds=self.budget.spent,
        )

    @contextmanager
    def progress(self) -> Iterator[None]:
        """Show the seconds of the budget as they are spent."""
        total = round(self.budget.seconds)
        with progress_bar(total=total, unit="s", verbose=self.verbose) as self.bar:
            yield
            self.bar.update(total - self.bar.n)

    def say_next(self, text: str) -> None:
        """Show what is done now."""
        self.bar.set_description_str(text, refresh=False)
        self.bar.update(min(round(self.budget.spent), self.bar.total) - self.bar.n)
