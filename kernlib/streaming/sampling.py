"""Rows that features are fitted on: the first block, if it is like the rest, or a sample of all blocks."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.frozen import FrozenEstimator
from sklearn.utils import get_tags

from kernlib.fourier import FourierFeatures
from kernlib.numerics.rows import take_rows
from kernlib.streaming.blocks import SAMPLE

__all__ = ["Moments", "check_first_block", "first_rows", "follow_means", "learns_from_rows", "sample_blocks"]

FAR, ERRORS = 0.5, 4.0  # standard deviations between two means, beside so many standard errors of the first


class Moments(NamedTuple):
    """Number of rows, and sums of their columns and of the squares."""

    n: int
    total: NDArray | float
    squares: NDArray | float

    @classmethod
    def of(cls, X: Any) -> "Moments":
        """Add up the rows of an array or a data frame."""
        X = np.asarray(X, dtype=np.float64)
        return cls(len(X), X.sum(axis=0), (X**2).sum(axis=0))

    def merge(self, other: "Moments") -> "Moments":
        """Return the moments of both."""
        return Moments(self.n + other.n, self.total + other.total, self.squares + other.squares)


def learns_from_rows(features: Any) -> bool:
    """Say whether features depend on the rows that they are fitted on, by more than a scale."""
    free = features is None or isinstance(features, FourierFeatures | FrozenEstimator)
    return not free and get_tags(features).requires_fit


def first_rows(read: Callable[[], Iterator[tuple]], sample: str) -> tuple | None:
    """Return the rows that the features are fitted on as a block: the first one, or a sample of all."""
    return sample_blocks(read(), SAMPLE) if sample == "all" else next(read(), None)


def follow_means(slices: Iterable[Any], moments: list[Moments]) -> Iterator[Any]:
    """Yield slices of blocks, and add them to the last of the moments."""
    for piece in slices:
        moments[-1] = moments[-1].merge(Moments.of(piece[0][0]))
        yield piece


def check_first_block(first: Moments, everything: Moments) -> None:
    """Warn if a column's mean in the first block is far from its mean in all rows."""
    mean = np.asarray(everything.total) / everything.n
    spread = np.sqrt(np.maximum(everything.squares / everything.n - mean**2, 0))
    moved = np.abs(first.total / first.n - mean)
    far = moved > (FAR + ERRORS / np.sqrt(first.n)) * spread
    if far.any():
        column = int(np.argmax(np.where(far, moved, -1)))
        here, there = np.asarray(first.total)[column] / first.n, mean[column]
        warnings.warn(
            f"The features were fitted on the first block, which is unlike the rest: column {column} has "
            f"a mean of {here:.3g} there and of {there:.3g} in all rows. "
            "Shuffle the rows, or set sample='all'.",
            UserWarning,
            stacklevel=4,
        )


def sample_blocks(blocks: Iterable[tuple[tuple, str]], size: int) -> tuple[tuple, str] | None:
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
