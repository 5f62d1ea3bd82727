"""The weights of six waves to drag: a Gaussian factor blurs them, as in the proof of Bochner's theorem.

Chapter: Bochner's theorem.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.hands import Points
from kernlib.book.explore.marks import Line
from kernlib.book.explore.panels import Plot, Readout

__all__ = ["BLUR", "PLACES", "blurred", "mixture", "smallest_eigenvalue"]

FREQUENCIES = (0, 2, 4, 6, 8, 10)
CAP = (0.424, 0.277, 0.037, -0.036, 0.005, 0.01)  # q̂(ω)/π of (1 − δ²)₊: its Fourier series on a period of π
WEIGHTS = {
    "like a cap": CAP,
    "no weight below 0": tuple(max(weight, 0) for weight in CAP),
    "like a tent": (0.318, 0.225, 0.066, 0.001, 0.011, 0.012),
    "one wave": (0, 0.5, 0, 0, 0, 0),
}
PLACES = {label: tuple(zip(FREQUENCIES, weights, strict=True)) for label, weights in WEIGHTS.items()}
OMEGA = np.arange(-120, 121) / 10
DELTA = np.arange(-90, 91) / 20
GRID = np.arange(25) / 4
ROUNDING = 1e-9


def both_sides(weights):
    """List the places of all weights, those at −ω too."""
    return [(-omega, weight) for omega, weight in reversed(weights) if omega] + list(weights)


def mixture(weights: Sequence, delta: NDArray) -> NDArray:
    """Compute q(δ) = Σ w cos ωδ over the weights at ω and −ω."""
    return sum(weight * np.cos(omega * delta) for omega, weight in both_sides(weights))


def blurred(weights: Sequence, eps: float, omega: NDArray = OMEGA) -> NDArray:
    """Compute the density p_ε: at each weight a bell of variance ε."""
    bells = (weight * np.exp(-((omega - at) ** 2) / (2 * eps)) for at, weight in both_sides(weights))
    return sum(bells) / np.sqrt(2 * np.pi * eps)


def smallest_eigenvalue(weights: Sequence) -> float:
    """Compute the smallest eigenvalue of the Gram matrix of 25 points a quarter apart."""
    return float(np.linalg.eigvalsh(mixture(weights, GRID[:, None] - GRID))[0])


def product(weights, eps):
    """Draw q, and its product with the Gaussian."""
    q, factor = mixture(weights, DELTA), np.exp(-eps * DELTA**2 / 2)
    return {
        "product": Line(DELTA, q * factor),
        "q(δ)": Line(DELTA, q, style="dashed"),
        "exp(−εδ²/2)": Line(DELTA, factor, style="reference"),
    }


def spectrum(weights, eps):
    """Draw p_ε as high as the largest weight, its negative part shaded, and the weights."""
    p = blurred(weights, eps)
    heights = np.array([weight for _, weight in weights])
    p = p * (np.abs(heights).max() / (np.abs(p).max() or 1))
    stems = [(at, height) for at, weight in both_sides(weights) for height in (0, weight, 0)]
    return {
        "blurred density, scaled to the largest weight": Line(OMEGA, p, np.minimum(p, 0), 0 * p),
        "weights of q": Line(*np.transpose(stems)),
    }


def summary(weights, eps):
    """Say where p_ε is lowest, and whether 25 points show that q is not a kernel."""
    p, least = blurred(weights, eps), smallest_eigenvalue(weights)
    low = int(p[120:].argmin()) + 120
    at = f"±{OMEGA[low]:.1f}" if low > 120 else "0"
    dip = f"is negative, and lowest at ω = {at}"
    found = dip if p[low] < -ROUNDING else "is nowhere negative in the plot"
    smallest = f"the smallest eigenvalue of q's Gram matrix is {least:.2f}"
    eigenvalue = smallest if least < -ROUNDING else "no eigenvalue of q's Gram matrix is negative"
    return f"The blurred density {found}. On 25 points a quarter apart, {eigenvalue}.".replace("-", "−")


BLUR = Explorer(
    title="What does a blur hide?",
    name="bochner-blur",
    hint="Drag a weight up or down, or select it with Tab and use the arrow keys. The one at −ω follows.",
    script="bochner_blur",
    controls=(
        Points("weights", PLACES["like a cap"], groups=[1] * len(CAP), move="y", label="Weights"),
        Slider("eps", (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10), "blur ε", 0.2, log=True, play=2),
    ),
    presets={label: {"weights": places} for label, places in PLACES.items()},
    panels=(
        Plot(
            spectrum,
            "Spectrum",
            "Six weights that can be dragged, those at −ω, and their blurred density, a bell around each "
            "weight. Around a weight below zero it is negative, unless the bells beside it cover this one.",
            "ω (radians per unit of x)",
            "weight",
            xlim=(-12, 12),
            ylim=(-0.12, 0.55),
            handles="weights",
        ),
        Plot(
            product,
            "Function",
            "The sum of the waves, a Gaussian around zero, and the product of the two, which is smaller far "
            "from zero.",
            "δ = x − x′",
            ylim=(-1.05, 1.2),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "One of the six weights is negative, at ω = ±6. Is there a blur ε at which the blurred "
        "density is nowhere negative?",
        answer="yes, every ε that is large enough",
        options=("yes, every ε that is small enough", "yes, every ε that is large enough", "no"),
        shows=(("Spectrum", "weights of q"),),
        at={"eps": 5},
        reason="A blur gives each weight a bell of standard deviation √ε. Once the bells are wide "
        "enough, their positive neighbors on both sides cover the negative one. So the proof must let ε go "
        "to zero.",
    ),
)
