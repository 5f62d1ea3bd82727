"""A noisy curve fitted by ridge regression on a few landmarks, beside the exact fit."""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.kernels import Gaussian
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import dual_ridge, primal_ridge

__all__ = [
    *("CURVE", "C_STOPS", "GAMMA", "PENALTIES"),
    *("curve", "distances", "effective_dimension", "noisy_points"),
]

GAMMA = 30.0
TRAINED = 80  # of the 100 points
C_STOPS = (*range(2, 18), 20, 25, 30)
PENALTIES = (1e-6, 1e-4, 1e-2)
PLACES = {"anywhere": 1.0, "left of 0.4": 0.4}  # the end of the interval of the landmarks
DRAWS = 20  # of landmarks, whose median and middle 80% are drawn
GRID = np.linspace(0, 1, 91)[:, None]
FLOOR = -1.75  # the height at which landmarks are marked


def curve(x: NDArray) -> NDArray:
    """The truth, sin 2πx + ½ sin 6πx."""
    return np.sin(2 * np.pi * x) + 0.5 * np.sin(6 * np.pi * x)


@cache
def noisy_points() -> tuple[NDArray, NDArray]:
    """A hundred places x, of shape (100, 1), and the curve there with noise of standard deviation 0.2."""
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(100, 1))
    return x, curve(x[:, 0]) + 0.2 * rng.normal(size=100)


def training_points():
    x, y = noisy_points()
    return x[:TRAINED], y[:TRAINED]


def landmarks(c, places, draw):
    """The first c of the training points in a random order, of those where landmarks may be."""
    x, _ = training_points()
    allowed = x[x[:, 0] <= PLACES[places]]
    return np.random.default_rng(draw).permutation(allowed)[:c]


@lru_cache(maxsize=16)
def exact_fit(lam):
    x, y = training_points()
    return Gaussian(GAMMA)(GRID, x) @ dual_ridge(Gaussian(GAMMA)(x), y, lam=lam)


@lru_cache(maxsize=1024)
def both_features(c, places, draw):
    """Compute the features of the training points and of the grid."""
    x, _ = training_points()
    phi = NystromFeatures(Gaussian(GAMMA), landmarks=landmarks(c, places, draw)).fit(x)
    return phi.transform(x), phi.transform(GRID)


def nystrom_fit(c, lam, places, draw):
    Z, Z_grid = both_features(c, places, draw)
    return Z_grid @ primal_ridge(Z, training_points()[1], lam=lam)


@lru_cache(maxsize=64)
def distances(lam: float, places: str) -> NDArray:
    """The root mean square distance of both fits on [0, 1]: a row for each c, a column for each draw."""
    fits = [[nystrom_fit(c, lam, places, draw) for draw in range(DRAWS)] for c in C_STOPS]
    return np.sqrt(np.mean((np.array(fits) - exact_fit(lam)) ** 2, axis=2))


def effective_dimension(lam: float) -> float:
    """d_eff(λ) of the training points."""
    eigenvalues = np.linalg.eigvalsh(Gaussian(GAMMA)(training_points()[0])).clip(0)
    return float(np.sum(eigenvalues / (eigenvalues + TRAINED * lam)))


@Plot.panel("Both fits", x="x", y="y", xlim=(0, 1), ylim=(-2, 2))
def fits(c, lam, places):
    """Eighty noisy points of a curve with two humps and two dips, the exact fit, Nyström's fit, and its
    landmarks along the bottom. The more landmarks there are, the closer the two fits.
    """
    x, y = training_points()
    spots = landmarks(c, places, 0)[:, 0]
    return {
        "training points": Dots(x[:, 0], y),
        "exact": Line(GRID[:, 0], exact_fit(lam), style="dashed"),
        "Nyström": Line(GRID[:, 0], nystrom_fit(c, lam, places, 0)),
        "landmarks": Dots(spots, np.full(len(spots), FLOOR), "large"),
    }


@Plot.panel(
    "Distance of the two fits",
    x="landmarks c",
    y="root mean square distance",
    log="y",
    ylim=(1e-9, 3),
    cursor="c",
)
def distance_over_c(lam, places):
    """The distance from the exact fit against the number of landmarks on a logarithmic axis: it falls steeply
    from the effective dimension on, which a vertical line marks.
    """
    low, middle, high = np.quantile(distances(lam, places), (0.1, 0.5, 0.9), axis=1)
    dimension = effective_dimension(lam)
    return {
        "median, band: middle 80% of 20 draws": Line(C_STOPS, middle, low, high),
        "effective dimension": Line([dimension, dimension], [1e-9, 10], style="reference"),
        "0.01": Line([C_STOPS[0], C_STOPS[-1]], [0.01, 0.01], style="dotted"),
    }


def summary(c, lam, places):
    """The distance at c, and the effective dimension."""
    runs = distances(lam, places)[C_STOPS.index(c)]
    return (
        f"{c} landmarks, λ = {show(lam)}: the distance from the exact fit is {show(runs[0], 2)} for the "
        f"landmarks shown, and {show(np.median(runs), 2)} in the median of {DRAWS} draws. The effective "
        f"dimension is {effective_dimension(lam):.1f}."
    )


CURVE = Explorer(
    title="How many landmarks for a curve?",
    name="nystrom-curve",
    controls=(
        Slider("c", C_STOPS, "landmarks c", 6, play=2),
        Slider("lam", PENALTIES, "λ", 1e-4, log=True),
        Choice("places", PLACES, "landmarks"),
    ),
    panels=(fits, distance_over_c, Readout(summary)),
    predict=Predict(
        "λ falls a hundredfold, from 10⁻² to 10⁻⁴, so the exact fit can follow finer detail. By what factor "
        "must the number of landmarks grow for Nyström to come within 0.01 of the exact fit?",
        answer="less than 2",
        options=("less than 2", "about 10", "about 100"),
        shows=(("Both fits", "training points"), ("Both fits", "exact")),
        reason="It needs 11 landmarks at λ = 10⁻², and 14 at 10⁻⁴. G's eigenvalues fall so fast that few "
        "of them lie between 80 · 10⁻⁴ and 80 · 10⁻²: the effective dimension grows only from 6.9 to 11.5.",
    ),
)
