"""γ on a Gram matrix and its spectrum; the degree of a polynomial kernel; the cost wall.

Chapter: Kernels.
"""

import math

import numpy as np

from kernlib.explore.controls import Choice, Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Dots, Line, show
from kernlib.explore.panels import Heat, Plot, Readout
from kernlib.kernels import Gaussian, Laplace, Matern, Polynomial

__all__ = [
    "COST_WALL",
    "DEGREE",
    "EXPLORER",
    "cost",
    "dimension",
    "gram",
    "memory",
    "operations",
    "points",
    "polynomial_fit",
    "polynomial_spectrum",
    "spectrum",
    "summary",
]

KERNELS = {
    "Gaussian": Gaussian,
    "Laplace": Laplace,
    "Matérn 3/2": lambda gamma: Matern(1.5, 1 / gamma),
}
SIZES = 12, 10, 10  # of the three groups; 32 points, what a heat map of the book can show
CENTRES = (0, 0), (3, 0.5), (1, 3)


def data():
    """
    Draw 32 points in three groups, in the order of the groups.

    Returns
    -------
    ndarray of shape (32, 2)
        The same in every call.
    """
    return np.repeat(CENTRES, SIZES, axis=0) + 0.45 * np.random.default_rng(0).normal(size=(sum(SIZES), 2))


def points():
    """
    Give the points for the plot.

    Returns
    -------
    dict of str to Dots
        The three groups.
    """
    parts = np.split(data(), np.cumsum(SIZES)[:-1])
    return {f"group {i}": Dots(*part.T, "large") for i, part in enumerate(parts, start=1)}


def gram(kernel, gamma):
    """
    Compute G, Gᵢⱼ = κ(xᵢ, xⱼ), of the 32 points.

    Parameters
    ----------
    kernel : {"Gaussian", "Laplace", "Matérn 3/2"}
        κ; for Matérn, 1/γ is the length scale ℓ.
    gamma : float
        γ > 0.

    Returns
    -------
    ndarray of shape (32, 32)
        Ones on the diagonal.
    """
    return KERNELS[kernel](gamma)(data())


def eigenvalues(kernel, gamma):
    """
    Compute the eigenvalues of G.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `gram`.

    Returns
    -------
    ndarray of shape (32,)
        Largest first; their sum is 32, the trace.
    """
    return np.linalg.eigvalsh(gram(kernel, gamma))[::-1]


def spectrum(kernel, gamma):
    """
    Give the eigenvalues for the plot; those at rounding's level are left out.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `gram`.

    Returns
    -------
    dict of str to Line or Dots
        The eigenvalues against their rank.
    """
    lam, rank = eigenvalues(kernel, gamma), np.arange(1, sum(SIZES) + 1)
    lam = np.where(lam > 1e-12, lam, np.nan)
    return {
        "eigenvalues of G": Dots(rank, lam, "large"),
        "all equal, G = I": Line(rank, np.ones(32), style="reference"),
    }


def summary(kernel, gamma):
    """
    Put the picture in words: how alike neighbours and strangers are, and how many directions G has.

    Parameters
    ----------
    kernel, gamma : str, float
        As of `gram`.

    Returns
    -------
    str
        With (Σλ)²/Σλ², the number of equal eigenvalues that would be as spread out.
    """
    G, lam = gram(kernel, gamma), eigenvalues(kernel, gamma)
    first, second = slice(0, SIZES[0]), slice(SIZES[0], SIZES[0] + SIZES[1])
    within = (G[first, first].sum() - SIZES[0]) / (SIZES[0] * (SIZES[0] - 1))
    across = G[first, second].mean()
    directions = lam.sum() ** 2 / (lam**2).sum()
    return (
        f"Mean similarity inside group 1: {within:.2f}; between groups 1 and 2: {across:.2f}. "
        f"G spreads over {directions:.1f} directions of 32; its largest eigenvalue is "
        f"{show(round(lam[0], 2))}."
    )


EXPLORER = Explorer(
    title="Bandwidth: from all alike to each alone",
    name="kernels",
    controls=(
        Slider("gamma", np.geomspace(0.001, 1000, 13).tolist(), "γ", 1.0, between=True, log=True),
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
            ylim=(1e-8, 50),
        ),
        Readout(summary),
    ),
    predict=Predict(
        "γ grows without bound while the points stay where they are. What does the Gram matrix become?",
        answer="the identity",
        options=("all ones", "the identity", "all zeros"),
        reason=(
            "κ(x, x) = 1 whatever γ is, and κ(x, x′) goes to 0 for every other pair: each point is alike to "
            "itself "
            "alone. As γ goes to 0 it is all ones, a matrix of rank one."
        ),
    ),
)


FORMS = {"up to degree r (c₀ = 1)": 1.0, "of degree r only (c₀ = 0)": 0.0}
DEGREES = tuple(range(1, 11))
MANY = 64  # points, whose Gram matrix shows the dimension as its rank


def dimension(p, r, form):
    """
    Count the monomials, C(p+r, r) up to degree r and C(p+r−1, r) of degree r only.

    Parameters
    ----------
    p, r : int
        Dimension of the inputs, and degree.
    form : str
        A key of ``FORMS``.

    Returns
    -------
    int
        The dimension of the polynomial kernel's features.
    """
    return math.comb(p + r, r) if FORMS[form] else math.comb(p + r - 1, r)


def dimensions(p):
    """
    Give the number of features against the degree.

    Parameters
    ----------
    p : int
        Dimension of the inputs.

    Returns
    -------
    dict of str to Line
        Both forms, and the cost of one value of the kernel.
    """
    lines = {form: Line(DEGREES, [dimension(p, r, form) for r in DEGREES]) for form in FORMS}
    return lines | {"numbers in x": Line(DEGREES, np.full(len(DEGREES), p), style="reference")}


