"""Ridge regression on features as an estimator that meets its data block by block.

Chapter: Beyond one machine.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlib.fourier import FourierFeatures
from kernlib.numerics.blocks import run_in_order
from kernlib.numerics.normal_equations import add_up
from kernlib.numerics.rows import (
    as_block,
    as_sliceable,
    check_transformer,
    row_slices,
    take_rows,
    track_slices,
    transform_rows,
)
from kernlib.numerics.validation import as_matrix, check_positive, check_shape
from kernlib.streaming.cluster import dask_blocks, import_dask, sum_blocks
from kernlib.streaming.layout import NO_ROWS, Layout

__all__ = ["StreamingRidge"]

SAMPLE = 2**14  # rows, at most, that the features are fitted on


class StreamingRidge(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """
    Minimise (1/2n) Σ (yᵢ − wᵀφ̂(xᵢ))² + (λ/2)‖w‖² in one pass: w = (ZᵀZ + nλI)⁻¹Zᵀy from sums over the rows.

    The data may be arrays, in the memory or in a file (``np.memmap``), or an iterable of blocks (X, y). The
    memory needed does not grow with n, and how the rows are cut into blocks makes no difference to w.

    Parameters
    ----------
    features : transformer, optional
        φ̂: a `FourierFeatures`, `NystromFeatures` or other scikit-learn transformer. A clone is fitted on the
        first block, or, of one longer than 16,384 rows, on as many at most, spread evenly over it. A map
        fitted elsewhere stays as it is within ``sklearn.frozen.FrozenEstimator(map)``. `FourierFeatures` with
        ``random_state=0`` where it is not given, so that the statistics of two models add up.
    lam : float
        λ > 0; scikit-learn's Ridge calls nλ alpha.
    verbose : bool
        Whether to show the progress of a run of more than two seconds, on a terminal or in a notebook.

    Attributes
    ----------
    features_ : transformer
        φ̂, fitted.
    statistics_ : RidgeStatistics
        n, ZᵀZ and Zᵀy of all rows so far; ``statistics_.solve(lam=…)`` gives w for another λ.
    coef_ : ndarray of shape (c,) or (c, q)
        w, in float64.
    n_samples_seen_ : int
        n.
    n_features_in_ : int
        p.
    feature_names_in_ : ndarray of shape (p,)
        Names of the inputs, where the data had any.

    Notes
    -----
    No intercept is fitted. O(nc²) for the sums, and O(c³) at the end of each call: many small blocks are best
    given to one call, as an iterable. Memory: for each core O(c²), and the features of 8,192 rows. Features
    in float32 are as exact as `ridge_statistics` says. Source: Chu et al. (2006). Chapter: Beyond
    one machine.
    """

    def __init__(self, features=None, *, lam=0.01, verbose=True):
        self.features = features
        self.lam = lam
        self.verbose = verbose

    def fit(self, X, y=None):
        """
        Compute w, from these rows alone.

        Parameters
        ----------
        X : array_like of shape (n, p) or iterable of tuple
            The rows; or blocks (X, y), each of them a pair of arrays; those without rows count for nothing.
        y : array_like of shape (n,) or (n, q)
            Targets, a column for each output; not given where X is an iterable of blocks.

        Returns
        -------
        StreamingRidge
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If a block or a parameter is not as described, or the blocks differ in p, q or the columns' names.
            The estimator is then as it was before.
        """
        return self._learn(X, y)

    def partial_fit(self, X, y=None):
        """Compute w from the rows so far and these, as in `fit`; a call counts with all blocks or none."""
        if not hasattr(self, "statistics_"):
            return self.fit(X, y)
        return self._learn(X, y, self.features_, self.statistics_)

    def fit_dask(self, X, y=None):
        """Compute w, from these rows alone, on Dask; X and y are as in `dask_statistics`."""
        self._check_parameters()
        blocks = dask_blocks(X, y)
        fit = import_dask().delayed(fit_on_block)
        for block, _, where in blocks:
            # now and once: were it a task among the others, the loss of a worker could draw the features anew
            features, first = fit(self.features, block, where).compute()
            if features is not None:
                return self._keep(features, sum_blocks(features, blocks), first)
        raise ValueError(NO_ROWS)

    def predict(self, X):
        """Compute f(x) = wᵀφ̂(x) for the rows of X, which may come from a file, in the features' dtype."""
        check_is_fitted(self)
        X = as_sliceable(X, "X")
        check_shape(X.shape)
        validate_data(self, first_row(X), reset=False, skip_check_array=True)
        parts = []

        def predict_rows(piece):
            Z = transform_rows(self.features_, *piece)
            return Z @ self.coef_.astype(Z.dtype)

        run_in_order(predict_rows, track_slices(row_slices(X), X.shape[0], self.verbose), parts.append)
        return np.concatenate(parts)

    def _learn(self, X, y, features=None, statistics=None):
        """Add all blocks to the statistics; nothing is kept before the last of them has proved good."""
        self._check_parameters()
        blocks = as_blocks(X, y)
        block, where = next(blocks)
        layout = Layout.of(*block)
        if features is None:
            features, first = fit_on_block(self.features, block, where)
        else:
            first = None
            if y is not None:
                validate_data(self, first_row(block[0]), reset=False, skip_check_array=True)
            names = tuple(getattr(self, "feature_names_in_", layout.names))
            layout = Layout(self.n_features_in_, names, statistics.moment.shape[1:])

        def slices():
            for arrays, where_ in chain([(block, where)], blocks):
                layout.check(Layout.of(*arrays), where_)
                # an iterable may fill one array again and again
                yield from row_slices(*arrays, where=where_, copy=y is None)

        n = None if y is None else block[0].shape[0]
        statistics = add_up(features, track_slices(slices(), n, self.verbose), statistics)
        return self._keep(features, statistics, first)

    def _check_parameters(self):
        """Refuse parameters that can't be, before any block is read."""
        check_positive("lam", self.lam)
        if self.features is not None:
            check_transformer(self.features, "fit", "transform", "get_params")

    def _keep(self, features, statistics, first=None):
        """Set the attributes; `first` is a row that says what the columns are, where they are new."""
        coef = statistics.solve(lam=self.lam)
        if first is not None:
            validate_data(self, first, skip_check_array=True)
        self.features_, self.statistics_, self.coef_ = features, statistics, coef
        self.n_samples_seen_ = statistics.n
        return self


