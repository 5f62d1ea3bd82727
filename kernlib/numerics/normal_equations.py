"""Add up the sums that ridge regression on features needs, slice by slice. Chapter: Beyond one machine."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import assert_all_finite

from kernlib.numerics.blocks import run_in_order
from kernlib.numerics.regularization import as_weights, row_keys
from kernlib.numerics.ridge_statistics import Folds, RidgeStatistics
from kernlib.numerics.rows import as_arrays, check_columns, check_transformer, tracked_slices, transform_rows
from kernlib.numerics.validation import as_targets

__all__ = ["add_up", "ridge_statistics", "slice_statistics"]


def ridge_statistics(
    features: Any,
    X: Any,
    y: Any,
    *,
    constant: bool = False,
    sample_weight: ArrayLike | None = None,
    verbose: bool = False,
) -> RidgeStatistics:
    """
    Compute n, ZᵀZ and Zᵀy for the rows zᵢ = φ̂(xᵢ), without ever holding Z.

    O(nc²) operations besides the features. Memory: O(c²) for each core, and Z for 8,192 rows. The products of
    a slice are in the dtype of the features, their sums in float64. So features in float32 give ZᵀZ to 10⁻⁸
    or 10⁻⁷ of its norm, which matters for a λ of about that part of κ(x, x): for one so small, use features
    in float64. Source: Chu et al. (2006). Chapter: Beyond one machine.

    Parameters
    ----------
    features : transformer
        A fitted `FourierFeatures`, `NystromFeatures` or scikit-learn transformer; φ̂ is its `transform`.
    X : array_like of shape (n, p)
        Rows are observations. An array that is read from a file as it is sliced, such as ``np.memmap``, is
        never in memory as a whole.
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
    slices = tracked_slices(as_arrays(X, y, sample_weight), verbose)
    return add_up(partial(slice_statistics, features, constant, 1), slices).total()


def add_up(compute: Callable[..., Any], slices: Iterable[tuple], total: Any = None) -> Any:
    """Add the sums that `compute` returns for slices from `row_slices` to a total, in threads."""

    def job(piece):
        return compute(*piece), piece[-1]

    def include(result):
        nonlocal total
        part, where = result
        if total is not None:
            check_columns(f"the features of X{where}", part.width, total.width, "before")
        total = part if total is None else total + part

    run_in_order(job, slices, include)
    return total


def slice_statistics(
    features: Any, constant: bool, folds: int, arrays: tuple, first: int, where: str
) -> Folds:
    """Compute the sums for a slice (X, y) or (X, y, s), for which Z is held; `first` is its first row."""
    X, y, *weights = arrays
    Z = transform_rows(features, X, first, where)
    y = np.asarray(y)
    assert_all_finite(y, input_name=f"y{where}")
    y = as_targets(y, len(Z), f"y{where}")
    s = as_weights(weights[0], len(Z), f"sample_weight{where}", of_part=True) if weights else None
    numbers = row_keys(np.asarray(X), y) % folds if folds > 1 else None
    parts = []
    for fold in range(folds):
        rows = slice(None) if folds == 1 else numbers == fold
        sums = weighted_sums(Z[rows], y[rows], None if s is None else s[rows], constant)
        if not (np.isfinite(sums.gram.diagonal()).all() and np.isfinite(sums.moment).all()):
            raise ValueError(
                f"the features of X{where} must be finite, and their squares, got NaN or infinity from row "
                f"{first} to {first + len(Z) - 1}."
            )
        parts.append(sums)
    return Folds(parts)


def weighted_sums(Z, y, s, constant):
    """Compute n, ZᵀSZ, ZᵀSy and Σ sᵢyᵢ² for weights s, or for ones if s is None."""
    n = len(Z) if s is None else float(s.sum())
    left, y_left = (Z.T, y.T) if s is None else (Z.T * s.astype(Z.dtype), y.T * s)
    sums, total = left.sum(axis=1, dtype=np.float64), y_left.sum(axis=-1)
    mean = total / max(n, 1)
    # y − ȳ, since float32 has too few digits for a large mean
    moment = left @ (y - mean).astype(Z.dtype) + np.multiply.outer(sums, mean)
    gram = (left @ Z).astype(np.float64, copy=False)
    if constant:
        gram = np.block([[gram, sums[:, None]], [sums, np.array(n)]])
        moment = np.concatenate([moment, total[None]])
    return RidgeStatistics(n, gram, moment, (y_left * y.T).sum(axis=-1))
