"""The kernels of histograms against their explicit features, their order, and scikit-learn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.kernel_approximation import AdditiveChi2Sampler
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import additive_chi2_kernel, chi2_kernel
from sklearn.svm import SVC

from kernlib.kernels import (
    AdditiveChiSquared,
    ChiSquared,
    Hellinger,
    Intersection,
    Linear,
)
from kernlib.nystrom import NystromFeatures

DIMENSIONS = (1, 2, 5, 22)
ADDITIVE = [AdditiveChiSquared(), Intersection(), Hellinger()]
KERNELS = [*ADDITIVE, ChiSquared(0.7)]


def histograms(n, p, seed=0):
    """Histograms with empty bins: some in one of two rows, some in both."""
    rng = np.random.default_rng(seed)
    return rng.gamma(1.0, size=(n, p)) * (rng.random((n, p)) < 0.7)


def test_scikit_learn_computes_the_same():
    for p in DIMENSIONS:
        X, Y = histograms(30, p, 1), histograms(20, p, 2)
        np.testing.assert_allclose(ChiSquared(0.4)(X, Y), chi2_kernel(X, Y, gamma=0.4), rtol=1e-12)
        masses = np.add.outer(X.sum(axis=1), Y.sum(axis=1))  # (x − y)² = (x + y)² − 4xy
        theirs = (masses + additive_chi2_kernel(X, Y)) / 2
        np.testing.assert_allclose(AdditiveChiSquared()(X, Y), theirs, rtol=1e-12, atol=1e-13)


def test_the_chi_squared_kernel_is_the_gaussian_of_the_additive_features():
    for p in DIMENSIONS:
        X = histograms(30, p)
        G = AdditiveChiSquared()(X)
        squares = np.add.outer(np.diag(G), np.diag(G)) - 2 * G  # ‖φ(x) − φ(y)‖²
        np.testing.assert_allclose(ChiSquared(0.7)(X), np.exp(-0.7 * squares), rtol=1e-12)


def test_minus_the_chi_squared_distance_is_psd_only_after_centring():
    for p in DIMENSIONS:
        X = histograms(30, p)
        G = additive_chi2_kernel(X)
        lam = np.linalg.eigvalsh(G)
        assert lam[0] < -0.1 * lam[-1]  # its trace is zero
        H = np.eye(30) - 1 / 30
        centred = np.linalg.eigvalsh(H @ G @ H)
        assert centred[0] > -1e-14 * np.linalg.norm(G) * 30
        np.testing.assert_allclose(H @ G @ H, H @ (2 * AdditiveChiSquared()(X)) @ H, atol=1e-12)


def test_the_root_is_the_feature_map_of_hellinger():
    for p in DIMENSIONS:
        X, Y = histograms(30, p, 1), histograms(20, p, 2)
        np.testing.assert_allclose(Hellinger()(X, Y), Linear()(np.sqrt(X), np.sqrt(Y)), rtol=1e-13)


def test_unary_numbers_are_the_feature_map_of_the_intersection():
    for p in DIMENSIONS:
        rng = np.random.default_rng(0)
        X, Y = rng.integers(0, 9, size=(12, p)), rng.integers(0, 9, size=(10, p))
        unary_X, unary_Y = (
            (A[:, :, None] > np.arange(9)).reshape(len(A), -1).astype(float) for A in (X, Y)
        )  # 3 becomes (1, 1, 1, 0, …)
        np.testing.assert_array_equal(Intersection()(X, Y), unary_X @ unary_Y.T)


def test_finely_sampled_frequencies_are_the_feature_map_of_additive_chi_squared():
    X = histograms(40, 5)
    # its density in ω is sech(πω): beyond 5 there is 2e-7 of it, and steps of 0.1 see ratios up to exp(20π)
    Z = AdditiveChi2Sampler(sample_steps=51, sample_interval=0.1).fit_transform(X)
    np.testing.assert_allclose(Z @ Z.T, AdditiveChiSquared()(X), atol=2e-7 * X.sum(axis=1).max())


@settings(max_examples=60, deadline=None)
@given(arrays(np.float64, (6, 3), elements=st.floats(0, 1e6)), st.sampled_from(KERNELS))
def test_any_histograms_give_a_finite_symmetric_psd_matrix(X, kernel):
    G = kernel(X)
    assert np.isfinite(G).all() and (G == G.T).all()
    np.testing.assert_allclose(np.diag(G), kernel.diag(X), rtol=1e-13, atol=1e-300)
    lam = np.linalg.eigvalsh(G)
    assert lam[0] >= -10 * len(G) * np.finfo(float).eps * lam[-1]


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.float64, (5, 4), elements=st.just(0.0) | st.floats(1e-100, 100)),  # denormals lose digits
    st.floats(0.01, 100),
    st.permutations(range(4)),
    st.sampled_from(ADDITIVE),
)
def test_means_scale_with_their_numbers_and_no_bin_comes_first(X, scale, order, kernel):
    G = kernel(X)
    np.testing.assert_allclose(kernel(scale * X), scale * G, rtol=1e-13)
    np.testing.assert_allclose(kernel(X[:, order]), G, rtol=1e-13)


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_the_means_of_two_numbers_are_in_their_order(a, b):
    x, y = np.array([[a]]), np.array([[b]])
    least, harmonic, geometric = (k(x, y)[0, 0] for k in (Intersection(), AdditiveChiSquared(), Hellinger()))
    assert least <= harmonic * (1 + 1e-14) + 1e-300
    assert harmonic <= geometric * (1 + 1e-14) + 1e-150  # the root of a denormal product
    assert geometric <= (a + b) / 2 * (1 + 1e-14)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_largest_and_smallest_numbers_do_not_overflow(kernel):
    for size in (1e-300, 1e-40, 1e150, 1e300):
        X = size * np.array([[1.0, 2.0], [3.0, 0.0], [0.0, 0.0]])
        with np.errstate(invalid="raise", divide="raise"):
            G = kernel(X)
        expected = kernel.diag(X)
        assert np.isfinite(G).all()
        np.testing.assert_allclose(np.diag(G), expected, rtol=1e-13)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_float32_stays_so_with_a_thousand_bins_of_counts(kernel):
    X = np.random.default_rng(0).poisson(20.0, size=(20, 1000)) / 1000
    single, double = kernel(X.astype(np.float32)), kernel(X)
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, double, rtol=1000 * np.finfo(np.float32).eps / 10)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_estimators_take_them(kernel):
    X, new = histograms(60, 5, 1), histograms(20, 5, 2)
    y = np.where(X[:, 0] > X[:, 1], 1, -1)
    direct, given_gram = SVC(kernel=kernel).fit(X, y), SVC(kernel="precomputed").fit(kernel(X), y)
    np.testing.assert_allclose(
        direct.decision_function(new), given_gram.decision_function(kernel(new, X)), atol=1e-10
    )
    alpha = KernelRidge(kernel=kernel, alpha=0.1).fit(X, y).dual_coef_
    np.testing.assert_allclose(alpha, np.linalg.solve(kernel(X) + 0.1 * np.eye(60), y), rtol=1e-8)
    Z = NystromFeatures(kernel, n_components=60, random_state=0).fit_transform(X)
    np.testing.assert_allclose(Z @ Z.T, kernel(X), atol=1e-9)


@pytest.mark.parametrize(
    "kernel",
    [*KERNELS, 2 * Intersection() + Linear(), Linear() + Hellinger(), Linear() * Hellinger()],
    ids=str,
)
def test_negative_entries_are_refused_wherever_the_kernel_is_used(kernel):
    good = histograms(600, 3)
    bad = good.copy()
    bad[550, 1] = -0.5  # not in the first block, and the sentence must not count from the block's first row
    sentence = "must have no negative entry, as histograms have none, got -0.5 in row 550"
    for name, use in [
        ("X", lambda: kernel(bad)),
        ("X", lambda: kernel(bad, good)),
        ("Y", lambda: kernel(good, bad)),
        ("X", lambda: kernel.diag(bad)),
        ("X", lambda: NystromFeatures(kernel, n_components=2).fit(good).transform(bad)),
        ("X", lambda: SVC(kernel=kernel).fit(bad, np.arange(600) % 2)),
    ]:
        with pytest.raises(ValueError, match=f"{name} {sentence}") as caught:
            use()
        assert "\n" not in str(caught.value)
