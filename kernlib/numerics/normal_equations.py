"""The three sums over the data that ridge regression on features needs, their addition and their solution.

Chapter: Beyond one machine.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite

from kernlib.numerics.blocks import run_in_order
from kernlib.numerics.psd import EXACT_TO, shifted_solve
from kernlib.numerics.rows import (
    as_block,
    as_sliceable,
    check_columns,
    check_transformer,
    row_slices,
    track_slices,
    transform_rows,
)
from kernlib.numerics.validation import as_targets, check_positive, check_shape

__all__ = ["RidgeStatistics", "add_up", "ridge_statistics"]


@dataclass(frozen=True, eq=False)
class RidgeStatistics:
    """
    What ridge regression needs of n rows: n, ZᵀZ = Σ zᵢzᵢᵀ and Zᵀy = Σ yᵢzᵢ, where zᵢ = φ̂(xᵢ).

    All three are sums over the rows, so those of two parts of the data add up to those of the whole:
    ``first + second``.

    Parameters
    ----------
    n : int
        Number of rows.
    gram : ndarray of shape (c, c)
        ZᵀZ, in float64.
    moment : ndarray of shape (c,) or (c, q)
        Zᵀy, in float64, a column for each output.

    Raises
    ------
    ValueError
        From ``first + second``, if they differ in c or q.

    Notes
    -----
    O(c² + cq) memory, for any n. Source: Chu et al. (2006). Chapter: Beyond one machine.
    """

    n: int
    gram: NDArray
    moment: NDArray

    def __add__(self, other: "RidgeStatistics") -> "RidgeStatistics":
        if not isinstance(other, RidgeStatistics):
            return NotImplemented
        if self.moment.shape != other.moment.shape:
            raise ValueError(
                f"all parts must have the same features and outputs, got Zᵀy of shape {self.moment.shape} "
                f"and {other.moment.shape}."
            )
        return RidgeStatistics(self.n + other.n, self.gram + other.gram, self.moment + other.moment)

    def solve(self, *, lam: float) -> NDArray:
        """
        Compute w = (ZᵀZ + nλI)⁻¹Zᵀy, the weights of f(x) = wᵀφ̂(x), for λ > 0.

        O(c³) for each λ, without the data; scikit-learn's Ridge calls nλ alpha. If nλ is lost in the rounding
        errors of a singular ZᵀZ, the part of w in Ker ZᵀZ is left out, as by `primal_ridge`.
        """
        lam = check_positive("lam", lam)
        # the sums are in float64, but the products of the slices may have been in float32
        return shifted_solve(self.gram, self.moment, self.n * lam, EXACT_TO[np.dtype(np.float32)])


def ridge_statistics(features: Any, X: Any, y: Any, *, verbose: bool = False) -> RidgeStatistics:
    """
    Compute n, ZᵀZ and Zᵀy for the rows zᵢ = φ̂(xᵢ), without ever holding Z.

    Parameters
    ----------
    features : transformer
        A fitted `FourierFeatures`, `NystromFeatures` or scikit-learn transformer; φ̂ is its `transform`.
    X : array_like of shape (n, p)
        Rows are observations. An array that is read from a file as it is sliced, such as ``np.memmap``,
        is never in memory as a whole.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output; may come from a file too.
    verbose : bool
        Whether to show the progress of a run of more than two seconds, on a terminal or in a notebook.

    Returns
    -------
    RidgeStatistics
        The same, to the last bit, on any number of cores.

    Raises
    ------
    TypeError, ValueError
        If X is not a finite matrix with the columns that the features know, y does not fit it, or
        `features.transform` does not return a finite, dense array.

    Notes
    -----
    O(nc²) operations besides the features. Memory: O(c²) for each core, and Z for 8,192 rows. The products of
    a slice are in the dtype of the features, their sums in float64. So features in float32 give ZᵀZ to 10⁻⁸
    or 10⁻⁷ of its norm, which matters for a λ of about that part of κ(x, x): for one so small, use features
    in float64. Source: Chu et al. (2006). Chapter: Beyond one machine.
    """
    check_transformer(features, "transform")
    X = as_sliceable(X, "X")
    check_shape(X.shape)
    X, y = as_block((X, y))
    return add_up(features, track_slices(row_slices(X, y), X.shape[0], verbose))


def add_up(features: Any, slices: Iterable[tuple], total: RidgeStatistics | None = None) -> Any:
    """Add the statistics of slices from `row_slices` to a total, slice by slice in threads."""

    def job(piece):
        return slice_statistics(features, *piece), piece[-1]

    def add(result):
        nonlocal total
        part, where = result
        if total is not None:
            check_columns(f"the features of X{where}", len(part.gram), len(total.gram), "before")
        total = part if total is None else total + part

    run_in_order(job, slices, add)
    return total


def slice_statistics(features, X, y, first=0, where=""):
    """Compute n, ZᵀZ and Zᵀy for a slice of the rows, for which Z is held; `first` is its first row."""
    Z = transform_rows(features, X, first, where)
    y = np.asarray(y)
    assert_all_finite(y, input_name=f"y{where}")
    y = as_targets(y, len(Z), f"y{where}").astype(Z.dtype, copy=False)
    gram, moment = ((Z.T @ A).astype(np.float64, copy=False) for A in (Z, y))
    if not (np.isfinite(gram.diagonal()).all() and np.isfinite(moment).all()):
        rows = f"from row {first} to {first + len(Z) - 1}"
        raise ValueError(
            f"the features of X{where} must be finite, and their squares, got NaN or infinity {rows}."
        )
    return RidgeStatistics(len(Z), gram, moment)
