"""Kernel ridge regression: every way to its coefficients, predictions and leave-one-out residuals agrees."""

import numpy as np
import pytest
from samples import assert_refused, data, targets

from kernlib.duality import Duality, Squared
from kernlib.kernels import Gaussian, Laplace, Linear, Polynomial
from kernlib.ridge import KernelRidge, dual_ridge, primal_ridge, ridge_path

KERNELS = [Gaussian(0.3), Laplace(0.2), Linear(), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
LAMS = np.logspace(-6, 2, 9)
OUTPUTS = [(), (1,), (3,)]  # y of shape (n,), (n, 1), (n, 3)


def refit_residuals(kernel, X, y, shift):
    """yᵢ − f₋ᵢ(xᵢ) from n fits, each with `shift` on the diagonal."""
    residuals = np.empty_like(y)
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        G = kernel(X[rest]) + shift * np.eye(len(X) - 1)
        residuals[i] = y[i] - kernel(X[[i]], X[rest])[0] @ np.linalg.solve(G, y[rest])
    return residuals


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_alpha_agrees_with_least_squares_on_a_factor_of_the_gram_matrix(kernel, p):
    lam, n = 0.1, 25
    G = kernel(data(n, p))
    values, U = np.linalg.eigh(G)
    F = U * np.sqrt(np.maximum(values, 0))
    # (1/2n)‖y − Fw‖² + (λ/2)‖w‖² is the least squares of [F; √(nλ) I] against [y; 0]
    stacked = np.vstack([F, np.sqrt(n * lam) * np.eye(n)])
    for outputs in OUTPUTS:
        y = targets(n, outputs)
        w = np.linalg.lstsq(stacked, np.concatenate([y, np.zeros((n, *outputs))]), rcond=None)[0]
        alpha = dual_ridge(G, y, lam=lam)
        assert alpha.shape == y.shape
        np.testing.assert_allclose(alpha, (y - F @ w) / (n * lam), atol=1e-11)


@pytest.mark.parametrize("n", [3, 30])
def test_the_dual_and_the_primal_solution_give_the_same_predictions(p, n):
    for outputs in OUTPUTS:
        Phi, y, new = data(n, p), targets(n, outputs), data(9, p, 1)
        alpha, w = dual_ridge(Phi @ Phi.T, y, lam=0.1), primal_ridge(Phi, y, lam=0.1)
        assert w.shape == (p, *outputs)
        np.testing.assert_allclose(w, Phi.T @ alpha, atol=1e-12)
        np.testing.assert_allclose(new @ w, Linear()(new, Phi) @ alpha, atol=1e-12)


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.3)], ids=str)
def test_on_a_singular_gram_matrix_alpha_is_the_only_solution_of_the_dual_problem(kernel):
    X = np.repeat(data(15, 5), 2, axis=0)  # each row twice, with different targets
    y, G, lam = targets(30), kernel(X), 0.1
    duality, alpha = Duality(G, y, lam=lam, loss=Squared()), dual_ridge(G, y, lam=lam)
    assert abs(duality.gap(alpha)) < 1e-12
    other = alpha + 3 * np.tile([1.0, -1.0], 15)  # the difference is in Ker G
    assert duality.primal(other) == pytest.approx(duality.primal(alpha), abs=1e-12)
    assert duality.dual(other) < duality.dual(alpha) - 0.1


