"""Rows that features are fitted on: the first block, if it is like the rest, or a sample of all blocks."""

import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags

from kernlib.fourier import FourierFeatures
from kernlib.numerics.rows import take_rows
from kernlib.streaming.blocks import SAMPLE, block_reader

__all__ = ["FirstBlock", "first_rows", "learns_from_rows", "sample_blocks"]

FAR, ERRORS = 0.5, 4.0  # standard deviations between two means, beside so many standard errors of the first


class FirstBlock:
    """The moments of the columns in the first rows, which features were fitted on, and in all rows so far."""

    def __init__(self, X: Any = None) -> None:
        self.first = None if X is None else column_moments(X)
        self.all: Any = 0.0

    def follow(self, slices: Iterable[Any]) -> Iterator[Any]:
        """Yield slices of blocks, and add up their moments."""
        for piece in slices:
            self.all = self.all + column_moments(piece[0][0])
            yield piece

    def compare(self) -> None:
        """Warn if a column's mean in the first rows, by default all rows of a first call, is far from all."""
        self.first = self.all if self.first is None else self.first
        n, total, squares = self.all
        first_n, first_total, _ = self.first
        mean, first_mean = total / n, first_total / first_n
        moved, spread = np.abs(first_mean - mean), np.sqrt(np.maximum(squares / n - mean**2, 0))
        far = moved > (FAR + ERRORS / np.sqrt(first_n)) * spread
        if far.any():
            column = int(np.argmax(np.where(far, moved, -1)))
            warnings.warn(
                f"The features were fitted on the first block, which is unlike the rest: column {column} has "
                f"a mean of {first_mean[column]:.3g} there and of {mean[column]:.3g} in all rows. "
                "Shuffle the rows, or set sample='all'.",
                UserWarning,
                stacklevel=4,
            )


def column_moments(X: Any) -> NDArray:
    """Compute the number of rows, the sum and the sum of squares of each column, of shape (3, p)."""
    X = np.asarray(X, dtype=np.float64)
    return np.array([np.full(X.shape[1], len(X)), X.sum(axis=0), (X**2).sum(axis=0)])


def learns_from_rows(features: Any) -> bool:
    """Say whether features depend on the rows that they are fitted on, by more than a scale."""
    free = features is None or isinstance(features, FourierFeatures | FrozenEstimator)
    return not free and get_tags(features).requires_fit


def first_rows(sample: str, X: Any, y: Any = None, sample_weight: Any = None) -> tuple:
    """Return the rows that the features are fitted on as a block: the first one, or a sample of all."""
    blocks = block_reader(X, y, sample_weight)()
    return sample_blocks(blocks, SAMPLE) if sample == "all" else next(blocks)


def sample_blocks(blocks: Iterable[tuple[tuple, str]], size: int) -> Any:
    """Draw at most `size` rows of all blocks, each as likely as any other, as a block; None without rows."""
    rng, kept, numbers = np.random.default_rng(0), [], np.empty(0)  # the rows with the smallest are kept
    for (X, y, *_), _ in blocks:
        drawn = rng.random(X.shape[0])
        limit = np.partition(numbers, size - 1)[size - 1] if len(numbers) > size else np.inf
        rows = np.flatnonzero(drawn < limit)
        kept.append((take_rows(X, rows), take_rows(y, rows)))
        numbers = np.append(numbers, drawn[rows])
    if not len(numbers):
        return None
    best = np.sort(np.argsort(numbers)[:size])
    return tuple(take_rows(join_rows(parts), best) for parts in zip(*kept, strict=True)), ""


def join_rows(parts):
    """Put arrays or data frames below each other."""
    if not hasattr(parts[0], "iloc"):
        return np.concatenate(parts)
    import pandas as pd

    return pd.concat(parts, ignore_index=True)
