"""Nyström's approximation against its formula, against all rows, and against eigenvalues."""

import math

import numpy as np
import pytest
from samples import assert_refused, data, peak_bytes

from kernlib.kernels import Gaussian, Laplace, Linear, Matern, Polynomial
from kernlib.low_rank import rank_trunc
from kernlib.nystrom import NystromFeatures, nystrom

KERNELS = [Gaussian(0.3), Laplace(0.2), Matern(1.5, 2.0), Polynomial(3, 1), 2 * Gaussian(0.1) + Laplace(0.1)]


def spread(n, p, seed=0):
    """Rows whose Gram matrix is well conditioned, even in one dimension, for tests that invert it."""
    if p > 1:
        return data(n, p, seed)
    return np.random.default_rng(seed).permutation(np.linspace(-n / 2, n / 2, n))[:, None]


def gram_of(features, X):
    Z = features.transform(X)
    return Z @ Z.T


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_with_all_rows_as_landmarks_it_is_exact(kernel, p):
    X = data(40, p)
    G = kernel(X)
    approximate = gram_of(NystromFeatures(kernel, n_components=40, random_state=0).fit(X), X)
    # what the cut leaves out is at most n ε times the largest eigenvalue
    assert np.abs(approximate - G).max() < 10 * 40 * np.finfo(float).eps * np.linalg.eigvalsh(G)[-1]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_features_give_the_formula_with_the_truncated_pseudo_inverse(kernel, p):
    X, new = spread(50, p, 1), data(7, p, 2)
    landmarks, largest = X[:12], kernel.diag(X).max()
    C, C_new = kernel(X, landmarks), kernel(new, landmarks)
    for k in (1, 5, 12):
        features = NystromFeatures(kernel, rank=k, landmarks=landmarks).fit(X)
        W_plus = np.linalg.pinv(rank_trunc(kernel(landmarks), k, "eigh"), rcond=1e-11, hermitian=True)
        Z, Z_new = features.transform(X), features.transform(new)
        np.testing.assert_allclose(Z @ Z.T, C @ W_plus @ C.T, atol=1e-8 * largest)
        np.testing.assert_allclose(Z_new @ Z.T, C_new @ W_plus @ C.T, atol=1e-8 * largest)


@pytest.mark.parametrize("kernel", [*KERNELS, Linear()], ids=str)
def test_duplicated_and_nearly_dependent_landmarks_give_bounded_features(p, kernel):
    for dtype in (np.float32, np.float64):
        rng = np.random.default_rng(0)
        X = data(80, p, dtype=dtype) / math.sqrt(p)
        landmarks = np.concatenate([X[:30], X[:30], X[:20] + 1e-7 * rng.normal(size=(20, p)).astype(dtype)])
        features = NystromFeatures(kernel, landmarks=landmarks).fit(X)
        new = data(200, p, 1, dtype)
        Z = features.transform(new)
        assert Z.shape == (200, 80) and Z.dtype == dtype and np.isfinite(Z).all()
        assert features.rank_ <= 50 and (Z[:, features.rank_ :] == 0).all()
        assert np.any(Z[:, features.rank_ - 1] != 0)
        # a projection is no longer than what it projects: ‖φ̂(x)‖² ≤ κ(x, x)
        excess = np.sum(Z.astype(np.float64) ** 2, axis=1) / kernel.diag(new) - 1
        assert excess.max() < 20 * math.sqrt(np.finfo(dtype).eps)


def test_without_a_rank_the_first_columns_are_the_features_of_the_first_pivots():
    X, kernel = data(700, 3), Gaussian(0.3)
    features = NystromFeatures(kernel, n_components=150, random_state=0).fit(X)
    assert features.pivots_.shape == (features.rank_,) == (150,)
    first = NystromFeatures(kernel, landmarks=features.components_[features.pivots_[:90]]).fit(X)
    # rounding over the root of the smallest pivot
    error = 150 * np.finfo(float).eps * np.linalg.norm(features.normalization_, 2)
    np.testing.assert_allclose(features.transform(X)[:, :90], first.transform(X), atol=10 * error)


def test_the_rank_of_a_linear_kernel_is_the_dimension():
    assert NystromFeatures(Linear(), n_components=20, random_state=0).fit(data(50, 5)).rank_ == 5