@pytest.mark.parametrize("lam", [1e-18, 1e-30, 1e-300])
def test_a_lambda_below_the_rounding_of_a_singular_matrix_gives_the_limit(lam):
    Phi, y = data(40, 3), targets(40)
    G = 100 * Phi @ Phi.T
    limit = Phi @ np.linalg.lstsq(Phi, y, rcond=None)[0]
    np.testing.assert_allclose(10 * Phi @ primal_ridge(10 * Phi, y, lam=lam), limit, atol=1e-9)
    np.testing.assert_allclose(G @ dual_ridge(G, y, lam=lam), limit, atol=1e-9)
    np.testing.assert_allclose(ridge_path(G, y, lams=[lam]).fitted[0], limit, atol=1e-9)
    wide, few = data(3, 40), targets(3)  # here ΦᵀΦ is the singular one
    np.testing.assert_allclose(wide @ primal_ridge(wide, few, lam=lam), few, atol=1e-9)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_path_agrees_with_a_loop_of_solutions(kernel, p):
    G = kernel(data(25, p))
    condition = np.linalg.eigvalsh(G)[-1] / (25 * LAMS)
    for outputs in OUTPUTS:
        y = targets(25, outputs)
        path = ridge_path(G, y, lams=LAMS)
        assert path.dual_coef.shape == path.fitted.shape == path.loo_residuals.shape == (9, 25, *outputs)
        for lam, alpha, fitted, bad in zip(path.lams, path.dual_coef, path.fitted, condition, strict=True):
            solved = dual_ridge(G, y, lam=lam)
            tolerance = 100 * np.finfo(float).eps * (1 + bad)
            assert np.abs(alpha - solved).max() <= tolerance * np.abs(solved).max()
            np.testing.assert_allclose(fitted, G @ solved, atol=100 * tolerance)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_leave_one_out_residuals_are_those_of_n_fits_with_the_same_n_lambda(kernel, p):
    for outputs in OUTPUTS:
        X, y, lams = data(20, p) / np.sqrt(p), targets(20, outputs), [1e-3, 0.1, 10.0]
        path = ridge_path(kernel(X), y, lams=lams)
        for lam, residuals in zip(lams, path.loo_residuals, strict=True):
            np.testing.assert_allclose(residuals, refit_residuals(kernel, X, y, 20 * lam), atol=1e-10)
        # in the book's terms, a fit of n − 1 observations has its own λ' = nλ/(n − 1)
        rest = KernelRidge(kernel, lam=0.1 * 20 / 19, fit_intercept=False).fit(X[1:], y[1:])
        np.testing.assert_allclose(y[0] - rest.predict(X[:1])[0], path.loo_residuals[1][0], atol=1e-10)


def test_the_leave_one_out_residual_of_a_single_observation_is_its_target():
    np.testing.assert_allclose(ridge_path([[2.0]], [3.0], lams=[0.1, 1]).loo_residuals, 3, rtol=1e-15)


def test_the_lambda_with_the_smallest_leave_one_out_error_is_chosen():
    for outputs in OUTPUTS:
        X = data(60, 1)
        y = np.sin(3 * X).reshape(60, *[1] * len(outputs)) + 0.3 * targets(60, outputs)
        model = KernelRidge(Gaussian(1.0), lam=LAMS, fit_intercept=False).fit(X, y)
        refits = [np.mean(refit_residuals(Gaussian(1.0), X, y, 60 * lam) ** 2) for lam in LAMS]
        np.testing.assert_allclose(model.loo_errors_, refits, rtol=1e-6)
        assert model.lam_ == LAMS[np.argmin(refits)] and LAMS[0] < model.lam_ < LAMS[-1]
        one = KernelRidge(Gaussian(1.0), lam=model.lam_, fit_intercept=False).fit(X, y)
        np.testing.assert_array_equal(model.predict(X), one.predict(X))
        assert not hasattr(one, "loo_errors_")


def test_choosing_lambda_without_a_finite_leave_one_out_error_gives_a_warning():
    with np.errstate(over="ignore"), pytest.warns(UserWarning, match="No value of lam has a finite .* 0.1"):
        model = KernelRidge(lam=[0.01, 0.1, 1e-3], fit_intercept=False).fit(data(10, 2), 1e200 * targets(10))
    assert model.lam_ == 0.1


@pytest.mark.parametrize("lam", [0.01, [0.01, 0.1]])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_float32_gives_float32_within_its_precision(kernel, p, lam):
    X, y, new = data(40, p, dtype=np.float32), targets(40, (2,)), data(9, p, 1, np.float32)
    single = KernelRidge(kernel, lam=lam, fit_intercept=False).fit(X, y)
    double = KernelRidge(kernel, lam=lam, fit_intercept=False).fit(X.astype(np.float64), y)
    assert single.dual_coef_.dtype == single.predict(new).dtype == np.float32
    # the Gram matrix and the solution are in float64: only the last cast differs
    np.testing.assert_array_equal(single.dual_coef_, double.dual_coef_.astype(np.float32))
    error = np.abs(single.predict(new) - double.predict(new.astype(np.float64))).max()
    squares = max(np.sum(A.astype(np.float64) ** 2, axis=1).max() for A in (X, new))
    largest = max(np.abs(kernel(new, X)).max(), squares)
    assert error < 10 * np.finfo(np.float32).eps * largest * np.abs(double.dual_coef_).sum(axis=0).max()


