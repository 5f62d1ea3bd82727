"""Kernel PCA against ordinary PCA, explicit features, and the double sums of centering."""

from itertools import product

import numpy as np
import pytest
from samples import DIMENSIONS, assert_refused
from scipy.sparse.linalg import ArpackError
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning

from kernlib.kernel_pca import KernelPCA, center_gram, center_rows, centering, estimator
from kernlib.kernel_pca.estimator import ascend_to_pre_images
from kernlib.kernels import Gaussian, Intersection, Laplace, Linear, Matern, Polynomial

SIZES = (60, 700)  # decomposed whole, and as an operator
DTYPES = (np.float64, np.float32)
KERNELS = [Linear(), Polynomial(3, 1.0), Gaussian(0.1), Laplace(0.2), 2 * Matern(1.5, 2.0) + Linear()]


def data(n, p, seed=0, dtype=np.float64):
    """Rows of unequal variances, so that no two components are interchangeable."""
    X = np.random.default_rng(seed).normal(size=(n, p)) + 0.5
    return (X * 0.9 ** np.arange(p)).astype(dtype)


def assert_same_up_to_signs(Z, expected, atol):
    signs = np.sign(np.sum(Z * expected, axis=0))
    np.testing.assert_allclose(Z, expected * signs, rtol=0, atol=atol)


# Centering


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_centering_is_the_double_sum_and_the_product_with_h(kernel):
    for p in DIMENSIONS:
        X, new = data(8, p, 1), data(5, p, 2)
        G, K, n = kernel(X), kernel(new, X), 8
        H = np.eye(n) - np.ones((n, n)) / n
        double_sum = [
            [G[i, j] - sum(G[r, j] for r in range(n)) / n - sum(G[i]) / n + G.sum() / n**2 for j in range(n)]
            for i in range(n)
        ]
        atol = 1e-13 * np.abs(G).max()
        np.testing.assert_allclose(center_gram(G), double_sum, rtol=0, atol=atol)
        np.testing.assert_allclose(center_gram(G), H @ G @ H, rtol=0, atol=atol)
        by_hand = (K - np.outer(np.ones(5), G.mean(axis=0))) @ H
        np.testing.assert_allclose(center_rows(K, G), by_hand, rtol=0, atol=1e-13 * np.abs(K).max())
        np.testing.assert_allclose(center_rows(G, G), center_gram(G), rtol=0, atol=atol)
        assert (center_gram(G) == center_gram(G).T).all()


@pytest.mark.parametrize("mean", [0, 1e4])
def test_centering_in_float32_has_only_the_rounding_of_the_result(mean):
    X = data(60, 3, dtype=np.float32)
    G = np.float32(mean) + Linear()(X)
    wide = G.astype(np.float64)
    np.testing.assert_array_equal(center_gram(G), center_gram(wide).astype(np.float32))
    np.testing.assert_array_equal(center_rows(G[:7], G), center_rows(wide[:7], wide).astype(np.float32))
    pca = KernelPCA("precomputed", n_components=3).fit(G)
    np.testing.assert_array_equal(pca.column_means_, wide.mean(axis=1).astype(np.float32))
    double = KernelPCA("precomputed", n_components=3).fit(wide)
    np.testing.assert_allclose(pca.explained_variance_ratio_, double.explained_variance_ratio_, rtol=1e-6)


# Other ways to the same projections


def test_the_linear_kernel_gives_ordinary_pca():
    for p, n in product(DIMENSIONS, SIZES):
        X, new, k = data(n, p, 1), data(9, p, 2), min(p, 4)
        ours, theirs = KernelPCA(Linear(), n_components=k).fit(X), PCA(k).fit(X)
        assert_same_up_to_signs(ours.transform(X), theirs.transform(X), 1e-10)
        assert_same_up_to_signs(ours.transform(new), theirs.transform(new), 1e-10)
        variance, ratio = theirs.explained_variance_ * (n - 1) / n, theirs.explained_variance_ratio_
        np.testing.assert_allclose(ours.explained_variance_, variance, rtol=1e-11)
        np.testing.assert_allclose(ours.explained_variance_ratio_, ratio, rtol=1e-11)


@pytest.mark.parametrize("p", (2, 5, 22))
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_operator_gives_what_the_whole_matrix_gives(kernel, p, monkeypatch):
    X, new = data(600, p, 1), data(20, p, 2)
    k = 2
    whole = KernelPCA(kernel, n_components=60).fit(X)

    def forbidden(G):
        raise AssertionError("HGH was formed")

    monkeypatch.setattr(centering, "center_gram", forbidden)
    operator = KernelPCA(kernel, n_components=k, random_state=0).fit(X)
    np.testing.assert_allclose(operator.eigenvalues_, whole.eigenvalues_[:k], rtol=1e-11)
    scale = np.abs(whole.transform(new)).max()
    np.testing.assert_allclose(
        operator.transform(new), whole.transform(new)[:, :k], rtol=0, atol=1e-9 * scale
    )


