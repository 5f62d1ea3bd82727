"""Two histograms of images and what each bin adds to each kernel; and the columns of an explicit map.

Chapter: Object recognition.
"""

from functools import cache

import numpy as np

from kernlib.datasets import load_fashion
from kernlib.explore.controls import Choice, Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Bars, Dots, Line, show
from kernlib.explore.panels import Heat, Plot, Readout

__all__ = [
    "COLUMNS",
    "EXPLORER",
    "bound",
    "contributions",
    "first_image",
    "histograms",
    "orientation_histogram",
    "sampled_signature",
    "samples",
    "second_image",
    "shares",
    "signatures",
    "summary",
    "weighted_error",
]

IMAGES = {  # rows of load_fashion()
    "T-shirt": 3,
    "pullover": 12,
    "trouser": 18,
    "another trouser": 21,
    "sandal": 6,
    "bag": 17,
    "ankle boot": 37,
}
TERMS = {  # what one bin adds to κ(x, y)
    "linear": lambda x, y: x * y,
    "intersection": np.minimum,
    "additive χ²": lambda x, y: 2 * x * y / np.maximum(x + y, 1e-300),
    "Hellinger": lambda x, y: np.sqrt(x * y),
}
SIGNATURES = {  # of u, the logarithm of y/x
    "additive χ²": lambda u: 1 / np.cosh(u / 2),
    "intersection": lambda u: np.exp(-np.abs(u) / 2),
}
DENSITIES = {  # of ω, the Fourier transforms of the signatures
    "additive χ²": lambda omega: 1 / np.cosh(np.pi * omega),
    "intersection": lambda omega: 2 / (np.pi * (1 + 4 * omega**2)),
}
TAILS = {  # ∫ s from a to ∞
    "additive χ²": lambda a: 2 / np.pi * np.arctan(np.exp(-np.pi * a)),
    "intersection": lambda a: (np.pi / 2 - np.arctan(2 * a)) / np.pi,
}
RATIOS = np.linspace(0, 14, 85)  # u: signatures are even
FREQUENCIES = np.linspace(0, 3, 61)


@cache
def images():
    """
    Pick the images that the lists offer.

    Returns
    -------
    dict of str to ndarray of shape (28, 28)
        Grey levels from 0 to 1.
    """
    every = load_fashion().images
    return {name: every[row] for name, row in IMAGES.items()}


def first_image(first):
    """
    Give the first image for the heat map.

    Parameters
    ----------
    first : str
        Its name.

    Returns
    -------
    ndarray of shape (28, 28)
        Grey levels.
    """
    return images()[first]


def second_image(second):
    """
    Give the second image for the heat map.

    Parameters
    ----------
    second : str
        Its name.

    Returns
    -------
    ndarray of shape (28, 28)
        Grey levels.
    """
    return images()[second]


def orientation_histogram(image, bins):
    """
    Compute the share of each orientation in the gradients of an image, weighted by their lengths.

    Parameters
    ----------
    image : ndarray of shape (height, width)
        Grey levels, not all the same.
    bins : int
        Into how many bins [0°, 180°) is cut.

    Returns
    -------
    ndarray of shape (bins,)
        Not negative; its sum is 1.
    """
    down, right = np.zeros_like(image), np.zeros_like(image)
    down[1:-1] = image[2:] - image[:-2]
    right[:, 1:-1] = image[:, 2:] - image[:, :-2]
    angles = np.degrees(np.arctan2(down, right)) % 180
    lengths = np.hypot(down, right)
    return np.histogram(angles, bins, (0, 180), weights=lengths)[0] / lengths.sum()


def pair(first, second, bins):
    """
    Compute the two histograms and the middles of their bins.

    Parameters
    ----------
    first, second : str
        Names of images.
    bins : int
        Of each histogram.

    Returns
    -------
    middles, x, y : ndarray of shape (bins,)
        Degrees, and two histograms.
    """
    x, y = (orientation_histogram(images()[name], bins) for name in (first, second))
    return (np.arange(bins) + 0.5) * 180 / bins, x, y


