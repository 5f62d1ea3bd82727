"""Kernel logistic regression, for which no formula gives α: an estimator and its solver."""

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils import Tags
from sklearn.utils.multiclass import type_of_target

from kernlib.duality.problems import Duality, Logistic, observations_per_weight
from kernlib.kernels.choice import KernelLike, TakesGram, as_kernel, is_precomputed
from kernlib.numerics.estimators import all_or_nothing, exceeds_float32, validate_rows
from kernlib.numerics.psd import EXACT_TO, psd_eigh
from kernlib.numerics.regularization import as_weights, keep_weighted
from kernlib.numerics.validation import as_labels, check_count, check_positive, warn

__all__ = ["KernelLogisticRegression"]


@dataclass(eq=False, repr=False)
class KernelLogisticRegression(TakesGram, ClassifierMixin, BaseEstimator):
    """Minimize (1/n) Σ log(1 + e^{−yᵢf(xᵢ)}) + (λ/2)‖f‖² for two classes, without intercept.

    f(x) = Σ αᵢ κ(x, xᵢ) estimates log(P(1|x)/P(0|x)). Here λ is the book's: scikit-learn's LogisticRegression
    on features has C = 1/(nλ). With weights of the observations, the mean is weighted, and their sum takes
    the place of n. For more than two classes, scikit-learn's OneVsRestClassifier fits one of these models for
    each class; `kernlib.streaming.StreamingClassifier` does so on features.

    In α the problem has the condition number of G², in w on a factor G = FFᵀ only that of G: F comes from an
    eigendecomposition, w from scikit-learn's LogisticRegression, and α = −∇g(Fw)/λ is feasible for (D). This
    costs O(n³), and each Newton step O(nr²) if G has numerical rank r; memory is O(n²). Source: Zhu and
    Hastie (2005). Chapter: Representer theorem and duality.

    Parameters
    ----------
    kernel : Kernel or str, optional
        κ, as `kernlib.kernels.as_kernel` takes it; by default the Gaussian kernel with γ = 1/p. With
        "precomputed", `fit` takes G instead of X, and the other methods the rows κ(x, xᵢ) of new points.
    lam : float
        λ > 0.
    tol : float
        The duality gap P(α) − D(α) at which to stop.
    max_iter : int
        Maximal number of Newton steps; if they do not suffice, a warning reports the gap.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels; y = −1 stands for the first, y = 1 for the second.
    kernel_, dual_coef_ : Kernel or Precomputed, ndarray of shape (n,)
        κ and α, in the dtype of X; for λ below 10⁻⁶ κ(x, x) in float64, as f is then.
    X_fit_ : ndarray of shape (n, p) or None
        The training rows; None if the kernel is "precomputed".
    duality_gap_, n_iter_ : float, int
        P(α) − D(α), up to rounding, which bounds the error of f, see `Duality`; and the number of steps.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlib import KernelLogisticRegression
    >>> X = np.linspace(0, 6, 200)[:, None]
    >>> model = KernelLogisticRegression().fit(X, np.sin(X[:, 0]) > 0)
    >>> model.predict([[1.5], [4.5]])
    array([ True, False])
    """

    kernel: KernelLike = None
    _: KW_ONLY
    lam: float = 0.01
    tol: float = 1e-12
    max_iter: int = 200

    @all_or_nothing
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find α from X, of shape (n, p), and n labels y of two classes, and weights of shape (n,)."""
        X = validate_rows(self, X, y)
        y, weights = as_labels(y, len(X)), as_weights(sample_weight, len(X))
        precomputed = is_precomputed(self.kernel)
        if not precomputed:
            X, y, weights = keep_weighted(X, y, weights)
        kept = np.ones(len(X), bool) if weights is None else weights > 0
        lam, tol = check_positive("lam", self.lam), check_positive("tol", self.tol)
        max_iter = check_count("max_iter", self.max_iter, 1)
        self.classes_, index = np.unique(y[kept], return_inverse=True)
        if len(self.classes_) != 2:
            found = f"{type_of_target(y[kept])}, with {len(self.classes_)} class(es)"
            raise ValueError(f"Only binary classification is supported. The type of the target is {found}.")
        self.kernel_ = as_kernel(self.kernel, X.shape[1], precomputed=True)
        G = self.kernel_.gram(X if precomputed else X.astype(np.float64, copy=False))
        if weights is not None and not kept.all():
            G, weights = G[np.ix_(kept, kept)], weights[kept]
        if not precomputed and exceeds_float32(index, G.diagonal().max(), lam):
            X = X.astype(np.float64, copy=False)
        problem = Duality(G, 2.0 * index - 1, lam=lam, loss=Logistic(), sample_weight=weights)
        alpha = np.zeros(len(X))
        alpha[kept], self.n_iter_ = solve_logistic(problem, tol, max_iter, exact_to=EXACT_TO[G.dtype])
        self.duality_gap_ = problem.gap(alpha[kept])
        if self.duality_gap_ > tol:
            message = f"The duality gap is {self.duality_gap_:.2g} after {self.n_iter_} steps, not {tol:g}."
            warn(message, ConvergenceWarning)
        self.dual_coef_ = alpha.astype(X.dtype)
        self.X_fit_ = None if precomputed else X.copy()  # as the caller may change X
        return self

    def decision_function(self, X: ArrayLike) -> NDArray:
        """Compute f(x) = Σ αᵢ κ(x, xᵢ), the log odds of the second class, for each row of X."""
        X = validate_rows(self, X, reset=False)
        return self.kernel_.matmul(X, self.X_fit_, self.dual_coef_)

    def predict_proba(self, X: ArrayLike) -> NDArray:
        """Compute 1/(1 + e^{f(x)}) and 1/(1 + e^{−f(x)}), the probabilities of the two ``classes_``."""
        f = self.decision_function(X)
        return special.expit(np.column_stack([-f, f]))

    def predict(self, X: ArrayLike) -> NDArray:
        """Predict the more probable of ``classes_`` for each row of X."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int)]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def solve_logistic(problem: Duality, tol: float, max_iter: int, exact_to: float) -> tuple[NDArray, int]:
    """Solve (D) for the logistic loss: minimize g(Fw) + (λ/2)wᵀw, where G = FFᵀ, and take α = −∇g(Fw)/λ.

    If r is the gradient at w, then P(α) − D(α) ≤ (L/2)(‖r‖/λ)² with L = λ_max(G)/(4n), or, for 1/n, the
    largest weight as a part of their sum. Returns α, feasible for (D) whatever w is, and the number of steps.
    """
    y, lam, weights = problem.y, problem.lam, problem.weights
    n = float(np.min(observations_per_weight(y, weights)))
    eigenvalues, U = psd_eigh(problem.G, exact_to)
    kept = eigenvalues > 0
    F = U[:, kept] * np.sqrt(eigenvalues[kept])
    if not kept.any():
        return -problem.loss.gradient(y, np.zeros(len(y)), weights) / lam, 0
    total = len(y) if weights is None else weights.sum()
    largest = lam * np.sqrt(8 * n * tol / (eigenvalues[-1] * F.shape[1]))  # entry of r, for the gap tol
    newton = LogisticRegression(
        C=1 / (total * lam), fit_intercept=False, solver="newton-cholesky", tol=largest, max_iter=max_iter
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the gap decides whether it has converged
        u = F @ newton.fit(F, y, weights).coef_[0]
    return -problem.loss.gradient(y, u, weights) / lam, int(newton.n_iter_[0])
