"""The ladder of each model: its sizes, and the forecasts of its time and memory."""

from dataclasses import replace
from typing import Any

import numpy as np

from kernlib.compare.climb import Ladder, climb, divided, doubled, in_bytes, in_seconds
from kernlib.compare.columns import levels_of
from kernlib.compare.models import features_for, gram_bytes, memory_of
from kernlib.compare.rungs import KERNELS, TREES, Forecast
from kernlib.compare.runs import Runs

__all__ = ["Ladders"]

FIRST_COLUMNS = 16  # c of the first rung
FIRST_ROWS = 250  # of the exact and the linear model's first rung, at least
TREE_ROWS = 1000  # of the first forest, at least
BOOSTED_ROWS = 10_000  # of the first boosted trees, if there are twice as many: fewer take nearly as long
BOOSTED_WORK = 20_000  # rows that take as long as what a tree takes for any number of rows
WORK = {"boosted trees": lambda size: size[0] * (BOOSTED_WORK + size[1]), "forest": max}
FEATURE_COST = 0.01, 5e-7, 1.5e-8  # seconds of 16 features, for each row, and for each number in the rows
TREE_COST = {"classification": (1.2e-3, 7e-5), "regression": (2e-3, 2e-4)}  # of a tree, for each column
BINNING = 2e-7  # of boosted trees, for each number
FOREST_COST = {"classification": (0.1, 4e-5, 0.5), "regression": (0.1, 2e-5, 1)}  # n p^power in the rows
FEW_STEPS, STEPS, MORE_STEPS = (6, 25, 50), 100, (200, 400, 800)  # on few rows, on any, on all
LEAVES = 2, 5  # rows of a leaf in place of 1, if the targets are noisy


class Ladders(Runs):
    """The models of a comparison, with a ladder for each."""

    def make_ladders(self) -> None:
        """Make the ladder of each model, and forecast the exact one."""
        names, notes = features_for(self.parts[0].choice.kernel, self.width)
        self.notes += notes
        half = max(self.rows // 2, 2 * len(self.classes))  # what more rows are worth
        rows = divided(self.rows, min(half, FIRST_ROWS))
        self.add_ladder("linear", rows, 0, (0.6, 1.6), share=0.3)
        self.add_ladder("exact", rows, 0, (2, 3), share=0.5)
        for name in names:
            sizes = doubled(min(self.rows, FIRST_COLUMNS), self.rows)
            first = len(self.parts) * np.dot(FEATURE_COST, (1, self.rows, self.rows * self.width))
            share = 0.4 if name == "Nyström" else 0.1
            self.add_ladder(name, sizes, float(first), (1, 2), share, self.rows)
        all_of_them = self.rows < 2 * BOOSTED_ROWS
        m = self.rows if all_of_them else BOOSTED_ROWS
        steps = [(few, m) for few in FEW_STEPS[: 2 + all_of_them]] + [(STEPS, m)]
        steps += [] if all_of_them else [(STEPS, size) for size in divided(self.rows, 2 * m, 4)]
        steps += [(more, self.rows) for more in MORE_STEPS]
        levels = levels_of(self.parts[0].prepare)
        width = self.width - sum(levels) + len(levels)  # trees take one column of codes for a category
        trees = FEW_STEPS[0] * max(1, len(self.classes))
        first = trees * np.dot(TREE_COST[self.task], (1, width)) + BINNING * m * width
        self.add_ladder("boosted trees", steps, len(self.parts) * float(first), (0.8, 1), share=0.4)
        sizes = divided(self.rows, min(half, TREE_ROWS), 4 if self.rows > 4 * TREE_ROWS else 2)
        leaves = [(1, size) for size in sizes] + [(leaf, self.rows) for leaf in LEAVES]
        fixed, cost, power = FOREST_COST[self.task]
        first = len(self.parts) * (fixed + cost * sizes[0] * width**power)
        self.add_ladder("forest", leaves, first, (0.8, 1.2), share=0.3)
        self.forecast = self.forecast_exact()
        if self.verbose:
            print(self.forecast.text, *self.table.notes, sep="\n")

    def add_ladder(
        self, name: str, sizes: list, first: float, powers: tuple, share: float, rows: int | None = None
    ) -> None:
        """Make the ladder of a model whose first rung is forecast to take `first` seconds."""
        more, (least, most) = len(self.table.y) / self.all_rows, powers
        refit = self.refit * more ** (2.5 if name == "exact" else 1) / len(self.parts)
        held, outputs = sum(part.nbytes for part in self.parts), max(1, len(self.classes))

        def split(size):  # into what the model is built with and the number of rows
            return size if name in TREES else (size, rows or size)

        def run(size):
            fits = self.run_draws(name, *split(size))
            if name == "boosted trees" and self.is_past_best(name, split(size)[1]):
                del sizes[sizes.index(size) + 1 :]
            return fits

        def memory(size):
            return held + memory_of(name, *split(size)[::-1], self.width, outputs)

        whole = 1 + [split(size)[1] for size in sizes].index(self.rows)
        work: Any = WORK.get(name, float)
        kind = "kernel" if name in KERNELS else "trees" if name in TREES else name
        self.ladders[name] = Ladder(
            name, sizes, run, memory, first, least, most, share, refit, whole, work, kind
        )

    def is_past_best(self, name: str, rows: int) -> bool:
        """Return whether the last two fits of a model to so many rows score less than the best before."""
        scores = [run.score for run in self.runs if run.model == name and run.rows == rows]
        return len(scores) > 2 and max(scores[-2:]) < max(scores[:-2])

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
