"""The sums that ridge regression on features needs, added up slice by slice, and its solution from them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial, reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import assert_all_finite

from kernlib.numerics.blocks import run_in_order
from kernlib.numerics.conjugate_gradients import units_of
from kernlib.numerics.psd import EXACT_TO, psd_eigh, shifted_solve
from kernlib.numerics.regularization import as_weights, observation_keys, warn_if_far
from kernlib.numerics.rows import as_arrays, check_transformer, row_slices, track_slices, transform_rows
from kernlib.numerics.validation import as_array, as_targets, check_positive

__all__ = ["Folds", "RidgeStatistics", "Sums", "add_part", "add_up", "ridge_statistics", "slice_statistics"]

IN_FLOAT32 = EXACT_TO[np.dtype(np.float32)]


@dataclass(frozen=True, eq=False)
class RidgeStatistics:
    """What ridge regression needs of n rows: n, ZᵀZ = Σ zᵢzᵢᵀ and Zᵀy = Σ yᵢzᵢ, where zᵢ = φ̂(xᵢ).

    Those of two parts of the data add up to those of the whole: ``first + second``. For an intercept, the
    last feature is the constant 1, so ZᵀZ contains Σ zᵢ, and Zᵀy contains Σ yᵢ. A row of weight s counts s
    times. O(c² + cq) memory; pickle sends half of it. Source: Chu et al. (2006). Chapter: Beyond one machine.

    Parameters
    ----------
    n : int or float
        Number of rows, or the sum of their weights.
    gram, moment : ndarray of shape (c, c), and (c,) or (c, q)
        ZᵀZ and Zᵀy, in float64, the latter with a column for each output.
    squares : ndarray of shape () or (q,), optional
        Σ yᵢ², which only `squared_errors` needs.
    size : float
        The largest entry of ZᵀZ before it was centered, as a part of which it is exact.
    """

    n: float
    gram: NDArray
    moment: NDArray
    squares: NDArray | None = None
    size: float = 0.0

    def __add__(self, other: "RidgeStatistics") -> "RidgeStatistics":
        if not isinstance(other, RidgeStatistics):
            return NotImplemented
        if self.moment.shape != other.moment.shape:
            shapes = f"{self.moment.shape} and {other.moment.shape}"
            raise ValueError(f"all parts must have the same features and outputs, got Zᵀy of shape {shapes}.")
        squares = None if self.squares is None or other.squares is None else self.squares + other.squares
        return RidgeStatistics(self.n + other.n, self.gram + other.gram, self.moment + other.moment, squares)

    def times(self, factor: float) -> "RidgeStatistics":
        """Return the sums for weights that are `factor` times as large."""
        squares = None if self.squares is None else factor * self.squares
        return RidgeStatistics(factor * self.n, factor * self.gram, factor * self.moment, squares)

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields, with only the lower triangle of ZᵀZ if it is symmetric to the last bit."""
        if np.array_equal(self.gram, self.gram.T):
            return self.__dict__ | {"gram": self.gram[np.tri(len(self.gram), dtype=bool)]}
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.gram.ndim == 1:
            c = len(self.moment)
            gram, lower = np.empty((c, c), self.gram.dtype), np.tri(c, dtype=bool)
            gram[lower] = gram.T[lower] = self.gram
            self.__dict__["gram"] = gram

    def solve(self, *, lam: float, intercept: bool = False) -> NDArray:
        """Compute w = (ZᵀZ + nλI)⁻¹Zᵀy, the weights of f(x) = wᵀφ̂(x), for λ > 0.

        With an intercept, the weight of the last feature, the constant 1, is not penalized. O(c³) for each λ.
        If nλ is lost in the rounding errors of a singular ZᵀZ, the part of w in Ker ZᵀZ is left out.
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
        w = shifted_solve(self.gram, self.moment, self.n * lam, IN_FLOAT32, self.size)
        return w, np.zeros(w.shape[1:])

    def mean_squares(self, intercept: bool) -> tuple[float, float]:
        """Return the mean of ‖φ̂(x)‖², without the constant, and with an intercept that of ‖φ̂(x) − z̄‖²."""
        if not intercept:
            return (np.trace(self.gram) / self.n,) * 2
        return np.trace(self.gram[:-1, :-1]) / self.n, np.trace(self.centered()[0].gram) / self.n

    def centered(self) -> tuple["RidgeStatistics", tuple[NDArray, NDArray]]:
        """Return the sums for zᵢ − z̄ and yᵢ − ȳ without the constant, and the means z̄ and ȳ."""
        means = self.gram[-1, :-1] / self.n, self.moment[-1] / self.n
        return self.about(*means), means

    def warn_if_far(self) -> None:
        """Warn if an intercept leaves so little of ZᵀZ that its rounding errors count."""
        squares, sums = self.gram.diagonal()[:-1], self.gram[-1, :-1]
        warn_if_far(squares.max(initial=0.0), (squares - sums**2 / self.n).max(initial=0.0))

    def about(self, z: NDArray, y: NDArray) -> "RidgeStatistics":
        """Return the sums for zᵢ − z and yᵢ − y without the constant, the last feature."""
        sums, total = self.gram[-1, :-1] - self.n * z, self.moment[-1] - self.n * y
        gram = self.gram[:-1, :-1] - np.outer(self.gram[-1, :-1], z) - np.outer(z, sums)
        moment = self.moment[:-1] - np.multiply.outer(self.gram[-1, :-1], y) - np.multiply.outer(z, total)
        squares = None if self.squares is None else self.squares - y * (self.moment[-1] + total)
        return RidgeStatistics(self.n, gram, moment, squares, self.gram.diagonal()[:-1].max(initial=0.0))

    def solve_path(self, lams: NDArray, exact_to: float) -> tuple[NDArray, NDArray, NDArray]:
        """Decompose ZᵀZ = VSVᵀ; return V, 1/(S + nλ) for all λ, and Vᵀw for all λ and outputs, as columns."""
        S, V = psd_eigh(self.gram, exact_to, self.size)
        inverse = np.where(S[:, None] > 0, 1 / (S[:, None] + self.n * lams), 0)
        rotated = V.T @ self.moment.reshape(len(S), -1)
        return V, inverse, (inverse[:, :, None] * rotated[:, None, :]).reshape(len(S), -1)

    def squared_errors(self, W: NDArray) -> NDArray:
        """Compute Σ (yᵢ − wᵀzᵢ)², the mean of q outputs, for L solutions w: W has shape (c, L, 1 or q)."""
        c, _, q = W.shape
        curved = (W * (self.gram @ W.reshape(c, -1)).reshape(W.shape)).sum(axis=0)
        straight = (W * self.moment.reshape(c, 1, q)).sum(axis=0)
        return np.maximum(self.squares - 2 * straight + curved, 0).mean(axis=1)


class Sums(tuple):
    """Several sums over the rows, as arrays or `RidgeStatistics`, which are added one by one."""

    def __add__(self, other):
        return type(self)(a + b for a, b in zip(self, other, strict=True))


class Folds(Sums):
    """The `RidgeStatistics` of several folds of the rows."""

    def total(self) -> RidgeStatistics:
        """Add the folds."""
        return reduce(add, self)

    def validation_errors(self, lams: NDArray, *, intercept: bool) -> NDArray:
        """Compute the mean square error of each λ on each fold, fitted on the others; ∞ if there are none."""
        errors, total = np.zeros(len(lams)), self.total()
        squares = np.sum(np.asarray(total.squares))
        if not squares < np.inf or squares < 1e-300 < np.abs(total.moment).max():
            raise ValueError(f"the squares of y must add up to 1e-300 to 1e308, got {squares:g}.")
        for fold in self:
            rest = Folds(other for other in self if other is not fold).total()
            if rest.n == 0:
                return np.full(len(lams), np.inf)
            if intercept:
                rest, means = rest.centered()
                fold = fold.about(*means)
            V, _, rotated = rest.solve_path(lams, IN_FLOAT32)
            errors += fold.squared_errors((V @ rotated).reshape(len(V), len(lams), -1))
        return errors / total.n


def ridge_statistics(
    features: Any, X: Any, y: Any, *, constant: bool = False, sample_weight: ArrayLike | None = None,
    verbose: bool = False,
) -> RidgeStatistics:  # fmt: skip
    """Compute n, ZᵀZ and Zᵀy for the rows zᵢ = φ̂(xᵢ), without ever holding Z.

    O(nc²) operations. Memory: O(c²) for each core, and Z for 8,192 rows. Features in float32 give ZᵀZ to 10⁻⁷
    of its norm: a λ/κ(x, x) below it needs float64. Source: Chu et al. (2006). Chapter: Beyond one machine.

    Parameters
    ----------
    features : transformer
        A fitted `FourierFeatures`, `NystromFeatures` or scikit-learn transformer; φ̂ is its `transform`.
    X : array_like of shape (n, p)
        Rows are observations; an array in a file, such as ``np.memmap``, is never in memory as a whole.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output; may come from a file too.
    constant : bool
        Whether to append the feature 1, for an intercept.
    sample_weight : array_like of shape (n,), optional
        Weights of the rows, zero or positive.
    verbose : bool
        Whether to show the progress of a run of more than two seconds, on a terminal or in a notebook.

    Returns
    -------
    RidgeStatistics
        The same, to the last bit, on any number of cores.
    """
    check_transformer(features, "transform")
    arrays = as_arrays(X, y, sample_weight)
    slices = track_slices(row_slices(arrays), arrays[0].shape[0], verbose)
    return add_up(partial(slice_statistics, features, constant, 1), slices).total()


def add_up(compute: Callable[..., Any], slices: Iterable[tuple], total: Any = None) -> Any:
    """Add the sums that `compute` returns for slices from `row_slices` to a total, in threads."""

    def include(result):
        nonlocal total
        total = add_part(total, *result)

    run_in_order(lambda piece: (compute(*piece), piece[-1]), slices, include)
    return total


def add_part(total: Any, part: Any, where: str) -> Any:
    """Add a part to a total, which is None at first; an error ends with `where`."""
    try:
        return part if total is None else total + part
    except ValueError as error:
        raise ValueError(f"{str(error)[:-1]}{where}.") from None


def slice_statistics(
    features: Any, constant: bool, folds: int, arrays: tuple, first: int, where: str
) -> Folds:
    """Compute the sums for a slice (X, y) or (X, y, s), for which Z is held; `first` is its first row."""
    X, y, *weights = arrays
    Z = transform_rows(features, X, first, where)
    y = as_array(y, f"y{where}")
    assert_all_finite(y, input_name=f"y{where}")
    y = as_targets(y, len(Z), f"y{where}")
    s = as_weights(weights[0], len(Z), f"sample_weight{where}", of_part=True) if weights else None
    numbers = observation_keys(np.asarray(X), y, first) % folds if folds > 1 else None
    unit = 1 if s is None else float(units_of(s))  # in which weights are in the range of float32
    parts = []
    for fold in range(folds):
        rows = slice(None) if folds == 1 else numbers == fold
        sums = weighted_sums(Z[rows], y[rows], None if s is None else s[rows] / unit, constant).times(unit)
        if not (np.isfinite(sums.gram.diagonal()).all() and np.isfinite(sums.moment).all()):
            wrong = "y" if np.isfinite(sums.gram.diagonal()).all() else "the features of X"
            found = f"NaN or infinity from row {first} to {first + len(Z) - 1}"
            raise ValueError(f"{wrong}{where} must be finite, and their squares, got {found}.")
        parts.append(sums)
    return Folds(parts)


def weighted_sums(Z, y, s, constant):
    """Compute n, ZᵀSZ, ZᵀSy and Σ sᵢyᵢ² for weights s, or for ones if s is None."""
    n = len(Z) if s is None else float(s.sum())
    left, y_left = (Z.T, y.T) if s is None else (Z.T * s.astype(Z.dtype), y.T * s)
    sums, total = left.sum(axis=1, dtype=np.float64), y_left.sum(axis=-1)
    mean = total / (n or 1)
    # y − ȳ, since float32 has too few digits for a large mean
    moment = left @ (y - mean).astype(Z.dtype) + np.multiply.outer(sums, mean)
    root = Z if s is None else Z * np.sqrt(s).astype(Z.dtype)[:, None]
    gram = (root.T @ root).astype(np.float64, copy=False)  # symmetric to the last bit
    if constant:
        gram = np.block([[gram, sums[:, None]], [sums, np.array(n)]])
        moment = np.concatenate([moment, total[None]])
    return RidgeStatistics(n, gram, moment, (y_left * y.T).sum(axis=-1))
