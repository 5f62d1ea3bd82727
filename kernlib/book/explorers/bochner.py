"""γ moves a kernel and its law of frequencies against each other; draws from the law average to the kernel.

`SPECTRUM` has the two curves and γ alone, to open the chapter; `EXPLORER` adds the draws.

`FAILS` looks at bumps that are zero beyond distance 1: which of them are kernels, and in which dimension.

Chapter: Bochner's theorem.
"""

import itertools
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.spatial.distance import pdist, squareform

from kernlib.book.explore.controls import Choice, Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Bars, Dots, Line, show
from kernlib.book.explore.panels import Plot, Readout
from kernlib.kernels import Gaussian, Laplace, radial_transform

__all__ = [
    "BUMPS",
    "CAP",
    "EXPLORER",
    "FAILS",
    "HALVES",
    "LAWS",
    "RADIAL_OMEGA",
    "SPECTRUM",
    "WIDE",
    "agreement",
    "average",
    "cap_spectrum",
    "exact",
    "frequencies",
    "relative_spectrum",
    "smallest_eigenvalues",
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
EDGES = np.linspace(-8, 8, 33)
M_STOPS = (1, 2, 3, 4, 5, 6, 10, 30, 100, 300, 1000)
MANY = 100  # waves, from which on the last one is not drawn
LARGEST = 1000  # draws; a smaller number takes the first of them


def exact(kernel: str, gamma: float, delta: NDArray = DELTA) -> NDArray:
    """q(δ) = κ(δ, 0)."""
    return KERNELS[kernel](gamma)(delta[:, None], np.zeros((1, 1)))[:, 0]


def cap_spectrum(gamma: float, omega: NDArray) -> NDArray:
    """q̂(ω)/2π of the cap (1 − γδ²)₊."""
    root = np.sqrt(gamma)
    return radial_transform(lambda r: 1 - r**2, np.abs(omega) / root, 1) / (2 * np.pi * root)


def shape(kernel, gamma):
    """q against δ, and where it is ½."""
    if kernel == CAP:
        half, q = np.sqrt(0.5 / gamma), np.maximum(1 - gamma * DELTA**2, 0)
    else:
        half, q = HALVES[kernel](gamma), exact(kernel, gamma)
    return {
        "q(δ)": Line(DELTA, q.round(4)),
        "where q = ½": Dots([-half, half], [0.5, 0.5], "large"),
    }


def law(kernel, gamma):
    """p against ω, and its negative part once more, or the quartiles of a law."""
    if kernel == CAP:
        p = cap_spectrum(gamma, WIDE)
        negative = Line(WIDE, np.where(p < 0, p, np.nan), style="dashed")
        return {"p(ω)": Line(WIDE, p), "where it is negative": negative}
    law = LAWS[kernel](gamma)
    quartiles = np.array([-1, 1]) * law.ppf(0.75)
    return {
        "p(ω)": Line(WIDE, law.pdf(WIDE)),
        "half of the weight between": Dots(quartiles, law.pdf(quartiles), "large"),
    }


def tails(kernel, gamma):
    """p against ω once more, with the axis in place of the dots."""
    marks = law(kernel, gamma)
    marks.pop("half of the weight between", None)
    return marks | {"zero": Line(WIDE[[0, -1]], [0, 0], style="reference")}


def widths(kernel, gamma):
    """Both widths, and their product, which γ does not change; for the cap, where its spectrum is lowest."""
    if kernel == CAP:
        omega = np.linspace(0, 8 * np.sqrt(gamma), 8001)
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
    controls=(
        Slider("gamma", (0.5, 0.7, 1, 1.4, 2, 2.8, 4), "γ", 1, between=True, log=True),
        Choice("kernel", (*KERNELS, CAP), "function"),
    ),
    panels=(
        Plot(
            shape,
            "Function",
            "q against δ, a peak at zero, and the two places where it has fallen to one half.",
            "δ = x − x′",
            "q(δ)",
            ylim=(0, 1.05),
        ),
        Plot(
            law,
            "Spectrum",
            "The density of the frequencies, symmetric about zero, and its quartiles; that of the cap is "
            "partly below zero.",
            "ω (radians per unit of x)",
            "density",
            ylim=(-0.04, 0.68),
        ),
        Plot(
            tails,
            "Spectrum, enlarged vertically",
            "The same density with its vertical axis magnified around zero: the tails, and the negative part "
            "of that of the cap.",
            "ω (radians per unit of x)",
            "density",
            ylim=(-0.03, 0.03),
        ),
        Readout(widths),
    ),
    predict=Predict(
        "The γ of a Gaussian kernel exp(−γδ²) becomes four times as large: its graph is squeezed. "
        "What does this do to a wave? By what factor does the spread of the frequencies change?",
        answer="2",
        options=("1/2", "2", "4"),
        reason="The frequencies are 𝒩(0, 2γ), as the next page proves, with standard deviation √(2γ). The "
        "kernel narrows by the same factor.",
        shows=("Function",),
        at={"gamma": 4},
    ),
)


