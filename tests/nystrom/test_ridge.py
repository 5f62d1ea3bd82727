"""Nyström ridge: the pipeline of features and ridge, the exact solution, and n refits give the same."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import linalg
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from kernlib.kernels import AdditiveChiSquared, Gaussian, Laplace, Matern, Polynomial
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.ridge import KernelRidge, primal_ridge

DIMENSIONS = (1, 2, 5, 22)
KERNELS = [Gaussian(0.3), Laplace(0.2), Matern(1.5, 2.0), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
LAMS = [1e-4, 1e-2, 1.0]
OUTPUTS = [(), (1,), (3,)]


def data(n, p, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, p)).astype(dtype)


def targets(n, outputs=(), seed=0):
    return np.random.default_rng([seed, 1]).normal(size=(n, *outputs))


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_it_is_ridge_on_the_features_with_the_map_absorbed(kernel, p):
    X, new = data(60, p), data(9, p, 1)
    features = NystromFeatures(kernel, n_components=15, random_state=3).fit(X)
    for outputs in OUTPUTS:
        y = targets(60, outputs)
        model = NystromRidge(kernel, n_components=15, lam=0.01, random_state=3).fit(X, y)
        w = primal_ridge(features.transform(X), y, lam=0.01)
        np.testing.assert_allclose(model.predict(new), features.transform(new) @ w, atol=1e-9)
        np.testing.assert_array_equal(model.components_, features.components_)
        np.testing.assert_array_equal(X[model.component_indices_], model.components_)
        assert model.predict(new).shape == (9, *outputs)


@pytest.mark.parametrize("p", DIMENSIONS)
def test_its_coefficients_minimise_over_the_span_of_the_landmark_functions(p):
    X, y, kernel, lam = data(60, p), targets(60), Laplace(0.5), 0.02
    model = NystromRidge(kernel, n_components=12, lam=lam, random_state=0).fit(X, y)
    C, W = kernel(X, model.components_), kernel(model.components_)
    # the normal equations of (1/2n)‖y − Ca‖² + (λ/2)aᵀWa
    expected = linalg.solve(C.T @ C + 60 * lam * W, C.T @ y, assume_a="pos")
    np.testing.assert_allclose(model.landmark_coef_, expected, atol=1e-9)


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_with_all_rows_as_landmarks_it_is_exact_kernel_ridge(kernel, p):
    X, new = data(40, p), data(9, p, 1)
    for outputs in OUTPUTS:
        y = targets(40, outputs)
        ours = NystromRidge(kernel, n_components=40, lam=LAMS, random_state=0).fit(X, y)
        exact = KernelRidge(kernel, lam=LAMS).fit(X, y)
        np.testing.assert_allclose(ours.loo_errors_, exact.loo_errors_, rtol=1e-7)
        assert ours.lam_ == exact.lam_
        np.testing.assert_allclose(ours.predict(new), exact.predict(new), atol=1e-8)


@pytest.mark.parametrize("p", DIMENSIONS)
def test_scikit_learns_pipeline_with_the_same_landmarks_is_the_same(p):
    X, y, new = data(80, p), targets(80), data(9, p, 1)
    theirs = make_pipeline(
        Nystroem(gamma=0.3, n_components=20, random_state=0), Ridge(alpha=80 * 0.01, fit_intercept=False)
    ).fit(X, y)
    ours = NystromRidge(Gaussian(0.3), landmarks=theirs[0].components_, lam=0.01).fit(X, y)
    np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-6)


@pytest.mark.parametrize("rank", [None, 4])
@pytest.mark.parametrize("p", DIMENSIONS)
def test_leave_one_out_is_n_refits_that_keep_n_lambda_and_the_landmarks(p, rank):
    for outputs in OUTPUTS:
        X, y, landmarks = data(25, p), targets(25, outputs), data(8, p, 1)
        model = NystromRidge(Laplace(0.5), landmarks=landmarks, rank=rank, lam=LAMS).fit(X, y)
        brute = np.zeros(3)
        for i in range(25):
            rest = np.arange(25) != i
            for j, lam in enumerate(LAMS):
                refit = NystromRidge(Laplace(0.5), landmarks=landmarks, rank=rank, lam=lam * 25 / 24)
                residual = y[i] - refit.fit(X[rest], y[rest]).predict(X[[i]])[0]
                brute[j] += np.sum(residual**2) / y.size
        np.testing.assert_allclose(model.loo_errors_, brute, rtol=1e-8)
        assert model.lam_ == LAMS[np.argmin(brute)]


def test_leave_one_out_finds_the_lambda_that_the_truth_asks_for():
    """On noisy data too small a λ fits noise, too large a one nothing: the minimum is inside."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, size=(300, 1))
    y = np.sin(2 * X[:, 0]) + 0.3 * rng.normal(size=300)
    lams = np.logspace(-10, 2, 13)
    model = NystromRidge(Gaussian(1.0), n_components=50, lam=lams, random_state=0).fit(X, y)
    test = np.linspace(-3, 3, 200)[:, None]
    errors = [
        np.mean((np.sin(2 * test[:, 0]) - fit.predict(test)) ** 2)
        for fit in (
            NystromRidge(Gaussian(1.0), n_components=50, lam=a, random_state=0).fit(X, y) for a in lams
        )
    ]
    assert lams[0] < model.lam_ < lams[-1]
    assert errors[int(np.argmin(model.loo_errors_))] < 2 * min(errors)


