"""How far apart two points are half alike.

Chapter: Its title.
"""

import numpy as np

from kernlib.book.explore import Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.kernels import Gaussian

__all__ = ["EXPLORER"]

X = np.linspace(0, 4, 81)


def half_way(gamma):
    """The distance at which the Gaussian kernel is ½: √(log 2 / γ)."""
    return np.sqrt(np.log(2) / gamma)


def similarity(gamma):
    column = Gaussian(gamma)(X[:, None], np.zeros((1, 1)))[:, 0]
    return {"κ(x, 0)": Line(X, column), "one half": Line(X, np.full_like(X, 0.5), style="reference")}


def summary(gamma):
    return f"γ = {gamma:g}: points {half_way(gamma):.2f} apart are half alike."


EXPLORER = Explorer(
    title="Half alike: at which distance?",
    name="half-way",
    controls=(Slider("gamma", (0.1, 0.4, 1.6, 6.4), default=0.4),),
    panels=(
        Plot(
            similarity,
            "Similarity to the origin",
            "A bell that falls from 1 at the origin; a larger gamma makes it narrower.",
            "distance from the origin",
            "κ",
            ylim=(0, 1),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "γ becomes four times as large. The distance at which points are half alike becomes",
        answer="half as large",
        reason="It is √(log 2 / γ).",
        options=("half as large", "a quarter as large"),
    ),
)
