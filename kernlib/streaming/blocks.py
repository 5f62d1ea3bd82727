"""Blocks (X, y) of the same data: read one by one, sampled, and compared."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import TransformerMixin, clone, is_classifier
from sklearn.frozen import FrozenEstimator
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils import get_tags
from sklearn.utils.validation import validate_data

from kernlib.fourier import FourierFeatures
from kernlib.numerics.blocks import run_in_order
from kernlib.numerics.normal_equations import Sums, add_up
from kernlib.numerics.rows import (
    as_arrays,
    as_block,
    as_sliceable,
    check_columns,
    check_transformer,
    row_slices,
    take_rows,
    track_slices,
    transform_rows,
)
from kernlib.numerics.validation import as_matrix, check_choice, check_shape, warn

__all__ = [
    "NO_ROWS", "SAMPLE", "Layout", "OnBlocks", "as_blocks", "checked_slices", "draw_rows", "even_rows",
    "first_rows", "fit_on_block",
]  # fmt: skip

NO_ROWS = "X must give at least one block (X, y) that has rows, got none."
SAMPLE = 2**14  # rows, at most, that the features are fitted on
FAR, ERRORS = 0.5, 4.0  # standard deviations between two means, beside so many standard errors of the first


class Layout(NamedTuple):
    """The number of X's columns, their names (none if they have none), and the shape of a row of y."""

    columns: int
    names: tuple
    outputs: tuple

    @classmethod
    def of(cls, X: Any, y: Any, *weights: Any) -> "Layout":
        """Describe a block; as in scikit-learn, only strings are names."""
        names = tuple(getattr(X, "columns", ()))
        return cls(X.shape[1], names if all(isinstance(name, str) for name in names) else (), y.shape[1:])

    def check(self, other: "Layout", where: str) -> None:
        """Raise an error if a later block, which `where` names, has another layout."""
        check_columns(f"X{where}", other.columns, self.columns, "before")
        names = zip(self.names, other.names, strict=False)  # either may have none
        for number, (name, found) in enumerate(names):
            if name != found:
                raise ValueError(f"column {number} of X{where} must be {name!r} as before, got {found!r}.")
        if other.outputs != self.outputs:
            shape, found = ("(n, {})".format(*q) if q else "(n,)" for q in (self.outputs, other.outputs))
            raise ValueError(f"y{where} must have shape {shape} as before, got {found}.")


def is_blocks(X):
    """Return whether X is an iterable of blocks, or a function that returns one, and not an array."""
    if isinstance(X, list | tuple):
        return len(X) > 0 and isinstance(X[0], tuple) and np.ndim(X[0][0]) == 2
    return callable(X) or (isinstance(X, Iterable) and not hasattr(X, "shape"))


def as_blocks(X: Any, y: Any = None, sample_weight: Any = None) -> Iterator[tuple[tuple, str]]:
    """Yield each block (X, y) that has rows, as it comes, and how error messages name it."""
    if y is not None:
        if isinstance(X, Iterator):
            raise TypeError("y must not be given if X is an iterable of blocks (X, y), which contain it.")
        yield as_arrays(X, y, sample_weight), ""
        return
    if sample_weight is not None:
        raise TypeError("sample_weight must not be given if X is an iterable of blocks, which contain it.")
    if hasattr(X, "shape"):
        raise ValueError("X is an array, which requires y to be passed, but the target y is None.")
    X, empty = X() if callable(X) else X, True
    if not isinstance(X, Iterable):
        raise TypeError(f"X must be an array, or an iterable of blocks (X, y), got {type(X).__name__}.")
    for number, block in enumerate(X):
        where = f" of block {number}"
        block = as_block(block, where)
        if block[0].shape[0] > 0:
            empty = False
            yield block, where
    if empty:
        raise ValueError(NO_ROWS)


def checked_slices(blocks: Iterable, layout: Layout | None = None, *, copy: bool) -> Iterator[tuple]:
    """Yield slices of blocks from `as_blocks`, all of one layout; copy them if the blocks may change."""
    for arrays, where in blocks:
        found = Layout.of(*arrays)
        layout = found if layout is None else layout
        layout.check(found, where)
        yield from row_slices(arrays, where=where, copy=copy)


def fit_on_block(features: TransformerMixin | None, block: Any, where: str = "") -> Any:
    """Return a clone of the features, fitted on `SAMPLE` rows, one row, and moments; None for no rows."""
    X, y, *_ = as_block(block, where)
    if X.shape[0] == 0:
        return None
    spread = even_rows(X.shape[0])
    sample, sample_y = (take_rows(A, spread) for A in (X, y))
    checked = as_matrix(sample, f"X{where}", rows=range(X.shape[0])[spread])
    features = FourierFeatures(random_state=0) if features is None else clone(features)
    features.fit(sample if hasattr(sample, "iloc") else checked, sample_y)
    return features, take_rows(X, slice(0, 1)), column_moments(checked)


