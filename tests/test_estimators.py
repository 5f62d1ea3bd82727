"""What every estimator has in common: examples, scikit-learn's checks, seeds, copies, and rows of zeros."""

import doctest
import pkgutil
from functools import partial
from importlib import import_module

import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator

import kernlib
from kernlib.duality import KernelLogisticRegression
from kernlib.fourier import FourierFeatures
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import AdditiveChiSquared, Gaussian, Laplace, Linear, Polynomial
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.nystrom.landmarks import LANDMARK_RULES
from kernlib.ridge import KernelRidge
from kernlib.streaming import StreamingClassifier, StreamingRidge

BY_CG = KernelRidge(solver="cg", tol=1e-10, random_state=0, verbose=False)
OF_RULES = [NystromFeatures(landmarks=rule) for rule in LANDMARK_RULES]
CHECKED = [
    KernelLogisticRegression(),
    KernelRidge(),
    KernelRidge(lam=0.01),
    KernelRidge(lam=(1e-3, 1.0)),
    BY_CG,
    *OF_RULES,
    *(NystromRidge(n_components=40, lam=1e-3, solver=solver, random_state=0) for solver in ("direct", "cg")),
    NystromRidge(n_components=40, lam=(1e-3, 1.0), random_state=0),
    *(KernelPCA(kernel) for kernel in (None, Laplace(0.1), "precomputed")),
    StreamingRidge(),
    StreamingRidge(NystromFeatures(Linear(), n_components=40, random_state=0)),
    StreamingClassifier(),
    StreamingClassifier(NystromFeatures(n_components=40, random_state=0), class_weight="balanced"),
]
RIDGE = {"lam": [1e-4, 1e-2]}  # several values, so that leave-one-out runs too
ON_ZEROS = [  # features, then models; their kernels are 0 on rows of zeros
    *(NystromFeatures(Linear(), n_components=3, rank=rank) for rank in (None, 2)),
    *(NystromFeatures(Linear(), n_components=3, landmarks=rule) for rule in LANDMARK_RULES),
    NystromFeatures(AdditiveChiSquared(), n_components=3),
    NystromFeatures(Linear() * Laplace(), n_components=3),
    KernelPCA(Linear()),
    KernelRidge(Linear()),
    KernelRidge(Linear(), **RIDGE),
    clone(BY_CG).set_params(kernel=Linear()),
    *(NystromRidge(Linear(), n_components=3, rank=rank) for rank in (None, 2)),
    NystromRidge(AdditiveChiSquared(), n_components=3, **RIDGE),
    NystromRidge(Linear(), n_components=3, solver="cg"),
    *(StreamingRidge(NystromFeatures(Linear(), n_components=3, rank=rank)) for rank in (None, 2)),
]
CHOOSERS = [KernelRidge(), NystromRidge(n_components=10, random_state=0), StreamingRidge()]  # of λ


OFFERED = [getattr(kernlib, name) for name in kernlib.HOME_OF]


@pytest.mark.parametrize("kind", [kind for kind in OFFERED if BaseEstimator in getattr(kind, "__mro__", ())])
def test_the_docstring_of_an_estimator_has_an_example_that_runs(kind):
    module = import_module(kind.__module__)
    (example,) = doctest.DocTestFinder(recurse=False).find(kind, kind.__name__, module, globs={})
    assert example.examples
    assert doctest.DocTestRunner().run(example).failed == 0


def compute(model, X):
    return model.transform(X) if hasattr(model, "transform") else model.predict(X)


def test_every_estimator_is_checked_here_or_in_its_own_tests():
    modules = [import_module(module.name) for module in pkgutil.walk_packages(kernlib.__path__, "kernlib.")]
    offered = [getattr(module, name) for module in modules for name in module.__all__]
    found = {kind.__name__ for kind in offered if isinstance(kind, type) and issubclass(kind, BaseEstimator)}
    apart = {"BalancedClassifier", "FourierFeatures", "LeastSquaresClassifier", "StringGram", "Transformer"}
    assert found - apart == {type(model).__name__ for model in CHECKED}


BY_DEFAULT = (
    KernelLogisticRegression,
    KernelPCA,
    KernelRidge,
    *(partial(kind, n_components=2) for kind in (FourierFeatures, NystromFeatures, NystromRidge)),
)


@pytest.mark.parametrize("kind", BY_DEFAULT)
def test_the_default_kernel_is_the_gaussian_with_one_over_p_and_columns_have_names(kind):
    X = np.random.default_rng(0).normal(size=(9, 4))
    model = kind().fit(X, X[:, 0] > 0)
    assert model.kernel_ == Gaussian(1 / 4)
    if hasattr(model, "transform"):
        name = type(model).__name__.lower()
        assert list(model.get_feature_names_out()) == [f"{name}0", f"{name}1"]


def test_transformers_tell_scikit_learn_that_they_keep_float32():  # which its checks try only then
    for model in (NystromFeatures(), KernelPCA(), FourierFeatures()):
        assert get_tags(model).transformer_tags.preserves_dtype == ["float64", "float32"]


