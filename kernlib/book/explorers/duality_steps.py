"""Floor and ceiling that close in: D and P after each step of conjugate gradients, on thirty noisy points."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from kernlib.book.explore import Dots, Line, Plot
from kernlib.book.explore.marks import show
from kernlib.duality import Duality, Squared
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge

__all__ = [
    "CLOSE", "DRAWN", "LEAST_PART", "NOISE", "STEPS",
    "certificate", "closing_in", "data", "fit_after", "path", "residual_parts", "script_data",
]  # fmt: skip

N, NOISE = 30, 0.2
STEPS = 12
DRAWN = np.linspace(0, 1, 101)
LEAST_GAP = 1e-6  # the digits of a smaller one may be rounding's
CLOSE = 0.1  # eigenvalues of A up to this part above nλ count as one
LEAST_PART = 1e-3  # of ‖y‖; a smaller part of the residual is drawn there


def data() -> tuple[NDArray, NDArray]:
    """30 random places X in [0, 1], of shape (30, 1) and ascending, and y = sin 2πx + noise there."""
    rng = np.random.default_rng(1)
    X = np.sort(rng.random((N, 1)), axis=0)
    return X, np.sin(2 * np.pi * X[:, 0]) + NOISE * rng.normal(size=N)


def script_data() -> dict:
    """Collect what the explorer's script needs."""
    X, y = data()
    limits = {"least": LEAST_GAP, "close": CLOSE, "leastPart": LEAST_PART}
    return {"X": X, "y": y, "drawn": DRAWN, "steps": STEPS} | limits


@lru_cache(maxsize=16)
def path(lam: float, gamma: float) -> tuple[NDArray, NDArray, NDArray]:
    """Compute α after 0, …, 12 steps, one a row, and P and D there.

    With A = G + nλI, the t-th α has the largest D in the span of y, Ay, …, Aᵗ⁻¹y, of which V is a basis.
    """
    X, y = data()
    G = Gaussian(gamma)(X)
    A, V = G + N * lam * np.eye(N), y[None] / np.linalg.norm(y)
    while len(V) < STEPS:
        v = A @ V[-1]
        for _ in range(2):  # the second time removes what the rounding of the first left
            v = v - (V @ v) @ V
        V = np.vstack([V, v / np.linalg.norm(v)])
    alphas = [np.zeros(N)]
    for t in range(1, STEPS + 1):
        alphas.append(linalg.solve(V[:t] @ A @ V[:t].T, V[:t] @ y, assume_a="pos") @ V[:t])
    problem = Duality(G, y, lam=lam, loss=Squared())
    primal, dual = (np.array([value(alpha) for alpha in alphas]) for value in (problem.primal, problem.dual))
    return np.array(alphas), primal, dual


def best(lam, gamma):
    """Compute the minimizer α = (G + nλI)⁻¹y."""
    X, y = data()
    return dual_ridge(Gaussian(gamma)(X), y, lam=lam)


@Plot.panel("Fit", x="x", y="y", ylim=(-3.5, 3.5))
def fit_after(t, lam, gamma):
    """Thirty noisy points of a sine wave, and a curve that approaches the fit with the least P."""
    X, y = data()
    K = Gaussian(gamma)(DRAWN[:, None], X)
    return {
        "fit after t steps": Line(DRAWN, K @ path(lam, gamma)[0][t]),
        "data": Dots(X[:, 0], y, "large"),
        "minimizer": Line(DRAWN, K @ best(lam, gamma), style="reference"),
    }


@Plot.panel(
    "The optimum is between D(α) and P(α)",
    x="steps t of conjugate gradients",
    y="value",
    log="y",
    xlim=(0, STEPS),
    cursor="t",
)
def closing_in(t, lam, gamma):
    """The floor D rises with each step, the ceiling P may jump first; the band between them closes."""
    X, y = data()
    _, primal, dual = path(lam, gamma)
    steps, primal, dual = np.arange(t + 1), primal[: t + 1], dual[: t + 1]
    optimum = Duality(Gaussian(gamma)(X), y, lam=lam, loss=Squared()).dual(best(lam, gamma))
    return {
        "ceiling P(α)": Line(steps, primal, dual, primal),
        "floor D(α)": Line(steps, dual, style="dashed"),
        "optimum": Line([0, STEPS], [optimum, optimum], style="reference"),
    }


@Plot.panel(
    "Residual, one dot for each eigenvalue",
    x="eigenvalue of A",
    y="part of ‖y‖",
    log="xy",
    xlim=(2e-5, 100),
    ylim=(LEAST_PART / 2, 10),
)
def residual_parts(t, lam, gamma):
    """One dot for each eigenvalue of A that is apart from the others, and one for all near n lambda. The dots
    sink as the steps reach their eigenvalues.
    """
    X, y = data()
    G, shift = Gaussian(gamma)(X), N * lam
    values, vectors = linalg.eigh(G)
    alpha = path(lam, gamma)[0][t]
    # r = y − Aα among the eigenvectors of A
    parts = vectors.T @ (y - G @ alpha - shift * alpha) / np.linalg.norm(y)
    apart = values > min(CLOSE * shift, values[-2])  # the largest always is
    sizes = np.append(np.abs(parts[apart]), np.linalg.norm(parts[~apart]))
    sizes = np.maximum(sizes, LEAST_PART)
    found = {"one eigenvalue": Dots(values[apart] + shift, sizes[:-1], "large")}
    if not apart.all():
        found["all near nλ"] = Dots([shift], sizes[-1:], "large")
    return found


def certificate(t: int, lam: float, gamma: float) -> str:
    """Report P and D after t steps, and how far from the optimum this α can be."""
    _, primal, dual = path(lam, gamma)
    gap = primal[t] - dual[t]
    step = "step" if t == 1 else "steps"
    left = "10⁻⁶"
    if gap > LEAST_GAP:  # a bound is rounded up
        unit = 10.0 ** (np.floor(np.log10(gap)) - 1)
        left = show(np.ceil(gap / unit) * unit, 2)
    return (
        f"After {t} {step} P(α) = {show(primal[t], 3)} and D(α) = {show(dual[t], 3)}. No α has a value "
        f"of P below D(α), so this one is within {left} of the optimum."
    )
