"""Residuals of fits without some of the rows, and mistakes in them, for the checks of two chapters."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernlib.ridge import dual_ridge

__all__ = ["CENTERED", "TWICE", "by_formula", "residuals_of_refits"]

CENTERED = "do not center y: the model has no intercept"
TWICE = "the shift is nλ, not 2nλ: both terms of (P) have the factor ½"


def residuals_of_refits(
    G: NDArray,
    y: NDArray,
    lam: float,
    *,
    size: int = 1,
    shift: Callable[[int], float] = lambda n: n,
    center: int = 0,
) -> NDArray:
    """Compute yᵢ − f(xᵢ) for the fit f without the `size` neighboring rows that hold i; the fits keep nλ."""
    n, y = len(y), y - center * y.mean()
    residuals = np.empty(n)
    for left in np.arange(n).reshape(-1, size):
        rest = np.delete(np.arange(n), left)
        alpha = np.linalg.solve(G[np.ix_(rest, rest)] + shift(n) * lam * np.eye(len(rest)), y[rest])
        residuals[left] = y[left] - G[np.ix_(left, rest)] @ alpha
    return residuals


def by_formula(combine: Callable) -> Callable:
    """Make a mistake from α, the diagonals of (G + nλI)⁻¹ and of G + nλI, and the shift nλ."""
    return lambda G, y, lam: combine(
        dual_ridge(G, y, lam=lam),
        np.diag(np.linalg.inv(G + len(y) * lam * np.eye(len(y)))),
        np.diag(G) + len(y) * lam,
        len(y) * lam,
    )
