"""Bad arguments raise an error of one sentence that names them; numbers and kernels of any type are taken."""

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.gaussian_process import GaussianProcessClassifier, GaussianProcessRegressor
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.preprocessing import FunctionTransformer

from kernlib.duality import (
    Duality,
    KernelLogisticRegression,
    Logistic,
    Squared,
    feature_objective,
    representer,
)
from kernlib.fourier import FourierFeatures, random_features
from kernlib.kernel_pca import KernelPCA, center_gram, center_rows
from kernlib.kernels import ChiSquared, Gaussian, Kernel, Laplace, Linear, Matern, as_kernel
from kernlib.kernels.algebra import Product, Scaled, Sum
from kernlib.kernels.choice import Precomputed
from kernlib.low_rank import rank_trunc, truncation_errors
from kernlib.numerics.psd import inverse_root
from kernlib.numerics.validation import check_count, check_positive, describe
from kernlib.nystrom import NystromFeatures, NystromRidge, nystrom
from kernlib.nystrom.landmarks import select_landmarks
from kernlib.ridge import KernelRidge, conjugate_ridge, dual_ridge, primal_ridge, ridge_path
from kernlib.streaming import StreamingClassifier, StreamingRidge

X = np.random.default_rng(0).random((6, 2))
Y, LABELS, G = X[:, 0] + 1, np.array([-1, 1, 1, -1, 1, -1]), Gaussian()(X)
LARGE = np.ones((40, 3))  # whose repr would fill many lines
DATES = np.full((6, 2), np.datetime64("2026-11-21"))
RAGGED = [[1.0, 2.0], [3.0]] * 3

