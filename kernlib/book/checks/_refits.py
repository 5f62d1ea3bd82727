"""Residuals of fits without some of the rows, and mistakes in them, for the checks of two chapters."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernlib.book.checks._compare import Comparison
from kernlib.ridge import dual_ridge

__all__ = ["CENTERED", "LEAVE_ONE_OUT", "TWICE", "by_formula", "residuals_of_refits"]

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


LEAVE_ONE_OUT = Comparison(
    "the residuals",
    residuals_of_refits,
    (),
    {
        "the refits keep the number nλ, not (n − 1)λ": {"shift": lambda n: n - 1},
        "these are the residuals on the data; divide by 1 − hᵢ": by_formula(lambda a, v, d, shift: shift * a),
        "this is f₋ᵢ(xᵢ), not the residual": lambda G, y, lam: y - residuals_of_refits(G, y, lam),
        "the sign is wrong: it is yᵢ − f₋ᵢ(xᵢ)": lambda *case: -residuals_of_refits(*case),
        "these are squares": lambda *case: residuals_of_refits(*case) ** 2,
        "these are the dual coefficients α": by_formula(lambda a, v, d, shift: a),
        "the shift is nλ, not λ": {"shift": lambda n: 1},
        TWICE: {"shift": lambda n: 2 * n},
        CENTERED: {"center": 1},
        "divide αᵢ by the entry of (G + nλI)⁻¹, do not multiply": by_formula(lambda a, v, d, shift: a * v),
        "take the diagonal of the inverse, not of G + nλI": by_formula(lambda a, v, d, shift: a / d),
        "divide by 1 − hᵢ, do not multiply": by_formula(lambda a, v, d, shift: shift**2 * a * v),
        "divide by 1 − hᵢ, not by hᵢ": by_formula(lambda a, v, d, shift: shift * a / (1 - shift * v)),
    },
)
