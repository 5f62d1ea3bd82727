"""Convex losses ℓ, their mean g over the observations, weighted or not, and its conjugate g*."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from kernlib.numerics.validation import describe

__all__ = ["Logistic", "Loss", "Squared", "check_loss", "observations_per_weight"]


class Loss(ABC):
    """
    A convex loss ℓ(y, u), with the mean g(u) = (1/n) Σ ℓ(yᵢ, uᵢ) and its conjugate g*.

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
    """
    ℓ(y, u) = ½(y − u)², for any real y, with ℓ*(y, v) = ½v² + vy.

    Hence −g*(−λα) = −(1/2n)‖y − nλα‖² + ‖y‖²/(2n). The last term does not move the optimum, but without it
    the optimal values of the primal and the dual problem would differ. Chapter: Representer theorem and
    duality.
    """

    def pointwise(self, y: NDArray, u: NDArray) -> NDArray:
        return (y - u) ** 2 / 2

    def slope(self, y: NDArray, u: NDArray) -> NDArray:
        return u - y

    def pointwise_conjugate(self, y: NDArray, v: NDArray) -> NDArray:
        return v**2 / 2 + v * y


@dataclass(frozen=True)
class Logistic(Loss):
    """
    ℓ(y, u) = log(1 + e^{−yu}), for y = ±1, with ℓ*(y, v) = s log s + (1 − s) log(1 − s) where s = −yv.

    Here 0 log 0 = 0, and ℓ* is infinite where s is outside [0, 1]: a feasible α has 0 ≤ nλyᵢαᵢ ≤ 1. Chapter:
    Representer theorem and duality.
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


def check_loss(loss: object) -> None:
    """Raise an error if loss is not a `Loss`."""
    if isinstance(loss, Loss):
        return
    got = describe(loss)
    if isinstance(loss, type) and issubclass(loss, Loss):
        got = f"the class {loss.__name__}: call it, as in {loss.__name__}()"
    raise TypeError(f"loss must be a Loss such as Squared() or Logistic(), got {got}.")
