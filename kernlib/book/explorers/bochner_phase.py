"""The phase of a wave to turn, and a pair of points to drag: what its two features multiply to."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.book.explore import Dots, Explorer, Line, Plot, Points, Predict, Readout, Slider

__all__ = ["MOVED", "PHASE", "START", "feature", "mean_product", "q"]

START, MOVED = ((1, 0), (-0.4, 0)), ((1.8, 0), (0.4, 0))
X = np.arange(-60, 61) / 20
TURN = np.arange(65) / 32  # b/π


def q(delta: ArrayLike) -> NDArray:
    """Compute the Gaussian kernel with γ = 2."""
    return np.exp(-2 * np.square(delta))


def feature(x: ArrayLike, omega: float, b: ArrayLike) -> NDArray:
    """Compute √2 cos(ωx + b), with b in units of π."""
    return np.sqrt(2) * np.cos(omega * np.asarray(x) + np.pi * np.asarray(b))


def mean_product(x: float, t: ArrayLike, b: float) -> NDArray:
    """Compute the mean over ω of the product of two features at a fixed b, in units of π."""
    return q(np.subtract(x, t)) + np.cos(2 * np.pi * b) * q(np.add(x, t))


@Plot.panel("One wave", x="x", xlim=(-3, 3), ylim=(-1.6, 1.6), handles="pair")
def wave(pair, omega, b):
    """A cosine on the line, and its values at two points, which can be dragged."""
    (x, _), (t, _) = pair
    y, z = feature((x, t), omega, b)
    return {
        "√2 cos(ωx + b)": Line(X, feature(X, omega, b)),
        "both features": Line([x, x, t, t], [y, 0, 0, z], style="dashed"),
    }


@Plot.panel("Product of the two features, against b", x="b/π", ylim=(-2.1, 2.1), cursor="b")
def turn(pair, omega, b):
    """The product against the phase: it swings twice around its mean in one turn."""
    (x, _), (t, _) = pair
    level = np.cos(omega * (x - t))
    return {
        "product": Line(TURN, feature(x, omega, TURN) * feature(t, omega, TURN)),
        "cos ω(x − x′), its mean over b": Line([0, 2], [level, level], style="reference"),
        "at this b": Dots([b], [feature(x, omega, b) * feature(t, omega, b)], "large"),
    }


@Plot.panel("Mean of the products over all ω", x="x′", ylim=(-1.1, 2.1), xlim=(-3, 3))
def ghost(pair, b):
    """A bump around x, and a second one around −x, whose height and sign depend on the phase."""
    (x, _), (t, _) = pair
    return {
        "mean over ω": Line(X, mean_product(x, X, b)),
        "κ(x, x′)": Line(X, q(x - X), style="reference"),
        "at this x′": Dots([t], [mean_product(x, t, b)], "large"),
    }


def summary(pair, omega, b):
    """Write the product of the features, and its means over b and over ω."""
    (x, _), (t, _) = pair
    return (
        f"Second panel: at b/π = {b:.2f} the product is {feature(x, omega, b) * feature(t, omega, b):.2f}, "
        f"its mean over b is {np.cos(omega * (x - t)):.2f}. Third panel: at this x′ the mean over ω is "
        f"{mean_product(x, t, b):.2f}, and κ(x, x′) = {q(x - t):.2f}."
    ).replace("-", "−")


PHASE = Explorer(
    title="What does the phase do?",
    name="bochner-phase",
    hint="Drag x (circle) and x′ (square), or select them with Tab and use the arrow keys. ▶ turns b.",
    script="bochner_phase",
    controls=(
        Points("pair", START, groups=(0, 1), move="x", label="x and x′"),
        Slider("omega", (0.5, 1, 1.5, 2, 3, 4), "ω", 2),
        Slider("b", (np.arange(41) / 20).tolist(), "b/π", 0, play=10),
    ),
    presets={"b = 0": {"b": 0}, "b = π/4": {"b": 0.25}, "b = π/2": {"b": 0.5}, "both moved": {"pair": MOVED}},
    panels=(wave, turn, ghost, Readout(summary)),
    predict=Predict(
        "Without a phase, b = 0, the product of the two features is 2 cos ωx cos ωx′. Average it over the "
        "frequencies of the Gaussian kernel. For which x′ is the mean clearly above 0?",
        answer="near x and near −x",
        options=("near x", "near x and near −x", "for all x′"),
        shows=("One wave",),
        reason="cos ωx is the same at x and at −x. So no average of such products can tell x from −x, and x′ "
        "is as similar to one as to the other.",
    ),
)
