"""The primal and the dual problem, and the form of their solutions by the representer theorem."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.duality.losses import Loss, check_loss
from kernlib.kernels import as_kernel
from kernlib.kernels.choice import KernelLike
from kernlib.numerics.psd import as_symmetric
from kernlib.numerics.regularization import as_weights
from kernlib.numerics.rows import check_columns
from kernlib.numerics.validation import as_columns, as_matrix, as_vector, check_positive

__all__ = ["Duality", "feature_objective", "representer"]


class Duality:
    """
    The problems (P) min P(α) = g(Gα) + (λ/2) αᵀGα and (D) max D(α) = −g*(−λα) − (λ/2) αᵀGα.

    D(β) ≤ P(α) for all α and β, and an optimum of (D) is one of (P), with the same value. The gap P(α) − D(α)
    therefore bounds the error of α without knowing the optimum: f from α and f° from the optimum satisfy
    |f(x) − f°(x)| ≤ √(2 gap κ(x, x)/λ). Each value costs O(n²). Chapter: Representer theorem and duality.

    Parameters
    ----------
    G, y : array_like of shape (n, n) and (n,)
        The Gram matrix, and targets, which the loss must be defined for.
    lam : float
        λ > 0.
    loss : Loss
        The loss whose mean is g.
    sample_weight : array_like of shape (n,), optional
        Positive weights of the observations in this mean.
    """

    def __init__(
        self, G: ArrayLike, y: ArrayLike, *, lam: float, loss: Loss, sample_weight: ArrayLike | None = None
    ) -> None:
        check_loss(loss)
        self.lam, self.loss = check_positive("lam", lam), loss
        self.G: NDArray = as_symmetric(G).astype(np.float64, copy=False)
        self.y: NDArray = as_vector(y, len(self.G), "y")
        loss.check_targets(self.y)
        self.weights = as_weights(sample_weight, len(self.G))
        if self.weights is not None and self.weights.min() == 0:
            raise ValueError("sample_weight must be positive here: leave rows of weight zero out.")

    def primal(self, alpha: ArrayLike) -> float:
        """Compute P(α) for alpha of shape (n,)."""
        alpha = as_vector(alpha, len(self.y), "alpha")
        u = self.G @ alpha
        return float(self.loss.value(self.y, u, self.weights) + self.lam / 2 * alpha @ u)

    def dual(self, alpha: ArrayLike) -> float:
        """Compute D(α) for alpha of shape (n,); it is −∞ outside the domain of g*."""
        alpha = as_vector(alpha, len(self.y), "alpha")
        conjugate = self.loss.conjugate(self.y, -self.lam * alpha, self.weights)
        return float(-conjugate - self.lam / 2 * alpha @ self.G @ alpha)

    def gap(self, alpha: ArrayLike) -> float:
        """Compute P(α) − D(α) ≥ 0, which bounds how far α is from optimal in either problem."""
        return self.primal(alpha) - self.dual(alpha)


def feature_objective(Phi: ArrayLike, y: ArrayLike, w: ArrayLike, *, lam: float, loss: Loss) -> float:
    """
    Compute g(Φw) + (λ/2) wᵀw, the primal objective in terms of features; its gradient is Φᵀ∇g(Φw) + λw.

    O(np). Chapter: Representer theorem and duality.

    Parameters
    ----------
    Phi, y, w : array_like of shape (n, p), (n,) and (p,)
        Features, whose rows are those of the observations, targets and weights.
    lam : float
        λ > 0.
    loss : Loss
        The loss whose mean is g.

    Returns
    -------
    float
        The objective, which is P(α) if w = Φᵀα and G = ΦΦᵀ.
    """
    lam = check_positive("lam", lam)
    check_loss(loss)
    Phi = as_matrix(Phi, "Phi").astype(np.float64, copy=False)
    y, w = as_vector(y, len(Phi), "y"), as_vector(w, Phi.shape[1], "w")
    loss.check_targets(y)
    return float(loss.value(y, Phi @ w) + lam / 2 * w @ w)


def representer(kernel: KernelLike, X: ArrayLike, X_fit: ArrayLike, dual_coef: ArrayLike) -> NDArray:
    """
    Compute f(x) = Σᵢ αᵢ κ(x, xᵢ), the form that the representer theorem gives every solution.

    O(mnp) operations, and O(n) memory for each row of a block. Source: Kimeldorf and Wahba (1971). Chapter:
    Representer theorem and duality.

    Parameters
    ----------
    kernel : Kernel, str or None
        κ, as `kernlib.kernels.as_kernel` takes it.
    X, X_fit : array_like of shape (m, p) and (n, p)
        Rows are the points x, and the observations xᵢ.
    dual_coef : array_like of shape (n,) or (n, q)
        α, a column for each function.

    Returns
    -------
    ndarray of shape (m,) or (m, q)
        The values of f.
    """
    X, X_fit = as_matrix(X), as_matrix(X_fit, "X_fit")
    check_columns("X", X.shape[1], X_fit.shape[1], "X_fit")
    alpha = as_columns(dual_coef, len(X_fit), "dual_coef")
    return as_kernel(kernel, X.shape[1]).matmul(X, X_fit, alpha)
