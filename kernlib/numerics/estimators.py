"""What estimators share: rows in scikit-learn's terms, a base class, and that failed fits change nothing."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlib.numerics.regularization import as_weights, several
from kernlib.numerics.validation import as_matrix, as_targets, check_choice, check_positive

__all__ = ["Transformer", "all_or_nothing", "exceeds_float32", "validate_ridge", "validate_rows"]

Method = TypeVar("Method", bound=Callable[..., Any])


def all_or_nothing(fit: Method) -> Method:
    """Wrap `fit` so that nothing is left of an earlier fit, or everything if it raises an error."""

    @wraps(fit)
    def fit_or_restore(self, *args, **kwargs):
        before = vars(self).copy()
        # scikit-learn's names of what is learned from data end, and do not begin, with an underscore
        self.__dict__ = {k: v for k, v in before.items() if k.startswith("_") or not k.endswith("_")}
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            self.__dict__ = before
            raise

    return fit_or_restore  # type: ignore[return-value]


class Transformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A scikit-learn transformer that returns float32 for float32, and names columns after its class."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def validate_rows(estimator: Any, X: ArrayLike, y: Any = None, *, reset: bool = True) -> NDArray:
    """Convert the rows that an estimator is fitted on or, without reset, applied to; compare the columns."""
    if not reset:
        check_is_fitted(estimator)
    rows = as_matrix(X)
    targets = {"y": y} if reset else {}  # scikit-learn's error says if the estimator needs a y
    validate_data(estimator, X, reset=reset, skip_check_array=True, **targets)
    return rows


def exceeds_float32(y: NDArray, size: float = 0.0, lam: Any = np.inf) -> bool:
    """Return whether float32 lacks digits for α, of size y/(nλ), or room for y or for the largest κ(x, x)."""
    return (not several(lam) and lam < 1e-6 * size) or max(np.abs(y).max(), size) > 1e30


def validate_ridge(estimator: Any, X: Any, y: Any, sample_weight: Any) -> tuple[NDArray, NDArray, Any]:
    """Check data and solver of a ridge estimator; the largest weight becomes 1, as only ratios matter."""
    X = validate_rows(estimator, X, y)
    y, weights = as_targets(y, len(X)), as_weights(sample_weight, len(X))
    check_choice("solver", estimator.solver, ("auto", "direct", "cg"))
    check_positive("tol", estimator.tol)
    return X, y, None if weights is None else weights / weights.max()
