"""Landmarks to choose and to drag: the residual is a map of what they miss."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Field, Heat, Pick, Plot, Predict, Readout, Slider, Toggles
from kernlib.book.explore.marks import cell_centers
from kernlib.book.explorers.nystrom_draws import data
from kernlib.kernels import Gaussian

__all__ = ["LEAST", "PICK", "POINTS", "factor", "residual", "weights"]

POINTS = data()[np.r_[0:140:5, 140:190:5, 190:200:2]].round(2)  # 28, 10 and 5 points of the three groups
X_ENDS, Y_ENDS = (-3.5, 6.5), (-2.5, 5.0)
CELLS = 40  # of the field, along each axis
LEAST = 1e-6  # a landmark of which the others miss less adds nothing but rounding errors


def factor(every: NDArray, pivots: Iterable[int], gamma: float) -> tuple[NDArray, NDArray]:
    """Compute Nyström's factor F, G ≈ FFᵀ, from the columns of the pivots; and the diagonal of G − FFᵀ."""
    pivots = np.array([*pivots], dtype=int)
    columns = Gaussian(gamma)(every, every[pivots]).T if len(pivots) else ()
    F, left, kept = np.zeros((len(every), len(pivots)), order="F"), np.ones(len(every)), 0
    for pivot, column in zip(pivots, columns, strict=True):
        if left[pivot] > LEAST:
            F[:, kept] = (column - F[:, :kept] @ F[pivot, :kept]) / np.sqrt(left[pivot])
            left = np.maximum(left - F[:, kept] ** 2, 0)
            kept += 1
    return F[:, :kept], left


def residual(places: NDArray, landmarks: Iterable[int], gamma: float) -> NDArray:
    """Compute κ(x, x) − ‖φ̂(x)‖² at some places."""
    _, left = factor(np.vstack([places, POINTS]), [len(places) + i for i in landmarks], gamma)
    return left[: len(places)]


@Heat.panel("G: groups of 28, 10, 5", limits=(0, 1), palette="blues")
def truth(gamma):
    """The Gram matrix of the points in the order of the groups: three dark blocks."""
    return Gaussian(gamma)(POINTS)


@Heat.panel("Reconstruction Ĝ", limits=(0, 1), palette="blues")
def reconstruction(landmarks, gamma):
    """Dark blocks for the groups that have a landmark."""
    F, _ = factor(POINTS, landmarks, gamma)
    return F @ F.T


@Heat.panel("Error |G − Ĝ|", limits=(0, 1), palette="blues")
def errors(landmarks, gamma):
    """The error on the points in the order of the groups: dark blocks for groups without a landmark."""
    return np.abs(truth(gamma) - reconstruction(landmarks, gamma))


@Plot.panel(
    "Residual κ(x, x) − ‖φ̂(x)‖²", x="x₁", y="x₂", xlim=X_ENDS, ylim=Y_ENDS, equal=True, toggles="landmarks"
)
def missed(landmarks, gamma):
    """Points in three groups on a map of the residual, which is dark far from every landmark and bright near
    them.
    """
    places = cell_centers(X_ENDS, Y_ENDS, CELLS, CELLS)
    values = residual(places, landmarks, gamma).reshape(CELLS, CELLS)
    return {"residual": Field(values, X_ENDS, Y_ENDS, (0, 1), "blues"), "": Dots(*POINTS.T)}


def weights(landmarks: Iterable[int], gamma: float) -> NDArray:
    """Compute the residual of each data point; 0 where rounding decides."""
    left = residual(POINTS, landmarks, gamma)
    return np.where(left > LEAST, left, 0)


def summary(landmarks, gamma):
    """Report the number of landmarks, and the mean and the largest residual of the data."""
    left = residual(POINTS, landmarks, gamma)
    return (
        f"{len(landmarks)} of {len(POINTS)} points are landmarks. The residual over the points is "
        f"{left.mean():.3f} on average and {left.max():.3f} at most."
    )


PICK = Explorer(
    title="Choose the landmarks",
    name="nystrom-pick",
    hint="Drag a landmark to another point, or use Shift and arrow keys. Click or Enter switches a point.",
    script="nystrom",
    data={"points": POINTS, "x": X_ENDS, "y": Y_ENDS, "cells": CELLS, "least": LEAST},
    controls=(
        Toggles("landmarks", len(POINTS), (0, 9), label="Landmarks"),
        Slider("gamma", (0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 3.0), "γ", 0.5, log=True),
    ),
    presets={
        "no landmarks": {"landmarks": ()},
        "one in each group": {"landmarks": (0, 28, 38)},
        "all in one group": {"landmarks": (0, 9, 14)},
    },
    panels=(
        missed,
        truth,
        reconstruction,
        errors,
        Pick(
            weights,
            "Draw a landmark, more often where the map is dark",
            "A button that draws a new landmark.",
            toggles="landmarks",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "How many well-placed landmarks are needed to bring the average residual over all 43 points below "
        "0.2, at γ = 0.5?",
        answer="6",
        options=("3", "6", "12"),
        shows=("Residual κ(x, x) − ‖φ̂(x)‖²", "G: groups of 28, 10, 5", "Reconstruction Ĝ", "Error |G − Ĝ|"),
        reason="A landmark represents only what is near it, so each group needs some. Six are enough if each "
        "is put where it lowers the average most, and no five are.",
    ),
)
