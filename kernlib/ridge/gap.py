"""The primal and the dual value along conjugate gradients: they enclose the optimum and meet there."""

from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.duality import Duality, Squared
from kernlib.numerics.conjugate_gradients import conjugate_steps
from kernlib.numerics.validation import check_count
from kernlib.ridge.direct import dual_ridge

__all__ = ["PrimalDualPath", "primal_dual_path"]


class PrimalDualPath(NamedTuple):
    """
    What `primal_dual_path` returns.

    Parameters
    ----------
    primal, dual : ndarray of shape (steps + 1,)
        P(α) and D(α) at the start and after each step.
    optimum : float
        Their common value at α = (G + nλI)⁻¹y.
    """

    primal: NDArray
    dual: NDArray
    optimum: float


def primal_dual_path(G: ArrayLike, y: ArrayLike, *, lam: float, steps: int) -> PrimalDualPath:
    """
    Compute P(α) and D(α) along conjugate gradients for (G + nλI)α = y, which climb D from α = 0.

    Each residual is made orthogonal to all earlier ones, as it is in exact arithmetic; otherwise rounding
    errors would make the path differ from one machine to the next. O(steps · n² + n³), the latter for the
    optimum. Source: Hestenes and Stiefel (1952). Chapter: Representer theorem and duality.

    Parameters
    ----------
    G, y : array_like of shape (n, n) and (n,)
        The Gram matrix and targets.
    lam : float
        λ > 0.
    steps : int
        The number of steps, from 1 to n.

    Returns
    -------
    PrimalDualPath
        The values and the optimum.
    """
    problem = Duality(G, y, lam=lam, loss=Squared())
    G, y, n = problem.G, problem.y, len(problem.y)
    steps = check_count("steps", steps, 1, n, "the size of G")
    basis: list[NDArray] = []

    def orthogonalize(residual):
        for _ in range(2):  # the second time removes what the rounding of the first left
            for earlier in basis:
                residual = residual - (earlier @ residual) * earlier
        if residual.any():
            basis.append(residual / np.linalg.norm(residual))
        return residual

    iterates = conjugate_steps(lambda d: G @ d + n * problem.lam * d, np.zeros(n), y, orthogonalize)
    path = [np.zeros(n), *(alpha for alpha, _ in islice(iterates, steps))]
    primal, dual = (np.array([value(alpha) for alpha in path]) for value in (problem.primal, problem.dual))
    return PrimalDualPath(primal, dual, problem.dual(dual_ridge(G, y, lam=lam)))
