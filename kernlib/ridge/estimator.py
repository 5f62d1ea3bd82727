"""Kernel ridge regression as an estimator.

Chapter: Representer theorem and duality.
"""

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlib.duality import representer
from kernlib.kernels import Gaussian
from kernlib.ridge.direct import as_grid, dual_ridge, ridge_path

__all__ = ["KernelRidge"]


class KernelRidge(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """
    Minimise (1/2n) Σ (yᵢ − f(xᵢ))² + (λ/2)‖f‖²: f(x) = Σ αᵢ κ(x, xᵢ) with α = (G + nλI)⁻¹y.

    No intercept is fitted. λ is the book's: scikit-learn's KernelRidge with alpha = nλ is the same.

    Parameters
    ----------
    kernel : Kernel, optional
        The Gaussian with γ = 1/p where it is not given.
    lam : float or array_like of shape (L,)
        λ > 0; or several values, of which the one with the least mean square of the leave-one-out
        residuals is taken.

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
    n_features_in_ : int
        p.
    feature_names_in_ : ndarray of shape (p,)
        Names of the inputs, where the data had any.

    Notes
    -----
    Fitting costs n³/6 multiplications for one λ, an eigendecomposition of G more for several, and O(n²)
    memory; predicting m rows O(mnp). Source: Saunders, Gammerman and Vovk (1998). Chapter: Representer
    theorem and duality.
    """

    def __init__(self, kernel=None, *, lam=0.01):
        self.kernel = kernel
        self.lam = lam

    def fit(self, X, y):
        """
        Compute α.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Rows are observations.
        y : array_like of shape (n,) or (n, q)
            Targets, a column for each output.

        Returns
        -------
        KernelRidge
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If X, y or a parameter is not as described.
        """
        X, y = validate_data(self, X, y, dtype=(np.float64, np.float32), multi_output=True, y_numeric=True)
        several = np.ndim(self.lam) > 0
        lams = as_grid(self.lam if several else [self.lam])
        self.kernel_ = Gaussian(1 / X.shape[1]) if self.kernel is None else self.kernel
        points = X.astype(np.float64, copy=False)
        G = self.kernel_.gram(points, points)
        best = 0
        if several:
            residuals = ridge_path(G, y, lams=lams).loo_residuals
            self.loo_errors_ = np.mean(residuals.reshape(len(lams), -1) ** 2, axis=1)
            best = np.argmin(self.loo_errors_)
        self.lam_ = float(lams[best])
        self.dual_coef_ = dual_ridge(G, y, lam=self.lam_).astype(X.dtype, copy=False)
        self.X_fit_ = X
        return self

    def predict(self, X):
        """
        Compute f(x) = Σ αᵢ κ(x, xᵢ).

        Parameters
        ----------
        X : array_like of shape (m, p)
            Rows are observations.

        Returns
        -------
        ndarray of shape (m,) or (m, q)
            The values of f.

        Raises
        ------
        TypeError, ValueError
            If X is not a finite matrix with the p columns of `fit`.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=(np.float64, np.float32), reset=False)
        return representer(self.kernel_, X, self.X_fit_, self.dual_coef_)
