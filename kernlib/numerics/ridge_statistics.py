"""The sums over the data that ridge regression on features needs, and its solution from them."""

from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np
from numpy.typing import NDArray

from kernlib.numerics.psd import EXACT_TO, psd_eigh, shifted_solve
from kernlib.numerics.validation import check_positive

__all__ = ["Folds", "RidgeStatistics"]

IN_FLOAT32 = EXACT_TO[np.dtype(np.float32)]


@dataclass(frozen=True, eq=False)
class RidgeStatistics:
    """
    What ridge regression needs of n rows: n, ZᵀZ = Σ zᵢzᵢᵀ and Zᵀy = Σ yᵢzᵢ, where zᵢ = φ̂(xᵢ).

    All are sums over the rows, so those of two parts of the data add up to those of the whole: ``first +
    second``, which raises a ValueError if they differ in c or q. For an intercept, the last feature is the
    constant 1, so ZᵀZ contains Σ zᵢ, and Zᵀy contains Σ yᵢ. Rows with weights sᵢ count sᵢ times. O(c² + cq)
    memory, for any n. Source: Chu et al. (2006). Chapter: Beyond one machine.

    Parameters
    ----------
    n : int or float
        Number of rows, or the sum of their weights.
    gram : ndarray of shape (c, c)
        ZᵀZ, in float64.
    moment : ndarray of shape (c,) or (c, q)
        Zᵀy, in float64, a column for each output.
    squares : ndarray of shape () or (q,), optional
        Σ yᵢ², which only `squared_errors` needs.
    """

    n: float
    gram: NDArray
    moment: NDArray
    squares: NDArray | None = None

    def __add__(self, other: "RidgeStatistics") -> "RidgeStatistics":
        if not isinstance(other, RidgeStatistics):
            return NotImplemented
        if self.moment.shape != other.moment.shape:
            raise ValueError(
                f"all parts must have the same features and outputs, got Zᵀy of shape {self.moment.shape} "
                f"and {other.moment.shape}."
            )
        squares = None if self.squares is None or other.squares is None else self.squares + other.squares
        return RidgeStatistics(self.n + other.n, self.gram + other.gram, self.moment + other.moment, squares)

    def solve(self, *, lam: float, intercept: bool = False) -> NDArray:
        """
        Compute w = (ZᵀZ + nλI)⁻¹Zᵀy, the weights of f(x) = wᵀφ̂(x), for λ > 0.

        With an intercept, the weight of the last feature, the constant 1, is not penalized. O(c³) for each λ;
        scikit-learn's Ridge calls nλ alpha. If nλ is lost in the rounding errors of a singular ZᵀZ, the part
        of w in Ker ZᵀZ is left out.
        """
        w, b = self.coefficients(check_positive("lam", lam), intercept)
        return np.concatenate([w, b[None]]) if intercept else w

    def coefficients(self, lam: float, intercept: bool) -> tuple[NDArray, NDArray]:
        """Compute w without the weight of the constant, and that weight, b, which is 0 without intercept."""
        if intercept:
            centered, (z, y) = self.centered()
            w, _ = centered.coefficients(lam, intercept=False)
            return w, y - z @ w
        # the sums are in float64, but the products of the slices may have been in float32
        w = shifted_solve(self.gram, self.moment, self.n * lam, IN_FLOAT32)
        return w, np.zeros(w.shape[1:])

    def mean_square(self, intercept: bool) -> float:
        """Return the mean of ‖φ̂(x)‖², without the constant."""
        return np.trace(self.gram) / self.n - intercept

    def centered(self) -> tuple["RidgeStatistics", tuple[NDArray, NDArray]]:
        """Return the sums for zᵢ − z̄ and yᵢ − ȳ without the constant, and the means z̄ and ȳ."""
        means = self.gram[-1, :-1] / self.n, self.moment[-1] / self.n
        return self.about(*means), means

    def about(self, z: NDArray, y: NDArray) -> "RidgeStatistics":
        """Return the sums for zᵢ − z and yᵢ − y without the constant, the last feature."""
        sums, total = self.gram[-1, :-1] - self.n * z, self.moment[-1] - self.n * y
        gram = self.gram[:-1, :-1] - np.outer(self.gram[-1, :-1], z) - np.outer(z, sums)
        moment = self.moment[:-1] - np.multiply.outer(self.gram[-1, :-1], y) - np.multiply.outer(z, total)
        squares = None if self.squares is None else self.squares - y * (self.moment[-1] + total)
        return RidgeStatistics(self.n, gram, moment, squares)

    def solve_path(self, lams: NDArray, exact_to: float) -> tuple[NDArray, NDArray, NDArray]:
        """Decompose ZᵀZ = VSVᵀ; return V, 1/(S + nλ) for all λ, and Vᵀw for all λ and outputs, as columns."""
        S, V = psd_eigh(self.gram, exact_to)
        inverse = np.where(S[:, None] > 0, 1 / (S[:, None] + self.n * lams), 0)
        rotated = V.T @ self.moment.reshape(len(S), -1)
        return V, inverse, (inverse[:, :, None] * rotated[:, None, :]).reshape(len(S), -1)

    def squared_errors(self, W: NDArray) -> NDArray:
        """Compute Σ (yᵢ − wᵀzᵢ)², of shape (L,), for L solutions w: W has shape (c, L, 1) or (c, L, q)."""
        c, _, q = W.shape
        curved = (W * (self.gram @ W.reshape(c, -1)).reshape(W.shape)).sum(axis=0)
        straight = (W * self.moment.reshape(c, 1, q)).sum(axis=0)
        return np.maximum(self.squares - 2 * straight + curved, 0).sum(axis=1)


class Folds(tuple):
    """The `RidgeStatistics` of parts of the data, which are added part by part."""

    def __add__(self, other):
        return Folds(a + b for a, b in zip(self, other, strict=True))

    def total(self) -> RidgeStatistics:
        """Add the parts."""
        return reduce(add, self)

    @property
    def width(self) -> int:
        """Return c, the number of features."""
        return len(self[0].gram)

    def validation_errors(self, lams: NDArray, *, intercept: bool) -> NDArray:
        """Compute the mean square error of each λ on each fold, fitted on the others; ∞ if there are none."""
        errors = np.zeros(len(lams))
        for fold in self:
            rest = reduce(add, (other for other in self if other is not fold))
            if fold.n == 0:
                continue
            if rest.n == 0:
                return np.full(len(lams), np.inf)
            if intercept:
                rest, means = rest.centered()
                fold = fold.about(*means)
            V, _, rotated = rest.solve_path(lams, IN_FLOAT32)
            errors += fold.squared_errors((V @ rotated).reshape(len(V), len(lams), -1))
        return errors / self.total().n
