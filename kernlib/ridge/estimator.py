"""Kernel ridge regression as an estimator.

Chapter: Representer theorem and duality.
"""

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from kernlib.duality import representer
from kernlib.kernels import as_kernel
from kernlib.numerics.psd import shifted_solve
from kernlib.numerics.validation import as_targets, check_choice, check_positive, check_seed, validate_rows
from kernlib.ridge.choice import as_lams, least_error
from kernlib.ridge.conjugate_gradients import conjugate_ridge
from kernlib.ridge.direct import ridge_path

__all__ = ["KernelRidge"]

DIRECT_UP_TO = 10_000  # rows; their G takes 0.8 GB


class KernelRidge(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """
    Minimise (1/2n) Σ (yᵢ − f(xᵢ))² + (λ/2)‖f‖²: f(x) = Σ αᵢ κ(x, xᵢ) with α = (G + nλI)⁻¹y.

    λ is the book's: scikit-learn's KernelRidge with alpha = nλ is the same. There is no intercept, and all
    observations weigh the same (no `sample_weight`): centre y where its mean matters.

    Parameters
    ----------
    kernel : Kernel or str, optional
        What `kernlib.kernels.as_kernel` takes; the Gaussian with γ = 1/p where it is not given.
    lam : float or array_like of shape (L,)
        λ > 0; or several values, of which the one with the least mean square of the leave-one-out
        residuals is taken; the largest, with a warning, where no mean square is finite.
    solver : {"auto", "direct", "cg"}
        "direct" holds G and decomposes it; "cg" computes G's rows as `conjugate_ridge` needs them, for one λ
        only; "auto" is "cg" for one λ and more than 10,000 rows, where G would take 0.8 GB.
    tol : float
        Of "cg": the residual, as a part of ‖y‖, at which to stop.
    random_state : None, int, Generator or RandomState
        Of "cg": draws the landmarks of the preconditioner, which decide the number of steps and not α.
    verbose : bool
        Of "cg": whether to show progress, from the third second on, on a terminal or in a notebook.

    Attributes
    ----------
    kernel_ : Kernel
        κ.
    lam_ : float
        λ.
    loo_errors_ : ndarray of shape (L,)
        Mean squares of the leave-one-out residuals, where `lam` is an array.
    X_fit_ : ndarray of shape (n, p)
        The training rows.
    dual_coef_ : ndarray of shape (n,) or (n, q)
        α, in the dtype of X; computed in float64.
    residual_ : float
        ‖y − (G + nλI)α‖/‖y‖ where "cg" found α, of the output where it is largest.
    n_features_in_ : int
        p.
    feature_names_in_ : ndarray of shape (p,)
        Names of the inputs, where the data had any.

    Notes
    -----
    Fitting directly costs n³/6 multiplications for one λ, an eigendecomposition of G more for several, and
    O(n²) memory; by "cg", O(n²p) for each step, and memory O(np) and 10√n numbers a row for the
    preconditioner. Predicting m rows costs O(mnp). Source: Saunders, Gammerman and Vovk (1998). Chapter:
    Representer theorem and duality.
    """

    def __init__(self, kernel=None, *, lam=0.01, solver="auto", tol=1e-6, random_state=None, verbose=True):
        self.kernel = kernel
        self.lam = lam
        self.solver = solver
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y):
        """Compute α from X, of shape (n, p), and y, of shape (n,) or (n, q)."""
        X = validate_rows(self, X, y)
        y = as_targets(y, len(X))
        lams, several = as_lams(self.lam)
        check_choice("solver", self.solver, ("auto", "direct", "cg"))
        tol = check_positive("tol", self.tol)
        check_seed(self.random_state)
        if several and self.solver == "cg":
            raise ValueError("solver='cg' takes one value of lam: use 'direct', or choose by NystromRidge.")
        self.kernel_, self.lam_ = as_kernel(self.kernel, X.shape[1]), float(lams[0])
        if self.solver == "cg" or (self.solver == "auto" and not several and len(X) > DIRECT_UP_TO):
            solution = conjugate_ridge(
                X,
                y,
                kernel=self.kernel_,
                lam=self.lam_,
                tol=tol,
                random_state=self.random_state,
                verbose=self.verbose,
            )
            alpha, self.residual_ = solution.dual_coef, float(solution.residuals[-1])
        else:
            points = X.astype(np.float64, copy=False)
            G = self.kernel_.gram(points)
            if several:
                residuals = ridge_path(G, y, lams=lams).loo_residuals
                self.loo_errors_ = np.mean(residuals.reshape(len(lams), -1) ** 2, axis=1)
                self.lam_ = least_error(lams, self.loo_errors_)
            alpha = shifted_solve(G, y, len(X) * self.lam_)
        self.dual_coef_ = alpha.astype(X.dtype, copy=False)
        self.X_fit_ = X.copy()  # the caller may change theirs
        return self

    def predict(self, X):
        """Compute f(x) = Σ αᵢ κ(x, xᵢ), of shape (m,) or (m, q), for the m rows of X."""
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        return representer(self.kernel_, X, self.X_fit_, self.dual_coef_)
