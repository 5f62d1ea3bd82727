"""One classifier three times: with all rows, with a few landmarks, with a few random features."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_moons

from kernlib.book.explore import Dots, Explorer, Field, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import cell_centers
from kernlib.book.explorers.nystrom_pick import LEAST, factor
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge, primal_ridge

__all__ = ["BOUNDARY", "Draw", "agreement", "exact", "nystrom", "random_features"]

N, MOST, DRAWS = 120, 64, 5
LAMBDA = 0.01
ACROSS, UP = (-3.0, 3.0), (-2.4, 2.4)
COLUMNS, ROWS = 45, 36  # of the fields, in square cells
PLANE = {"x": "x₁", "y": "x₂", "xlim": ACROSS, "ylim": UP, "equal": True}


def moons():
    """Draw the rows, standardized, and their labels ±1."""
    X, y = make_moons(N, noise=0.2, random_state=0)
    return ((X - X.mean(axis=0)) / X.std(axis=0)).round(2), 2.0 * y - 1


POINTS, LABELS = moons()
PLACES = cell_centers(ACROSS, UP, COLUMNS, ROWS)
EVERY = np.vstack([PLACES, POINTS])


class Draw:
    """The first 64 landmarks, frequencies ω (for γ = 1/2) and phases b of one draw."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.landmarks = rng.permutation(N)[:MOST]
        self.frequencies = rng.normal(size=(2, MOST)).round(4)
        self.phases = rng.uniform(0, 2 * np.pi, MOST).round(4)


KEPT = [Draw(seed) for seed in range(1, DRAWS + 1)]


@cache
def exact(gamma: float) -> NDArray:
    """Evaluate ridge regression on the labels, from all rows, on the plane."""
    kernel = Gaussian(gamma)
    return kernel(PLACES, POINTS) @ dual_ridge(kernel(POINTS), LABELS, lam=LAMBDA)


def predict(features):
    """Fit ridge regression on the features of the rows, the last ones, and evaluate it on the plane."""
    Z = features[len(PLACES) :]
    return features[: len(PLACES)] @ primal_ridge(Z, LABELS, lam=LAMBDA)


def nystrom(gamma: float, c: int, draw: Draw) -> NDArray:
    """Evaluate it on Nyström's features of c landmarks: the columns of a partial Cholesky factor."""
    return predict(factor(EVERY, len(PLACES) + draw.landmarks[:c], gamma)[0])


def random_features(gamma: float, c: int, draw: Draw) -> NDArray:
    """Evaluate it on c random cosines."""
    angles = EVERY @ (np.sqrt(2 * gamma) * draw.frequencies[:, :c]) + draw.phases[:c]
    return predict(np.sqrt(2 / c) * np.cos(angles))


def agreement(f: NDArray, gamma: float) -> float:
    """Compute the share of the plane in which f has the sign of the exact classifier."""
    return np.mean((f > 0) == (exact(gamma) > 0))


def colored(f):
    """Color the plane by f, and the rows by their labels."""
    signs = {"circles": 1, "squares": -1}
    dots = {name: Dots(*POINTS[LABELS == sign].T) for name, sign in signs.items()}
    return dots | {"f": Field(f.reshape(ROWS, COLUMNS), ACROSS, UP, (-1, 1), "signed")}


@Plot.panel("All 120 rows", **PLANE)
def all_rows(gamma):
    """Two interlocking half moons of 60 circles and 60 squares. The plane is colored by the sign of the
    classifier that compares all rows, and the boundary runs between the moons.
    """
    return colored(exact(gamma))


@Plot.panel("Nyström, c landmarks", **PLANE)
def some_rows(gamma, c, draw):
    """The same rows, with the boundary from c of them, which are drawn larger."""
    kept = KEPT[draw - 1]
    return colored(nystrom(gamma, c, kept)) | {"landmarks": Dots(*POINTS[kept.landmarks[:c]].T, "large")}


@Plot.panel("c random features", **PLANE)
def cosines(gamma, c, draw):
    """The same rows, with the boundary from c random cosines."""
    return colored(random_features(gamma, c, KEPT[draw - 1]))


def summary(gamma, c, draw):
    """Count the numbers that each keeps, and the cells that have the color of the exact classifier."""
    near, random = (
        f"{100 * agreement(method(gamma, c, KEPT[draw - 1]), gamma):.0f}%"
        for method in (nystrom, random_features)
    )
    return (
        f"All rows: {N * N:,} values of the kernel. Nyström: {N * c:,} of them, and {near} of the plane has "
        f"the same color. Random features: {N * c:,} cosines, and {random} has the same color."
    )


BOUNDARY = Explorer(
    title="One boundary from all rows, and from a few columns",
    name="nystrom-boundary",
    script="nystrom_boundary",
    data={
        "points": POINTS,
        "labels": LABELS,
        "lambda": LAMBDA,
        "least": LEAST,
        "landmarks": [kept.landmarks for kept in KEPT],
        "frequencies": [kept.frequencies for kept in KEPT],
        "phases": [kept.phases for kept in KEPT],
        "field": {"x": ACROSS, "y": UP, "columns": COLUMNS, "rows": ROWS},
    },
    controls=(
        Slider("c", (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64), "c", 4, log=True, play=2),
        Slider("gamma", (0.1, 0.3, 1.0, 3.0), "γ", 0.3, log=True),
        Slider("draw", range(1, DRAWS + 1), "draw", 1),
    ),
    panels=(all_rows, some_rows, cosines, Readout(summary)),
    predict=Predict(
        "How many of the 120 rows must be landmarks, so that Nyström's classifier colors 95% of the plane "
        "as the first one does?",
        answer="12",
        options=("12", "60", "110"),
        shows=("All 120 rows",),
        reason="With 12 landmarks, one row in ten, 96% of the plane has the same color (the median of 200 "
        "draws), and with 8 it is 89%. Random cosines are drawn without a look at the rows: 12 of them reach "
        "90%, and 48 reach 95%.",
        at={"c": 12},
    ),
)
