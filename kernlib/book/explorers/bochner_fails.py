"""Bumps that are zero beyond distance 1: which of them are kernels, and in which dimension."""

import itertools
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform
from scipy.special import hyp0f1

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.kernels import radial_transform

__all__ = ["BUMPS", "FAILS", "RADIAL_OMEGA", "relative_spectrum", "smallest_eigenvalues"]

BUMPS = {
    "(1 − r²)₊, a cap": lambda r: 1 - r**2,
    "(1 − r²)²₊, a smoother cap": lambda r: (1 - r**2) ** 2,
    "(1 + cos πr)/2, a cosine": lambda r: (1 + np.cos(np.pi * r)) / 2,
    "(1 − r)₊, a tent": lambda r: 1 - r,
    "(1 − r)²₊, a tent squared": lambda r: (1 - r) ** 2,
    "(1 − r)⁴₊(1 + 4r), Wendland's": lambda r: (1 - r) ** 4 * (1 + 4 * r),
}
TENT, WENDLAND = tuple(BUMPS)[3], tuple(BUMPS)[5]
PER_AXIS = {1: 25, 2: 11, 3: 6, 5: 3}  # lattice points, so that no Gram matrix has more than 243 rows
RADII = np.linspace(0, 1.5, 121)
RADIAL_OMEGA = np.linspace(0, 30, 121)
SMALLEST = 20  # eigenvalues shown
ROUNDING = 1e-9  # of q̂(0): what lies above −ROUNDING may be zero


def bump(function, r):
    """q(r), zero beyond r = 1."""
    return np.where(r < 1, BUMPS[function](np.minimum(r, 1)), 0)


@Plot.panel("Function", x="r = ‖x − x′‖", xlim=(0, 1.5), ylim=(-0.6, 1.05))
def profile(function, p, omega):
    """Six bumps, one of them chosen: each is one at distance zero and zero from distance one on. The area
    under the product of the bump and a wave is shaded.
    """
    x = np.tile(np.append(RADII, RADII[-1]), len(BUMPS))
    y = np.concatenate([np.append(bump(name, RADII), np.nan) for name in BUMPS])
    q = bump(function, RADII)
    # rᵖ⁻¹ times the mean wave
    product = q * RADII ** (p - 1) * hyp0f1(p / 2, -((omega * RADII / 2) ** 2))
    return {
        "q(r)": Line(RADII, q),
        "all six": Line(x, y, style="reference"),
        "what q̂(ω) integrates": Line(RADII, product, np.zeros(len(RADII)), product),
    }


@lru_cache(maxsize=64)  # the plot and the readout need the same values
def relative_spectrum(function: str, p: int) -> NDArray:
    """q̂(ω)/q̂(0) at ‖ω‖ from 0 to 30."""
    q_hat = radial_transform(BUMPS[function], RADIAL_OMEGA, p)
    return q_hat / q_hat[0]


@Plot.panel(
    "Transform, its peak cut off",
    x="‖ω‖ (radians per unit of x)",
    y="fraction of the peak",
    ylim=(-0.1, 0.2),
    cursor="omega",
)
def spectrum(function, p):
    """The transform falls from one at frequency zero; for functions that fail it crosses zero."""
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


@lru_cache(maxsize=256)  # more than the stops: the plot and the readout need the same values
def smallest_eigenvalues(function: str, p: int, h: float) -> dict[str, Dots | Line]:
    """The 20 smallest eigenvalues of the Gram matrix on a lattice, in ascending order."""
    lam = np.linalg.eigvalsh(lattice_gram(function, p, h))[:SMALLEST]
    place = np.arange(1, SMALLEST + 1)
    return {"eigenvalues of G": Dots(place, lam), "zero": Line(place, 0 * place, style="reference")}


def verdict(function, p, h):
    """What the transform decides, and whether these points would have shown it."""
    share = relative_spectrum(function, p)
    smallest = smallest_eigenvalues(function=function, p=p, h=h)  # by name as the plot calls it: one cache
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
    hint="Drag the dotted line: the transform at this ω is the shaded area, up to a positive factor.",
    script="bochner_fails",
    data={"radii": RADII, "names": tuple(BUMPS), "bumps": [bump(name, RADII) for name in BUMPS]},
    controls=(
        Choice("function", tuple(BUMPS), "function"),
        Slider("p", tuple(PER_AXIS), "dimension p", 1),
        Slider("omega", tuple(range(31)), "frequency ‖ω‖", 3, play=3),
        Slider("h", (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.7), "spacing h", 0.25, between=True),
    ),
    presets={
        "tent, on the line": {"function": TENT, "p": 1, "omega": 9},
        "tent, in the plane": {"function": TENT, "p": 2, "omega": 7},
        "Wendland's, p = 5": {"function": WENDLAND, "p": 5, "omega": 26},
    },
    panels=(
        profile,
        spectrum,
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
        shows=(("Function", "q(r)"), ("Function", "all six")),
        at={"omega": 6},
    ),
)
