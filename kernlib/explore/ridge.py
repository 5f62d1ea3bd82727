"""λ and γ on a kernel ridge fit, with the primal and the dual value meeting.

Chapter: Representer theorem and duality.
"""

import numpy as np

from kernlib.duality import Duality, Squared, representer
from kernlib.explore.controls import Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Dots, Line, show
from kernlib.explore.panels import Plot, Readout
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge, ridge_path

__all__ = ["EXPLORER", "errors_over_lam", "fit", "summary", "values_meeting"]

N, NOISE = 30, 0.2
X_DRAWN = np.linspace(0, 1, 101)[:, None]
LAMS = tuple(float(f"{digit}e{power}") for power in range(-6, 1) for digit in (1, 3))
STEPS = 12


def data():
    """
    Draw y = sin 2πx + noise at 30 random places.

    Returns
    -------
    X : ndarray of shape (30, 1)
        In [0, 1], ascending.
    y : ndarray of shape (30,)
        The same in every call.
    """
    rng = np.random.default_rng(1)
    X = np.sort(rng.random((N, 1)), axis=0)
    return X, np.sin(2 * np.pi * X[:, 0]) + NOISE * rng.normal(size=N)


def fit(lam, gamma):
    """
    Compute f(x) = Σ αᵢ κ(x, xᵢ) with α = (G + nλI)⁻¹y.

    Parameters
    ----------
    lam, gamma : float
        λ, γ > 0.

    Returns
    -------
    dict of str to Line or Dots
        Data, truth and f against x.
    """
    X, y = data()
    kernel = Gaussian(gamma)
    f = representer(kernel, X_DRAWN, X, dual_ridge(kernel(X), y, lam=lam))
    x = X_DRAWN[:, 0]
    return {
        "fit f": Line(x, f),
        "data": Dots(X[:, 0], y, "large"),
        "truth": Line(x, np.sin(2 * np.pi * x), style="reference"),
    }


def values_meeting(lam, gamma):
    """
    Compute P(α) and D(α) along conjugate gradients for (G + nλI)α = y, which climb D, from α = 0.

    Parameters
    ----------
    lam, gamma : float
        λ, γ > 0.

    Returns
    -------
    dict of str to Line
        Both values against the number of steps; they enclose the optimum, and meet there.
    """
    X, y = data()
    G = Gaussian(gamma)(X)
    problem = Duality(G, y, lam=lam, loss=Squared())
    A, alpha = G + N * lam * np.eye(N), np.zeros(N)
    residual = direction = y
    path = [(problem.primal(alpha), problem.dual(alpha))]
    for _ in range(STEPS):
        A_direction, length = A @ direction, residual @ residual
        step = length / (direction @ A_direction)
        alpha, residual = alpha + step * direction, residual - step * A_direction
        direction = residual + (residual @ residual) / length * direction
        path.append((problem.primal(alpha), problem.dual(alpha)))
    primal, dual = np.transpose(path)
    best = problem.dual(dual_ridge(G, y, lam=lam))
    steps = np.arange(STEPS + 1)
    return {
        "primal P(α)": Line(steps, primal),
        "dual D(α)": Line(steps, dual, style="dashed"),
        "optimum": Line(steps, np.full(STEPS + 1, best), style="reference"),
    }


def errors_over_lam(gamma):
    """
    Compute the root mean squares of the residuals over λ, on the data and leaving one out.

    Parameters
    ----------
    gamma : float
        γ > 0.

    Returns
    -------
    dict of str to Line
        Against λ, from one decomposition of G.
    """
    X, y = data()
    path = ridge_path(Gaussian(gamma)(X), y, lams=LAMS)
    rms = lambda residuals: np.sqrt(np.mean(residuals**2, axis=1))  # noqa: E731
    return {
        "leaving one out": Line(LAMS, rms(path.loo_residuals)),
        "on the data": Line(LAMS, rms(y - path.fitted), style="dashed"),
        "noise": Line(LAMS, np.full(len(LAMS), NOISE), style="reference"),
    }


def summary(lam, gamma):
    """
    Put the optimum and the errors in words.

    Parameters
    ----------
    lam, gamma : float
        λ, γ > 0.

    Returns
    -------
    str
        P and D at α = (G + nλI)⁻¹y, and the gap left after the drawn steps.
    """
    X, y = data()
    G = Gaussian(gamma)(X)
    problem = Duality(G, y, lam=lam, loss=Squared())
    alpha = dual_ridge(G, y, lam=lam)
    meeting = values_meeting(lam, gamma)
    left = meeting["primal P(α)"].y[-1] - meeting["dual D(α)"].y[-1]
    path = ridge_path(G, y, lams=[lam])
    loo, train = (np.sqrt(np.mean(r**2)) for r in (path.loo_residuals, y - path.fitted))
    return (
        f"At α = (G + nλI)⁻¹y, P = {problem.primal(alpha):.4f} and D = {problem.dual(alpha):.4f}; after "
        f"{STEPS} "
        f"steps the gap is {show(float(f'{left:.2g}'))}. "
        f"Residuals: {train:.2f} on the data, {loo:.2f} leaving one out (noise {NOISE})."
    )


EXPLORER = Explorer(
    title="Kernel ridge: λ, γ and the two problems",
    name="ridge",
    controls=(
        Slider("lam", LAMS, "λ", 0.001, between=True, log=True),
        Slider("gamma", (0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000.0), "γ", 10, between=True, log=True),
    ),
    panels=(
        Plot(
            fit,
            "Fit",
            "Thirty noisy points of a sine wave and the fitted curve.",
            "x",
            "y",
            ylim=(-1.7, 1.7),
        ),
        Plot(
            values_meeting,
            "Primal and dual value",
            "The primal value falls and the dual value rises with the steps, towards the common optimum.",
            "steps of conjugate gradients",
            "value",
            log="y",
        ),
        Plot(
            errors_over_lam,
            "Which λ?",
            "Residuals against lambda: those on the data rise with it, those leaving one out have a minimum.",
            "λ",
            "root mean square",
            log="x",
            cursor="lam",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "λ grows and grows. What does the fitted curve become?",
        answer="the constant 0",
        options=("the mean of y", "a straight line", "the constant 0"),
        reason="The penalty (λ/2)‖w‖² outweighs the data, so w goes to 0, and f(x) = wᵀφ(x) with it: f has "
        "no intercept.",
    ),
)
