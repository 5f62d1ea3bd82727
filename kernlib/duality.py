"""Losses and their conjugates, the primal and the dual objective, and kernel logistic regression.

With g(u) = (1/n) Σ ℓ(yᵢ, uᵢ), convex duality turns min_w g(Φw) + (λ/2)wᵀw into
max_α −g*(−λα) − (λ/2)αᵀGα, with w = Φᵀα and G = ΦΦᵀ: the features are needed no more.

Chapter: Representer theorem and duality.
"""

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import linalg, special
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlib.blocks import for_row_blocks
from kernlib.kernels import Gaussian
from kernlib.low_rank import as_symmetric
from kernlib.validation import as_matrix, check_count, check_positive

__all__ = [
    "Duality",
    "KernelLogisticRegression",
    "Logistic",
    "Loss",
    "Squared",
    "feature_objective",
    "representer",
]


class Loss:
    """
    A convex loss ℓ(y, u), the mean g(u) = (1/n) Σ ℓ(yᵢ, uᵢ) that the book writes, and its conjugate g*.

    A new loss gives three formulas that act on each observation: ``each`` is ℓ, ``slope`` is
    ℓ′ = ∂ℓ/∂u, ``conjugate_each`` is ℓ*(y, v) = sup_u uv − ℓ(y, u). The rest follows. Targets y,
    predictions u and slopes v are arrays of shape (n,).

    Notes
    -----
    Chapter: Representer theorem and duality.
    """

    def value(self, y, u):
        """Compute g(u) = (1/n) Σ ℓ(yᵢ, uᵢ)."""
        return np.mean(self.each(y, u))

    def gradient(self, y, u):
        """Compute ∇g(u), whose entries are ℓ′(yᵢ, uᵢ)/n; at the optimum it is −λα."""
        return self.slope(y, u) / len(y)

    def conjugate(self, y, v):
        """Compute g*(v) = sup_u uᵀv − g(u) = (1/n) Σ ℓ*(yᵢ, nvᵢ), infinite outside its domain."""
        return np.mean(self.conjugate_each(y, len(y) * v))

    def check(self, y):
        """Refuse targets that the loss is not made for; most losses take any number."""


@dataclass(frozen=True)
class Squared(Loss):
    """
    ℓ(y, u) = ½(y − u)², for any real y; ℓ*(y, v) = ½v² + vy.

    So −g*(−λα) = −(1/2n)‖y − nλα‖² + ‖y‖²/(2n). The last term moves no optimum, but without it the primal
    and the dual value differ by it.

    Notes
    -----
    Chapter: Representer theorem and duality.
    """

    def each(self, y, u):
        return (y - u) ** 2 / 2

    def slope(self, y, u):
        return u - y

    def conjugate_each(self, y, v):
        return v**2 / 2 + v * y


@dataclass(frozen=True)
class Logistic(Loss):
    """
    ℓ(y, u) = log(1 + e^{−yu}), for y = ±1; ℓ*(y, v) = s log s + (1 − s) log(1 − s) with s = −yv in [0, 1].

    0 log 0 counts as 0, and ℓ* is infinite for every other s: the dual asks 0 ≤ nλyᵢαᵢ ≤ 1.

    Notes
    -----
    Chapter: Representer theorem and duality.
    """

    def each(self, y, u):
        return np.logaddexp(0, -y * u)

    def slope(self, y, u):
        return -y * special.expit(-y * u)

    def conjugate_each(self, y, v):
        s = -y * v
        inside = np.clip(s, 0, 1)
        # an α at the edge of the domain must not fall off it by rounding
        s = np.where(np.abs(s - inside) < 8 * np.finfo(np.float64).eps, inside, s)
        return -special.entr(s) - special.entr(1 - s)

    def check(self, y):
        if not np.isin(y, (-1, 1)).all():
            raise ValueError(f"y must be −1 or 1 for the logistic loss, got {y[~np.isin(y, (-1, 1))][0]:g}.")


