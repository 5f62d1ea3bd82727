"""Scores are scikit-learn's, and their errors are the spread over other test rows."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, balanced_accuracy_score, log_loss, r2_score, roc_auc_score

from kernlib.compare.scores import evaluate, least_error, standard_error

PEERS = {
    "accuracy": accuracy_score,
    "balanced_accuracy": balanced_accuracy_score,
    "roc_auc": lambda y, P: roc_auc_score(y, P[:, 1]),
    "log_loss": lambda y, P: -log_loss(y, P),
    "r2": r2_score,
}
CLASSES = np.array([0, 1])


def draw(rng, scoring):
    """Draw 300 targets and the outputs of a model, whose errors are `noise`."""
    if scoring == "r2":
        y = rng.normal(size=300)
        return y, y + 0.5 * rng.normal(size=300)
    y = rng.permutation(np.repeat([0, 1], [240, 60]))
    f = 2 * y - 1 + 1.2 * rng.normal(size=300)
    P = 1 / (1 + np.exp(-f))
    return y, np.column_stack([1 - P, P]) if scoring in ("roc_auc", "log_loss") else (f > 0).astype(int)


@pytest.mark.parametrize("scoring", PEERS)
def test_the_standard_error_is_the_spread_over_other_test_rows(scoring):
    """400 test sets: their spread is known to 1/√800, 4%; four times that is 14%."""
    rng = np.random.default_rng(1)
    scores, errors = [], []
    for _ in range(400):
        y, output = draw(rng, scoring)
        score, influence = evaluate(scoring, y, output, CLASSES)
        assert score == pytest.approx(PEERS[scoring](y, output))
        scores.append(score)
        errors.append(standard_error(influence))
    assert np.mean(errors) == pytest.approx(np.std(scores), rel=0.14)


def test_the_most_probable_class_is_the_predicted_one():
    rng = np.random.default_rng(0)
    y, P = np.array(["a", "b", "c"])[rng.integers(0, 3, 90)], rng.dirichlet([1, 1, 1], 90)
    labels = np.array(["a", "b", "c"])[P.argmax(axis=1)]
    for scoring in ("accuracy", "balanced_accuracy"):
        scores = [evaluate(scoring, y, output, np.unique(y))[0] for output in (P, labels)]
        assert scores[0] == scores[1]


def test_several_classes_have_the_mean_area_of_each_against_the_others():
    rng = np.random.default_rng(0)
    y, P = rng.integers(0, 3, 90), rng.dirichlet([1, 1, 1], 90).round(1)  # with ties
    P[:, 0] = 1 - P[:, 1] - P[:, 2]
    peer = roc_auc_score(y, P, multi_class="ovr")
    assert evaluate("roc_auc", y, P, np.arange(3))[0] == pytest.approx(peer)


@pytest.mark.parametrize(("scoring", "score"), [("r2", 0), ("roc_auc", 0.5)])
def test_targets_that_are_equal_give_the_score_of_guessing_with_an_error_of_one(scoring, score):
    output = np.zeros(9) if scoring == "r2" else np.full((9, 2), 0.5)
    found, influence = evaluate(scoring, np.ones(9), output, CLASSES)
    assert (found, standard_error(influence)) == (score, pytest.approx(1))


@pytest.mark.parametrize("scoring", PEERS)
def test_two_models_that_agree_on_every_row_differ_by_nothing(scoring):
    y, output = draw(np.random.default_rng(2), scoring)
    influence = evaluate(scoring, y, output, CLASSES)[1]
    assert standard_error(influence) > 0 and abs(influence.mean()) < 1e-12
    assert standard_error(influence - evaluate(scoring, y, output.copy(), CLASSES)[1]) == 0


def test_the_least_error_is_what_one_wrong_row_of_the_rarest_class_costs():
    y = np.repeat([0, 1], [6, 2])
    wrong = np.append(np.zeros(7, int), 1)
    for scoring in ("accuracy", "balanced_accuracy"):
        lost = 1 - evaluate(scoring, y, wrong, np.arange(2))[0]
        assert least_error(scoring, y) == pytest.approx(lost)
    output = np.column_stack([1 - wrong, wrong]).astype(float)
    output[6] = 2.0, -1.0  # the lowest of all
    assert least_error("roc_auc", y) == pytest.approx(1 - evaluate("roc_auc", y, output, np.arange(2))[0])
    assert least_error("log_loss", y) == least_error("r2", y) == 0
