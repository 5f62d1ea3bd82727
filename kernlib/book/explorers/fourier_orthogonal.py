"""The variance of an entry from orthogonal frequencies against that from independent ones."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import hyp1f1

from kernlib.book.explore import Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian

__all__ = ["ENTRIES", "MEASURED", "ORTHOGONAL", "block_means", "independent_variance", "orthogonal_variance"]

DIMENSIONS = (2, 3, 5, 8, 16, 22, 64)
ENTRIES = 24_000  # measured, for each distance
MEASURED = np.linspace(0.2, 3, 8)  # distances, at γ = ½
FINE = np.linspace(0.05, 5, 100)
DISTANCES = (0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0)


def independent_variance(rho: NDArray) -> NDArray:
    """c times the variance of an entry from independent pairs: (1 − q²)², q = exp(−ρ)."""
    return np.expm1(-2 * rho) ** 2


def orthogonal_variance(p: int, rho: NDArray) -> NDArray:
    """c times the variance of an entry from full orthogonal blocks, at κ = exp(−ρ)."""
    M = np.exp(-rho) * hyp1f1(-p / 2, p / 2, rho)  # Kummer's transformation
    return independent_variance(rho) + 2 * (p - 1) * (M - np.exp(-2 * rho))


@cache
def block_means(p: int) -> NDArray:
    """Entries from one orthogonal block of p waves each: a row for each measured distance.

    Each block serves for up to eight axes, along which the points differ.
    """
    axes = min(p, 8)
    m = p * ENTRIES // axes
    phi = FourierFeatures(Gaussian(0.5), n_components=2 * m, sampling="orthogonal", random_state=0)
    Omega = phi.fit(np.zeros((1, p))).frequencies_
    waves = np.cos(MEASURED[:, None, None] * Omega[:axes])
    return waves.reshape(len(MEASURED), ENTRIES, p).mean(axis=2)


@Plot.panel(
    "Variance of an entry", x="distance of two points (γ = ½)", y="c × variance", ylim=(0, 1.15), cursor="z"
)
def both_variances(p):
    """c times the variance against the distance: both start at zero and tend to one; orthogonal lies below
    independent, the more the larger p is.
    """
    return {
        "orthogonal": Line(FINE, orthogonal_variance(p, FINE**2 / 2)),
        "independent": Line(FINE, independent_variance(FINE**2 / 2), style="dashed"),
        "measured": Dots(MEASURED, 2 * p * block_means(p).var(axis=1)),
    }


@Plot.panel(
    "Orthogonal / independent",
    x="distance of two points (γ = ½)",
    y="ratio of the variances",
    ylim=(0, 1.15),
    cursor="z",
)
def ratios(p):
    """The ratio of the variances: at short distances about three quarters for p = 2 and near zero for p = 64.
    All curves rise to one as the distance grows; for p = 3 to 8 they exceed it a little.
    """
    rho = FINE**2 / 2
    ratio = {m: orthogonal_variance(m, rho) / independent_variance(rho) for m in (2, 5, 64, p)}
    others = {f"p = {m}": Line(FINE, ratio[m], style="reference") for m in (2, 5, 64)}
    return {"this p": Line(FINE, ratio[p])} | others


def summary(p, z):
    """The ratio at this distance, and its limit for nearby points."""
    ratio = orthogonal_variance(p, z**2 / 2) / independent_variance(z**2 / 2)
    return (
        f"p = {p}, distance {show(z)} (κ = {show(np.exp(-(z**2) / 2), 3)}): the variance is {ratio:.3f} "
        f"times that of independent draws. For nearby points it tends to 3/(p + 2) = {3 / (p + 2):.3f}."
    )


ORTHOGONAL = Explorer(
    title="What do orthogonal frequencies gain?",
    name="fourier-orthogonal",
    controls=(
        Slider("p", DIMENSIONS, "dimension p", 22, play=2),
        Slider("z", DISTANCES, "distance", 1.0, play=2),
    ),
    presets={
        "nearby points": {"p": 22, "z": 0.1},
        "distant points": {"p": 22, "z": 3.5},
        "in the plane": {"p": 2, "z": 0.1},
    },
    panels=(both_variances, ratios, Readout(summary)),
    predict=Predict(
        "In 22 dimensions you replace independent frequencies by orthogonal ones. The variance of an entry "
        "for two nearby points falls to about …",
        answer="an eighth",
        options=("nine tenths", "a half", "an eighth"),
        shows=(("Variance of an entry", "independent"),),
        reason="It tends to 3/(p + 2) of that of independent draws. For distant points nothing is gained.",
        at={"z": 0.1},
    ),
)
