"""Random Fourier features under sliders: the error over c, the two maps' variances, and what the bounds say.

Chapter: Random Fourier features.
"""

import numpy as np
from scipy.optimize import brentq

from kernlib.explore.controls import Choice, Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Dots, Line
from kernlib.explore.panels import Plot, Readout
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian, Laplace, Matern

__all__ = [
    "BOUNDS",
    "EXPLORER",
    "VARIANCES",
    "against_exact",
    "bounds_in_words",
    "cosine",
    "deviations",
    "entropy_error",
    "error_bounds",
    "error_over_c",
    "expected_error",
    "features",
    "hoeffding_error",
    "similarities",
    "summary",
    "uniform_error",
    "variances",
    "winner",
]

FORMS = {"pairs (cos, sin)": "cos-sin", "phases cos(· + b)": "cos-phase"}
N, P = 64, 5
SHOWN = 60  # pairs of points in the scatter plot
C_STOPS = (4, 8, 16, 32, 64, 128, 256, 512)
SEEDS = 10
DELTA = np.linspace(0, 8, 161)
ROWS = 20_000  # the lab's training set
PAPERS = {"Rahimi & Recht": 2**8, "Sutherland & Schneider": 66}  # the constants of their uniform bounds


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


def cosine(delta):
    """
    Compute (1 + cos δ)/2, whose spectral law is ω = 0 with probability ½ and ±1 with ¼ each.

    Parameters
    ----------
    delta : ndarray
        Differences, in units of x.

    Returns
    -------
    ndarray
        q(δ).
    """
    return (1 + np.cos(delta)) / 2


KERNELS = {
    "Gaussian": Gaussian(0.5),
    "Laplace": Laplace(0.5),
    "Matérn, ν = 0.2": Matern(0.2, 1.0),
    "(1 + cos δ)/2": cosine,
}


def similarities(kernel, delta):
    """
    Compute q(δ) and q(2δ), of which both variances are made.

    Parameters
    ----------
    kernel : {"Gaussian", "Laplace", "Matérn, ν = 0.2", "(1 + cos δ)/2"}
        With γ = ½, length scale 1 and frequency 1.
    delta : ndarray of shape (m,)
        Differences of points of ℝ.

    Returns
    -------
    q, q2 : ndarray of shape (m,)
        q(δ) and q(2δ).
    """
    q = KERNELS[kernel]
    return tuple(
        q(step) if q is cosine else q(step[:, None], np.zeros((1, 1)))[:, 0] for step in (delta, 2 * delta)
    )


def variances(kernel, delta):
    """
    Compute c times the variance of one entry of ZZᵀ: 1 + q(2δ) − 2q(δ)² and 1 + ½q(2δ) − q(δ)².

    Parameters
    ----------
    kernel, delta : str, ndarray of shape (m,)
        As of `similarities`.

    Returns
    -------
    pairs, phases : ndarray of shape (m,)
        Those of (cos, sin) and of cos(· + b).
    """
    q, q2 = similarities(kernel, delta)
    return 1 + q2 - 2 * q**2, 1 + q2 / 2 - q**2


def deviations(kernel, c):
    """
    Give the standard deviations of both forms' entries against δ.

    Parameters
    ----------
    kernel : str
        As of `similarities`.
    c : int
        Columns.

    Returns
    -------
    dict of str to Line
        One for each form.
    """
    pairs, phases = (np.sqrt(v / c) for v in variances(kernel, DELTA))
    return {
        "pairs (cos, sin)": Line(DELTA, pairs),
        "phases cos(· + b)": Line(DELTA, phases, style="dashed"),
    }


def winner(kernel):
    """
    Say where which form has the smaller variance.

    Parameters
    ----------
    kernel : str
        As of `similarities`.

    Returns
    -------
    str
        The share of the axis on which pairs win.
    """
    q, q2 = similarities(kernel, DELTA)
    return f"Pairs have the smaller variance at {np.mean(q2 < 2 * q**2):.0%} of the differences shown."


