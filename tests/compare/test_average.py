"""Averages are of what is close to the best, and the error of a promise has all its parts."""

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeRegressor

from kernlib.compare.average import Lead, average, close_to_best, error_of
from kernlib.compare.rungs import Run
from kernlib.compare.scores import least_error, standard_error

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 2))
y = X[:, 0] + RNG.normal(size=300)


def test_models_within_two_standard_errors_of_the_best_on_the_same_rows_are_close_to_it():
    influence = np.tile([1.0, -1], 200)
    error = standard_error(influence)
    leads = [
        Lead(Run(name, 1, 400, 0, score, 1.0, 1.0, of_rows), None, None)
        for name, score, of_rows in (
            ("boosted trees", 0.9, influence),
            ("forest", 0.9 - 1.9 * error, np.zeros(400)),
            ("linear", 0.9 - 2.1 * error, np.zeros(400)),
            ("exact", 0.9 - 1.9 * error, influence),  # errs on the rows of the tree, and more
        )
    ]
    assert [lead.run.model for lead in close_to_best(leads, 0.0)] == ["boosted trees", "forest"]


def test_no_model_that_is_worse_than_a_constant_guess_is_close_to_the_best():
    heavy = np.zeros(400)
    heavy[0] = 400.0  # one row decides, so that two standard errors are 2
    leads = [
        Lead(Run(name, 1, 400, 0, score, 1.0, 1.0, of_rows), None, None)
        for name, score, of_rows in (
            ("linear", -0.01, heavy),
            ("exact", -0.02, np.zeros(400)),
            ("forest", -0.3, np.zeros(400)),
        )
    ]
    assert [lead.run.model for lead in close_to_best(leads, -0.1)] == ["linear", "exact"]
    assert [lead.run.model for lead in close_to_best(leads, 0.0)] == ["linear"]


def test_an_average_predicts_the_mean_and_keeps_the_fitted_models():
    models = {"linear": LinearRegression().fit(X, y), "forest": DecisionTreeRegressor().fit(X, y)}
    both = average(models, X, y)
    assert both.predict(X) == pytest.approx(np.mean([m.predict(X) for m in models.values()], axis=0))
    assert dict(both.estimators) == models
    labels = np.where(y > 0, "high", "low")
    models = {"linear": LogisticRegression().fit(X, labels), "forest": ExtraTreesClassifier(9).fit(X, labels)}
    mean = sum(model.predict_proba(X) for model in models.values()) / 2
    both = average(models, X, labels)
    assert both.predict_proba(X) == pytest.approx(mean)
    assert np.array_equal(both.predict(X), both.classes_[mean.argmax(axis=1)])


def test_the_error_of_one_model_is_that_of_its_rows_or_folds_and_of_more_rows():
    influence = RNG.normal(size=400)
    influence -= influence.mean()
    rows = np.sqrt((influence**2).sum()) / 400
    small = error_of(np.zeros(1), influence[None], 0, [400], 1200, 0.0)
    assert rows <= small < 1.1 * rows  # one model is not the best of many
    assert error_of(np.zeros(1), influence[None], 0, [400], 1200, 1.0) == pytest.approx(1, abs=0.01)
    perfect = np.ones(1), np.zeros((1, 8))  # all rows are right
    assert error_of(*perfect, 0, [8], 24, 0.0) == 0
    least = least_error("accuracy", np.arange(8) % 2)
    assert error_of(*perfect, 0, [8], 24, 0.0, least) == pytest.approx(1 / 8)
    equal = np.tile([1.0, -1], 200)  # folds of the same score, whose rows differ
    assert error_of(np.zeros(1), equal[None], 0, [100] * 4, 1200, 0.0) >= 1 / 20


def test_two_errors_hold_the_score_of_folds_that_share_rows():
    folds = RNG.normal(size=(2000, 5))
    gaps = np.sqrt(1 / 5 + 1 / 4) * RNG.normal(size=2000)  # of the mean of five folds, by Nadeau and Bengio
    influences = np.repeat(folds - folds.mean(axis=1, keepdims=True), 2, axis=1)
    errors = np.array([error_of(np.zeros(1), each[None], 0, [2] * 5, 8, 0.0) for each in influences])
    assert 0.94 < np.mean(np.abs(gaps) < 2 * errors) < 0.97  # 0.954 if they were known


def test_the_best_of_twenty_equal_models_is_promised_with_a_larger_error_than_one():
    influences = RNG.normal(size=(20, 400))
    scores = influences.mean(axis=1)
    centered = influences - scores[:, None]
    best = int(scores.argmax())
    assert error_of(scores, centered, best, [400], 1200, 0.0) > 1.5 * error_of(
        np.zeros(1), centered[:1], 0, [400], 1200, 0.0
    )
