"""Bad arguments raise an error of one sentence that names them; numbers and kernels of any type are taken."""

import re
from fractions import Fraction
from functools import partial
from inspect import signature

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone, is_classifier
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.metrics.pairwise import pairwise_kernels

from kernlib.duality import Duality, KernelLogisticRegression, Logistic, Squared
from kernlib.fourier import FourierFeatures, random_features
from kernlib.kernel_pca import KernelPCA, center_gram, center_rows
from kernlib.kernels import Gaussian, Kernel, as_kernel
from kernlib.kernels.algebra import Product, Scaled, Sum
from kernlib.kernels.choice import Precomputed
from kernlib.low_rank import rank_trunc, truncation_errors
from kernlib.numerics.psd import inverse_root
from kernlib.numerics.validation import check_count, check_positive, describe
from kernlib.nystrom import NystromFeatures, NystromRidge, nystrom
from kernlib.nystrom.landmarks import select_landmarks
from kernlib.ridge import KernelRidge, dual_ridge, primal_ridge, ridge_path
from kernlib.streaming import StreamingClassifier, StreamingRidge

X = np.random.default_rng(0).random((6, 2))
Y, LABELS, G = X[:, 0] + 1, np.array([-1, 1, 1, -1, 1, -1]), Gaussian()(X)
LARGE = np.ones((40, 3))  # whose repr would fill many lines
DATES = np.full((6, 2), np.datetime64("2026-11-21"))
RAGGED, TEXTS, SPARSE = [[1.0, 2.0], [3.0]] * 3, [["a", "b"]] * 6, csr_array(X)
MASKED = np.ma.masked_less(X, 0.5)

BAD = {  # what no argument of this kind may be
    "matrix": [MASKED, RAGGED, TEXTS, None, X * 1j, X[None], X[0], DATES, SPARSE, X * np.nan, X[:0]],
    "vector": [MASKED[:, 0], RAGGED, TEXTS[0] * 3, None, Y * 1j, Y[:5], DATES[:, 0], SPARSE, Y * np.inf, 3.0],
    "number": ["loo", 1j, [], [1.0, "a"], RAGGED, {1.0: 2}, [0.1, 0], float("nan"), 0, -1, True, LARGE],
    "count": [1.5, "2", True, 0, [2]],
    "kernel": ["sigmoid", Gaussian, 3, np.dot, Logistic(), LARGE],
    "loss": [Logistic, "logistic", None, Gaussian(), LARGE],
    "random_state": ["x", -1, 1.5, np.random, LARGE],
    "labels": [RAGGED, None, 1j * Y, LABELS[:5], DATES, Y, Y * np.nan, SPARSE, X[None], [[]], [None] * 6],
    "landmarks": ["all", None, RAGGED, X[:, :1], X * 1j, 3],
}
BAD["test rows"] = [*BAD["matrix"], X[:, :1], X[:, [0, 1, 1]]]
ARGUMENTS = {  # of each kind, by name, with a value that is right
    "matrix": {"X": X, "X_train": X, "Phi": X} | dict.fromkeys("GKW", G),
    "test rows": {"X_test": X},
    "vector": {"y": Y, "alpha": Y},
    "number": {"lam": 1, "lams": [1], "tol": 1e-3, "gamma": 1, "scale": 1},
    "count": {"c": 2, "k": 1, "p": 2, "rank": 1, "n_components": 2, "max_iter": 2},
    "kernel": dict.fromkeys(("kernel", "left", "right"), Gaussian()),
    "loss": {"loss": Squared()},
    "random_state": {"random_state": 0, "rng": 0},
    "landmarks": {"landmarks": X},
}
KINDS = {name: kind for kind, some in ARGUMENTS.items() for name in some}
GOOD = {name: value for some in ARGUMENTS.values() for name, value in some.items()}
FUNCTIONS = [
    Duality,
    Duality(G, Y, lam=1, loss=Squared()).gap,
    KernelPCA().fit(X).denoise,
    Product,
    Scaled,
    Sum,
    partial(as_kernel, "rbf"),
    center_gram,
    center_rows,
    dual_ridge,
    inverse_root,
    nystrom,
    partial(Gaussian().sample_frequencies, 2, 2),
    primal_ridge,
    random_features,
    lambda G, k: rank_trunc(G, k or -1),  # which takes 0
    ridge_path,
    select_landmarks,
    truncation_errors,
]
ESTIMATORS = [
    FourierFeatures(),
    KernelLogisticRegression(),
    KernelPCA(),
    KernelRidge(),
    NystromFeatures(landmarks=X),  # which uses neither random_state nor n_components
    NystromFeatures(n_components=2),
    NystromRidge(n_components=2),
    StreamingClassifier(),
    StreamingRidge(),
]