class Duality:
    """
    The problems (P) min P(α) = g(Gα) + (λ/2) αᵀGα and (D) max D(α) = −g*(−λα) − (λ/2) αᵀGα.

    D(β) ≤ P(α) for all α and β, and an optimum of (D) is one of (P), with the same value. So the gap
    P(α) − D(α) tells how good α is, without the optimum; it is zero exactly where α solves (D). As (λ/2)αᵀGα
    makes −D strongly convex, f from α and f° from the optimum obey |f(x) − f°(x)| ≤ √(2 gap κ(x, x)/λ).

    Parameters
    ----------
    G : array_like of shape (n, n)
        The Gram matrix.
    y : array_like of shape (n,)
        Targets.
    lam : float
        λ > 0.
    loss : Loss
        Where g comes from.

    Raises
    ------
    TypeError, ValueError
        If G is not a finite symmetric matrix, y no finite vector of its size or not for this loss, or λ
        not positive.

    Notes
    -----
    Each value costs O(n²). Chapter: Representer theorem and duality.
    """

    def __init__(self, G, y, *, lam, loss):
        check_positive("lam", lam)
        self.G, self.lam, self.loss = as_symmetric(G).astype(np.float64, copy=False), float(lam), loss
        self.y = as_vector(y, len(self.G), "y")
        loss.check(self.y)

    def primal(self, alpha):
        """Compute P(α), what is to be minimised once w = Φᵀα is known; alpha has shape (n,)."""
        alpha = as_vector(alpha, len(self.y), "alpha")
        u = self.G @ alpha
        return float(self.loss.value(self.y, u) + self.lam / 2 * alpha @ u)

    def dual(self, alpha):
        """Compute D(α), what is to be maximised; −∞ outside the domain of g*."""
        alpha = as_vector(alpha, len(self.y), "alpha")
        conjugate = self.loss.conjugate(self.y, -self.lam * alpha)
        return float(-conjugate - self.lam / 2 * alpha @ self.G @ alpha)

    def gap(self, alpha):
        """Compute P(α) − D(α) ≥ 0, what α lacks at most in either problem."""
        return self.primal(alpha) - self.dual(alpha)


def feature_objective(Phi, y, w, *, lam, loss):
    """
    Compute g(Φw) + (λ/2) wᵀw, the primal problem with its features in the open.

    Its gradient is Φᵀ∇g(Φw) + λw.

    Parameters
    ----------
    Phi : array_like of shape (n, p)
        Rows are the features of the observations.
    y : array_like of shape (n,)
        Targets.
    w : array_like of shape (p,)
        Weights.
    lam : float
        λ > 0.
    loss : Loss
        Where g comes from.

    Returns
    -------
    float
        P(α) where w = Φᵀα and G = ΦΦᵀ.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Notes
    -----
    O(np). Chapter: Representer theorem and duality.
    """
    check_positive("lam", lam)
    Phi = as_matrix(Phi, "Phi").astype(np.float64, copy=False)
    y, w = as_vector(y, len(Phi), "y"), as_vector(w, Phi.shape[1], "w")
    loss.check(y)
    return float(loss.value(y, Phi @ w) + lam / 2 * w @ w)


def representer(kernel, X, X_fit, dual_coef):
    """
    Compute f(x) = Σᵢ αᵢ κ(x, xᵢ), the form that the representer theorem gives every solution.

    Parameters
    ----------
    kernel : Kernel
        κ.
    X : array_like of shape (m, p)
        Rows are the points x.
    X_fit : array_like of shape (n, p)
        Rows are the observations xᵢ.
    dual_coef : ndarray of shape (n,) or (n, q)
        α, a column for each function.

    Returns
    -------
    ndarray of shape (m,) or (m, q)
        The values of f.

    Raises
    ------
    TypeError, ValueError
        If X or X_fit is not a finite matrix, or the shapes do not fit together.

    Notes
    -----
    O(mnp) operations; O(n) memory for each row held. Source: Kimeldorf and Wahba (1971). Chapter:
    Representer theorem and duality.
    """
    X, X_fit = as_matrix(X), as_matrix(X_fit, "X_fit")
    if len(dual_coef) != len(X_fit):
        raise ValueError(f"dual_coef must have the {len(X_fit)} rows of X_fit, got {len(dual_coef)}.")
    values = np.empty((len(X), *dual_coef.shape[1:]), dtype=np.result_type(X, X_fit, dual_coef))

    def fill(rows):
        values[rows] = kernel(X[rows], X_fit) @ dual_coef

    for_row_blocks(fill, len(X), len(X_fit))
    return values


