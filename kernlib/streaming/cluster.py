"""Sums over the data, on Dask: blocks stay where they are, and only sums are sent."""

from collections.abc import Callable, Iterable
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.base import TransformerMixin

from kernlib.numerics.blocks import one_blas_thread
from kernlib.numerics.normal_equations import RidgeStatistics, add_part, add_up, slice_statistics
from kernlib.numerics.rows import as_block, check_transformer, row_slices
from kernlib.numerics.validation import check_shape
from kernlib.streaming.blocks import NO_ROWS, Layout, draw_rows, fit_on_block

__all__ = ["FAN", "dask_blocks", "dask_statistics", "fit_on_dask", "import_dask", "sum_blocks"]

FAN = 8  # partial sums that one task adds


def dask_statistics(features: Any, X: Any, y: Any = None, *, constant: bool = False) -> RidgeStatistics:
    """Compute n, ZᵀZ and Zᵀy for the rows zᵢ = φ̂(xᵢ) on Dask: the sums of each block, then a tree of sums.

    It runs on the active scheduler: a cluster if there is a ``distributed.Client``, else threads. What a lost
    worker held is computed again, so a block must be the same each time, and not scattered by hand.

    O(nc²) operations, divided among the workers. Each block sends c(c + 1)/2 + cq numbers; a task adds eight
    such sums, another task eight of those. On Linux, Dask makes its workers give all memory back at once, and
    features in fresh memory cost up to twice as much: before the workers start, set both
    ``MALLOC_TRIM_THRESHOLD_`` and ``MALLOC_MMAP_THRESHOLD_`` to 2³⁰, in ``dask.config`` under
    ``distributed.nanny.pre-spawn-environ``. Source: Chu et al. (2006). Chapter: Beyond one machine.

    Parameters
    ----------
    features : transformer
        A fitted `FourierFeatures`, `NystromFeatures` or scikit-learn transformer; φ̂ is its `transform`.
    X : dask array of shape (n, p) or list of Delayed
        Rows are observations, in chunks of rows; or blocks, which compute to (X, y) or (X, y, sample_weight).
    y : dask array of shape (n,) or (n, q), optional
        Targets, divided as X is; not given if X is a list of blocks.
    constant : bool
        Whether to append the feature 1, for an intercept.

    Returns
    -------
    RidgeStatistics
        The same for all blocks and workers, up to rounding.
    """
    check_transformer(features, "transform")
    return sum_blocks(partial(slice_statistics, features, constant, 1), dask_blocks(X, y)).total()


def sum_blocks(compute: Callable[..., Any], blocks: list[tuple]) -> Any:
    """Add what `compute` returns for blocks from `dask_blocks`: for each block, then in a tree of sums."""
    dask = import_dask()
    compute = dask.delayed(compute, traverse=False)  # once in the graph, not once for each block
    work, merge = dask.delayed(block_statistics), dask.delayed(merge_statistics)
    parts = [work(compute, *block) for block in blocks]
    while len(parts) > 1:
        parts = [merge(parts[start : start + FAN]) for start in range(0, len(parts), FAN)]
    whole = parts[0].compute() if parts else None
    if whole is None:
        raise ValueError(NO_ROWS)
    return whole[0]


def fit_on_dask(features: TransformerMixin | None, blocks: list[tuple], sample: str) -> tuple:
    """Fit the features by `fit_on_block` on the first block that has rows, or on a sample of all."""
    if sample == "all":
        blocks = [(sum_blocks(draw_rows, blocks).rows, 0, "")]
    fit = import_dask().delayed(fit_on_block)
    for block, _, where in blocks:
        # now and once: as a task among the others, it could run again, and draw other features
        if fitted := fit(features, block, where).compute():
            return fitted
    raise ValueError(NO_ROWS)


def block_statistics(compute, block, first, where):
    """Compute the sums for a block (X, y), with its layout and its name; None if it has no rows."""
    arrays = as_block(block, where)
    if arrays[0].shape[0] == 0:
        return None
    with one_blas_thread():  # Dask's threads use all cores
        total = add_up(compute, row_slices(arrays, first=first, where=where))
    return total, Layout.of(*arrays), where


def merge_statistics(parts):
    """Add results of `block_statistics` or of this function, after a comparison of their layouts."""
    parts = [part for part in parts if part is not None]
    if not parts:
        return None
    total, layout, first = parts[0]
    for part, other, where in parts[1:]:
        layout.check(other, where)
        total = add_part(total, part, where)
    return total, layout, first


def dask_blocks(X: Any, y: Any) -> list[tuple]:
    """List blocks (X, y) as Delayed, with the number of their first row and how error messages name them."""
    import_dask()
    from dask.array import Array

    if y is None:
        if hasattr(X, "shape"):
            raise ValueError("y must be given if X is an array, got None.")
        if not isinstance(X, Iterable):
            raise TypeError(f"X must be a dask array, or a list of blocks (X, y), got {type(X).__name__}.")
        return [(block, 0, f" of block {number}") for number, block in enumerate(X)]
    for name, A in (("X", X), ("y", y)):
        if not isinstance(A, Array):
            raise TypeError(f"{name} must be a dask array, got {type(A).__name__}.")
        if np.isnan(A.shape).any():
            raise ValueError(f"{name} must have known chunks: call {name}.compute_chunk_sizes() first.")
    check_shape(X.shape)
    as_block((X, y))  # reads only their shapes
    X = X.rechunk({1: -1})
    y = y.rechunk({0: X.chunks[0]} | ({1: -1} if y.ndim == 2 else {}))
    starts = np.cumsum([0, *X.chunks[0]]).tolist()
    pairs = zip(X.to_delayed().ravel(), y.to_delayed().ravel(), starts, X.chunks[0], strict=False)
    return [((rows, targets), start, "") for rows, targets, start, n in pairs if n > 0]


def import_dask() -> ModuleType:
    """Import Dask, which kernlib needs for nothing else, or raise an error that says how to install it."""
    try:
        import dask
    except ImportError:
        raise ImportError('this needs Dask, which is not installed: pip install "kernlib[dask]".') from None
    return dask
