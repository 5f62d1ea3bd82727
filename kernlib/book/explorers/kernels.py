"""The bandwidth γ on a Gram matrix and on its spectrum."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Choice, Dots, Explorer, Heat, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.kernels import Gaussian, Kernel, Laplace, Matern

__all__ = ["EXPLORER", "KERNELS", "SIZES", "eigenvalues", "gram"]

KERNELS: dict[str, Callable[[float], Kernel]] = {
    "Gaussian": Gaussian,
    "Laplace": Laplace,
    "Matérn 3/2": lambda gamma: Matern(1.5, 1 / gamma),
}
GAMMAS = 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0
SIZES = 12, 10, 10  # of the three groups; 32 points, what a heat map of the book can show
CENTERS = (0, 0), (3, 0.5), (1, 3)


def data():
    """32 points of the plane in the order of their groups."""
    return np.repeat(CENTERS, SIZES, axis=0) + 0.45 * np.random.default_rng(0).normal(size=(sum(SIZES), 2))


# as high as the matrix beside it
@Plot.panel("The data", x="x₁", y="x₂", xlim=(-1.5, 4.1), ylim=(-1, 4.3), equal=True)
def points():
    """32 points of the plane in three groups."""
    parts = np.split(data(), np.cumsum(SIZES)[:-1])
    return {f"group {i}": Dots(*part.T, "large") for i, part in enumerate(parts, start=1)}


def gram(kernel: str, gamma: float) -> NDArray:
    """Gᵢⱼ = κ(xᵢ, xⱼ); for Matérn, 1/γ is the length scale."""
    return KERNELS[kernel](gamma)(data())


def eigenvalues(kernel: str, gamma: float) -> NDArray:
    """Those of G, largest first; their sum is 32, the trace."""
    return np.linalg.eigvalsh(gram(kernel, gamma))[::-1]


@Plot.panel("Spectrum of G", x="number i, largest first", y="eigenvalue λᵢ", log="y", ylim=(1e-12, 50))
def spectrum(kernel, gamma):
    """The eigenvalues of the Gram matrix, largest first, on a logarithmic axis."""
    lam, rank = eigenvalues(kernel, gamma), np.arange(1, sum(SIZES) + 1)
    return {
        "eigenvalues of G": Dots(rank, np.where(lam > 1e-12, lam, np.nan), "large"),
        "all equal, G = I": Line(rank, np.ones(32), style="reference"),
    }


def summary(kernel, gamma):
    """Similarity in and between groups; (Σλ)²/Σλ², as many equal eigenvalues would be as spread out."""
    G, lam = gram(kernel, gamma), eigenvalues(kernel, gamma)
    first, second = slice(0, SIZES[0]), slice(SIZES[0], SIZES[0] + SIZES[1])
    within = (G[first, first].sum() - SIZES[0]) / (SIZES[0] * (SIZES[0] - 1))
    across = G[first, second].mean()
    directions = lam.sum() ** 2 / (lam**2).sum()
    return (
        f"Mean similarity inside group 1: {within:.2f}; between groups 1 and 2: {across:.2f}. G "
        f"behaves like a matrix with about {directions:.1f} equal eigenvalues, (Σλ)²/Σλ²; its largest is "
        f"{show(round(lam[0], 2))}, its smallest {show(lam[-1], 2) if lam[-1] > 1e-12 else 'below 10⁻¹²'}."
    )


EXPLORER = Explorer(
    title="Bandwidth: how far similarity reaches",
    name="kernels",
    controls=(
        Slider("gamma", GAMMAS, "γ", 1.0, between=True, log=True, play=3),
        Choice("kernel", KERNELS, "kernel"),
    ),
    presets={
        "all similar": {"gamma": 0.001},
        "three groups": {"gamma": 0.3},
        "each alone": {"gamma": 1000.0},
    },
    panels=(
        points,
        Heat(gram, "Gram matrix G", "The Gram matrix of the points, in the order of the groups.", (0, 1)),
        spectrum,
        Readout(summary),
    ),
    predict=Predict(
        "At which γ do the three groups show as three blocks in the Gram matrix of the Gaussian kernel?",
        answer="0.3",
        options=("0.001", "0.3", "1000"),
        shows=("The data",),
        reason="At 0.001 all points are similar, and the matrix is nearly all ones. At 1000 each point "
        "resembles only itself, and it is nearly the identity. In between, points of one group are similar "
        "and points of two groups are not.",
        at={"gamma": 0.3},
    ),
)
