"""The columns of an explicit map: how many per bin, and how far apart."""

import numpy as np

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.kernels import AdditiveChiSquared, Intersection

__all__ = ["COLUMNS", "largest_error"]

KERNELS = {"additive χ²": AdditiveChiSquared(), "intersection": Intersection()}
DENSITIES = {  # of ω, the Fourier transforms of the signatures
    "additive χ²": lambda omega: 1 / np.cosh(np.pi * omega),
    "intersection": lambda omega: 2 / (np.pi * (1 + 4 * omega**2)),
}
TAILS = {  # ∫ s from a to ∞
    "additive χ²": lambda a: 2 / np.pi * np.arctan(np.exp(-np.pi * a)),
    "intersection": lambda a: (np.pi / 2 - np.arctan(2 * a)) / np.pi,
}
RATIOS = np.linspace(0, 14, 85)  # u: signatures are even
STEPS = np.linspace(0.2, 1.3, 45)  # L
HIGHEST = 6  # frequency that is drawn; the densities are nearly zero there
SKLEARN = {0: 0.8, 1: 0.5, 2: 0.4}  # L for each m, if AdditiveChi2Sampler chooses it


def signature(kernel, u):
    """κ(x, y)/√(xy) for histograms of one bin, as a function of u = log(y/x) alone."""
    return KERNELS[kernel].term(np.exp(-u / 2), np.exp(u / 2))


def sampled_signature(kernel, m, L, u):
    """L Σ s(jL) cos(jLu) over j = −m, …, m, the signature of a map with 2m + 1 columns per bin."""
    omega = L * np.arange(m + 1)
    weights = L * DENSITIES[kernel](omega)
    weights[1:] *= 2
    return np.tensordot(weights, np.cos(np.multiply.outer(omega, u)), axes=1)


def bound(kernel, m, L):
    """ε ≥ e^{−|u|/2} times the error of the sampled signature, for all u: aliasing and what lies beyond mL.

    Then |κ̂(x, y) − κ(x, y)| ≤ ε Σ max(xᵢ, yᵢ).
    """
    a = {"additive χ²": 2, "intersection": 1}[kernel]
    return 2 * a / np.expm1(np.pi / L) + 2 * TAILS[kernel](m * L)


@Plot.panel("Signature", x="u = log(y/x)", y="signature", ylim=(-0.6, 1.8))
def signatures(kernel, m, L):
    """The exact signature falls with u. The sampled one follows it and repeats after one period."""
    return {
        "sampled": Line(RATIOS, sampled_signature(kernel, m, L, RATIOS)),
        "exact": Line(RATIOS, signature(kernel, RATIOS), style="reference"),
    }


@Plot.panel("Density and samples", x="frequency ω", y="s(ω)", xlim=(-0.1, HIGHEST), cursor="L")
def samples(kernel, m, L):
    """The spectral density of the signature, and the frequencies jL at which it is sampled."""
    omega, density = L * np.arange(m + 1), DENSITIES[kernel]
    omega, every = omega[omega <= HIGHEST], np.linspace(0, HIGHEST, 61)
    return {
        "density s": Line(every, density(every)),
        "sampled": Dots(omega, density(omega), "large"),
    }


@Plot.panel("Weighted error", x="u = log(y/x)", y="exp(−|u|/2) · error", log="y", ylim=(1e-6, 3))
def weighted_error(kernel, m, L):
    """The weighted error of the sampled signature against u, below the line of its bound."""
    gap = np.abs(sampled_signature(kernel, m, L, RATIOS) - signature(kernel, RATIOS))
    return {
        "error": Line(RATIOS, np.exp(-RATIOS / 2) * gap),
        "bound": Line(RATIOS, np.full(len(RATIOS), bound(kernel, m, L)), style="reference"),
    }


def largest_error(kernel: str, m: int, L: float) -> float:
    """Compute the largest weighted error of the sampled signature."""
    return weighted_error(kernel, m, L)["error"].y.max()


@Plot.panel("Largest weighted error against L", x="L", y="largest weighted error", log="y", cursor="L")
def error_over_step(kernel, m):
    """The largest weighted error against L: it falls to a minimum and rises again. A dot marks the L that
    scikit-learn takes if m is 0, 1 or 2.
    """
    series = {"this m": Line(STEPS, [largest_error(kernel, m, L) for L in STEPS])}
    if kernel == "additive χ²" and m in SKLEARN:
        L = SKLEARN[m]
        series["scikit-learn"] = Dots([L], [largest_error(kernel, m, L)], "large")
    return series


def columns_summary(kernel, m, L):
    """Columns per bin, the largest error, and its bound in two parts."""
    error = largest_error(kernel, m, L)
    whole, beyond = bound(kernel, m, L), 2 * TAILS[kernel](m * L)
    numbers = (show(number, 2) for number in (error, whole, whole - beyond, beyond))
    return (
        "{} columns per bin. Largest weighted error {}; bound {}, of which {} for the step L and {} for the "
        "frequencies beyond mL."
    ).format(2 * m + 1, *numbers)


COLUMNS = Explorer(
    title="An explicit map: how many columns per bin, how far apart?",
    name="objects-columns",
    hint="Drag the dotted line in the first panel: it marks the first sample above 0, and all others follow.",
    presets={
        "scikit-learn, m = 0": {"kernel": "additive χ²", "m": 0, "L": 0.8},
        "scikit-learn, m = 1": {"kernel": "additive χ²", "m": 1, "L": 0.5},
        "least error, m = 1": {"kernel": "additive χ²", "m": 1, "L": 0.65},
        "the intersection": {"kernel": "intersection", "m": 9, "L": 0.65},
    },
    controls=(
        Choice("kernel", DENSITIES, "kernel"),
        Slider("m", (0, 1, 2, 3, 4, 5, 6, 9), "m", 1),
        Slider("L", (0.2, 0.3, 0.4, 0.5, 0.65, 0.75, 0.8, 1.0, 1.3), "L", 0.5, play=2),
    ),
    panels=(samples, signatures, weighted_error, error_over_step, Readout(columns_summary)),
    predict=Predict(
        "Additive χ², m = 1: three columns per bin. scikit-learn samples the density at the step L = 0.5. "
        "Does this step make the largest weighted error as small as possible?",
        answer="no, the step should be larger",
        options=("yes", "no, the step should be smaller", "no, the step should be larger"),
        shows=("Density and samples",),
        at={"kernel": "additive χ²", "m": 1, "L": 0.5},
        reason="At L = 0.5 the largest weighted error is 0.10, nearly all of it from the frequencies beyond "
        "mL, which are left out. At L = 0.65 it is 0.033. With a larger step the three "
        "samples reach higher frequencies, and the sampled signature still repeats only where the weight is "
        "small.",
    ),
)
