"""Random Fourier features under sliders: the error over c, the two maps' variances, and what the bounds say.

Chapter: Random Fourier features.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore.controls import Choice, Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Dots, Line
from kernlib.book.explore.panels import Plot, Readout
from kernlib.fourier import FourierFeatures, entropy_error, uniform_error
from kernlib.kernels import Gaussian, Laplace, Matern
from kernlib.low_rank import relative_error

__all__ = [
    "BOUNDS",
    "EXPLORER",
    "FORMS",
    "VARIANCES",
    "data",
    "expected_error",
    "features",
    "similarities",
    "variances",
]

FORMS: dict[str, Any] = {"pairs (cos, sin)": "cos-sin", "phases cos(· + b)": "cos-phase"}
N, P = 64, 5
SHOWN = 60  # pairs of points in the scatter plot
EXACT = np.linspace(0, 1, 21)  # its axis
C_STOPS = (4, 8, 16, 32, 64, 128, 256, 512)
SEEDS = 10
DELTA = np.linspace(0, 8, 161)
ROWS = 20_000  # the lab's training set
PAPERS = {"Rahimi & Recht": 2**8, "Sutherland & Schneider": 66}  # the constants of their uniform bounds
SIGMA = np.sqrt(2)  # √E‖ω‖² of the Gaussian with γ = 1/p, the one that the bounds are drawn for


def data() -> NDArray:
    """64 points of a standard normal law in five dimensions."""
    return np.random.default_rng(0).normal(size=(N, P))


def features(c: int, gamma: float, form: str, draw: int) -> NDArray:
    """Z, whose rows are the random features of the points; `draw` is the seed of the frequencies."""
    return FourierFeatures(
        Gaussian(gamma), n_components=c, form=FORMS[form], random_state=draw
    ).fit_transform(data())


def against_exact(c, gamma, form, draw):
    """Entries of ZZᵀ against those of G: of 60 pairs of points, and twelve of the diagonal."""
    rows = np.arange(SHOWN)
    exact = Gaussian(gamma)(data())[rows, rows + 1]
    Z = features(c, gamma, form, draw)
    deviation = np.sqrt(variances(EXACT, EXACT**4)[form] / c)
    return {
        "two points": Dots(exact, np.sum(Z[rows] * Z[rows + 1], axis=1)),
        "a point and itself": Dots(np.ones(12), np.sum(Z[:12] ** 2, axis=1), "large"),
        "exact, ± one standard deviation": Line(
            EXACT, EXACT, EXACT - deviation, EXACT + deviation, style="reference"
        ),
    }


def variances(q: NDArray, q2: NDArray) -> dict[str, NDArray]:
    """Pair each form with c times the variance of an entry: 1 + q(2δ) − 2q(δ)², and 1 + ½q(2δ) − q(δ)²."""
    return dict(zip(FORMS, (1 + q2 - 2 * q**2, 1 + q2 / 2 - q**2), strict=True))


def expected_error(c: int, gamma: float, form: str) -> float:
    """√(E‖ZZᵀ − G‖_F²) / ‖G‖_F, from the variances of the entries; a Gaussian has q(2δ) = q(δ)⁴."""
    G = Gaussian(gamma)(data())
    return np.sqrt(variances(G, G**4)[form].sum() / c) / np.linalg.norm(G)


def error_over_c(gamma, form):
    """Median and range of the relative errors of ten draws against c, and what the variances predict."""
    G = Gaussian(gamma)(data())
    errors = np.array(
        [[relative_error(features(c, gamma, form, s), G) for s in range(SEEDS)] for c in C_STOPS]
    )
    expected = expected_error(np.array(C_STOPS), gamma, form)
    return {
        "median, band: all of 10 draws": Line(C_STOPS, np.median(errors, 1), errors.min(1), errors.max(1)),
        "theory, slope −½": Line(C_STOPS, expected, style="reference"),
    }


def summary(c, gamma, form, draw):
    """The error of the present draw, and what the variances predict."""
    G = Gaussian(gamma)(data())
    error = relative_error(features(c, gamma, form, draw), G)
    return (
        f"c = {c} columns, draw {draw}: relative error {error:.3f}; "
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
    panels=(
        Plot(
            against_exact,
            "Approximate against exact",
            "A cloud of pairs of points around the diagonal, tighter the larger c is; with pairs of cosines "
            "and sines all entries of the diagonal of G lie in the corner (1, 1).",
            "exact κ(x, x′)",
            "approximate φ̂(x)ᵀφ̂(x′)",
            xlim=(-0.03, 1.03),
            ylim=(-1, 1.5),
        ),
        Plot(
            error_over_c,
            "Error over c",
            "The relative error against c on logarithmic axes, a straight band along the predicted line.",
            "columns c",
            "‖ZZᵀ − G‖ / ‖G‖",
            log="xy",
            cursor="c",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "For which γ is ZZᵀ, with 32 columns, furthest from G relative to the size of G?",
        answer="1",
        options=("0.01", "0.1", "1"),
        reason="At γ = 1 most entries of G are nearly 0, and each of them still errs by about 1/√c.",
    ),
)


def profile(kernel):
    """q of a kernel on ℝ, as a function of δ = x − x′."""
    return lambda delta: kernel(delta[:, None], np.zeros((1, 1)))[:, 0]


PROFILES = {
    "Gaussian": profile(Gaussian(0.5)),
    "Laplace": profile(Laplace(0.5)),
    "Matérn, ν = 3/2": profile(Matern(1.5, 1.0)),
    "(1 + cos δ)/2": lambda delta: (1 + np.cos(delta)) / 2,  # ω = 0 with probability ½ and ±1 with ¼ each
}


def similarities(kernel: str, delta: NDArray) -> tuple[NDArray, NDArray]:
    """q(δ) and q(2δ), of which both variances are made."""
    return PROFILES[kernel](delta), PROFILES[kernel](2 * delta)


def deviations(kernel, c):
    """The standard deviations of an entry in both forms against δ."""
    pairs, phases = FORMS
    deviation = {form: np.sqrt(v / c) for form, v in variances(*similarities(kernel, DELTA)).items()}
    return {pairs: Line(DELTA, deviation[pairs]), phases: Line(DELTA, deviation[phases], style="dashed")}


def winner(kernel):
    """The share of the axis on which pairs have the smaller variance: that is, where q(2δ) < 2q(δ)²."""
    q, q2 = similarities(kernel, DELTA)
    return f"Pairs have the smaller variance at {np.mean(q2 < 2 * q**2):.0%} of the differences shown."


VARIANCES = Explorer(
    title="Pairs or phases?",
    name="fourier-variances",
    controls=(
        Choice("kernel", PROFILES, "kernel"),
        Slider("c", (16, 64, 256, 1024), "columns c", 256, between=True, log=True),
    ),
    panels=(
        Plot(
            deviations,
            "One entry of ZZᵀ",
            "The standard deviation of both forms against the difference of two points; where they cross "
            "depends on the kernel.",
            "difference δ = x − x′",
            "standard deviation",
        ),
        Readout(winner),
    ),
    predict=Predict(
        "The kernel lies between 0 and 1. How far off is a typical entry of ZZᵀ with c = 300 columns?",
        answer="about 0.06",
        options=("about 0.003", "about 0.06", "about 0.3"),
        reason="An entry is a mean of independent waves: at far points it errs by 1/√c, and 1/√300 is 0.058.",
    ),
)


def hoeffding_error(c, entries, chance=0.5):
    """√(4 log(2 · entries / chance) / c), at which the union over entries of 2exp(−cε²/4) is the chance."""
    return np.sqrt(4 * np.log(2 * entries / chance) / c)


def error_bounds(p, diameter):
    """The error that each bound grants with probability ½, against c; above 1 it says nothing."""
    c, constant = np.geomspace(10, 1e7, 25), PAPERS["Rahimi & Recht"]
    return {
        "one entry": Line(c, hoeffding_error(c, 1), style="dotted"),
        "20,000 rows": Line(c, hoeffding_error(c, ROWS**2 // 2), style="dashed"),
        "Rahimi & Recht": Line(c, [uniform_error(m, p, SIGMA * diameter, constant) for m in c]),
        "Sriperumbudur & Szabó": Line(c, [entropy_error(m, p, SIGMA, diameter) for m in c]),
        "nothing said": Line([10, 1e7], [1, 1], style="reference"),
    }


def bounds_in_words(c, p, diameter):
    """What each bound grants at c: an error, or nothing."""
    uniform = {name: uniform_error(c, p, SIGMA * diameter, constant) for name, constant in PAPERS.items()}
    errors = {
        "one entry": hoeffding_error(c, 1),
        "all entries of 20,000 rows": hoeffding_error(c, ROWS**2 // 2),
        **{f"the domain, {name}": error for name, error in uniform.items()},
        "the domain, Sriperumbudur & Szabó": entropy_error(c, p, SIGMA, diameter),
    }
    return f"c = {c}: " + "; ".join(
        f"{name} {f'{error:.2g}' if error < 1 else 'nothing'}" for name, error in errors.items()
    )


BOUNDS = Explorer(
    title="What the bounds grant",
    name="fourier-bounds",
    controls=(
        Slider("c", (100, 300, 1000, 10_000, 100_000, 1_000_000), "columns c", 300, between=True, log=True),
        Slider("p", (1, 2, 5, 22, 100), "dimension p", 22),
        Slider("diameter", (1, 3, 10, 30, 100), "diameter ℓ", 10, between=True, log=True),
    ),
    panels=(
        Plot(
            error_bounds,
            "Error granted with probability ½",
            "Four bounds against c on logarithmic axes, of slope about minus one half, far apart in height.",
            "columns c",
            "error granted",
            log="xy",
            cursor="c",
        ),
        Readout(bounds_in_words),
    ),
    predict=Predict(
        "22 inputs, 300 columns: which largest error on the whole domain does Rahimi and Recht's bound grant "
        "with probability ½?",
        answer="2.5",
        options=("0.06", "0.6", "2.5"),
        reason="A grant of 2.5 says nothing: the guess 0 for every value of the kernel errs by at most 1.",
    ),
)