def frequencies(kernel: str, gamma: float, m: int) -> NDArray:
    """ω₁, …, ω_m from the spectral law in one dimension; a larger γ stretches the same draws."""
    return KERNELS[kernel](gamma).sample_frequencies(LARGEST, 1, np.random.default_rng(0))[0, :m]


def average(kernel: str, gamma: float, m: int, delta: NDArray = DELTA) -> NDArray:
    """(1/m) Σ cos ωⱼδ, whose mean is q(δ)."""
    return np.cos(np.outer(delta, frequencies(kernel, gamma, m))).mean(axis=1)


def agreement(kernel: str, gamma: float, m: int) -> float:
    """Find up to which δ, in steps of 0.01 and at most 4, the average of m waves is within 0.1 of q."""
    gap = np.abs(average(kernel, gamma, m, FINE) - exact(kernel, gamma, FINE))
    return float(FINE[np.append(np.flatnonzero(gap > 0.1) - 1, len(FINE) - 1)[0]])


def kernel_and_average(kernel, gamma, m):
    """q, the average of m waves, and the last of a few against δ ≥ 0; all three are even."""
    last = np.cos(frequencies(kernel, gamma, m)[-1] * RIGHT)
    last = last if m < MANY else np.full_like(RIGHT, np.nan)
    curves = exact(kernel, gamma, RIGHT), average(kernel, gamma, m, RIGHT), last
    q, mean, last = (curve.round(3) for curve in curves)  # finer than a pixel
    return {
        "q(δ)": Line(RIGHT, q),
        "mean of the drawn cos ωδ": Line(RIGHT, mean, style="dashed"),
        "the wave drawn last": Line(RIGHT, last, style="reference"),
    }


def density(kernel, gamma, m):
    """The spectral density p(ω), and the draws' histogram, of which those outside are a part, too."""
    counts = np.histogram(frequencies(kernel, gamma, m), EDGES)[0]
    middle, width = (EDGES[1:] + EDGES[:-1]) / 2, EDGES[1] - EDGES[0]
    return {
        "draws": Bars(middle, counts / (m * width)),
        "p(ω)": Line(OMEGA, LAWS[kernel](gamma).pdf(OMEGA)),
    }


def summary(kernel, gamma, m):
    """Where q = ½, the quartiles of the law, the draws outside, and the gap between q and the average."""
    half, quartile = HALVES[kernel](gamma), LAWS[kernel](gamma).ppf(0.75)
    gap = np.abs(average(kernel, gamma, m, FINE) - exact(kernel, gamma, FINE)).max()
    outside = np.sum(np.abs(frequencies(kernel, gamma, m)) > OMEGA[-1])
    reach = agreement(kernel, gamma, m)
    where = f"up to |δ| = {reach:.2f}" if reach < FINE[-1] else "everywhere in the plot"
    return (
        f"q falls to ½ at |δ| = {half:.2f}; half of the frequencies lie within ±{quartile:.2f}, and "
        f"{outside} of the {show(m)} drawn outside ±8. The average is within 0.1 of q {where}, and at most "
        f"{gap:.3f} away from it."
    )


