"""γ moves a kernel and its law of frequencies against each other; draws from the law average to the kernel.

Chapter: Bochner's theorem.
"""

import numpy as np

from kernlib.explore.controls import Choice, Slider
from kernlib.explore.explorer import Explorer, Predict
from kernlib.explore.marks import Bars, Line
from kernlib.explore.panels import Plot, Readout
from kernlib.kernels import Gaussian, Laplace

__all__ = ["EXPLORER", "average", "density", "frequencies", "kernel_and_average", "summary"]

KERNELS = {"Gaussian": Gaussian, "Laplace": Laplace}
DELTA = np.linspace(-4, 4, 81)
OMEGA = np.linspace(-8, 8, 81)
EDGES = np.linspace(-8, 8, 33)
LARGEST = 1000  # draws; a smaller number takes the first of them


def frequencies(kernel, gamma, m):
    """
    Draw ω₁, …, ω_m from the spectral law in one dimension.

    Parameters
    ----------
    kernel : {"Gaussian", "Laplace"}
        κ.
    gamma : float
        γ > 0.
    m : int
        At most 1000.

    Returns
    -------
    ndarray of shape (m,)
        The same uniform numbers for every γ, so a larger γ stretches the same draws.
    """
    return KERNELS[kernel](gamma).sample_frequencies(LARGEST, 1, np.random.default_rng(0))[0, :m]


def average(kernel, gamma, m):
    """
    Compute (1/m) Σ cos ωⱼδ, whose mean is q(δ).

    Parameters
    ----------
    kernel, gamma, m : str, float, int
        As of `frequencies`.

    Returns
    -------
    ndarray of shape (81,)
        At δ from −4 to 4.
    """
    return np.cos(np.outer(DELTA, frequencies(kernel, gamma, m))).mean(axis=1)


def exact(kernel, gamma):
    """
    Compute q(δ) = κ(δ, 0).

    Parameters
    ----------
    kernel, gamma : str, float
        As of `frequencies`.

    Returns
    -------
    ndarray of shape (81,)
        At δ from −4 to 4.
    """
    return KERNELS[kernel](gamma)(DELTA[:, None], np.zeros((1, 1)))[:, 0]


def kernel_and_average(kernel, gamma, m):
    """
    Give q and the average of m waves for the plot.

    Parameters
    ----------
    kernel, gamma, m : str, float, int
        As of `frequencies`.

    Returns
    -------
    dict of str to Line
        Against δ.
    """
    return {
        "q(δ)": Line(DELTA, exact(kernel, gamma)),
        "mean of the drawn cos ωδ": Line(DELTA, average(kernel, gamma, m), style="dashed"),
    }


def density(kernel, gamma, m):
    """
    Give the spectral density p(ω) for the plot, with the histogram of the draws.

    Gaussian: 𝒩(0, 2γ); Laplace: γ/(π(γ² + ω²)).

    Parameters
    ----------
    kernel, gamma, m : str, float, int
        As of `frequencies`.

    Returns
    -------
    dict of str to Line or Bars
        Against ω from −8 to 8; the histogram counts the draws outside, too, as part of all.
    """
    if kernel == "Gaussian":
        p = np.exp(-(OMEGA**2) / (4 * gamma)) / np.sqrt(4 * np.pi * gamma)
    else:
        p = gamma / (np.pi * (gamma**2 + OMEGA**2))
    counts = np.histogram(frequencies(kernel, gamma, m), EDGES)[0]
    middle = (EDGES[1:] + EDGES[:-1]) / 2
    return {"draws": Bars(middle, counts / (m * (EDGES[1] - EDGES[0]))), "p(ω)": Line(OMEGA, p)}


def summary(kernel, gamma, m):
    """
    Put the two widths, and the gap between q and the average, in words.

    Parameters
    ----------
    kernel, gamma, m : str, float, int
        As of `frequencies`.

    Returns
    -------
    str
        Both widths are exact: q = ½ at √(ln 2/γ) or ln 2/γ; the quartiles of the law.
    """
    if kernel == "Gaussian":
        half, quartile = np.sqrt(np.log(2) / gamma), 0.67449 * np.sqrt(2 * gamma)
    else:
        half, quartile = np.log(2) / gamma, gamma
    gap = np.abs(average(kernel, gamma, m) - exact(kernel, gamma)).max()
    return (
        f"q falls to ½ at |δ| = {half:.2f}; half of the frequencies lie within ±{quartile:.2f}. "
        f"With {m} draws the average is at most {gap:.2f} away from q on [−4, 4]."
    )


EXPLORER = Explorer(
    title="A kernel and its frequencies",
    name="bochner",
    controls=(
        Slider("gamma", (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4), "γ", 0.8, between=True, log=True),
        Slider("m", (1, 3, 10, 30, 100, 300, 1000), "draws m", 10, between=True, log=True),
        Choice("kernel", KERNELS, "kernel"),
    ),
    panels=(
        Plot(
            kernel_and_average,
            "Kernel",
            "q against δ, a peak at zero, and the average of the drawn waves around it.",
            "δ = x − x′",
            ylim=(-1.05, 1.05),
        ),
        Plot(
            density,
            "Law of the frequencies",
            "The density of the frequencies, symmetric about zero, and a histogram of the draws.",
            "ω (radians per unit of x)",
            "density",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "Gaussian kernel. γ becomes four times as large. By what factor does the law of the frequencies "
        "spread?",
        answer="2",
        options=("1/2", "2", "4"),
        reason="The law is 𝒩(0, 2γ), whose standard deviation is √(2γ). The kernel narrows by the same "
        "factor.",
    ),
)