BAD = {  # what no argument of this kind may be
    "matrix": [RAGGED, [["a", "b"]] * 6, None, X * 1j, X[None], X[0], DATES, csr_array(X), X * np.nan, X[:0]],
    "vector": [RAGGED, ["a", *"bcdef"], None, Y * 1j, Y[:5], DATES[:, 0], csr_array(X), Y * np.inf, 3.0],
    "number": ["1", None, 1j, [1.0], float("nan"), 0, -1, True, LARGE],
    "lam": ["loo", None, 1j, [], [1.0, "a"], RAGGED, {1.0: 2}, [0.1, 0], 0, True, LARGE],
    "count": [1.5, "2", True, 0, [2]],
    "kernel": ["sigmoid", Gaussian, 3, np.dot, Logistic(), LARGE],
    "loss": [Logistic, "logistic", None, Gaussian(), LARGE],
    "random_state": ["x", -1, 1.5, np.random, LARGE],
    "dtype": ["nonsense", 3, [1], "f2", int],
    "columns": [X[:, :1], X[:, [0, 1, 1]]],
    "labels": [
        RAGGED,
        None,
        1j * Y,
        LABELS[:5],
        DATES,
        Y,
        Y * np.nan,
        csr_array(X),
        X[None],
        [[]],
        [None] * 6,
    ],
    "landmarks": ["all", None, RAGGED, X[:, :1], X * 1j, 3],
}
TAKEN = [  # the kind, the argument that the sentence must name, and who takes it
    ("matrix", "X", lambda v: KernelRidge().fit(v, Y)),
    ("matrix", "X", lambda v: KernelRidge().fit(X, Y).predict(v)),
    ("matrix", "X", lambda v: NystromRidge(n_components=2).fit(v, Y)),
    ("matrix", "X", lambda v: NystromRidge(n_components=2).fit(X, Y).predict(v)),
    ("matrix", "X", lambda v: NystromFeatures(n_components=2).fit(v)),
    ("matrix", "X", lambda v: NystromFeatures(n_components=2).fit(X).transform(v)),
    ("matrix", "X", lambda v: KernelPCA().fit(v)),
    ("matrix", "X", lambda v: KernelPCA().fit(X).transform(v)),
    ("matrix", "X", lambda v: KernelPCA().fit(X).denoise(v)),
    ("matrix", "X", lambda v: KernelLogisticRegression().fit(v, LABELS)),
    ("matrix", "X", lambda v: KernelLogisticRegression().fit(X, LABELS).predict_proba(v)),
    ("matrix", "X", lambda v: StreamingRidge().fit(v, Y)),
    ("matrix", "X", lambda v: StreamingRidge().fit(X, Y).predict(v)),
    ("matrix", "X", lambda v: StreamingRidge(FunctionTransformer(lambda X: v)).fit(X, Y)),
    ("matrix", "X", lambda v: select_landmarks(v, 1)),
    ("matrix", "X", lambda v: conjugate_ridge(v, Y, kernel=None, lam=1)),
    ("matrix", "X", lambda v: representer(None, v, X, Y)),
    ("matrix", "X_fit", lambda v: representer(None, X, v, Y)),
    ("matrix", "X_train", lambda v: nystrom(v, X, c=1, k=1, gamma=1)),
    ("matrix", "X_test", lambda v: nystrom(X, v, c=1, k=1, gamma=1)),
    ("matrix", "Phi", lambda v: primal_ridge(v, Y, lam=1)),
    ("matrix", "Phi", lambda v: feature_objective(v, Y, [1, 2], lam=1, loss=Squared())),
    ("matrix", "G", lambda v: dual_ridge(v, Y, lam=1)),
    ("matrix", "G", lambda v: ridge_path(v, Y, lams=[1])),
    ("matrix", "G", lambda v: Duality(v, Y, lam=1, loss=Squared())),
    ("matrix", "G", lambda v: rank_trunc(v, 1)),
    ("matrix", "G", truncation_errors),
    ("matrix", "G", center_gram),
    ("matrix", "K", lambda v: center_rows(v, G)),
    ("matrix", "W", inverse_root),
    ("vector", "y", lambda v: KernelRidge().fit(X, v)),
    ("vector", "y", lambda v: NystromRidge(n_components=2).fit(X, v)),
    ("vector", "y", lambda v: dual_ridge(G, v, lam=1)),
    ("vector", "y", lambda v: primal_ridge(X, v, lam=1)),
    ("vector", "y", lambda v: ridge_path(G, v, lams=[1])),
    ("vector", "y", lambda v: conjugate_ridge(X, v, kernel=None, lam=1)),
    ("vector", "y", lambda v: Duality(G, v, lam=1, loss=Squared())),
    ("vector", "y", lambda v: feature_objective(X, v, [1, 2], lam=1, loss=Squared())),
    ("vector", "w", lambda v: feature_objective(X, Y, v, lam=1, loss=Squared())),
    ("vector", "alpha", lambda v: Duality(G, Y, lam=1, loss=Squared()).gap(v)),
    ("vector", "dual_coef", lambda v: representer(None, X, X, v)),
    ("lam", "lam", lambda v: KernelRidge(lam=v).fit(X, Y)),
    ("lam", "lam", lambda v: NystromRidge(n_components=2, lam=v).fit(X, Y)),
    ("lam", "lams", lambda v: ridge_path(G, Y, lams=v)),
    ("number", "lam", lambda v: dual_ridge(G, Y, lam=v)),
    ("number", "lam", lambda v: primal_ridge(X, Y, lam=v)),
    ("number", "lam", lambda v: conjugate_ridge(X, Y, kernel=None, lam=v)),
    ("number", "lam", lambda v: Duality(G, Y, lam=v, loss=Squared())),
    ("number", "lam", lambda v: feature_objective(X, Y, [1, 2], lam=v, loss=Squared())),
    ("number", "lam", lambda v: KernelLogisticRegression(lam=v).fit(X, LABELS)),
    ("number", "tol", lambda v: KernelLogisticRegression(tol=v).fit(X, LABELS)),
    ("number", "tol", lambda v: KernelRidge(solver="direct", tol=v).fit(X, Y)),  # that "cg" alone uses
    ("number", "tol", lambda v: conjugate_ridge(X, Y, kernel=None, lam=1, tol=v)),
    ("number", "tol", lambda v: KernelPCA().fit(X).denoise(X, tol=v)),
    ("number", "gamma", lambda v: nystrom(X, X, c=1, k=1, gamma=v)),
    ("count", "n_components", lambda v: NystromFeatures(n_components=v).fit(X)),
    ("count", "n_components", lambda v: NystromFeatures(n_components=v, landmarks=X).fit(X)),  # unused
    ("count", "n_components", lambda v: NystromRidge(n_components=v).fit(X, Y)),
    ("count", "n_components", lambda v: KernelPCA(n_components=v).fit(X)),
    ("count", "rank", lambda v: NystromFeatures(n_components=3, rank=v).fit(X)),
    ("count", "rank", lambda v: inverse_root(G, v)),
    ("count", "k", lambda v: rank_trunc(G, v if v != 0 else -1)),  # which takes 0
    ("count", "c", lambda v: select_landmarks(X, v)),
    ("count", "c", lambda v: conjugate_ridge(X, Y, kernel=None, lam=1, c=v)),
    ("count", "c", lambda v: nystrom(X, X, c=v, k=1, gamma=1)),
    ("count", "max_iter", lambda v: KernelLogisticRegression(max_iter=v).fit(X, LABELS)),
    ("count", "max_iter", lambda v: KernelPCA().fit(X).denoise(X, max_iter=v)),
    ("kernel", "kernel", lambda v: KernelRidge(v).fit(X, Y)),
    ("kernel", "kernel", lambda v: NystromRidge(v, n_components=2).fit(X, Y)),
    ("kernel", "kernel", lambda v: NystromFeatures(v, n_components=2).fit(X)),
    ("kernel", "kernel", lambda v: KernelPCA(v).fit(X)),
    ("kernel", "kernel", lambda v: KernelLogisticRegression(v).fit(X, LABELS)),
    ("kernel", "kernel", lambda v: select_landmarks(X, 2, kernel=v)),
    ("kernel", "kernel", lambda v: conjugate_ridge(X, Y, kernel=v, lam=1)),
    ("kernel", "kernel", lambda v: representer(v, X, X, Y)),
    ("kernel", "left", lambda v: Sum(v, Gaussian())),
    ("kernel", "right", lambda v: Product(Gaussian(), v)),
    ("kernel", "kernel", lambda v: Scaled(v, 2.0)),
    ("loss", "loss", lambda v: Duality(G, LABELS, lam=1, loss=v)),
    ("loss", "loss", lambda v: feature_objective(X, LABELS, [1, 2], lam=1, loss=v)),
    ("random_state", "random_state", lambda v: KernelRidge(random_state=v).fit(X, Y)),  # unused
    ("random_state", "random_state", lambda v: NystromFeatures(landmarks=X, random_state=v).fit(X)),  # unused
    ("random_state", "random_state", lambda v: KernelPCA(random_state=v).fit(X)),
    ("random_state", "random_state", lambda v: select_landmarks(X, 2, random_state=v)),
    ("landmarks", "landmarks", lambda v: NystromFeatures(landmarks=v).fit(X)),
    ("landmarks", "landmarks", lambda v: NystromRidge(landmarks=v).fit(X, Y)),
    ("matrix", "X", lambda v: FourierFeatures().fit(v)),
    ("matrix", "X", lambda v: FourierFeatures().fit(X).transform(v)),
    ("matrix", "X_train", lambda v: random_features(v, X, c=1, gamma=1)),
    ("matrix", "X_test", lambda v: random_features(X, v, c=1, gamma=1)),
    ("number", "gamma", lambda v: random_features(X, X, c=1, gamma=v)),
    ("count", "c", lambda v: random_features(X, X, c=v, gamma=1)),
    ("count", "n_components", lambda v: FourierFeatures(n_components=v).fit(X)),
    ("kernel", "kernel", lambda v: FourierFeatures(v).fit(X)),
    ("random_state", "random_state", lambda v: FourierFeatures(random_state=v).fit(X)),
    ("random_state", "rng", lambda v: Gaussian().sample_frequencies(2, 2, v)),
    ("count", "p", lambda v: as_kernel("rbf", v)),
    ("dtype", "dtype", lambda v: FourierFeatures(dtype=v).fit(X)),
    ("columns", "X_test", lambda v: nystrom(X, v, c=1, k=1, gamma=1)),
    ("columns", "X_test", lambda v: random_features(X, v, c=1, gamma=1)),
    ("labels", "y", lambda v: KernelLogisticRegression().fit(X, v)),
    ("labels", "y", lambda v: StreamingClassifier().fit(X, v)),
    ("matrix", "X", lambda v: StreamingClassifier().fit(v, LABELS)),
    ("matrix", "X", lambda v: StreamingClassifier().fit(X, LABELS).predict_proba(v)),
    ("number", "tol", lambda v: StreamingClassifier(tol=v).fit(X, LABELS)),
    ("count", "max_iter", lambda v: StreamingClassifier(max_iter=v).fit(X, LABELS)),
    ("number", "tol", lambda v: NystromRidge(n_components=2, tol=v).fit(X, Y)),
]