class KernelLogisticRegression(ClassifierMixin, BaseEstimator):
    """
    Minimise (1/n) Σ log(1 + e^{−yᵢf(xᵢ)}) + (λ/2)‖f‖² for two classes, without intercept.

    f(x) = Σ αᵢ κ(x, xᵢ) estimates log(P(1|x)/P(0|x)). With λ as in the book, scikit-learn's
    LogisticRegression on features has C = 1/(nλ).

    Parameters
    ----------
    kernel : Kernel, optional
        The Gaussian with γ = 1/p where it is not given.
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
        """
        Find α.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Rows are observations.
        y : array_like of shape (n,)
            Labels of two classes.

        Returns
        -------
        KernelLogisticRegression
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If X, y or a parameter is not as described, or there are not two classes.
        """
        X, y = validate_data(self, X, y, dtype=(np.float64, np.float32))
        check_positive("lam", self.lam)
        check_positive("tol", self.tol)
        check_count("max_iter", self.max_iter, 1)
        check_classification_targets(y)
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) != 2:
            raise ValueError(
                f"Only binary classification is supported. The type of the target is {type_of_target(y)}, "
                f"with {len(self.classes_)} class(es)."
            )
        self.kernel_ = Gaussian(1 / X.shape[1]) if self.kernel is None else self.kernel
        points = X.astype(np.float64, copy=False)
        problem = Duality(self.kernel_.gram(points, points), 2.0 * index - 1, lam=self.lam, loss=Logistic())
        alpha, self.n_iter_ = solve_logistic(problem, self.tol, self.max_iter)
        self.duality_gap_ = problem.gap(alpha)
        if self.duality_gap_ > self.tol:
            warnings.warn(
                f"The duality gap is {self.duality_gap_:.2g} after {self.n_iter_} steps, not {self.tol:g}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.X_fit_, self.dual_coef_ = X, alpha.astype(X.dtype)
        return self

    def decision_function(self, X):
        """
        Compute f(x) = Σ αᵢ κ(x, xᵢ), the logarithm of the odds for the second class.

        Parameters
        ----------
        X : array_like of shape (m, p)
            Rows are observations.

        Returns
        -------
        ndarray of shape (m,)
            The values of f.

        Raises
        ------
        TypeError, ValueError
            If X is not a finite matrix with the p columns of `fit`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=(np.float64, np.float32), reset=False)
        return representer(self.kernel_, X, self.X_fit_, self.dual_coef_)

    def predict_proba(self, X):
        """
        Compute 1/(1 + e^{f(x)}) and 1/(1 + e^{−f(x)}), the probabilities of the two classes.

        Parameters
        ----------
        X : array_like of shape (m, p)
            Rows are observations.

        Returns
        -------
        ndarray of shape (m, 2)
            Columns in the order of ``classes_``.
        """
        f = self.decision_function(X)
        return special.expit(np.column_stack([-f, f]))

    def predict(self, X):
        """
        Give the more probable class.

        Parameters
        ----------
        X : array_like of shape (m, p)
            Rows are observations.

        Returns
        -------
        ndarray of shape (m,)
            Labels from ``classes_``.
        """
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
    L = λ_max(G)/(4n): the gap asked for says how small r must be.

    Parameters
    ----------
    problem : Duality
        What to solve.
    tol : float
        The duality gap at which to stop.
    max_iter : int
        The most steps.

    Returns
    -------
    alpha : ndarray of shape (n,)
        In the domain of (D), whatever w.
    steps : int
        How many were taken.
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


def as_vector(v, n, name):
    """
    Give v as a finite vector of n numbers in float64.

    Parameters
    ----------
    v : array_like of shape (n,)
        Numbers.
    n : int
        How many there must be.
    name : str
        What to call it in the sentence.

    Returns
    -------
    ndarray of shape (n,)
        v itself where it is already such an array.
    """
    if np.shape(v) != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {np.shape(v)}.")
    return as_matrix(np.reshape(v, (n, 1)), name)[:, 0].astype(np.float64, copy=False)


def psd_eigh(G):
    """
    Decompose G = UΛUᵀ, with eigenvalues that are zero up to rounding set to zero.

    Parameters
    ----------
    G : ndarray of shape (n, n)
        A Gram matrix in float64: symmetric, positive semi-definite up to rounding.

    Returns
    -------
    eigenvalues : ndarray of shape (n,)
        In ascending order, none negative.
    U : ndarray of shape (n, n)
        One eigenvector a column.

    Raises
    ------
    ValueError
        If an eigenvalue is negative beyond rounding: no kernel gave this matrix.
    """
    eigenvalues, U = linalg.eigh(G, driver="evd")  # the default loses digits where eigenvalues cluster
    cut = len(G) * np.finfo(np.float64).eps * np.abs(eigenvalues).max()
    if eigenvalues[0] < -100 * cut:
        raise ValueError(
            f"G must be positive semi-definite, as the Gram matrix of a kernel is, got the eigenvalue "
            f"{eigenvalues[0]:.3g}."
        )
    return np.where(eigenvalues > cut, eigenvalues, 0), U
