"""Nyström ridge: the pipeline of features and ridge, the exact solution, and n refits give the same."""

import numpy as np
import pytest
from samples import data, peak_bytes, targets

from kernlib.kernels import Gaussian, Laplace, Matern, Polynomial
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.ridge import KernelRidge, primal_ridge

KERNELS = [Gaussian(0.3), Laplace(0.2), Matern(1.5, 2.0), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
LAMS = [1e-4, 1e-2, 1.0]
OUTPUTS = [(), (1,), (3,)]


def ridge(*kernel, **options):
    """Nyström ridge without an intercept."""
    return NystromRidge(*kernel, fit_intercept=False, **options)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("rank", [None, 6])
def test_it_is_ridge_regression_on_the_features_with_the_same_seed(kernel, p, rank):
    X, new = data(60, p), data(9, p, 1)
    features = NystromFeatures(kernel, n_components=15, rank=rank, random_state=3).fit(X)
    for outputs in OUTPUTS:
        y = targets(60, outputs)
        model = ridge(kernel, n_components=15, rank=rank, lam=0.01, random_state=3).fit(X, y)
        w = primal_ridge(features.transform(X), y, lam=0.01)
        np.testing.assert_allclose(model.predict(new), features.transform(new) @ w, atol=1e-9)
        assert model.predict(new).shape == (9, *outputs)
        for name in ("components_", "component_indices_", "rank_", "kernel_"):
            np.testing.assert_array_equal(getattr(model, name), getattr(features, name))


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_with_all_rows_as_landmarks_it_is_exact_kernel_ridge(kernel, p):
    X, new = data(40, p), data(9, p, 1)
    for outputs in OUTPUTS:
        y = targets(40, outputs)
        ours = ridge(kernel, n_components=40, lam=LAMS, random_state=0).fit(X, y)
        exact = KernelRidge(kernel, lam=LAMS, fit_intercept=False).fit(X, y)
        np.testing.assert_allclose(ours.loo_errors_, exact.loo_errors_, rtol=1e-7)
        assert ours.lam_ == exact.lam_
        np.testing.assert_allclose(ours.predict(new), exact.predict(new), atol=1e-8)


@pytest.mark.parametrize("block", [4096, 7])
@pytest.mark.parametrize("rank", [None, 4])
@pytest.mark.parametrize("p", [1, 22])
def test_leave_one_out_errors_are_those_of_n_fits_with_the_same_n_lambda(p, rank, block, monkeypatch):
    monkeypatch.setattr("kernlib.nystrom.ridge.BLOCK_ROWS", block)
    for outputs in ((), (3,)):
        X, y, landmarks = data(25, p), targets(25, outputs), data(8, p, 1)
        model = ridge(Laplace(0.5), landmarks=landmarks, rank=rank, lam=LAMS).fit(X, y)
        errors = np.zeros(3)
        for i in range(25):
            rest = np.arange(25) != i
            for j, lam in enumerate(LAMS):
                refit = ridge(Laplace(0.5), landmarks=landmarks, rank=rank, lam=lam * 25 / 24)
                residual = y[i] - refit.fit(X[rest], y[rest]).predict(X[[i]])[0]
                errors[j] += np.sum(residual**2) / y.size
        np.testing.assert_allclose(model.loo_errors_, errors, rtol=1e-8)
        assert model.lam_ == LAMS[np.argmin(errors)]


def test_memory_does_not_grow_with_the_rows_beyond_the_data(two_threads):
    def peak(n):
        X, y = data(n, 2), targets(n)
        model = ridge(Gaussian(0.3), n_components=50, lam=LAMS, random_state=0)
        return peak_bytes(lambda: model.fit(X, y))

    # bytes: checks and landmarks hold a dozen numbers a row, which are 96, and Z would hold 400
    assert peak(200_000) < peak(20_000) + 150 * 200_000


def test_a_lambda_that_leaves_residuals_of_0_over_0_is_never_chosen():
    for seed in range(5):
        X, y = data(30, 3, seed), targets(30)  # all rows are landmarks: f interpolates
        model = ridge(Laplace(1.0), n_components=30, lam=[1e-300, 1e-18, 1.0], random_state=0)
        model.fit(X, y)
        assert model.loo_errors_[:2].tolist() == [np.inf, np.inf] and model.lam_ == 1.0
    with pytest.warns(UserWarning, match="No value of lam has a finite validation error.* 1e-25"):
        model = ridge(Gaussian(10.0), n_components=30, lam=[1e-30, 1e-25]).fit(X, y)
    assert model.lam_ == 1e-25


@pytest.mark.parametrize("lam", [0.01, LAMS])
def test_float32_gives_float32_within_its_precision(p, lam):
    X, y, new = data(200, p, dtype=np.float32), targets(200, (2,)), data(50, p, 1, np.float32)
    single = ridge(Gaussian(0.3), n_components=30, lam=lam, random_state=0).fit(X, y)
    # float32 leaves out the landmarks within c ε of the span of the others, of which there are more
    features = NystromFeatures(Gaussian(0.3), n_components=30, random_state=0).fit(X)
    used = X[features.component_indices_[features.pivots_]].astype(float)
    double = ridge(Gaussian(0.3), landmarks=used, lam=lam).fit(X.astype(float), y)
    assert double.rank_ == single.rank_ and single.lam_ == double.lam_
    assert single.landmark_coef_.dtype == single.predict(new).dtype == np.float32
    # an error ε of the features changes f by ε‖f‖ times the sensitivity 1/√λ of ridge regression
    allowed = 20 * np.finfo(np.float32).eps * np.linalg.norm(y) / np.sqrt(single.lam_)
    np.testing.assert_allclose(single.predict(new), double.predict(new.astype(float)), atol=allowed)
