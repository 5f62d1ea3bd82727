"""A picture that is moved to the right: how similar it stays to itself, by its pixels and by its edges."""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Bars, Choice, Explorer, Field, Line, Plot, Predict, Readout, Slider
from kernlib.book.explorers.objects_bins import SIDE, edge_histograms, images

__all__ = ["SHIFT", "moved", "similarities"]

NAMES = "trousers", "T-shirt", "ankle boot"
SHIFTS = tuple(range(11))  # pixels
BINS = 9
FRAME = {"xlim": (0, SIDE), "ylim": (0, SIDE), "equal": True}


def moved(name: str, right: int) -> NDArray:
    """Move a picture to the right; black comes in on the left."""
    picture = np.zeros((SIDE, SIDE))
    picture[:, right:] = images()[name][:, : SIDE - right]
    return picture


def similarities(name: str) -> dict[str, NDArray]:
    """Compute the cosine with the picture that was not moved, for each shift and three descriptions."""
    pictures = np.array([moved(name, right) for right in SHIFTS])
    descriptions = {
        "pixels": pictures.reshape(len(SHIFTS), -1),
        "edges in 16 cells": edge_histograms(pictures),
        "edges of the whole picture": edge_histograms(pictures, 1),
    }
    lengths = {what: np.linalg.norm(X, axis=1) for what, X in descriptions.items()}
    return {what: X @ X[0] / (lengths[what] * lengths[what][0]) for what, X in descriptions.items()}


@Plot.panel("The moved picture", **FRAME, cursor="right")
def picture(name, right):
    """The picture, moved to the right."""
    ends, values = (0, SIDE), 1 - moved(name, right)[::-1]
    values[:, :right] = np.nan
    return {"picture": Field(values, ends, ends, (0, 1.1), "gray")}


@Plot.panel(
    "Edges of the whole picture, by orientation",
    x="orientation of the gradient (degrees)",
    y="share",
    xlim=(0, 180),
    ylim=(0, 0.8),
)
def histogram(name, right):
    """Bars for the share of each orientation in the gradients of the moved picture."""
    return Bars((np.arange(BINS) + 0.5) * 180 / BINS, edge_histograms(moved(name, right)[None], 1)[0])


@Plot.panel(
    "Similarity to itself before the move",
    x="moved to the right (pixels)",
    y="cosine",
    ylim=(0, 1.05),
    cursor="right",
)
def cosines(name):
    """The cosine of three descriptions against the shift: that of the edges of the whole picture is always
    near 1, those of the pixels and of the edges in 16 cells fall.
    """
    found = zip(similarities(name).items(), ("", "dashed", "dotted"), strict=True)
    return {what: Line(SHIFTS, values, style=style) for (what, values), style in found}


def summary(name, right):
    """Report the three cosines."""
    found = [f"{what} {values[SHIFTS.index(right)]:.2f}" for what, values in similarities(name).items()]
    pixels = "1 pixel" if right == 1 else f"{right} pixels"
    return f"Moved by {pixels}. Cosine with the same picture before the move: {', '.join(found)}."


SHIFT = Explorer(
    title="Move a picture",
    name="objects-shift",
    hint="Drag the dotted line at the left edge of the picture, or press play.",
    controls=(
        Choice("name", NAMES, "picture"),
        Slider("right", SHIFTS, "moved to the right (pixels)", 0, play=3),
    ),
    panels=(picture, cosines, histogram, Readout(summary)),
    predict=Predict(
        "The trousers are moved four pixels to the right. What is the cosine of their 784 pixels with those "
        "before the move?",
        answer="about 0.5",
        options=("about 0.9", "about 0.5", "about 0.1"),
        shows=("The moved picture",),
        reason="It is 0.50: about half of the gray of the legs is now where the background was. Their edges "
        "kept their direction, so the cosine of the histogram of the whole picture is still 1.00.",
        at={"name": "trousers", "right": 4},
    ),
)
