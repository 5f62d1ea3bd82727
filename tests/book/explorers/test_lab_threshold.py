"""The threshold's shares and scores: against scikit-learn's, and the answers that the explorer gives."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score, roc_curve

from kernlib.book.explorers import lab_threshold as lab


def labels_and_values(model):
    shirts, others = lab.decisions()[model]
    return np.repeat([1, -1], [len(shirts), len(others)]), np.concatenate([shirts, others])


@pytest.mark.parametrize("model", lab.MODELS)
def test_the_shares_are_those_of_scikit_learns_curve(model):
    y, f = labels_and_values(model)
    false, true, thresholds = roc_curve(y, f, drop_intermediate=False)
    assert lab.area(model) == pytest.approx(roc_auc_score(y, f), abs=1e-6)
    found, mistaken = lab.shares_found(model, np.nextafter(thresholds[1:], -np.inf))  # theirs counts f = t
    assert found == pytest.approx(true[1:]) and mistaken == pytest.approx(false[1:])
    shirts, _ = lab.decisions()[model]
    at_values = lab.shares_found(model, shirts[:20])  # where "above" and "at least" differ
    assert at_values[0] == pytest.approx([np.mean(shirts > t) for t in shirts[:20]])


@pytest.mark.parametrize("model", lab.MODELS[:2])
@pytest.mark.parametrize("t", [-1.0, 0.0])
def test_the_readout_has_the_scores_of_the_labels(model, t):
    y, f = labels_and_values(model)
    labels = np.where(f > t, 1, -1)
    words = lab.summary(model, t)
    assert f"Accuracy {np.mean(labels == y):.3f}" in words
    assert f"balanced accuracy {balanced_accuracy_score(y, labels):.3f}" in words
    assert f"of 100 shirts it finds {100 * np.mean(labels[y == 1] == 1):.0f}" in words


def test_each_photograph_is_in_one_bar():
    for model in lab.MODELS:
        for bars in list(lab.values(model).values()):
            assert np.sum(bars.y) == pytest.approx(1)


def test_the_answer_is_the_best_balanced_accuracy_of_the_linear_model():
    y, f = labels_and_values("linear SVM")
    false, true, _ = roc_curve(y, f)
    assert np.max(1 + true - false) / 2 == pytest.approx(float(lab.THRESHOLD.predict.answer), abs=0.02)
    assert lab.balanced("linear SVM", np.array([0.0]))[0] == pytest.approx(0.51, abs=0.01)
