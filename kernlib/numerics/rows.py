"""Rows of arrays that may be larger than the memory: checked, cut into slices, transformed to features."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.exceptions import NotFittedError

from kernlib.numerics.blocks import slices
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.validation import as_array, as_matrix, check_shape, describe

__all__ = [
    "as_arrays", "as_block", "as_sliceable", "as_two_sets", "check_columns", "check_transformer",
    "row_slices", "take_rows", "track_slices", "transform_rows",
]  # fmt: skip

SLICE = 8192  # rows: enough that the c × c product of a slice costs more than adding it up


def as_block(block: Any, where: str = "") -> tuple:
    """Return X, y and weights, if given, as objects with rows; in errors, `where` follows their names."""
    if not (isinstance(block, tuple | list) and len(block) in (2, 3)):
        found = f"{type(block).__name__}{where}"
        raise TypeError(f"each block must be a pair (X, y), or a triple with weights, got {found}.")
    names = ("X", "y", "sample_weight")
    X, y, *weights = (as_sliceable(A, f"{name}{where}") for name, A in zip(names, block, strict=False))
    if len(X.shape) != 2:
        raise ValueError(f"X{where} must be 2-D, one row an observation, got shape {tuple(X.shape)}.")
    n = X.shape[0]
    if len(y.shape) not in (1, 2) or y.shape[0] != n:
        raise ValueError(f"y{where} must have shape ({n},) or ({n}, q), got {tuple(y.shape)}.")
    if weights and tuple(weights[0].shape) != (n,):
        raise ValueError(f"sample_weight{where} must have shape ({n},), got {tuple(weights[0].shape)}.")
    return X, y, *weights


def as_arrays(X: Any, y: Any, sample_weight: Any = None) -> tuple:
    """Return X, y and weights, if given, as `as_block` does, after a check of X alone."""
    X = as_sliceable(X, "X")
    check_shape(X.shape)
    s = np.full(X.shape[0], sample_weight) if np.isscalar(sample_weight) else sample_weight
    return as_block((X, y) if s is None else (X, y, s))


def as_sliceable(A: Any, name: str) -> Any:
    """Return an object with a shape as it is, unread, as it may be in a file; convert a list to an array."""
    return A if hasattr(A, "shape") and not sparse.issparse(A) else as_array(A, name)


def check_columns(name: str, columns: int, expected: int, whose: str) -> None:
    """Raise an error if a matrix has a different number of columns than `whose` has."""
    if columns != expected:
        raise ValueError(f"{name} must have {expected} columns as {whose}, got {columns}.")


def as_two_sets(X_train: ArrayLike, X_test: ArrayLike) -> tuple[NDArray, NDArray]:
    """Convert training and test rows to matrices, which must have as many columns each."""
    X_train, X_test = as_matrix(X_train, "X_train"), as_matrix(X_test, "X_test")
    check_columns("X_test", X_test.shape[1], X_train.shape[1], "X_train")
    return X_train, X_test


def check_transformer(features: Any, *methods: str) -> None:
    """Raise an error if features lack a method, before any row is read."""
    if isinstance(features, type) or not all(hasattr(features, method) for method in methods):
        expected = f"a transformer such as FourierFeatures(), with {' and '.join(methods)}"
        raise TypeError(f"features must be {expected}, got {describe(features)}.")


def row_slices(arrays: tuple, *, first: int = 0, where: str = "", copy: bool = False) -> Iterator[tuple]:
    """Yield slices of arrays, whose first row has the number `first`, with that of their own, and `where`."""
    for rows in slices(arrays[0].shape[0], SLICE):
        pieces = (take_rows(A, rows) for A in arrays)
        if copy:  # since the arrays may change before the slices are used
            pieces = (piece.copy() if isinstance(piece, np.ndarray) else piece for piece in pieces)
        yield tuple(pieces), first + rows.start, where


def take_rows(A: Any, rows: slice | NDArray) -> Any:
    """Return some rows of an array or a data frame, given as a slice or by their numbers."""
    return A.iloc[rows] if hasattr(A, "iloc") else A[rows]


def track_slices(slices: Iterable[Any], n: int | None, verbose: bool) -> Iterable[Any]:
    """Yield slices of n rows, or of an unknown number (None), and show the progress of a long run."""
    return progress_bar(slices, total=None if n is None else -(-n // SLICE), unit="slice", verbose=verbose)


def transform_rows(features: Any, X: Any, first: int = 0, where: str = "") -> NDArray:
    """Compute Z, of shape (n, c) in float32 or float64, for rows whose first has the number `first`."""
    checked = as_matrix(X, f"X{where}", rows=range(first, first + X.shape[0]))
    known = getattr(features, "n_features_in_", int(checked.shape[1]))
    check_columns(f"X{where}", checked.shape[1], known, "those that the features know")
    try:  # a data frame is passed as it is, so that the features can check its names
        Z = features.transform(X if hasattr(X, "iloc") else checked)
    except NotFittedError:
        raise NotFittedError(f"features must be fitted, got {describe(features)}, which is not.") from None
    if sparse.issparse(Z):
        raise TypeError(f"features must give dense arrays, got a sparse one for X{where}.")
    Z = as_array(Z, f"the features of X{where}")
    if Z.ndim != 2 or len(Z) != len(checked) or Z.dtype.kind not in "biuf":
        expected = f"a matrix of numbers, a row for each of the {len(checked)} of X{where}"
        raise ValueError(f"features must give {expected}, got shape {Z.shape} and dtype {Z.dtype}.")
    return Z if Z.dtype == np.float32 else Z.astype(np.float64, copy=False)
