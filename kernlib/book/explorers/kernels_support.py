"""Rows that a support vector machine must keep: their weights, as C grows and as points are dragged."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Field, Line, Plot, Points, Predict, Readout, Slider
from kernlib.book.explore.marks import cell_centers
from kernlib.kernels import Gaussian

__all__ = ["COSTS", "LABELS", "START", "SUPPORT", "decision", "machine"]

START = (
    *((0.6, 1.6), (1.3, 0.9), (2.3, 1.4), (0.7, 0.1), (2.0, -0.2), (1.5, -1.3), (-1.3, 0.2)),
    *((-0.3, 0.9), (-1.6, 1.2), (-2.3, 1.7), (-2.2, -0.3), (-0.6, -0.5), (-1.2, -1.5), (0.2, -1.7)),
)
LABELS = np.repeat([1.0, -1.0], 7)
COSTS = 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0
ACROSS, UP = (-3.0, 3.0), (-2.5, 2.5)
COLUMNS, ROWS = 48, 40  # of the field, in square cells
FIELD = {"x": ACROSS, "y": UP, "columns": COLUMNS, "rows": ROWS}
NEAR, MOST = 1e-10, 20_000  # where the steps stop: by how much a condition fails, and their number
SHOWN = (-1.5, 3.0)  # of the margins y f(x)
FAINT = 1e-6  # the largest |f| for which the plane stays pale, and the longest interval that is one b


@lru_cache(maxsize=64)  # several panels need the same
def machine(points: Sequence, gamma: float, C: float) -> tuple[NDArray, tuple[float, float]]:
    """Compute the weights α of the SVM, each step those of a pair i, j, and the ends of the optimal b."""
    G, alpha, left = Gaussian(gamma)(np.array(points)), np.zeros(len(LABELS)), LABELS.copy()
    for _ in range(MOST):
        rises, falls = (np.where(LABELS == sign, alpha < C, alpha > 0) for sign in (1, -1))
        i = np.argmax(np.where(rises, left, -np.inf))  # left is y − f₀(x)
        least = np.where(falls, left, np.inf).min()
        if left[i] - least < NEAR:
            break
        gain, curvature = left[i] - left, np.maximum(2 - 2 * G[i], 1e-12)
        j = np.argmax(np.where(falls & (gain > 0), gain**2 / curvature, -1))
        signs = {i: LABELS[i], j: -LABELS[j]}  # in which direction each weight moves
        rooms = (C - alpha[k] if sign > 0 else alpha[k] for k, sign in signs.items())
        step = min(gain[j] / curvature[j], *rooms)
        for k, sign in signs.items():
            alpha[k] = np.clip(alpha[k] + sign * step, 0, C)
        left -= step * (G[i] - G[j])
    return alpha, (left[i], least)


def decision(places: NDArray, points: Sequence, gamma: float, C: float) -> NDArray:
    """Evaluate f(x) = Σᵢ αᵢyᵢ κ(x, xᵢ) + b at some places, with the middle one of the optimal b."""
    alpha, ends = machine(points, gamma, C)
    return Gaussian(gamma)(places, np.array(points)) @ (alpha * LABELS) + sum(ends) / 2


def by_class(x, y):
    """Make dots of each class."""
    signs = {"circles, y = 1": 1, "squares, y = −1": -1}
    return {name: Dots(x[LABELS == sign], y[LABELS == sign], "large") for name, sign in signs.items()}


@Plot.panel(
    "Boundary and margin (thin, f = ±1)", x="x₁", y="x₂", xlim=ACROSS, ylim=UP, equal=True, handles="points"
)
def plane(points, gamma, C):
    """Seven circles and seven squares, one of the circles among the squares. The plane is colored by f, with
    thin lines where f is −1 or 1. The support vectors have rings.
    """
    f = decision(cell_centers(ACROSS, UP, COLUMNS, ROWS), points, gamma, C)
    most = max(np.abs(f).max(), FAINT)
    share = machine(points, gamma, C)[0] / C
    radius = np.where(share > 0, 0.22 + 0.16 * share, np.nan)[:, None]
    angle = np.append(np.linspace(0, 2 * np.pi, 25), np.nan)  # a gap after each ring
    x, y = np.transpose(points)
    rings = ((z[:, None] + radius * wave(angle)).ravel() for z, wave in ((x, np.cos), (y, np.sin)))
    return by_class(x, y) | {
        "support vectors (rings, larger for a larger α)": Line(*rings),
        "f": Field(f.reshape(ROWS, COLUMNS), ACROSS, UP, (-most, most), "signed", level=1),
    }


@Plot.panel("Weight against margin", x="y f(x)", y="α / C", xlim=(-1.6, 3.1), ylim=(-0.05, 1.05))
def hook(points, gamma, C):
    """The weight of each row, divided by C, against y f(x), which is cut off at −1.5 and 3: 1 to the left of
    y f(x) = 1, 0 to the right of it, and anything in between at 1. Marks may coincide.
    """
    margins = LABELS * decision(np.array(points), points, gamma, C)
    return by_class(np.clip(margins, *SHOWN), machine(points, gamma, C)[0] / C)


@Plot.panel("Support vectors, at every C", x="C", y="rows", log="x", ylim=(0, 14.5), cursor="C")
def kept(points, gamma):
    """The number of support vectors against C, which falls from 14 to 8 at the first points."""
    return {"": Line(COSTS, [np.sum(machine(points, gamma, C)[0] > 0) for C in COSTS])}


def summary(points, gamma, C):
    """Count the support vectors, those of weight C, and the wrong rows, and say where b is not unique."""
    alpha, (low, high) = machine(points, gamma, C)
    wrong = np.sum(LABELS * decision(np.array(points), points, gamma, C) <= 0)
    text = (
        f"{np.sum(alpha > 0)} of the 14 rows are support vectors, {np.sum(alpha == C)} of them with the "
        "weight C."
    )
    if high - low > FAINT:
        text += (
            f" Every b from {low:.2f} to {high:.2f} is optimal, so the boundary is not unique. "
            "The middle b is drawn."
        )
    return f"{text} Rows on the wrong side of the boundary: {wrong}.".replace("-", "−")


SUPPORT = Explorer(
    title="Which rows must a support vector machine keep?",
    name="kernels-support",
    hint="Drag a point, or select it with Tab and move it with the arrow keys.",
    script="kernels_support",
    data={
        "labels": LABELS,
        "costs": COSTS,
        "near": NEAR,
        "most": MOST,
        "shown": SHOWN,
        "field": FIELD,
        "faint": FAINT,
    },
    controls=(
        Points("points", START, groups=[0] * 7 + [1] * 7, label="Training rows"),
        Slider("C", COSTS, "C", 1.0, log=True, play=2),
        Slider("gamma", (0.1, 0.3, 1.0, 3.0, 10.0, 30.0), "γ", 0.3, log=True),
    ),
    presets={
        "small C": {"C": 0.01, "gamma": 0.3},
        "large C": {"C": 100.0, "gamma": 0.3},
        "narrow kernel": {"C": 10.0, "gamma": 30.0},
    },
    panels=(plane, hook, kept, Readout(summary)),
    predict=Predict(
        "At C = 0.01 all 14 rows are support vectors. C grows to 100, so that errors cost more. How many "
        "support vectors are there then?",
        answer="8",
        options=("14", "8", "1"),
        shows=(
            ("Boundary and margin (thin, f = ±1)", "circles, y = 1"),
            ("Boundary and margin (thin, f = ±1)", "squares, y = −1"),
        ),
        reason="At C = 0.01 the weights are too small for any row to reach the margin, so all are C. At C = "
        "100 eight rows on the margin hold the boundary, and the six beyond it have the weight 0.",
        at={"C": 100.0},
    ),
)
