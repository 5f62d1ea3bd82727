"""Ridge regression by one decomposition: the dual and the primal solution, and all values of λ at once."""

import warnings
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.numerics.psd import as_symmetric, psd_eigh, shifted_solve
from kernlib.numerics.validation import as_grid, as_matrix, as_targets, check_positive

__all__ = ["RidgePath", "choose_lam", "dual_ridge", "primal_ridge", "ridge_path"]


def dual_ridge(G: ArrayLike, y: ArrayLike, *, lam: float) -> NDArray:
    """
    Compute α = (G + nλI)⁻¹y, the n coefficients of f(x) = Σ αᵢ κ(x, xᵢ).

    Parameters
    ----------
    G : array_like of shape (n, n)
        The Gram matrix, singular or not.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output.
    lam : float
        λ > 0; scikit-learn's KernelRidge calls nλ alpha. The limit λ → 0 is ``np.linalg.pinv(G) @ y``.

    Returns
    -------
    ndarray of shape (n,) or (n, q)
        α, in G's dtype; computed in float64.

    Notes
    -----
    One Cholesky decomposition, n³/6 multiplications. From 2000 rows on it is in float32 if nλ is large
    enough, and residuals in float64 then correct α to the accuracy of float64. If G is singular and nλ is
    below its rounding errors, α lacks its component in Ker G, of size y/(nλ): this solution of (P) gives the
    same predictions. Source: Saunders, Gammerman and Vovk (1998). Chapter: Representer theorem and duality.
    """
    G = as_symmetric(G)
    y = as_targets(y, len(G))
    lam = check_positive("lam", lam)
    return shifted_solve(G, y, len(G) * lam).astype(G.dtype)


def primal_ridge(Phi: ArrayLike, y: ArrayLike, *, lam: float) -> NDArray:
    """
    Compute w = (ΦᵀΦ + nλI)⁻¹Φᵀy, the p weights of f(x) = wᵀφ(x).

    Since (AAᵀ + I)⁻¹A = A(AᵀA + I)⁻¹ for every matrix A, w = Φᵀα with α from `dual_ridge` on G = ΦΦᵀ.

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

    Notes
    -----
    O(np² + p³), against O(n²p + n³) for the dual solution. Source: Hoerl and Kennard (1970).
    Chapter: Representer theorem and duality.
    """
    Phi = as_matrix(Phi, "Phi")
    y = as_targets(y, len(Phi))
    lam = check_positive("lam", lam)
    A = Phi.astype(np.float64, copy=False)
    return shifted_solve(A.T @ A, A.T @ y, len(A) * lam).astype(Phi.dtype)


class RidgePath(NamedTuple):
    """
    Solutions for L values of λ, from `ridge_path`; each α predicts ``kernel(X_new, X) @ α``.

    Parameters
    ----------
    lams : ndarray of shape (L,)
        The values of λ.
    dual_coef : ndarray of shape (L, n) or (L, n, q)
        α = (G + nλI)⁻¹y.
    fitted : ndarray of shape (L, n) or (L, n, q)
        The predictions Gα for the training rows.
    loo_residuals : ndarray of shape (L, n) or (L, n, q)
        yᵢ − f₋ᵢ(xᵢ), where f₋ᵢ is fitted without observation i.
    """

    lams: NDArray
    dual_coef: NDArray
    fitted: NDArray
    loo_residuals: NDArray


def ridge_path(G: ArrayLike, y: ArrayLike, *, lams: ArrayLike) -> RidgePath:
    """
    Compute α, Gα and the leave-one-out residuals for many λ from one decomposition G = UΛUᵀ.

    α = U(Λ + nλI)⁻¹Uᵀy, and the residual at xᵢ of the fit without observation i is αᵢ / [(G + nλI)⁻¹]ᵢᵢ. That
    fit has the same nλ, so its own λ, in the book's terms, is nλ/(n − 1).

    Parameters
    ----------
    G : array_like of shape (n, n)
        The Gram matrix, singular or not, but positive semi-definite up to rounding.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output.
    lams : array_like of shape (L,)
        Values of λ > 0.

    Returns
    -------
    RidgePath
        Arrays in G's dtype; computed in float64.

    Notes
    -----
    O(n³) once, then O(n²) for each λ and output. Source: Allen (1974) for the residuals; Rifkin and
    Lippert (2007). Chapter: Representer theorem and duality.
    """
    G = as_symmetric(G)
    n = len(G)
    y = as_targets(y, n)
    lams = as_grid(lams)
    eigenvalues, U = psd_eigh(G)
    inverse = 1 / (eigenvalues[:, None] + n * lams)  # a column for each λ
    rotated = (U.T @ y).reshape(n, 1, -1)

    def rotate_back(spectral):
        """Compute U diag(spectral) Uᵀy for all λ and outputs in one product of matrices."""
        columns = (spectral[:, :, None] * rotated).reshape(n, -1)
        return np.moveaxis((U @ columns).reshape(n, len(lams), -1), 1, 0)

    alpha, fitted = rotate_back(inverse), rotate_back(eigenvalues[:, None] * inverse)
    diagonal = ((U**2) @ inverse).T[:, :, None]
    shape = (len(lams), *y.shape)
    arrays = (array.reshape(shape).astype(G.dtype) for array in (alpha, fitted, alpha / diagonal))
    return RidgePath(lams, *arrays)


def choose_lam(lams: NDArray, errors: NDArray) -> float:
    """Return the λ of the smallest leave-one-out error; the largest λ, with a warning, if none is finite."""
    finite = np.isfinite(errors)
    if finite.any():
        return float(lams[np.argmin(np.where(finite, errors, np.inf))])
    warnings.warn(
        "No value of lam has a finite leave-one-out error, because some observation determines its own fit "
        f"up to rounding or the errors overflow: the largest lam, {lams.max():g}, is used.",
        stacklevel=3,
    )
    return float(lams.max())
