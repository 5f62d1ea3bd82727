"""Two histograms of images and what each bin adds to each kernel; and the columns of an explicit map.

Chapter: Object recognition.
"""

from functools import cache

import numpy as np

from kernlib.book.datasets import load_fashion
from kernlib.book.explore.controls import Choice, Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Bars, Dots, Line, show
from kernlib.book.explore.panels import Heat, Plot, Readout
from kernlib.kernels import AdditiveChiSquared, Hellinger, Intersection, Linear

__all__ = ["COLUMNS", "EXPLORER"]

IMAGES = {  # rows of load_fashion()
    "T-shirt": 3,
    "pullover": 12,
    "trouser": 18,
    "another trouser": 21,
    "sandal": 6,
    "bag": 17,
    "ankle boot": 37,
}
KERNELS = {
    "linear": Linear(),
    "intersection": Intersection(),
    "additive χ²": AdditiveChiSquared(),
    "Hellinger": Hellinger(),
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
    """The images that the lists offer: 28 × 28 gray levels from 0 to 1."""
    every = load_fashion().images
    return {name: every[row] for name, row in IMAGES.items()}


def first_image(first):
    """The first image."""
    return images()[first]


def second_image(second):
    """The second image."""
    return images()[second]


def orientation_histogram(image, bins):
    """The share of each orientation in [0°, 180°) in the gradients of an image, weighted by their lengths."""
    down, right = np.zeros_like(image), np.zeros_like(image)
    down[1:-1] = image[2:] - image[:-2]
    right[:, 1:-1] = image[:, 2:] - image[:, :-2]
    angles = np.degrees(np.arctan2(down, right)) % 180
    lengths = np.hypot(down, right)
    return np.histogram(angles, bins, (0, 180), weights=lengths)[0] / lengths.sum()


def pair(first, second, bins):
    """The middles of the bins in degrees, and the two histograms x and y."""
    x, y = (orientation_histogram(images()[name], bins) for name in (first, second))
    return (np.arange(bins) + 0.5) * 180 / bins, x, y


def histograms(first, second, bins):
    """Both histograms, side by side in each bin."""
    middles, x, y = pair(first, second, bins)
    aside = 180 / bins / 5
    return {"first, x": Bars(middles - aside, x), "second, y": Bars(middles + aside, y)}


def shares(x, y):
    """h(xᵢ, yᵢ)/κ(x, y) for each kernel; h(xᵢ, yᵢ) is its value for histograms of the one bin i."""
    parts = {name: np.diagonal(kernel(x[:, None], y[:, None])) for name, kernel in KERNELS.items()}
    return {name: part / part.sum() for name, part in parts.items()}


def contributions(first, second, bins):
    """The bins' shares of each kernel against the orientation."""
    middles, x, y = pair(first, second, bins)
    styles = {"intersection": "dashed", "additive χ²": "dotted"}
    return {name: Line(middles, part, style=styles.get(name, "")) for name, part in shares(x, y).items()}


def summary(first, second, bins):
    """The kernels' values, as cosines."""
    _, *both = pair(first, second, bins)
    grams = {name: kernel(np.array(both)) for name, kernel in KERNELS.items()}
    values = [f"{name} {G[0, 1] / np.sqrt(G[0, 0] * G[1, 1]):.2f}" for name, G in grams.items()]
    return f"κ(x, y)/√(κ(x, x)κ(y, y)): {', '.join(values)}."


def signature(kernel, u):
    """κ(x, y)/√(xy) for histograms of one bin, as a function of u = log y/x alone."""
    return KERNELS[kernel].term(np.exp(-u / 2), np.exp(u / 2))


def sampled_signature(kernel, m, L, u):
    """L Σ s(jL) cos(jLu) over j = −m, …, m, the signature of a map with 2m + 1 columns a bin."""
    omega = L * np.arange(m + 1)
    weights = L * DENSITIES[kernel](omega)
    weights[1:] *= 2
    return np.tensordot(weights, np.cos(np.multiply.outer(omega, u)), axes=1)


def bound(kernel, m, L):
    """
    ε ≥ e^{−|u|/2} times the error of the sampled signature, for all u: aliasing and what lies beyond mL.

    Then |κ̂(x, y) − κ(x, y)| ≤ ε Σ max(xᵢ, yᵢ).
    """
    a = {"additive χ²": 2, "intersection": 1}[kernel]
    return 2 * a / np.expm1(np.pi / L) + 2 * TAILS[kernel](m * L)


def signatures(kernel, m, L):
    """The exact and the sampled signature against u."""
    return {
        "sampled": Line(RATIOS, sampled_signature(kernel, m, L, RATIOS)),
        "exact": Line(RATIOS, signature(kernel, RATIOS), style="reference"),
    }


def samples(kernel, m, L):
    """The density s, and the frequencies jL at which it is taken."""
    omega, density = L * np.arange(m + 1), DENSITIES[kernel]
    return {
        "density s": Line(FREQUENCIES, density(FREQUENCIES)),
        "sampled": Dots(omega, density(omega), "large"),
    }


def weighted_error(kernel, m, L):
    """e^{−|u|/2} times the error of the sampled signature against u, and its bound."""
    gap = np.abs(sampled_signature(kernel, m, L, RATIOS) - signature(kernel, RATIOS))
    return {
        "error": Line(RATIOS, np.exp(-RATIOS / 2) * gap),
        "bound": Line(RATIOS, np.full(len(RATIOS), bound(kernel, m, L)), style="reference"),
    }


def columns_summary(kernel, m, L):
    """Columns a bin, the largest error, and its bound in two parts."""
    error = weighted_error(kernel, m, L)["error"].y.max()
    whole, beyond = bound(kernel, m, L), 2 * TAILS[kernel](m * L)
    numbers = (show(number, 2) for number in (error, whole, whole - beyond, beyond))
    return (
        "{} columns a bin. Largest weighted error {}; bound {}, of which {} for the step L and {} for the "
        "frequencies beyond mL."
    ).format(2 * m + 1, *numbers)


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
            "Share of each bin in the kernels",
            "For four kernels, the share of its value that each bin contributes.",
            "orientation of the gradient (degrees)",
            "share of κ(x, y)",
            xlim=(0, 180),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "Two histograms agree: both have 25% in one bin and 1% in another. How much does the small bin add "
        "to the linear kernel, compared with the large one?",
        answer="1/625",
        options=("as much", "1/25", "1/625"),
        reason="xᵢyᵢ squares the shares: 0.0001 against 0.0625. The three other kernels are means of xᵢ and "
        "yᵢ. In these the small bin adds 0.01 against 0.25, which is 1/25.",
    ),
)

COLUMNS = Explorer(
    title="An explicit map: how many columns a bin, how far apart?",
    name="objects-columns",
    controls=(
        Choice("kernel", DENSITIES, "kernel"),
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
            "The exact signature falls with u. The sampled one follows it and repeats after one period.",
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