def histograms(first, second, bins):
    """
    Give both histograms for the plot, side by side in each bin.

    Parameters
    ----------
    first, second : str
        Names of images.
    bins : int
        Of each histogram.

    Returns
    -------
    dict of str to Bars
        Shares of the orientations.
    """
    middles, x, y = pair(first, second, bins)
    aside = 180 / bins / 5
    return {"first, x": Bars(middles - aside, x), "second, y": Bars(middles + aside, y)}


def shares(x, y):
    """
    Compute h(xᵢ, yᵢ)/κ(x, y), what part of each kernel comes from which bin.

    Parameters
    ----------
    x, y : ndarray of shape (bins,)
        Histograms.

    Returns
    -------
    dict of str to ndarray of shape (bins,)
        For each kernel, with sum 1.
    """
    parts = {name: term(x, y) for name, term in TERMS.items()}
    return {name: part / part.sum() for name, part in parts.items()}


def contributions(first, second, bins):
    """
    Give the bins' shares of each kernel for the plot.

    Parameters
    ----------
    first, second : str
        Names of images.
    bins : int
        Of each histogram.

    Returns
    -------
    dict of str to Line
        Against the orientation.
    """
    middles, x, y = pair(first, second, bins)
    styles = {"intersection": "dashed", "additive χ²": "dotted"}
    return {name: Line(middles, part, style=styles.get(name, "")) for name, part in shares(x, y).items()}


def summary(first, second, bins):
    """
    Put the kernels' values in words.

    Parameters
    ----------
    first, second : str
        Names of images.
    bins : int
        Of each histogram.

    Returns
    -------
    str
        κ(x, y), as cosines: κ(x, y)/√(κ(x, x)κ(y, y)).
    """
    _, x, y = pair(first, second, bins)
    values = []
    for name, term in TERMS.items():
        cosine = term(x, y).sum() / np.sqrt(term(x, x).sum() * term(y, y).sum())
        values.append(f"{name} {cosine:.2f}")
    return f"κ(x, y)/√(κ(x, x)κ(y, y)): {', '.join(values)}."


def sampled_signature(kernel, m, L, u):
    """
    Compute L Σ s(jL) cos(jLu) over j = −m, …, m, the signature of the explicit map.

    Parameters
    ----------
    kernel : {"additive χ²", "intersection"}
        Whose density s is sampled.
    m : int
        Frequencies beside 0; the map has 2m + 1 columns a bin.
    L : float
        Their distance.
    u : ndarray
        Logarithms of ratios.

    Returns
    -------
    ndarray
        Of u's shape; periodic with the period 2π/L.
    """
    omega = L * np.arange(m + 1)
    weights = L * DENSITIES[kernel](omega)
    weights[1:] *= 2
    return np.tensordot(weights, np.cos(np.multiply.outer(omega, u)), axes=1)


def bound(kernel, m, L):
    """
    Bound e^{−|u|/2} times the error of the sampled signature, for all u: aliasing and what lies beyond mL.

    Parameters
    ----------
    kernel : {"additive χ²", "intersection"}
        Whose density is sampled.
    m : int
        Frequencies beside 0.
    L : float
        Their distance.

    Returns
    -------
    float
        ε; then |κ̂(x, y) − κ(x, y)| ≤ ε Σ max(xᵢ, yᵢ).
    """
    a = {"additive χ²": 2, "intersection": 1}[kernel]
    return 2 * a / np.expm1(np.pi / L) + 2 * TAILS[kernel](m * L)


def signatures(kernel, m, L):
    """
    Give the exact and the sampled signature for the plot.

    Parameters
    ----------
    kernel, m, L : str, int, float
        As of `sampled_signature`.

    Returns
    -------
    dict of str to Line
        Against u = log y/x.
    """
    return {
        "sampled": Line(RATIOS, sampled_signature(kernel, m, L, RATIOS)),
        "exact": Line(RATIOS, SIGNATURES[kernel](RATIOS), style="reference"),
    }


