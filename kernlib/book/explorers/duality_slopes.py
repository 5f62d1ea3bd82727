"""A convex curve described by its tangents: the slope is moved, the conjugate appears point by point."""

import numpy as np

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.duality import Logistic, Squared

__all__ = ["SLOPES"]

LOSSES = {"logistic": Logistic(), "squared": Squared()}
STOPS = tuple(round(0.1 * step, 1) for step in range(-12, 5))
U = np.linspace(-3, 4, 141)


def conjugate(loss, v):
    """ℓ*(1, v)."""
    return LOSSES[loss].pointwise_conjugate(1.0, np.asarray(v, dtype=np.float64))


def drawn_so_far(v, loss):
    """The slopes up to v that have a tangent, and ℓ*(1, v) of each."""
    slopes = np.array([stop for stop in STOPS if stop <= v])
    heights = conjugate(loss, slopes)
    return slopes[np.isfinite(heights)], heights[np.isfinite(heights)]


@Plot.panel("The tangent of slope v", x="prediction u", y="loss", xlim=(U[0], U[-1]), ylim=(-1, 4))
def tangents(v, loss):
    """A convex loss above its tangents; the place where one crosses the vertical axis is marked."""
    slopes, heights = drawn_so_far(v, loss)
    ends = np.array([U[0], U[-1], np.nan])
    lines = slopes[:, None] * ends - heights[:, None]
    height, values = conjugate(loss, v), LOSSES[loss].pointwise(1.0, U)
    drawn = height if np.isfinite(height) else 0.8  # any line: all of this slope cross the loss
    nearest = np.array([np.argmin(values - v * U)])
    nearest = nearest[(nearest > 0) & (nearest < len(U) - 1)]  # none where it touches at infinity
    return {
        "tangents so far": Line(np.tile(ends, len(slopes)), lines.ravel(), style="reference"),
        "loss ℓ(1, u)": Line(U, values),
        "slope v": Line(U, v * U - drawn, style="dashed"),
        "touches": Dots(U[nearest], values[nearest], "large"),
        "−ℓ*(1, v)": Dots([0.0], [-height], "large"),
    }


@Plot.panel(
    "The conjugate, point by point",
    x="slope v",
    y="conjugate",
    xlim=(STOPS[0] - 0.05, STOPS[-1] + 0.05),
    ylim=(-0.8, 0.6),
    cursor="v",
)
def conjugate_so_far(v, loss):
    """A convex row of points, one for each slope so far; for the logistic loss only between −1 and 0."""
    return {
        "ℓ*(1, v)": Dots(*drawn_so_far(v, loss), "large"),
        "zero": Line(STOPS, np.zeros(len(STOPS)), style="reference"),
    }


def crossing(v, loss):
    """Where the tangent crosses the vertical axis, or that there is none."""
    height, slope = float(conjugate(loss, v)), show(v)
    said = f"ℓ*(1, {slope}) = {show(height, 2)}."
    if not np.isfinite(height):
        return f"The line of slope {slope} crosses the loss, and so does any lower one: {said}"
    return f"The line of slope {slope} crosses the vertical axis at {show(-height, 2)}: {said}"


SLOPES = Explorer(
    title="A curve from its slopes",
    name="conjugate",
    hint="Play v, or drag the dotted line of the second plot.",
    controls=(Slider("v", STOPS, "slope v", -0.9, play=3), Choice("loss", tuple(LOSSES))),
    panels=(tangents, conjugate_so_far, Readout(crossing)),
    predict=Predict(
        "For which slopes does every line, however low, cross the logistic loss ℓ(1, u) = log(1 + exp(−u))?",
        answer="below −1 and above 0",
        options=("for none", "above 0", "below −1 and above 0"),
        shows=(("The tangent of slope v", "loss ℓ(1, u)"),),
        reason="The slope of the loss is always between −1 and 0. A line that falls more steeply crosses the "
        "loss somewhere on the left, and a rising line on the right. At the slopes −1 and 0 a line can stay "
        "below.",
    ),
)