VARIANCES = Explorer(
    title="Pairs or phases?",
    name="fourier-variances",
    controls=(
        Choice("kernel", KERNELS, "kernel"),
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
)


def hoeffding_error(c, entries, chance=0.5):
    """
    Compute the ε at which the union over entries of 2exp(−cε²/4) is the chance.

    Parameters
    ----------
    c : float or ndarray
        Columns of the (cos, sin) map.
    entries : int
        How many entries of ZZᵀ must all be within ε.
    chance : float
        Of at least one that isn't.

    Returns
    -------
    float or ndarray
        √(4 log(2 · entries / chance) / c).
    """
    return np.sqrt(4 * np.log(2 * entries / chance) / c)


def uniform_error(c, p, spread, constant, chance=0.5):
    """
    Solve constant · (σℓ/ε)² exp(−cε²/(8(p + 2))) = chance for ε.

    Parameters
    ----------
    c, p : int
        Columns of the (cos, sin) map, and the dimension.
    spread : float
        σℓ, with σ² = E‖ω‖² and the diameter ℓ of the domain.
    constant : float
        2⁸ with Rahimi and Recht, 66 with Sutherland and Schneider.
    chance : float
        Of a larger error somewhere in the domain.

    Returns
    -------
    float
        ε, which may be so large that it says nothing.
    """

    def excess(log_error):
        error = np.exp(log_error)
        return np.log(constant / chance) + 2 * (np.log(spread) - log_error) - c * error**2 / (8 * (p + 2))

    return float(np.exp(brentq(excess, -30, 30)))


def entropy_error(c, p, sigma, diameter, chance=0.5):
    """
    Compute the ε of Sriperumbudur and Szabó's theorem 1, (h + √(2τ))/√m with m = c/2 frequencies.

    h = 32√(2p log(2ℓ + 1)) + 32√(2p log(σ + 1)) + 16√(2p / log(2ℓ + 1)) and e^{−τ} is the chance.

    Parameters
    ----------
    c, p : int
        Columns of the (cos, sin) map, and the dimension.
    sigma, diameter : float
        √E‖ω‖² and ℓ.
    chance : float
        Of a larger error somewhere in the domain.

    Returns
    -------
    float
        ε, which may be so large that it says nothing.
    """
    size = np.log(2 * diameter + 1)
    h = 32 * np.sqrt(2 * p * size) + 32 * np.sqrt(2 * p * np.log(sigma + 1)) + 16 * np.sqrt(2 * p / size)
    return float((h + np.sqrt(-2 * np.log(chance))) / np.sqrt(c / 2))


def error_bounds(p, diameter):
    """
    Give the error that each bound grants with probability ½, against c, for the Gaussian with γ = 1/p.

    Parameters
    ----------
    p : int
        Dimension.
    diameter : float
        ℓ of the domain, in units of x.

    Returns
    -------
    dict of str to Line
        The bounds; and 1, above which they say nothing.
    """
    c, sigma = np.geomspace(10, 1e7, 25), np.sqrt(2)
    return {
        "one entry": Line(c, hoeffding_error(c, 1), style="dotted"),
        "20,000 rows": Line(c, hoeffding_error(c, ROWS**2 // 2), style="dashed"),
        "Rahimi & Recht": Line(c, [uniform_error(m, p, sigma * diameter, 2**8) for m in c]),
        "Sriperumbudur & Szabó": Line(c, [entropy_error(m, p, sigma, diameter) for m in c]),
        "nothing said": Line([10, 1e7], [1, 1], style="reference"),
    }


def bounds_in_words(c, p, diameter):
    """
    Say what the bounds grant at c.

    Parameters
    ----------
    c, p, diameter : int, int, float
        As of `error_bounds`.

    Returns
    -------
    str
        An error for each bound, or that it says nothing.
    """
    spread = np.sqrt(2) * diameter
    errors = {
        "one entry": hoeffding_error(c, 1),
        "all entries of 20,000 rows": hoeffding_error(c, ROWS**2 // 2),
        **{f"the domain, {name}": uniform_error(c, p, spread, constant) for name, constant in PAPERS.items()},
        "the domain, Sriperumbudur & Szabó": entropy_error(c, p, np.sqrt(2), diameter),
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
)