def test_rows_in_many_blocks_change_nothing(monkeypatch):
    X, y = data(300, 3), targets(300, (2,))
    whole = NystromRidge(Gaussian(0.3), n_components=20, lam=LAMS, random_state=0).fit(X, y)
    for block in (1, 7, 300):
        monkeypatch.setattr("kernlib.nystrom.ridge.HELD", block)
        parts = NystromRidge(Gaussian(0.3), n_components=20, lam=LAMS, random_state=0).fit(X, y)
        np.testing.assert_allclose(parts.loo_errors_, whole.loo_errors_, rtol=1e-12)


def test_memory_does_not_grow_with_the_rows_beyond_the_data(two_threads):
    def peak(n):
        X, y = data(n, 2), targets(n)
        tracemalloc.start()
        NystromRidge(Gaussian(0.3), n_components=50, lam=LAMS, random_state=0).fit(X, y)
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    assert (
        peak(200_000) < peak(20_000) + 50 * 200_000
    )  # bytes: checks hold a few numbers a row, Z would hold 400


def test_a_lambda_that_leaves_no_freedom_is_never_the_best():
    for seed in range(5):
        X, y = data(30, 3, seed), targets(30)  # all rows are landmarks: interpolation leaves residuals 0/0
        model = NystromRidge(Laplace(1.0), n_components=30, lam=[1e-300, 1e-18, 1.0], random_state=0)
        model.fit(X, y)
        assert model.loo_errors_[:2].tolist() == [np.inf, np.inf] and model.lam_ == 1.0


def test_a_lambda_lost_in_the_rounding_of_a_singular_matrix_gives_the_limit():
    for seed in range(5):
        X, y = np.tile(data(5, 3, seed), (6, 1)), targets(30)  # ZᵀZ has rank 5
        landmarks = data(10, 3, seed + 50)
        model = NystromRidge(Laplace(1.0), landmarks=landmarks, lam=[1e-300, 1e-30, 0.1]).fit(X, y)
        Z = NystromFeatures(Laplace(1.0), landmarks=landmarks).fit(X).transform(X)
        hat = Z @ np.linalg.pinv(Z, rcond=1e-10)
        limit = np.mean(((y - hat @ y) / (1 - np.diag(hat))) ** 2)
        np.testing.assert_allclose(model.loo_errors_[:2], limit, rtol=1e-6)


