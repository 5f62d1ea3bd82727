"""Ridge regression on features as a scikit-learn estimator that reads its data block by block."""

from dataclasses import KW_ONLY, dataclass
from functools import partial
from itertools import chain
from typing import Any, Self

from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlib.numerics.conjugate_gradients import units_of
from kernlib.numerics.normal_equations import Folds, Sums, add_up, slice_statistics
from kernlib.numerics.regularization import candidates, choose_lam, several
from kernlib.numerics.rows import take_rows, track_slices
from kernlib.streaming.blocks import Layout, OnBlocks, as_blocks, checked_slices, first_rows, fit_on_block
from kernlib.streaming.cluster import dask_blocks, fit_on_dask, sum_blocks

__all__ = ["StreamingRidge"]

FOLDS = 5


@dataclass(eq=False, repr=False)
class StreamingRidge(OnBlocks, MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Minimize (1/2n) Σ (yᵢ − b − wᵀφ̂(xᵢ))² + (λ/2)‖w‖² in one pass, from sums over the rows.

    Without the intercept b, w = (ZᵀZ + nλI)⁻¹Zᵀy; with it, Z is centered. A row of weight s counts s times.
    The data are arrays, in memory or in a file (``np.memmap``), or an iterable of blocks (X, y). With a
    given λ, w does not depend on how the rows are divided into blocks.

    O(nc²) for the sums, and O(c³) at the end of each call: pass many small blocks to one call, as an
    iterable. Memory: O(c²), five times that if λ is chosen, and the features of 8,192 rows, for each core.
    Source: Chu et al. (2006). Chapter: Beyond one machine.

    Parameters
    ----------
    features : transformer, optional
        φ̂: a `FourierFeatures`, `NystromFeatures` or other scikit-learn transformer. A clone is fitted on the
        first block, or on at most 16,384 of its rows, spread evenly over it; a fitted map in scikit-learn's
        ``FrozenEstimator`` stays as it is. By default `FourierFeatures` with ``random_state=0``.
    lam : "auto", float or array_like of shape (L,)
        λ > 0; scikit-learn's Ridge calls nλ alpha. Or several values, of which the best in cross-validation
        is used, with five folds by a hash of the rows. "auto" tries λ as in `KernelRidge`.
    fit_intercept : bool
        Whether there is a b; without it b = 0.
    sample : {"first", "all"}
        The rows that φ̂ is fitted on: those of the first block, with a warning if their means are unlike
        those of all rows; or a sample of all blocks, which must then come from a list, a function or Dask.
    verbose : bool
        Whether to show progress after two seconds, on a terminal or in a notebook.

    Attributes
    ----------
    features_, lam_ : transformer, float
        φ̂, fitted, and λ.
    statistics_, folds_ : RidgeStatistics, Folds
        n, ZᵀZ and Zᵀy of all rows so far, with the constant 1 as the last feature if there is an intercept:
        ``statistics_.solve(lam=…, intercept=…)`` gives the weights for another λ. And the same for each fold.
    coef_, intercept_ : ndarray of shape (c,) or (c, q), and float or ndarray of shape (q,)
        w, in float64, and b.
    lams_, validation_errors_ : ndarray of shape (L,)
        The values of λ that were tried, and their errors; only if there were several.
    n_samples_seen_ : int or float
        n, or the sum of the weights.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlib import StreamingRidge
    >>> X = np.linspace(0, 6, 200)[:, None]
    >>> blocks = [(X[start::4], np.sin(X[start::4, 0])) for start in range(4)]
    >>> StreamingRidge().fit(blocks).predict([[0.5]]).round(2)  # sin 0.5 = 0.479
    array([0.48])
    """

    features: TransformerMixin | None = None
    _: KW_ONLY
    lam: str | float | ArrayLike = "auto"
    fit_intercept: bool = True
    sample: str = "first"
    verbose: bool = True

    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Compute w from these rows alone; after an error, the estimator is as it was before.

        X holds rows, of shape (n, p), with targets y (n,) or (n, q) and weights (n,), zero or positive. Or X
        is an iterable of blocks (X, y) or (X, y, sample_weight) with the same p, q and names of the columns,
        or a function without arguments that returns one; y and the weights are then not given.
        """
        return self._set_solution(*self._learn(X, y, sample_weight))

    def partial_fit(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Compute w from all rows so far and these, as in `fit`; after an error, none of these counts."""
        folds = getattr(self, "folds_", None)
        if folds and several(self.lam) != (len(folds) > 1):
            raise ValueError("lam must not change from one value to several, or back, after the first call.")
        return self._set_solution(*self._learn(X, y, sample_weight, folds))

    def fit_dask(self, X: Any, y: Any = None) -> Self:
        """Compute w from these rows alone, on Dask; X and y are as in `dask_statistics`."""
        self._check_parameters()
        blocks = dask_blocks(X, y)
        fitted = fit_on_dask(self.features, blocks, self.sample)
        return self._set_solution(sum_blocks(self._sums_for(fitted[0]), blocks), *fitted)

    def predict(self, X: Any) -> NDArray:
        """Compute wᵀφ̂(x) + b for rows, which may be in a file, or blocks, whose y are not used."""
        check_is_fitted(self)
        return self._linear(X, self.coef_, self.intercept_)

    def _learn(self, X, y, sample_weight, folds=None):
        """Return the sums of all blocks and earlier rows, and what `fit_on_block` returns."""
        self._check_parameters()
        fitted = (self.features_, None, self._moments[0]) if folds else None
        if not folds and y is None and self.sample == "all":
            fitted = fit_on_block(self.features, *first_rows("all", X))
        blocks = as_blocks(X, y, sample_weight)
        block, where = next(blocks)
        layout = Layout.of(*block)
        if folds:
            if y is not None:
                validate_data(self, take_rows(block[0], slice(0, 1)), reset=False, skip_check_array=True)
            names = tuple(getattr(self, "feature_names_in_", layout.names))
            layout = Layout(self.n_features_in_, names, folds[0].moment.shape[1:])
        fitted = fitted or fit_on_block(self.features, block, where)
        # an iterable may fill the same array again and again
        slices = checked_slices(chain([(block, where)], blocks), layout, copy=y is None)
        pieces = track_slices(slices, None if y is None else block[0].shape[0], self.verbose)
        earlier = Sums((folds, self._moments[1])) if folds else None
        return add_up(self._sums_for(fitted[0]), pieces, earlier), *fitted

    def _sums_for(self, features):
        """Return the function that computes the sums and moments for a slice."""
        folds = FOLDS if several(self.lam) else 1
        compute = partial(slice_statistics, features, bool(self.fit_intercept), folds)
        return self._with_moments(compute)

    def _check_parameters(self):
        """Raise an error if a parameter is invalid, before any block is read."""
        candidates(self.lam)
        self._check_sampling()

    def _set_solution(self, sums, features, row, moments):
        """Set the attributes; `row` is a row of new data with its columns' names, else None."""
        folds, all_moments = sums
        intercept, total = bool(self.fit_intercept), folds.total()
        if total.n == 0:
            raise ValueError("sample_weight must not be zero for all rows.")
        scaled = Folds(fold.times(1 / float(units_of(total.n))) for fold in folds)  # as weights may be tiny
        statistics = scaled.total()
        if len(folds) > 1:
            lams = candidates(self.lam, *statistics.mean_squares(intercept))
            errors = scaled.validation_errors(lams, intercept=intercept)
            lam = choose_lam(lams, errors)
        else:
            lam = float(candidates(self.lam)[0])
        coef, b = statistics.coefficients(lam, intercept)
        if intercept:
            statistics.warn_if_far()
        if row is not None:
            validate_data(self, row, skip_check_array=True)
        for name in ("lams_", "validation_errors_"):  # of an earlier fit
            vars(self).pop(name, None)
        if len(folds) > 1:
            self.lams_, self.validation_errors_ = lams, errors
        self.features_, self.folds_, self.statistics_, self.lam_ = features, folds, total, lam
        self.coef_, self.intercept_, self.n_samples_seen_ = coef, b[()], total.n
        self._moments = moments, all_moments
        self._warn_if_unlike(*self._moments)
        return self
