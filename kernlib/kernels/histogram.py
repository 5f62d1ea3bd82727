"""Kernels of histograms: vectors without a negative entry, compared bin by bin."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernlib.kernels.base import Kernel
from kernlib.kernels.distances import rescale
from kernlib.numerics.validation import check_positive

__all__ = ["AdditiveChiSquared", "ChiSquared", "Hellinger", "Histogram", "Intersection"]


class Histogram(Kernel):
    """κ(x, y) = Σᵢ h(xᵢ, yᵢ), a kernel of two numbers summed over bins, for vectors without negative entries.

    A new kernel defines ``term``, which is h; and ``diagonal``, unless h(a, a) = a as for a mean. Negative
    entries raise an error. Source: Vedaldi and Zisserman (2012). Chapter: Object recognition.
    """

    def values(self, X: NDArray, Y: NDArray | None = None) -> NDArray:
        Y = X if Y is None else Y
        G = np.zeros((len(X), len(Y)), X.dtype)
        for x, y in zip(X.T, Y.T, strict=True):
            G += self.term(x[:, None], y)
        return G

    def check(self, X: NDArray, name: str = "X") -> None:
        if X.min() < 0:
            row = np.flatnonzero((X < 0).any(axis=1))[0]
            raise ValueError(f"{name} must have no negative entry, got {X[row].min():g} in row {row}.")
        super().check(X, name)

    def term(self, x: NDArray, y: NDArray) -> NDArray:
        """Compute h(xᵢ, yᵢ) in one bin for x of shape (n, 1) and y of shape (m,), exactly symmetric."""
        raise NotImplementedError

    def diagonal(self, X: NDArray) -> NDArray:
        return X.sum(axis=1)


@dataclass(frozen=True)
class AdditiveChiSquared(Histogram):
    """κ(x, y) = Σᵢ 2xᵢyᵢ/(xᵢ + yᵢ), where 0/0 counts as 0: the harmonic means of the bins.

    scikit-learn's ``additive_chi2_kernel``, −Σᵢ (xᵢ − yᵢ)²/(xᵢ + yᵢ), is only conditionally positive
    semi-definite. Source: Vedaldi and Zisserman (2012). Chapter: Object recognition.
    """

    def term(self, x: NDArray, y: NDArray) -> NDArray:
        with np.errstate(divide="ignore", over="ignore"):  # 1/0 = ∞, and 2/∞ = 0 as it should be
            return 2 / (1 / (x + 0.0) + 1 / (y + 0.0))  # −0 becomes 0


@dataclass(frozen=True)
class Intersection(Histogram):
    """κ(x, y) = Σᵢ min(xᵢ, yᵢ), the mass that two histograms share.

    On whole numbers its features are unary: 3 becomes (1, 1, 1, 0, …), and the inner product counts the
    ones in common. Source: Barla, Odone and Verri (2003). Chapter: Object recognition.
    """

    def term(self, x: NDArray, y: NDArray) -> NDArray:
        return np.minimum(x, y)


@dataclass(frozen=True)
class Hellinger(Histogram):
    """κ(x, y) = Σᵢ √(xᵢyᵢ), the linear kernel of φ(x) = √x, also known as Bhattacharyya's coefficient.

    It costs one matrix product. Source: Vedaldi and Zisserman (2012). Chapter: Object recognition.
    """

    def values(self, X: NDArray, Y: NDArray | None = None) -> NDArray:
        root = np.sqrt(X)
        return root @ (root if Y is None else np.sqrt(Y)).T


@dataclass(frozen=True)
class ChiSquared(Histogram):
    """κ(x, y) = exp(−γ Σᵢ (xᵢ − yᵢ)²/(xᵢ + yᵢ)), where 0/0 counts as 0.

    The sum is ‖φ(x) − φ(y)‖² with the features φ of the additive χ² kernel, but no function of x − y. Source:
    Zhang, Marszałek, Lazebnik and Schmid (2007). Chapter: Object recognition.

    Parameters
    ----------
    gamma : float
        γ > 0, in one over units of x.
    """

    gamma: float = 1.0

    def __post_init__(self):
        object.__setattr__(self, "gamma", check_positive("gamma", self.gamma))

    def values(self, X: NDArray, Y: NDArray | None = None) -> NDArray:
        left, right, scale = rescale(X, Y, self.gamma, X.dtype)
        with np.errstate(over="ignore"):  # exp(−∞) = 0
            G = super().values(left, right)  # the χ² distances
            G *= -float(scale)
        return np.exp(G, out=G)

    def term(self, x: NDArray, y: NDArray) -> NDArray:
        x, y = (np.maximum(a, np.finfo(a.dtype).tiny) for a in (x, y))  # 0/0 becomes 0/tiny
        gap = x - y
        return gap * (gap / (x + y))  # gap² could overflow

    def diagonal(self, X: NDArray) -> NDArray:
        return np.ones(len(X), X.dtype)
