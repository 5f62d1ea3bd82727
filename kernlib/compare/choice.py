"""γ and C by cross-validation on rows that grow in number: a coarse grid on few, a fine one on many.

Chapter: Your own data.
"""

import itertools
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score
from sklearn.pipeline import Pipeline

from kernlib.compare.machines import exact, memory_of, on_features, rounded
from kernlib.kernels import Gaussian, Kernel, Laplace
from kernlib.numerics.validation import describe

__all__ = ["Choice", "Chooser", "as_family"]

NAMES = {"rbf": Gaussian, "laplacian": Laplace}
GAMMAS = (1, 1 / 4, 4, 1 / 16, 16)  # from the middle; times one over the number of columns and their variance
WEIGHTS = (10.0, 1.0, 100.0, 0.1, 1000.0)  # C
OTHER_LOSS = (0.1, 1.0, 0.01, 10.0)  # times the C of the exact machine
FIRST = 200  # rows of the first round
GROWTH = 2  # of the rows, from round to round
KEPT = 3  # candidates that the next round takes over
FOLDS = 3
COLUMNS = 100  # of the features on which C is chosen


@dataclass(frozen=True)
class Choice:
    """What cross-validation chose, its score, on how many rows, and the seconds that one fit there took."""

    values: tuple
    score: float = np.nan
    rows: int = 0
    seconds: float = np.nan


def as_family(kernel: Any) -> tuple[Callable[[float], Kernel], bool]:
    """Give the function from γ to a kernel that `kernel` stands for, and whether there is a γ to choose."""
    if isinstance(kernel, Kernel):
        return (lambda gamma: kernel), False
    family = NAMES.get(kernel) if isinstance(kernel, str) else kernel
    if not callable(family):
        raise TypeError(
            f"kernel must be {' or '.join(map(repr, NAMES))}, a kernel of kernlib or a function of γ that "
            f"gives one, got {describe(kernel)}."
        )
    if not isinstance(made := family(1.0), Kernel):
        raise TypeError(
            f"kernel, a function, must give a kernel of kernlib for each γ, got {describe(made)}."
        )
    return family, True


@dataclass
class Chooser:
    """Cross-validation on the first rows of X and y, until a deadline, within a memory of so many bytes."""

    task: str
    X: np.ndarray
    y: np.ndarray
    scoring: str
    deadline: float
    memory: float
    random_state: int

    def kernel_and_weight(self, family: Callable[[float], Kernel], free: bool) -> Choice:
        """Choose γ and C of the exact machine."""
        scale = 1 / (self.X.shape[1] * self.X.var())
        gammas = [rounded(scale * factor) for factor in GAMMAS] if free else [1.0]

        def build(rows, gamma, C):
            return exact(self.task, family(gamma), C, rows)

        return self.race(build, (gammas, WEIGHTS), (4, 10), (rounded(scale), 1.0))

    def weight(self, kernel: Kernel, C: float) -> Choice:
        """Choose C of the SVM on features, whose hinge is squared; ridge keeps its own, as its loss."""
        if self.task == "regression":
            return Choice((C,))

        def build(rows, C):
            columns = min(COLUMNS, rows // 3)
            return on_features(self.task, "Nyström", kernel, C, columns, rows, self.random_state)

        return self.race(build, ([rounded(C * factor) for factor in OTHER_LOSS],), (10,), (C,))

    def race(
        self,
        build: Callable[..., Pipeline],
        grid: Sequence[Sequence[float]],
        steps: Sequence[float],
        default: tuple,
    ) -> Choice:
        """
        Score the whole grid on a few rows, then the best few, and neighbors of
        the best half a step away, on twice as many, and so on, until the rows,
        the time or the memory end. More rows want a narrower kernel, so steps
        do not shrink.
        """
        n, rows, before = len(self.y), self.first_rows(), 0.0
        candidates = list(itertools.product(*grid))
        while True:
            folds = self.folds(rows)
            if not folds:
                return Choice(default)
            machines = [build(rows, *values) for values in candidates]
            scores, seconds = self.scores(machines, rows, folds)
            order = np.argsort(-scores, kind="stable")
            best = candidates[order[0]]
            choice = Choice(best, float(scores[order[0]]), rows, seconds)
            candidates = with_neighbors([candidates[i] for i in order[:KEPT]], grid, steps)
            more = min(n, GROWTH * rows)
            fits = len(candidates) * len(folds)
            growth = np.clip(seconds / before, GROWTH, GROWTH**2) if before else GROWTH**2
            if (before and rows == n) or self.refuses(more, fits * seconds * growth):
                return choice
            rows, before = more, seconds

    def first_rows(self) -> int:
        """Count the rows of the first round, a few for each class."""
        classes = len(np.unique(self.y)) if self.task == "classification" else 0
        return min(len(self.y), max(FIRST, 4 * classes))

    def refuses(self, rows: int, forecast: float) -> bool:
        """Tell whether a round takes more time or memory than there is."""
        needed = memory_of("exact", self.task, rows, 0, self.X.shape[1])
        return perf_counter() + forecast > self.deadline or needed > self.memory

    def folds(self, rows: int) -> list[tuple[NDArray, NDArray]]:
        """Give folds that can be fitted, of the first rows; none where almost all is one class."""
        if self.task == "regression":
            return list(KFold(FOLDS, shuffle=True, random_state=self.random_state).split(self.y[:rows]))
        y = self.y[:rows]
        if np.unique(y, return_counts=True)[1].max() < FOLDS:
            return []
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            pairs = list(StratifiedKFold(FOLDS, shuffle=True, random_state=self.random_state).split(y, y))
        return [(train, test) for train, test in pairs if len(np.unique(y[train])) > 1]

    def scores(
        self, machines: Sequence[Pipeline], rows: int, folds: Sequence[tuple]
    ) -> tuple[NDArray, float]:
        """Give the mean scores over the folds, of as many as there is time for, and the seconds of a fit."""
        start, scores = perf_counter(), []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            for machine in machines:
                some_scores = cross_val_score(
                    machine, self.X[:rows], self.y[:rows], cv=folds, scoring=self.scoring, error_score="raise"
                )
                scores.append(some_scores.mean())
                if perf_counter() > self.deadline:
                    break
        return np.array(scores), (perf_counter() - start) / (len(scores) * len(folds))


def with_neighbors(best, grid, steps):
    """Give these points, and those half a step, as a logarithm, beside the first that are not among them."""
    points = list(best)
    for i, step in enumerate(steps):
        if len(grid[i]) > 1:
            for factor in (step**-0.5, step**0.5):
                point = (*best[0][:i], rounded(best[0][i] * factor), *best[0][i + 1 :])
                if not any(np.allclose(point, other, rtol=0.01, atol=0) for other in points):
                    points.append(point)
    return points
