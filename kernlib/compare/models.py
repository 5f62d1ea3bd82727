"""The models that are compared: what each is made of, and how much memory it takes."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import softmax
from sklearn import ensemble
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlib.compare.columns import join_indicators
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Kernel
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import KernelRidge
from kernlib.streaming import StreamingRidge

__all__ = [
    *("FEATURES", "BalancedClassifier", "LeastSquaresClassifier", "build_model", "features_for"),
    *("gram_bytes", "indicators", "memory_of", "rounded"),
]

FEATURES: dict[str, Any] = {"random features": FourierFeatures, "Nyström": NystromFeatures}
TREES = 100  # of a forest
STEPS = 100  # of the solver of the linear classifier, at most: its time is bounded


@dataclass(eq=False, repr=False)
class LeastSquaresClassifier(ClassifierMixin, BaseEstimator):
    """Classify by least squares: fit a regression to +1 for a row's class and −1 for the others.

    It solves one linear system for all classes, so that its time is known beforehand.

    Parameters
    ----------
    regressor : estimator
        A regression with several outputs, such as `KernelRidge`.
    class_weight : {None, "balanced"}
        "balanced" gives each class the same total weight.
    threshold : float
        Of two classes, the second is predicted where the regression exceeds this.
    sharpness : float
        The probabilities are proportional to exp(sharpness · f) for the outputs f of the classes.

    Attributes
    ----------
    classes_ : ndarray of shape (K,)
        The classes, sorted.
    regressor_ : estimator
        The fitted regression.

    Notes
    -----
    Source: Rifkin and Klautau (2004). Chapter: Your own data.
    """

    regressor: Any = None
    _: KW_ONLY
    class_weight: str | None = None
    threshold: float = 0.0
    sharpness: float = 2.0

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the regression to the rows of X, of shape (n, p), and their classes y, of shape (n,)."""
        X, y = validate_data(self, X, y)  # as arrays
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(f"y must have at least two classes, got 1 class, {self.classes_[0]}.")
        weights = compute_sample_weight(self.class_weight, y) if self.class_weight else None
        regressor = KernelRidge() if self.regressor is None else clone(self.regressor)
        self.regressor_ = regressor.fit(X, indicators(np.asarray(y), self.classes_), sample_weight=weights)
        return self

    def decision_function(self, X: ArrayLike) -> NDArray:
        """Compute f, of shape (m,) for two classes, where f > 0 is the second, otherwise (m, K)."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        f = self.regressor_.predict(X)
        return f[:, 0] - self.threshold if len(self.classes_) == 2 else f

    def predict(self, X: ArrayLike) -> NDArray:
        """Predict the class of each row."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int) if f.ndim == 1 else f.argmax(axis=1)]

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Estimate the probability of each class, of shape (m, K)."""
        f = self.decision_function(X)
        return softmax(self.sharpness * (np.column_stack([-f, f]) if f.ndim == 1 else f), axis=1)


@dataclass(eq=False, repr=False)
class BalancedClassifier(ClassifierMixin, BaseEstimator):
    """Classify as if all classes had as many rows: divide the probabilities by the shares of the classes.

    The class with the largest quotient has the best balanced accuracy. Rows with weights instead leave a
    forest at its outputs of 0 and 1.

    Parameters
    ----------
    estimator : estimator
        A classifier with probabilities.

    Attributes
    ----------
    classes_, shares_ : ndarray of shape (K,)
        The classes, sorted, and how many of the rows each has.
    estimator_ : estimator
        The fitted classifier.

    Notes
    -----
    Chapter: Your own data.
    """

    estimator: Any = None

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit the classifier to the rows of X, of shape (n, p), and their classes y, of shape (n,)."""
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        self.estimator_ = clone(LogisticRegression() if self.estimator is None else self.estimator).fit(X, y)
        return self

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Estimate the probability of each class, of shape (m, K), if all had as many rows."""
        check_is_fitted(self)
        quotients = self.estimator_.predict_proba(validate_data(self, X, reset=False)) / self.shares_
        return quotients / quotients.sum(axis=1, keepdims=True)

    def predict(self, X: ArrayLike) -> NDArray:
        """Predict the class of each row."""
        P = self.predict_proba(X)
        return self.classes_[P.argmax(axis=1)]


def indicators(y: NDArray, classes: NDArray) -> NDArray:
    """Return a column of ±1 for each class; for two classes one column, +1 for the second."""
    return np.where(y[:, None] == (classes[1:] if len(classes) == 2 else classes), 1.0, -1.0)


def build_model(
    name: str,
    task: str,
    size: int = 0,
    *,
    kernel: Kernel | None = None,
    lam: float = 1.0,
    seed: int = 0,
    class_weight: str | None = None,
    levels: tuple[int, ...] = (),
    **decision: Any,
) -> BaseEstimator:
    """Build a model of so many steps, rows a leaf or features; `decision` is for `LeastSquaresClassifier`."""
    classes = task == "classification"
    if name == "linear":
        return LogisticRegression(max_iter=STEPS, class_weight=class_weight) if classes else Ridge()
    if name in ("boosted trees", "forest"):
        how = {"n_estimators": TREES, "min_samples_leaf": size, "random_state": seed}
        if name == "boosted trees":
            kinds = ensemble.HistGradientBoostingClassifier, ensemble.HistGradientBoostingRegressor
            how = {"max_iter": size, "early_stopping": False, "random_state": 0}
        elif size == 1:
            kinds = ensemble.ExtraTreesClassifier, ensemble.ExtraTreesRegressor
        else:  # for noisy targets
            kinds = ensemble.RandomForestClassifier, ensemble.RandomForestRegressor
        trees = kinds[not classes](**how)
        trees = BalancedClassifier(trees) if class_weight else trees
        codes = FunctionTransformer(join_indicators, kw_args={"levels": levels})
        return make_pipeline(codes, trees) if levels else trees
    if name == "exact":
        ridge = KernelRidge(kernel, lam=rounded(lam), solver="direct")
    else:
        features = FEATURES[name](kernel, n_components=size, random_state=seed)
        ridge = StreamingRidge(features, lam=rounded(lam), verbose=False)
    return LeastSquaresClassifier(ridge, class_weight=class_weight, **decision) if classes else ridge


def rounded(number: float) -> float:
    """Round to three digits, which print."""
    return float(f"{number:.3g}")


def gram_bytes(n: int) -> int:
    """Count the bytes of G for n rows."""
    return 8 * n**2


def memory_of(name: str, n: int, c: int, p: int, outputs: int = 1) -> int:
    """Count the bytes, at most, of fitting a model: G and its factor, sums and a slice, or copies of X."""
    targets = 32 * n * outputs
    if name in ("linear", "boosted trees"):
        return 24 * n * p + targets
    if name == "forest":
        return 24 * n * p + TREES * 2 * n // c * (72 + 8 * outputs) + targets
    if name == "exact":
        return 2 * gram_bytes(n) + targets
    return 8 * (6 * c**2 + 2 * c * p) + 24 * 8192 * c + targets


def features_for(kernel: Kernel, p: int) -> tuple[list[str], list[str]]:
    """Name the features that the kernel has, and the reason in a list if it does not have all of them."""
    try:
        kernel.spectral_dim(p)
    except TypeError as error:
        return ["Nyström"], [f"No random features: {error}"]
    return list(FEATURES), []
