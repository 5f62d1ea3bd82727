"""The models are the book's own, and take no more memory than was counted."""

import numpy as np
import pytest
from samples import peak_bytes
from sklearn.dummy import DummyClassifier
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import balanced_accuracy_score
from sklearn.utils.estimator_checks import check_estimator

from kernlib.compare.columns import join_indicators
from kernlib.compare.models import (
    BalancedClassifier,
    LeastSquaresClassifier,
    build_model,
    features_for,
    indicators,
    memory_of,
)
from kernlib.kernels import Gaussian, Linear, Polynomial

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 3


@pytest.mark.parametrize("classes", [2, 3])
def test_exact_and_all_landmarks_are_ridge_on_indicators(classes):
    y = np.array(["a", "b", "c"])[np.digitize(Y, [3, 4][: classes - 1])]
    targets = indicators(y, np.unique(y))
    peer = KernelRidge(kernel=Gaussian(0.2), alpha=0.015).fit(X, targets - targets.mean(axis=0))
    expected = (peer.predict(X) + targets.mean(axis=0)).squeeze()
    for model in (
        build_model("exact", "classification", kernel=Gaussian(0.2), lam=1e-4),
        build_model("Nyström", "classification", 150, kernel=Gaussian(0.2), lam=1e-4),
    ):
        f = model.fit(X, y).decision_function(X)
        assert f == pytest.approx(expected, abs=0.1)  # here the intercept is not the mean
        assert np.mean(model.predict(X) == y) > 0.95
        P = model.predict_proba(X)
        assert P.sum(axis=1) == pytest.approx(1) and np.array_equal(
            model.classes_[P.argmax(1)], model.predict(X)
        )


def test_trees_see_a_code_for_each_category():
    columns = np.column_stack([X, np.eye(2)[RNG.integers(2, size=150)], np.eye(3)[RNG.integers(3, size=150)]])
    codes = np.column_stack([X, columns[:, 4:6].argmax(axis=1), columns[:, 6:].argmax(axis=1)])
    assert np.array_equal(join_indicators(columns, (2, 3)), codes)
    for name in ("boosted trees", "forest"):
        model, peer = (build_model(name, "regression", 5, levels=levels) for levels in ((2, 3), ()))
        assert np.array_equal(model.fit(columns, Y).predict(columns), peer.fit(codes, Y).predict(codes))


def test_probabilities_are_divided_by_the_shares_of_the_classes():
    y = np.repeat([0, 1], [120, 30])
    model = BalancedClassifier(DummyClassifier(strategy="prior")).fit(X, y)
    assert model.predict_proba(X[:3]) == pytest.approx(0.5)


@pytest.mark.parametrize("model", [LeastSquaresClassifier(), BalancedClassifier()])
def test_the_classifiers_pass_the_checks_of_scikit_learn(model):
    check_estimator(model)


def test_class_weights_find_a_rare_class():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [950, 50])
    rows = rng.normal(size=(1000, 2)) + 1.5 * y[:, None]
    for name in ("linear", "boosted trees", "forest", "exact"):
        models = (
            build_model(name, "classification", 20, kernel=Gaussian(0.1), lam=1e-3, class_weight=weight)
            for weight in (None, "balanced")
        )
        plain, balanced = (balanced_accuracy_score(y, model.fit(rows, y).predict(rows)) for model in models)
        assert balanced > plain + 0.05


def test_a_threshold_moves_the_decision():
    y = (Y > 3).astype(int)
    kernel = {"kernel": Gaussian(0.2), "lam": 1e-2}
    models = (build_model("exact", "classification", threshold=t, **kernel) for t in (-0.5, 0, 0.5))
    shares = [model.fit(X, y).predict(X).mean() for model in models]
    assert shares[0] > shares[1] > shares[2]


def test_a_kernel_without_a_spectral_law_has_no_random_features_and_a_note_says_why():
    assert features_for(Gaussian(1.0), 4) == (["random features", "Nyström"], [])
    names, (note,) = features_for(Polynomial(2, 1.0), 4)
    assert names == ["Nyström"] and "no spectral law" in note
    assert features_for(Linear(), 4)[0] == ["Nyström"]


@pytest.mark.parametrize(
    ("task", "name", "n", "c"),
    [("classification", "exact", 3000, 0), ("regression", "Nyström", 20_000, 400)],
)
def test_a_fit_takes_no_more_memory_than_was_counted(task, name, n, c):
    rows = RNG.normal(size=(n, 20))
    y = rows[:, 0] if task == "regression" else rows[:, 0] > 0
    model = build_model(name, task, c, kernel=Gaussian(0.05), lam=1e-3)
    grown, counted = peak_bytes(lambda: model.fit(rows, y)), memory_of(name, n, c, 20)
    assert 0.3 * counted < grown < counted


@pytest.mark.parametrize("leaf", [1, 5])
def test_a_forest_takes_no_more_memory_than_was_counted(leaf):
    forest = build_model("forest", "regression", leaf).fit(X, Y)
    states = [tree.tree_.__getstate__() for tree in forest.estimators_]
    held = sum(state["nodes"].nbytes + state["values"].nbytes for state in states)
    assert 0.3 * memory_of("forest", 150, leaf, 4) < held < memory_of("forest", 150, leaf, 4)
