"""Logistic regression on features as a scikit-learn estimator that reads its data block by block."""

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import assert_all_finite
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlib.numerics.normal_equations import add_up
from kernlib.numerics.rows import row_slices, take_rows, track_slices, transform_rows
from kernlib.numerics.validation import check_count, check_positive, describe, warn
from kernlib.streaming.blocks import OnBlocks, as_blocks, checked_slices, even_rows, first_rows, fit_on_block
from kernlib.streaming.cluster import dask_blocks, fit_on_dask, sum_blocks
from kernlib.streaming.newton import class_factors, count_labels, logistic_statistics, newton_steps

__all__ = ["StreamingClassifier"]

SAMPLE_TOL = 0.01  # for the minimizer on the sample, which is about c/(2m) from the one on all rows anyway


@dataclass(eq=False, repr=False)
class StreamingClassifier(OnBlocks, ClassifierMixin, BaseEstimator):
    """Minimize (1/s) Σ sᵢ log(1 + e^{−yᵢf(xᵢ)}) + (λ/2)‖w‖² over f(x) = wᵀφ̂(x) + b, by sums over the rows.

    Here yᵢ = ±1, sᵢ is the weight of a row and s their sum. Of more than two classes, each is separated from
    all others by a model of its own. Every step of Newton's method is a pass over the data, which may be
    larger than the memory: with the slopes gᵢ and curvatures hᵢ of the loss, a step d solves (ZᵀHZ + sλI)d =
    −Zᵀg − sλw, and is halved as long as it does not decrease the objective. The first pass starts at the
    minimizer for the rows that φ̂ is fitted on, if they hold all labels; on Dask, at zero.

    A pass computes the features anew and costs O(nKc²) besides, a step O(Kc³); memory: O(Kc²) for each core.
    Source: Hastie, Tibshirani and Friedman (2009), section 4.4. Chapter: Beyond one machine.

    Parameters
    ----------
    features : transformer, optional
        φ̂, as in `StreamingRidge`; `NystromFeatures` makes this the Nyström classifier.
    lam : float, optional
        λ > 0; by default 1/s, which is scikit-learn's C = 1/(sλ) = 1.
    fit_intercept : bool
        Whether there is a b; without it b = 0.
    class_weight : None, "balanced" or dict
        Factors of the weights of the rows of each class: none, s/(Ksₖ) for class k of K with weights of sum
        sₖ, or those in a dict, where a class that is missing has the factor 1, unless a key is no label.
    tol : float
        Take a last step when the estimate ½dᵀ(ZᵀHZ + sλI)d/s of what the objective of each class exceeds its
        minimum by is at most tol. While f is within 1 of its minimizer on all rows, the excess before that
        step is at most 1.4 times the estimate, as there the curvatures fall at most by a factor e.
    max_iter : int
        Maximal number of passes; if they do not suffice, a warning reports the estimate.
    sample, verbose : optional
        As in `StreamingRidge`.

    Attributes
    ----------
    features_, lam_ : transformer, float
        φ̂, fitted, and λ.
    classes_ : ndarray of shape (K,)
        The labels.
    coef_, intercept_ : ndarray of shape (K, c) and (K,)
        w and b for each class against the others; of two classes, only for the second.
    n_iter_ : int
        Number of passes, besides the first, which counts the labels.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlib import NystromFeatures, StreamingClassifier
    >>> X = np.linspace(0, 6, 200)[:, None]
    >>> y = np.where(np.sin(X[:, 0]) > 0, "above", "below")
    >>> model = StreamingClassifier(NystromFeatures(n_components=20, random_state=0)).fit(X, y)
    >>> model.predict([[1.5], [4.5]])
    array(['above', 'below'], dtype='<U5')
    """

    features: TransformerMixin | None = None
    _: KW_ONLY
    lam: float | None = None
    fit_intercept: bool = True
    class_weight: str | dict | None = None
    tol: float = 1e-6
    max_iter: int = 100
    sample: str = "first"
    verbose: bool = True

    def fit(self, X: Any, y: ArrayLike | None = None, sample_weight: ArrayLike | None = None) -> Self:
        """Compute w and b for labels y of two classes or more.

        As `StreamingRidge.fit`, but blocks come from a list or a function, as each step reads all of them.
        """
        self._check_parameters()
        first = first_rows(self.sample, X, y, sample_weight)
        n = None if y is None else first[0][0].shape[0]

        def run(compute):
            slices = checked_slices(as_blocks(X, y, sample_weight), copy=y is None)
            return add_up(compute, track_slices(slices, n, self.verbose))

        sums = run(self._with_moments(count_labels))
        fitted = fit_on_block(self.features, *first)
        spread = even_rows(first[0][0].shape[0])
        sample = tuple(take_rows(A, spread) for A in first[0])
        return self._solve(run, sample, sums, *fitted)

    def fit_dask(self, X: Any, y: Any = None) -> Self:
        """Compute w and b on Dask; X and y are as in `dask_statistics`, y with labels."""
        self._check_parameters()
        blocks = dask_blocks(X, y)
        sums = sum_blocks(self._with_moments(count_labels), blocks)
        fitted = fit_on_dask(self.features, blocks, self.sample)
        return self._solve(partial(sum_blocks, blocks=blocks), None, sums, *fitted)

    def _check_parameters(self):
        """Raise an error if a parameter is invalid, before any block is read."""
        if self.lam is not None:
            check_positive("lam", self.lam)
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter, 1)
        self._check_sampling()
        if not (isinstance(self.class_weight, dict | None) or np.array_equal(self.class_weight, "balanced")):
            got = describe(self.class_weight)
            raise ValueError(f"class_weight must be None, 'balanced' or a dict, got {got}.")

    def _solve(self, run, sample, sums, features, row, moments):
        """Take Newton steps on a sample, if given, and then with the sums that run(compute) returns."""
        counts, all_moments = sums
        if not counts:
            raise ValueError("sample_weight must not be zero for all rows.")
        if len({isinstance(label, str) for label in counts}) > 1:
            raise TypeError("y must have labels of one type in all blocks, got texts and numbers.")
        classes = np.unique(list(counts))
        if len(classes) < 2:
            raise ValueError("y must have labels of at least two classes, got one class.")
        weights = np.array([counts[label] for label in classes.tolist()], np.float64)
        factors = class_factors(self.class_weight, classes, weights)
        total, intercept = float(weights @ factors), bool(self.fit_intercept)
        lam = 1 / total if self.lam is None else float(self.lam)
        width = transform_rows(features, row).shape[1] + intercept
        models = classes if len(classes) > 2 else classes[1:]

        def minimize(features, run, start, total, tol):
            def compute_sums(active, coef):
                known = features, intercept, classes, factors
                return run(partial(logistic_statistics, *known, models[active], coef))

            return newton_steps(compute_sums, start, total, lam, intercept, tol, self.max_iter)

        start = np.zeros((len(models), width))
        drawn = count_labels(sample, 0, "") if sample else {}
        if drawn.keys() == counts.keys():
            held = transform_rows(features, sample[0]), *sample[1:]
            assert_all_finite(held[0], input_name="the features of X")
            share = float(np.array([drawn[label] for label in classes.tolist()]) @ factors)
            run_on_sample = partial(add_up, slices=list(row_slices(held)))
            start, *_ = minimize(FunctionTransformer(), run_on_sample, start, share, SAMPLE_TOL)
        coef, excess, passes = minimize(features, run, start, total, self.tol)
        if not excess.max() <= self.tol:
            reached = f"about {excess.max():.2g} after {passes} passes, not {self.tol:g}"
            warn(f"The objective exceeds its minimum by {reached}.", ConvergenceWarning)
        validate_data(self, row, skip_check_array=True)
        self.features_, self.classes_, self.lam_, self.n_iter_ = features, classes, lam, passes
        self.coef_ = coef[:, : width - intercept]
        self.intercept_ = coef[:, -1] if intercept else np.zeros(len(coef))
        self._warn_if_unlike(moments, all_moments)
        return self

    def decision_function(self, X: Any) -> NDArray:
        """Compute f, of shape (m,) for two classes, else (m, K); X is as in `StreamingRidge.predict`."""
        check_is_fitted(self)
        f = self._linear(X, self.coef_.T, self.intercept_)
        return f[:, 0] if len(self.classes_) == 2 else f

    def predict_proba(self, X: Any) -> NDArray:
        """Compute 1/(1 + e^{−f(x)}) for all classes, divided by their sum, of shape (m, K)."""
        f = self.decision_function(X)
        f = np.column_stack([-f, f]) if f.ndim == 1 else f
        return special.softmax(special.log_expit(f), axis=1)  # no sum of these is zero

    def predict(self, X: Any) -> NDArray:
        """Predict the most probable of ``classes_`` for each row of X."""
        f = self.decision_function(X)
        return self.classes_[f.argmax(axis=1) if f.ndim == 2 else (f > 0).astype(int)]
