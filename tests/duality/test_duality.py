"""Losses against numerical suprema, the dual against the primal problem, and logistic regression."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import assert_refused, data
from scipy.optimize import check_grad, minimize, minimize_scalar
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from kernlib.duality import Duality, KernelLogisticRegression, Logistic, Loss, Squared
from kernlib.kernels import Gaussian, Laplace, Linear, Polynomial

LOSSES = Loss.__subclasses__()  # a new loss is tested as soon as it exists
KERNELS = [Gaussian(0.3), Laplace(0.2), Linear(), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
EPS = np.finfo(np.float64).eps


def targets(loss, n, seed=0):
    rng = np.random.default_rng([seed, 1])
    return rng.choice([-1.0, 1.0], size=n) if loss is Logistic else rng.normal(size=n)


def make_problem(loss, n=30, p=5, lam=0.1, kernel=KERNELS[0], seed=0):
    return Duality(kernel(data(n, p, seed)), targets(loss, n, seed), lam=lam, loss=loss())


def feasible(problem, t):
    """A point in the domain of (D): t between 0 and 1 for the logistic loss, any t for the squared loss."""
    return problem.y * t / (len(problem.y) * problem.lam)


def solve_with_scipy(problem):
    """The optimum of (D), by a way that kernlib does not use: BFGS on the dual, then two Newton steps."""
    n, lam, y, G = len(problem.y), problem.lam, problem.y, problem.G
    if isinstance(problem.loss, Squared):
        return np.linalg.solve(G + n * lam * np.eye(n), y)

    def sigmoid(z):  # always feasible
        return 1 / (1 + np.exp(-z))

    def gradient(z):
        s = sigmoid(z)
        return (z / n + y * (G @ feasible(problem, s)) / n) * s * (1 - s)

    def newton_step(z):  # for the fixed point z = −y Gα
        s = sigmoid(z)
        jacobian = np.eye(n) + (y[:, None] * G * y) * (s * (1 - s)) / (n * lam)
        return z - np.linalg.solve(jacobian, z + y * (G @ feasible(problem, s)))

    z = minimize(lambda z: -problem.dual(feasible(problem, sigmoid(z))), np.zeros(n), jac=gradient).x
    return feasible(problem, sigmoid(newton_step(newton_step(z))))


def search_conjugate(loss, y, v):
    """sup_u uv − ℓ(y, u), searched on an interval far beyond the maximum."""
    found = minimize_scalar(
        lambda u: float(loss.pointwise(y, u) - u * v), bounds=(-60, 60), options={"xatol": 1e-10}
    )
    return -found.fun


# Losses


@settings(max_examples=60, deadline=None)
@given(y=st.floats(-5, 5), v=st.floats(-5, 5))
def test_the_conjugate_of_the_squared_loss_is_the_supremum(y, v):
    assert Squared().pointwise_conjugate(y, v) == pytest.approx(search_conjugate(Squared(), y, v), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(y=st.sampled_from([-1.0, 1.0]), s=st.floats(0, 1))
def test_the_conjugate_of_the_logistic_loss_is_the_supremum_in_its_domain(y, s):
    # at s = 0 and s = 1 the supremum is approached as u → ±∞, up to e^{−60} at |u| = 60
    expected = search_conjugate(Logistic(), y, -y * s)
    assert Logistic().pointwise_conjugate(y, -y * s) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_the_logistic_conjugate_is_infinite_outside_its_domain_and_zero_at_the_edge_despite_rounding(y):
    for s in (-0.5, -1e-9, 1 + 1e-9, 3.0):
        assert Logistic().pointwise_conjugate(y, -y * s) == np.inf
    assert (Logistic().pointwise_conjugate(y, -y * np.array([0.0, 1.0, -2 * EPS, 1 + 2 * EPS])) == 0).all()


def test_the_dual_value_is_finite_for_a_point_far_on_the_wrong_side():
    for n in range(1, 60):  # for some n, nλ times 1/(nλ) is 1 + ε
        problem = Duality(np.eye(n), np.ones(n), lam=0.1, loss=Logistic())
        alpha = -problem.loss.gradient(problem.y, np.full(n, -800.0)) / problem.lam
        assert np.isfinite(problem.dual(alpha))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("n", [1, 7])
def test_g_is_the_mean_loss_and_its_conjugate_the_supremum_over_vectors(loss, n):
    y, u = targets(loss, n), data(n, 1, 3)[:, 0]
    mean = sum(loss().pointwise(a, b) for a, b in zip(y, u, strict=True)) / n
    assert loss().value(y, u) == pytest.approx(mean)
    v = loss().gradient(y, u)  # a slope for which the supremum is attained
    best = minimize(lambda x: loss().value(y, x) - x @ v, np.zeros(n), tol=1e-12)
    assert loss().conjugate(y, v) == pytest.approx(-best.fun, abs=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_gradients_agree_with_finite_differences(loss):
    y, u, w, Phi = targets(loss, 9), data(9, 1, 4)[:, 0], data(4, 1, 5)[:, 0], data(9, 4)
    step = np.sqrt(EPS)
    error = check_grad(lambda x: loss().value(y, x), lambda x: loss().gradient(y, x), u, epsilon=step)
    assert error < 10 * step
    error = check_grad(
        lambda w: loss().value(y, Phi @ w) + 0.15 * w @ w,
        lambda w: Phi.T @ loss().gradient(y, Phi @ w) + 0.3 * w,
        w,
        epsilon=step,
    )
    assert error < 10 * step


def test_the_logistic_loss_is_accurate_for_extreme_predictions():
    y, u = np.array([1.0, -1, 1, -1]), np.array([1e4, 1e4, -1e4, -1e4])
    with np.errstate(all="raise", under="ignore"):
        assert Logistic().pointwise(y, u).tolist() == [0, 1e4, 1e4, 0]
        assert Logistic().slope(y, u).tolist() == [0, 1, -1, 0]


# The two problems


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_an_optimum_of_the_dual_is_one_of_the_primal_with_the_same_value(kernel, loss, p):
    problem = make_problem(loss, p=p, kernel=kernel)
    alpha = solve_with_scipy(problem)
    assert abs(problem.gap(alpha)) < 1e-10
    for direction in data(20, 30, 7):
        for size in (1e-3, 1.0):
            assert problem.primal(alpha + size * direction) >= problem.primal(alpha) - 1e-13


def test_the_dual_value_is_minus_infinity_outside_the_domain():
    problem = make_problem(Logistic)
    assert problem.dual(feasible(problem, 1.5)) == -np.inf
    assert problem.gap(feasible(problem, -0.5)) == np.inf


# Kernel logistic regression


def labeled(n, p, seed=0):
    X = data(n, p, seed)
    return X, np.where(X[:, 0] + 0.7 * data(n, 1, seed + 1)[:, 0] > 0, "yes", "no")


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_logistic_regression_closes_the_duality_gap(kernel, p):
    X, y = labeled(60, p)
    G, signs = kernel(X), np.where(y == "yes", 1.0, -1.0)
    for lam in (10.0, 1e-2, 1e-5):
        model = KernelLogisticRegression(kernel, lam=lam).fit(X, y)
        gap = Duality(G, signs, lam=lam, loss=Logistic()).gap(model.dual_coef_)
        assert abs(gap) < 1e-11 and gap == model.duality_gap_


def test_scikit_learns_logistic_regression_on_the_features_gives_the_same_predictions(p):
    X, y = labeled(80, p)
    new, lam = data(20, p, 9), 0.01
    theirs = LogisticRegression(C=1 / (80 * lam), fit_intercept=False, tol=1e-10, max_iter=10_000).fit(X, y)
    ours = KernelLogisticRegression(Linear(), lam=lam).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(new), theirs.decision_function(new), atol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-6)
    assert (ours.predict(new) == theirs.predict(new)).all()


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-12])
def test_the_duality_gap_bounds_the_error_of_the_function(tol):
    X, y = labeled(100, 2)
    new, lam = data(200, 2, 9), 1e-3
    best = KernelLogisticRegression(Gaussian(0.5), lam=lam, tol=1e-15).fit(X, y)
    model = KernelLogisticRegression(Gaussian(0.5), lam=lam, tol=tol).fit(X, y)
    assert model.duality_gap_ <= tol
    error = np.abs(model.decision_function(new) - best.decision_function(new)).max()
    assert error <= np.sqrt(2 * max(model.duality_gap_, 1e-15) / lam)


def test_logistic_regression_converges_with_an_observation_far_on_the_wrong_side():
    X = np.concatenate([np.linspace(1, 2, 20), [1e4]])[:, None]
    model = KernelLogisticRegression(Linear(), lam=1e-4).fit(X, [1] * 20 + [0])
    assert model.duality_gap_ < 1e-10


def test_a_gram_matrix_of_zeros_gives_even_odds():
    model = KernelLogisticRegression(Linear()).fit(np.zeros((4, 2)), [0, 1, 1, 1])
    np.testing.assert_array_equal(model.predict_proba(np.ones((3, 2))), 0.5)
    assert abs(model.duality_gap_) < EPS


def test_float32_gives_float32_within_its_precision(p):
    X, y = labeled(60, p)
    X = X.astype(np.float32)
    single, double = (KernelLogisticRegression(Gaussian(0.3)).fit(A, y) for A in (X, X.astype(float)))
    assert single.dual_coef_.dtype == single.decision_function(X).dtype == np.float32
    np.testing.assert_array_equal(single.dual_coef_, double.dual_coef_.astype(np.float32))
    error = np.abs(single.decision_function(X) - double.decision_function(X.astype(float)))
    # distances in float32 are off by a few ε ‖x‖², and f sums |αᵢ| of them
    scale = max(1, 0.3 * np.max(np.sum(X**2, axis=1))) * np.abs(double.dual_coef_).sum()
    assert error.max() < 10 * np.finfo(np.float32).eps * scale


def test_too_few_steps_give_a_warning_with_the_gap():
    X, y = labeled(60, 2)
    with pytest.warns(ConvergenceWarning, match=r"The duality gap is \S+ after 1 steps, not 1e-12"):
        model = KernelLogisticRegression(lam=1e-4, max_iter=1).fit(X, y)
    assert model.duality_gap_ > 1e-12


def test_bad_input_raises_one_sentence():
    G, Y, squared, logistic = np.eye(3), np.array([1.0, -1.0, 1.0]), Squared(), Logistic()
    fit = KernelLogisticRegression().fit
    for call, sentence in [
        (lambda: Duality(G, Y[:2], lam=1, loss=squared), r"y must have shape \(3,\), got \(2,\)"),
        (lambda: Duality(G, [1, 0, 1], lam=1, loss=logistic), "y must be −1 or 1 .* got 0"),
        (lambda: Duality(G, Y, lam=1, loss=squared).gap(Y[:, None]), r"alpha must have .* got \(3, 1\)"),
        (lambda: Duality(G, Y, lam=1, loss=squared).dual([1, 2, np.nan]), "alpha must be finite, .* row 2"),
        (
            lambda: Duality(G, Y, lam=1, loss=squared, sample_weight=[0, 1, 1]),
            "must be positive here: leave rows",
        ),
        (lambda: fit(G, [0, 1, 2]), r"Only binary .* target is multiclass, with 3 class\(es\)"),
        (lambda: fit(G, [1, 1, 1]), r"Only binary .* with 1 class\(es\)"),
    ]:
        assert_refused(call, sentence)


@pytest.mark.parametrize("loss", LOSSES)
def test_a_weight_is_the_number_of_copies_of_an_observation(p, loss):
    n, counts = 20, np.random.default_rng(3).integers(1, 4, 20)
    copies = np.repeat(np.arange(n), counts)
    X, y, alpha = data(n, p), targets(loss, n), np.random.default_rng(4).random(n) * 0.1
    alpha *= y * counts / counts.sum() / 0.1
    weighted = Duality(Laplace(0.5)(X), y, lam=0.1, loss=loss(), sample_weight=counts)
    repeated = Duality(Laplace(0.5)(X[copies]), y[copies], lam=0.1, loss=loss())
    for name in ("primal", "dual"):
        expected = getattr(repeated, name)((alpha / counts)[copies])
        assert np.isfinite(expected) and getattr(weighted, name)(alpha) == pytest.approx(expected, rel=1e-12)


def test_weighted_logistic_regression_is_that_on_copies_with_a_gap_of_zero(p):
    X, new = data(40, p), data(9, p, 1)
    y, counts = X[:, 0] + data(40, 1, 2)[:, 0] > 0, np.random.default_rng(3).integers(0, 4, 40)
    copies = np.repeat(np.arange(40), counts)
    weighted = KernelLogisticRegression(Laplace(0.5)).fit(X, y, counts)
    repeated = KernelLogisticRegression(Laplace(0.5)).fit(X[copies], y[copies])
    assert weighted.duality_gap_ <= 1e-12
    given = KernelLogisticRegression("precomputed").fit(Laplace(0.5)(X), y, counts)
    np.testing.assert_allclose(
        given.decision_function(Laplace(0.5)(new, X)), weighted.decision_function(new), atol=1e-12
    )
    # |f − f°| ≤ √(2 gap κ(x, x)/λ) for both
    np.testing.assert_allclose(
        weighted.decision_function(new), repeated.decision_function(new), atol=2 * np.sqrt(2e-12 / 0.01)
    )
