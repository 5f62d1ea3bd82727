"""The models are the book's own, and take no more memory than was counted."""

import subprocess
import sys

import numpy as np
import pytest
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
    for name in ("tree", "forest"):
        model, peer = (build_model(name, "regression", 5, levels=levels) for levels in ((2, 3), ()))
        assert np.array_equal(model.fit(columns, Y).predict(columns), peer.fit(codes, Y).predict(codes))


def test_probabilities_are_divided_by_the_shares_of_the_classes():
    y = np.repeat([0, 1], [120, 30])
    model = BalancedClassifier(DummyClassifier(strategy="prior")).fit(X, y)
    assert model.predict_proba(X[:3]) == pytest.approx(0.5)


def test_the_least_squares_classifier_passes_the_checks_of_scikit_learn():
    check_estimator(LeastSquaresClassifier())


def test_the_balanced_classifier_passes_the_checks_of_scikit_learn():
    check_estimator(BalancedClassifier())


@pytest.mark.parametrize("name", ["random features", "Nyström"])
def test_the_features_are_drawn_with_the_seed(name):
    model = build_model(name, "regression", 5, kernel=Gaussian(0.1), seed=7)
    assert model.features.random_state == 7


def test_class_weights_find_a_rare_class():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [950, 50])
    rows = rng.normal(size=(1000, 2)) + 1.5 * y[:, None]
    for name in ("linear", "tree", "forest", "exact"):
        models = (
            build_model(name, "classification", 20, kernel=Gaussian(0.1), lam=1e-3, class_weight=weight)
            for weight in (None, "balanced")
        )
        plain, balanced = (balanced_accuracy_score(y, model.fit(rows, y).predict(rows)) for model in models)
        assert balanced > plain + 0.05


def test_a_threshold_moves_the_decision():
    y = (Y > 3).astype(int)
    shares = [
        build_model("exact", "classification", kernel=Gaussian(0.2), lam=1e-2, threshold=threshold)
        .fit(X, y)
        .predict(X)
        .mean()
        for threshold in (-0.5, 0, 0.5)
    ]
    assert shares[0] > shares[1] > shares[2]


def test_a_kernel_without_a_spectral_law_has_no_random_features_and_a_note_says_why():
    assert features_for(Gaussian(1.0), 4) == (["random features", "Nyström"], [])
    names, (note,) = features_for(Polynomial(2, 1.0), 4)
    assert names == ["Nyström"] and "no spectral law" in note
    assert features_for(Linear(), 4)[0] == ["Nyström"]


GROWTH = """
import resource, sys
import numpy as np
from kernlib.kernels import Gaussian
from kernlib.compare.models import build_model, memory_of
task, name, n, c = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
X = np.random.default_rng(0).normal(size=(n, 20))
y = X[:, 0] + X[:, 1] * X[:, 2]
y = np.where(y > 0, 1, 0) if task == "classification" else y
def build(n, c):
    return build_model(name, task, c, kernel=Gaussian(0.05), lam=1e-3)
build(300, 20).fit(X[:300], y[:300])
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
before = peak()
build(n, c).fit(X, y)
print(peak() - before, memory_of(name, n, c, 20))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs the module resource")
@pytest.mark.parametrize(
    ("task", "name", "n", "c"),
    [
        ("classification", "exact", 4000, 0),
        ("regression", "exact", 4000, 0),
        ("regression", "Nyström", 30_000, 400),
    ],
)
def test_a_fit_takes_no_more_memory_than_was_counted(task, name, n, c):
    """What the process grows by, in which its allocator and threads have a part, too: 30 MB are allowed."""
    command = [sys.executable, "-c", GROWTH, task, name, str(n), str(c)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    grown, counted = map(int, done.stdout.split())
    assert grown < counted + 30e6
    assert memory_of(name, n, c, 20) == counted > 60e6  # the allowance is the lesser part
