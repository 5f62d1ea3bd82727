"""Kernel ridge under sliders: floor and ceiling meet, one datum is left out; what n and p cost."""

from dataclasses import replace

import numpy as np

from kernlib.book.explore import Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.book.explorers.duality_steps import (
    DRAWN,
    NOISE,
    STEPS,
    certificate,
    closing_in,
    data,
    fit_after,
    residual_parts,
    script_data,
)
from kernlib.book.explorers.kernels_cost import BYTES, in_units
from kernlib.book.explorers.kernels_memory import LAPTOP
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge, ridge_path

__all__ = ["COST", "EXPLORER", "LEAVE_ONE_OUT", "data", "errors_over_lam"]

X_DRAWN = DRAWN[:, None]
LAMS = tuple(float(f"{digit}e{power}") for power in range(-6, 1) for digit in (1, 3))
ROWS = np.geomspace(100, 1_000_000, 41)
FEATURES = (16, 64, 256, 1024, 4096, 16_384, 65_536)
NUMBER = 8  # bytes, in float64


@Plot.panel("Fit", x="x", y="y", ylim=(-1.7, 1.7))
def fit(lam, gamma):
    """Thirty noisy points of a sine wave and the fitted curve."""
    X, y = data()
    kernel = Gaussian(gamma)
    f = kernel.matmul(X_DRAWN, X, dual_ridge(kernel(X), y, lam=lam))
    x = X_DRAWN[:, 0]
    return {
        "fit f": Line(x, f),
        "data": Dots(X[:, 0], y, "large"),
        "truth": Line(x, np.sin(2 * np.pi * x), style="reference"),
    }


@Plot.panel("Two errors against λ", x="λ", y="root mean square", log="x", cursor="lam")
def errors_over_lam(gamma):
    """Residuals against lambda: those on the data rise with it, those leaving one out have a minimum."""
    X, y = data()
    path = ridge_path(Gaussian(gamma)(X), y, lams=LAMS)
    return {
        "leaving one out": Line(LAMS, root_mean_square(path.loo_residuals)),
        "on the data": Line(LAMS, root_mean_square(y - path.fitted), style="dashed"),
        "noise": Line(LAMS, np.full(len(LAMS), NOISE), style="reference"),
    }


def root_mean_square(residuals):
    """√(Σᵢ rᵢ²/n) of each row."""
    return np.sqrt(np.mean(residuals**2, axis=1))


def residuals(lam, gamma):
    """Root mean squares of the residuals, on the data and leaving one out."""
    X, y = data()
    path = ridge_path(Gaussian(gamma)(X), y, lams=[lam])
    (loo,), (train,) = root_mean_square(path.loo_residuals), root_mean_square(y - path.fitted)
    return f"Residuals: {train:.3f} on the data, {loo:.3f} leaving one out (noise {NOISE})."


def multiplications(rows, columns):
    """Half of a symmetric product, and Cholesky; of n, p for the dual route, of p, n for the primal one."""
    return rows**2 * (columns / 2 + rows / 6)


@Plot.panel("Work", x="observations n", y="multiplications", log="xy", cursor="n")
def work(p):
    """Multiplications of both routes against n on logarithmic axes; the curves cross at n = p."""
    return {
        "dual, n×n": Line(ROWS, multiplications(ROWS, p)),
        "primal, p×p": Line(ROWS, multiplications(p, ROWS), style="dashed"),
        "n = p": Dots([p], [multiplications(p, p)], "large"),
    }


@Plot.panel("Memory", x="observations n", y="bytes", log="xy", cursor="n")
def memory(p):
    """Bytes of G rise with slope 2 and pass those of the p by p matrix, which are constant, at n = p."""
    return {
        "dual, G": Line(ROWS, NUMBER * ROWS**2),
        "primal, ΦᵀΦ": Line(ROWS, np.full(len(ROWS), NUMBER * float(p) ** 2), style="dashed"),
        "the features Φ": Line(ROWS, NUMBER * ROWS * p, style="dotted"),
        "16 GB": Line(ROWS, np.full(len(ROWS), LAPTOP), style="reference"),
    }


