"""γ on a Gram matrix and its spectrum; the degree of a polynomial kernel; the cost wall; a point to drag.

Chapter: Kernels.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore.controls import Choice, Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Cells, Dots, Line, show
from kernlib.book.explore.panels import Heat, Plot, Readout, Table
from kernlib.kernels import Gaussian, Kernel, Laplace, Matern, Polynomial
from kernlib.ridge import dual_ridge

__all__ = [
    "ACROSS",
    "BYTES",
    "COST_WALL",
    "DEGREE",
    "DEGREES",
    "EXPLORER",
    "FLOPS",
    "FORMS",
    "KERNELS",
    "PAIR",
    "SECONDS",
    "SIMILARITIES",
    "SIZES",
    "UP",
    "dimension",
    "distance_from_wave",
    "eigenvalues",
    "exact_work",
    "gram",
    "in_units",
    "polynomial_eigenvalues",
    "similarities",
    "work_on_columns",
]

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


def points():
    """The three groups."""
    parts = np.split(data(), np.cumsum(SIZES)[:-1])
    return {f"group {i}": Dots(*part.T, "large") for i, part in enumerate(parts, start=1)}


def gram(kernel: str, gamma: float) -> NDArray:
    """Gᵢⱼ = κ(xᵢ, xⱼ); for Matérn, 1/γ is the length scale."""
    return KERNELS[kernel](gamma)(data())


def eigenvalues(kernel: str, gamma: float) -> NDArray:
    """Those of G, largest first; their sum is 32, the trace."""
    return np.linalg.eigvalsh(gram(kernel, gamma))[::-1]


def spectrum(kernel, gamma):
    """The eigenvalues against their rank, without those at rounding's level."""
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
        f"Mean similarity inside group 1: {within:.2f}; between groups 1 and 2: {across:.2f}. G spreads over "
        f"{directions:.1f} directions of 32; its largest eigenvalue is {show(round(lam[0], 2))}."
    )


EXPLORER = Explorer(
    title="Bandwidth: from all similar to none similar",
    name="kernels",
    controls=(
        Slider("gamma", GAMMAS, "γ", 1.0, between=True, log=True),
        Choice("kernel", KERNELS, "kernel"),
    ),
    panels=(
        Plot(points, "The data", "32 points of the plane in three groups.", "x₁", "x₂"),
        Heat(gram, "Gram matrix G", "The Gram matrix of the points, in the order of the groups.", (0, 1)),
        Plot(
            spectrum,
            "Spectrum of G",
            "The eigenvalues of the Gram matrix, largest first, on a logarithmic axis.",
            "rank i",
            "eigenvalue λᵢ",
            log="y",
            ylim=(1e-12, 50),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "γ grows without bound while the points stay where they are. What does the Gram matrix become?",
        answer="the identity",
        options=("all ones", "the identity", "all zeros"),
        reason=(
            "κ(x, x) = 1 whatever γ is, and κ(x, x′) goes to 0 for every other pair: each point resembles "
            "only itself. As γ goes to 0 it is all ones, a matrix of rank one."
        ),
    ),
)


FORMS = {"up to degree r (c₀ = 1)": 1.0, "of degree r only (c₀ = 0)": 0.0}
DEGREES = tuple(range(1, 11))
MANY = 64  # points, whose Gram matrix shows the dimension as its rank


def dimension(p: int, r: int, form: str) -> int:
    """How many monomials: C(p+r, r) up to degree r, C(p+r−1, r) of degree r only."""
    return math.comb(p + r, r) if FORMS[form] else math.comb(p + r - 1, r)


def dimensions(p):
    """Both numbers of monomials against the degree."""
    lines = {form: Line(DEGREES, [dimension(p, r, form) for r in DEGREES]) for form in FORMS}
    return lines | {"numbers in x": Line(DEGREES, np.full(len(DEGREES), p), style="reference")}


def wave(x):
    """The curve behind the noise."""
    return np.sin(4 * x)


def noisy_curve():
    """30 places on [−1, 1], ascending, and noisy values of a curve there."""
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(-1, 1, 30))
    return x, wave(x) + 0.15 * rng.normal(size=30)


def polynomial_fit(r, form):
    """The noisy curve, fitted by kernel ridge with (xx′ + c₀)ʳ and a small λ = 10⁻⁶."""
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


def polynomial_spectrum(p, r, form):
    """The shares against their rank, without those at rounding's level."""
    lam = polynomial_eigenvalues(p, r, form)
    return {"": Dots(np.arange(1, MANY + 1), np.where(lam > 1e-12, lam, np.nan), "large")}