def test_if_the_iteration_breaks_down_the_whole_matrix_is_decomposed(monkeypatch):
    X = np.repeat(data(6, 3), 100, axis=0)
    whole = KernelPCA(Gaussian(0.1), n_components=60).fit(X)

    def broken(*args, **kwargs):
        raise ArpackError(3)  # rank 5 sometimes causes this, depending on rounding errors

    monkeypatch.setattr(centering, "eigsh", broken)
    pca = KernelPCA(Gaussian(0.1), n_components=8, random_state=0).fit(X)
    assert pca.rank_ == 5
    np.testing.assert_allclose(pca.transform(X), whole.transform(X)[:, :8], atol=1e-10)


def test_the_seed_of_the_iteration_affects_only_the_last_digits():
    X = data(600, 5)
    pca = KernelPCA(Gaussian(0.1), n_components=3, random_state=0)
    Z = pca.fit_transform(X)
    np.testing.assert_array_equal(clone(pca).fit_transform(X), Z)
    np.testing.assert_allclose(KernelPCA(Gaussian(0.1), n_components=3).fit_transform(X), Z, atol=1e-10)


# Its properties


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_training_rows_have_the_projections_of_new_rows(kernel, dtype):
    for p, n in product(DIMENSIONS, SIZES):
        X = data(n, p, dtype=dtype)
        pca = KernelPCA(kernel, n_components=4, random_state=0)
        Z = pca.fit_transform(X)
        again = pca.transform(X)
        assert Z.dtype == again.dtype == dtype and Z.shape == (n, 4)
        # errors of order ε κ(x, x) in a row, times α, of norm λ^{-1/2}
        atol = 20 * np.finfo(dtype).eps * kernel.diag(X).max() * np.sqrt(n / pca.eigenvalues_[pca.rank_ - 1])
        np.testing.assert_allclose(again, Z, rtol=0, atol=atol)


@pytest.mark.parametrize("kernel", [Gaussian(0.1), Laplace(0.2)], ids=str)
def test_projections_are_centered_uncorrelated_and_have_variance_lambda_over_n(kernel):
    for p, n in product(DIMENSIONS, SIZES):
        X = data(n, p)
        pca = KernelPCA(kernel, n_components=4, random_state=0).fit(X)
        Z = pca.transform(X)
        np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-11)
        np.testing.assert_allclose(Z.T @ Z / n, np.diag(pca.eigenvalues_) / n, atol=1e-11)
        np.testing.assert_array_equal(pca.explained_variance_, pca.eigenvalues_ / n)
        # the components Σᵢ αⱼᵢ (φ(xᵢ) − φ̄) are orthonormal
        alpha = pca.dual_coef_
        np.testing.assert_allclose(alpha.T @ center_gram(kernel(X)) @ alpha, np.eye(4), atol=1e-10)
        assert (alpha[np.abs(alpha).argmax(axis=0), range(4)] > 0).all()
        assert (np.diff(pca.eigenvalues_) <= 0).all()


# Rank


@pytest.mark.parametrize(
    "kernel, p, rank", [(Linear(), 5, 5), (Polynomial(2, 1.0), 2, 5), (Polynomial(2, 0.0), 1, 1)], ids=str
)
def test_components_beyond_the_rank_are_zero_and_counted(kernel, p, rank):
    for n, dtype in product((10, *SIZES), DTYPES):
        X = data(n, p, dtype=dtype)
        pca = KernelPCA(kernel, n_components=9, random_state=0).fit(X)
        Z = pca.transform(3 * data(50, p, 1, dtype))
        assert pca.rank_ == rank
        assert Z.shape == (50, 9) and (Z[:, rank:] == 0).all() and (Z[:, :rank] != 0).any(axis=0).all()
        assert (pca.eigenvalues_[:rank] > 0).all() and (pca.eigenvalues_[rank:] == 0).all()