def arguments():
    """Yield the kind and the name of each argument, and a call that takes its value."""
    for function in FUNCTIONS:
        names = [name for name in signature(function).parameters if name in KINDS]
        given = {name: GOOD[name] for name in names}
        for name in names:
            yield KINDS[name], name, lambda v, f=function, g=given, n=name: f(**g | {n: v})
    for model in ESTIMATORS:
        y = LABELS if is_classifier(model) else Y
        for name in KINDS.keys() & model.get_params():
            yield KINDS[name], name, lambda v, m=model, n=name, y=y: clone(m).set_params(**{n: v}).fit(X, y)
        yield "matrix", "X", lambda v, m=model, y=y: clone(m).fit(v, y)
        if hasattr(model, "predict"):
            kind = "labels" if is_classifier(model) else "vector"
            yield kind, "y", lambda v, m=model: clone(m).fit(X, v)
        for method in {"predict", "predict_proba", "transform"} & set(dir(model)):
            yield "matrix", "X", getattr(clone(model).fit(X, y), method)


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_gets_a_sentence_that_names_the_argument(kind):
    for name, call in [(name, call) for of, name, call in arguments() if of == kind]:
        for value in BAD[kind]:
            with pytest.raises((TypeError, ValueError)) as caught:
                call(value)
                pytest.fail(f"{name} may be {describe(value)}: {call.__defaults__}")
            sentence = str(caught.value)
            assert re.search(rf"\b{name}\b", sentence), f"{value!r}: {sentence}"
            assert not re.search("\n|inhomogeneous|sequence", sentence)  # numpy's words


def test_a_kernel_without_its_formulas_names_the_missing_one():
    class Nothing(Kernel):
        pass

    class Half(Nothing):
        def diagonal(self, X):
            return np.ones(len(X))

    for kernel, missing in ((Nothing(), "diagonal"), (Half(), "values")):
        with pytest.raises(NotImplementedError, match=rf"must define {missing}\(X"):
            kernel(X)


def test_a_name_of_scikit_learns_means_its_kernel():
    X = np.random.default_rng(0).random((20, 3))
    for name in ("rbf", "laplacian", "poly", "polynomial", "linear", "chi2"):
        # each value is of size at most 8, from sums of 3 products and a third power
        np.testing.assert_allclose(as_kernel(name, 3)(X), pairwise_kernels(X, metric=name), rtol=1e-14)


def test_a_kernel_stands_for_itself_and_none_for_the_gaussian_with_one_over_p():
    kernel = Gaussian(2.0)
    assert as_kernel(kernel, 5) == kernel
    assert as_kernel(None, 5) == Gaussian(1 / 5)
    assert isinstance(as_kernel("precomputed", 5, precomputed=True), Precomputed)


def test_the_error_for_a_class_says_to_call_it():
    with pytest.raises(TypeError, match=r"got the class Gaussian: call it, as in Gaussian\(\)"):
        as_kernel(Gaussian, 5)


def test_a_count_is_given_back_as_an_int():
    for value in (np.uint8(3), np.int64(3)):
        assert type(check_count("k", value, 1)) is int


def test_a_positive_number_is_given_back_as_a_float():
    for value in (np.int8(3), np.float16(0.5), np.float32(0.5), Fraction(1, 2), 2):
        number = check_positive("lam", value)
        assert type(number) is float
        assert number == value


def test_a_number_that_float64_does_not_hold_as_positive_and_finite_raises_an_error():
    for value in (10**400, Fraction(1, 10**400), 0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"^lam must be positive and finite, got"):
            check_positive("lam", value)


@pytest.mark.parametrize("model", [GaussianProcessRegressor, GaussianProcessClassifier])
def test_scikit_learns_gaussian_processes_get_a_sentence(model):
    with pytest.raises(
        TypeError, match=r"kernel must be one of sklearn.gaussian_process.kernels, .* Gaussian"
    ):
        model(kernel=Gaussian(1.0)).fit(X, LABELS)
