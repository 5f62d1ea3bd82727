"""The degree of a polynomial kernel: a fit, the number of its features, a spectrum."""

import math

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.kernels import Polynomial
from kernlib.ridge import dual_ridge

__all__ = ["DEGREE", "DEGREES", "FORMS", "dimension", "distance_from_wave", "polynomial_eigenvalues"]

FORMS = {"up to degree r (c₀ = 1)": 1.0, "of degree r only (c₀ = 0)": 0.0}
DEGREES = tuple(range(1, 11))
MANY = 64  # points, whose Gram matrix shows the dimension as its rank


def dimension(p: int, r: int, form: str) -> int:
    """How many monomials: C(p+r, r) up to degree r, C(p+r−1, r) of degree r only."""
    return math.comb(p + r, r) if FORMS[form] else math.comb(p + r - 1, r)


@Plot.panel("Features against degree", x="degree r", y="features", log="y", cursor="r")
def dimensions(p):
    """The number of monomials against the degree, on a logarithmic axis, above the dimension p."""
    lines = {form: Line(DEGREES, [dimension(p, r, form) for r in DEGREES]) for form in FORMS}
    return lines | {"dimension p": Line(DEGREES, np.full(len(DEGREES), p), style="reference")}


def wave(x):
    """The curve behind the noise."""
    return np.sin(4 * x)


def noisy_curve():
    """30 places on [−1, 1], ascending, and noisy values of a curve there."""
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(-1, 1, 30))
    return x, wave(x) + 0.15 * rng.normal(size=30)


@Plot.panel("A fit in one dimension, whatever p is", x="x", y="y", ylim=(-1.6, 1.6))
def polynomial_fit(r, form):
    """Thirty noisy points of a sine wave, the wave, and the ridge fit with the polynomial kernel."""
    x, y = noisy_curve()
    kernel, grid = Polynomial(r, FORMS[form]), np.linspace(-1, 1, 201)
    alpha = dual_ridge(kernel(x[:, None]), y, lam=1e-6)
    return {
        "data": Dots(x, y, "large"),
        "fit": Line(grid, kernel(grid[:, None], x[:, None]) @ alpha),
        "the wave": Line(grid, wave(grid), style="reference"),
    }


def distance_from_wave(r: int, form: str) -> float:
    """Root mean square of the fit's distance from the wave on [−1, 1]."""
    fit = polynomial_fit(r, form)["fit"]
    return float(np.sqrt(np.mean((fit.y - wave(fit.x)) ** 2)))


def polynomial_eigenvalues(p: int, r: int, form: str) -> NDArray:
    """Those of the Gram matrix of 64 normal points, largest first, as shares of their sum."""
    X = np.random.default_rng(0).normal(size=(MANY, p))
    lam = np.linalg.eigvalsh(Polynomial(r, FORMS[form])(X))[::-1]
    return lam / lam.sum()


@Plot.panel(
    "Spectrum of G", x="number i, largest first", y="λᵢ / trace", log="y", xlim=(0, MANY + 1), ylim=(1e-12, 2)
)
def polynomial_spectrum(p, r, form):
    """The eigenvalues of the Gram matrix of 64 points as shares of the trace, largest first."""
    lam = polynomial_eigenvalues(p, r, form)
    return {"": Dots(np.arange(1, MANY + 1), np.where(lam > 1e-12, lam, np.nan), "large")}


def degree_summary(p, r, form):
    """How far the fit is from the wave, and how many features stand behind it."""
    d = dimension(p, r, form)
    return (
        f"The fit is {distance_from_wave(r, form):.2f} away from the wave (root mean square; noise 0.15). "
        f"The kernel has {show(d)} weighted monomial{'s' * (d > 1)} as features and never forms them: one "
        f"value costs about {p} multiplication{'s' * (p > 1)} and a power."
    )


DEGREE = Explorer(
    title="Degree: how many monomials one power contains",
    name="kernels-degree",
    controls=(
        Slider("r", DEGREES, "degree r", 3, play=2),
        Choice("form", FORMS, "monomials"),
        Slider("p", (1, 2, 3, 5, 10, 22), "dimension p", 3),
    ),
    panels=(polynomial_fit, dimensions, polynomial_spectrum, Readout(degree_summary)),
    predict=Predict(
        "x has 22 coordinates. About how many monomials up to degree 5 are there?",
        answer="80,000",
        options=("110", "2,000", "80,000"),
        shows=(("A fit in one dimension, whatever p is", "data"),),
        reason="C(27, 5) = 80,730. The kernel (xᵀx′ + 1)⁵ gives their weighted inner product for the price "
        "of 22 multiplications and a power.",
        at={"r": 5, "p": 22},
    ),
)
