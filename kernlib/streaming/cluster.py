"""The sums that ridge regression needs, on Dask: blocks stay where they are, and only sums travel.

Chapter: Beyond one machine.
"""

from collections.abc import Iterable

import numpy as np

from kernlib.numerics.blocks import one_blas_thread
from kernlib.numerics.normal_equations import add_up
from kernlib.numerics.rows import as_block, check_columns, check_transformer, row_slices
from kernlib.numerics.validation import check_shape
from kernlib.streaming.layout import NO_ROWS, Layout

__all__ = ["FAN", "dask_blocks", "dask_statistics", "import_dask", "sum_blocks"]

FAN = 8  # partial sums that one task adds up


def dask_statistics(features, X, y=None):
    """
    Compute n, ZᵀZ and Zᵀy for the rows zᵢ = φ̂(xᵢ) on Dask: the sums of each block where it is, then a tree.

    It runs on the scheduler that is active: a cluster where there is a ``distributed.Client``, threads where
    there is none. What a lost worker held is computed again from the blocks, as Dask does with any task; so
    a block must come out the same each time, and not have been scattered by hand.

    Parameters
    ----------
    features : transformer
        A fitted `FourierFeatures`, `NystromFeatures` or scikit-learn transformer; φ̂ is its `transform`.
    X : dask array of shape (n, p) or list of Delayed
        Rows are observations, in chunks of rows; or blocks, each of which computes to a pair (X, y).
    y : dask array of shape (n,) or (n, q)
        Targets, cut as X is; not given where X is a list of blocks.

    Returns
    -------
    RidgeStatistics
        The same, but for rounding, whatever the blocks and workers.

    Raises
    ------
    ImportError
        If Dask isn't installed.
    TypeError, ValueError
        If X and y are not as described, or a block is not as `ridge_statistics` wants it.

    Notes
    -----
    O(nc²) operations, divided among the workers. Of a block, c² + cq numbers travel; eight such sums are
    added at once, then eight of those, so that no task holds all. On Linux, Dask has its workers give all
    memory back at once, and features in fresh memory cost up to twice: before the workers start, set both
    ``MALLOC_TRIM_THRESHOLD_`` and ``MALLOC_MMAP_THRESHOLD_`` to 2³⁰, in ``dask.config`` under
    ``distributed.nanny.pre-spawn-environ``. Source: Chu et al. (2006). Chapter: Beyond one machine.
    """
    check_transformer(features, "transform")
    return sum_blocks(features, dask_blocks(X, y))


def sum_blocks(features, blocks):
    """Compute n, ZᵀZ and Zᵀy of blocks from `dask_blocks`: each one's where it is, then a tree of sums."""
    dask = import_dask()
    features = dask.delayed(features, traverse=False)  # once in the graph, not once for each block
    work, merge = dask.delayed(block_statistics), dask.delayed(merge_statistics)
    parts = [work(features, *block) for block in blocks]
    while len(parts) > 1:
        parts = [merge(parts[start : start + FAN]) for start in range(0, len(parts), FAN)]
    whole = parts[0].compute()
    if whole is None:
        raise ValueError(NO_ROWS)
    return whole[0]


def block_statistics(features, block, first=0, where=""):
    """
    Compute n, ZᵀZ and Zᵀy for one block (X, y), in the thread that Dask gives.

    With them go the block's layout, to compare it by, and `where`, its name; None if it has no rows.
    """
    X, y = as_block(block, where)
    if X.shape[0] == 0:
        return None
    with one_blas_thread():  # Dask's threads take the cores
        total = add_up(features, row_slices(X, y, first=first, where=where))
    return total, Layout.of(X, y), where


def merge_statistics(parts):
    """Add up what `block_statistics` gave, or this function: all sums, with the layout of the first."""
    whole = None
    for part in parts:
        if whole is None or part is None:
            whole = whole or part
            continue
        (total, layout, name), (statistics, other, where) = whole, part
        layout.check(other, where)
        check_columns(f"the features of X{where}", len(statistics.gram), len(total.gram), "before")
        whole = total + statistics, layout, name
    return whole


def dask_blocks(X, y):
    """
    Give the blocks of two dask arrays, or of a list of delayed pairs, as `dask_statistics` takes them.

    Each is a Delayed, or a pair of them, with the number of its first row and how a sentence names it.
    """
    import_dask()
    from dask.array import Array

    if y is None:
        if hasattr(X, "shape"):
            raise ValueError("y must be given where X is an array, got None.")
        if not isinstance(X, Iterable):
            raise TypeError(f"X must be a dask array, or a list of blocks (X, y), got {type(X).__name__}.")
        blocks = list(X)
        if not blocks:
            raise ValueError("X must hold at least one block (X, y), got an empty list.")
        return [(block, 0, f" of block {number}") for number, block in enumerate(blocks)]
    for name, A in (("X", X), ("y", y)):
        if not isinstance(A, Array):
            raise TypeError(f"{name} must be a dask array, got {type(A).__name__}.")
        if np.isnan(A.shape).any():
            raise ValueError(
                f"{name} must have chunks of known sizes: call {name}.compute_chunk_sizes() first."
            )
    check_shape(X.shape)
    as_block((X, y))  # looks at shapes alone
    X = X.rechunk({1: -1})
    y = y.rechunk({0: X.chunks[0]} | ({1: -1} if y.ndim == 2 else {}))
    starts = np.cumsum([0, *X.chunks[0]]).tolist()
    blocks = zip(X.to_delayed().ravel(), y.to_delayed().ravel(), starts, X.chunks[0], strict=False)
    return [((rows, targets), start, "") for rows, targets, start, n in blocks if n > 0]


def import_dask():
    """Give the module ``dask``, which kernlib does without until it is asked for, or say how to get it."""
    try:
        import dask
    except ImportError:
        raise ImportError('this needs Dask, which is not installed: pip install "kernlib[dask]".') from None
    return dask
