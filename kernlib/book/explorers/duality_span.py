"""A function split into a sum of bumps at rows that can be dragged and a remainder that is zero there."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg

from kernlib.book.explore import Dots, Explorer, Line, Plot, Points, Predict, Readout, Slider
from kernlib.kernels import Gaussian

__all__ = [
    *("AT_CENTERS", "CENTERS", "ERRORS", "KERNEL", "LAM", "SHARES", "SPAN", "START", "WEIGHTS"),
    *("places", "sums", "values_and_norms"),
]

KERNEL, LAM = Gaussian(60.0), 0.1
SHARES = np.linspace(-3, 3, 13)
DRAWN = np.linspace(0, 1, 101)
START = tuple((round(0.05 + 0.18 * i, 2), 0.0) for i in range(6))  # the rows, on the axis
CENTERS, WEIGHTS = np.array([0.15, 0.21, 0.51, 0.83, 0.96]), np.array([0.5, 0.8, -0.5, 0.9, 0.1])
AT_CENTERS = (*((0.15, 0.0), (0.21, 0.0), (0.51, 0.0), (0.65, 0.0)), (0.83, 0.0), (0.96, 0.0))
ERRORS = np.array([0.3, -0.3, -0.2, -0.3, 0.3, -0.2])  # of the targets


def places(rows: Sequence) -> NDArray:
    """Round x of each row to 0.01, because rows that nearly coincide make G singular in rounding."""
    return np.floor(100 * np.array(rows)[:, 0] + 0.5) / 100


def bumps(x: NDArray, centers: NDArray) -> NDArray:
    """Evaluate κ(x, z) for all pairs."""
    return KERNEL(x[:, None], centers[:, None])


def values_and_norms(at: NDArray, rows: Sequence = START) -> tuple[NDArray, NDArray, float, float]:
    """Evaluate f_X and f⊥ at some x, and compute both squared norms."""
    X = np.unique(places(rows))
    K = bumps(X, CENTERS)
    beta = linalg.solve(bumps(X, X), K @ WEIGHTS, assume_a="pos")
    inside = bumps(at, X) @ beta
    norm, whole = beta @ K @ WEIGHTS, WEIGHTS @ bumps(CENTERS, CENTERS) @ WEIGHTS
    return inside, bumps(at, CENTERS) @ WEIGHTS - inside, norm, max(whole - norm, 0.0)


def sums(share: ArrayLike, rows: Sequence = START) -> tuple[NDArray, NDArray]:
    """Compute the mean loss of f_X + s f⊥ at the rows, and its penalty, for one s or many."""
    _, outside, norm, norm_outside = values_and_norms(places(rows), rows)
    left = ERRORS - np.multiply.outer(share, outside)  # the targets are f_X + ERRORS
    return np.mean(left**2, axis=-1) / 2, LAM / 2 * (norm + np.square(share) * norm_outside)


@Plot.panel(
    "f = fₓ + s · f⊥", x="x", y="value of the function", xlim=(0, 1), ylim=(-0.8, 1.8), handles="rows"
)
def curves(s, rows):
    """Data points, a curve f, a sum of bumps at the rows, and a remainder f⊥ that is zero at each row. As s
    changes, f keeps its values at the rows, which can be dragged along the axis.
    """
    f_X, outside, *_ = values_and_norms(DRAWN, rows)
    X = places(rows)
    return {
        "f": Line(DRAWN, f_X + s * outside),
        "fₓ (sum of bumps)": Line(DRAWN, f_X, style="dashed"),
        "s · f⊥": Line(DRAWN, s * outside, style="dotted"),
        "targets": Dots(X, values_and_norms(X, rows)[0] + ERRORS, "large"),
    }


@Plot.panel("Loss and penalty", x="s", y="value", ylim=(0, 0.35), cursor="s")
def objective(rows):
    """Against s the loss is a constant and the penalty a parabola with its minimum at zero, and so is their
    sum.
    """
    fine = np.linspace(SHARES[0], SHARES[-1], 97)
    loss, penalty = sums(fine, rows)
    return {
        "loss + penalty": Line(fine, loss + penalty),
        "penalty": Line(fine, penalty, style="dashed"),
        "loss": Line(fine, loss, style="dotted"),
    }


def summary(s, rows):
    """Write the loss, and the squared norm as the sum of its two parts."""
    *_, norm, norm_outside = values_and_norms(DRAWN, rows)
    loss, penalty = sums(s, rows)
    outside = s**2 * norm_outside
    return (
        f"Loss {loss:.3f}, penalty (λ/2)‖f‖² = {penalty:.3f} with λ = {LAM}, sum {loss + penalty:.3f}. "
        f"‖f‖² = ‖fₓ‖² + s²‖f⊥‖² = {norm:.2f} + {outside:.2f} = {norm + outside:.2f}."
    )


SPAN = Explorer(
    title="Bumps and a remainder",
    name="span",
    hint="Drag a row along the axis. Drag the dotted line, or play s.",
    script="duality_span",
    data={
        "centers": CENTERS,
        "weights": WEIGHTS,
        "errors": ERRORS,
        "gamma": KERNEL.gamma,
        "lam": LAM,
        "drawn": DRAWN,
        "fine": np.linspace(SHARES[0], SHARES[-1], 97),
    },
    controls=(
        Slider("s", SHARES, "multiple s", 1, play=3),
        Points("rows", START, move="x", label="Rows"),
    ),
    presets={"six rows": {"rows": START}, "a row at each center": {"rows": AT_CENTERS}},
    panels=(curves, objective, Readout(summary)),
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