def samples(kernel, m, L):
    """
    Give the density and the frequencies at which it is taken.

    Parameters
    ----------
    kernel, m, L : str, int, float
        As of `sampled_signature`.

    Returns
    -------
    dict of str to Line or Dots
        Against ω.
    """
    omega, density = L * np.arange(m + 1), DENSITIES[kernel]
    return {
        "density s": Line(FREQUENCIES, density(FREQUENCIES)),
        "sampled": Dots(omega, density(omega), "large"),
    }


def weighted_error(kernel, m, L):
    """
    Give e^{−|u|/2} times the error of the sampled signature, and its bound.

    Parameters
    ----------
    kernel, m, L : str, int, float
        As of `sampled_signature`.

    Returns
    -------
    dict of str to Line
        Against u = log y/x.
    """
    gap = np.abs(sampled_signature(kernel, m, L, RATIOS) - SIGNATURES[kernel](RATIOS))
    return {
        "error": Line(RATIOS, np.exp(-RATIOS / 2) * gap),
        "bound": Line(RATIOS, np.full(len(RATIOS), bound(kernel, m, L)), style="reference"),
    }


def columns_summary(kernel, m, L):
    """
    Put the error and its two sources in words.

    Parameters
    ----------
    kernel, m, L : str, int, float
        As of `sampled_signature`.

    Returns
    -------
    str
        Columns a bin, the largest error and its bound, and how it splits.
    """
    error = weighted_error(kernel, m, L)["error"].y.max()
    beyond = 2 * TAILS[kernel](m * L)
    whole = bound(kernel, m, L)
    digits = lambda value: show(float(f"{value:.2g}"))  # noqa: E731
    return (
        f"{2 * m + 1} columns a bin. Largest weighted error {digits(error)}; bound {digits(whole)}, of which "
        f"{digits(whole - beyond)} for the step L and {digits(beyond)} for the frequencies beyond mL."
    )


EXPLORER = Explorer(
    title="Bin by bin: what two histograms have in common",
    name="objects",
    controls=(
        Choice("first", IMAGES, "first image"),
        Choice("second", IMAGES, "second image", "ankle boot"),
        Slider("bins", (4, 6, 9, 12, 18), "bins", 9),
    ),
    panels=(
        Heat(first_image, "First image", "The first image, 28 by 28 pixels.", (0, 1)),
        Heat(second_image, "Second image", "The second image, 28 by 28 pixels.", (0, 1)),
        Plot(
            histograms,
            "Their histograms",
            "Bars for the share of each orientation in the gradients of both images.",
            "orientation of the gradient (degrees)",
            "share",
            xlim=(0, 180),
        ),
        Plot(
            contributions,
            "Where each kernel comes from",
            "For four kernels, the share of its value that each bin contributes.",
            "orientation of the gradient (degrees)",
            "share of κ(x, y)",
            xlim=(0, 180),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "Two histograms agree: both have 25 % in one bin and 1 % in another. How much does the small bin add "
        "to the linear kernel, beside the large one?",
        answer="1/625",
        options=("as much", "1/25", "1/625"),
        reason="xᵢyᵢ squares the shares: 0.0001 against 0.0625. The three other kernels are means of xᵢ and "
        "yᵢ; there the small bin adds 0.01 against 0.25, a 25th.",
    ),
)

COLUMNS = Explorer(
    title="An explicit map: how many columns a bin, how far apart?",
    name="objects-columns",
    controls=(
        Choice("kernel", SIGNATURES, "kernel"),
        Slider("m", (0, 1, 2, 3, 4, 6, 9), "m", 1),
        Slider("L", (0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0, 1.3), "L", 0.8),
    ),
    panels=(
        Plot(
            samples,
            "Density and samples",
            "The spectral density of the signature, and the frequencies jL at which it is sampled.",
            "frequency ω",
            "s(ω)",
        ),
        Plot(
            signatures,
            "Signature",
            "The exact signature falls with u; the sampled one follows it, and comes back after one period.",
            "u = log y/x",
            "signature",
            ylim=(-0.6, 1.8),
        ),
        Plot(
            weighted_error,
            "Weighted error",
            "The weighted error of the sampled signature against u, below the line of its bound.",
            "u = log y/x",
            "exp(−|u|/2) · error",
            log="y",
            ylim=(1e-6, 3),
        ),
        Readout(columns_summary),
    ),
)
