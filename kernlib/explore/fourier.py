"""c, γ, the form of the map and the draw: approximate against exact kernel, and the error over c.

Chapter: Random Fourier features.
"""

import numpy as np

from kernlib.explore.controls import Choice, Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Dots, Line
from kernlib.explore.panels import Plot, Readout
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian

__all__ = ["EXPLORER", "against_exact", "error_over_c", "expected_error", "features", "summary"]

FORMS = {"pairs (cos, sin)": "cos-sin", "phases cos(· + b)": "cos-phase"}
N, P = 64, 5
SHOWN = 60  # pairs of points in the scatter plot
C_STOPS = (4, 8, 16, 32, 64, 128, 256, 512)
SEEDS = 10


def data():
    """
    Draw 64 points of a standard normal law in five dimensions.

    Returns
    -------
    ndarray of shape (64, 5)
        The same in every call.
    """
    return np.random.default_rng(0).normal(size=(N, P))


def features(c, gamma, form, draw):
    """
    Compute Z, whose rows are the random features of the points.

    Parameters
    ----------
    c : int
        Columns.
    gamma : float
        γ > 0 of the Gaussian kernel.
    form : {"pairs (cos, sin)", "phases cos(· + b)"}
        Which of the two maps.
    draw : int
        The seed of the frequencies.

    Returns
    -------
    ndarray of shape (64, c)
        ZZᵀ is G on average.
    """
    return FourierFeatures(
        Gaussian(gamma), n_components=c, form=FORMS[form], random_state=draw
    ).fit_transform(data())


def relative_error(Z, G):
    """
    Compute ‖ZZᵀ − G‖_F / ‖G‖_F.

    Parameters
    ----------
    Z : ndarray of shape (n, c)
        Features.
    G : ndarray of shape (n, n)
        The Gram matrix.

    Returns
    -------
    float
        Zero where the features are exact.
    """
    return np.linalg.norm(Z @ Z.T - G) / np.linalg.norm(G)


def against_exact(c, gamma, form, draw):
    """
    Compare entries of ZZᵀ with those of G.

    Parameters
    ----------
    c, gamma, form, draw : int, float, str, int
        As of `features`.

    Returns
    -------
    dict of str to Dots or Line
        Approximate against exact similarity of 60 pairs of points.
    """
    rows = np.arange(SHOWN)
    exact = Gaussian(gamma)(data())[rows, rows + 1]
    Z = features(c, gamma, form, draw)
    return {
        "pairs of points": Dots(exact, np.sum(Z[rows] * Z[rows + 1], axis=1)),
        "equal": Line([0, 1], [0, 1], style="reference"),
    }


def expected_error(c, gamma, form):
    """
    Compute √(E‖ZZᵀ − G‖_F²) / ‖G‖_F from the variances of one entry.

    Pairs: (1/c)[1 + q(2δ) − 2q(δ)²]; phases: (1/c)[1 + ½q(2δ) − q(δ)²]; for the Gaussian kernel
    q(2δ) = q(δ)⁴.

    Parameters
    ----------
    c, gamma, form : int or ndarray, float, str
        As of `features`.

    Returns
    -------
    float or ndarray
        Falls like 1/√c.
    """
    G = Gaussian(gamma)(data())
    variance = 1 + G**4 - 2 * G**2 if FORMS[form] == "cos-sin" else 1 + G**4 / 2 - G**2
    return np.sqrt(variance.sum() / c) / np.linalg.norm(G)


def error_over_c(gamma, form):
    """
    Measure the relative error over c with ten draws, beside what the variances predict.

    Parameters
    ----------
    gamma, form : float, str
        As of `features`.

    Returns
    -------
    dict of str to Line
        Median and range of the draws against c, and the rate.
    """
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
    """
    Put the error of the present draw in words.

    Parameters
    ----------
    c, gamma, form, draw : int, float, str, int
        As of `features`.

    Returns
    -------
    str
        The relative error, and what the variances predict.
    """
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
        Slider("c", C_STOPS, "columns c", 32, between=True, log=True),
        Slider("gamma", (0.01, 0.03, 0.1, 0.3, 1.0), "γ", 0.1, between=True, log=True),
        Choice("form", FORMS, "form"),
        Slider("draw", (0, 1, 2, 3), "draw", 0),
    ),
    panels=(
        Plot(
            against_exact,
            "Approximate against exact",
            "A cloud of pairs of points around the diagonal, tighter the larger c is.",
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
        "You want a tenth of the error. By what factor must c grow?",
        answer="100",
        options=("√10", "10", "100"),
        reason="Each entry of ZZᵀ is a mean of independent terms, so its standard error falls like 1/√c.",
    ),
)
