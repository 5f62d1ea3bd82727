"""Kernel ridge: every route to its coefficients, predictions and leave-one-out residuals gives the same."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.kernel_ridge import KernelRidge as ScikitLearnKernelRidge
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.utils.estimator_checks import check_estimator

from kernlib.duality import Duality, Squared
from kernlib.kernels import Gaussian, Laplace, Linear, Polynomial
from kernlib.ridge import KernelRidge, dual_ridge, primal_ridge, ridge_path

DIMENSIONS = (1, 2, 5, 22)
KERNELS = [Gaussian(0.3), Laplace(0.2), Linear(), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
LAMS = np.logspace(-6, 2, 9)
OUTPUTS = [(), (1,), (3,)]  # y of shape (n,), (n, 1), (n, 3)


def data(n, p, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, p)).astype(dtype)


def targets(n, outputs=(), seed=0):
    return np.random.default_rng([seed, 1]).normal(size=(n, *outputs))


def refits(kernel, X, y, ridge):
    """yᵢ − f₋ᵢ(xᵢ) by n fits, each with `ridge(n − 1)` on the diagonal."""
    residuals = np.empty_like(y)
    for i in range(len(X)):
        rest = np.arange(len(X)) != i
        G = kernel(X[rest]) + ridge(len(X) - 1) * np.eye(len(X) - 1)
        residuals[i] = y[i] - kernel(X[[i]], X[rest])[0] @ np.linalg.solve(G, y[rest])
    return residuals


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_alpha_minimises_the_least_squares_that_lstsq_sees(kernel, p):
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


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_alpha_closes_the_duality_gap(kernel, p):
    G, y = kernel(data(30, p)), targets(30)
    for lam in (1e-3, 0.1, 10.0):
        assert abs(Duality(G, y, lam=lam, loss=Squared()).gap(dual_ridge(G, y, lam=lam))) < 1e-10


@pytest.mark.parametrize("n", [3, 30])
@pytest.mark.parametrize("p", DIMENSIONS)
def test_the_dual_and_the_primal_route_give_one_prediction(p, n):
    for outputs in OUTPUTS:
        Phi, y, new = data(n, p), targets(n, outputs), data(9, p, 1)
        alpha, w = dual_ridge(Phi @ Phi.T, y, lam=0.1), primal_ridge(Phi, y, lam=0.1)
        assert w.shape == (p, *outputs)
        np.testing.assert_allclose(w, Phi.T @ alpha, atol=1e-12)
        np.testing.assert_allclose(new @ w, Linear()(new, Phi) @ alpha, atol=1e-12)


@pytest.mark.parametrize("n, p", [(1, 1), (7, 1), (7, 2), (3, 5), (6, 22)])
def test_the_matrix_inversion_lemma_has_the_dimensions_of_a_and_not_those_of_the_source(n, p):
    A = data(n, p)
    left = np.linalg.solve(A @ A.T + np.eye(n), A)
    np.testing.assert_allclose(left, A @ np.linalg.inv(A.T @ A + np.eye(p)), atol=1e-13)
    if n != p:
        with pytest.raises(ValueError):
            np.linalg.inv(A.T @ A + np.eye(p)) @ A


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.3)], ids=str)
def test_on_a_singular_gram_matrix_anything_in_its_kernel_predicts_the_same_but_only_one_is_dual(kernel, p):
    X = np.repeat(data(15, p), 2, axis=0)  # each row twice, with different targets
    y, new, lam = targets(30), data(9, p, 1), 0.1
    G = kernel(X)
    nothing = np.tile([1.0, -1.0], 15)
    assert np.abs(G @ nothing).max() < 1e-13
    alpha = dual_ridge(G, y, lam=lam)
    other = alpha + 3 * nothing
    np.testing.assert_allclose(G @ other, G @ alpha, atol=1e-12)
    np.testing.assert_allclose(kernel(new, X) @ other, kernel(new, X) @ alpha, atol=1e-12)
    duality = Duality(G, y, lam=lam, loss=Squared())
    assert duality.primal(other) == pytest.approx(duality.primal(alpha), abs=1e-12)
    assert duality.dual(other) < duality.dual(alpha) - 0.1


@pytest.mark.parametrize("lam", [1e-18, 1e-30, 1e-300])
def test_a_lambda_lost_in_the_rounding_of_a_singular_matrix_gives_the_limit(lam):
    Phi, y = data(40, 3), targets(40)
    G = 100 * Phi @ Phi.T
    limit = Phi @ np.linalg.lstsq(Phi, y, rcond=None)[0]
    np.testing.assert_allclose(10 * Phi @ primal_ridge(10 * Phi, y, lam=lam), limit, atol=1e-9)
    np.testing.assert_allclose(G @ dual_ridge(G, y, lam=lam), limit, atol=1e-9)
    np.testing.assert_allclose(ridge_path(G, y, lams=[lam]).fitted[0], limit, atol=1e-9)
    wide, few = data(3, 40), targets(3)  # here ΦᵀΦ is the singular one
    np.testing.assert_allclose(wide @ primal_ridge(wide, few, lam=lam), few, atol=1e-9)


def test_as_lambda_falls_on_a_regular_matrix_alpha_interpolates():
    G, y = Laplace(0.5)(data(30, 5)), targets(30)
    np.testing.assert_allclose(G @ dual_ridge(G, y, lam=1e-14), y, atol=1e-9)


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_path_is_the_loop_of_solves(kernel, p):
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


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_closed_form_leave_one_out_is_n_refits_that_keep_n_lambda(kernel, p):
    for outputs in OUTPUTS:
        X, y, lams = data(20, p) / np.sqrt(p), targets(20, outputs), [1e-3, 0.1, 10.0]
        path = ridge_path(kernel(X), y, lams=lams)
        for lam, residuals in zip(lams, path.loo_residuals, strict=True):
            keeps_n_lambda = refits(kernel, X, y, lambda m, lam=lam: 20 * lam)
            np.testing.assert_allclose(residuals, keeps_n_lambda, atol=1e-10)
            keeps_lambda = refits(kernel, X, y, lambda m, lam=lam: m * lam)
            if lam == 0.1:
                assert np.abs(residuals - keeps_lambda).max() > 1e-3
        # in the book's terms, the refit on n − 1 observations has λ' = nλ/(n − 1)
        rest = KernelRidge(kernel, lam=0.1 * 20 / 19).fit(X[1:], y[1:])
        np.testing.assert_allclose(y[0] - rest.predict(X[:1])[0], path.loo_residuals[1][0], atol=1e-10)


def test_leave_one_out_of_a_single_observation_is_the_observation():
    np.testing.assert_allclose(ridge_path([[2.0]], [3.0], lams=[0.1, 1]).loo_residuals, 3, rtol=1e-15)


@pytest.mark.parametrize("p", DIMENSIONS)
def test_scikit_learns_kernel_ridge_with_alpha_n_lambda_is_the_same(p):
    for outputs in OUTPUTS:
        X, y, new, lam = data(40, p), targets(40, outputs), data(9, p, 1), 0.02
        theirs = ScikitLearnKernelRidge(kernel="rbf", gamma=0.3, alpha=40 * lam).fit(X, y)
        ours = KernelRidge(Gaussian(0.3), lam=lam).fit(X, y)
        np.testing.assert_allclose(ours.dual_coef_, theirs.dual_coef_, atol=1e-10)
        np.testing.assert_allclose(ours.predict(new), theirs.predict(new), atol=1e-11)
        assert ours.predict(new).shape == (9, *outputs)


@pytest.mark.parametrize("p", DIMENSIONS)
def test_scikit_learns_ridge_with_alpha_n_lambda_is_the_primal_route(p):
    Phi, y = data(40, p), targets(40)
    theirs = Ridge(alpha=40 * 0.02, fit_intercept=False, solver="svd").fit(Phi, y)
    np.testing.assert_allclose(primal_ridge(Phi, y, lam=0.02), theirs.coef_, atol=1e-12)


def test_of_several_lambdas_the_best_by_leave_one_out_is_taken():
    for outputs in OUTPUTS:
        X = data(60, 1)
        noise = 0.3 * targets(60, outputs)
        y = np.sin(3 * X).reshape(60, *[1] * len(outputs)) + noise
        model = KernelRidge(Gaussian(1.0), lam=LAMS).fit(X, y)
        brute = [np.mean(refits(Gaussian(1.0), X, y, lambda m, lam=lam: 60 * lam) ** 2) for lam in LAMS]
        np.testing.assert_allclose(model.loo_errors_, brute, rtol=1e-6)
        assert model.lam_ == LAMS[np.argmin(brute)] and LAMS[0] < model.lam_ < LAMS[-1]
        one = KernelRidge(Gaussian(1.0), lam=model.lam_).fit(X, y)
        np.testing.assert_array_equal(model.predict(X), one.predict(X))
        assert not hasattr(one, "loo_errors_")


def test_attributes_are_where_a_scikit_learn_user_looks():
    X, y = data(30, 4), targets(30)
    model = KernelRidge(lam=0.1).fit(X, y)
    assert model.kernel_ == Gaussian(1 / 4) and model.lam_ == 0.1
    np.testing.assert_array_equal(model.X_fit_, X)
    search = GridSearchCV(KernelRidge(), {"kernel": KERNELS, "lam": [0.1, 1]}, cv=2).fit(X, y)
    assert search.best_params_["kernel"] in KERNELS


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 1000), scale=st.sampled_from([-3.0, 1e-6, 0.5, 1e6]), p=st.sampled_from(DIMENSIONS)
)
def test_scaling_y_scales_the_fit_and_scaling_the_kernel_scales_lambda(seed, scale, p):
    X, y = data(20, p, seed), targets(20, (), seed)
    G, lams = Gaussian(0.3)(X), [0.01, 1.0]
    path = ridge_path(G, y, lams=lams)
    for one, two in zip(path[1:], ridge_path(G, scale * y, lams=lams)[1:], strict=True):
        np.testing.assert_allclose(scale * one, two, atol=1e-11 * abs(scale))
    a = abs(scale)  # aκ with aλ: α/a, the same function, the same residuals
    scaled = ridge_path(a * G, y, lams=[a * lam for lam in lams])
    np.testing.assert_allclose(a * scaled.dual_coef, path.dual_coef, atol=1e-10)
    np.testing.assert_allclose(scaled.fitted, path.fitted, atol=1e-11)
    np.testing.assert_allclose(scaled.loo_residuals, path.loo_residuals, atol=1e-11)
    np.testing.assert_allclose(a * dual_ridge(a * G, y, lam=a), dual_ridge(G, y, lam=1.0), atol=1e-11)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000), p=st.sampled_from(DIMENSIONS))
def test_the_order_of_the_rows_does_not_matter(seed, p):
    X, y, order = data(20, p, seed), targets(20, (2,), seed), np.random.default_rng(seed).permutation(20)
    one, two = (ridge_path(Gaussian(0.3)(X[i]), y[i], lams=[0.01, 1.0]) for i in (slice(None), order))
    for a, b in zip(one[1:], two[1:], strict=True):
        np.testing.assert_allclose(a[:, order], b, atol=1e-11)
    new = data(5, p, seed + 1)
    fits = [KernelRidge(lam=0.1).fit(X[i], y[i]).predict(new) for i in (slice(None), order)]
    np.testing.assert_allclose(*fits, atol=1e-11)


@pytest.mark.parametrize("lam", [0.01, [0.01, 0.1]])
@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_float32_comes_back_as_float32_within_its_precision(kernel, p, lam):
    X, y, new = data(40, p, dtype=np.float32), targets(40, (2,)), data(9, p, 1, np.float32)
    single = KernelRidge(kernel, lam=lam).fit(X, y)
    double = KernelRidge(kernel, lam=lam).fit(X.astype(np.float64), y)
    assert single.dual_coef_.dtype == single.predict(new).dtype == np.float32
    # the solve is in float64, so the coefficients are the same but for the last cast
    np.testing.assert_array_equal(single.dual_coef_, double.dual_coef_.astype(np.float32))
    error = np.abs(single.predict(new) - double.predict(new.astype(np.float64))).max()
    squares = max(np.sum(A.astype(np.float64) ** 2, axis=1).max() for A in (X, new))
    largest = max(np.abs(kernel(new, X)).max(), squares)
    assert error < 10 * np.finfo(np.float32).eps * largest * np.abs(double.dual_coef_).sum(axis=0).max()


def test_functions_keep_the_dtype_of_their_matrix():
    Phi, y = data(20, 3, dtype=np.float32), targets(20)
    G = Phi @ Phi.T + np.eye(20, dtype=np.float32)
    assert dual_ridge(G, y, lam=0.1).dtype == primal_ridge(Phi, y, lam=0.1).dtype == np.float32
    assert {array.dtype for array in ridge_path(G, y, lams=[0.1])[1:]} == {np.dtype(np.float32)}
    np.testing.assert_array_equal(
        dual_ridge(G, y, lam=0.1), dual_ridge(G.astype(float), y, lam=0.1).astype(np.float32)
    )


def test_the_callers_arrays_are_left_alone():
    X, y = data(20, 3), targets(20)
    G, lams = Gaussian(0.3)(X), np.array([0.1, 1.0])
    copies = [A.copy() for A in (X, y, G, lams)]
    dual_ridge(G, y, lam=0.1), primal_ridge(X, y, lam=0.1), ridge_path(G, y, lams=lams)
    KernelRidge(lam=lams).fit(X, y).predict(X)
    for now, before in zip((X, y, G, lams), copies, strict=True):
        np.testing.assert_array_equal(now, before)


@pytest.mark.parametrize("lam", [0.01, (1e-3, 1.0)])
def test_scikit_learns_own_checks_pass(lam):
    check_estimator(KernelRidge(lam=lam), on_skip=None)


G, Y = np.eye(3), np.array([1.0, 2.0, 3.0])


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda: dual_ridge(G[:2], Y, lam=1), ValueError, r"G must be square, got shape \(2, 3\)"),
        (lambda: dual_ridge(np.triu(np.ones((3, 3))), Y, lam=1), ValueError, "G must be symmetric"),
        (
            lambda: dual_ridge(G, Y[:2], lam=1),
            ValueError,
            r"y must have shape \(3,\) or \(3, q\), got \(2,\)",
        ),
        (lambda: dual_ridge(G, 1.0, lam=1), ValueError, r"y must have shape \(3,\) or \(3, q\), got \(\)"),
        (lambda: dual_ridge(G, [1, np.nan, 3], lam=1), ValueError, "y must be finite, .* in row 1"),
        (lambda: dual_ridge(G, ["a", "b", "c"], lam=1), TypeError, "y must hold real numbers"),
        (lambda: dual_ridge(G, Y, lam=0), ValueError, "lam must be positive and finite, got 0"),
        (lambda: dual_ridge(G, Y, lam=[1.0]), TypeError, r"lam must be a number, got \[1.0\]"),
        (
            lambda: dual_ridge(-G, Y, lam=0.1),
            ValueError,
            "G must be positive semi-definite, .* got the eigenvalue -1",
        ),
        (
            lambda: ridge_path(np.diag([1, 1, -0.1]), Y, lams=[1]),
            ValueError,
            "G must be positive semi-definite, .* got the eigenvalue -0.1",
        ),
        (lambda: ridge_path(G, Y, lams=[1, -2]), ValueError, "lams must be positive and finite, got -2"),
        (lambda: ridge_path(G, Y, lams=[]), ValueError, r"lams must be a list .* got shape \(0,\)"),
        (lambda: ridge_path(G, Y, lams=0.1), TypeError, "lams must be a list of positive numbers, got 0.1"),
        (
            lambda: KernelRidge(lam="loo").fit(G, Y),
            TypeError,
            "lam must be a positive number or .* got 'loo'",
        ),
        (lambda: KernelRidge(lam=[1, 0]).fit(G, Y), ValueError, "lam must be positive and finite, got 0"),
        (lambda: KernelRidge(lam=[[1, 2]]).fit(G, Y), ValueError, r"a list .* got shape \(1, 2\)"),
    ],
)
def test_bad_input_gets_one_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence) as caught, np.errstate(all="raise"):
        call()
    assert "\n" not in str(caught.value)


def test_a_lam_lost_in_rounding_is_solved_without_the_part_in_the_kernel():
    # three equal rows: G has rank 2, f is the mean of their targets as λ → 0, and Cholesky does not fail
    model = KernelRidge(Gaussian(1.0), lam=1e-16).fit([[0], [0], [0], [1]], [1, 2, 6, 5])
    # errors of G's entries, 4ε, times the condition of the 2 × 2 system of the distinct rows, 6
    np.testing.assert_allclose(model.predict([[0], [1]]), [3, 5], rtol=50 * np.finfo(float).eps)


@pytest.mark.parametrize("lam", [1e-9, 1e-5, 1e-2])
def test_a_gram_matrix_in_float32_is_solved_for_any_lam(lam):
    X, y = data(400, 2, dtype=np.float32), targets(400)
    G = Gaussian(0.05)(X)
    assert np.linalg.eigvalsh(G.astype(np.float64))[0] < -1e-9  # indefinite by the rounding of its entries
    path = ridge_path(G, y, lams=[lam])
    # |f − y|² never exceeds |y|², as at α = 0; float32 rounds each of Gα's n terms to ε
    for alpha, fitted in ((dual_ridge(G, y, lam=lam), None), (path.dual_coef[0], path.fitted[0])):
        noise = len(y) * np.finfo(np.float32).eps * np.linalg.norm(alpha)
        f = G.astype(np.float64) @ alpha if fitted is None else fitted
        assert np.linalg.norm(f - y) <= np.linalg.norm(y) + noise


@pytest.mark.parametrize("lam", [np.int8(1), np.float16(1), Fraction(1)])
def test_a_lam_in_a_small_type_is_that_number(lam):
    X, y = data(300, 2), targets(300)  # n beyond int8
    G = Gaussian()(X)
    np.testing.assert_array_equal(dual_ridge(G, y, lam=lam), dual_ridge(G, y, lam=1.0))
    np.testing.assert_array_equal(primal_ridge(X, y, lam=lam), primal_ridge(X, y, lam=1.0))
    np.testing.assert_array_equal(
        KernelRidge(lam=[lam]).fit(X, y).dual_coef_, KernelRidge(lam=[1.0]).fit(X, y).dual_coef_
    )


def test_the_callers_array_may_change_after_fit():
    X, new = data(20, 2), data(5, 2, seed=1)
    model = KernelRidge().fit(X, targets(20))
    before = model.predict(new)
    X += 1
    np.testing.assert_array_equal(model.predict(new), before)


def test_lam_is_not_chosen_in_silence_where_no_leave_one_out_error_is_finite():
    with np.errstate(over="ignore"), pytest.warns(UserWarning, match="No value of lam has a finite .* 0.1"):
        model = KernelRidge(lam=[0.01, 0.1, 1e-3]).fit(data(10, 2), 1e200 * targets(10))
    assert model.lam_ == 0.1
