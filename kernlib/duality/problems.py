"""The primal and the dual problem, and the form that the representer theorem gives their solutions.

Chapter: Representer theorem and duality.
"""

import numpy as np

from kernlib.duality.losses import check_loss
from kernlib.kernels import as_kernel
from kernlib.numerics.psd import as_symmetric
from kernlib.numerics.validation import as_columns, as_matrix, as_vector, check_positive

__all__ = ["Duality", "feature_objective", "representer"]


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
        self.lam, self.loss = check_positive("lam", lam), check_loss(loss)
        self.G = as_symmetric(G).astype(np.float64, copy=False)
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
    lam = check_positive("lam", lam)
    check_loss(loss)
    Phi = as_matrix(Phi, "Phi").astype(np.float64, copy=False)
    y, w = as_vector(y, len(Phi), "y"), as_vector(w, Phi.shape[1], "w")
    loss.check(y)
    return float(loss.value(y, Phi @ w) + lam / 2 * w @ w)


def representer(kernel, X, X_fit, dual_coef):
    """
    Compute f(x) = Σᵢ αᵢ κ(x, xᵢ), the form that the representer theorem gives every solution.

    Parameters
    ----------
    kernel : Kernel or str
        κ, as `kernlib.kernels.as_kernel` takes it.
    X : array_like of shape (m, p)
        Rows are the points x.
    X_fit : array_like of shape (n, p)
        Rows are the observations xᵢ.
    dual_coef : array_like of shape (n,) or (n, q)
        α, a column for each function.

    Returns
    -------
    ndarray of shape (m,) or (m, q)
        The values of f.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described, or the shapes do not fit together.

    Notes
    -----
    O(mnp) operations; O(n) memory for each row held. Source: Kimeldorf and Wahba (1971). Chapter:
    Representer theorem and duality.
    """
    X, X_fit = as_matrix(X), as_matrix(X_fit, "X_fit")
    if X.shape[1] != X_fit.shape[1]:
        raise ValueError(f"X must have the {X_fit.shape[1]} columns of X_fit, got {X.shape[1]}.")
    alpha = as_columns(dual_coef, len(X_fit), "dual_coef")
    return as_kernel(kernel, X.shape[1]).matmul(X, X_fit, alpha)
