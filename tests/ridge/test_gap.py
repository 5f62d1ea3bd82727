"""The primal and dual values along conjugate gradients, against the optimum and exact arithmetic."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from kernlib.duality import Duality, Squared
from kernlib.kernels import Gaussian
from kernlib.ridge import primal_dual_path

N, STEPS = 30, 8


def problem(gamma):
    """The Gram matrix of 30 places in [0, 1], and noisy values of a sine there."""
    rng = np.random.default_rng(1)
    x = np.sort(rng.random(N))
    return Gaussian(gamma)(x[:, None]), np.sin(2 * np.pi * x) + 0.2 * rng.normal(size=N)


@pytest.mark.parametrize("lam", [1e-6, 1e-3, 1.0])
def test_primal_and_dual_values_enclose_the_optimum_and_the_dual_never_falls(lam):
    primal, dual, best = primal_dual_path(*problem(10.0), lam=lam, steps=STEPS)
    assert len(primal) == len(dual) == STEPS + 1
    assert (primal >= best - 1e-12).all()
    assert (dual <= best + 1e-12).all()
    assert (np.diff(dual) >= -1e-12).all()
    if lam == 1.0:
        assert primal[-1] - dual[-1] < 1e-9


def conjugate_gradients_in_60_digits(A, y, steps):
    """The same recurrences in decimals, which round 10⁻⁴⁴ times as much: α after each step."""
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
    (G, y), lam = problem(gamma), 1e-6
    objective = Duality(G, y, lam=lam, loss=Squared())
    primal, dual, _ = primal_dual_path(G, y, lam=lam, steps=STEPS)
    # A has a condition number of at most 1 + 1/λ, and the values start at P(0)
    tolerance = N * np.finfo(float).eps * (1 + 1 / lam) * primal[0]
    for step, alpha in enumerate(conjugate_gradients_in_60_digits(G + N * lam * np.eye(N), y, STEPS)):
        assert primal[step + 1] == pytest.approx(objective.primal(alpha), abs=tolerance, rel=tolerance)
        assert dual[step + 1] == pytest.approx(objective.dual(alpha), abs=tolerance, rel=tolerance)


def test_targets_of_zeros_are_solved_at_the_start():
    primal, dual, best = primal_dual_path(np.eye(3), np.zeros(3), lam=1.0, steps=2)
    assert (primal == 0).all() and (dual == 0).all() and best == 0


def test_more_steps_than_rows_raise_an_error():
    with pytest.raises(ValueError, match=r"steps must be between 1 and 3 \(the size of G\), got 4"):
        primal_dual_path(np.eye(3), np.ones(3), lam=1.0, steps=4)