def degree_summary(p, r, form):
    """How far the fit is from the wave, how many features stand behind it, and the rank that they allow."""
    d = dimension(p, r, form)
    rank = f"at most {d}" if d < MANY else f"{MANY} at most, that of any {MANY} points"
    return (
        f"The fit is {distance_from_wave(r, form):.2f} away from the wave (root mean square; noise 0.15). "
        f"The {show(d)} weighted monomials are never formed: one value of the kernel costs about {p} "
        f"multiplications and a power. A Gram matrix of {MANY} points has rank {rank}."
    )


DEGREE = Explorer(
    title="Degree: how many monomials hide in one power",
    name="kernels-degree",
    controls=(
        Slider("r", DEGREES, "degree r", 3),
        Choice("form", FORMS, "monomials"),
        Slider("p", (1, 2, 3, 5, 10, 22), "dimension p", 3),
    ),
    panels=(
        Plot(
            polynomial_fit,
            "A fit in one dimension",
            "Thirty noisy points of a sine wave, the wave, and the ridge fit with the polynomial kernel.",
            "x",
            "y",
            ylim=(-1.6, 1.6),
        ),
        Plot(
            dimensions,
            "Features against degree",
            "The number of monomials against the degree, on a logarithmic axis, above the numbers in x.",
            "degree r",
            "features",
            log="y",
            cursor="r",
        ),
        Plot(
            polynomial_spectrum,
            "Spectrum of G",
            "The eigenvalues of the Gram matrix of 64 points as shares of the trace, largest first.",
            "rank i",
            "λᵢ / trace",
            log="y",
            xlim=(0, MANY + 1),
            ylim=(1e-12, 2),
        ),
        Readout(degree_summary),
    ),
    predict=Predict(
        "x has 22 coordinates. About how many monomials up to degree 5 are there?",
        answer="80,000",
        options=("110", "2,000", "80,000"),
        reason="C(27, 5) = 80,730. The kernel (xᵀx′ + 1)⁵ gives their weighted inner product for the price "
        "of 22 multiplications and a power.",
    ),
)


