"""Conjugate gradients find the α of the direct solution, stop where they should, and never hold G."""

from unittest import mock

import numpy as np
import pytest
from samples import data, peak_bytes, targets
from sklearn.exceptions import ConvergenceWarning

from kernlib.kernels import Gaussian, Laplace, Linear, Matern, Polynomial
from kernlib.ridge import KernelRidge, conjugate_gradients, dual_ridge
from kernlib.ridge.conjugate_gradients import conjugate_ridge
from kernlib.ridge.direct import WeightedProblem

KERNELS = [Gaussian(0.3), Laplace(0.2), Linear(), Matern(1.5), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
OUTPUTS = [(), (1,), (3,)]


def solve(X, y, kernel, lam, c=None, **options):
    """α and the residuals, without weights and intercept, with c landmarks in the preconditioner."""
    options = {"tol": 1e-6, "random_state": 0, "verbose": False} | options
    per_root = conjugate_gradients.LANDMARKS if c is None else (c - 0.5) / np.sqrt(len(X))
    with mock.patch.object(conjugate_gradients, "LANDMARKS", per_root):
        alpha, _, residuals = conjugate_ridge(X, kernel, WeightedProblem(y, None, False), lam=lam, **options)
    return alpha, residuals


def ridge(kernel=None, solver="cg", random_state=0, **options):
    """Kernel ridge regression without an intercept."""
    options |= {"solver": solver, "random_state": random_state}
    return KernelRidge(kernel, fit_intercept=False, verbose=False, **options)


def relative_residual(kernel, X, y, lam, alpha):
    r = y - (kernel(X) + len(X) * lam * np.eye(len(X))) @ alpha
    return (np.linalg.norm(r, axis=0) / np.linalg.norm(y, axis=0)).max()


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_alpha_is_that_of_the_direct_solution(kernel, p):
    X, lam = data(150, p), 1e-3
    for outputs in OUTPUTS:
        y = targets(150, outputs)
        alpha = solve(X, y, kernel, lam, c=20, tol=1e-10)[0]
        assert alpha.shape == y.shape
        # ‖α − α°‖ ≤ ‖r‖/(nλ), since the smallest eigenvalue of G + nλI is at least nλ
        allowed = 1e-10 * np.linalg.norm(y, axis=0) / (150 * lam)
        gap = np.linalg.norm(alpha - dual_ridge(kernel(X), y, lam=lam), axis=0)
        assert (gap <= 2 * allowed).all()


@pytest.mark.parametrize("tol", [1e-2, 1e-5, 1e-8])
@pytest.mark.parametrize("n, c", [(1, 1), (2, 1), (80, 1), (80, 80), (700, None)])
def test_the_last_residual_is_that_of_alpha_and_at_most_the_tolerance(n, c, tol):
    X, y, lam = data(n, 3), targets(n, (2,)), 1e-3
    alpha, residuals = solve(X, y, Gaussian(0.5), lam, c=c, tol=tol)
    assert residuals[0] == 1 and residuals[-1] <= tol
    expected = relative_residual(Gaussian(0.5), X, y, lam, alpha)
    assert residuals[-1] == pytest.approx(expected, abs=1e-12)


def test_more_landmarks_take_fewer_steps():
    X, y = data(400, 3), targets(400)
    steps = [len(solve(X, y, Gaussian(0.3), 1e-6, c=c)[1]) for c in (1, 20, 200)]
    assert steps[2] < steps[1] < steps[0] and steps[2] < steps[0] / 5
    assert len(solve(X[:100], y[:100], Laplace(0.5), 1e-4, c=100)[1]) - 1 <= 2  # P is then G + nλI


def test_duplicated_rows_and_targets_of_zeros_are_solved():
    X = np.repeat(data(60, 2), 2, axis=0)
    y = np.column_stack([targets(120), np.zeros(120)])
    alpha = solve(X, y, Gaussian(1.0), 1e-3, c=30, tol=1e-9)[0]
    np.testing.assert_allclose(alpha, dual_ridge(Gaussian(1.0)(X), y, lam=1e-3), atol=1e-6)
    assert (alpha[:, 1] == 0).all()
    alpha, residuals = solve(X, np.zeros(120), Gaussian(1.0), 1e-3)
    assert (alpha == 0).all() and len(residuals) == 1


def test_an_output_that_is_constant_up_to_rounding_of_its_mean_leaves_the_others_alone():
    X, y = data(300, 2), np.column_stack([targets(300), np.full(300, 0.1)])
    model = KernelRidge(lam=1e-3, solver="cg", random_state=0).fit(X, y)
    alone = KernelRidge(lam=1e-3, solver="direct").fit(X, y[:, 0])
    assert model.n_iter_ < 50
    np.testing.assert_allclose(model.predict(X), np.column_stack([alone.predict(X), y[:, 1]]), atol=1e-4)


def test_too_few_steps_give_a_warning_with_the_residual(monkeypatch):
    monkeypatch.setattr(conjugate_gradients, "MAX_STEPS", 3)
    X, y = data(300, 5), targets(300)
    with pytest.warns(ConvergenceWarning, match=r"of ‖y‖ after 3 steps, not 1e-10"):
        alpha, residuals = solve(X, y, Gaussian(0.5), 1e-6, c=1, tol=1e-10)
    assert len(residuals) == 4 and residuals[-1] <= residuals.min() * (1 + 1e-9)
    assert residuals[-1] == pytest.approx(relative_residual(Gaussian(0.5), X, y, 1e-6, alpha))


def test_if_rounding_prevents_convergence_the_iteration_stops_with_the_residual_of_alpha():
    X, y, kernel, lam = data(300, 3), targets(300), Gaussian(0.5), 1e-7
    with pytest.warns(ConvergenceWarning, match="The residual is"):
        alpha, residuals = solve(X, y, kernel, lam, tol=1e-12)
        model = ridge(kernel, lam=lam, tol=1e-12).fit(X, y)
    assert residuals[-1] == pytest.approx(relative_residual(kernel, X, y, lam, alpha), rel=0.5)
    assert residuals[-1] > 1e-12 and len(residuals) < 900
    # the residuals of the recursion come down to 1e-12; that of α is at least 10 times larger
    assert model.residual_ == residuals[-1] > 5 * residuals.min() and model.n_iter_ == len(residuals) - 1


@pytest.mark.parametrize("seed", range(3))
def test_with_a_lambda_below_rounding_alpha_is_no_worse_than_zero(seed):
    X, y, kernel, lam = np.repeat(data(30, 2), 3, axis=0), targets(90), Gaussian(1.0), 1e-16
    with pytest.warns(ConvergenceWarning, match="The residual is"):
        alpha, residuals = solve(X, y, kernel, lam, random_state=seed)
    # two products with an α that may be as long as 1/(nλ): each rounds by nε‖G‖‖α‖
    rounding = 200 * np.finfo(float).eps * np.linalg.norm(kernel(X), 2) * np.linalg.norm(alpha)
    assert residuals[-1] <= 1
    gap = abs(relative_residual(kernel, X, y, lam, alpha) - residuals[-1])
    assert gap <= rounding / np.linalg.norm(y)


def test_memory_holds_the_features_of_the_preconditioner_once_and_not_the_gram_matrix(two_threads):
    n, c = 6000, 300
    X, y = data(n, 2), targets(n)
    assert peak_bytes(lambda: solve(X, y, Gaussian(0.5), 1e-3, c=c, tol=1e-3)) < 2 * 8 * n * c < 8 * n**2 / 4


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_kernel_ridge_by_cg_predicts_what_the_direct_solver_predicts(dtype):
    n, lam, tol = 400, 1e-3, 1e-9
    X, y, new = data(n, 4, dtype=dtype), targets(n, (2,)), data(50, 4, 1, dtype)
    direct, cg = (ridge(Gaussian(0.2), solver, lam=lam, tol=tol).fit(X, y) for solver in ("direct", "cg"))
    assert cg.predict(new).dtype == dtype and cg.residual_ <= tol
    # ‖α − α°‖ ≤ ‖r‖/(nλ); both α are rounded once, and κ ≤ 1, so a sum of n products is to (n + 1)ε‖α‖₁
    eps, alpha = np.finfo(dtype).eps, np.abs(direct.dual_coef_)
    allowed = 2 * tol * np.linalg.norm(y, axis=0) / (n * lam)
    assert (np.abs(cg.dual_coef_ - direct.dual_coef_) <= allowed + 2 * eps * alpha).all()
    allowed = np.sqrt(n) * allowed + (n + 2) * eps * alpha.sum(axis=0)
    assert (np.abs(cg.predict(new) - direct.predict(new)) <= allowed).all()


def test_float32_rows_are_solved_in_float64():
    X, y = data(150, 3, dtype=np.float32), targets(150)
    single, double = (ridge(Gaussian(0.5), lam=1e-5).fit(A, y).dual_coef_ for A in (X, X.astype(np.float64)))
    np.testing.assert_array_equal(single, double.astype(np.float32))


def test_auto_is_cg_above_a_number_of_rows_for_a_single_lambda(monkeypatch):
    monkeypatch.setattr("kernlib.ridge.estimator.DIRECT_UP_TO", 100)
    X, y = data(101, 2), targets(101)
    assert hasattr(KernelRidge(lam=0.01).fit(X, y), "residual_")
    assert not hasattr(KernelRidge(lam=0.01).fit(X[:100], y[:100]), "residual_")
    assert not hasattr(KernelRidge(lam=[0.1, 1.0]).fit(X, y), "residual_")
