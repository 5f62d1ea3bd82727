"""Kernel ridge regression, exact: the dual route, the primal route, the whole path in λ, and leave-one-out.

(P) for the squared loss is (1/2n)‖y − Gα‖² + (λ/2)αᵀGα. Its solutions are α = (G + nλI)⁻¹y, which alone
solves (D) as well, plus anything in Ker G; all of them predict the same.

Chapter: Representer theorem and duality.
"""

from typing import NamedTuple

import numpy as np
from scipy import linalg
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from kernlib.duality import psd_eigh, representer
from kernlib.kernels import Gaussian
from kernlib.low_rank import as_symmetric
from kernlib.validation import as_matrix, check_positive

__all__ = ["KernelRidge", "RidgePath", "dual_ridge", "primal_ridge", "ridge_path"]


def dual_ridge(G, y, *, lam):
    """
    Compute α = (G + nλI)⁻¹y, the n coefficients of f(x) = Σ αᵢ κ(x, xᵢ).

    Parameters
    ----------
    G : array_like of shape (n, n)
        The Gram matrix, singular or not.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output.
    lam : float
        λ > 0; scikit-learn's KernelRidge calls nλ alpha. Without it α isn't unique where G is
        singular, so λ = 0 is refused; the limit λ → 0 is ``np.linalg.pinv(G) @ y``.

    Returns
    -------
    ndarray of shape (n,) or (n, q)
        α, in G's dtype; computed in float64.

    Raises
    ------
    TypeError, ValueError
        If G is not a finite symmetric matrix, y does not fit it, or λ is not positive.

    Notes
    -----
    One Cholesky decomposition, n³/6 multiplications. Where G is singular and nλ below its rounding errors,
    α lacks its part in Ker G, of the size of y/(nλ): that solution of (P) predicts the same, and to the
    last digits. Source: Saunders, Gammerman and Vovk (1998). Chapter: Representer theorem and duality.
    """
    G = as_symmetric(G)
    y = as_targets(y, len(G))
    check_positive("lam", lam)
    return shifted_solve(G.astype(np.float64, copy=False), y, len(G) * lam).astype(G.dtype)


def primal_ridge(Phi, y, *, lam):
    """
    Compute w = (ΦᵀΦ + nλI)⁻¹Φᵀy, the p weights of f(x) = wᵀφ(x).

    As (AAᵀ + I)⁻¹A = A(AᵀA + I)⁻¹ for every matrix A, w = Φᵀα with α from `dual_ridge` on G = ΦΦᵀ.

    Parameters
    ----------
    Phi : array_like of shape (n, p)
        Rows are the features of the observations.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output.
    lam : float
        λ > 0; scikit-learn's Ridge calls nλ alpha.

    Returns
    -------
    ndarray of shape (p,) or (p, q)
        w, in Φ's dtype; computed in float64.

    Raises
    ------
    TypeError, ValueError
        If Φ is not a finite matrix, y does not fit it, or λ is not positive.

    Notes
    -----
    O(np² + p³), against O(n²p + n³) for the dual route. Source: Hoerl and Kennard (1970).
    Chapter: Representer theorem and duality.
    """
    Phi = as_matrix(Phi, "Phi")
    y = as_targets(y, len(Phi))
    check_positive("lam", lam)
    A = Phi.astype(np.float64, copy=False)
    return shifted_solve(A.T @ A, A.T @ y, len(A) * lam).astype(Phi.dtype)


class RidgePath(NamedTuple):
    """
    What `ridge_path` gives for L values of λ; each α in `dual_coef` predicts ``kernel(X_new, X) @ α``.

    Parameters
    ----------
    lams : ndarray of shape (L,)
        The values of λ.
    dual_coef : ndarray of shape (L, n) or (L, n, q)
        α = (G + nλI)⁻¹y.
    fitted : ndarray of shape (L, n) or (L, n, q)
        The predictions Gα of the training rows.
    loo_residuals : ndarray of shape (L, n) or (L, n, q)
        yᵢ − f₋ᵢ(xᵢ), where f₋ᵢ never saw the observation i.
    """

    lams: np.ndarray
    dual_coef: np.ndarray
    fitted: np.ndarray
    loo_residuals: np.ndarray


