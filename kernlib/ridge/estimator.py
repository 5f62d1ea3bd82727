"""Kernel ridge regression as a scikit-learn estimator."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from kernlib.duality import representer
from kernlib.kernels import as_kernel
from kernlib.kernels.choice import KernelLike
from kernlib.numerics.psd import shifted_solve
from kernlib.numerics.validation import (
    Seed,
    as_grid,
    as_targets,
    check_choice,
    check_positive,
    check_seed,
    validate_rows,
)
from kernlib.ridge.conjugate_gradients import conjugate_ridge
from kernlib.ridge.direct import choose_lam, ridge_path

__all__ = ["KernelRidge"]

DIRECT_UP_TO = 10_000  # rows; their G takes 0.8 GB


class KernelRidge(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """
    Minimize (1/2n) Σ (yᵢ − f(xᵢ))² + (λ/2)‖f‖²: f(x) = Σ αᵢ κ(x, xᵢ) with α = (G + nλI)⁻¹y.

    Here λ is the book's: scikit-learn's KernelRidge is the same with alpha = nλ. There is no intercept, so
    center y if its mean matters. All observations have the same weight (there is no `sample_weight`).

    Parameters
    ----------
    kernel : Kernel or str, optional
        κ, as `kernlib.kernels.as_kernel` takes it; by default the Gaussian kernel with γ = 1/p.
    lam : float or array_like of shape (L,)
        λ > 0; or several values, of which the one with the smallest leave-one-out error is used, or, with a
        warning, the largest if no error is finite.
    solver : {"auto", "direct", "cg"}
        "direct" holds G and decomposes it. "cg" computes entries of G as `conjugate_ridge` needs them, for a
        single λ. "auto" is "cg" for a single λ and more than 10,000 rows, whose G takes 0.8 GB.
    tol : float
        For "cg": the residual, relative to ‖y‖, at which to stop.
    random_state : None, int, Generator or RandomState
        For "cg": draws the landmarks of the preconditioner, which affect the number of steps but not α.
    verbose : bool
        For "cg": whether to show progress after two seconds, on a terminal or in a notebook.

    Attributes
    ----------
    kernel_, lam_ : Kernel, float
        κ and λ.
    loo_errors_ : ndarray of shape (L,)
        Mean squares of the leave-one-out residuals, if `lam` is an array.
    X_fit_ : ndarray of shape (n, p)
        The training rows.
    dual_coef_ : ndarray of shape (n,) or (n, q)
        α, in the dtype of X; computed in float64.
    residual_ : float
        ‖y − (G + nλI)α‖/‖y‖ if "cg" found α, the largest over the outputs.

    Notes
    -----
    "direct" costs n³/6 multiplications for a single λ, an eigendecomposition of G more for several, and O(n²)
    memory. "cg" costs O(n²p) for each step, and memory O(np) plus 10√n numbers a row. Predicting m rows costs
    O(mnp). Source: Saunders, Gammerman and Vovk (1998). Chapter: Representer theorem and duality.
    """

    def __init__(
        self,
        kernel: KernelLike = None,
        *,
        lam: float | ArrayLike = 0.01,
        solver: str = "auto",
        tol: float = 1e-6,
        random_state: Seed = None,
        verbose: bool = True,
    ) -> None:
        self.kernel = kernel
        self.lam = lam
        self.solver = solver
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Compute α from X, of shape (n, p), and y, of shape (n,) or (n, q)."""
        X = validate_rows(self, X, y)
        y = as_targets(y, len(X))
        lams, several = as_grid(self.lam, "lam", or_number=True), np.ndim(self.lam) > 0
        check_choice("solver", self.solver, ("auto", "direct", "cg"))
        tol = check_positive("tol", self.tol)
        check_seed(self.random_state)
        if several and self.solver == "cg":
            raise ValueError("solver='cg' takes one value of lam: use 'direct', or choose by NystromRidge.")
        self.kernel_, self.lam_ = as_kernel(self.kernel, X.shape[1]), float(lams[0])
        if self.solver == "cg" or (self.solver == "auto" and not several and len(X) > DIRECT_UP_TO):
            seed, verbose = self.random_state, self.verbose
            alpha, residuals = conjugate_ridge(
                X, y, kernel=self.kernel_, lam=self.lam_, tol=tol, random_state=seed, verbose=verbose
            )
            self.residual_ = float(residuals[-1])
        else:
            points = X.astype(np.float64, copy=False)
            G = self.kernel_.gram(points)
            if several:
                residuals = ridge_path(G, y, lams=lams).loo_residuals
                self.loo_errors_ = np.mean(residuals.reshape(len(lams), -1) ** 2, axis=1)
                self.lam_ = choose_lam(lams, self.loo_errors_)
            alpha = shifted_solve(G, y, len(X) * self.lam_)
        self.dual_coef_ = alpha.astype(X.dtype, copy=False)
        self.X_fit_ = X.copy()  # the caller may change X
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        """Compute f(x) = Σ αᵢ κ(x, xᵢ), of shape (m,) or (m, q), for the m rows of X."""
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        return representer(self.kernel_, X, self.X_fit_, self.dual_coef_)