EXPLORER = Explorer(
    title="A kernel and its frequencies",
    name="bochner",
    controls=(
        Slider("gamma", (0.05, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4), "γ", 0.8, between=True, log=True),
        Slider("m", M_STOPS, "waves m", 10, between=True, log=True, play=3),
        Choice("kernel", KERNELS, "kernel"),
    ),
    presets={
        "one wave": {"m": 1},
        "ten": {"m": 10},
        "a hundred": {"m": 100},
        "a thousand": {"m": 1000},
    },
    panels=(
        Plot(
            kernel_and_average,
            "Kernel",
            "q against δ, which falls from one at zero, the average of the drawn waves around it, and, with "
            "fewer than 100 waves, the one that was drawn last.",
            "δ = x − x′",
            ylim=(-1.05, 1.05),
        ),
        Plot(
            density,
            "Distribution of the frequencies",
            "The density of the frequencies, symmetric about zero, and a histogram of the draws.",
            "ω (radians per unit of x)",
            "density",
        ),
        Readout(summary),
    ),
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


BUMPS = {
    "(1 − r²)₊, a cap": lambda r: 1 - r**2,
    "(1 − r²)²₊, a smoother cap": lambda r: (1 - r**2) ** 2,
    "(1 + cos πr)/2, a cosine": lambda r: (1 + np.cos(np.pi * r)) / 2,
    "(1 − r)₊, a tent": lambda r: 1 - r,
    "(1 − r)²₊, a tent squared": lambda r: (1 - r) ** 2,
    "(1 − r)⁴₊(1 + 4r), Wendland's": lambda r: (1 - r) ** 4 * (1 + 4 * r),
}
PER_AXIS = {1: 25, 2: 11, 3: 6, 5: 3}  # lattice points, so that no Gram matrix has more than 243 rows
RADII = np.linspace(0, 1.5, 61)
RADIAL_OMEGA = np.linspace(0, 30, 121)
SMALLEST = 20  # eigenvalues shown
ROUNDING = 1e-9  # of q̂(0): what lies above −ROUNDING may be zero


def bump(function, r):
    """q(r), zero beyond r = 1."""
    return np.where(r < 1, BUMPS[function](np.minimum(r, 1)), 0)


def profile(function):
    """q against the distance, and all six bumps; gaps part their curves."""
    x = np.tile(np.append(RADII, RADII[-1]), len(BUMPS))
    y = np.concatenate([np.append(bump(name, RADII), np.nan) for name in BUMPS])
    return {"q(r)": Line(RADII, bump(function, RADII)), "all six": Line(x, y, style="reference")}


@lru_cache(maxsize=64)  # the plot and the readout need the same values
def relative_spectrum(function: str, p: int) -> NDArray:
    """q̂(ω)/q̂(0) at ‖ω‖ from 0 to 30."""
    q_hat = radial_transform(BUMPS[function], RADIAL_OMEGA, p)
    return q_hat / q_hat[0]


def spectrum(function, p):
    """The transform, and its negative part once more."""
    share = relative_spectrum(function, p)
    negative = np.where(share < -ROUNDING, share, np.nan)
    return {
        "q̂(ω)/q̂(0)": Line(RADIAL_OMEGA, share),
        "where it is negative": Line(RADIAL_OMEGA, negative, style="dashed"),
    }


def lattice_gram(function, p, h):
    """All q(‖xᵢ − xⱼ‖) on a cubic lattice of 25, 11², 6³ or 3⁵ points, with neighbors at the distance h."""
    X = np.array(list(itertools.product(range(PER_AXIS[p]), repeat=p)), dtype=float)
    return bump(function, h * squareform(pdist(X)))


@lru_cache(maxsize=64)
def smallest_eigenvalues(function: str, p: int, h: float) -> dict[str, Dots | Line]:
    """The 20 smallest eigenvalues of the Gram matrix on a lattice, in ascending order."""
    lam = np.linalg.eigvalsh(lattice_gram(function, p, h))[:SMALLEST]
    place = np.arange(1, SMALLEST + 1)
    return {"eigenvalues of G": Dots(place, lam), "zero": Line(place, 0 * place, style="reference")}


def verdict(function, p, h):
    """What the transform decides, and whether these points would have shown it."""
    share, smallest = relative_spectrum(function, p), smallest_eigenvalues(function, p, h)
    lam, n, low = smallest["eigenvalues of G"].y[0], PER_AXIS[p] ** p, share.argmin()
    if share[low] < -ROUNDING:
        decided = (
            f"The transform falls to {show(share[low], 2)} of its peak near ω = {RADIAL_OMEGA[low]:.1f}: "
            f"not a kernel in p = {p}."
        )
    else:
        decided = f"The transform is not negative up to ω = 30, nor, by theory, beyond: a kernel in p = {p}."
    return f"{decided} On {n} points {h:g} apart the smallest eigenvalue is {show(lam, 2)}."


FAILS = Explorer(
    title="Which bump is a kernel?",
    name="bochner-fails",
    controls=(
        Choice("function", tuple(BUMPS), "function"),
        Slider("p", tuple(PER_AXIS), "dimension p", 1),
        Slider("h", (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7), "spacing h", 0.25, between=True),
    ),
    panels=(
        Plot(
            profile,
            "Function",
            "Six bumps, one of them chosen: each is one at distance zero and zero from distance one on.",
            "r = ‖x − x′‖",
            ylim=(-0.05, 1.05),
        ),
        Plot(
            spectrum,
            "Transform, its peak cut off",
            "The transform falls from one at frequency zero; for functions that fail it crosses zero.",
            "‖ω‖ (radians per unit of x)",
            "fraction of the peak",
            ylim=(-0.1, 0.2),
        ),
        Plot(
            smallest_eigenvalues,
            "20 smallest eigenvalues of G, on a lattice",
            "The twenty smallest eigenvalues in ascending order, with a line at zero.",
            "eigenvalue number, smallest first",
            "eigenvalue",
        ),
        Readout(verdict),
    ),
    predict=Predict(
        "Six bumps: two caps, a cosine, a tent, its square, and Wendland's function. "
        "How many of them are kernels in p\u00a0=\u00a01?",
        answer="3",
        options=("1", "3", "6"),
        reason="The tent, its square and Wendland's function. The caps and the cosine "
        "have a transform that crosses zero.",
        shows=("Function",),
    ),
)
