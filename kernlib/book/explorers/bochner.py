"""γ moves a kernel and its law of frequencies against each other; draws from the law average to the kernel.

`SPECTRUM` has the two curves, and sums waves up to a frequency that the reader moves; `EXPLORER` draws them.
"""

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray
from scipy import stats

from kernlib.book.explore import Bars, Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.kernels import Gaussian, Laplace, radial_transform

__all__ = [
    "CAP",
    "DELTA",
    "DRAWS",
    "EXPLORER",
    "HALVES",
    "LAWS",
    "SPECTRUM",
    "WIDE",
    "agreement",
    "average",
    "cap_spectrum",
    "exact",
    "frequencies",
    "sum_of_waves",
]

KERNELS = {"Gaussian": Gaussian, "Laplace": Laplace}
LAWS = {  # of one frequency, in one dimension
    "Gaussian": lambda gamma: stats.norm(scale=np.sqrt(2 * gamma)),
    "Laplace": lambda gamma: stats.cauchy(scale=gamma),
}
HALVES = {"Gaussian": lambda gamma: np.sqrt(np.log(2) / gamma), "Laplace": lambda gamma: np.log(2) / gamma}
NODES = np.linspace(0, 1, 57)
RIGHT = 4 * NODES**1.5  # denser where a narrow q is round, so that its curve has no corners
DELTA = np.append(-RIGHT[:0:-1], RIGHT)
FINE = np.linspace(0, 4, 401)
CAP = "cap"  # (1 − γδ²)₊, which is not a kernel
OMEGA = 2 * DELTA
WIDE = 3.5 * DELTA  # holds the lowest place of the cap's spectrum, ±5.76 √γ, up to γ = 4
CUTS = 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 11.0, 14.0  # to the end of the plot
NODES_OF_SUM, WEIGHTS_OF_SUM = (leggauss(64) + np.array([[1], [0]])) / 2  # on [0, 1]
BELOW = np.linspace(-1, 1, 61)  # of the cut
EDGES = np.linspace(-8, 8, 33)
M_STOPS = (1, 2, 3, 4, 5, 6, 10, 30, 100, 300, 1000)
MANY = 100  # waves, from which on the last one is not drawn
LARGEST, DRAWS = 1000, (1, 2, 3, 4)  # waves, of which a smaller number takes the first, and draws of them
UNITS = {  # frequencies of the kernels that others are stretched from, a row for each draw
    name: np.round([kernel.sample_frequencies(LARGEST, 1, seed)[0] for seed in range(len(DRAWS))], 4)
    for name, kernel in (("Gaussian", Gaussian(0.5)), ("Laplace", Laplace(1.0)))
}
SPREADS = {"Gaussian": lambda gamma: np.sqrt(2 * gamma), "Laplace": lambda gamma: gamma}


def exact(kernel: str, gamma: float, delta: NDArray = DELTA) -> NDArray:
    """q(δ) = κ(δ, 0)."""
    return KERNELS[kernel](gamma)(delta[:, None], np.zeros((1, 1)))[:, 0]


def cap_spectrum(gamma: float, omega: NDArray) -> NDArray:
    """q̂(ω)/2π of the cap (1 − γδ²)₊."""
    root = np.sqrt(gamma)
    return radial_transform(lambda r: 1 - r**2, np.abs(omega) / root, 1) / (2 * np.pi * root)


def density_of(kernel: str, gamma: float, omega: NDArray) -> NDArray:
    """p(ω), which is negative at some ω for the cap."""
    return cap_spectrum(gamma, omega) if kernel == CAP else LAWS[kernel](gamma).pdf(omega)


def sum_of_waves(kernel: str, gamma: float, W: float, delta: NDArray = DELTA) -> NDArray:
    """Integrate p(ω) cos ωδ over the frequencies up to W, of both signs."""
    omega = W * NODES_OF_SUM
    weights = 2 * W * WEIGHTS_OF_SUM * density_of(kernel, gamma, omega)
    return np.cos(np.outer(delta, omega)) @ weights


@Plot.panel("Function", x="δ = x − x′", y="q(δ)", ylim=(-0.3, 1.1))
def shape(kernel, gamma, W):
    """q against δ, a peak at zero, the two places where it has fallen to one half, and a sum of waves that
    approaches it as more waves are added.
    """
    if kernel == CAP:
        half, q = np.sqrt(0.5 / gamma), np.maximum(1 - gamma * DELTA**2, 0)
    else:
        half, q = HALVES[kernel](gamma), exact(kernel, gamma)
    return {
        "q(δ)": Line(DELTA, q),
        "where q = ½": Dots([-half, half], [0.5, 0.5], "large"),
        "sum of the waves up to W": Line(DELTA, sum_of_waves(kernel, gamma, W), style="dashed"),
    }