def noisy_curve():
    """
    Draw 30 noisy values of a curve on [−1, 1].

    Returns
    -------
    x, y : ndarray of shape (30,)
        The same in every call.
    """
    rng = np.random.default_rng(1)
    x = np.sort(rng.uniform(-1, 1, 30))
    return x, np.sin(4 * x) + 0.15 * rng.normal(size=30)


def polynomial_fit(r, form):
    """
    Fit the noisy curve by kernel ridge with (xx′ + c₀)ʳ and a small λ = 10⁻⁶.

    Parameters
    ----------
    r : int
        Degree.
    form : str
        A key of ``FORMS``.

    Returns
    -------
    dict of str to Dots or Line
        The data and the fit.
    """
    x, y = noisy_curve()
    kernel, grid = Polynomial(r, FORMS[form]), np.linspace(-1, 1, 201)
    alpha = np.linalg.solve(kernel(x[:, None]) + 1e-6 * len(x) * np.eye(len(x)), y)
    return {"data": Dots(x, y, "large"), "fit": Line(grid, kernel(grid[:, None], x[:, None]) @ alpha)}


def polynomial_eigenvalues(p, r, form):
    """
    Compute the eigenvalues of the Gram matrix of 64 normal points in p dimensions.

    Parameters
    ----------
    p, r : int
        Dimension of the inputs, and degree.
    form : str
        A key of ``FORMS``.

    Returns
    -------
    ndarray of shape (64,)
        Largest first, as shares of their sum.
    """
    X = np.random.default_rng(0).normal(size=(MANY, p))
    lam = np.linalg.eigvalsh(Polynomial(r, FORMS[form])(X))[::-1]
    return lam / lam.sum()


def polynomial_spectrum(p, r, form):
    """
    Give the eigenvalues for the plot; those at rounding's level are left out.

    Parameters
    ----------
    p, r, form : int, int, str
        As of `polynomial_eigenvalues`.

    Returns
    -------
    dict of str to Dots
        The shares of the trace against their rank.
    """
    lam = polynomial_eigenvalues(p, r, form)
    return {"": Dots(np.arange(1, MANY + 1), np.where(lam > 1e-12, lam, np.nan), "large")}


def degree_summary(p, r, form):
    """
    Say how many features stand behind one value of the kernel.

    Parameters
    ----------
    p, r, form : int, int, str
        As of `polynomial_eigenvalues`.

    Returns
    -------
    str
        With the dimension, and what it means for a Gram matrix of 64 points.
    """
    d = dimension(p, r, form)
    rank = f"at most {d}" if d < MANY else f"{MANY} at most, that of any {MANY} points"
    return (
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
            "Thirty noisy points of a sine wave and the ridge fit with the polynomial kernel.",
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
RATE = 2e10  # operations a second, of a laptop's core


def memory(c):
    """
    Give the bytes of what must be held against n, in float64.

    Parameters
    ----------
    c : int
        Columns of an approximation Z.

    Returns
    -------
    dict of str to Line
        The Gram matrix, c columns, the data, and a laptop's memory.
    """
    n = np.array(N, dtype=float)
    return {
        "G, 8n²": Line(n, 8 * n**2),
        "Z, 8nc": Line(n, 8 * n * c, style="dashed"),
        "X, 8np": Line(n, 8 * n * P, style="dotted"),
        "16 GB": Line(n, np.full(len(N), 16e9), style="reference"),
    }


def operations(c):
    """
    Give the multiplications and additions of a ridge fit against n, exactly and on c columns.

    Parameters
    ----------
    c : int
        Columns of an approximation Z.

    Returns
    -------
    dict of str to Line
        The Gram matrix 2pn², Cholesky's n³/3, and the whole fit on c columns, 2pcn + c²n + c³/3.
    """
    n = np.array(N, dtype=float)
    return {
        "solve, n³/3": Line(n, n**3 / 3),
        "fill G, 2pn²": Line(n, 2 * P * n**2, style="dashed"),
        "on Z": Line(n, 2 * P * c * n + c**2 * n + c**3 / 3, style="dotted"),
    }


def cost(n, c):
    """
    Put the wall in words: bytes, and seconds at 2·10¹⁰ operations a second.

    Parameters
    ----------
    n, c : int
        Observations, and columns of Z.

    Returns
    -------
    str
        Exact fit against the fit on Z.
    """
    exact, approximate = 2 * P * n**2 + n**3 / 3, 2 * P * c * n + c**2 * n + c**3 / 3
    return (
        f"n = {show(n)}: G takes {in_units(8 * n**2, BYTES)}, and the exact ridge fit "
        f"{in_units(exact / RATE, SECONDS)}; c = {c} columns take {in_units(8 * n * c, BYTES)} and "
        f"{in_units(approximate / RATE, SECONDS)} (at 2·10¹⁰ operations a second)."
    )


BYTES = (1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")
SECONDS = (3.156e7, "years"), (86_400, "days"), (3600, "hours"), (60, "minutes"), (1, "s"), (1e-3, "ms")


def in_units(value, units):
    """
    Write a quantity in the largest unit of which there is one at least.

    Parameters
    ----------
    value : float
        In the base unit.
    units : sequence of tuple
        Sizes and names, largest first; the last serves for whatever is smaller.

    Returns
    -------
    str
        Two significant digits at least, and the unit.
    """
    size, name = next(((size, name) for size, name in units if value >= size), units[-1])
    share = value / size
    return f"{share:,.0f} {name}" if share >= 100 else f"{share:.2g} {name}"


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
