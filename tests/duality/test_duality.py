"""Conjugates against a numerical supremum, the dual against the primal, logistic regression against both."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize, minimize_scalar
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.utils.estimator_checks import check_estimator

from kernlib.duality import (
    Duality,
    KernelLogisticRegression,
    Logistic,
    Loss,
    Squared,
    feature_objective,
    representer,
)
from kernlib.kernels import Gaussian, Laplace, Linear, Polynomial
from kernlib.numerics.psd import psd_eigh

DIMENSIONS = (1, 2, 5, 22)
LOSSES = Loss.__subclasses__()  # a new loss is tested as soon as it is written
KERNELS = [Gaussian(0.3), Laplace(0.2), Linear(), 2 * Gaussian(0.1) + Polynomial(2, 1.0)]
EPS = np.finfo(np.float64).eps


def data(n, p, seed=0):
    return np.random.default_rng(seed).normal(size=(n, p))


def targets(loss, n, seed=0):
    rng = np.random.default_rng([seed, 1])
    return rng.choice([-1.0, 1.0], size=n) if loss is Logistic else rng.normal(size=n)


def problem(loss, n=30, p=5, lam=0.1, kernel=KERNELS[0], seed=0):
    return Duality(kernel(data(n, p, seed)), targets(loss, n, seed), lam=lam, loss=loss())


def feasible(problem, t):
    """A point in the domain of (D): t between 0 and 1 for the logistic loss, any t for the squared one."""
    return problem.y * t / (len(problem.y) * problem.lam)


def solution(problem):
    """The optimum of (D), by a route that kernlib does not take: scipy on the dual itself."""
    n, lam, y, G = len(problem.y), problem.lam, problem.y, problem.G
    if isinstance(problem.loss, Squared):
        return np.linalg.solve(G + n * lam * np.eye(n), y)

    def alpha(z):  # s = 1/(1 + e^{−z}) leaves the domain nowhere
        return feasible(problem, 1 / (1 + np.exp(-z)))

    def gradient(z):  # ∂D/∂α = (z-part of the entropy) − λGα, by the chain rule
        s = 1 / (1 + np.exp(-z))
        return (z / n + y * (G @ alpha(z)) / n) * s * (1 - s)

    def step(z):  # the fixed point z = −y Gα, by Newton's method
        s = 1 / (1 + np.exp(-z))
        jacobian = np.eye(n) + (y[:, None] * G * y) * (s * (1 - s)) / (n * lam)
        return z - np.linalg.solve(jacobian, z + y * (G @ alpha(z)))

    z = minimize(lambda z: -problem.dual(alpha(z)), np.zeros(n), jac=gradient, method="BFGS").x
    return alpha(step(step(z)))


def brute_conjugate(loss, y, v):
    """sup_u uv − ℓ(y, u), searched on an interval far beyond where it is attained."""
    found = minimize_scalar(
        lambda u: float(loss.each(y, u) - u * v), bounds=(-60, 60), options={"xatol": 1e-10}, method="bounded"
    )
    return -found.fun


@settings(max_examples=60, deadline=None)
@given(y=st.floats(-5, 5), v=st.floats(-5, 5))
def test_the_conjugate_of_the_squared_loss_is_the_supremum(y, v):
    assert Squared().conjugate_each(y, v) == pytest.approx(brute_conjugate(Squared(), y, v), abs=1e-9)


@settings(max_examples=60, deadline=None)
@given(y=st.sampled_from([-1.0, 1.0]), s=st.floats(0, 1))
def test_the_conjugate_of_the_logistic_loss_is_the_supremum_in_its_domain(y, s):
    # at s = 0 and s = 1 the supremum is approached as u → ±∞: what lies beyond |u| = 60 is e^{−60}
    assert Logistic().conjugate_each(y, -y * s) == pytest.approx(
        brute_conjugate(Logistic(), y, -y * s), abs=1e-9
    )


@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_outside_its_domain_the_conjugate_is_infinite_and_the_supremum_grows(y):
    for s in (-0.5, -1e-9, 1 + 1e-9, 3.0):
        assert Logistic().conjugate_each(y, -y * s) == np.inf
        far = -np.sign(y * (s - 0.5)) * np.array([1e11, 1e12])
        assert (np.diff(-far * y * s - Logistic().each(y, far)) > 0).all()


@pytest.mark.parametrize("y", [-1.0, 1.0])
def test_at_the_edge_of_its_domain_the_conjugate_is_zero_even_when_rounded_over_it(y):
    edges = np.array([0.0, 1.0, -2 * EPS, 1 + 2 * EPS])
    assert (Logistic().conjugate_each(y, -y * edges) == 0).all()


def test_a_hopelessly_misclassified_point_keeps_a_finite_dual_value():
    for n in range(1, 60):  # for some n, nλ times 1/(nλ) is 1 + ε
        bad = Duality(np.eye(n), np.ones(n), lam=0.1, loss=Logistic())
        alpha = -bad.loss.gradient(bad.y, np.full(n, -800.0)) / bad.lam
        assert np.isfinite(bad.dual(alpha))


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("n", [1, 2, 7])
def test_g_is_the_mean_loss_and_its_conjugate_the_supremum_over_vectors(loss, n):
    y, u = targets(loss, n), data(n, 1, 3)[:, 0]
    assert loss().value(y, u) == pytest.approx(sum(loss().each(a, b) for a, b in zip(y, u, strict=True)) / n)
    v = loss().gradient(y, u)  # a slope at which the supremum is attained
    top = minimize(lambda x: loss().value(y, x) - x @ v, np.zeros(n), tol=1e-12)
    assert loss().conjugate(y, v) == pytest.approx(-top.fun, abs=1e-9)
    # Fenchel and Young: equality at the slope, inequality elsewhere
    assert loss().value(y, u) + loss().conjugate(y, v) == pytest.approx(u @ v, abs=1e-14)
    assert loss().value(y, u + 1) + loss().conjugate(y, v) > (u + 1) @ v


@pytest.mark.parametrize("loss", LOSSES)
def test_the_gradient_is_that_of_finite_differences(loss):
    y, u = targets(loss, 9), data(9, 1, 4)[:, 0]
    step = np.sqrt(EPS)
    error = check_grad(lambda x: loss().value(y, x), lambda x: loss().gradient(y, x), u, epsilon=step)
    assert error < 10 * step


@pytest.mark.parametrize("loss", LOSSES)
def test_the_gradient_in_w_needs_the_term_that_the_source_drops(loss):
    Phi, w, lam, y = data(12, 4), data(4, 1, 5)[:, 0], 0.3, targets(loss, 12)
    step = np.sqrt(EPS)
    source = Phi.T @ loss().gradient(y, Phi @ w)
    numeric = [
        (
            feature_objective(Phi, y, w + e, lam=lam, loss=loss())
            - feature_objective(Phi, y, w - e, lam=lam, loss=loss())
        )
        / (2 * step)
        for e in step * np.eye(4)
    ]
    np.testing.assert_allclose(source + lam * w, numeric, atol=10 * step)
    assert np.abs(source - numeric).max() > 0.1


def test_extreme_predictions_neither_overflow_nor_lose_their_sign():
    y, u = np.array([1.0, -1, 1, -1]), np.array([1e4, 1e4, -1e4, -1e4])
    with np.errstate(all="raise", under="ignore"):
        assert Logistic().each(y, u).tolist() == [0, 1e4, 1e4, 0]
        assert Logistic().slope(y, u).tolist() == [0, 1, -1, 0]


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_dual_value_meets_the_primal_one_at_the_optimum(kernel, loss, p):
    duality = problem(loss, p=p, kernel=kernel)
    alpha = solution(duality)
    assert abs(duality.gap(alpha)) < 1e-10
    # and an optimum of (D) is one of (P): no move makes P smaller
    for direction in data(20, 30, 7):
        for size in (1e-3, 1.0):
            assert duality.primal(alpha + size * direction) >= duality.primal(alpha) - 1e-13


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("loss", LOSSES)
def test_w_in_the_open_has_the_value_of_alpha_and_no_w_is_better(loss, p):
    Phi = data(30, p)
    duality = Duality(Phi @ Phi.T, targets(loss, 30), lam=0.1, loss=loss())
    alpha = solution(duality)

    def value(w):
        return feature_objective(Phi, duality.y, w, lam=0.1, loss=loss())

    assert value(Phi.T @ alpha) == pytest.approx(duality.primal(alpha), abs=1e-13)
    assert value(Phi.T @ alpha) <= minimize(value, np.zeros(p), tol=1e-10).fun + 1e-10


def test_without_the_constant_of_the_source_the_values_differ_by_it():
    duality = problem(Squared)
    alpha, y, n, lam = solution(duality), duality.y, 30, duality.lam
    source = -np.sum((y - n * lam * alpha) ** 2) / (2 * n) - lam / 2 * alpha @ duality.G @ alpha
    assert duality.dual(alpha) == pytest.approx(source + y @ y / (2 * n), abs=1e-14)
    assert duality.primal(alpha) - source == pytest.approx(y @ y / (2 * n), abs=1e-13)


def test_the_primal_of_the_source_with_g_of_alpha_is_another_problem():
    duality = problem(Squared)
    printed = np.linalg.solve(np.eye(30) + 30 * duality.lam * duality.G, duality.y)
    assert duality.primal(printed) > duality.primal(solution(duality)) + 0.01


@settings(max_examples=60, deadline=None)
@given(
    loss=st.sampled_from(LOSSES),
    seed=st.integers(0, 1000),
    n=st.integers(1, 12),
    lam=st.sampled_from([1e-3, 0.1, 10.0]),
)
def test_no_dual_value_is_above_any_primal_one(loss, seed, n, lam):
    duality, rng = problem(loss, n=n, lam=lam, seed=seed), np.random.default_rng(seed)
    alpha, beta = rng.normal(size=n), feasible(duality, rng.random(n))
    assert duality.dual(beta) <= duality.primal(alpha) + 1e-12
    assert duality.gap(beta) >= -1e-12


def test_outside_the_domain_the_dual_is_minus_infinity():
    duality = problem(Logistic)
    assert duality.dual(feasible(duality, 1.5)) == -np.inf
    assert duality.gap(feasible(duality, -0.5)) == np.inf


@settings(max_examples=30, deadline=None)
@given(loss=st.sampled_from(LOSSES), seed=st.integers(0, 1000))
def test_the_values_do_not_depend_on_the_order_of_the_observations(loss, seed):
    duality, rng = problem(loss, seed=seed), np.random.default_rng(seed)
    alpha, order = feasible(duality, rng.random(30)), rng.permutation(30)
    moved = Duality(duality.G[np.ix_(order, order)], duality.y[order], lam=duality.lam, loss=duality.loss)
    assert moved.primal(alpha[order]) == pytest.approx(duality.primal(alpha), rel=1e-12)
    assert moved.dual(alpha[order]) == pytest.approx(duality.dual(alpha), rel=1e-12)


@pytest.mark.parametrize("columns", [None, 2])
def test_the_representer_is_the_double_loop(columns):
    X, X_fit = data(7, 3), data(5, 3, 1)
    alpha = data(5, columns or 1, 2) if columns else data(5, 1, 2)[:, 0]
    loop = [sum(alpha[i] * Gaussian(0.3)(x[None], X_fit[[i]])[0, 0] for i in range(5)) for x in X]
    np.testing.assert_allclose(representer(Gaussian(0.3), X, X_fit, alpha), loop, atol=1e-14)


def test_the_representer_goes_block_by_block_as_if_at_once():
    X, X_fit, alpha = data(5000, 3), data(5, 3, 1), data(5, 1, 2)[:, 0]
    at_once = Gaussian(0.3)(X, X_fit) @ alpha
    np.testing.assert_allclose(representer(Gaussian(0.3), X, X_fit, alpha), at_once, atol=1e-14)


def labelled(n, p, seed=0):
    X = data(n, p, seed)
    return X, np.where(X[:, 0] + 0.7 * data(n, 1, seed + 1)[:, 0] > 0, "yes", "no")


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_kernel_logistic_regression_closes_the_gap(kernel, p):
    X, y = labelled(60, p)
    G, signs = kernel(X), np.where(y == "yes", 1.0, -1.0)
    for lam in (10.0, 1e-2, 1e-5):
        model = KernelLogisticRegression(kernel, lam=lam).fit(X, y)
        gap = Duality(G, signs, lam=lam, loss=Logistic()).gap(model.dual_coef_)
        assert abs(gap) < 1e-11 and gap == model.duality_gap_


@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_it_finds_what_scipy_finds_in_the_dual(kernel, p):
    X, y = labelled(30, p)
    model = KernelLogisticRegression(kernel, lam=0.1).fit(X, y)
    signs = np.where(y == "yes", 1.0, -1.0)
    alpha = solution(Duality(kernel(X), signs, lam=0.1, loss=Logistic()))
    # (4nλ²/2)‖α − α°‖² is at most the gap, since the entropy's second derivative is at least 4
    np.testing.assert_allclose(model.dual_coef_, alpha, rtol=0, atol=np.sqrt(1e-12 / (2 * 30 * 0.1**2)))


@pytest.mark.parametrize("p", DIMENSIONS)
def test_scikit_learns_logistic_regression_on_the_features_predicts_the_same(p):
    X, y = labelled(80, p)
    new, lam = data(20, p, 9), 0.01
    theirs = LogisticRegression(C=1 / (80 * lam), fit_intercept=False, tol=1e-10, max_iter=10_000).fit(X, y)
    ours = KernelLogisticRegression(Linear(), lam=lam).fit(X, y)
    np.testing.assert_allclose(ours.decision_function(new), theirs.decision_function(new), atol=1e-6)
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new), atol=1e-6)
    assert (ours.predict(new) == theirs.predict(new)).all()


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-12])
def test_the_gap_bounds_the_error_of_the_function(tol):
    X, y = labelled(100, 2)
    new, lam = data(200, 2, 9), 1e-3
    best = KernelLogisticRegression(Gaussian(0.5), lam=lam, tol=1e-15).fit(X, y)
    model = KernelLogisticRegression(Gaussian(0.5), lam=lam, tol=tol).fit(X, y)
    assert model.duality_gap_ <= tol
    error = np.abs(model.decision_function(new) - best.decision_function(new)).max()
    assert error <= np.sqrt(2 * max(model.duality_gap_, 1e-15) / lam)


def test_the_residual_gradient_says_how_far_w_is_from_its_alpha():
    duality = problem(Logistic)
    values, U = psd_eigh(duality.G)
    F, w = U * np.sqrt(values), data(30, 1, 3)[:, 0]
    slope = duality.loss.gradient(duality.y, F @ w)
    residual, alpha = F.T @ slope + duality.lam * w, -slope / duality.lam
    primal = feature_objective(F, duality.y, w, lam=duality.lam, loss=duality.loss)
    assert primal - duality.dual(alpha) == pytest.approx(residual @ residual / (2 * duality.lam), rel=1e-10)
    largest = values[-1] / (4 * 30)
    assert 0 < duality.gap(alpha) <= largest / 2 * residual @ residual / duality.lam**2


def test_an_observation_far_on_the_wrong_side_is_no_trouble():
    X = np.concatenate([np.linspace(1, 2, 20), [1e4]])[:, None]
    y = np.array([1] * 20 + [0])
    model = KernelLogisticRegression(Linear(), lam=1e-4).fit(X, y)
    assert np.isfinite(model.duality_gap_) and model.duality_gap_ < 1e-10


def test_a_gram_matrix_of_zeros_leaves_even_odds():
    model = KernelLogisticRegression(Linear()).fit(np.zeros((4, 2)), [0, 1, 1, 1])
    np.testing.assert_array_equal(model.predict_proba(np.ones((3, 2))), 0.5)
    assert abs(model.duality_gap_) < EPS


def test_repeated_rows_share_their_predictions_and_the_gap_closes():
    X, y = labelled(40, 5)
    model = KernelLogisticRegression(Gaussian(0.2)).fit(np.repeat(X, 3, axis=0), np.repeat(y, 3))
    once = KernelLogisticRegression(Gaussian(0.2)).fit(X, y)
    np.testing.assert_allclose(model.decision_function(X), once.decision_function(X), atol=1e-9)


def test_exchanging_the_labels_turns_the_odds_round():
    X, y = labelled(40, 5)
    one = KernelLogisticRegression().fit(X, y)
    other = KernelLogisticRegression().fit(X, np.where(y == "yes", "a-yes", "b-no"))
    assert list(one.classes_) == ["no", "yes"] and one.kernel_ == Gaussian(1 / 5)
    np.testing.assert_allclose(one.decision_function(X), -other.decision_function(X), atol=1e-10)
    np.testing.assert_allclose(one.predict_proba(X).sum(axis=1), 1, atol=1e-15)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 1000))
def test_the_order_of_the_rows_does_not_matter(seed):
    X, y = labelled(30, 2, seed)
    y[:2] = "no", "yes"
    order = np.random.default_rng(seed).permutation(30)
    one, two = (KernelLogisticRegression(lam=0.05).fit(X[i], y[i]) for i in (slice(None), order))
    np.testing.assert_allclose(one.dual_coef_[order], two.dual_coef_, atol=1e-8)


@pytest.mark.parametrize("p", DIMENSIONS)
def test_float32_comes_back_as_float32_within_its_precision(p):
    X, y = labelled(60, p)
    single = KernelLogisticRegression(Gaussian(0.3)).fit(X.astype(np.float32), y)
    double = KernelLogisticRegression(Gaussian(0.3)).fit(X.astype(np.float32).astype(np.float64), y)
    assert single.dual_coef_.dtype == single.decision_function(X.astype(np.float32)).dtype == np.float32
    error = np.abs(
        single.decision_function(X.astype(np.float32)) - double.decision_function(X.astype(np.float32))
    )
    # a block of distances in float32 is out by a few ε times ‖x‖², and f sums |αᵢ| of it
    scale = max(1, 0.3 * np.max(np.sum(X**2, axis=1))) * np.abs(double.dual_coef_).sum()
    assert error.max() < 10 * np.finfo(np.float32).eps * scale


def test_too_few_steps_are_told_with_the_gap_that_is_left():
    X, y = labelled(60, 2)
    with pytest.warns(ConvergenceWarning, match=r"The duality gap is \S+ after 1 steps, not 1e-12"):
        model = KernelLogisticRegression(lam=1e-4, max_iter=1).fit(X, y)
    assert model.duality_gap_ > 1e-12


def test_scikit_learns_own_checks_pass():
    check_estimator(KernelLogisticRegression(), on_skip=None)


G, Y = np.eye(3), np.array([1.0, -1.0, 1.0])


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (
            lambda: Duality(G[:2], Y, lam=1, loss=Squared()),
            ValueError,
            r"G must be square, got shape \(2, 3\)",
        ),
        (
            lambda: Duality(np.triu(np.ones((3, 3))), Y, lam=1, loss=Squared()),
            ValueError,
            "G must be symmetric, got entries that differ from their mirror by 1",
        ),
        (
            lambda: Duality(G, Y[:2], lam=1, loss=Squared()),
            ValueError,
            r"y must have shape \(3,\), got \(2,\)",
        ),
        (lambda: Duality(G, [1, 0, 1], lam=1, loss=Logistic()), ValueError, "y must be −1 or 1 .* got 0"),
        (
            lambda: Duality(G, Y, lam=1, loss=Squared()).gap(np.ones((3, 1))),
            ValueError,
            r"alpha must have shape \(3,\), got \(3, 1\)",
        ),
        (
            lambda: Duality(G, Y, lam=1, loss=Squared()).dual([1, 2, np.nan]),
            ValueError,
            "alpha must be finite, got NaN or infinity in row 2",
        ),
        (
            lambda: feature_objective(G[:, :2], Y, Y, lam=1, loss=Squared()),
            ValueError,
            r"w must have shape \(2,\), got \(3,\)",
        ),
        (
            lambda: feature_objective(G, [1, 2, 3], Y, lam=1, loss=Logistic()),
            ValueError,
            "y must be −1 or 1 for the logistic loss, got 2",
        ),
        (
            lambda: representer(Gaussian(), G, G, np.ones(2)),
            ValueError,
            r"dual_coef must have shape \(3,\) or \(3, q\), got \(2,\)",
        ),
        (
            lambda: psd_eigh(np.diag([1.0, -0.5])),
            ValueError,
            "G must be positive semi-definite, .* got the eigenvalue -0.5",
        ),
        (
            lambda: KernelLogisticRegression().fit(G, [0, 1, 2]),
            ValueError,
            r"Only binary .* type of the target is multiclass, with 3 class\(es\)",
        ),
        (
            lambda: KernelLogisticRegression().fit(G, [1, 1, 1]),
            ValueError,
            r"Only binary .* with 1 class\(es\)",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence) as caught, np.errstate(all="raise"):
        call()
    assert "\n" not in str(caught.value)


def test_the_callers_array_may_change_after_fit():
    X, new = data(20, 2), data(5, 2, seed=1)
    model = KernelLogisticRegression().fit(X, X[:, 0] > 0)
    before = model.decision_function(new)
    X += 1
    np.testing.assert_array_equal(model.decision_function(new), before)


def test_more_than_two_classes_are_fitted_as_the_docstring_says():
    X = data(60, 2)
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    one_of_each = OneVsRestClassifier(KernelLogisticRegression(Gaussian(1.0), lam=1e-4)).fit(X, y)
    assert one_of_each.score(X, y) > np.bincount(y).max() / len(y)
