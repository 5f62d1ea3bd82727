"""Fit models to the parts of a table, score them, and keep the best of each kind."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import gen_batches

from kernlib.compare.average import Lead, average, close_to_best
from kernlib.compare.climb import Budget, Ladder
from kernlib.compare.columns import levels_of
from kernlib.compare.models import FEATURES, build_model
from kernlib.compare.parts import Part, prepare_parts
from kernlib.compare.rungs import KERNELS, Run
from kernlib.compare.scores import evaluate, output_of
from kernlib.compare.tables import Table
from kernlib.numerics.progress import progress_bar

__all__ = ["Runs", "fit_quietly"]

ANOTHER = 0.01  # of the time left, that a draw of the features may take if there is to be another
HELD = 1000  # rows that are predicted at once


@dataclass
class Runs:
    """The models of a comparison within a budget: `runs` are those so far, `leads` the best of each kind."""

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
        self.leads: dict[str, Lead] = {}
        self.ladders: dict[str, Ladder] = {}
        self.bar: Any = None
        self.all_rows = min(len(train) for train, _ in self.pairs)
        self.parts, notes = prepare_parts(table, self.pairs, budget)
        self.notes = [*table.notes, *notes]
        self.test_rows = np.concatenate([part.test_rows for part in self.parts])
        self.targets = np.concatenate([part.test[1] for part in self.parts])
        self.rows = min(len(part.train[1]) for part in self.parts)
        self.width = self.parts[0].train[0].shape[1]
        dummy = DummyClassifier(strategy="prior") if len(self.classes) else DummyRegressor()
        guesses = [output_of(dummy.fit(*part.train), part.test[0], self.classes) for part in self.parts]
        self.baseline, self.guess = self.evaluate(np.concatenate(guesses))

    def build(self, part: Part, name: str, size: int, rows: int, seed: int) -> BaseEstimator:
        """Build the model of a rung for so many rows of a part."""
        kernel, lam = part.choice.kernel, part.choice.lam_for(rows)
        how = {"kernel": kernel, "lam": lam, "seed": seed, "levels": levels_of(part.prepare)}
        return build_model(name, self.task, size, **how, **part.choice.decision)

    def best(self) -> Run:
        """Return the run with the best score so far."""
        return max(self.runs, key=lambda run: run.score)

    def run_draws(self, name: str, size: int, rows: int) -> int:
        """Fit and test a model, with several draws of its features if they take little; return how many."""
        seeds = self.seeds if name in FEATURES else self.seeds[:1]
        for before, seed in enumerate(seeds):
            start = self.budget.clock()
            self.run(name, size, rows, seed)
            if self.budget.clock() - start > ANOTHER * self.budget.left:
                return before + 1
        return len(seeds)

    def run(self, name: str, size: int, rows: int, seed: int) -> None:
        """Fit a model to the first training rows of each part, and score it on the test rows of all."""
        self.say_next(f"{name}, {size:,}")
        fit, predict, outputs, clock = 0.0, 0.0, [], self.budget.clock
        for part in self.parts:
            model, X, start = self.build(part, name, size, rows, seed), part.test[0], clock()
            fit_quietly(model, *(A[:rows] for A in part.train))
            fitted = clock()
            outputs += [output_of(model, X[some], self.classes) for some in gen_batches(len(X), HELD)]
            fit, predict = fit + fitted - start, predict + clock() - fitted
        self.keep((name, size, rows, seed), (fit, predict), model, np.concatenate(outputs))

    def keep(self, key: tuple, seconds: tuple, model: BaseEstimator, output: NDArray) -> None:
        """Score the outputs of a model, and keep it in place of those that have fewer rows."""
        score, influence = self.evaluate(output)
        run = Run._make((*key, score, *seconds, influence))
        name, _, rows, _ = key
        self.runs.append(run)
        self.fitted = {key: old for key, old in self.fitted.items() if key[0] != name or key[2] >= rows}
        if self.fitted.setdefault(run[:3], (model, score))[0] is model:
            kind = "kernel" if name in KERNELS else name
            lead = self.leads.get(kind)
            more = lead and name == lead.run.model and rows > lead.run.rows
            if lead is None or more or score > lead.run.score:
                self.leads[kind] = Lead(run, model, output)

    def evaluate(self, output: NDArray) -> tuple[float, NDArray]:
        """Compute the score of outputs for the test rows of all parts, and the influence of each row.

        For the area under the ROC curve, pairs of rows are compared within the parts, whose shares of the
        classes may differ, if each part has rows of all classes.
        """
        cuts = np.cumsum([len(part.test_rows) for part in self.parts])[:-1]
        targets = np.split(self.targets, cuts)
        if self.scoring != "roc_auc" or min(len(np.unique(y)) for y in targets) < len(self.classes):
            return evaluate(self.scoring, self.targets, output, self.classes)
        pairs = zip(targets, np.split(output, cuts), strict=True)
        found = [evaluate(self.scoring, y, part, self.classes) for y, part in pairs]
        score = np.average([own for own, _ in found], weights=[len(y) for y in targets])
        return float(score), np.concatenate([rows + (own - score) for own, rows in found])

    def average_leads(self) -> None:
        """Average the best models of the kinds that are close to the best of all."""
        self.members = leads = close_to_best(self.leads.values(), self.baseline)
        if len(leads) > 1:
            output = np.mean([lead.output for lead in leads], axis=0)
            model = average({lead.run.model: lead.model for lead in leads}, *self.parts[-1].train)
            fit = sum(lead.run.fit_seconds for lead in leads)
            predict = sum(lead.run.predict_seconds for lead in leads)
            rows = min(lead.run.rows for lead in leads)
            self.keep(("average", len(leads), rows, self.seeds[0]), (fit, predict), model, output)
            named = (f"{lead.run.model} {lead.run.size:,}" for lead in leads)
            self.notes.append(f"The average is of {', '.join(named)}.")

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


def fit_quietly(model: BaseEstimator, X: NDArray, y: NDArray) -> BaseEstimator:
    """Fit a model without a warning that the steps of the linear one, which are limited, were too few."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)