@pytest.mark.parametrize("lam", [0.01, LAMS])
@pytest.mark.parametrize("p", DIMENSIONS)
def test_float32_comes_back_as_float32_within_its_precision(p, lam):
    X, y, new = data(200, p, dtype=np.float32), targets(200, (2,)), data(50, p, 1, np.float32)
    single = NystromRidge(Gaussian(0.3), n_components=30, lam=lam, random_state=0).fit(X, y)
    # float32 leaves out the landmarks within c ε of the span of the others, of which there are more
    features = NystromFeatures(Gaussian(0.3), n_components=30, random_state=0).fit(X)
    used = X[features.component_indices_[features.pivots_]].astype(float)
    double = NystromRidge(Gaussian(0.3), landmarks=used, lam=lam).fit(X.astype(float), y)
    assert double.rank_ == single.rank_
    assert single.landmark_coef_.dtype == single.predict(new).dtype == np.float32
    # an error ε of the features moves f by ε‖f‖ times the sensitivity 1/√λ of ridge regression
    allowed = 20 * np.finfo(np.float32).eps * np.linalg.norm(y) / np.sqrt(single.lam_)
    assert single.lam_ == double.lam_
    np.testing.assert_allclose(single.predict(new), double.predict(new.astype(float)), atol=allowed)


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), p=st.sampled_from(DIMENSIONS), scale=st.sampled_from([-2.0, 1e-6, 1e5]))
def test_order_of_the_rows_and_scale_of_the_targets_do_not_matter(seed, p, scale):
    X, y, landmarks = data(30, p, seed), targets(30, (2,), seed), data(7, p, seed + 1)
    order = np.random.default_rng(seed).permutation(30)
    model = NystromRidge(Gaussian(0.3), landmarks=landmarks, lam=LAMS).fit(X, y)
    permuted = NystromRidge(Gaussian(0.3), landmarks=landmarks, lam=LAMS).fit(X[order], scale * y[order])
    np.testing.assert_allclose(permuted.predict(X), scale * model.predict(X), atol=1e-7 * abs(scale))
    np.testing.assert_allclose(permuted.loo_errors_, scale**2 * model.loo_errors_, rtol=1e-7)


@pytest.mark.parametrize("lam", [1e-3, (1e-3, 1.0)])
@pytest.mark.filterwarnings("ignore:n_components is")
def test_scikit_learns_own_checks_pass(lam):
    check_estimator(NystromRidge(n_components=40, lam=lam, random_state=0), on_skip=None)


X, Y = data(5, 2), targets(5)


@pytest.mark.parametrize(
    "make, error, sentence",
    [
        (
            lambda: NystromRidge(n_components=3, rank=4).fit(X, Y),
            ValueError,
            r"rank must be between 1 and 3 \(the number of landmarks\), got 4",
        ),
        (
            lambda: NystromRidge(n_components=2, landmarks="best").fit(X, Y),
            ValueError,
            "must be one of 'uniform', .* got 'best'",
        ),
        (
            lambda: NystromRidge(landmarks=np.ones((2, 3))).fit(X, Y),
            ValueError,
            "landmarks must have the 2 columns of X, got 3",
        ),
        (
            lambda: NystromRidge(AdditiveChiSquared(), n_components=2).fit(X - 9, Y),
            ValueError,
            "must have no negative entry",
        ),
    ],
)
def test_bad_input_gets_its_sentence(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()


def test_lam_is_not_chosen_in_silence_where_no_leave_one_out_error_is_finite():
    X = data(10, 2)  # all rows are landmarks, so that λ → 0 leaves no fit any freedom
    with pytest.warns(UserWarning, match="No value of lam has a finite leave-one-out error: .* 1e-25"):
        model = NystromRidge(Gaussian(10.0), n_components=10, lam=[1e-30, 1e-25]).fit(X, targets(10))
    assert model.lam_ == 1e-25
