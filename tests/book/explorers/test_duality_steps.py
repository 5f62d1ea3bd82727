"""The primal and dual values along conjugate gradients, against the optimum and exact arithmetic."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from kernlib.book.explorers import duality_steps
from kernlib.duality import Duality, Squared
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge

N = 30


def problem(gamma, lam):
    X, y = duality_steps.data()
    return Duality(Gaussian(gamma)(X), y, lam=lam, loss=Squared())


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 1.0])
def test_primal_and_dual_values_enclose_the_optimum_and_the_dual_never_falls(lam):
    thirty = problem(10.0, lam)
    _, primal, dual = duality_steps.path(lam, 10.0)
    best = thirty.dual(dual_ridge(thirty.G, thirty.y, lam=lam))
    assert len(primal) == len(dual) == duality_steps.STEPS + 1
    assert (primal >= best - 1e-12).all()
    assert (dual <= best + 1e-12).all()
    assert (np.diff(dual) >= -1e-12).all()
    if lam == 1.0:
        assert primal[-1] - dual[-1] < 1e-9


def conjugate_gradients_in_60_digits(A, y, steps):
    """The recurrences of the chapter in decimals, which round 10⁻⁴⁴ times as much: α after each step."""
    with localcontext(prec=60):
        A, residual = (np.vectorize(Decimal, otypes=[object])(array) for array in (A, y))
        alpha, direction, path = 0 * residual, residual, []
        for _ in range(steps):
            A_direction, length = A @ direction, residual @ residual
            step = length / (direction @ A_direction)
            alpha, residual = alpha + step * direction, residual - step * A_direction
            direction = residual + (residual @ residual) / length * direction
            path.append(alpha.astype(float))
    return path


@pytest.mark.parametrize("gamma", [0.1, 3.0, 10.0])
def test_the_steps_are_those_of_exact_arithmetic(gamma):
    lam, steps = 1e-6, 8
    thirty = problem(gamma, lam)
    _, primal, dual = duality_steps.path(lam, gamma)
    # A has a condition number of at most 1 + 1/λ, and the values start at P(0)
    tolerance = N * np.finfo(float).eps * (1 + 1 / lam) * primal[0]
    exact = conjugate_gradients_in_60_digits(thirty.G + N * lam * np.eye(N), thirty.y, steps)
    for step, alpha in enumerate(exact, start=1):
        assert primal[step] == pytest.approx(thirty.primal(alpha), abs=tolerance, rel=tolerance)
        assert dual[step] == pytest.approx(thirty.dual(alpha), abs=tolerance, rel=tolerance)


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 1.0])
@pytest.mark.parametrize("gamma", [0.1, 10.0, 1000.0])
def test_the_squares_of_the_residuals_parts_add_up_to_the_gap(gamma, lam):
    thirty = problem(gamma, lam)
    alphas, *_ = duality_steps.path(lam, gamma)
    for t, alpha in enumerate(alphas):
        dots = duality_steps.residual_parts(t, lam, gamma).values()
        squares = np.concatenate([np.square(part.y) for part in dots])
        # 2n(P − D) = ‖r‖²; a lowest dot may have less than it shows
        raised = len(squares) * duality_steps.LEAST_PART**2
        share = 2 * N * thirty.gap(alpha) / (thirty.y @ thirty.y)
        assert share - 1e-9 <= squares.sum() <= share + raised + 1e-9
