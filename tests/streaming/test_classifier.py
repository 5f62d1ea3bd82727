"""StreamingClassifier: scikit-learn's logistic regression on the features, however the rows are read."""

import pickle

import dask
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import assert_refused, data
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.utils.class_weight import compute_sample_weight
from streamed import FEATURES, IDENTITY, SMALL, cut, delayed

from kernlib.fourier import FourierFeatures
from kernlib.numerics.normal_equations import RidgeStatistics
from kernlib.streaming import StreamingClassifier
from kernlib.streaming.newton import logistic_statistics, newton_steps

EXACT = {"lam": 1e-3, "tol": 1e-12, "verbose": False}
NAMES = np.array(["ant", "bee", "cat"])
X = data(150, 3)
KINDS = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 1)
LABELS = NAMES[KINDS]


def parameters(model):
    return np.column_stack([model.coef_, model.intercept_])


def by_scikit_learn(Z, y, weights, lam, fit_intercept):
    """The coefficients of each class against the others, or of the second of two, by scikit-learn."""
    classes, found = np.unique(y), []
    options = {"solver": "newton-cholesky", "tol": 1e-12, "max_iter": 1000, "fit_intercept": fit_intercept}
    for label in classes[1:] if len(classes) == 2 else classes:
        model = LogisticRegression(C=1 / (weights.sum() * lam), **options).fit(Z, y == label, weights)
        found.append([*model.coef_[0], model.intercept_[0]] if fit_intercept else [*model.coef_[0], 0])
    return np.array(found)


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_it_is_scikit_learns_logistic_regression_on_the_features(p, features, fit_intercept):
    X, rng = data(200, p), np.random.default_rng(1)
    kinds = (X[:, 0] > 0.5).astype(int) + (X[:, -1] + rng.normal(size=200) > 1)
    weights = rng.integers(0, 4, 200) / 2
    for y in (NAMES[kinds], kinds > 0):
        for class_weight in (None, "balanced", {y[0].item(): 3.0}):
            model = StreamingClassifier(
                features, class_weight=class_weight, fit_intercept=fit_intercept, **EXACT
            ).fit(X, y, weights)
            if class_weight == "balanced":  # scikit-learn's does not count the weights
                sums = {label: weights[y == label].sum() for label in np.unique(y)}
                factors = np.array([weights.sum() / len(sums) / sums[label] for label in y.tolist()])
            else:
                present = {label: (class_weight or {}).get(label, 1.0) for label in np.unique(y).tolist()}
                factors = compute_sample_weight(present, y)
            Z = model.features_.transform(X)
            expected = by_scikit_learn(Z, y, weights * factors, 1e-3, fit_intercept)
            np.testing.assert_allclose(parameters(model), expected, atol=1e-7 * np.abs(expected).max())


@settings(max_examples=10, deadline=None)
@given(sizes=st.lists(st.integers(1, 60), min_size=1, max_size=8))
def test_blocks_of_any_size_in_a_list_from_a_function_or_on_dask_give_the_same(sizes):
    sizes = [*sizes, 500]
    rows, y = data(sum(sizes), 3), np.resize(LABELS, sum(sizes))
    model = StreamingClassifier(FrozenEstimator(SMALL.fit(rows)), **EXACT)
    whole = parameters(model.fit(rows, y))
    blocks = cut(sizes, rows, y)
    with dask.config.set(scheduler="synchronous"):
        on_dask = parameters(model.fit_dask(delayed(*blocks)))
    for found in (parameters(model.fit(blocks)), parameters(model.fit(lambda: iter(blocks))), on_dask):
        np.testing.assert_allclose(found, whole, atol=1e-9)


def test_the_equations_are_the_gradient_and_the_hessian_of_the_losses():
    coef = np.random.default_rng(0).normal(size=(1, 4))

    def sums(coef):
        arrays = X, LABELS, np.arange(150.0)
        return logistic_statistics(IDENTITY, True, NAMES, np.array([1, 2, 3]), NAMES[:1], coef, arrays, 0, "")

    _, (equations,) = sums(coef)
    for j in range(4):
        h = 1e-5 * np.eye(4)[[j]]
        ((up,), (above,)), ((down,), (below,)) = sums(coef + h), sums(coef - h)
        gradient = (up - down) / 2e-5
        hessian = (below.moment - above.moment) / 2e-5
        np.testing.assert_allclose(gradient, -equations.moment[j], rtol=1e-5)
        np.testing.assert_allclose(hessian, equations.gram[j], rtol=1e-5, atol=1e-3)


def test_a_weight_is_the_number_of_copies_of_a_row_and_zero_leaves_it_out():
    weights = np.random.default_rng(2).integers(0, 4, 150)
    model = StreamingClassifier(FrozenEstimator(SMALL.fit(X)), class_weight="balanced", tol=1e-12)
    weighted = parameters(model.fit(X, LABELS, weights))
    copies = np.repeat(np.arange(150), weights)
    np.testing.assert_allclose(weighted, parameters(model.fit(X[copies], LABELS[copies])), atol=1e-9)
    assert model.lam_ == 1 / weights.sum()
    assert "cat" not in model.fit(X, LABELS, np.where(LABELS == "cat", 0, 1)).classes_


def test_float32_features_give_the_coefficients_within_their_precision():
    features = FrozenEstimator(FourierFeatures(n_components=30, random_state=0).fit(X))
    double = parameters(StreamingClassifier(features, lam=1e-2, tol=1e-9).fit(X, LABELS))
    model = StreamingClassifier(features, lam=1e-2, tol=1e-9).fit(X.astype(np.float32), LABELS)
    # an error ε of the gradient, of size 1, changes w by its ratio to λ
    np.testing.assert_allclose(parameters(model), double, atol=20 * np.finfo(np.float32).eps / 1e-2)
    assert model.decision_function(X.astype(np.float32)).dtype == np.float32


