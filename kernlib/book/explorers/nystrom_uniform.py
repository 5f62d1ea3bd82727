"""A spectrum to drag: what uniform landmarks miss, and what the theorem says of it.

The kernel is one of 96 points on a circle, κ(x, x′) = f(x − x′). Its eigenvectors are the constant, sines and
cosines, whatever its eigenvalues are.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Explorer, Line, Plot, Points, Predict, Readout, Slider

__all__ = ["PRESETS", "UNIFORM", "eigenvalues", "least_lost", "losses_of_draws", "most_lost"]

N, MOST, DRAWS = 96, 32, 10
HANDLES = (1, 2.5, 10.5, 30.5, 96)  # ranks, between which the powers of ten are interpolated
RANKS = np.array([1, *np.arange(2.5, N, 2), N])  # two directions of a frequency share one, but for the ends
FLOOR = -6.5  # of the plot
LEAST = 1e-9  # a landmark of which the others miss less adds nothing but rounding errors
LANDMARKS = np.array([np.random.default_rng(draw).permutation(N)[:MOST] for draw in range(DRAWS)])


def heights(*exponents):
    """Place the handles."""
    return tuple(zip(map(float, HANDLES), exponents, strict=True))


PRESETS = {
    "falls slowly": {"spectrum": heights(0.0, -0.3, -0.6, -0.9, -1.2)},
    "falls fast": {"spectrum": heights(0.0, -0.8, -2.0, -4.0, -6.0)},
    "eleven large ones": {"spectrum": heights(0.0, 0.0, 0.0, -3.0, -4.0)},
    "flat": {"spectrum": heights(-1.0, -1.0, -1.0, -1.0, -1.0)},
}


def powers(spectrum):
    """Interpolate log₁₀ of the eigenvalues between the handles: one for each frequency."""
    return np.interp(np.log10(RANKS), np.log10(HANDLES), [height for _, height in spectrum])


def eigenvalues(spectrum: Sequence) -> NDArray:
    """Compute the 96 shares τ of the trace, in the order of their frequencies."""
    each = 10 ** np.repeat(powers(spectrum), [1, *[2] * (N // 2 - 1), 1])
    return each / each.sum()


def losses_of_draws(spectrum: Sequence) -> NDArray:
    """Compute the share of the trace that c landmarks miss: a row for each draw, a column for each c."""
    angles, places = 2 * np.pi * np.arange(N) / N, np.arange(N)
    f = np.cos(np.outer(angles, (np.arange(N) + 1) // 2)) @ eigenvalues(spectrum)
    rows = []
    for landmarks in LANDMARKS:
        F, left, row = np.zeros((N, 0)), np.ones(N), []
        for pivot in landmarks:
            if left[pivot] > LEAST:
                column = (f[np.abs(places - pivot)] - F @ F[pivot]) / np.sqrt(left[pivot])
                F, left = np.column_stack([F, column]), np.maximum(left - column**2, 0)
            row.append(left.mean())
        rows.append(row)
    return np.array(rows)


def most_lost(spectrum: Sequence) -> NDArray:
    """Compute the theorem's bound Σ τ(1 − τ)/(1 + (c − 1)τ) for each c."""
    tau, c = eigenvalues(spectrum), np.arange(1, MOST + 1)[:, None]
    return np.sum(tau * (1 - tau) / (1 + (c - 1) * tau), axis=1)


def least_lost(spectrum: Sequence) -> NDArray:
    """Compute the share that the best matrix of rank c misses."""
    return 1 - np.cumsum(np.sort(eigenvalues(spectrum))[::-1])[:MOST]


@Plot.panel(
    "Spectrum of G",
    x="direction i",
    y="log₁₀ λᵢ, up to a constant",
    log="x",
    xlim=(0.9, 107),
    ylim=(FLOOR, 0.7),
    handles="spectrum",
)
def directions(spectrum, c):
    """Eigenvalues against their rank, and a horizontal line that falls as c grows. The part between the line
    and larger eigenvalues is shaded.
    """
    height = powers(spectrum)
    level = np.log10(np.sum(10 ** height[[0, -1]]) + 2 * np.sum(10 ** height[1:-1])) - np.log10(c)
    lost = np.minimum(height, level)
    return {
        "eigenvalue, shaded above trace / c": Line(RANKS, height, lost, height),
        "trace / c": Line((1, N), (level, level), style="reference"),
    }


@Plot.panel(
    "Share of the trace that is missed",
    x="landmarks c",
    y="share of the trace",
    log="xy",
    ylim=(0.0001, 1.1),
    cursor="c",
)
def losses(spectrum):
    """The share against the number of landmarks on logarithmic axes: the theorem's bound is above the mean of
    the draws, the best matrix of the same rank below it.
    """
    c, runs = np.arange(1, MOST + 1), losses_of_draws(spectrum)
    return {
        "Nyström": Line(c, runs.mean(axis=0), runs.min(axis=0), runs.max(axis=0)),
        "the theorem": Line(c, most_lost(spectrum), style="dashed"),
        "best of rank c": Line(c, least_lost(spectrum), style="dotted"),
    }


def summary(spectrum, c):
    """Report the three at this c."""
    found, bound = losses_of_draws(spectrum).mean(axis=0)[c - 1], most_lost(spectrum)[c - 1]
    return (
        f"{c} landmark{'s miss' if c > 1 else ' misses'} {100 * found:.2f}% of the trace, the mean of "
        f"{DRAWS} draws. The theorem says at most {100 * bound:.2f}%, and the best matrix of rank {c} misses "
        f"{100 * least_lost(spectrum)[c - 1]:.2f}%."
    )


UNIFORM = Explorer(
    title="What do c uniform landmarks lose?",
    name="nystrom-loss",
    hint="Drag the spectrum up and down at one of its points, or choose one below.",
    script="nystrom_uniform",
    data={"ranks": RANKS, "handles": HANDLES, "n": N, "least": LEAST, "landmarks": LANDMARKS},
    controls=(
        Points("spectrum", PRESETS["falls fast"]["spectrum"], move="y", label="Spectrum"),
        Slider("c", range(1, MOST + 1), "landmarks c", 8, play=3),
    ),
    presets=PRESETS,
    panels=(directions, losses, Readout(summary)),
    predict=Predict(
        "For which spectrum is the bound of the theorem nearly sharp?",
        answer="one that falls slowly",
        options=("one that falls slowly", "one that falls fast", "any"),
        at=PRESETS["falls slowly"] | {"c": 32},
        shows=("Spectrum of G",),
        reason="A direction far below 1/c of the trace is lost almost completely, as the bound assumes. "
        "Where the spectrum falls fast, most of the trace is in directions far above 1/c, and landmarks "
        "catch these much more accurately than the bound assumes.",
    ),
)
