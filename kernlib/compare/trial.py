"""One comparison: ladders of models within a budget, and the refit of the winner.

Chapter: Your own data.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.pipeline import Pipeline

from kernlib.compare.average import average, close_to_best, error_of
from kernlib.compare.climb import Ladder, climb, divided, doubled, in_bytes, in_seconds
from kernlib.compare.columns import levels_of, origins
from kernlib.compare.models import FEATURES, features_for, gram_bytes, memory_of
from kernlib.compare.parts import Part, prepared
from kernlib.compare.result import Comparison
from kernlib.compare.rungs import (
    KERNELS,
    NOTICED,
    TREES,
    Forecast,
    Run,
    Rung,
    recommend,
    rungs_of,
    with_most_rows,
)
from kernlib.compare.runs import Runs, fit_quietly
from kernlib.compare.scores import least_error, output_of
from kernlib.kernels import Gaussian, Kernel

__all__ = ["Trial"]

CHOOSING, SCALING = 0.2, 0.3  # parts of the budget: the time at which each of them ends
FIRST_COLUMNS = 16  # c of the first rung
FIRST_ROWS = 250  # of the exact and the linear model's first rung, at least
TREE_ROWS = 1000  # of the first forest, at least
BOOSTED_ROWS = 10_000  # of the first boosted trees: fewer take nearly as long
BOOSTED_WORK = 20_000  # rows that take as long as what a tree takes for any number of rows
FEATURE_COST = 0.01, 5e-7, 1.5e-8  # seconds of 16 features, for each row, and for each number in the rows
TREE_COST = {"classification": (1.2e-3, 7e-5), "regression": (2e-3, 2e-4)}  # of a tree, for each column
BINNING = 2e-7  # of boosted trees, for each number
FOREST_COST = {"classification": (0.1, 4e-5, 0.5), "regression": (0.1, 2e-5, 1)}  # n p^power in the rows
FEW_STEPS, STEPS, MORE_STEPS = (6, 25, 50), 100, (200, 400, 800)  # on few rows, on any, on all
LEAVES = 2, 5  # rows of a leaf in place of 1, if the targets are noisy
# of the time left that a rung may take
SHARES = {
    "linear": 0.3,
    "exact": 0.5,
    "Nyström": 0.4,
    "random features": 0.1,
    "boosted trees": 0.4,
    "forest": 0.3,
}


class Trial(Runs):
    """A comparison: choose the kernel, climb the ladders, average the best models, refit the winner."""

    def choose(self, family: Callable[[float], Kernel], free: bool) -> None:
        """Choose the kernel and λ for each part and, if there are several, for all rows.

        All have their γ before the first tries a scale for each column. All rows try it if most parts kept
        it.
        """
        parts, balanced = list(self.parts), self.scoring == "balanced_accuracy"
        if len(parts) > 1:
            everything = np.random.default_rng(self.seeds[0]).permutation(len(self.table.y))
            parts.append(Part.of(self.table, everything, everything[:1]))
        self.whole = parts[-1]
        choosers = [part.chooser(self.classes, balanced, self.budget) for part in parts]
        for i, (part, chooser) in enumerate(zip(parts, choosers, strict=True)):
            self.say_next("choosing γ and λ")
            chooser.deadline = self.budget.deadline(CHOOSING, len(parts) - i)
            part.choice = chooser.race(family, free)
        scaled = 0
        for i, (part, chooser) in enumerate(zip(parts, choosers, strict=True)):
            every_row = i == len(self.parts)
            chooser.deadline = self.budget.deadline(SCALING, len(parts) - i)
            able = isinstance(part.choice.kernel, Gaussian) and chooser.deadline > self.budget.clock()
            if free and able and not (every_row and 2 * scaled <= i):
                self.say_next("choosing scales")
                part.choice = chooser.scales(part.choice, origins(part.prepare))
                scaled += part.choice.scales is not None
            if len(self.classes):
                part.choice = chooser.decide(part.choice, balanced)
        self.notes += self.whole.choice.notes

    def make_ladders(self) -> None:
        """Make the ladder of each model, and forecast the exact one."""
        names, notes = features_for(self.parts[0].choice.kernel, self.width)
        self.notes += notes
        half = max(self.rows // 2, 2 * len(self.classes))  # what more rows are worth
        rows = divided(self.rows, min(half, FIRST_ROWS))
        self.add_ladder("linear", rows, 0, (0.6, 1.6))
        self.add_ladder("exact", rows, 0, (2, 3))
        for name in names:
            sizes = doubled(min(self.rows, FIRST_COLUMNS), self.rows)
            first = len(self.parts) * np.dot(FEATURE_COST, (1, self.rows, self.rows * self.width))
            self.add_ladder(name, sizes, float(first), (1, 2), self.rows)
        m = min(self.rows, BOOSTED_ROWS)
        all_of_them = m == self.rows
        steps = [(few, m) for few in FEW_STEPS[: 2 + all_of_them]] + [(STEPS, m)]
        steps += [] if all_of_them else [(STEPS, size) for size in divided(self.rows, 2 * m, 4)]
        steps += [(more, self.rows) for more in MORE_STEPS]
        levels = levels_of(self.parts[0].prepare)
        width = self.width - sum(levels) + len(levels)  # trees take one column of codes for a category
        trees = FEW_STEPS[0] * max(1, len(self.classes))
        first = trees * np.dot(TREE_COST[self.task], (1, width)) + BINNING * m * width
        self.add_ladder("boosted trees", steps, len(self.parts) * float(first), (0.8, 1))
        sizes = divided(self.rows, min(half, TREE_ROWS), 4 if self.rows > 4 * TREE_ROWS else 2)
        leaves = [(1, size) for size in sizes] + [(leaf, self.rows) for leaf in LEAVES]
        fixed, cost, power = FOREST_COST[self.task]
        first = len(self.parts) * (fixed + cost * sizes[0] * width**power)
        self.add_ladder("forest", leaves, first, (0.8, 1.2))
        self.forecast = self.forecast_exact()
        if self.verbose:
            print(self.forecast.text, *self.table.notes, sep="\n")

    def add_ladder(
        self, name: str, sizes: list, first: float, powers: tuple[float, float], rows: int | None = None
    ) -> None:
        """Make the ladder of a model whose first rung is forecast to take `first` seconds.

        Without `rows` the size is the number of rows. A refit takes longer than a rung by the ratio of the
        rows, for the exact model to the power 2.5.
        """
        more = len(self.table.y) / self.all_rows
        refit = self.refit * more ** (2.5 if name == "exact" else 1) / len(self.parts)
        held, outputs = sum(part.nbytes for part in self.parts), max(1, len(self.classes))

        def split(size):  # into what the model is built with and the number of rows
            return size if name in TREES else (size, rows or size)

        def run(size):
            return self.run_draws(name, *split(size))

        def memory(size):
            return held + memory_of(name, *split(size)[::-1], self.width, outputs)

        whole = 1 + [split(size)[1] for size in sizes].index(self.rows)
        work: Any = {"boosted trees": boosted_work, "forest": max}.get(name, float)
        kind = "kernel" if name in KERNELS else "trees" if name in TREES else name
        self.ladders[name] = Ladder(
            name, sizes, run, memory, first, *powers, SHARES[name], refit, whole, work, kind
        )

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
            refit = f", and {in_seconds(ladder.refit * seconds)} more on all rows" if self.refit else ""
            text += f", about {in_seconds(seconds)} with the test{refit}"
        return Forecast(n, gram_bytes(n), seconds, text + ".")

    def climb(self) -> None:
        """Climb all ladders within their shares, then the leading one and trees in what is left."""
        climb(list(self.ladders.values()), self.budget, self.reserve, self.leader)
        if not self.runs:
            self.notes.append("The budget was spent before the first fit: only a linear model is here.")
            self.ladders["linear"].run(self.ladders["linear"].size)
        lead = [self.ladders[name] for name in {self.best().model: 0, **TREES}]
        for ladder in lead:
            ladder.share = 1.0
        climb(lead, self.budget, self.reserve)
        self.notes += [ladder.ended for ladder in self.ladders.values() if ladder.ended]

    def leader(self) -> str:
        """Return the name of the best model so far."""
        return self.best().model if self.runs else ""

    def reserve(self) -> float:
        """Return the seconds for a refit of all models that would be averaged now.

        They are 0 if one of them had not all training rows, since an average with it is not refitted, or if
        the time left is too short for the refit.
        """
        leads = [lead.run for lead in close_to_best(self.leads.values())] if self.leads else []
        if not leads or min(run.rows for run in leads) < self.all_rows:
            return 0.0
        seconds = sum(map(self.refit_seconds, leads))
        return seconds if seconds <= self.budget.left else 0.0

    def refit_seconds(self, run: Run | Rung) -> float:
        """Forecast the refit of a model, or of all that are averaged."""
        if run.model != "average":
            return self.ladders[run.model].refit * run.fit_seconds
        return sum(self.refit_seconds(lead.run) for lead in self.members)

    def gain(self, name: str) -> float:
        """Estimate what a refit to all rows adds to a score: for a doubling as much as the last rows."""
        if name == "average":
            return float(np.mean([self.gain(lead.run.model) for lead in self.members]))
        name = "exact" if name in FEATURES else name
        best: dict[int, float] = {}
        for run in self.runs:
            if run.model == name:
                best[run.rows] = max(run.score, best.get(run.rows, -np.inf))
        if len(best) < 2:
            return 0.0
        (before, low), (rows, high) = sorted(best.items())[-2:]
        return max(0.0, high - low) * np.log(len(self.table.y) / self.all_rows) / np.log(rows / before)

    def refitted(self, run: Rung) -> BaseEstimator:
        """Fit a model, or all that are averaged, to all rows."""
        rows, seed = len(self.table.y), self.seeds[0]
        data = prepared(self.whole.prepare, self.table, np.random.default_rng(seed).permutation(rows))
        runs = [lead.run for lead in self.members] if run.model == "average" else [run]
        models = {
            one.model: fit_quietly(self.build(self.whole, one.model, one.size, rows, seed), *data)
            for one in runs
        }
        return models[run.model] if len(runs) == 1 else average(models, *data)

    def result(self) -> Comparison:
        """Recommend a model, refit it, and return what was found."""
        outputs = []
        for part in self.parts:
            dummy = DummyClassifier(strategy="prior") if len(self.classes) else DummyRegressor()
            outputs.append(output_of(dummy.fit(*part.train), part.test[0], self.classes))
        baseline, guess = self.evaluate(np.concatenate(outputs))
        self.average_leads()
        table, influences = rungs_of(self.runs)
        chosen, recommendation = recommend(table, influences, self.forecast, baseline, guess)
        (model, score), part, rows = self.fitted[chosen[:3]], self.parts[-1], chosen.rows
        gain = 0.0
        if (
            self.refit
            and rows == self.all_rows
            and self.refit_seconds(chosen) < max(self.budget.left, NOTICED)
        ):
            self.say_next("refit on all rows")
            model, gain, score = self.refitted(chosen), self.gain(chosen.model), chosen.score
            rows, part = len(self.table.y), self.whole
        elif self.refit:
            self.notes.append(f"No refit on all rows: the winner is fitted on {rows:,}.")
        places = with_most_rows(table)
        error = error_of(
            np.array([table[i].score for i in places]),
            np.array([influences[i] for i in places]),
            places.index(table.index(chosen)),
            [len(part.test_rows) for part in self.parts],
            self.rows,
            gain,
            least_error(self.scoring, self.targets),
        )
        choice = part.choice
        return Comparison(
            table=table,
            forecast=self.forecast,
            recommendation=recommendation,
            pipeline=Pipeline([("prepare", part.prepare), ("model", model)]),
            rows=rows,
            chosen=chosen,
            score=score,
            error=error,
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


def boosted_work(size):
    """Return what the time of boosted trees grows with, for so many steps and rows."""
    steps, rows = size
    return steps * (BOOSTED_WORK + rows)
