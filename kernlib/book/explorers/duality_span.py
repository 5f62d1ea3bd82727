"""A function split into a sum of bumps at the data and a remainder that is zero there.

Chapter: Representer theorem and duality.
"""

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Dots, Line
from kernlib.book.explore.panels import Plot, Readout
from kernlib.kernels import Gaussian, Kernel

__all__ = [
    *("ERRORS", "KERNEL", "LAM", "ROWS", "SHARES", "SPAN"),
    *("projected", "rows_and_bumps", "sums", "values_and_norms"),
]

KERNEL, LAM = Gaussian(60.0), 0.1
SHARES = np.linspace(-3, 3, 13)
DRAWN = np.linspace(0, 1, 101)
ROWS = (6, 7, 8, 9)
PLACES = np.append(np.linspace(0.05, 0.95, 6), [0.86, 0.14, 0.5])  # of the first n rows
ERRORS = np.array([0.3, -0.3, 0.2, -0.3, 0.3, -0.2, 0.2, -0.2, 0.2])  # of the targets


def projected(kernel: Kernel, X: NDArray, centers: NDArray, a: NDArray) -> NDArray:
    """Compute β, where Σ βᵢ κ(·, xᵢ) is the projection of Σ aⱼ κ(·, zⱼ)."""
    return linalg.solve(kernel(X), kernel(X, centers) @ a, assume_a="pos")


def rows_and_bumps(n: int = 6) -> tuple[NDArray, NDArray, NDArray]:
    """Return the rows X of shape (n, 1), and the centers and the weights of five bumps."""
    rng = np.random.default_rng(10)
    return PLACES[:n, None], rng.random((5, 1)), rng.normal(size=5)


def values_and_norms(places: NDArray, n: int = 6) -> tuple[NDArray, NDArray, float, float]:
    """Evaluate f_X and f⊥ at the places, and compute both squared norms."""
    X, centers, a = rows_and_bumps(n)
    beta = projected(KERNEL, X, centers, a)
    inside = KERNEL(places, X) @ beta
    both, weights = np.vstack([centers, X]), np.append(a, -beta)
    norms = beta @ KERNEL(X) @ beta, weights @ KERNEL(both) @ weights
    return inside, KERNEL(places, centers) @ a - inside, *norms


def sums(share: NDArray | float, n: int = 6) -> tuple[NDArray, NDArray]:
    """Compute the mean loss of f_X + s f⊥ at the rows, and its penalty, for one s or many."""
    f_X, outside, norm, norm_outside = values_and_norms(rows_and_bumps(n)[0], n)
    f = f_X + np.multiply.outer(share, outside)
    y = f_X + ERRORS[:n]
    return np.mean((y - f) ** 2, axis=-1) / 2, LAM / 2 * (norm + np.square(share) * norm_outside)


def curves(s, n):
    """Draw f, both its parts, the targets, and s f⊥ at the rows."""
    X = rows_and_bumps(n)[0]
    f_X, outside, *_ = values_and_norms(DRAWN[:, None], n)
    at_rows, zeros, *_ = values_and_norms(X, n)
    return {
        "f": Line(DRAWN, f_X + s * outside),
        "fₓ (sum of bumps)": Line(DRAWN, f_X, style="dashed"),
        "s · f⊥": Line(DRAWN, s * outside, style="dotted"),
        "targets": Dots(X[:, 0], at_rows + ERRORS[:n], "large"),
        "s · f⊥ at the rows": Dots(X[:, 0], s * zeros),
    }


def objective(n):
    """Draw loss, penalty and their sum against s."""
    fine = np.linspace(SHARES[0], SHARES[-1], 97)
    loss, penalty = sums(fine, n)
    return {
        "loss + penalty": Line(fine, loss + penalty),
        "penalty": Line(fine, penalty, style="dashed"),
        "loss": Line(fine, loss, style="dotted"),
    }


def summary(s, n):
    """Write the loss, and the squared norm as the sum of its two parts."""
    *_, norm, norm_outside = values_and_norms(DRAWN[:, None], n)
    loss, penalty = sums(s, n)
    outside = s**2 * norm_outside
    return (
        f"Loss {loss:.3f}, penalty (λ/2)‖f‖² = {penalty:.3f} with λ = {LAM}, sum {loss + penalty:.3f}. "
        f"‖f‖² = ‖fₓ‖² + s²‖f⊥‖² = {norm:.2f} + {outside:.2f} = {norm + outside:.2f}."
    )


SPAN = Explorer(
    title="Bumps and a remainder",
    name="span",
    controls=(
        Slider("s", SHARES, "multiple s", 1, play=3),
        Slider("n", ROWS, "rows n", 6),
    ),
    panels=(
        Plot(
            curves,
            "f = fₓ + s · f⊥",
            "Data points, a curve f, a sum of bumps at the data, and a remainder f⊥ that is zero at "
            "each row. As s changes, f keeps its values at the rows.",
            "x",
            "value of the function",
            xlim=(0, 1),
            ylim=(-0.8, 1.8),
        ),
        Plot(
            objective,
            "Loss and penalty",
            "Against s the loss is a constant and the penalty a parabola with its minimum at zero, and so is "
            "their sum.",
            "s",
            "value",
            ylim=(0, 0.35),
            cursor="s",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "f is a sum fₓ of six bumps, one at each row, plus s times a remainder f⊥ that is orthogonal to all "
        "six bumps. How does the mean loss of f at the six rows change as s grows from 0 to 3?",
        answer="not at all",
        options=("it falls", "not at all", "it grows like s²"),
        shows=(
            ("f = fₓ + s · f⊥", "fₓ (sum of bumps)"),
            ("f = fₓ + s · f⊥", "targets"),
        ),
        reason="f⊥ is zero at the six rows, so the loss is the same for every s. Only the penalty grows.",
    ),
)
