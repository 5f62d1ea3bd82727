"""Sixteen frequencies to drag: where their mean of cosines misses the Gaussian kernel, and by how much."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import simpson
from scipy.stats import norm

from kernlib.book.explore import Explorer, Field, Line, Plot, Points, Predict, Readout
from kernlib.book.explore.marks import cell_centers
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian

__all__ = ["COUNT", "NEAR", "PRESETS", "SPREAD", "draw_frequencies", "mean_squares", "worth"]

COUNT = 16
REACH, CELLS = 3.0, 40  # of the field of differences δ
ENDS = (-REACH, REACH)
DISTANCES = np.linspace(0, REACH, 31)
NEAR = 1.0
ANGLES = np.pi * (np.arange(24) + 0.5) / 24  # half a turn: δ and −δ have one error
FAR = 3.0
EDGES = norm.ppf([0.25, 0.5, 0.75])  # of four by four cells of equal probability
CIRCLE = 2 * np.pi * np.arange(49) / 48


def draw_frequencies(sampling: Literal["iid", "orthogonal", "qmc"], seed: int) -> NDArray:
    """Draw the frequencies of the Gaussian kernel with γ = ½ in the plane, one a row."""
    phi = FourierFeatures(Gaussian(0.5), n_components=2 * COUNT, sampling=sampling, random_state=seed)
    return phi.fit(np.zeros((1, 2))).frequencies_.T


def placed(frequencies):
    """Round frequencies to the digits that an address keeps."""
    return {"frequencies": tuple(map(tuple, frequencies.round(2).tolist()))}


HALF_TURN = np.pi * np.arange(COUNT) / COUNT
PRESETS = {
    # each is worth about the median of many draws up to the distance 3
    "independent": placed(draw_frequencies("iid", 56)),
    "orthogonal pairs": placed(draw_frequencies("orthogonal", 12)),
    "quasi-Monte Carlo": placed(draw_frequencies("qmc", 56)),
    "one length": placed(np.sqrt(2) * np.column_stack([np.cos(HALF_TURN), np.sin(HALF_TURN)])),
}


def errors(differences, frequencies):
    """Compute the mean of the cosines minus the kernel at some differences."""
    waves = np.cos(differences @ np.array(frequencies).T).mean(axis=1)
    return waves - np.exp(-np.sum(differences**2, axis=1) / 2)


def mean_squares(frequencies: Sequence) -> tuple[NDArray, NDArray]:
    """Average the squared error over directions, for each distance; and that of independent draws."""
    along = np.stack([np.outer(DISTANCES, wave(ANGLES)) for wave in (np.cos, np.sin)], axis=2)
    found = errors(along.reshape(-1, 2), frequencies).reshape(len(DISTANCES), -1)
    return np.mean(found**2, axis=1), np.expm1(-(DISTANCES**2)) ** 2 / (2 * COUNT)


def worth(frequencies: Sequence, reach: float) -> float:
    """Compute how many independent frequencies have the same mean squared error up to a distance."""
    inside = DISTANCES < reach + 1e-9  # a trapezoid rule would be off by several percent
    found, independent = (
        simpson((DISTANCES * squares)[inside]) for squares in mean_squares(frequencies)
    )  # fmt: skip
    return float(COUNT * independent / found)


@Plot.panel(
    "16 frequencies ω", x="ω₁", y="ω₂", xlim=(-FAR, FAR), ylim=(-FAR, FAR), equal=True, handles="frequencies"
)
def spread(frequencies):
    """Sixteen points that can be dragged, on a grid of cells of equal probability, the ellipse of their
    second moments, and the circle of those of the distribution.
    """
    values, vectors = np.linalg.eigh(np.array(frequencies).T @ np.array(frequencies) / COUNT)
    circle = np.array([np.cos(CIRCLE), np.sin(CIRCLE)])
    # M½u for unit vectors u and the second moments M
    ellipse = vectors * np.sqrt(values) @ vectors.T @ circle
    along = np.array([(edge, edge, np.nan) for edge in EDGES]).ravel()  # a gap after each line
    across = np.array([(-FAR, FAR, np.nan)] * len(EDGES)).ravel()
    cells = np.append(along, across), np.append(across, along)
    return {
        "second moments": Line(*ellipse),
        "of the distribution": Line(*circle, style="dashed"),
        "cells of probability 1/16": Line(*cells, style="reference"),
    }


@Plot.panel("Error at δ: −0.45 orange, 0.45 blue", x="δ₁", y="δ₂", xlim=ENDS, ylim=ENDS, equal=True)
def missed(frequencies):
    """The plane of differences, colored by the mean of the cosines minus the kernel: faint near the middle
    and in waves farther away.
    """
    values = errors(cell_centers(ENDS, ENDS, CELLS, CELLS), frequencies).reshape(CELLS, CELLS)
    return {"error": Field(values, ENDS, ENDS, (-0.45, 0.45), "signed")}


@Plot.panel(
    "Error over distance", x="distance ‖δ‖", y="root mean square error", xlim=(0, REACH), ylim=(0, 0.45)
)
def over_distance(frequencies):
    """The root mean square error over all directions against the distance, and that expected of independent
    draws: both rise from zero.
    """
    found, independent = map(np.sqrt, mean_squares(frequencies))
    return {
        "these frequencies": Line(DISTANCES, found),
        "independent, expected": Line(DISTANCES, independent, style="dashed"),
    }


def summary(frequencies):
    """Report how many independent frequencies these are worth."""
    return (
        f"Up to the distance {NEAR:.0f} these {COUNT} frequencies are worth {worth(frequencies, NEAR):.0f} "
        f"independent ones, and up to {REACH:.0f} they are worth {worth(frequencies, REACH):.0f}."
    )


SPREAD = Explorer(
    title="Can you spread the frequencies better?",
    name="fourier-spread",
    hint="Drag a frequency, or select it with Tab and use the arrow keys. On the lines in the second panel "
    "the error is 0.",
    script="fourier_spread",
    data={
        "distances": DISTANCES,
        "angles": ANGLES,
        "edges": EDGES,
        "far": FAR,
        "circle": CIRCLE,
        "ends": ENDS,
        "cells": CELLS,
        "near": NEAR,
    },
    controls=(Points("frequencies", PRESETS["independent"]["frequencies"], label="Frequencies"),),
    presets=PRESETS,
    panels=(spread, missed, over_distance, Readout(summary)),
    predict=Predict(
        "Give all 16 frequencies the length √2 (the root mean square of normal ones), and spread their "
        "directions evenly. For which δ is the error below the root mean square error of independent draws?",
        answer="short ones",
        options=("short ones", "long ones", "all"),
        shows=tuple(
            ("16 frequencies ω", one) for one in ("of the distribution", "cells of probability 1/16")
        ),
        reason="Near δ = 0 the error is about ½δᵀ(I − M)δ, where M is the mean of ωωᵀ, here nearly I. "
        "Farther away the waves of equal length add up to ripples that the kernel does not have.",
        at=PRESETS["one length"],
    ),
)
