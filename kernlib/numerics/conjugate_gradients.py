"""Conjugate gradients, preconditioned, for several right-hand sides at once."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["conjugate_steps", "relative_norm", "units_of"]


def conjugate_steps(multiply: Callable, alpha: NDArray, r: NDArray, precondition: Callable) -> Iterator:
    """Yield α and its residual r after each step of conjugate gradients from α; `multiply` is v ↦ Av."""
    d = z = precondition(r)
    rho = np.sum(r * z, axis=0)
    while True:
        Ad = multiply(d)
        step = divide_or_zero(rho, np.sum(d * Ad, axis=0))
        alpha, r = alpha + step * d, r - step * Ad
        yield alpha, r
        z, old = precondition(r), rho
        rho = np.sum(r * z, axis=0)
        d = z + divide_or_zero(rho, old) * d


def divide_or_zero(a: NDArray, b: NDArray) -> NDArray:
    """Compute a/b, and 0 where b is 0: an output that is solved exactly needs no further step."""
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0)


def units_of(targets: NDArray) -> NDArray:
    """Return a power of two near each column's largest entry: squares in these units stay in range."""
    return np.ldexp(1.0, np.frexp(np.abs(targets).max(axis=0))[1])


def relative_norm(R: NDArray, targets: NDArray) -> float:
    """Compute the norm of each column of R as a part of that of the target, and return the largest."""
    return float(divide_or_zero(np.linalg.norm(R, axis=0), np.linalg.norm(targets, axis=0)).max())
