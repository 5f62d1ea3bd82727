"""Averages are of what helps, and the error of a promise has all its parts."""

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.tree import DecisionTreeRegressor

from kernlib.compare.average import average, error_of, weigh
from kernlib.compare.scores import evaluate

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 2))
y = X[:, 0] + RNG.normal(size=300)


def judge(output):
    return evaluate("r2", y, output, np.empty(0))


def test_two_outputs_that_err_apart_are_averaged_and_a_third_that_does_not_help_is_not():
    first, second, worse = y + RNG.normal(size=(3, 300)) * np.array([[1], [1], [9]])
    assert list(weigh([first, worse, second], judge)) == [1, 0, 1]
    assert list(weigh([first, y], judge)) == [0, 1]
    third = y + 1.4 * RNG.normal(size=300)  # has twice the variance, so half the weight
    counts = weigh([first, third], judge)
    assert 1.5 <= counts[0] / counts[1] <= 3


def test_an_average_predicts_the_weighted_mean_and_keeps_the_fitted_models():
    models = {"linear": LinearRegression().fit(X, y), "tree": DecisionTreeRegressor(random_state=0).fit(X, y)}
    both = average(models, [1, 3], X, y)
    assert both.predict(X) == pytest.approx(
        np.average([m.predict(X) for m in models.values()], axis=0, weights=[1, 3])
    )
    assert dict(both.estimators) == models
    labels = np.where(y > 0, "high", "low")
    models = {"linear": LogisticRegression().fit(X, labels), "forest": ExtraTreesClassifier(9).fit(X, labels)}
    mean = sum(model.predict_proba(X) for model in models.values()) / 2
    both = average(models, [1, 1], X, labels)
    assert both.predict_proba(X) == pytest.approx(mean)
    assert np.array_equal(both.predict(X), both.classes_[mean.argmax(axis=1)])


def test_the_error_of_one_model_is_that_of_its_rows_or_folds_and_of_more_rows():
    influence = RNG.normal(size=400)
    influence -= influence.mean()
    rows = np.sqrt((influence**2).sum()) / 400
    small = error_of(np.zeros(1), influence[None], 0, [400], 0.0)
    assert rows <= small < 1.1 * rows  # one model is not the best of many
    assert error_of(np.zeros(1), influence[None], 0, [400], 1.0) == pytest.approx(1, abs=0.01)
    shifted = np.repeat([-1.0, 1.0, -1.0, 1.0], 100)  # folds that differ by far more than their rows
    assert error_of(np.zeros(1), shifted[None], 0, [100] * 4, 0.0) == pytest.approx(1 / np.sqrt(3), rel=0.02)


def test_the_best_of_twenty_equal_models_is_promised_with_a_larger_error_than_one():
    influences = RNG.normal(size=(20, 400))
    scores = influences.mean(axis=1)
    centered = influences - scores[:, None]
    best = int(scores.argmax())
    assert error_of(scores, centered, best, [400], 0.0) > 1.5 * error_of(
        np.zeros(1), centered[:1], 0, [400], 0.0
    )
