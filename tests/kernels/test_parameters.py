"""Kernels in scikit-learn's searches and clones, and Gram matrices that the caller computes."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from kernlib.duality import KernelLogisticRegression
from kernlib.fourier import FourierFeatures
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian, Laplace, Linear, Matern
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import KernelRidge

X = np.random.default_rng(0).normal(size=(40, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2]
LABELS = Y > 0


def nested_kernel():
    return 2.0 * (Gaussian(1.0) + Laplace(2.0) * Matern(0.5))


def test_the_names_of_nested_parameters_are_joined_by_two_underscores():
    deep = KernelRidge(nested_kernel()).get_params()
    assert deep["kernel__scale"] == 2.0 and deep["kernel__kernel__left__gamma"] == 1.0
    assert deep["kernel__kernel__right__right"] == Matern(0.5)
    assert list(nested_kernel().get_params(deep=False)) == ["kernel", "scale"]
    changed = nested_kernel().set_params(kernel__right__left__gamma=3, scale=1, kernel__left=Linear())
    assert changed == 1.0 * (Linear() + Laplace(3.0) * Matern(0.5))
    assert hash(changed) == hash(1.0 * (Linear() + Laplace(3.0) * Matern(0.5)))
    assert Linear().set_params() == Linear()
    both = (Linear() + Linear()).set_params(left=Gaussian(), left__gamma=5)
    assert both == Gaussian(5.0) + Linear()


def test_a_search_over_parameters_finds_what_a_search_over_kernels_finds():
    gammas = [0.01, 0.1, 10.0]
    by_name = GridSearchCV(KernelRidge(Gaussian() + Linear()), {"kernel__left__gamma": gammas}).fit(X, Y)
    kernels = [Gaussian(gamma) + Linear() for gamma in gammas]
    by_kernel = GridSearchCV(KernelRidge(), {"kernel": kernels}).fit(X, Y)
    for key in ("mean_test_score", "rank_test_score"):
        np.testing.assert_array_equal(by_name.cv_results_[key], by_kernel.cv_results_[key])
    assert by_name.best_estimator_.kernel_ == by_kernel.best_params_["kernel"]
    assert "KernelRidge(kernel=Sum(left=Gaussian(gamma=1.0),right=Linear()))" in "".join(
        repr(by_name).split()
    )


def test_a_changed_parameter_reaches_neither_clones_nor_fitted_models_nor_other_kernels():
    shared = Gaussian(1.0)
    model = KernelRidge(shared + shared).fit(X, Y)
    copy, predicted = clone(model), model.predict(X)
    assert copy.kernel == model.kernel
    model.set_params(kernel__left__gamma=9.0)
    assert model.kernel == Gaussian(9.0) + Gaussian(1.0) and shared == Gaussian(1.0)
    assert copy.kernel == Gaussian(1.0) + Gaussian(1.0)
    np.testing.assert_array_equal(model.predict(X), predicted)
    np.testing.assert_array_equal(model.kernel(X), (Gaussian(9.0) + Gaussian(1.0))(X))


@pytest.mark.parametrize(
    "params, sentence",
    [
        ({"alpha": 1}, r"^alpha must be a parameter of Product\(.*, which has left, right, left__gamma"),
        ({"left__nu": 1}, r"^nu must be a parameter of Gaussian\(gamma=1.0\), which has gamma\.$"),
        (
            {"left__gamma__x": 1},
            r"^gamma__x must be a parameter of Gaussian\(gamma=1.0\), which has gamma\.$",
        ),
        ({"left": Linear(), "right__gamma": -1}, "^gamma must be positive and finite, got -1"),
        ({"right": "rbf"}, "^right must be a Kernel"),
    ],
)
def test_a_bad_parameter_gets_one_sentence_and_changes_nothing(params, sentence):
    kernel = Gaussian(1.0) * Laplace(2.0)
    with pytest.raises((TypeError, ValueError), match=sentence):
        kernel.set_params(**params)
    assert kernel == Gaussian(1.0) * Laplace(2.0)


def test_cross_validation_on_a_gram_matrix_is_that_on_the_rows():
    kernel = Gaussian(0.3)
    of_gram, of_rows = (
        cross_val_score(KernelLogisticRegression(given), rows, LABELS, scoring="neg_log_loss")
        for given, rows in (("precomputed", kernel(X)), (kernel, X))
    )
    # a gap of 1e-12 leaves f, and so the loss, off by up to √(2e-12/λ)
    np.testing.assert_allclose(of_gram, of_rows, rtol=0, atol=2 * np.sqrt(2e-12 / 0.01))


def test_a_gram_matrix_in_float32_may_have_the_rounding_errors_of_float32():
    G = (100 * Linear())(X).astype(np.float32)  # of rank 3: the other eigenvalues are rounding errors
    assert np.linalg.eigvalsh(G.astype(float))[0] < -len(G) * 1e-12 * np.abs(G).max()
    model = KernelLogisticRegression("precomputed", tol=1e-9).fit(G, LABELS)
    assert model.decision_function(G).dtype == np.float32


@pytest.mark.parametrize(
    "use",
    [
        lambda: NystromFeatures("precomputed", n_components=2).fit(X @ X.T),
        lambda: FourierFeatures("precomputed").fit(X @ X.T),
        lambda: KernelRidge("precomputed", solver="cg", lam=1).fit(X @ X.T, Y),
    ],
)
def test_a_method_that_evaluates_the_kernel_refuses_a_gram_matrix(use):
    with pytest.raises(TypeError, match=r"^kernel must be .*, got 'precomputed', but this method must"):
        use()


def test_a_model_of_a_gram_matrix_keeps_no_copy_of_it():
    for model in (KernelPCA("precomputed"), KernelLogisticRegression("precomputed")):
        assert model.fit(X @ X.T, LABELS).X_fit_ is None