def refusal(call, value):
    """The sentence of the error that a call raises for a value, on one line."""
    with pytest.raises((TypeError, ValueError)) as caught:
        call(value)
        pytest.fail(f"line {call.__code__.co_firstlineno} takes {describe(value)}")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_gets_a_sentence_that_names_the_argument(kind):
    for name, call in [(name, call) for of, name, call in TAKEN if of == kind]:
        for value in BAD[kind]:
            sentence = refusal(call, value)
            assert re.search(rf"\b{name}\b", sentence), f"{value!r}: {sentence}"
            assert not re.search("inhomogeneous|sequence", sentence)  # numpy's words


def test_a_value_is_described_in_few_words():
    assert describe("rbf") == "'rbf'"
    assert describe(3.5) == "3.5"
    assert describe(np.ones((2, 2))) == "ndarray of shape (2, 2)"
    assert describe(csr_array(X)) == "csr_array of shape (6, 2)"
    assert describe(list(range(1000))) == "[0, 1, 2, 3, 4, 5, ...]"
    assert describe(np.ndarray) == "<class 'numpy.ndarray'>"


def test_a_long_text_or_repr_is_shortened_to_one_line():
    class Odd:
        def __repr__(self):
            return "\n".join(["beyond eighty characters " * 9] * 3)

    for value in (repr(Odd()), Odd()):
        assert len(describe(value)) <= 80 and "\n" not in describe(value)


def test_a_kernel_without_its_formulas_names_the_missing_one():
    class Nothing(Kernel):
        pass

    class Half(Nothing):
        def diagonal(self, X):
            return np.ones(len(X))

    for kernel, missing in ((Nothing(), "diagonal"), (Half(), "values")):
        with pytest.raises(NotImplementedError, match=rf"must define {missing}\(X"):
            kernel(X)


def test_representer_takes_what_can_be_an_array():
    np.testing.assert_array_equal(representer("rbf", X.tolist(), X, list(Y)), representer(None, X, X, Y))


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


def test_a_kernels_parameter_in_a_small_type_is_that_number():
    for kernel in (Gaussian, Laplace, ChiSquared, lambda a: Matern(1.5, a), lambda a: a * Linear()):
        for number in (Fraction(1, 2), np.float16(0.5)):
            np.testing.assert_array_equal(kernel(number)(X), kernel(0.5)(X))


def test_sampled_features_count_in_any_type():
    for sampling in ("iid", "orthogonal", "qmc"):
        given, plain = (
            FourierFeatures(n_components=c, sampling=sampling, random_state=0).fit_transform(X)
            for c in (np.uint8(200), 200)
        )
        np.testing.assert_array_equal(given, plain)