@Plot.panel("Spectrum", x="ω (radians per unit of x)", y="density", ylim=(-0.04, 0.68), cursor="W")
def law(kernel, gamma, W):
    """The density of the frequencies, symmetric about zero, its quartiles, and the part up to W, filled; that
    of the cap is partly below zero.
    """
    p = density_of(kernel, gamma, WIDE)
    if kernel == CAP:
        more = {"where it is negative": Line(WIDE, np.where(p < 0, p, np.nan), style="dashed")}
    else:
        quartiles = np.array([-1, 1]) * LAWS[kernel](gamma).ppf(0.75)
        heights = density_of(kernel, gamma, quartiles)
        more = {"half of the weight between": Dots(quartiles, heights, "large")}
    part = density_of(kernel, gamma, W * BELOW)
    weights = Line(W * BELOW, part, np.zeros(len(part)), part, "dashed")
    return {"p(ω)": Line(WIDE, p), **more, "their weights": weights}


@Plot.panel(
    "Spectrum, enlarged vertically",
    x="ω (radians per unit of x)",
    y="density",
    ylim=(-0.03, 0.03),
    cursor="W",
)
def tails(kernel, gamma):
    """The same density with its vertical axis magnified around zero: the tails, and the negative part of that
    of the cap.
    """
    p, zero = density_of(kernel, gamma, WIDE), Line(WIDE[[0, -1]], [0, 0], style="reference")
    if kernel != CAP:
        return {"p(ω)": Line(WIDE, p), "zero": zero}
    negative = Line(WIDE, np.where(p < 0, p, np.nan), style="dashed")
    return {"p(ω)": Line(WIDE, p), "where it is negative": negative, "zero": zero}


def widths(kernel, gamma):
    """Both widths, and their product, which γ does not change; for the cap, where its spectrum is lowest."""
    if kernel == CAP:
        omega = np.linspace(5, 7, 2001) * np.sqrt(gamma)  # around the lowest place, 5.76 √γ
        p = cap_spectrum(gamma, omega)
        return (
            f"q falls to ½ at |δ| = {np.sqrt(0.5 / gamma):.2f}; its spectrum is lowest at "
            f"ω = ±{omega[p.argmin()]:.2f}, where it is {p.min():.3f}."
        ).replace("-", "−")
    half, quartile = HALVES[kernel](gamma), LAWS[kernel](gamma).ppf(0.75)
    return (
        f"q falls to ½ at |δ| = {half:.2f}; half of the frequencies lie within ±{quartile:.2f}. "
        f"The product of the two is {half * quartile:.2f}."
    )


SPECTRUM = Explorer(
    title="γ, the kernel and its spectrum",
    name="bochner-spectrum",
    hint="Drag the dotted line in a spectrum, or press ▶ at W, to add waves from low to high frequencies.",
    script="bochner",
    data={"delta": DELTA, "wide": WIDE, "below": BELOW, "nodes": NODES_OF_SUM, "weights": WEIGHTS_OF_SUM},
    controls=(
        Slider("gamma", (0.5, 0.7, 1, 1.4, 2, 2.8, 4), "γ", 1, between=True, log=True),
        Slider("W", CUTS, "waves up to W", 2.0, play=2),
        Choice("kernel", (*KERNELS, CAP), "function"),
    ),
    panels=(shape, law, tails, Readout(widths)),
    predict=Predict(
        "The γ of a Gaussian kernel exp(−γδ²) becomes four times as large: its graph is squeezed. "
        "What does this do to a wave? By what factor does the spread of the frequencies change?",
        answer="2",
        options=("1/2", "2", "4"),
        reason="The frequencies are 𝒩(0, 2γ), as the next page proves, with standard deviation √(2γ). The "
        "kernel narrows by the same factor.",
        shows=(("Function", "q(δ)"), ("Function", "where q = ½")),
        at={"gamma": 4},
    ),
)


def frequencies(kernel: str, gamma: float, m: int, draw: int = 1) -> NDArray:
    """ω₁, …, ω_m from the spectral law in one dimension; a larger γ stretches the same draws."""
    return SPREADS[kernel](gamma) * UNITS[kernel][draw - 1, :m]


