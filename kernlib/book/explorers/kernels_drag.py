"""Training points to drag: the boundary and the Gram matrix follow."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Explorer, Field, Heat, Plot, Points, Predict, Readout, Slider
from kernlib.book.explore.marks import cell_centers
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge

__all__ = ["DRAG", "LABELS", "gram"]

START = ((-1.6, 0.9), (-0.7, 1.6), (-1.2, -0.3), (0.1, 0.8), (0.5, -1.0), (1.3, 0.2), (1.8, -0.7), (0.9, 1.5))
LABELS = np.array([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0])
LAMBDA = 0.01
ACROSS, UP = (-3.0, 3.0), (-2.5, 2.5)
GAMMAS = 0.03, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 30.0
COLUMNS, ROWS = 48, 40  # of the field, in square cells


def gram(points: Sequence, gamma: float) -> NDArray:
    """Compute G of the points."""
    return Gaussian(gamma)(np.array(points))


@Plot.panel("The decision function", x="x₁", y="x₂", xlim=ACROSS, ylim=UP, equal=True, handles="points")
def decision(points, gamma):
    """Four training points of each class, and the plane colored by the sign of the decision function. The
    line between the colors is the boundary.
    """
    places = cell_centers(ACROSS, UP, COLUMNS, ROWS)
    alpha = dual_ridge(gram(points, gamma), LABELS, lam=LAMBDA)
    values = Gaussian(gamma)(places, np.array(points)) @ alpha
    return {"f": Field(values.reshape(ROWS, COLUMNS), ACROSS, UP, (-1, 1), "signed")}


def summary(points, gamma):
    """Count the points on their class's side, and name the two most similar points."""
    G = gram(points, gamma)
    right = int(np.sum(np.sign(G @ dual_ridge(G, LABELS, lam=LAMBDA)) == LABELS))
    off = G - np.eye(len(G))
    i, j = np.unravel_index(np.argmax(off), off.shape)
    return (
        f"{right} of {len(G)} training points are on the correct side of the boundary. The two most similar "
        f"points are rows {i + 1} and {j + 1} of G: κ = {G[i, j]:.2f}."
    )


DRAG = Explorer(
    title="Drag the training points",
    name="kernels-drag",
    hint="Drag a point, or select it with Tab and move it with the arrow keys.",
    script="kernels",
    data={
        "labels": LABELS,
        "lambda": LAMBDA,
        "field": {"x": ACROSS, "y": UP, "columns": COLUMNS, "rows": ROWS},
    },
    controls=(
        Points("points", START, groups=[0, 0, 0, 0, 1, 1, 1, 1], label="Training points"),
        Slider("gamma", GAMMAS, "γ", 1.0, log=True, play=3),
    ),
    presets={
        "too smooth": {"points": START, "gamma": 0.03},
        "in between": {"points": START, "gamma": 1.0},
        "each point alone": {"points": START, "gamma": 30.0},
        "two in one place": {"points": (START[4], *START[1:]), "gamma": 1.0},
    },
    panels=(
        decision,
        Heat(
            gram,
            "Gram matrix G",
            "The Gram matrix of the eight points: first the four of one class, then the four of the other.",
            (0, 1),
            link="points",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "You drag a point of one class exactly onto a point of the other class. What happens to their two "
        "rows of the Gram matrix?",
        answer="they become equal",
        options=("they become equal", "they get opposite signs", "they become zero"),
        shows=("Gram matrix G",),
        reason="The Gram matrix compares positions and knows no labels. At the same place κ = 1, the two "
        "rows are equal, and the smallest eigenvalue of G is 0.",
    ),
)
