"""Two rings whose distance is a slider: the components as functions on the plane, and as axes of a plot."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Field, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import cell_centers
from kernlib.book.explorers.kernel_pca import best_split
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian

__all__ = ["MOST", "RINGS", "fitted", "two_rings"]

PER_RING, NOISE = 16, 0.04
MOST = 8  # components
LIMITS = (-1.4, 1.4)
CELLS = 40  # of the field, along each axis
ANGLES = 2 * np.pi * np.arange(PER_RING) / PER_RING
CIRCLE = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
CLEAR = 1e-3  # a mean over a ring that is no rounding error, as part of the largest value
OFFSETS = (NOISE * np.random.default_rng(0).normal(size=(2 * PER_RING, 2))).round(3)


def two_rings(inner: float) -> NDArray:
    """Return 16 points about a circle of radius `inner`, then 16 about one of radius 1."""
    return np.concatenate([inner * CIRCLE, CIRCLE]) + OFFSETS


@lru_cache(maxsize=32)
def fitted(inner: float, gamma: float) -> KernelPCA:
    """Fit eight components of the two rings."""
    return KernelPCA(Gaussian(gamma), n_components=MOST).fit(two_rings(inner))


@lru_cache(maxsize=32)
def signs(inner: float, gamma: float) -> NDArray:
    """Choose the sign of each component: one that tells the rings apart is positive on the inner one."""
    Z = fitted(inner, gamma).transform(two_rings(inner))
    return np.where(Z[:PER_RING].mean(axis=0) < -CLEAR * np.abs(Z).max(axis=0), -1, 1)


def components(inner: float, gamma: float, X: NDArray) -> NDArray:
    """Compute the components of rows."""
    return signs(inner, gamma) * fitted(inner, gamma).transform(X)


def dots(x, y):
    """Draw both rings with these coordinates."""
    return {
        "inner ring": Dots(x[:PER_RING], y[:PER_RING], "large"),
        "outer ring": Dots(x[PER_RING:], y[PER_RING:], "large"),
    }


@Plot.panel(
    "The vertical component, on the plane",
    x="x₁",
    y="x₂",
    xlim=LIMITS,
    ylim=LIMITS,
    equal=True,
    cursor="inner",
)
def on_the_plane(inner, gamma, up):
    """Two rings on the plane, which is colored by the values of one component. A line shows where the
    component is zero.
    """
    places = cell_centers(LIMITS, LIMITS, CELLS, CELLS)
    at_cells, at_points = (components(inner, gamma, X)[:, up - 1] for X in (places, two_rings(inner)))
    most = np.abs(at_points).max()
    field = Field(at_cells.reshape(CELLS, CELLS), LIMITS, LIMITS, (-most, most), "signed")
    return dots(*two_rings(inner).T) | {"component": field}


@Plot.panel(
    "The points in two components", x="component on the horizontal axis", y="component on the vertical axis"
)
def as_axes(inner, gamma, across, up):
    """The points of both rings, with one component on each axis."""
    Z = components(inner, gamma, two_rings(inner))
    return dots(Z[:, across - 1], Z[:, up - 1])


@Plot.panel("Share of the variance", x="component", y="share", log="y", cursor="up")
def spectrum(inner, gamma):
    """The share of the variance of each component, which falls."""
    share = fitted(inner, gamma).explained_variance_ratio_
    return {"": Dots(np.arange(1, MOST + 1), share, "large")}


def summary(inner, gamma, up):
    """Report the share of a component, how well it separates the rings, and which one does so best."""
    model = fitted(inner, gamma)
    Z = model.transform(two_rings(inner))
    share, (best, most) = model.explained_variance_ratio_[up - 1], best_split(Z)
    _, own = best_split(Z[:, [up - 1]])
    rest = f"No other of the first {MOST} does better."
    if own < most:
        correct = f"{len(Z) * most:.0f} of {len(Z)}"
        rest = f"Of the first {MOST}, component {best} separates the rings best: {correct}."
    return (
        f"Component {up} holds {100 * share:.2f}% of the variance. Its best threshold classifies "
        f"{len(Z) * own:.0f} of {len(Z)} points correctly. {rest}"
    )


RINGS = Explorer(
    title="Kernel PCA of two rings",
    name="kernel-pca",
    hint="Drag the dotted line that touches the inner ring, and the ring widens. Drag the one in the third "
    "panel to choose the component that colors the plane.",
    script="kernel_pca",
    data={"circle": CIRCLE, "offsets": OFFSETS, "ends": LIMITS, "cells": CELLS, "most": MOST, "clear": CLEAR},
    controls=(
        Slider("inner", [round(0.05 * i, 2) for i in range(4, 17)], "inner radius", 0.4, play=3),
        Slider("gamma", (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0), "γ", 0.3, log=True),
        Slider("across", range(1, MOST + 1), "horizontal axis: component", 1),
        Slider("up", range(1, MOST + 1), "vertical axis: component", 3),
    ),
    presets={
        "PCA of the plane": {"inner": 0.4, "gamma": 0.03, "across": 1, "up": 2},
        "the double angle": {"inner": 0.7, "gamma": 0.03, "across": 3, "up": 4},
        "neighbors only": {"inner": 0.4, "gamma": 30.0, "across": 1, "up": 5},
        "two axes": {"inner": 0.4, "gamma": 3.0, "across": 1, "up": 2},
    },
    panels=(on_the_plane, as_axes, spectrum, Readout(summary)),
    predict=Predict(
        "The kernel is Gaussian with γ = 0.3. The inner ring has radius 0.4, the outer one radius 1, and "
        "component 3 separates them. You widen the inner ring to 0.7. Which component separates the rings "
        "then?",
        answer="a later one",
        options=("component 3, as before", "a later one", "none of the first eight"),
        shows=tuple(("The vertical component, on the plane", f"{one} ring") for one in ("inner", "outer")),
        at={"inner": 0.7, "gamma": 0.3, "up": 5},
        reason="Components are ordered by variance. As the radii approach each other, the squared radius "
        "varies less. The cosine and the sine of the double angle vary more, and come before it: the squared "
        "radius is component 5.",
    ),
)