def average(kernel: str, gamma: float, m: int, delta: NDArray = DELTA, draw: int = 1) -> NDArray:
    """(1/m) Σ cos ωⱼδ, whose mean is q(δ)."""
    return np.cos(np.outer(delta, frequencies(kernel, gamma, m, draw))).mean(axis=1)


def agreement(kernel: str, gamma: float, m: int, draw: int = 1) -> float:
    """Find up to which δ, in steps of 0.01 and at most 4, the average of m waves is within 0.1 of q."""
    gap = np.abs(average(kernel, gamma, m, FINE, draw) - exact(kernel, gamma, FINE))
    return float(FINE[np.append(np.flatnonzero(gap > 0.1) - 1, len(FINE) - 1)[0]])


@Plot.panel("Kernel", x="δ = x − x′", ylim=(-1.05, 1.05))
def kernel_and_average(kernel, gamma, m, draw):
    """q against δ, which falls from one at zero, the average of the drawn waves around it, and, with fewer
    than 100 waves, the one that was drawn last.
    """
    # δ ≥ 0, because all three are even
    last = np.cos(frequencies(kernel, gamma, m, draw)[-1] * RIGHT)
    last = last if m < MANY else np.full_like(RIGHT, np.nan)
    return {
        "q(δ)": Line(RIGHT, exact(kernel, gamma, RIGHT)),
        "mean of the drawn cos ωδ": Line(RIGHT, average(kernel, gamma, m, RIGHT, draw), style="dashed"),
        "the wave drawn last": Line(RIGHT, last, style="reference"),
    }


@Plot.panel("Distribution of the frequencies", x="ω (radians per unit of x)", y="density")
def density(kernel, gamma, m, draw):
    """The density of the frequencies, symmetric about zero, and a histogram of the draws."""
    counts = np.histogram(frequencies(kernel, gamma, m, draw), EDGES)[0]
    middle, width = (EDGES[1:] + EDGES[:-1]) / 2, EDGES[1] - EDGES[0]
    return {
        "draws": Bars(middle, counts / (m * width)),  # draws outside are a part of all m
        "p(ω)": Line(OMEGA, LAWS[kernel](gamma).pdf(OMEGA)),
    }


def summary(kernel, gamma, m, draw):
    """Where q = ½, the quartiles of the law, the draws outside, and the gap between q and the average."""
    half, quartile = HALVES[kernel](gamma), LAWS[kernel](gamma).ppf(0.75)
    gap = np.abs(average(kernel, gamma, m, FINE, draw) - exact(kernel, gamma, FINE)).max()
    outside = np.sum(np.abs(frequencies(kernel, gamma, m, draw)) > OMEGA[-1])
    reach = agreement(kernel, gamma, m, draw)
    where = f"up to |δ| = {reach:.2f}" if reach < FINE[-1] else "everywhere in the plot"
    return (
        f"q falls to ½ at |δ| = {half:.2f}; half of the frequencies lie within ±{quartile:.2f}, and "
        f"{outside} of the {show(m)} drawn outside ±8. The average is within 0.1 of q {where}, and at most "
        f"{gap:.3f} away from it."
    )


EXPLORER = Explorer(
    title="A kernel and its frequencies",
    name="bochner",
    script="bochner",
    data={
        "right": RIGHT,
        "many": MANY,
        "edges": EDGES,
        "omega": OMEGA,
        "steps": len(FINE),
        "step": FINE[1],
        **UNITS,
    },
    controls=(
        Slider("gamma", (0.05, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4), "γ", 0.8, between=True, log=True),
        Slider("m", M_STOPS, "waves m", 10, between=True, log=True, play=3),
        Slider("draw", DRAWS, "draw", 1, play=2),
        Choice("kernel", KERNELS, "kernel"),
    ),
    presets={
        "one wave": {"m": 1},
        "ten": {"m": 10},
        "a hundred": {"m": 100},
        "a thousand": {"m": 1000},
    },
    panels=(kernel_and_average, density, Readout(summary)),
    predict=Predict(
        "At one distance δ the kernel's value is approximated by an average of random waves. You draw a "
        "hundred times as many. The typical error of the average falls to …",
        answer="a tenth",
        options=("a hundredth", "a tenth", "half"),
        reason="The average of m independent waves has a standard deviation like 1/\u2060√m at each δ. In a "
        "single draw the error may fall by more or by less.",
        shows=("Kernel",),
        at={"m": 1000},
    ),
)
