"""Blocks of rows as they come: looked at, cut into slices, given to the features, worked on in threads.

Chapter: Beyond one machine.
"""

from collections import deque
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.exceptions import NotFittedError
from sklearn.utils import gen_batches

from kernlib.blocks import one_blas_thread, workers
from kernlib.progress import progress
from kernlib.validation import as_matrix, shown

__all__ = [
    "NO_ROWS",
    "Layout",
    "as_array",
    "as_block",
    "check_columns",
    "check_rows",
    "check_transformer",
    "in_order",
    "row_slices",
    "take",
    "transform_rows",
]

ROWS = 8192  # of a slice: enough that its c × c product outweighs adding it up
NO_ROWS = "X must give at least one block (X, y) that has rows, got none."


def as_block(block, where=""):
    """
    Give X and y of a block as things that have a shape and give rows by slicing, in the memory or not.

    Parameters
    ----------
    block : tuple
        X, of shape (n, p), and y, of shape (n,) or (n, q).
    where : str
        What a sentence of complaint says after "X" or "y".

    Returns
    -------
    X : array_like of shape (n, p)
        Itself where it has a shape.
    y : array_like of shape (n,) or (n, q)
        Likewise.
    """
    if not (isinstance(block, tuple | list) and len(block) == 2):
        raise TypeError(f"each block must be a pair (X, y), got {type(block).__name__}{where}.")
    X, y = (as_array(A, f"{name}{where}") for name, A in zip("Xy", block, strict=True))
    if sparse.issparse(X):
        as_matrix(X, f"X{where}")  # has a sentence for it
    if len(X.shape) != 2:
        raise ValueError(f"X{where} must be 2-D, one row an observation, got shape {tuple(X.shape)}.")
    n = X.shape[0]
    if len(y.shape) not in (1, 2) or y.shape[0] != n:
        raise ValueError(f"y{where} must have shape ({n},) or ({n}, q), got {tuple(y.shape)}.")
    return X, y


def as_array(A, name):
    """
    Give what has a shape as it is, and a list as an array.

    Parameters
    ----------
    A : array_like
        May live in a file.
    name : str
        What to call it in the sentence.

    Returns
    -------
    array_like
        Has a shape.
    """
    if hasattr(A, "shape"):
        return A
    try:
        return np.asarray(A)
    except ValueError:
        raise ValueError(
            f"{name} must be an array of numbers, got a list of rows of several lengths."
        ) from None


class Layout(NamedTuple):
    """
    What blocks of the same data have in common.

    Parameters
    ----------
    columns : int
        Of X.
    names : tuple of str
        Of the columns; empty where they have none.
    outputs : tuple of int
        The shape of a row of y.
    """

    columns: int
    names: tuple
    outputs: tuple

    @classmethod
    def of(cls, X, y):
        """Look at a block; only texts count as names, as in scikit-learn."""
        names = tuple(getattr(X, "columns", ()))
        return cls(X.shape[1], names if all(isinstance(name, str) for name in names) else (), y.shape[1:])

    def check(self, other, where):
        """Refuse a later block of another layout: columns in another order would pass for each other."""
        check_columns(f"X{where}", other.columns, self.columns, "before")
        names = zip(self.names, other.names, strict=False)  # either may have none
        for number, (name, found) in enumerate(names):
            if name != found:
                raise ValueError(f"column {number} of X{where} must be {name!r} as before, got {found!r}.")
        if other.outputs != self.outputs:
            shape, found = ("(n, {})".format(*q) if q else "(n,)" for q in (self.outputs, other.outputs))
            raise ValueError(f"y{where} must have shape {shape} as before, got {found}.")


def check_rows(X):
    """
    Refuse an array without rows.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Has a shape.
    """
    if X.shape[0] == 0:
        raise ValueError(f"X must have at least one row, got shape {tuple(X.shape)}.")


def check_columns(name, columns, expected, whose):
    """
    Refuse a matrix with another number of columns than it must have.

    Parameters
    ----------
    name : str
        What to call it in the sentence.
    columns, expected : int
        How many it has, and must have.
    whose : str
        Where the second number comes from.
    """
    if columns != expected:
        raise ValueError(f"{name} must have {expected} columns as {whose}, got {columns}.")