def test_functions_compute_in_float64_and_return_the_dtype_of_their_matrix():
    Phi, y = data(20, 3, dtype=np.float32), targets(20)
    G = Phi @ Phi.T + np.eye(20, dtype=np.float32)
    path, double = (ridge_path(A, y, lams=[0.1]) for A in (G, G.astype(float)))
    for single, exact in [
        (dual_ridge(G, y, lam=0.1), dual_ridge(G.astype(float), y, lam=0.1)),
        (primal_ridge(Phi, y, lam=0.1), primal_ridge(Phi.astype(float), y, lam=0.1)),
        *zip(path[1:], double[1:], strict=True),
    ]:
        assert single.dtype == np.float32
        np.testing.assert_array_equal(single, exact.astype(np.float32))


def test_the_arguments_are_not_changed_and_may_be_changed_after_fit():
    X, y = data(20, 3), targets(20)
    G, lams = Gaussian(0.3)(X), np.array([0.1, 1.0])
    copies = [A.copy() for A in (X, y, G, lams)]
    dual_ridge(G, y, lam=0.1), primal_ridge(X, y, lam=0.1), ridge_path(G, y, lams=lams)
    model = KernelRidge(lam=lams, fit_intercept=False).fit(X, y)
    before = model.predict(copies[0])
    for now, then in zip((X, y, G, lams), copies, strict=True):
        np.testing.assert_array_equal(now, then)
    X += 1
    np.testing.assert_array_equal(model.predict(copies[0]), before)


@pytest.mark.parametrize("lam", [1e-9, 1e-5, 1e-2])
def test_a_gram_matrix_in_float32_is_solved_for_every_lambda(lam):
    X, y = data(400, 2, dtype=np.float32), targets(400)
    G = Gaussian(0.05)(X)
    assert np.linalg.eigvalsh(G.astype(np.float64))[0] < -1e-9  # indefinite because its entries are rounded
    path = ridge_path(G, y, lams=[lam])
    # |f − y|² never exceeds |y|², its value at α = 0; float32 rounds each of Gα's n terms to ε
    for alpha, fitted in ((dual_ridge(G, y, lam=lam), None), (path.dual_coef[0], path.fitted[0])):
        noise = len(y) * np.finfo(np.float32).eps * np.linalg.norm(alpha)
        f = G.astype(np.float64) @ alpha if fitted is None else fitted
        assert np.linalg.norm(f - y) <= np.linalg.norm(y) + noise


def test_bad_input_raises_one_sentence():
    G, y = np.eye(3), np.array([1.0, 2.0, 3.0])
    for call, error, sentence in [
        (lambda: dual_ridge(G[:2], y, lam=1), ValueError, r"G must be square, got shape \(2, 3\)"),
        (lambda: dual_ridge(np.triu(np.ones((3, 3))), y, lam=1), ValueError, "G must be symmetric"),
        (lambda: dual_ridge(G, 1.0, lam=1), ValueError, r"y must have shape \(3,\) or \(3, q\), got \(\)"),
        (lambda: dual_ridge(-G, y, lam=0.1), ValueError, "G must be positive .* got the eigenvalue -1"),
        (lambda: ridge_path(np.diag([1, 1, -0.1]), y, lams=[1]), ValueError, "G must be .* eigenvalue -0.1"),
        (lambda: ridge_path(G, y, lams=0.1), TypeError, "lams must be a list of positive .* got 0.1"),
        (lambda: KernelRidge(lam=[[1, 2]]).fit(G, y), ValueError, r"a list .* got shape \(1, 2\)"),
        (lambda: KernelRidge(lam=[0.1, 1], solver="cg").fit(G, y), ValueError, "solver='cg' takes no list"),
        (lambda: KernelRidge(solver="svd").fit(G, y), ValueError, "solver must be one of .* got 'svd'"),
    ]:
        assert_refused(call, sentence, error)


def test_the_chosen_lambda_is_not_so_small_that_float32_spoils_predictions():
    X = np.linspace(0, 6, 300)[:, None]
    y = np.where(X[:, 0] > 3, 1.0, 0.0)
    single, double = (KernelRidge(Gaussian(1.0)).fit(rows, y) for rows in (X.astype(np.float32), X))
    assert double.lam_ < single.lam_
    assert np.sqrt(np.mean((single.predict(X) - y) ** 2)) < 1.2 * np.sqrt(
        np.mean((double.predict(X) - y) ** 2)
    )
