"""Covering a domain: the error is known at some centers, and its slope bounds it in between."""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Line, Plot, Predict, Readout, Slider

__all__ = ["COUNTS", "COVER", "between_centers", "guaranteed"]

REACH = 3.0
DELTA = np.linspace(-REACH, REACH, 241)
COUNTS = (5, 7, 9, 13, 17, 25, 33, 49)  # of the centers


def error(waves):
    """f(δ) = the mean of some waves, minus the Gaussian with γ = ½."""
    omega = np.random.default_rng(2).normal(size=waves)
    return np.cos(np.outer(DELTA, omega)).mean(axis=1) - np.exp(-(DELTA**2) / 2)


def between_centers(centers: int, waves: int) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """The centers, f there, and the least and the largest f(δ) that the steepest slope allows."""
    f = error(waves)
    steepest = np.abs(np.gradient(f, DELTA)).max()
    places = np.linspace(-REACH, REACH, centers)
    known = np.interp(places, DELTA, f)
    change = steepest * np.abs(DELTA[:, None] - places)
    return places, known, (known - change).max(axis=1), (known + change).min(axis=1)


def guaranteed(centers: int, waves: int) -> tuple[float, float]:
    """The largest |f| at the centers, and the bound on |f| everywhere that follows."""
    _, known, low, high = between_centers(centers, waves)
    return np.abs(known).max(), np.maximum(-low, high).max()


@Plot.panel(
    "Between the centers",
    x="difference δ = x − x′",
    y="error of the mean of the waves",
    xlim=(-REACH - 0.15, REACH + 0.15),
    ylim=(-0.6, 0.8),
)
def covered(centers, waves):
    """A smooth curve with a dot at each center, and a band that closes at the dots and widens between them.
    The curve stays inside the band, which becomes thinner the more centers there are.
    """
    places, known, low, high = between_centers(centers, waves)
    return {
        "error f(δ); band: what its slope allows": Line(DELTA, error(waves), low, high),
        "centers": Dots(places, known, "large"),
    }


@Plot.panel("Largest error", x="centers", y="largest error", log="x", cursor="centers")
def over_centers(waves):
    """The guarantee for all points falls towards the largest error as the centers become more."""
    known, bound = np.transpose([guaranteed(centers, waves) for centers in COUNTS])
    ends = COUNTS[0], COUNTS[-1]
    return {
        "guaranteed everywhere": Line(COUNTS, bound),
        "at the centers": Line(COUNTS, known, style="dashed"),
        "everywhere": Line(ends, [np.abs(error(waves)).max()] * 2, style="reference"),
    }


def summary(centers, waves):
    """Report the spacing, the known and the guaranteed error, and the actual one."""
    known, bound = guaranteed(centers, waves)
    apart, largest = 2 * REACH / (centers - 1), np.abs(error(waves)).max()
    return (
        f"{centers} centers, {apart:.2f} apart: |f| is at most {known:.2f} at the centers, so it is at most "
        f"{bound:.2f} everywhere. In fact its largest value is {largest:.2f}."
    )


COVER = Explorer(
    title="How can finitely many points vouch for all?",
    name="fourier-cover",
    controls=(
        Slider("centers", COUNTS, "centers", 7, log=True, play=2),
        Slider("waves", (5, 20, 80), "waves", 20, log=True),
    ),
    panels=(covered, over_centers, Readout(summary)),
    predict=Predict(
        "On a line, halving the distance between the centers doubles their number. By what factor does it "
        "grow in 22 dimensions?",
        answer="4 million",
        options=("44", "484", "4 million"),
        shows=("Between the centers",),
        reason="Twice as many in each direction, 2²² in all. The guarantee can afford that: the union bound "
        "over all centers needs columns in proportion to the logarithm of their number, 22 log 2, and so in "
        "proportion to p.",
    ),
)