def test_probabilities_add_up_to_one_even_where_all_are_tiny():
    for y in (KINDS, KINDS > 0):
        model = StreamingClassifier(FrozenEstimator(IDENTITY), lam=1e-6).fit(X, y)
        for rows in (X, 1e4 * X):
            np.testing.assert_allclose(model.predict_proba(rows).sum(axis=1), 1, rtol=1e-12)
        np.testing.assert_array_equal(model.classes_[model.predict_proba(X).argmax(axis=1)], model.predict(X))
    model = StreamingClassifier(FrozenEstimator(IDENTITY)).fit(X, KINDS)
    model.intercept_ = model.intercept_ - 2000
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1, rtol=1e-12)


def test_the_probability_is_the_logistic_function_of_the_decision():
    model = StreamingClassifier(SMALL).fit(X, KINDS > 0)
    p = 1 / (1 + np.exp(-model.decision_function(X)))
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], p, rtol=1e-12)


def test_steps_that_overshoot_are_halved():
    def compute_sums(active, coef):  # of √(1 + (w − 2)²), where Newton's steps from 0 diverge
        w = coef[0, 0] - 2
        slope, curvature = w / np.sqrt(1 + w**2), (1 + w**2) ** -1.5
        equations = RidgeStatistics(curvature, np.array([[curvature]]), np.array([-slope]))
        return np.array([np.sqrt(1 + w**2)]), [equations]

    coef, excess, _ = newton_steps(
        compute_sums, np.zeros((1, 1)), total=1.0, lam=1e-15, intercept=False, tol=1e-12, max_iter=50
    )
    assert abs(coef[0, 0] - 2) < 1e-6 and excess[0] <= 1e-12


def test_passes_over_all_rows_start_from_the_minimizer_for_a_sample():
    X, noise = data(40_000, 2), np.random.default_rng(1).normal(size=40_000)
    y = X[:, 0] * X[:, 1] + 0.5 * noise > 0
    model = StreamingClassifier(FrozenEstimator(SMALL.fit(X)), verbose=False)
    assert model.fit(X, y).n_iter_ <= 3


def test_a_bad_sample_does_not_change_the_minimizer():
    y = KINDS > 0
    model = StreamingClassifier(FrozenEstimator(SMALL.fit(X)), **EXACT)
    wrong, one_label = (X[:4], np.array([True, False, True, False]) ^ (X[:4, 0] > 0)), (X[y][:9], y[y][:9])
    for rows, labels in (wrong, one_label):
        blocks = [(rows, labels), (X, y)]
        found = parameters(model.fit(blocks))
        whole = [np.concatenate(parts) for parts in zip(*blocks, strict=True)]
        np.testing.assert_allclose(found, parameters(model.fit(*whole)), atol=1e-9)


def test_too_few_passes_give_a_warning_with_the_estimate():
    model = StreamingClassifier(SMALL, lam=1e-6, tol=1e-12, max_iter=2)
    with pytest.warns(ConvergenceWarning, match=r"by about .* after 2 passes, not 1e-12") as caught:
        model.fit(X, LABELS)
    assert caught[0].filename == __file__ and model.n_iter_ == 2


def test_features_so_far_from_0_that_rounding_spoils_the_fit_give_a_warning():
    model, nameless = StreamingClassifier(IDENTITY, verbose=False), {}
    exec("def call(function, *arguments): return function(*arguments)", nameless)
    for fit, file in ((model.fit, __file__), (lambda *data: nameless["call"](model.fit, *data), "<string>")):
        with pytest.warns(UserWarning, match="subtract the columns' means first") as caught:
            fit(X + 1e8, LABELS)
        assert {each.filename for each in caught} == {file}


def test_bad_input_raises_one_sentence_and_changes_nothing():
    model = StreamingClassifier(SMALL).fit(X, LABELS)
    before = pickle.dumps(model)
    for arguments, sentence in [
        ((iter([(X, LABELS)]),), "X must be .* a function that gives them anew .* got list_iterator"),
        (([],), "at least one block"),
        ((X,), "requires y to be passed, but the target y is None"),
        ((X, data(150, 2)), r"y must have shape \(150,\), a label for each row of X, got"),
        ((X, X[:, 0]), "y must hold labels of classes, got continuous targets"),
        ((X, np.arange(150) // 75 + np.datetime64("2026-01-01", "ns")), "y must hold texts"),
        ((X, np.zeros(150)), "labels of at least two classes, got one"),
        ((X, LABELS, np.zeros(150)), "sample_weight must .*zero"),
        ((X, LABELS, np.where(LABELS == "ant", 1, 0)), "at least two classes, got one class"),
        (([(X, LABELS), (X[:, :1], LABELS)],), "X of block 1 must have 3 columns as before, got 1"),
        (([(X, LABELS), (X, np.arange(150) % 2)],), "y must have labels of one type in all blocks"),
    ]:
        assert_refused(lambda arguments=arguments: model.fit(*arguments), sentence)
    assert pickle.dumps(model) == before
    for value in ("even", 3, {"ant": -1}, {"ant": 2.0, "bees": 3.0}):
        wrong = StreamingClassifier(SMALL, class_weight=value)
        assert_refused(lambda wrong=wrong: wrong.fit(X, LABELS), "class_weight must (be|have)")
