"""Convex losses, the mean g that the problems are written with, and its conjugate g*.

Chapter: Representer theorem and duality.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from kernlib.numerics.validation import describe

__all__ = ["Logistic", "Loss", "Squared", "check_loss"]

FORMULAS = ("each", "slope", "conjugate_each")


class Loss:
    """
    A convex loss ℓ(y, u), the mean g(u) = (1/n) Σ ℓ(yᵢ, uᵢ) that the book writes, and its conjugate g*.

    A new loss gives three formulas that act on each observation: ``each`` is ℓ, ``slope`` is
    ℓ′ = ∂ℓ/∂u, ``conjugate_each`` is ℓ*(y, v) = sup_u uv − ℓ(y, u). The rest follows. Targets y,
    predictions u and slopes v are arrays of shape (n,).

    Notes
    -----
    Chapter: Representer theorem and duality.
    """

    def value(self, y, u):
        """Compute g(u) = (1/n) Σ ℓ(yᵢ, uᵢ)."""
        return np.mean(self.each(y, u))

    def gradient(self, y, u):
        """Compute ∇g(u), whose entries are ℓ′(yᵢ, uᵢ)/n; at the optimum it is −λα."""
        return self.slope(y, u) / len(y)

    def conjugate(self, y, v):
        """Compute g*(v) = sup_u uᵀv − g(u) = (1/n) Σ ℓ*(yᵢ, nvᵢ), infinite outside its domain."""
        return np.mean(self.conjugate_each(y, len(y) * v))

    def check(self, y):
        """Refuse targets that the loss is not made for; most losses take any number."""


@dataclass(frozen=True)
class Squared(Loss):
    """
    ℓ(y, u) = ½(y − u)², for any real y; ℓ*(y, v) = ½v² + vy.

    So −g*(−λα) = −(1/2n)‖y − nλα‖² + ‖y‖²/(2n). The last term moves no optimum, but without it the primal
    and the dual value differ by it.

    Notes
    -----
    Chapter: Representer theorem and duality.
    """

    def each(self, y, u):
        return (y - u) ** 2 / 2

    def slope(self, y, u):
        return u - y

    def conjugate_each(self, y, v):
        return v**2 / 2 + v * y


@dataclass(frozen=True)
class Logistic(Loss):
    """
    ℓ(y, u) = log(1 + e^{−yu}), for y = ±1; ℓ*(y, v) = s log s + (1 − s) log(1 − s) with s = −yv in [0, 1].

    0 log 0 counts as 0, and ℓ* is infinite for every other s: the dual asks 0 ≤ nλyᵢαᵢ ≤ 1.

    Notes
    -----
    Chapter: Representer theorem and duality.
    """

    def each(self, y, u):
        return np.logaddexp(0, -y * u)

    def slope(self, y, u):
        return -y * special.expit(-y * u)

    def conjugate_each(self, y, v):
        s = -y * v
        inside = np.clip(s, 0, 1)
        # an α at the edge of the domain must not fall off it by rounding
        s = np.where(np.abs(s - inside) < 8 * np.finfo(np.float64).eps, inside, s)
        return -special.entr(s) - special.entr(1 - s)

    def check(self, y):
        if not np.isin(y, (-1, 1)).all():
            raise ValueError(f"y must be −1 or 1 for the logistic loss, got {y[~np.isin(y, (-1, 1))][0]:g}.")


def check_loss(loss):
    """Give loss, and refuse what is no `Loss`."""
    if isinstance(loss, Loss):
        if missing := [name for name in FORMULAS if not hasattr(loss, name)]:
            raise TypeError(f"loss must define {', '.join(missing)}, got {describe(loss)}.")
        return loss
    got = describe(loss)
    if isinstance(loss, type) and issubclass(loss, Loss):
        got = f"the class {loss.__name__}: call it, as in {loss.__name__}()"
    raise TypeError(f"loss must be a Loss such as Squared() or Logistic(), got {got}.")
