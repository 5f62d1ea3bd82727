"""Ridge regression by one decomposition: the dual and the primal solution, and all values of λ at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.numerics.blocks import BLOCK, slices
from kernlib.numerics.psd import EXACT_TO, as_symmetric, psd_eigh, shifted_solve
from kernlib.numerics.regularization import as_weights, warn_if_far
from kernlib.numerics.validation import as_grid, as_matrix, as_targets, check_positive

__all__ = ["RidgePath", "WeightedProblem", "dual_ridge", "primal_ridge", "ridge_path"]


def dual_ridge(G: ArrayLike, y: ArrayLike, *, lam: float) -> NDArray:
    """Compute α = (G + nλI)⁻¹y, the n coefficients of f(x) = Σ αᵢ κ(x, xᵢ).

    One Cholesky decomposition, n³/6 multiplications. If G is singular and nλ is below its rounding errors, α
    lacks its component in Ker G, of size y/(nλ): this solution of (P) gives the same predictions. Source:
    Saunders, Gammerman and Vovk (1998). Chapter: Representer theorem and duality.

    Parameters
    ----------
    G, y : array_like of shape (n, n) and (n,) or (n, q)
        The Gram matrix, singular or not, and targets, a column for each output.
    lam : float
        λ > 0; scikit-learn's KernelRidge calls nλ alpha. The limit λ → 0 is ``np.linalg.pinv(G) @ y``.

    Returns
    -------
    ndarray of shape (n,) or (n, q)
        α, in G's dtype; computed in float64.
    """
    G = as_symmetric(G)
    y = as_targets(y, len(G))
    lam = check_positive("lam", lam)
    return shifted_solve(G, y, len(G) * lam).astype(G.dtype)


def primal_ridge(Phi: ArrayLike, y: ArrayLike, *, lam: float) -> NDArray:
    """Compute w = (ΦᵀΦ + nλI)⁻¹Φᵀy, the p weights of f(x) = wᵀφ(x).

    It is Φᵀα with α from `dual_ridge` on G = ΦΦᵀ, and costs O(np² + p³) instead of O(n²p + n³). Source: Hoerl
    and Kennard (1970). Chapter: Representer theorem and duality.

    Parameters
    ----------
    Phi, y : array_like of shape (n, p) and (n,) or (n, q)
        Features, whose rows are those of the observations, and targets, a column for each output.
    lam : float
        λ > 0; scikit-learn's Ridge calls nλ alpha.

    Returns
    -------
    ndarray of shape (p,) or (p, q)
        w, in Φ's dtype; computed in float64.
    """
    Phi = as_matrix(Phi, "Phi")
    y = as_targets(y, len(Phi))
    lam = check_positive("lam", lam)
    A = Phi.astype(np.float64, copy=False)
    return shifted_solve(A.T @ A, A.T @ y, len(A) * lam).astype(Phi.dtype)


class WeightedProblem:
    """The equations of ridge regression with weights sᵢ and an intercept b, in terms of r = √s and S = Σ sᵢ.

    Minimize (1/2S) Σ sᵢ(yᵢ − b − f(xᵢ))² + (λ/2)‖f‖². With G̃ = diag(r) G diag(r), the projection H = I −
    rrᵀ/S and α = diag(r)β, this is (HG̃H + SλI)β = H diag(r)y, and b is the weighted mean of y − Gα. So β is
    orthogonal to r: the α add up to zero. Without an intercept, H = I and b = 0; without weights, s = 1.
    """

    def __init__(self, y: NDArray, weights: NDArray | None, fit_intercept: bool) -> None:
        self.shape, self.fit_intercept = y.shape, fit_intercept
        y = y.reshape(len(y), -1)
        self.weighted = weights is not None
        weights = np.ones(len(y)) if weights is None else weights
        self.total = float(weights.sum())
        self.root = np.sqrt(weights)[:, None]
        self.mean = weights @ y / self.total if fit_intercept else np.zeros(y.shape[1])
        varies = np.ptp(y, axis=0) > 0 if fit_intercept else True  # y − ȳ of a constant is rounding errors
        self.targets = self.root * np.where(varies, y - self.mean, 0)

    def project(self, v: NDArray) -> NDArray:
        """Compute Hv."""
        return v - self.root * ((self.root.T @ v) / self.total) if self.fit_intercept else v

    def scale(self, v: NDArray) -> NDArray:
        """Compute diag(r)v."""
        return self.root * v if self.weighted else v

    def center(self, G: NDArray) -> NDArray:
        """Compute HG̃H + τrrᵀ/S in place; with τ, the mean of the diagonal, r has no eigenvalue near zero."""
        if self.weighted:
            G *= self.root
            G *= self.root.T
        self.size = float(G.diagonal().max())  # rounding errors are a part of it
        if self.fit_intercept:
            r, S = self.root, self.total
            m = G @ r / S
            self.means = m[:, 0]
            half = m - r * ((r.T @ m) / (2 * S))
            self.lift = float(np.trace(G) - 2 * (half * r).sum()) / len(G)
            left, right = np.hstack([half, r, r * (-self.lift / S)]), np.hstack([r, half, r])
            for rows in slices(len(G), BLOCK):
                G[rows] -= left[rows] @ right.T
        return G

    def intercept(self, beta: NDArray) -> NDArray:
        """Compute b, of shape (..., q), for β of shape (..., n, q) after a call of `center`."""
        return self.mean - self.means @ beta if self.fit_intercept else np.zeros_like(beta[..., 0, :])

    def solve(self, G: NDArray, lam: float) -> tuple[NDArray, NDArray]:
        """Compute α and b from G, which is overwritten if it is in float64."""
        centered, exact_to = self.center(G.astype(np.float64, copy=False)), EXACT_TO[G.dtype]
        if self.fit_intercept:
            warn_if_far(self.size, self.lift)
        beta = self.project(shifted_solve(centered, self.targets, self.total * lam, exact_to, self.size))
        return self.scale(beta).reshape(self.shape), self.intercept(beta).reshape(self.shape[1:])


class RidgePath(NamedTuple):
    """Solutions for L values of λ, from `ridge_path`; each α predicts ``kernel(X_new, X) @ α``.

    Parameters
    ----------
    lams : ndarray of shape (L,)
        The values of λ.
    dual_coef, fitted : ndarray of shape (L, n) or (L, n, q)
        α = (G + nλI)⁻¹y, and the predictions Gα + b for the training rows.
    loo_residuals : ndarray of shape (L, n) or (L, n, q)
        yᵢ − f₋ᵢ(xᵢ), where f₋ᵢ is fitted without observation i.
    intercept : ndarray of shape (L,) or (L, q)
        b, zeros if there is none.
    """

    lams: NDArray
    dual_coef: NDArray
    fitted: NDArray
    loo_residuals: NDArray
    intercept: NDArray

    def loo_errors(self, weights: NDArray | None) -> NDArray:
        """Compute the mean squares of the leave-one-out residuals, of shape (L,), for weights of the rows."""
        squares = self.loo_residuals**2
        return np.average(squares.reshape(*squares.shape[:2], -1).mean(axis=2), axis=1, weights=weights)


def ridge_path(
    G: ArrayLike, y: ArrayLike, *, lams: ArrayLike, fit_intercept: bool = False,
    sample_weight: ArrayLike | None = None,
) -> RidgePath:  # fmt: skip
    """Compute α, Gα and the leave-one-out residuals for many λ from one decomposition G = UΛUᵀ.

    α = U(Λ + nλI)⁻¹Uᵀy, and the residual at xᵢ of the fit without observation i, with the same nλ, is
    αᵢ / [(G + nλI)⁻¹]ᵢᵢ. With an intercept or weights both formulas hold for the equations of
    `WeightedProblem`. O(n³) once, then O(n²) for each λ and output. Source: Allen (1974); Rifkin and Lippert
    (2007). Chapter: Representer theorem and duality.

    Parameters
    ----------
    G, y : array_like of shape (n, n) and (n,) or (n, q)
        The Gram matrix, positive semi-definite up to rounding, and targets, a column for each output.
    lams : array_like of shape (L,)
        Values of λ > 0.
    fit_intercept : bool
        Whether f(x) = Σ αᵢ κ(x, xᵢ) + b, with b not in the penalty.
    sample_weight : array_like of shape (n,), optional
        Positive weights of the squared errors; their sum takes the place of n.

    Returns
    -------
    RidgePath
        Arrays in G's dtype, computed in float64; the residual of a row that decides its own fit is infinite.
    """
    G = as_symmetric(G)
    n, dtype = len(G), G.dtype
    y = as_targets(y, n)
    lams = as_grid(lams)
    weights = as_weights(sample_weight, n)
    if weights is not None and weights.min() == 0:
        raise ValueError("sample_weight must be positive here: leave rows of weight zero out.")
    problem = WeightedProblem(y, weights, fit_intercept)
    simple = weights is None and not fit_intercept
    centered = problem.center(G.astype(np.float64, copy=not simple))
    eigenvalues, U = psd_eigh(centered, EXACT_TO[dtype], problem.size)
    inverse = 1 / (eigenvalues[:, None] + problem.total * lams)  # a column for each λ
    rotated = (U.T @ problem.targets)[:, None, :]

    def rotate_back(spectral):
        """Compute U diag(spectral) Uᵀy for all λ and outputs in one product of matrices."""
        columns = (spectral[:, :, None] * rotated).reshape(n, -1)
        return np.moveaxis((U @ columns).reshape(n, len(lams), -1), 1, 0)

    beta, explained = problem.project(rotate_back(inverse)), rotate_back(eigenvalues[:, None] * inverse)
    diagonal = ((U**2) @ inverse).T[:, :, None]
    if fit_intercept:  # the direction r belongs to b
        own = problem.root**2 / problem.total / (problem.lift + problem.total * lams)[:, None, None]
        left = diagonal - own
        diagonal = np.where(left > n * np.finfo(np.float64).eps * diagonal, left, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        residuals = np.where(diagonal > 0, beta / diagonal, np.inf) / problem.root
    fitted = explained / problem.root + problem.mean
    found = (problem.root * beta, fitted, residuals, problem.intercept(beta))
    return RidgePath(lams, *((A if y.ndim == 2 else A[..., 0]).astype(dtype) for A in found))
