"""Convex losses and their conjugates; the primal and the dual problem."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from kernlib.numerics.psd import as_symmetric
from kernlib.numerics.regularization import as_weights
from kernlib.numerics.validation import as_vector, check_instance, check_positive

__all__ = ["Duality", "Logistic", "Loss", "Squared", "observations_per_weight"]


class Loss(ABC):
    """A convex loss ℓ(y, u), with the mean g(u) = (1/n) Σ ℓ(yᵢ, uᵢ) and its conjugate g*.

    A subclass defines ℓ, its derivative ℓ′ and its conjugate ℓ* for each observation. Targets y,
    predictions u, slopes v and positive weights are arrays of shape (n,). With weights sᵢ of sum S, the part
    sᵢ/S of an observation takes the place of 1/n. Chapter: Representer theorem and duality.
    """

    @abstractmethod
    def pointwise(self, y: NDArray, u: NDArray) -> NDArray:
        """Compute ℓ(yᵢ, uᵢ)."""

    @abstractmethod
    def slope(self, y: NDArray, u: NDArray) -> NDArray:
        """Compute ℓ′(yᵢ, uᵢ), the derivative ∂ℓ/∂u."""

    @abstractmethod
    def pointwise_conjugate(self, y: NDArray, v: NDArray) -> NDArray:
        """Compute ℓ*(yᵢ, vᵢ) = sup_u uvᵢ − ℓ(yᵢ, u)."""

    def value(self, y: NDArray, u: NDArray, weights: NDArray | None = None) -> float:
        """Compute g(u) = (1/n) Σ ℓ(yᵢ, uᵢ)."""
        return float(np.average(self.pointwise(y, u), weights=weights))

    def gradient(self, y: NDArray, u: NDArray, weights: NDArray | None = None) -> NDArray:
        """Compute ∇g(u), whose entries are ℓ′(yᵢ, uᵢ)/n; at the optimum it is −λα."""
        return self.slope(y, u) / observations_per_weight(y, weights)

    def conjugate(self, y: NDArray, v: NDArray, weights: NDArray | None = None) -> float:
        """Compute g*(v) = sup_u uᵀv − g(u) = (1/n) Σ ℓ*(yᵢ, nvᵢ), which is infinite outside its domain."""
        slopes = observations_per_weight(y, weights) * v
        return float(np.average(self.pointwise_conjugate(y, slopes), weights=weights))

    def check_targets(self, y: NDArray) -> None:  # noqa: B027  most losses take any number
        """Raise an error if the loss is not defined for a target."""


@dataclass(frozen=True)
class Squared(Loss):
    """ℓ(y, u) = ½(y − u)², for any real y, with ℓ*(y, v) = ½v² + vy.

    Hence −g*(−λα) = −(1/2n)‖y − nλα‖² + ‖y‖²/(2n). Without the last term, the optimal values of the primal
    and the dual problem would differ. Chapter: Representer theorem and duality.
    """

    def pointwise(self, y: NDArray, u: NDArray) -> NDArray:
        return (y - u) ** 2 / 2

    def slope(self, y: NDArray, u: NDArray) -> NDArray:
        return u - y

    def pointwise_conjugate(self, y: NDArray, v: NDArray) -> NDArray:
        return v**2 / 2 + v * y


@dataclass(frozen=True)
class Logistic(Loss):
    """ℓ(y, u) = log(1 + e^{−yu}), for y = ±1, with ℓ*(y, v) = s log s + (1 − s) log(1 − s) where s = −yv.

    ℓ* is infinite for s outside [0, 1]: α needs 0 ≤ nλyᵢαᵢ ≤ 1. Chapter: Representer theorem and duality.
    """

    def pointwise(self, y: NDArray, u: NDArray) -> NDArray:
        return np.logaddexp(0, -y * u)

    def slope(self, y: NDArray, u: NDArray) -> NDArray:
        return -y * special.expit(-y * u)

    def pointwise_conjugate(self, y: NDArray, v: NDArray) -> NDArray:
        s = -y * v
        inside = np.clip(s, 0, 1)
        # an s that rounding has moved past the edge of the domain counts as on the edge
        s = np.where(np.abs(s - inside) < 8 * np.finfo(np.float64).eps, inside, s)
        return -special.entr(s) - special.entr(1 - s)

    def check_targets(self, y: NDArray) -> None:
        if not np.isin(y, (-1, 1)).all():
            raise ValueError(f"y must be −1 or 1 for the logistic loss, got {y[~np.isin(y, (-1, 1))][0]:g}.")


def observations_per_weight(y: NDArray, weights: NDArray | None) -> NDArray | int:
    """Return n, or S/sᵢ for weights sᵢ of sum S."""
    return len(y) if weights is None else weights.sum() / weights


class Duality:
    """The problems (P) min P(α) = g(Gα) + (λ/2) αᵀGα and (D) max D(α) = −g*(−λα) − (λ/2) αᵀGα.

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
        check_instance("loss", loss, Loss, "Squared()")
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
