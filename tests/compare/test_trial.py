"""What is kept, repeated, forecast and refitted, and what the time is for."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from clocks import Clock

from kernlib.compare import compare
from kernlib.compare.average import Lead
from kernlib.compare.choice import Choice, Chooser
from kernlib.compare.climb import Budget, climb
from kernlib.compare.rungs import Run
from kernlib.compare.runs import Runs
from kernlib.compare.scores import standard_error
from kernlib.compare.splits import splits
from kernlib.compare.tables import as_table
from kernlib.compare.trial import Trial
from kernlib.kernels import Gaussian


def test_of_one_model_more_rows_lead_and_of_those_with_kernels_the_best():
    found = SimpleNamespace(evaluate=lambda score: (score, None), runs=[], fitted={}, leads={})
    for name, rows, score in (
        ("boosted trees", 4, 0.9),
        ("boosted trees", 8, 0.8),
        ("exact", 8, 0.7),
        ("Nyström", 8, 0.6),
    ):
        Runs.keep(found, (name, 5, rows, 0), (1.0, 1.0), object(), score)
    assert {kind: lead.run[:3] for kind, lead in found.leads.items()} == {
        "boosted trees": ("boosted trees", 5, 8),
        "kernel": ("exact", 5, 8),
    }
    assert set(found.fitted) == {run[:3] for run in found.runs[1:]} and len(found.runs) == 4


def test_areas_under_the_curve_are_those_within_the_folds():
    rng = np.random.default_rng(0)
    fold = np.repeat(np.arange(4), 500)
    y = (rng.random(2000) < np.linspace(0.1, 0.9, 4)[fold]).astype(int)
    parts = [SimpleNamespace(test_rows=np.flatnonzero(fold == k)) for k in range(4)]
    found = SimpleNamespace(parts=parts, targets=y, classes=np.arange(2), scoring="roc_auc")

    def evaluate(values):
        score, influence = Runs.evaluate(found, np.column_stack([1 - values, values]))
        return score, standard_error(influence)

    assert evaluate(0.9 - 0.2 * fold)[0] == 0.5  # the same for all rows of a fold
    score, error = evaluate(rng.normal(size=2000) - fold)  # nothing is known
    assert abs(score - 0.5) < 3 * error and error < 0.02
    assert evaluate(y + rng.normal(size=2000) - fold)[0] > 0.7
    y[fold == 3] = 1  # no pairs there: all rows are compared
    assert evaluate(fold / 4)[0] > 0.6


@pytest.mark.parametrize(
    ("name", "seconds", "draws"), [("exact", 0, 1), ("Nyström", 2, 1), ("Nyström", 0.1, 3)]
)
def test_features_are_drawn_again_if_that_takes_little_time(name, seconds, draws):
    clock, seeds = Clock(), []

    def run(name, size, rows, seed):
        clock.now += seconds
        seeds.append(seed)

    found = SimpleNamespace(seeds=range(7, 10), budget=Budget(100, 1, clock), run=run)
    Runs.run_draws(found, name, 16, 400)
    assert seeds == list(range(7, 7 + draws))


def test_the_exact_model_is_forecast_by_the_growth_of_its_first_two_rungs():
    clock = Clock()
    found = SimpleNamespace(all_rows=8, budget=Budget(1000, 1, clock), refit=False)
    found.ladders = {"exact": clock.ladder("exact", np.square, sizes=(1, 2, 4, 8), least=2)}
    forecast = Trial.forecast_exact(found)
    assert (forecast.seconds, found.budget.spent) == (64, 5)
    assert forecast.text == "Exact model on 8 rows: Gram matrix 512 B, about 64 s with the test."


def trial_with_ladders(rows, monkeypatch):
    """Make a trial of so many rows, whose clock stands still, with its ladders."""
    monkeypatch.setattr(Trial, "forecast_exact", lambda self: None)
    table = as_table(np.arange(rows * 2.0).reshape(rows, 2) % 7, np.arange(float(rows)))
    limits = Budget(1e6, 1e12, lambda: 0.0)
    trial = Trial(table, splits(table.y, "regression", 0, cv=1), "r2", limits, range(1), True, False)
    trial.parts[0].choice = Choice(Gaussian(1.0), 1.0, 1.0, 100)
    trial.make_ladders()
    return trial


@pytest.mark.parametrize(
    ("rows", "sizes"),
    [
        (3000, [(6, 2250), (25, 2250), (50, 2250), (100, 2250), (200, 2250), (400, 2250), (800, 2250)]),
        (20_000, [(6, 15_000), (25, 15_000), (50, 15_000), (100, 15_000), (200, 15_000), (400, 15_000)]),
        (120_000, [(6, 10_000), (25, 10_000), (100, 10_000), (100, 25_000), (100, 100_000), (200, 100_000)]),
    ],
)
def test_boosted_trees_begin_with_the_rows_that_cost_nothing(rows, sizes, monkeypatch):
    trial = trial_with_ladders(rows, monkeypatch)
    assert trial.ladders["boosted trees"].sizes[: len(sizes)] == sizes


@pytest.mark.parametrize(
    ("scores", "last"), [((0.5, 0.6, 0.7, 0.6, 0.8, 0.7, 0.7), 800), ((0.5, 0.7, 0.6, 0.7, 0.6, 0.69), 400)]
)
def test_boosted_trees_end_when_two_more_numbers_of_steps_score_less(scores, last, monkeypatch):
    trial = trial_with_ladders(300, monkeypatch)

    def note(name, size, rows):
        score = scores[len(trial.runs)]
        trial.runs.append(Run(name, size, rows, 0, score, 0.1, 0.1, np.zeros(1)))

    monkeypatch.setattr(trial, "run_draws", note)
    climb([trial.ladders["boosted trees"]], trial.budget)
    assert trial.runs[-1].size == last


def five_folds(monkeypatch, scaled):
    """Choose kernels for five folds, of which the first so many keep scales, and for all rows."""
    done, kept = [], [{"a": 1.0}] * scaled + [None] * (5 - scaled) + [{"a": 1.0}]

    def race(self, *_):
        done.append(("race", round(self.deadline, 6)))
        return Choice(Gaussian(1.0), 1.0, 0.1, 100)

    def scales(self, choice, names):
        done.append(("scales", round(self.deadline, 6)))
        return replace(choice, scales=kept[len(done) - 7])

    monkeypatch.setattr(Chooser, "race", race)
    monkeypatch.setattr(Chooser, "scales", scales)
    y = np.linspace(-1, 1, 100)
    table = as_table(np.column_stack([y, y**2]), y)
    budget = Budget(600, 1e9, lambda: 0.0)
    found = Trial(table, splits(table.y, "regression", 0), "r2", budget, [0], True, False)
    with found.progress():
        found.choose(Gaussian, True)
    return found, done


def test_all_parts_have_their_gamma_before_scales_are_tried_in_equal_shares_of_the_time(monkeypatch):
    done = five_folds(monkeypatch, 5)[1]
    assert done == [
        *(("race", 120 / left) for left in (6, 5, 4, 3, 2, 1)),
        *(("scales", 180 / left) for left in (6, 5, 4, 3, 2, 1)),
    ]


@pytest.mark.parametrize(("scaled", "kept"), [(2, False), (3, True)])
def test_scales_of_all_rows_are_tried_if_most_folds_kept_them(scaled, kept, monkeypatch):
    found, done = five_folds(monkeypatch, scaled)
    assert (found.whole.choice.scales is not None) == kept and len(done) == 11 + kept


def test_the_rows_of_all_folds_are_shuffled_before_the_kernel_is_chosen_on_the_first(monkeypatch):
    y = five_folds(monkeypatch, 0)[0].whole.train[1]
    assert len(y) == 100 and abs(y[:50].mean()) < 0.3  # 0.5 if in the order of the table


def test_a_refit_that_does_not_fit_the_time_left_is_left_out(monkeypatch):
    monkeypatch.setattr(Trial, "refit_seconds", lambda self, run: 1e9)
    X = np.random.default_rng(0).normal(size=(60, 2))
    found = compare(X, X[:, 0], cv=1, seeds=1, budget=600, verbose=False)
    assert found.rows == 45 and "No refit on all rows: the winner is fitted on 45." in found.notes


def test_the_time_for_a_refit_of_all_that_may_be_averaged_with_the_best_is_reserved():
    influence = np.random.default_rng(0).normal(size=100)  # the standard error of the difference is about 0.2
    tree = Run("boosted trees", 1, 400, 0, 0.9, 1.0, 0.0, influence)
    for score, seconds in ((0.6, 7.0), (0.4, 3.0)):
        forest = Run("forest", 1, 400, 0, score, 1.0, 0.0, -influence)
        leads = {run.model: Lead(run, None, None) for run in (tree, forest)}
        found = SimpleNamespace(runs=[tree, forest], leads=leads, all_rows=400, baseline=0.0)
        found.refit_seconds = lambda run: {"boosted trees": 3.0, "forest": 4.0}[run.model]
        found.budget = Budget(seconds, 1, lambda: 0.0)
        assert Trial.reserve(found) == seconds
        found.budget.seconds -= 0.1  # no refit in so little time
        assert Trial.reserve(found) == 0
        found.budget.seconds = 100.0
        found.leads["forest"] = Lead(forest._replace(rows=300), None, None)  # an average with it has no refit
        assert Trial.reserve(found) == (0 if score == 0.6 else 3)
        found.all_rows = 500
        assert Trial.reserve(found) == 0
