"""Random Fourier features under sliders: single entries, and the error of the matrix over c."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.low_rank import relative_error

__all__ = ["EXPLORER", "FORMS", "data", "expected_error"]

FORMS: dict[str, Any] = {"pairs (cos, sin)": "cos-sin", "phases cos(· + b)": "cos-phase"}
N, P = 64, 5
SHOWN = 60  # pairs of points in the scatter plot
EXACT = np.linspace(0, 1, 21)  # its axis
C_STOPS = (4, 8, 16, 32, 64, 128, 256, 512)
SEEDS = 10


def data() -> NDArray:
    """64 points of a standard normal law in five dimensions."""
    return np.random.default_rng(0).normal(size=(N, P))


@cache
def gram(gamma):
    """G, the Gram matrix of the points."""
    return Gaussian(gamma)(data())


def features(c, gamma, form, draw):
    """Z, whose rows are the random features of the points; `draw` is the seed of the frequencies."""
    return FourierFeatures(
        Gaussian(gamma), n_components=c, form=FORMS[form], random_state=draw
    ).fit_transform(data())


@cache
def error(c, gamma, form, draw):
    """The relative error ‖ZZᵀ − G‖ / ‖G‖ of one draw."""
    return relative_error(features(c, gamma, form, draw), gram(gamma))


@Plot.panel(
    "Approximate against exact",
    x="exact κ(x, x′)",
    y="approximate φ̂(x)ᵀφ̂(x′)",
    xlim=(-0.03, 1.03),
    ylim=(-1, 1.5),
)
def against_exact(c, gamma, form, draw):
    """A cloud of pairs of points around the diagonal, tighter the larger c is; with pairs of cosines and
    sines all entries of the diagonal of G lie in the corner (1, 1).
    """
    rows = np.arange(SHOWN)
    exact = gram(gamma)[rows, rows + 1]
    Z = features(c, gamma, form, draw)
    deviation = np.sqrt(variances(EXACT, EXACT**4)[form] / c)
    return {
        "two points": Dots(exact, np.sum(Z[rows] * Z[rows + 1], axis=1)),
        "a point and itself": Dots(np.ones(12), np.sum(Z[:12] ** 2, axis=1), "large"),
        "exact, ± one standard deviation": Line(
            EXACT, EXACT, EXACT - deviation, EXACT + deviation, style="reference"
        ),
    }


def variances(q, q2):
    """Pair each form with c times the variance of an entry: 1 + q(2δ) − 2q(δ)², and 1 + ½q(2δ) − q(δ)²."""
    return dict(zip(FORMS, (1 + q2 - 2 * q**2, 1 + q2 / 2 - q**2), strict=True))


def expected_error(c: int, gamma: float, form: str) -> float:
    """√(E‖ZZᵀ − G‖_F²) / ‖G‖_F, from the variances of the entries; a Gaussian has q(2δ) = q(δ)⁴."""
    G = gram(gamma)
    return np.sqrt(variances(G, G**4)[form].sum() / c) / np.linalg.norm(G)


@Plot.panel("Error against c", x="columns c", y="‖ZZᵀ − G‖ / ‖G‖", log="xy", cursor="c")
def error_over_c(gamma, form):
    """The relative error against c on logarithmic axes, a straight band along the predicted line."""
    errors = np.array([[error(c, gamma, form, draw) for draw in range(SEEDS)] for c in C_STOPS])
    expected = expected_error(np.array(C_STOPS), gamma, form)
    middle = np.sqrt(np.mean(errors**2, axis=1))  # `expected` predicts the mean square
    return {
        "root mean square of ten draws (band: least to largest)": Line(
            C_STOPS, middle, errors.min(1), errors.max(1)
        ),
        "theory, slope −½": Line(C_STOPS, expected, style="reference"),
    }


def summary(c, gamma, form, draw):
    """The error of the present draw, and what the variances predict."""
    return (
        f"c = {c} columns, draw {draw}: relative error {error(c, gamma, form, draw):.3f}; "
        f"predicted {expected_error(c, gamma, form):.3f}."
    )


EXPLORER = Explorer(
    title="Random Fourier features: how many columns?",
    name="fourier",
    controls=(
        Slider("c", C_STOPS, "columns c", 32, between=True, log=True, play=2),
        Slider("gamma", (0.01, 0.03, 0.1, 0.3, 1.0), "γ", 0.1, between=True, log=True),
        Choice("form", FORMS, "form"),
        Slider("draw", (0, 1, 2, 3), "draw", 0),
    ),
    presets={
        "similar points": {"c": 32, "gamma": 0.01},
        "distant points": {"c": 32, "gamma": 1.0},
    },
    panels=(against_exact, error_over_c, Readout(summary)),
    predict=Predict(
        "For which γ is ZZᵀ, with 32 columns, furthest from G relative to the size of G?",
        answer="γ = 1",
        options=("γ = 0.01", "γ = 0.1", "γ = 1"),
        reason="There most entries of G are nearly 0, and each of them is still off by about 1/√c.",
        at={"gamma": 1.0},
    ),
)