@pytest.mark.filterwarnings("ignore:n_components is", "ignore:Number of distinct clusters")
@pytest.mark.parametrize("estimator", [model for model in CHECKED if model not in OF_RULES[2:]], ids=str)
def test_scikit_learns_estimator_checks_pass(estimator):
    check_estimator(estimator, on_skip=None)


@pytest.mark.filterwarnings("ignore:n_components is")
@pytest.mark.parametrize("estimator", CHECKED, ids=str)
def test_a_seed_decides_the_model_and_the_training_rows_may_change_after_fit(estimator):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 60)), rng.integers(2, size=60)
    X, new = X @ X.T, X[:9]  # also a Gram matrix, and rows of one
    given = X.copy()
    one, two = (clone(estimator) for _ in range(2))
    for model in (one, two):
        if "random_state" in model.get_params():
            model.set_params(random_state=1)
    one.fit(given, y)
    given += 1
    np.testing.assert_array_equal(compute(one, new), compute(two.fit(X, y), new))


@pytest.mark.filterwarnings("ignore:n_components is", "ignore:Number of distinct clusters")
@pytest.mark.parametrize("n", [1, 12])
@pytest.mark.parametrize("estimator", ON_ZEROS, ids=str)
def test_rows_of_zeros_have_rank_0_and_give_zeros_or_the_mean_without_a_message(estimator, n, capfd):
    for dtype in (np.float64, np.float32):
        model = clone(estimator).fit(np.zeros((n, 2), dtype), np.ones(n))
        result = compute(model, np.ones((4, 2), dtype))
        expected = 1 if hasattr(model, "intercept_") else 0
        assert len(result) == 4 and result.size and (result == expected).all()
        assert getattr(model, "rank_", 0) == 0
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "estimator",
    [KernelRidge(), NystromFeatures(), NystromRidge(n_components=5), KernelPCA(), KernelLogisticRegression()],
    ids=lambda estimator: type(estimator).__name__,
)
def test_a_fit_that_fails_leaves_the_estimator_as_it_was(estimator):
    X, y = np.random.default_rng(0).random((20, 2)), np.arange(20) % 2
    histograms = clone(estimator).set_params(kernel=AdditiveChiSquared())
    with pytest.raises(ValueError, match="no negative entry"):
        histograms.fit(-X, y)
    with pytest.raises(NotFittedError):
        compute(histograms, X)
    fitted = clone(estimator).fit(X, y)
    before = compute(fitted, X)
    with pytest.raises(ValueError, match="no negative entry"):
        fitted.set_params(kernel=AdditiveChiSquared()).fit(-X, y)
    np.testing.assert_array_equal(compute(fitted, X), before)


@pytest.mark.parametrize("estimator", CHOOSERS)
def test_nothing_is_left_of_an_earlier_fit(estimator):
    X = np.random.default_rng(0).normal(size=(40, 2))
    model = clone(estimator).fit(X, X[:, 0])
    model.set_params(lam=0.1).fit(X, X[:, 0])
    assert not {"lams_", "loo_errors_", "validation_errors_"} & set(vars(model))


@pytest.mark.parametrize("estimator", CHOOSERS)
def test_only_the_ratios_of_weights_matter(estimator):
    rng = np.random.default_rng(0)
    X, s = rng.normal(size=(40, 2)), rng.random(40)
    expected, *others = (clone(estimator).fit(X, X[:, 0], size * s).predict(X) for size in (1, 1e-9, 1e9))
    for other in others:
        np.testing.assert_allclose(other, expected, rtol=1e-6)


@pytest.mark.parametrize(
    "estimator, size",  # of the targets
    [
        (KernelRidge(lam=1e-9), 1),
        (KernelRidge(Polynomial(12), lam=1.0), 1),
        (KernelRidge(lam=1e-2), 1e35),
        (NystromRidge(n_components=20, lam=1e-2, random_state=0), 1e35),
        (KernelLogisticRegression(lam=1e-9), 1),
    ],
    ids=str,
)
def test_rows_in_float32_are_taken_in_float64_where_float32_has_no_digits_or_no_room(estimator, size):
    X, y = 100 * np.random.default_rng(0).normal(size=(2, 40, 3)).astype(np.float32)
    y = y[:, 0] > 0 if is_classifier(estimator) else size * y[:, 0].astype(np.float64)
    double = clone(estimator).fit(X.astype(np.float64), y)
    method = "decision_function" if hasattr(double, "decision_function") else "predict"
    single = getattr(clone(estimator).fit(X, y), method)(X)
    assert np.isfinite(single).all()
    np.testing.assert_array_equal(single, getattr(double, method)(X.astype(np.float64)))


@pytest.mark.parametrize("solver", ["direct", "cg"])
def test_landmarks_are_numbered_by_the_rows_that_were_passed(solver):
    X = np.random.default_rng(0).normal(size=(40, 2))
    model = NystromRidge(n_components=5, lam=0.1, solver=solver, random_state=0)
    model.fit(X, X[:, 0], np.arange(40) >= 10)
    np.testing.assert_array_equal(X[model.component_indices_], model.components_)