def as_blocks(X, y=None):
    """Give each block (X, y) that has rows as it comes, and what a sentence says after "X" or "y" of it."""
    if y is not None:
        if isinstance(X, Iterator):
            raise TypeError("an iterable of blocks (X, y) has its targets inside: y must not be given.")
        X = as_sliceable(X, "X")
        check_shape(X.shape)
        yield as_block((X, y)), ""
        return
    if hasattr(X, "shape"):
        raise ValueError("StreamingRidge requires y to be passed, but the target y is None.")
    if not isinstance(X, Iterable):
        raise TypeError(f"X must be an array, or an iterable of blocks (X, y), got {type(X).__name__}.")
    any_rows = False
    for number, block in enumerate(X):
        where = f" of block {number}"
        block = as_block(block, where)
        if block[0].shape[0] > 0:
            any_rows = True
            yield block, where
    if not any_rows:
        raise ValueError(NO_ROWS)


def fit_on_block(features, block, where=""):
    """
    Fit a clone of the features on `SAMPLE` rows of a block at most, spread evenly over it.

    Gives the clone and the block's first row; None and None for a block without rows.
    """
    X, y = as_block(block, where)
    if X.shape[0] == 0:
        return None, None
    first = first_row(X)
    step = -(-X.shape[0] // SAMPLE)
    sample, sample_y = (take_rows(A, slice(None, None, step)) for A in (X, y))
    checked = as_matrix(sample, f"X{where}", rows=range(0, X.shape[0], step))
    features = FourierFeatures(random_state=0) if features is None else clone(features)
    return features.fit(sample if hasattr(sample, "iloc") else checked, sample_y), first


def first_row(X):
    """Give the first row of X, enough to see what the columns are."""
    return take_rows(X, slice(0, 1))