def test_nystrom_is_the_labs_algorithm_and_always_has_k_columns(p):
    X_train, X_test, c, k, gamma = spread(30, p, 1), data(9, p, 2), 30, 25, 0.3
    Z_train, Z_test = nystrom(X_train, X_test, c=c, k=k, gamma=gamma, random_state=0)
    assert Z_train.shape == (30, k) and Z_test.shape == (9, k)
    drawn = np.random.default_rng(0).integers(30, size=c)
    assert len(np.unique(drawn)) < k  # with replacement: the rank of W is below k
    W = Gaussian(gamma)(X_train[drawn])
    W_plus = np.linalg.pinv(rank_trunc(W, k, "eigh"), rcond=1e-11, hermitian=True)
    C_train, C_test = (Gaussian(gamma)(X, X_train[drawn]) for X in (X_train, X_test))
    np.testing.assert_allclose(Z_train @ Z_train.T, C_train @ W_plus @ C_train.T, atol=1e-9)
    np.testing.assert_allclose(Z_test @ Z_train.T, C_test @ W_plus @ C_train.T, atol=1e-9)
    assert (Z_train[:, len(np.unique(drawn)) :] == 0).all()


@pytest.mark.parametrize("rule", ["leverage", "rpcholesky"])
def test_the_rule_for_landmarks_uses_the_kernel_of_the_features(rule):
    X = np.zeros((60, 2))
    X[[7, 40]] = np.eye(2)  # the other rows have no leverage for the linear kernel
    features = NystromFeatures(Linear(), n_components=2, landmarks=rule, random_state=0).fit(X)
    assert set(features.component_indices_) == {7, 40}


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("rank", [None, 300])
def test_the_cut_leaves_out_no_more_of_a_landmark_than_rounding_adds(rank, dtype):
    X = data(300, 6, dtype=dtype)
    for gamma in (1e-3, 0.01, 0.1):
        Z = NystromFeatures(Gaussian(gamma), rank=rank, landmarks=X).fit_transform(X).astype(float)
        # with τ = √c ε: the cut leaves out at most τ, and errors of ε in C add 2τ to first order, τ to second
        tau = math.sqrt(300) * np.finfo(dtype).eps
        of_W = 300 * np.finfo(float).eps * 300
        assert np.abs(np.sum(Z**2, axis=1) - 1).max() < 4 * (tau + of_W)


@pytest.mark.parametrize("c", [20, 150, 700])
def test_many_rows_are_transformed_as_if_at_once(c):
    X = data(3000, 3)
    features = NystromFeatures(Gaussian(0.3), n_components=c, random_state=0).fit(X)
    at_once = Gaussian(0.3)(X, features.components_) @ features.normalization_.T
    error = c * np.finfo(float).eps * np.linalg.norm(features.normalization_, 2)
    np.testing.assert_allclose(features.transform(X), at_once, atol=error)


@pytest.mark.parametrize("rank", [None, 200])
def test_transform_holds_the_result_and_a_few_blocks_of_the_kernel(rank, two_threads):
    X = data(30_000, 3)
    features = NystromFeatures(Gaussian(0.3), n_components=200, rank=rank, random_state=0).fit(X)
    features.transform(X[:1000])  # what is imported late counts the first time
    result = 8 * 30_000 * 200
    # each of two threads holds 2¹⁸ kernel values and a temporary of that size; C would be as large as Z
    assert peak_bytes(lambda: features.transform(X)) < result + 2 * 3 * 8 * 2**18 < 1.5 * result


def test_more_landmarks_than_rows_means_all_rows_with_a_warning(recwarn):
    NystromFeatures(n_components=12).fit(data(12, 2))
    assert not recwarn
    with pytest.warns(UserWarning, match="n_components is 50, but X has 12 rows: all are landmarks"):
        features = NystromFeatures(n_components=50, rank=40, random_state=0).fit(data(12, 2))
    assert features.transform(data(3, 2)).shape == (3, 12)


def test_changing_the_landmarks_after_fit_changes_nothing():
    X = data(30, 2)
    landmarks = X[:5].copy()
    features = NystromFeatures(landmarks=landmarks).fit(X)
    before = features.transform(X)
    landmarks += 1
    np.testing.assert_array_equal(features.transform(X), before)


def test_bad_input_raises_one_sentence():
    X = data(6, 2)
    for call, sentence in [
        (lambda: nystrom(X, X, c=7, k=2, gamma=1), r"c must .* 6 \(the number of training rows\), got 7"),
        (lambda: nystrom(X, X, c=4, k=5, gamma=1), r"k must .* 1 and 4 \(c, the number of columns\), got 5"),
        (lambda: nystrom(X, X, c=4, k=0, gamma=1), "k must be between 1 and 4, got 0"),
        (lambda: nystrom(X, X[:, :1], c=4, k=2, gamma=1), "X_test must have 2 columns as X_train, got 1"),
        (lambda: NystromFeatures(n_components=4, rank=5).fit(X), r"4 \(the number of landmarks\), got 5"),
        (lambda: NystromFeatures(landmarks="random").fit(X), "landmarks must be one of .* got 'random'"),
    ]:
        assert_refused(call, sentence)
