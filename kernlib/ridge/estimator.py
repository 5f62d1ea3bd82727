"""Kernel ridge regression as a scikit-learn estimator."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin

from kernlib.kernels.choice import KernelLike, TakesGram, as_kernel, is_precomputed
from kernlib.numerics.conjugate_gradients import units_of
from kernlib.numerics.estimators import all_or_nothing, exceeds_float32, validate_ridge, validate_rows
from kernlib.numerics.regularization import candidates, choose_lam, keep_weighted, merge_copies, several
from kernlib.numerics.validation import Seed, as_generator, check_seed
from kernlib.ridge.conjugate_gradients import conjugate_ridge
from kernlib.ridge.direct import WeightedProblem, ridge_path

__all__ = ["KernelRidge"]

DIRECT_UP_TO = 10_000  # rows; their G takes 0.8 GB
SAMPLE = 2_000  # rows, at most, on which "auto" chooses λ: their eigendecomposition takes seconds


@dataclass(eq=False, repr=False)
class KernelRidge(TakesGram, MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Minimize (1/2n) Σ (yᵢ − b − f(xᵢ))² + (λ/2)‖f‖² over f(x) = Σ αᵢ κ(x, xᵢ) and the intercept b.

    Without an intercept, α = (G + nλI)⁻¹y; scikit-learn calls nλ alpha. With weights, their sum replaces n.

    "direct" costs n³/6 multiplications, an eigendecomposition of G more for several λ, and O(n²) memory. "cg"
    costs O(n²p) for each step, and memory O(np) plus 10√n numbers a row. Predicting m rows costs O(mnp).
    Source: Saunders, Gammerman and Vovk (1998). Chapter: Representer theorem and duality.

    Parameters
    ----------
    kernel : Kernel or str, optional
        κ, as `kernlib.kernels.as_kernel` takes it; by default the Gaussian kernel with γ = 1/p. With
        "precomputed", `fit` takes G instead of X, and `predict` the rows κ(x, xᵢ) of new points.
    lam : "auto", float or array_like of shape (L,)
        λ > 0; or several values, of which the one with the smallest leave-one-out error is used, or, with a
        warning, the largest if no error is finite. "auto" tries λ from 10 to 10⁻¹⁰ times the mean of κ(x, x),
        and below if features differ little from their mean, on at most 2,000 rows, drawn at random; of n >
        2,000 rows, the best λ is then multiplied by √(2000/n). Equal rows (of G, too) are left out together.
    fit_intercept : bool
        Whether there is a b; without it b = 0.
    solver : {"auto", "direct", "cg"}
        "direct" decomposes G. "cg" takes conjugate gradients, without G in memory, and no list of λ. "auto"
        is "cg" for more than 10,000 rows, whose G takes 0.8 GB, unless there is such a list.
    tol : float
        For "cg": the residual, relative to ‖y‖, at which to stop; the gap P(α) − D(α) is then ≤ tol² P(0).
    random_state : None, int, Generator or RandomState
        Draws the rows on which "auto" chooses λ, and for "cg" the landmarks of the preconditioner.
    verbose : bool
        Whether to show progress after two seconds, on a terminal or in a notebook.

    Attributes
    ----------
    kernel_, lam_ : Kernel, float
        κ and λ.
    lams_, loo_errors_ : ndarray of shape (L,)
        If there were several, the values of λ, and the mean squares of their leave-one-out residuals, for X
        in float32 with what rounding of α adds; infinite if an observation determines its own fit.
    X_fit_ : ndarray of shape (n, p) or None
        The n training rows whose weight is not zero; None if the kernel is "precomputed".
    dual_coef_, intercept_ : ndarray of shape (n,) or (n, q), and float or ndarray of shape (q,)
        α, computed in float64, and b, in the dtype of X; for a single λ below 10⁻⁶ κ(x, x), or numbers too
        large for float32, in float64, as are predictions. With an intercept the αᵢ add up to zero.
    residual_, n_iter_ : float, int
        ‖y − (G + nλI)α‖/‖y‖ if "cg" found α, the largest over the outputs, and the number of steps.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlib import KernelRidge, Gaussian
    >>> X = np.linspace(0, 6, 200)[:, None]
    >>> model = KernelRidge(Gaussian(gamma=1.0)).fit(X, np.sin(X[:, 0]))
    >>> model.predict([[0.5]]).round(2)  # sin 0.5 = 0.479
    array([0.48])
    """

    kernel: KernelLike = None
    _: KW_ONLY
    lam: str | float | ArrayLike = "auto"
    fit_intercept: bool = True
    solver: str = "auto"
    tol: float = 1e-6
    random_state: Seed = None
    verbose: bool = True

    @all_or_nothing
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Compute α and b from X (n, p), y (n,) or (n, q), and weights (n,); weight 0 leaves a row out."""
        precomputed = is_precomputed(self.kernel)
        X, y, weights = validate_ridge(self, X, y, sample_weight)
        if not precomputed:
            X, y, weights = keep_weighted(X, y, weights)
        self.lam_ = float(candidates(self.lam)[0])  # `_choose_lam` chooses among several
        check_seed(self.random_state)
        listed = several(self.lam) and not isinstance(self.lam, str)
        if listed and self.solver == "cg":
            raise ValueError("solver='cg' takes no list of lam: use 'direct', or choose by NystromRidge.")
        self.kernel_ = as_kernel(self.kernel, X.shape[1], precomputed=self.solver != "cg")
        points = X if precomputed else X.astype(np.float64, copy=False)
        if not precomputed and exceeds_float32(y, self.kernel_.diag(points).max(), self.lam):
            X = points
        large = len(X) > DIRECT_UP_TO and not (listed or precomputed)
        by_steps = self.solver == "cg" or (self.solver == "auto" and large)
        G: Any = None if by_steps else self.kernel_.gram(points)
        if several(self.lam):
            self._choose_lam(G, points, y, weights, X.dtype)
        problem = WeightedProblem(y, weights, self.fit_intercept)
        if by_steps:
            options = {name: getattr(self, name) for name in ("tol", "random_state", "verbose")}
            alpha, intercept, norms = conjugate_ridge(points, self.kernel_, problem, lam=self.lam_, **options)
            self.residual_, self.n_iter_ = float(norms[-1]), len(norms) - 1
        else:
            alpha, intercept = problem.solve(G.copy() if precomputed else G, self.lam_)
        self.dual_coef_ = alpha.astype(X.dtype, copy=False)
        self.intercept_ = intercept.astype(X.dtype, copy=False)[()]
        self.X_fit_ = None if precomputed else X.copy()  # the caller may change X
        return self

    def _choose_lam(self, G, X, y, weights, dtype):
        """Choose λ by leave-one-out; "auto" takes a sample of the rows. G is that of all rows, or None."""
        rows = np.arange(len(X)) if weights is None else np.flatnonzero(weights)
        n, m = len(rows), min(len(rows), SAMPLE) if isinstance(self.lam, str) else len(rows)
        if m < n:
            rows = as_generator(self.random_state).choice(rows, m, replace=False)
        kept, weights = merge_copies(X[rows], y[rows], None if weights is None else weights[rows])
        rows = rows[kept]
        if G is None:
            G = self.kernel_.gram(X[rows])
        elif len(rows) < len(G):
            G = G[np.ix_(rows, rows)]
        size = np.mean(np.diagonal(G))
        self.lams_ = candidates(self.lam, size, size - np.mean(G) if self.fit_intercept else size)
        options = {"fit_intercept": self.fit_intercept, "sample_weight": weights}
        unit = min(1.0, units_of(y).max())  # in which small squares stay in range
        path = ridge_path(G, y[rows] / unit, lams=self.lams_, **options)
        errors = path.loo_errors(weights)
        if dtype == np.float32:  # in which α is kept: its rounding adds to the error of a prediction
            lost = np.finfo(dtype).eps * size * path.dual_coef.reshape(len(path.lams), len(rows), -1)
            errors += (lost**2).sum(axis=1).mean(axis=1)
        self.lam_, self.loo_errors_ = choose_lam(self.lams_, errors) * np.sqrt(m / n), errors * unit**2

    def predict(self, X: ArrayLike) -> NDArray:
        """Compute Σ αᵢ κ(x, xᵢ) + b, of shape (m,) or (m, q), for the m rows of X."""
        X = validate_rows(self, X, reset=False)
        return self.kernel_.matmul(X, self.X_fit_, self.dual_coef_) + self.intercept_
