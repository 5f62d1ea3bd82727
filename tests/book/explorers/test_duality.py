"""The split of a function, the ridge fit, leave-one-out, and the work of n×n against p×p: against oracles."""

import numpy as np
import pytest

from kernlib.book.explorers import duality
from kernlib.book.explorers import duality_span as span
from kernlib.book.explorers import duality_twins as twins


def test_the_remainder_is_zero_at_the_rows_and_orthogonal_to_the_bumps_there():
    X, centers, a = span.places(span.START)[:, None], span.CENTERS[:, None], span.WEIGHTS
    G, K, C = (np.exp(-60 * (A - B.T) ** 2) for A, B in ((X, X), (X, centers), (centers, centers)))
    f_X, rest, norm, norm_rest = span.values_and_norms(X[:, 0])
    assert f_X == pytest.approx(K @ a, abs=1e-12) and rest == pytest.approx(np.zeros(6), abs=1e-12)
    assert norm == pytest.approx(f_X @ np.linalg.solve(G, f_X))  # the least norm of these six values
    assert norm + norm_rest == pytest.approx(a @ C @ a)
    loss, penalty = span.sums(2.0)
    assert loss == pytest.approx(span.ERRORS @ span.ERRORS / 12)
    assert penalty == pytest.approx(span.LAM / 2 * (norm + 4 * norm_rest))


def test_rows_may_be_dragged_together_and_at_the_centers_leave_no_remainder():
    together = ((0.3, 0.0),) * 5 + ((0.7, 0.0),)
    for x in (0.0, 0.012, 0.125):
        rows = tuple((place + x * i, 0.0) for i, (place, _) in enumerate(together))
        X = span.places(rows)
        _, rest, _, norm_rest = span.values_and_norms(X, rows)
        assert np.abs(X - np.array(rows)[:, 0]).max() <= 0.005 + 1e-12
        assert np.abs(rest).max() < 1e-6 and norm_rest > 0.1
    assert span.values_and_norms(span.CENTERS, span.AT_CENTERS)[3] < 1e-9


def test_the_fit_solves_the_normal_equations():
    X, y = duality.data()
    lam, gamma = 0.003, 7.0
    G = np.exp(-gamma * (X - X.T) ** 2)
    alpha = np.linalg.solve(G + 30 * lam * np.eye(30), y)
    expected = np.exp(-gamma * (duality.X_DRAWN - X.T) ** 2) @ alpha
    assert duality.fit(lam, gamma)["fit f"].y == pytest.approx(expected, abs=1e-8)


def counted(n, p):
    """Multiplications of the dual route, one by one: half of ΦΦᵀ, then Cholesky's three loops."""
    product = sum(p for i in range(n) for j in range(i + 1))
    cholesky = sum(k for j in range(n) for i in range(j, n) for k in [j])
    return product + cholesky


@pytest.mark.parametrize("n, p", [(60, 10), (60, 60), (40, 300)])
def test_the_count_is_that_of_the_loops_up_to_lower_orders(n, p):
    assert duality.multiplications(n, p) == pytest.approx(counted(n, p), rel=3 / n)


def test_the_dual_route_is_the_cheaper_one_exactly_below_p():
    for p in duality.FEATURES:
        dual, primal, crossing = duality.work(p).values()
        assert ((dual.y < primal.y) == (dual.x < p)).all()
        assert crossing.x == [p] and crossing.y[0] == duality.multiplications(p, p)
        G, covariance, features, _ = duality.memory(p).values()
        assert ((G.y < covariance.y) == (G.x < p)).all()
        assert features.y**2 == pytest.approx(G.y * covariance.y)


def test_the_leave_one_out_errors_are_those_of_refits():
    X, y = duality.data()
    lam, gamma = duality.LAMS[6], 10.0
    G = np.exp(-gamma * (X - X.T) ** 2)
    residuals = []
    for i in range(30):
        rest = np.arange(30) != i
        alpha = np.linalg.solve(G[np.ix_(rest, rest)] + 30 * lam * np.eye(29), y[rest])
        residuals.append(y[i] - G[i, rest] @ alpha)
    expected = np.sqrt(np.mean(np.square(residuals)))
    assert duality.errors_over_lam(gamma)["leaving one out"].y[6] == pytest.approx(expected)


def test_twins_at_one_place_are_a_row_of_twice_the_weight_and_split_its_coefficient_by_their_residuals():
    for lam in twins.LAMS:
        alpha = twins.coefficients((twins.FIRST, (twins.FIRST[0], 0.1)), lam)
        X = np.array([twins.FIRST, *twins.OTHERS])[:, :1]
        y = np.array([0.35, *(value for _, value in twins.OTHERS)])  # the twins' mean
        weights = np.diag([0.5, *[1.0] * 9])
        G = np.exp(-twins.GAMMA * (X - X.T) ** 2)
        single = np.linalg.solve(G + twins.ROWS * lam * weights, y)
        assert [alpha[0] + alpha[1], *alpha[2:]] == pytest.approx(single, abs=1e-6)
        assert (alpha[0] - alpha[1]) * twins.ROWS * lam == pytest.approx(0.5)


def test_the_residuals_of_the_twins_are_what_the_curve_misses_them_by():
    for x, y, lam in ((0.45, 0.1, 1e-6), (0.46, 0.1, 1e-6), (0.5, 1.2, 0.1)):
        both = (twins.FIRST, (x, y))
        missed = np.array([0.6, y]) - twins.curve_at(np.array([0.45, x]), both, lam)
        assert twins.ROWS * lam * twins.coefficients(both, lam)[:2] == pytest.approx(missed, abs=1e-8)


def test_the_curve_of_twins_at_one_place_is_that_of_both_in_their_middle():
    fits = twins.twins_fit(0.45, 0.1, 1e-6)
    assert fits["fit"].y == pytest.approx(fits["both twins at their midpoint"].y, abs=1e-8)
    fits = twins.twins_fit(0.46, 0.1, 1e-6)
    assert np.abs(fits["fit"].y - fits["both twins at their midpoint"].y).max() > 1