def even_rows(n: int) -> slice:
    """Return a slice of at most `SAMPLE` of n rows, spread evenly over them."""
    return slice(None, None, -(-n // SAMPLE))


class OnBlocks:
    """What the models f(x) = wᵀφ̂(x) + b share: rows that may come in blocks, and features to fit on some."""

    features: Any
    features_: Any
    sample: str
    verbose: bool
    predict: Callable

    def score(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> float:
        """Compute R² or the share of right labels; X, y and the weights are as in `fit`."""
        parts = [
            (targets, self.predict(rows), weights[0] if weights else np.ones(len(targets)))
            for (rows, targets, *weights), _ in as_blocks(X, y, sample_weight)
        ]
        y, predictions, weights = map(np.concatenate, zip(*parts, strict=True))
        return (accuracy_score if is_classifier(self) else r2_score)(y, predictions, sample_weight=weights)

    def _linear(self, X, coef, intercept):
        """Compute wᵀφ̂(x) + b for the rows of X, in a file or in blocks too."""
        if is_blocks(X):
            return np.concatenate([self._linear(block[0], coef, intercept) for block, _ in as_blocks(X)])
        X = as_sliceable(X, "X")
        check_shape(X.shape)
        validate_data(self, take_rows(X, slice(0, 1)), reset=False, skip_check_array=True)
        parts: list[NDArray] = []

        def predict_rows(piece):
            (rows,), first, where = piece
            Z = transform_rows(self.features_, rows, first, where)
            return Z @ coef.astype(Z.dtype) + np.asarray(intercept, Z.dtype)

        slices = track_slices(row_slices((X,)), X.shape[0], self.verbose)
        run_in_order(predict_rows, slices, parts.append)
        return np.concatenate(parts)

    def _with_moments(self, compute):
        """Return a function of a slice for its sums and, if features learn from rows, its moments."""
        # at most a scale of these depends on the rows
        free = self.features is None or isinstance(self.features, FourierFeatures | FrozenEstimator)
        return partial(sums_and_moments, compute, not free and get_tags(self.features).requires_fit)

    def _check_sampling(self):
        """Raise an error if features cannot be fitted, or `sample` names no rows for it."""
        check_choice("sample", self.sample, ("first", "all"))
        if self.features is not None:
            check_transformer(self.features, "fit", "transform", "get_params")

    def _warn_if_unlike(self, first, total):
        """Warn if a mean in rows that features learned from, if they did, is far from that in all rows."""
        if np.ndim(total) == 0:
            return
        (means, squares), (first_means, _) = total[1:] / total[0], first[1:] / first[0]
        moved = np.abs(first_means - means)
        spread = np.sqrt(np.maximum(squares - means**2, total[0] * np.finfo(float).eps * squares))
        far = moved > (FAR + ERRORS / np.sqrt(first[0])) * spread
        if far.any():
            column = int(np.argmax(np.where(far, moved, -1)))
            found = f"a mean of {first_means[column]:.3g} there and of {means[column]:.3g} in all rows"
            warn(
                f"The features were fitted on the first block, which is unlike the rest: column {column} has "
                f"{found}. Shuffle the rows, or set sample='all'."
            )


def sums_and_moments(compute, learns, arrays, first, where):
    """Compute the sums for a slice and the moments of its columns, or 0."""
    return Sums((compute(arrays, first, where), column_moments(arrays[0]) if learns else 0))


def column_moments(X: Any) -> NDArray:
    """Compute the number of rows, the sum and the sum of squares of each column, of shape (3, p)."""
    X = np.asarray(X, dtype=np.float64)
    return np.array([np.full(X.shape[1], len(X)), X.sum(axis=0), (X**2).sum(axis=0)])


def first_rows(sample: str, X: Any, y: Any = None, sample_weight: Any = None) -> tuple:
    """Return the rows that the features are fitted on, the first block or a sample of all."""
    if isinstance(X, Iterator):
        expected = "an array, a list of blocks (X, y), or a function that gives them anew for each pass"
        raise TypeError(f"X must be {expected}, got {type(X).__name__}.")
    blocks = as_blocks(X, y, sample_weight)
    if sample == "first" or y is not None:
        return next(blocks)
    return add_up(draw_rows, checked_slices(blocks, copy=True)).rows, ""


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of X and y with a random number each: those with the smallest stay as samples are added up."""

    numbers: NDArray
    rows: tuple

    def __add__(self, other: "Sample") -> "Sample":
        numbers = np.append(self.numbers, other.numbers)
        kept = np.sort(np.argsort(numbers)[:SAMPLE])
        both = map(join_rows, zip(self.rows, other.rows, strict=True))
        return Sample(numbers[kept], tuple(take_rows(A, kept) for A in both))


def draw_rows(arrays: tuple, first: int, where: str) -> Sample:
    """Give each row of a slice a random number, by the place of the slice."""
    rng = np.random.default_rng([first, *where.encode()])
    return Sample(rng.random(arrays[0].shape[0]), arrays[:2])


def join_rows(parts):
    """Put arrays or data frames below each other."""
    if not hasattr(parts[0], "iloc"):
        return np.concatenate(parts)
    import pandas as pd

    return pd.concat(parts, ignore_index=True)
