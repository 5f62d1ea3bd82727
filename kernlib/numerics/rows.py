"""Rows of arrays that may be larger than the memory: looked at, cut into slices, given to the features.

Chapter: Beyond one machine.
"""

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.utils import gen_batches

from kernlib.numerics.progress import progress_bar
from kernlib.numerics.validation import as_array, as_matrix, describe

__all__ = [
    "as_block",
    "as_sliceable",
    "check_columns",
    "check_transformer",
    "row_slices",
    "take_rows",
    "track_slices",
    "transform_rows",
]

SLICE = 8192  # rows: enough that the c × c product of a slice outweighs adding it up


def as_block(block, where=""):
    """
    Give X and y of a pair as things that have a shape and give rows by slicing, in the memory or not.

    Here as below, `where` is what a sentence of complaint says after "X" or "y".
    """
    if not (isinstance(block, tuple | list) and len(block) == 2):
        raise TypeError(f"each block must be a pair (X, y), got {type(block).__name__}{where}.")
    X, y = (as_sliceable(A, f"{name}{where}") for name, A in zip("Xy", block, strict=True))
    if len(X.shape) != 2:
        raise ValueError(f"X{where} must be 2-D, one row an observation, got shape {tuple(X.shape)}.")
    n = X.shape[0]
    if len(y.shape) not in (1, 2) or y.shape[0] != n:
        raise ValueError(f"y{where} must have shape ({n},) or ({n}, q), got {tuple(y.shape)}.")
    return X, y


def as_sliceable(A, name):
    """Give what has a shape as it is, unread, for it may live in a file; and a list as an array."""
    return A if hasattr(A, "shape") and not sparse.issparse(A) else as_array(A, name)


def check_columns(name, columns, expected, whose):
    """Refuse a matrix with another number of columns than that which `whose` names."""
    if columns != expected:
        raise ValueError(f"{name} must have {expected} columns as {whose}, got {columns}.")


def check_transformer(features, *methods):
    """Refuse features that lack a method, before any row is read."""
    if isinstance(features, type) or not all(hasattr(features, method) for method in methods):
        raise TypeError(
            f"features must be a transformer such as FourierFeatures(), with {' and '.join(methods)}, "
            f"got {describe(features)}."
        )


def row_slices(*arrays, first=0, where="", copy=False):
    """
    Give a slice of each array, of `SLICE` rows, the number of its first row, and `where`; then the next.

    `first` is the number of the arrays' first row; with `copy`, they may change once the last slice is out.
    """
    for rows in gen_batches(arrays[0].shape[0], SLICE):
        pieces = [take_rows(A, rows) for A in arrays]
        if copy:
            pieces = [piece.copy() if isinstance(piece, np.ndarray) else piece for piece in pieces]
        yield *pieces, first + rows.start, where


def take_rows(A, rows):
    """Give a slice of the rows of an array or a data frame."""
    return A.iloc[rows] if hasattr(A, "iloc") else A[rows]


def track_slices(slices, n, verbose):
    """Give slices of n rows, or of an unknown number (None), with the progress of a long run."""
    return progress_bar(slices, total=None if n is None else -(-n // SLICE), unit="slice", verbose=verbose)


def transform_rows(features, X, first=0, where=""):
    """Compute Z, (n, c) in float32 or float64, for the rows from `first` on, or say why it is none."""
    checked = as_matrix(X, f"X{where}", rows=range(first, first + X.shape[0]))
    known = getattr(features, "n_features_in_", checked.shape[1])
    check_columns(f"X{where}", checked.shape[1], known, "those that the features know")
    try:  # a data frame as it is: it has names, which the features may check
        Z = features.transform(X if hasattr(X, "iloc") else checked)
    except NotFittedError:
        raise NotFittedError(
            f"features must be fitted, got {describe(features)}, which is not fitted yet."
        ) from None
    if sparse.issparse(Z):
        raise TypeError(f"features must give dense arrays, got a sparse one for X{where}.")
    Z = as_array(Z, f"the features of X{where}")
    if Z.ndim != 2 or len(Z) != len(checked) or Z.dtype.kind not in "biuf":
        raise ValueError(
            f"features must give a matrix of numbers, a row for each of the {len(checked)} of X{where}, "
            f"got shape {Z.shape} and dtype {Z.dtype}."
        )
    return Z if Z.dtype == np.float32 else Z.astype(np.float64, copy=False)