@pytest.mark.parametrize("kernel", [Gaussian(0.1), Laplace(0.2), Intersection()], ids=str)
def test_duplicated_rows_lower_the_rank(kernel):
    for n, dtype in product((60, 1500), DTYPES):
        X = np.repeat(np.abs(data(6, 22, dtype=dtype)), n // 6, axis=0)
        pca = KernelPCA(kernel, n_components=20, random_state=0).fit(X)
        assert pca.rank_ == 5  # six points minus their mean
        assert np.isfinite(pca.transform(X)).all()


@pytest.mark.parametrize("kernel", [Gaussian(0.1), Linear(), Polynomial(2, 1.0)], ids=str)
def test_equal_rows_have_rank_0(kernel):
    for n, value in product((1, *SIZES), (0.0, 0.7)):
        with pytest.warns(UserWarning, match="No component exceeds the rounding errors"):
            pca = KernelPCA(kernel, n_components=1).fit(np.full((n, 3), value))
        assert pca.rank_ == 0
        assert (pca.transform(data(4, 3)) == 0).all() and (pca.explained_variance_ratio_ == 0).all()


@pytest.mark.parametrize(("n", "k"), [*((n, 3) for n in SIZES), (40, 1), (40, 30)])  # LAPACK misses (40, 1)
def test_rows_far_apart_have_equal_eigenvalues(n, k):
    X = 1000 * data(n, 5)  # G = I
    pca = KernelPCA(Gaussian(1.0), n_components=k, random_state=0).fit(X)
    np.testing.assert_allclose(pca.eigenvalues_, np.ones(k), rtol=1e-12)
    np.testing.assert_allclose(pca.dual_coef_.T @ pca.dual_coef_, np.eye(k), atol=1e-12)


@pytest.mark.parametrize("n", [10, 700])  # decomposed whole, and as an operator
def test_negative_eigenvalues_give_no_components(n):
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, 9))]))[0][:, 1:]
    G = Q @ np.diag([5, 2, 1, 0, 0, 0, -1e-15, -1e-3, -4]) @ Q.T
    pca = KernelPCA("precomputed", n_components=9).fit((G + G.T) / 2)
    assert pca.rank_ == 3
    np.testing.assert_allclose(pca.eigenvalues_, [5, 2, 1, 0, 0, 0, 0, 0, 0], atol=1e-12)
    few = KernelPCA("precomputed", n_components=2).fit((G + G.T) / 2)
    np.testing.assert_allclose(few.eigenvalues_, [5, 2], atol=1e-12)  # not −4, though it is larger in size


def test_more_components_than_rows_means_as_many_as_rows_with_a_warning():
    with pytest.warns(UserWarning, match="n_components is 50, but X has 12 rows: there are 12 columns"):
        pca = KernelPCA(n_components=50).fit(data(12, 2))
    assert pca.transform(data(3, 2)).shape == (3, 12)
    assert pca.rank_ <= 11  # centering removes one


# Pre-images


def distance_to_projection(pca, z, x):
    """‖φ(z) − Pφ(x)‖², from Pφ(x) = φ̄ + Σⱼ zⱼ uⱼ and nothing but the kernel."""
    X, kernel, n = pca.X_fit_, pca.kernel_, len(pca.X_fit_)
    w = 1 / n + pca.dual_coef_ @ pca.transform(x[None])[0]
    return float(1 - 2 * kernel(z[None], X)[0] @ w + w @ kernel(X) @ w)


def circle(n, noise, seed):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    return np.column_stack([np.cos(angle), np.sin(angle)]) + noise * rng.normal(size=(n, 2))


def test_with_all_components_a_training_point_is_its_own_pre_image():
    for p in (2, 5, 22):
        X = data(40, p)
        pca = KernelPCA(Gaussian(0.5), n_components=40).fit(X)
        assert pca.rank_ == 39
        np.testing.assert_allclose(pca.denoise(X), X, atol=1e-9)


def test_denoising_with_one_scale_for_each_column_is_that_of_scaled_columns():
    X, scales = circle(80, 0.1, 0), np.array([3.0, 0.5])
    by_scales = KernelPCA(Gaussian(scales**2), n_components=6).fit(X).denoise(X, tol=0.01)
    by_columns = KernelPCA(Gaussian(1.0), n_components=6).fit(X * scales).denoise(X * scales, tol=0.01)
    np.testing.assert_allclose(by_scales * scales, by_columns, atol=1e-9)


def test_denoising_moves_points_back_to_the_circle():
    X, new = circle(300, 0.15, 0), circle(200, 0.15, 1)
    denoised = KernelPCA(Gaussian(2.0), n_components=8).fit(X).denoise(new)
    before, after = (np.sqrt(np.mean((np.linalg.norm(Z, axis=1) - 1) ** 2)) for Z in (new, denoised))
    assert before > 0.13 and after < before / 5


@pytest.mark.parametrize("k", [1, 4, 12])
def test_a_pre_image_is_a_local_minimum_and_not_worse_than_its_start(k):
    X, new, rng = circle(100, 0.2, 0), circle(30, 0.3, 1), np.random.default_rng(2)
    pca = KernelPCA(Gaussian(2.0), n_components=k).fit(X)
    denoised = pca.denoise(new, max_iter=2000)
    for x, z in zip(new, denoised, strict=True):
        best = distance_to_projection(pca, z, x)
        assert best <= distance_to_projection(pca, x, x) + 1e-12
        around = z + 1e-2 * rng.normal(size=(10, 2))
        assert all(distance_to_projection(pca, other, x) >= best - 1e-9 for other in around)