def cheaper(n, p):
    """Multiplications, bytes, and the route with fewer."""
    dual, primal = multiplications(float(n), p), multiplications(float(p), n)
    ratio = max(dual, primal) / min(dual, primal)
    verdict = (
        "Both cost about the same."
        if ratio < 1.1
        else f"The {'dual' if n < p else 'primal'} route needs {show(ratio, 2)} times fewer."
    )
    return (
        f"Dual: {scientific(dual)} multiplications, {in_units(NUMBER * n**2, BYTES)} for G. "
        f"Primal: {scientific(primal)}, {in_units(NUMBER * p**2, BYTES)} for ΦᵀΦ. {verdict}"
    )


def scientific(count):
    """Write a large count as 1.7·10¹⁷."""
    digits, power = f"{count:.1e}".split("e+")
    return f"{digits}·10{str(int(power)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


CONTROLS = (
    Slider("lam", LAMS, "λ", 0.001, between=True, log=True),
    Slider("gamma", (0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000.0), "γ", 10, between=True, log=True),
)

EXPLORER = Explorer(
    title="Floor and ceiling",
    name="ridge",
    hint="Drag t, or play it: each step adds one product with the matrix.",
    script="duality_steps",
    data=script_data(),
    controls=(Slider("t", range(STEPS + 1), "steps t", 3, play=2), *CONTROLS),
    presets={
        "easy": {"t": 4, "lam": 1, "gamma": 10},
        "hard": {"t": 8, "lam": 1e-6, "gamma": 10},
        "a bad first step": {"t": 1, "lam": 1e-6, "gamma": 0.1},
    },
    panels=(closing_in, residual_parts, fit_after, Readout(certificate)),
    predict=Predict(
        "λ falls from 1 to 10⁻⁶. Do P(α) and D(α) need fewer steps to meet, the same number, or more?",
        answer="more",
        options=("fewer", "the same number", "more"),
        shows=(("Fit", "data"),),
        reason="The eigenvalues of G + nλI then differ by larger factors. Only those that are close together "
        "share a step.",
        at={"lam": 1e-6},
    ),
)

LEAVE_ONE_OUT = Explorer(
    title="Which λ?",
    name="leave-one-out",
    hint="Drag the dotted line, or play λ.",
    controls=(replace(CONTROLS[0], play=2), CONTROLS[1]),
    panels=(fit, errors_over_lam, Readout(residuals)),
    predict=Predict(
        "At γ = 10, λ falls toward 0. What happens to the residuals on the data, and to the "
        "leave-one-out residuals?",
        answer="the first fall; the second fall and then rise",
        options=("both fall", "the first fall; the second fall and then rise", "both fall and then rise"),
        shows=(("Fit", "data"),),
        reason="A small λ lets the curve follow the noise, which makes the predictions of left-out points "
        "worse.",
        at={"lam": 1e-6},
    ),
)

COST = Explorer(
    title="n×n against p×p",
    name="ridge-cost",
    hint="Drag a dotted line to move n.",
    controls=(
        Slider("n", (100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000), "n", 1000, log=True),
        Slider("p", FEATURES, "p", 1024, log=True),
    ),
    panels=(work, memory, Readout(cheaper)),
    predict=Predict(
        "At n = 100,000 and p = 1,024, how many times fewer multiplications does the p×p system need?",
        answer="about 3,000",
        options=("about 100", "about 3,000", "about a million"),
        shows=("Memory",),
        reason="The n×n system takes about n³/6 for the Cholesky decomposition, the p×p one about np²/2 for "
        "ΦᵀΦ. The ratio is about n²/(3p²), and with the smaller terms it is 3,300.",
        at={"n": 100_000},
    ),
)
