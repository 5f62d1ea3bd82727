"""Kernels that are functions of the inner product xᵀx′. Chapter: Kernels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernlib.kernels.base import Kernel
from kernlib.numerics.validation import check_count, check_positive

__all__ = ["Linear", "Polynomial"]


@dataclass(frozen=True)
class Linear(Kernel):
    """κ(x, x′) = xᵀx′, the kernel of linear prediction. Chapter: Kernels."""

    def values(self, X: NDArray, Y: NDArray | None = None) -> NDArray:
        return X @ (X if Y is None else Y).T

    def diagonal(self, X: NDArray) -> NDArray:
        return np.einsum("ij,ij->i", X, X)


@dataclass(frozen=True)
class Polynomial(Kernel):
    """κ(x, x′) = (xᵀx′ + c₀)ʳ: all monomials of degree r (c₀ = 0), or up to r (c₀ > 0).

    Its features number C(p+r−1, r) for c₀ = 0 and C(p+r, r) otherwise. Chapter: Kernels.

    Parameters
    ----------
    degree : int
        r ≥ 1.
    coef0 : float
        c₀ ≥ 0; a negative one gives no kernel.
    """

    degree: int = 2
    coef0: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "degree", check_count("degree", self.degree, 1))
        object.__setattr__(self, "coef0", check_positive("coef0", self.coef0, or_zero=True))

    def values(self, X: NDArray, Y: NDArray | None = None) -> NDArray:
        Y = X if Y is None else Y
        return (X @ Y.T + self.coef0) ** self.degree

    def diagonal(self, X: NDArray) -> NDArray:
        return (Linear().diagonal(X) + self.coef0) ** self.degree