def check_transformer(features, *methods):
    """
    Refuse features that lack a method, before any block is read.

    Parameters
    ----------
    features : transformer
        What the caller passed.
    *methods : str
        What it must have.
    """
    if isinstance(features, type) or not all(hasattr(features, method) for method in methods):
        raise TypeError(
            f"features must be a transformer such as FourierFeatures(), with {' and '.join(methods)}, "
            f"got {shown(features)}."
        )


def row_slices(*arrays, first=0, where="", copy=False):
    """
    Cut arrays into slices of `ROWS` rows.

    Parameters
    ----------
    *arrays : array_like of shape (n, ...)
        Each has a shape.
    first : int
        The number of the first row, in a sentence of complaint.
    where : str
        What it says after the array's name.
    copy : bool
        Whether the caller may change an array once the last of its slices is out.

    Yields
    ------
    tuple
        A slice of each array, the number of its first row, and `where`.
    """
    for rows in gen_batches(arrays[0].shape[0], ROWS):
        pieces = [take(A, rows) for A in arrays]
        if copy:
            pieces = [piece.copy() if isinstance(piece, np.ndarray) else piece for piece in pieces]
        yield *pieces, first + rows.start, where


def take(A, rows):
    """
    Give some rows of an array or a data frame.

    Parameters
    ----------
    A : array_like
        Has a shape.
    rows : slice
        Which.

    Returns
    -------
    array_like
        Those rows.
    """
    return A.iloc[rows] if hasattr(A, "iloc") else A[rows]


def transform_rows(features, X, first=0, where=""):
    """
    Compute Z for some rows, with one sentence where they are no finite matrix.

    Parameters
    ----------
    features : transformer
        Fitted.
    X : array_like of shape (n, p)
        Rows are observations.
    first : int
        The number of the first row, in a sentence of complaint.
    where : str
        What it says after "X": of which block.

    Returns
    -------
    ndarray of shape (n, c)
        In float32 or float64.
    """
    checked = as_matrix(X, f"X{where}", rows=range(first, first + X.shape[0]))
    known = getattr(features, "n_features_in_", checked.shape[1])
    check_columns(f"X{where}", checked.shape[1], known, "those that the features know")
    try:  # a data frame as it is: it has names, which the features may check
        Z = features.transform(X if hasattr(X, "iloc") else checked)
    except NotFittedError:
        raise NotFittedError(
            f"features must be fitted, got {shown(features)}, which is not fitted yet."
        ) from None
    if sparse.issparse(Z):
        raise TypeError(f"features must give dense arrays, got a sparse one for X{where}.")
    Z = np.asarray(Z)
    if Z.ndim != 2 or len(Z) != len(checked) or Z.dtype.kind not in "biuf":
        raise ValueError(
            f"features must give a matrix of numbers, a row for each of the {len(checked)} of X{where}, "
            f"got shape {Z.shape} and dtype {Z.dtype}."
        )
    return Z if Z.dtype == np.float32 else Z.astype(np.float64, copy=False)


def in_order(job, items, use, *, n=None, verbose=False):
    """
    Call use(job(item)) for each item: the jobs in threads, and their results used in order.

    Parameters
    ----------
    job : callable
        Takes an item.
    items : iterable
        Each stands for a slice of rows; drawn from as needed, in the caller's thread.
    use : callable
        Takes what the job gives; called in the caller's thread.
    n : int, optional
        Number of rows, where it is known.
    verbose : bool
        Whether to show the progress of a run of more than two seconds, on a terminal or in a notebook.

    Notes
    -----
    BLAS is held to one thread: its own, which wait for work by spinning, would take the cores from ours.
    """
    total = None if n is None else -(-n // ROWS)
    ahead = deque()
    items = progress(items, total=total, unit="slice", verbose=verbose)
    with one_blas_thread() as count:
        if count == 1:
            for item in items:
                use(job(item))
            return
        with workers(count) as pool:
            for item in items:
                ahead.append(pool.submit(job, item))
                if len(ahead) > count:  # no more than that, or the results of a long run would pile up
                    use(ahead.popleft().result())
            while ahead:
                use(ahead.popleft().result())
