"""Ridge regression by one decomposition: the dual route, the primal route, and the whole path in λ.

Chapter: Representer theorem and duality.
"""

from typing import NamedTuple

import numpy as np

from kernlib.numerics.psd import as_symmetric, psd_eigh, shifted_solve
from kernlib.numerics.validation import as_grid, as_matrix, as_targets, check_positive

__all__ = ["RidgePath", "dual_ridge", "primal_ridge", "ridge_path"]


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
    One Cholesky decomposition, n³/6 multiplications; from 2000 rows on in float32, where nλ allows it, with
    residuals in float64, which give α as a decomposition in float64 does. Where G is singular and nλ below
    its rounding errors, α lacks its part in Ker G, of the size of y/(nλ): that solution of (P) predicts the
    same, and to the last digits. Source: Saunders, Gammerman and Vovk (1998). Chapter: Representer theorem
    and duality.
    """
    G = as_symmetric(G)
    y = as_targets(y, len(G))
    lam = check_positive("lam", lam)
    return shifted_solve(G, y, len(G) * lam).astype(G.dtype)


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
    lam = check_positive("lam", lam)
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
    eigenvalues, U = psd_eigh(G)
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