N = tuple(round(n) for n in np.geomspace(100, 10_000_000, 16))
P = 22  # ijcnn1's
FLOPS = 2e10  # operations a second of one core: what large matrix products reach
BYTES = (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")
SECONDS = (3.156e7, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "s"), (1e-3, "ms")


def in_units(value: float, units: Sequence[tuple[float, str]]) -> str:
    """Two digits at least, in the largest unit of which there is one; one of a unit is "1 minute"."""
    size, name = next(((size, name) for size, name in units if value >= size), units[-1])
    share = value / size
    text = f"{share:,.0f}" if share >= 99.5 else f"{share:.2g}"
    return f"{text} {name.removesuffix('s') if text == '1' and len(name) > 2 else name}"


def exact_work(n: float) -> tuple[float, float]:
    """Operations of an exact ridge fit: 2pn² fill G, n³/3 solve."""
    return 2 * P * n**2, n**3 / 3


def work_on_columns(n: float, c: float) -> float:
    """Operations of a ridge fit on c columns Z: 2pcn for Z, c²n for ZᵀZ, c³/3 to solve."""
    return 2 * P * c * n + c**2 * n + c**3 / 3


def memory(c):
    """Bytes of what must be held against n, in float64."""
    n = np.array(N, dtype=float)
    return {
        "G, 8n²": Line(n, 8 * n**2),
        "Z, 8nc": Line(n, 8 * n * c, style="dashed"),
        "X, 8np": Line(n, 8 * n * P, style="dotted"),
        "16 GB": Line(n, np.full(len(N), 16e9), style="reference"),
    }


def operations(c):
    """Multiplications and additions of a ridge fit against n, exactly and on c columns."""
    n = np.array(N, dtype=float)
    fill, solve = exact_work(n)
    return {
        "solve, n³/3": Line(n, solve),
        "fill G, 2pn²": Line(n, fill, style="dashed"),
        "on Z": Line(n, work_on_columns(n, c), style="dotted"),
    }


def cost(n, c):
    """Bytes and seconds of the exact fit against those of the fit on Z."""
    exact, on_columns = sum(exact_work(n)), work_on_columns(n, c)
    return (
        f"n = {show(n)}: G takes {in_units(8 * n**2, BYTES)}, and the exact ridge fit "
        f"{in_units(exact / FLOPS, SECONDS)}; c = {c} columns take {in_units(8 * n * c, BYTES)} and "
        f"{in_units(on_columns / FLOPS, SECONDS)} (at 2·10¹⁰ operations a second)."
    )


COST_WALL = Explorer(
    title="The cost wall",
    name="kernels-cost",
    controls=(
        Slider("n", N, "n", N[9], between=True, log=True),
        Slider("c", (30, 100, 300, 1000, 3000), "c", 300),
    ),
    panels=(
        Plot(
            memory,
            "Bytes",
            "Bytes against n on logarithmic axes: G rises with slope two, Z and the data with slope one.",
            "observations n",
            "bytes (float64)",
            log="xy",
            cursor="n",
        ),
        Plot(
            operations,
            "Operations of a ridge fit",
            "Operations against n on logarithmic axes: slopes three, two and one.",
            "observations n",
            "operations",
            log="xy",
            cursor="n",
        ),
        Readout(cost),
    ),
    predict=Predict(
        "At which n does G in float64 outgrow a laptop of 16 GB?",
        answer="about 45,000",
        options=("about 4,500", "about 45,000", "about 450,000"),
        reason="8n² = 1.6·10¹⁰ at n = √(2·10⁹) ≈ 44,700. At n = 10⁵ it takes 80 GB.",
    ),
)


SIMILARITIES = {  # of two points at the distance d
    "near or not: 1 if d ≤ 1": lambda d: (d <= 1 + 1e-9).astype(float),
    "a cap: (1 − d²)₊": lambda d: np.maximum(1 - d**2, 0),
    "a tent: (1 − d)₊": lambda d: np.maximum(1 - d, 0),
    "Gaussian: exp(−d²)": lambda d: np.exp(-(d**2)),
    "squared distance: d²": lambda d: d**2,
}
FIXED = (-0.5, 0.0), (0.5, 0.0)
ACROSS, UP = (tuple(round(0.1 * i, 1) for i in range(*ends)) for ends in ((-15, 16), (0, 13)))


def three_points(x, y):
    """Two fixed points at distance 1, and the one that the reader moves."""
    return {
        "x₁ and x₂, fixed": Dots(*np.transpose(FIXED), "large"),
        "x₃, yours": Dots([x], [y], "large"),
    }


def similarities(similarity: str, x: float, y: float) -> NDArray:
    """The 3×3 matrix of the similarities of the points."""
    X = np.array([*FIXED, (x, y)])
    return SIMILARITIES[similarity](np.linalg.norm(X[:, None] - X, axis=-1))


def three_by_three(similarity, x, y):
    """The matrix, with its numbers."""
    names = ["x₁", "x₂", "x₃"]
    values = [[f"{value:.2f}" for value in row] for row in similarities(similarity, x, y)]
    return Cells(values, names, names)


def least_over_x(similarity, y):
    """The least eigenvalue against the place of x₃."""
    least = [np.linalg.eigvalsh(similarities(similarity, x, y))[0] for x in ACROSS]
    return {
        "least eigenvalue": Line(ACROSS, np.round(least, 4)),
        "zero": Line(ACROSS, np.zeros(len(ACROSS)), style="reference"),
    }


def witness(similarity, x, y):
    """The least eigenvalue, and the weights that no kernel could have."""
    lam, V = np.linalg.eigh(similarities(similarity, x, y))
    if lam[0] > -1e-9:
        least = f"{max(lam[0], 0):.2f}"
        return f"Least eigenvalue: {least}. No weights a make aᵀGa negative; these points prove nothing."
    a = V[:, 0] * np.sign(V[np.abs(V[:, 0]) > 0.01, 0][0])  # the first weight that is not 0 is positive
    weights = ", ".join(show(round(weight, 2) + 0.0) for weight in a)
    return (
        f"Least eigenvalue: {show(lam[0], 2)}. With the weights a = ({weights}), "
        f"aᵀGa = {show(lam[0], 2)} < 0: no kernel."
    )


PAIR = Explorer(
    title="Three points against a similarity",
    name="kernels-points",
    controls=(
        Choice("similarity", SIMILARITIES, "similarity"),
        Slider("x", ACROSS, "x₃, across", 0.0),
        Slider("y", UP, "x₃, up", 1.2),
    ),
    panels=(
        Plot(
            three_points,
            "The points",
            "Two fixed points at distance 1 and a third one, which you drag, or move by the sliders.",
            "across",
            "up",
            xlim=(-1.6, 1.6),
            ylim=(-0.4, 1.4),
            equal=True,
            drag=("x", "y"),
        ),
        Table(three_by_three, "Their matrix G", "The similarities of the three points, three by three."),
        Plot(
            least_over_x,
            "Least eigenvalue of G",
            "The least eigenvalue against the place of the third point, with a line at zero.",
            "x₃, across",
            "least eigenvalue",
            cursor="x",
        ),
        Readout(witness),
    ),
    predict=Predict(
        "Two points are similar (1) if they are at most 1 apart, and not (0) otherwise. Is that a kernel?",
        answer="no",
        options=("yes", "no"),
        reason=(
            "Move x₃ to the right until only x₂ is near. Then x₁ is similar to x₂, and x₂ to x₃, but x₁ is "
            "not similar to x₃, and the least eigenvalue is 1 − √2 = −0.41."
        ),
    ),
)
