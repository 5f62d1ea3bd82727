"""Sums, products and positive multiples of kernels, which are kernels."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from kernlib.kernels.base import Kernel
from kernlib.numerics.validation import check_instance, check_positive

__all__ = ["Pair", "Product", "Scaled", "Sum"]


@dataclass(frozen=True)
class Pair(Kernel):
    """Two kernels whose values are combined, entry by entry, by ``combine``."""

    left: Kernel
    right: Kernel
    combine: ClassVar[np.ufunc]

    def __post_init__(self):
        check_instance("left", self.left, Kernel, "Gaussian(0.5)")
        check_instance("right", self.right, Kernel, "Gaussian(0.5)")

    def values(self, X: NDArray, Y: Any = None) -> NDArray:
        first, second = (None, None) if Y is None else Y
        G = self.left.values(X, first)
        return self.combine(G, self.right.values(X, second), out=G)

    def prepare(self, Y: NDArray) -> tuple[Any, Any]:
        return self.left.prepare(Y), self.right.prepare(Y)

    def diagonal(self, X: NDArray) -> NDArray:
        return self.combine(self.left.diagonal(X), self.right.diagonal(X))

    @property
    def amplitude(self) -> float:
        return float(self.combine(self.left.amplitude, self.right.amplitude))


class Sum(Pair):
    """κ₁ + κ₂, whose features are those of both side by side; written ``k1 + k2``.

    A frequency is drawn from κ₁'s law with probability q₁(0)/q(0), otherwise from κ₂'s. Chapter: Kernels.

    Parameters
    ----------
    left, right : Kernel
        κ₁ and κ₂.
    """

    combine = np.add

    def spectral_dim(self, p: int) -> int:
        return 1 + max(self.left.spectral_dim(p), self.right.spectral_dim(p))

    def spectral_map(self, U: NDArray, p: int) -> NDArray:
        left, right = (k.spectral_map(U[:, 1 : 1 + k.spectral_dim(p)], p) for k in (self.left, self.right))
        return np.where(U[:, 0] < self.left.amplitude / self.amplitude, left, right)


class Product(Pair):
    """κ₁ κ₂, whose features are all products of one feature of each; written ``k1 * k2``.

    A frequency is the sum of two, drawn independently from the two laws. Chapter: Kernels.

    Parameters
    ----------
    left, right : Kernel
        κ₁ and κ₂.
    """

    combine = np.multiply

    def spectral_dim(self, p: int) -> int:
        return self.left.spectral_dim(p) + self.right.spectral_dim(p)

    def spectral_map(self, U: NDArray, p: int) -> NDArray:
        first = self.left.spectral_dim(p)
        return self.left.spectral_map(U[:, :first], p) + self.right.spectral_map(U[:, first:], p)


@dataclass(frozen=True)
class Scaled(Kernel):
    """a κ, with the features of κ times √a and the spectral law of κ; written ``a * k``. Chapter: Kernels.

    Parameters
    ----------
    kernel : Kernel
        κ.
    scale : float
        a > 0, as a negative multiple is not a kernel.
    """

    kernel: Kernel
    scale: float

    def __post_init__(self):
        check_instance("kernel", self.kernel, Kernel, "Gaussian(0.5)")
        object.__setattr__(self, "scale", check_positive("scale", self.scale))

    def prepare(self, Y: NDArray) -> Any:
        return self.kernel.prepare(Y)

    def values(self, X: NDArray, Y: Any = None) -> NDArray:
        return self.scale * self.kernel.values(X, Y)

    def diagonal(self, X: NDArray) -> NDArray:
        return self.scale * self.kernel.diagonal(X)

    @property
    def amplitude(self) -> float:
        return self.scale * self.kernel.amplitude

    def spectral_dim(self, p: int) -> int:
        return self.kernel.spectral_dim(p)

    def spectral_map(self, U: NDArray, p: int) -> NDArray:
        return self.kernel.spectral_map(U, p)
