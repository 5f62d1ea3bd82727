"""Conjugate gradients find the α of the direct solution, stop where they say, and never hold G."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from kernlib.duality import Duality, Squared
from kernlib.kernels import AdditiveChiSquared, Gaussian, Laplace, Linear, Matern, Polynomial
from kernlib.ridge import KernelRidge, conjugate_ridge, dual_ridge

DIMENSIONS = (1, 2, 5, 22)
KERNELS = [Gaussian(0.3), Laplace(0.2), Linear(), Matern(1.5), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
OUTPUTS = [(), (1,), (3,)]


def data(n, p, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, p)).astype(dtype)


def targets(n, outputs=(), seed=0):
    return np.random.default_rng([seed, 1]).normal(size=(n, *outputs))


def solve(X, y, kernel, lam, **options):
    return conjugate_ridge(X, y, kernel=kernel, lam=lam, verbose=False, random_state=0, **options)


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_alpha_is_that_of_the_direct_solution(kernel, p):
    X, lam = data(150, p), 1e-3
    for outputs in OUTPUTS:
        y = targets(150, outputs)
        alpha = solve(X, y, kernel, lam, c=20, tol=1e-10).dual_coef
        assert alpha.shape == y.shape
        # ‖α − α°‖ ≤ ‖r‖/(nλ), as the smallest eigenvalue of G + nλI is at least nλ
        allowed = 1e-10 * np.linalg.norm(y, axis=0) / (150 * lam)
        gap = np.linalg.norm(alpha - dual_ridge(kernel(X), y, lam=lam), axis=0)
        assert (gap <= 2 * allowed).all()


@pytest.mark.parametrize("tol", [1e-2, 1e-5, 1e-8])
@pytest.mark.parametrize("n, c", [(1, 1), (2, 1), (80, 1), (80, 80), (700, None)])
def test_the_residual_is_what_the_stopping_rule_promises(n, c, tol):
    X, y, lam = data(n, 3), targets(n, (2,)), 1e-3
    solution = solve(X, y, Gaussian(0.5), lam, c=c, tol=tol)
    r = y - (Gaussian(0.5)(X) + n * lam * np.eye(n)) @ solution.dual_coef
    relative = np.linalg.norm(r, axis=0) / np.linalg.norm(y, axis=0)
    assert solution.residuals[0] == 1
    assert solution.residuals[-1] == pytest.approx(relative.max(), abs=1e-12)
    assert relative.max() <= tol


@pytest.mark.parametrize("tol", [1e-1, 1e-3, 1e-6])
def test_the_duality_gap_is_the_residual_squared_over_2n(tol):
    X, y, lam = data(200, 3), targets(200), 1e-4
    solution = solve(X, y, Gaussian(0.5), lam, c=10, tol=tol)
    duality = Duality(Gaussian(0.5)(X), y, lam=lam, loss=Squared())
    r = solution.residuals[-1] * np.linalg.norm(y)
    rounding = (
        200 * np.finfo(float).eps * duality.primal(np.zeros(200))
    )  # the gap is a difference of sums over n
    assert duality.gap(solution.dual_coef) == pytest.approx(r**2 / 400, rel=1e-9, abs=rounding)
    assert duality.gap(solution.dual_coef) <= tol**2 * duality.primal(np.zeros(200)) + rounding


def test_the_preconditioner_is_worth_its_price():
    """With enough landmarks the number of steps no longer follows √(condition number)."""
    X, y = data(400, 3), targets(400)
    steps = [len(solve(X, y, Gaussian(0.3), 1e-6, c=c).residuals) for c in (1, 20, 200)]
    assert steps[2] < steps[1] < steps[0] and steps[2] < steps[0] / 5


def test_all_rows_as_landmarks_leave_a_step_or_two():
    X, y = data(100, 3), targets(100, (2,))
    assert len(solve(X, y, Laplace(0.5), 1e-4, c=100).residuals) - 1 <= 2


def test_duplicated_rows_and_targets_of_zeros_are_no_trouble():
    X = np.repeat(data(60, 2), 2, axis=0)
    y = np.column_stack([targets(120), np.zeros(120)])
    alpha = solve(X, y, Gaussian(1.0), 1e-3, c=30, tol=1e-9).dual_coef
    np.testing.assert_allclose(alpha, dual_ridge(Gaussian(1.0)(X), y, lam=1e-3), atol=1e-6)
    assert (alpha[:, 1] == 0).all()
    nothing = solve(X, np.zeros(120), Gaussian(1.0), 1e-3)
    assert (nothing.dual_coef == 0).all() and len(nothing.residuals) == 1


def test_steps_that_run_out_are_told():
    X, y = data(300, 5), targets(300)
    with pytest.warns(ConvergenceWarning, match=r"of ‖y‖ after 3 steps, not 1e-10"):
        solution = solve(X, y, Gaussian(0.5), 1e-6, c=1, tol=1e-10, max_iter=3)
    assert len(solution.residuals) == 4


def test_where_rounding_ends_the_descent_the_warning_says_so_instead_of_a_false_residual():
    X, y, kernel, lam = data(300, 3), targets(300), Gaussian(0.5), 1e-7
    with pytest.warns(ConvergenceWarning, match="The residual is"):
        solution = solve(X, y, kernel, lam, c=100, tol=1e-12)
    r = y - (kernel(X) + 300 * lam * np.eye(300)) @ solution.dual_coef
    assert solution.residuals[-1] == pytest.approx(np.linalg.norm(r) / np.linalg.norm(y), rel=0.5)
    assert solution.residuals[-1] > 1e-12 and len(solution.residuals) < 900


@pytest.mark.parametrize("seed", range(3))
def test_where_lam_is_lost_in_rounding_alpha_is_no_worse_than_none_and_its_residual_is_told(seed):
    X, y, kernel, lam = np.repeat(data(30, 2), 3, axis=0), targets(90), Gaussian(1.0), 1e-16
    with pytest.warns(ConvergenceWarning, match="The residual is"):
        solution = conjugate_ridge(X, y, kernel=kernel, lam=lam, random_state=seed)
    r = y - (kernel(X) + 90 * lam * np.eye(90)) @ solution.dual_coef
    assert solution.residuals[-1] <= 1
    # two products with an α that may be as long as 1/(nλ): each rounds by nε‖G‖‖α‖
    rounding = 200 * np.finfo(float).eps * np.linalg.norm(kernel(X), 2) * np.linalg.norm(solution.dual_coef)
    assert abs(np.linalg.norm(r) - solution.residuals[-1] * np.linalg.norm(y)) <= rounding


def test_g_is_not_held_and_z_once(two_threads):
    n = 6000
    X, y = data(n, 2), targets(n)
    tracemalloc.start()
    solve(X, y, Gaussian(0.5), 1e-3, c=300, tol=1e-3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * n**2 / 4
    assert peak < 2 * 8 * n * 300


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000), p=st.sampled_from(DIMENSIONS), scale=st.sampled_from([-3.0, 1e-8, 1e8]))
def test_order_of_the_rows_and_scale_of_the_targets_do_not_matter(seed, p, scale):
    X, y = data(60, p, seed), targets(60, (2,), seed)
    order = np.random.default_rng(seed).permutation(60)
    one = solve(X, y, Gaussian(0.3), 0.01, c=9, tol=1e-12).dual_coef
    two = solve(X[order], scale * y[order], Gaussian(0.3), 0.01, c=9, tol=1e-12).dual_coef
    np.testing.assert_allclose(two, scale * one[order], atol=1e-10 * abs(scale))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_kernel_ridge_by_cg_predicts_what_the_direct_solver_predicts(dtype):
    n, lam, tol = 400, 1e-3, 1e-9
    X, y, new = data(n, 4, dtype=dtype), targets(n, (2,)), data(50, 4, 1, dtype)
    direct = KernelRidge(Gaussian(0.2), lam=lam, solver="direct").fit(X, y)
    cg = KernelRidge(Gaussian(0.2), lam=lam, solver="cg", tol=tol, random_state=0, verbose=False).fit(X, y)
    assert cg.predict(new).dtype == dtype and cg.residual_ <= tol
    # ‖α − α°‖ ≤ ‖r‖/(nλ); both α are rounded once, and κ ≤ 1, so a sum of n products is to (n + 1)ε‖α‖₁
    eps, alpha = np.finfo(dtype).eps, np.abs(direct.dual_coef_)
    allowed = 2 * tol * np.linalg.norm(y, axis=0) / (n * lam)
    assert (np.abs(cg.dual_coef_ - direct.dual_coef_) <= allowed + 2 * eps * alpha).all()
    allowed = np.sqrt(n) * allowed + (n + 2) * eps * alpha.sum(axis=0)
    assert (np.abs(cg.predict(new) - direct.predict(new)) <= allowed).all()


def test_auto_turns_to_cg_where_the_matrix_grows_too_large(monkeypatch):
    monkeypatch.setattr("kernlib.ridge.estimator.DIRECT_UP_TO", 100)
    X, y = data(101, 2), targets(101)
    assert hasattr(KernelRidge().fit(X, y), "residual_")
    assert not hasattr(KernelRidge().fit(X[:100], y[:100]), "residual_")
    assert not hasattr(KernelRidge(lam=[0.1, 1.0]).fit(X, y), "residual_")


def test_progress_is_silent_where_it_is_quick_or_not_wanted(capsys):
    X, y = data(50, 2), targets(50)
    conjugate_ridge(X, y, kernel=Gaussian(), lam=0.1)
    conjugate_ridge(X, y, kernel=Gaussian(), lam=0.1, verbose=False)
    assert capsys.readouterr() == ("", "")


def test_scikit_learns_own_checks_pass():
    check_estimator(KernelRidge(solver="cg", tol=1e-10, random_state=0, verbose=False), on_skip=None)


X, Y = data(5, 2), targets(5)


@pytest.mark.parametrize(
    "change, error, sentence",
    [
        ({"c": 0}, ValueError, r"c must be between 1 and 5, got 0"),
        ({"c": 6}, ValueError, r"c must be between 1 and 5 \(the number of rows\), got 6"),
        ({"max_iter": 0}, ValueError, "max_iter must be at least 1, got 0"),
        ({"kernel": AdditiveChiSquared(), "X": -(X**2)}, ValueError, "must have no negative entry"),
    ],
)
def test_bad_input_gets_one_sentence(change, error, sentence):
    arguments = {"X": X, "y": Y, "kernel": Gaussian(), "lam": 0.1, **change}
    with pytest.raises(error, match=sentence) as caught:
        conjugate_ridge(arguments.pop("X"), arguments.pop("y"), **arguments)
    assert "\n" not in str(caught.value)


def test_what_only_the_direct_solver_can_do_is_refused():
    with pytest.raises(ValueError, match="solver='cg' takes one value of lam"):
        KernelRidge(lam=[0.1, 1.0], solver="cg").fit(X, Y)
    with pytest.raises(ValueError, match="solver must be one of 'auto', 'direct', 'cg', got 'svd'"):
        KernelRidge(solver="svd").fit(X, Y)