@pytest.mark.parametrize("p", (1, 2, 5))
def test_with_weights_of_both_signs_every_row_converges_to_a_stationary_point(p):
    rng, gamma = np.random.default_rng(0), 0.1
    points, weights = rng.normal(size=(6, p)), rng.normal(size=(200, 6))
    start = rng.normal(size=(200, p))

    def nearness_and_slope(Z):
        terms = weights * Gaussian(gamma)(Z, points)
        S = terms.sum(axis=1)
        return S, 2 * gamma * (terms @ points - S[:, None] * Z)

    before, _ = nearness_and_slope(start)
    terms = weights * Gaussian(gamma)(start, points)
    bare, _ = nearness_and_slope(terms @ points / before[:, None])
    assert np.sum((before > 0) & (bare < before)) >= 5  # without halving, S would decrease
    Z, running = ascend_to_pre_images(Gaussian(gamma), points, weights, start, 5000, 1e-9)
    S, slope = nearness_and_slope(Z)
    reached = before > 0
    assert running == 0
    assert (S[reached] >= before[reached]).all()
    np.testing.assert_array_equal(Z[~reached], start[~reached])
    np.testing.assert_allclose(slope[reached], 0, atol=1e-6)


def test_a_point_far_from_all_rows_stays_where_it_is():
    pca = KernelPCA(Gaussian(1.0), n_components=4).fit(circle(100, 0.1, 0))
    far = np.array([[500.0, 0.0], [1.0, 0.1]])
    with np.errstate(all="raise", under="ignore"):
        denoised = pca.denoise(far)
    np.testing.assert_array_equal(denoised[0], far[0])
    assert (denoised[1] != far[1]).all()


def test_too_few_steps_give_a_warning():
    pca = KernelPCA(Gaussian(1.0), n_components=4).fit(circle(100, 0.2, 0))
    with pytest.warns(ConvergenceWarning, match="of 30 rows had not converged after max_iter=1 steps"):
        pca.denoise(circle(30, 0.3, 1), max_iter=1)


def test_pre_images_of_float32_rows_are_in_float32():
    X = circle(100, 0.2, 0)
    single = KernelPCA(Gaussian(1.0), n_components=4).fit(X.astype(np.float32))
    denoised = single.denoise(X.astype(np.float32))
    assert denoised.dtype == np.float32
    expected = KernelPCA(Gaussian(1.0), n_components=4).fit(X).denoise(X)
    np.testing.assert_allclose(denoised, expected, atol=2e-4)


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_kernel_values_whose_squares_float64_cannot_hold_have_the_same_rank_and_variances(size):
    X, kernels = data(30, 3), (Linear(), size * Linear())
    one, scaled = (KernelPCA(kernel, n_components=5).fit(X) for kernel in kernels)
    assert one.rank_ == scaled.rank_ == 3
    np.testing.assert_allclose(scaled.explained_variance_ratio_, one.explained_variance_ratio_, atol=1e-12)


# As an estimator


def test_a_precomputed_gram_matrix_gives_the_same():
    X, new, kernel = data(40, 3, 1), data(9, 3, 2), Gaussian(0.3)
    direct = KernelPCA(kernel, n_components=4).fit(X)
    by_gram = KernelPCA("precomputed", n_components=4).fit(kernel(X))
    np.testing.assert_allclose(by_gram.transform(kernel(new, X)), direct.transform(new), atol=1e-11)


def test_many_rows_are_denoised_as_if_at_once(monkeypatch):
    X, new = data(50, 3), data(101, 3, 1)
    pca = KernelPCA(Gaussian(0.3), n_components=3).fit(X)
    at_once = pca.denoise(new)
    monkeypatch.setattr(estimator, "BLOCK_ROWS", 7)
    np.testing.assert_allclose(pca.denoise(new), at_once, atol=1e-10)


def test_bad_input_raises_one_sentence():
    X = data(6, 2)
    G, needs = Linear()(X), "denoise requires a Gaussian kernel, got"
    for call, error, sentence in [
        (lambda: KernelPCA("precomputed").fit(X), ValueError, r"X must be square, got shape \(6, 2\)"),
        (lambda: KernelPCA("precomputed").fit(X[:2]), ValueError, "X must be symmetric, got entries"),
        (lambda: KernelPCA().fit(X).denoise(X[:, :1]), ValueError, "X has 1 features"),
        (lambda: KernelPCA(Laplace(0.3)).fit(X).denoise(X), TypeError, rf"{needs} Laplace\(gamma=0.3\)"),
        (lambda: KernelPCA("precomputed").fit(G).denoise(X), TypeError, f"{needs} 'precomputed'"),
        (lambda: center_rows(X, G), ValueError, "K must have 6 columns as G, got 2"),
    ]:
        assert_refused(call, sentence, error)
