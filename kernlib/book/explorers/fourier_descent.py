"""Double descent: the errors of ridge regression on c random columns, and the length of its weights."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from sklearn.preprocessing import StandardScaler

from kernlib.book.datasets import load_letters
from kernlib.book.explore import Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian

__all__ = ["COLUMNS", "DESCENT", "PENALTIES", "ROWS", "lengths", "smallest_values", "wrong_labels"]

ROWS = (100, 200, 400)
COLUMNS = (25, 50, 75, 90, 100, 110, 150, 180, 200, 220, 300, 360, 400, 440, 600, 800, 1600, 3200)
PENALTIES = (0.0, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1)
DRAWS = 10  # of rows and of frequencies
TESTED = 1000  # new letters


@cache
def letters():
    """Rows and labels, for training and new, standardized by the training rows."""
    data = load_letters()
    scaler = StandardScaler().fit(data.train.X)
    parts = (data.train.X, data.train.y), (data.test.X[:TESTED], data.test.y[:TESTED])
    return [(scaler.transform(X), y) for X, y in parts]


def fit(Z, y, lam):
    """Weights w of ridge regression, a column for each λ (the shortest for λ = 0), and Z's smallest σ > 0."""
    n, c = Z.shape
    S, b = (Z @ Z.T, y) if c > n else (Z.T @ Z, Z.T @ y)
    sigma, V = linalg.eigh(S, driver="evd")
    kept = sigma > n * np.finfo(float).eps * sigma[-1]  # the rest is rounding
    sigma, V = sigma[kept, None], V[:, kept]
    solution = V @ ((V.T @ b)[:, None] / (sigma + n * lam))
    return Z.T @ solution if c > n else solution, np.sqrt(sigma[0, 0])


@cache
def measure():
    """Two shares of wrong labels (training, new), ‖w‖ and the smallest σ: rows n, these four, λ, c, draw."""
    (X, y), (X_new, y_new) = letters()
    X_new = X_new.astype(np.float32)  # enough for signs
    found = np.empty((len(ROWS), 4, len(PENALTIES), len(COLUMNS), DRAWS))
    for at in np.ndindex(found.shape[3:]):
        rows = np.random.default_rng(at[1]).permutation(len(X))[: max(ROWS)]
        phi = FourierFeatures(Gaussian(1 / X.shape[1]), n_components=COLUMNS[at[0]], random_state=at[1])
        Z, Z_new = phi.fit_transform(X[rows]), phi.transform(X_new)
        for i, n in enumerate(ROWS):
            known = y[rows[:n]]
            W, found[i, 3, :, *at] = fit(Z[:n], known, np.array(PENALTIES))
            found[i, 0, :, *at] = np.mean(np.sign(Z[:n] @ W).T != known, axis=1)
            found[i, 1, :, *at] = np.mean(np.sign(Z_new @ W.astype(np.float32)).T != y_new, axis=1)
            found[i, 2, :, *at] = np.linalg.norm(W, axis=0)
    return found


def wrong_labels(n: int, lam: float) -> NDArray:
    """Shares of wrong labels: for training and for new letters, an axis each for c and for the draw."""
    return measure()[ROWS.index(n), :2, PENALTIES.index(lam)]


def lengths(n: int, lam: float) -> NDArray:
    """‖w‖, an axis each for c and for the draw."""
    return measure()[ROWS.index(n), 2, PENALTIES.index(lam)]


def smallest_values(n: int) -> NDArray:
    """The smallest singular values of Z above rounding, an axis each for c and for the draw."""
    return measure()[ROWS.index(n), 3, 0]


@Plot.panel(
    "Share of wrong labels", x="columns c", y="share of wrong labels", log="x", ylim=(0, 0.6), cursor="c"
)
def errors(n, lam):
    """The error on training letters falls to 0. Without a penalty the error on new letters falls, rises to a
    peak at c = n, and falls again; with a larger penalty it only falls.
    """
    known, new = wrong_labels(n, lam)
    lines = {
        name: Line(COLUMNS, np.median(shares, axis=1), shares.min(axis=1), shares.max(axis=1), style=style)
        for name, shares, style in (("new letters", new, ""), ("training letters", known, "dashed"))
    }
    return lines | {"peak without a penalty": Line([n, n], [0, 0.6], style="reference")}


def summary(c, n, lam):
    """Both medians at c, that of ‖w‖, and the c with the largest error on new letters."""
    known, new = np.median(wrong_labels(n, lam), axis=2)
    at = COLUMNS.index(c)
    return (
        f"n = {n}, c = {c:,}, λ = {show(lam).removeprefix('1·')}: {known[at]:.0%} of the training letters "
        f"and {new[at]:.0%} of the new ones get the wrong label, and the weights have the length "
        f"{np.median(lengths(n, lam)[at]):,.0f}. The largest error on new letters is {new.max():.0%}, at "
        f"c = {COLUMNS[new.argmax()]:,}."
    )


DESCENT = Explorer(
    title="Which number of columns is the worst?",
    name="descent",
    hint="Lines are medians of ten draws; bands hold all ten.",
    controls=(
        Slider("c", COLUMNS, "columns c", 25, log=True, play=2),
        Slider("n", ROWS, "training letters n", 200),
        Slider("lam", PENALTIES, "penalty λ", 0.0),
    ),
    presets={
        "a high peak": {"n": 400, "lam": 0.0},
        "a low peak": {"n": 400, "lam": 1e-6},
        "no peak": {"n": 400, "lam": 1e-5},
    },
    panels=(errors, Readout(summary)),
    predict=Predict(
        "A linear model on c random columns is fitted to 200 letters without a penalty. At which c is its "
        "error on new letters largest? Place the marker.",
        answer=200,
        marker="c",
        reason="At c = n exactly one vector of weights fits all training labels, and it is very long. With "
        "more columns many vectors fit them, and the shortest is much shorter.",
        at={"c": 200},
    ),
)
