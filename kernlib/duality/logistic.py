"""Kernel logistic regression: the second loss, for which no formula gives α.

Chapter: Representer theorem and duality.
"""

import warnings

import numpy as np
from scipy import special
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, column_or_1d

from kernlib.duality.losses import Logistic
from kernlib.duality.problems import Duality, representer
from kernlib.kernels import as_kernel
from kernlib.numerics.psd import psd_eigh
from kernlib.numerics.validation import as_array, check_count, check_positive, validate_rows

__all__ = ["KernelLogisticRegression"]


class KernelLogisticRegression(ClassifierMixin, BaseEstimator):
    """
    Minimise (1/n) Σ log(1 + e^{−yᵢf(xᵢ)}) + (λ/2)‖f‖² for two classes, without intercept.

    f(x) = Σ αᵢ κ(x, xᵢ) estimates log(P(1|x)/P(0|x)). With λ as in the book, scikit-learn's
    LogisticRegression on features has C = 1/(nλ). As in the book's problem, all observations weigh the same
    (no `sample_weight`), and there are two classes: for more, scikit-learn's OneVsRestClassifier fits one of
    these for each.

    Parameters
    ----------
    kernel : Kernel or str, optional
        What `kernlib.kernels.as_kernel` takes; the Gaussian with γ = 1/p where it is not given.
    lam : float
        λ > 0.
    tol : float
        The duality gap P(α) − D(α) at which to stop.
    max_iter : int
        The most steps of Newton's method; if they do not suffice, a warning says what gap is left.

    Attributes
    ----------
    kernel_ : Kernel
        κ.
    classes_ : ndarray of shape (2,)
        The labels; y = −1 stands for the first, y = 1 for the second.
    X_fit_ : ndarray of shape (n, p)
        The training rows.
    dual_coef_ : ndarray of shape (n,)
        α.
    duality_gap_ : float
        P(α) − D(α), up to rounding; it bounds the error of f, see `Duality`.
    n_iter_ : int
        Steps taken.
    n_features_in_ : int
        p.
    feature_names_in_ : ndarray of shape (p,)
        Names of the inputs, where the data had any.

    Notes
    -----
    In α the problem has the conditioning of G², in w on a factor G = FFᵀ that of G alone. So one
    eigendecomposition gives F, scikit-learn's LogisticRegression finds w by Newton's method, and
    α = −∇g(Fw)/λ comes back, always in the domain of (D), with its gap as the certificate. O(n³) for
    the eigendecomposition, O(nr²) for each step where G has numerical rank r; O(n²) memory.
    Source: Zhu and Hastie (2005). Chapter: Representer theorem and duality.
    """

    def __init__(self, kernel=None, *, lam=0.01, tol=1e-12, max_iter=200):
        self.kernel = kernel
        self.lam = lam
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y):
        """Find α from X, of shape (n, p), and the n labels y, of two classes."""
        X = validate_rows(self, X, y)
        y = as_array(y, "y")
        if y.shape not in ((len(X),), (len(X), 1)):
            raise ValueError(f"y must have shape ({len(X)},), a label for each row of X, got {y.shape}.")
        y = column_or_1d(y, warn=True)
        lam, tol = check_positive("lam", self.lam), check_positive("tol", self.tol)
        max_iter = check_count("max_iter", self.max_iter, 1)
        kind = type_of_target(y, input_name="y")
        if kind not in ("binary", "multiclass"):  # the first words are what scikit-learn's checks ask for
            raise ValueError(f"Unknown label type: y must hold labels of two classes, got {kind} targets.")
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {kind}, "
                f"with {len(self.classes_)} class(es)."
            )
        self.kernel_ = as_kernel(self.kernel, X.shape[1])
        points = X.astype(np.float64, copy=False)
        problem = Duality(self.kernel_.gram(points), 2.0 * index - 1, lam=lam, loss=Logistic())
        alpha, self.n_iter_ = solve_logistic(problem, tol, max_iter)
        self.duality_gap_ = problem.gap(alpha)
        if self.duality_gap_ > tol:
            warnings.warn(
                f"The duality gap is {self.duality_gap_:.2g} after {self.n_iter_} steps, not {tol:g}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.X_fit_, self.dual_coef_ = X.copy(), alpha.astype(X.dtype)  # a copy, as the caller may change X
        return self

    def decision_function(self, X):
        """Compute f(x) = Σ αᵢ κ(x, xᵢ), the logarithm of the odds for the second class, for the rows of X."""
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        return representer(self.kernel_, X, self.X_fit_, self.dual_coef_)

    def predict_proba(self, X):
        """Compute 1/(1 + e^{f(x)}) and 1/(1 + e^{−f(x)}), the probabilities of ``classes_``, side by side."""
        f = self.decision_function(X)
        return special.expit(np.column_stack([-f, f]))

    def predict(self, X):
        """Give the more probable label of ``classes_`` for each row of X."""
        f = self.decision_function(X)
        return self.classes_[(f > 0).astype(int)]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


def solve_logistic(problem, tol, max_iter):
    """
    Solve (D) for the logistic loss: minimise g(Fw) + (λ/2)wᵀw, G = FFᵀ, and take α = −∇g(Fw)/λ.

    Where r is the gradient left in w, P(w) − D(α) = ‖r‖²/(2λ) and P(α) − D(α) ≤ (L/2)(‖r‖/λ)², with
    L = λ_max(G)/(4n): the gap asked for says how small r must be. Gives α, of shape (n,), in the domain of
    (D) whatever w, and the number of steps.
    """
    y, lam, n = problem.y, problem.lam, len(problem.y)
    eigenvalues, U = psd_eigh(problem.G)
    kept = eigenvalues > 0
    F = U[:, kept] * np.sqrt(eigenvalues[kept])
    if not kept.any():
        return -problem.loss.gradient(y, np.zeros(n)) / lam, 0
    enough = lam * np.sqrt(8 * n * tol / (eigenvalues[-1] * F.shape[1]))  # for each entry of r
    newton = LogisticRegression(
        C=1 / (n * lam), fit_intercept=False, solver="newton-cholesky", tol=enough, max_iter=max_iter
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the gap is the judge, not the solver's opinion of itself
        u = F @ newton.fit(F, y).coef_[0]
    return -problem.loss.gradient(y, u) / lam, int(newton.n_iter_[0])
