"""One comparison: ladders of models within a budget, and the refit of the winner."""

from collections.abc import Callable

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.pipeline import Pipeline

from kernlib.compare.average import average, close_to_best, error_of
from kernlib.compare.climb import climb
from kernlib.compare.columns import origins
from kernlib.compare.ladders import Ladders
from kernlib.compare.models import FEATURES
from kernlib.compare.parts import Part, prepared
from kernlib.compare.result import Comparison
from kernlib.compare.rungs import NOTICED, TREES, Run, Rung, recommend, rungs_of, with_most_rows
from kernlib.compare.runs import fit_quietly
from kernlib.compare.scores import least_error
from kernlib.kernels import Gaussian, Kernel

__all__ = ["Trial"]

CHOOSING, SCALING = 0.2, 0.3  # parts of the budget: the time at which each of them ends


class Trial(Ladders):
    """A comparison: choose the kernel, climb the ladders, average the best models, refit the winner."""

    def choose(self, family: Callable[[float], Kernel], free: bool) -> None:
        """Choose γ and λ for each part and, if there are several, for all rows; then scales of columns."""
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
        """Return the seconds for a refit of all models that would be averaged now; 0 if they get none."""
        close = close_to_best(self.leads.values(), self.baseline) if self.leads else []
        leads = [lead.run for lead in close]
        if not leads or min(run.rows for run in leads) < self.all_rows:
            return 0.0  # an average with a model that had fewer rows is not refitted
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
        self.average_leads()
        table, influences = rungs_of(self.runs)
        chosen, recommendation = recommend(table, influences, self.forecast, self.baseline, self.guess)
        (model, score), part, rows = self.fitted[chosen[:3]], self.parts[-1], chosen.rows
        gain, left = 0.0, max(self.budget.left, NOTICED)
        if self.refit and rows == self.all_rows and self.refit_seconds(chosen) < left:
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
            baseline=self.baseline,
            kernel=choice.kernel,
            gamma=choice.gamma,
            C=1 / (rows * choice.lam_for(rows)),
            scales=choice.scales,
            rounds=choice.rounds,
            notes=self.notes,
            seconds=self.budget.spent,
            influences=influences,
            guess=self.guess,
        )