def ridge_path(G, y, *, lams):
    """
    Compute α, Gα and the leave-one-out residuals for many λ from one decomposition G = UΛUᵀ.

    α = U(Λ + nλI)⁻¹Uᵀy, and the residual at xᵢ of the fit without the observation i is
    αᵢ / [(G + nλI)⁻¹]ᵢᵢ. That fit keeps the number nλ, so in the book's terms its own λ is nλ/(n − 1).

    Parameters
    ----------
    G : array_like of shape (n, n)
        The Gram matrix, singular or not.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output.
    lams : array_like of shape (L,)
        Values of λ > 0.

    Returns
    -------
    RidgePath
        Arrays in G's dtype; computed in float64.

    Raises
    ------
    TypeError, ValueError
        If G is not a finite, symmetric, positive semi-definite matrix, y does not fit it, or a λ is not
        positive.

    Notes
    -----
    O(n³) once, then O(n²) for each λ and output. Source: Allen (1974) for the residuals; Rifkin and
    Lippert (2007). Chapter: Representer theorem and duality.
    """
    G = as_symmetric(G)
    n = len(G)
    y = as_targets(y, n)
    lams = as_grid(lams)
    eigenvalues, U = psd_eigh(G.astype(np.float64, copy=False))
    inverse = 1 / (eigenvalues[:, None] + n * lams)  # a column for each λ
    rotated = (U.T @ y).reshape(n, 1, -1)

    def back(spectral):
        """Multiply by U for all λ and outputs at once: one product of matrices."""
        columns = (spectral[:, :, None] * rotated).reshape(n, -1)
        return np.moveaxis((U @ columns).reshape(n, len(lams), -1), 1, 0)

    alpha, fitted = back(inverse), back(eigenvalues[:, None] * inverse)
    diagonal = ((U**2) @ inverse).T[:, :, None]
    shape = (len(lams), *y.shape)
    arrays = (array.reshape(shape).astype(G.dtype) for array in (alpha, fitted, alpha / diagonal))
    return RidgePath(lams, *arrays)


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


def shifted_solve(A, B, shift):
    """
    Compute (A + shift I)⁻¹B for a positive semi-definite A and a positive shift.

    Where the shift is lost in the rounding of a singular A, the part of the solution in Ker A is left out:
    it would be B's rounding errors, or B itself, divided by nearly nothing.

    Parameters
    ----------
    A : ndarray of shape (n, n)
        Symmetric, in float64.
    B : ndarray of shape (n,) or (n, q)
        Right-hand sides.
    shift : float
        nλ.

    Returns
    -------
    ndarray of shape (n,) or (n, q)
        The solution.
    """
    shifted = A.T.copy(order="F")  # in the order that LAPACK factors in place
    shifted[np.diag_indices_from(shifted)] += shift
    try:
        return linalg.cho_solve(linalg.cho_factor(shifted, lower=True, overwrite_a=True), B)
    except linalg.LinAlgError:
        eigenvalues, U = psd_eigh(A)
        kept = eigenvalues > 0
        return (U[:, kept] / (eigenvalues[kept] + shift)) @ (U[:, kept].T @ B)


def as_targets(y, n):
    """
    Give y as a finite array of floats with n rows.

    Parameters
    ----------
    y : array_like of shape (n,) or (n, q)
        Targets.
    n : int
        How many rows there must be.

    Returns
    -------
    ndarray of shape (n,) or (n, q)
        In float64.
    """
    shape = np.shape(y)
    if len(shape) not in (1, 2) or shape[0] != n:
        raise ValueError(f"y must have shape ({n},) or ({n}, q), got {shape}.")
    return as_matrix(np.reshape(y, (n, -1)), "y").astype(np.float64, copy=False).reshape(shape)


def as_grid(lams):
    """
    Give values of λ as a vector of positive numbers.

    Parameters
    ----------
    lams : array_like of shape (L,)
        Values of λ.

    Returns
    -------
    ndarray of shape (L,)
        In float64.
    """
    if np.ndim(lams) != 1 or len(lams) == 0:
        raise ValueError(f"the values of lam must be a list of one or more, got shape {np.shape(lams)}.")
    for lam in lams:
        check_positive("lam", lam)
    return np.array(lams, dtype=np.float64)
