"""What rank truncation costs ridge regression on the letters: fitted values and accuracy."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from kernlib.book.datasets import load_letters
from kernlib.book.explore import Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.kernels import Gaussian

__all__ = ["DRAWN", "RANKS", "SCORES", "N", "P", "fitted_change", "points_lost", "task"]

N, P = 1500, 16
PENALTIES = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)  # nλ
RANKS = (1, 2, 5, 10, 20, 40, 60, 108, 150, 233, 320, 412, 550, 700, 900, 1104, 1300, N)
DRAWN = np.unique(np.append(np.geomspace(1, N, 60), RANKS).astype(int))


@cache
def task() -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """1,500 letters, standardized by all training letters, and their labels; the same of all test letters."""
    data = load_letters()
    X, y = data.train.X, data.train.y
    rows = np.random.default_rng(0).permutation(len(X))[:N]
    center, scale = X.mean(axis=0), X.std(axis=0)
    return (X[rows] - center) / scale, y[rows], (data.test.X - center) / scale, data.test.y


@cache
def decomposition() -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """Compute λ, Uᵀy, the rows κ(X, x)ᵀU of the test letters, and their labels."""
    X, y, X_test, y_test = task()
    eigenvalues, U = linalg.eigh(Gaussian(1 / P)(X), driver="evd")
    lam, U = np.maximum(eigenvalues[::-1], 0), U[:, ::-1]
    return lam, U.T @ y, Gaussian(1 / P)(X_test, X) @ U, y_test


@cache
def accuracy(mu: float) -> NDArray:
    """The share of test letters that G_k classifies correctly, for k = 1, …, n."""
    lam, along, new, y_test = decomposition()
    predictions = np.cumsum(new * (along / (lam + mu)), axis=1)
    return np.mean(np.sign(predictions) == y_test[:, None], axis=0)


@cache
def matrix_error():
    """‖G − G_k‖_F / ‖G‖_F for k = 0, …, n."""
    squares = np.append(np.cumsum(decomposition()[0][::-1] ** 2)[::-1], 0)
    return np.sqrt(squares / squares[0])


@cache
def fitted_change(mu: float) -> NDArray:
    """‖f − f_k‖ / ‖y‖ for k = 0, …, n."""
    lam, along = decomposition()[:2]
    squares = (lam / (lam + mu) * along) ** 2
    left = np.append(np.cumsum(squares[::-1])[::-1], 0)
    return np.sqrt(left / np.sum(along**2))


def dimension(mu: float) -> float:
    """The effective dimension Σ λᵢ/(λᵢ + nλ)."""
    lam = decomposition()[0]
    return float(np.sum(lam / (lam + mu)))


def points_lost(k: int, mu: float) -> float:
    """Percentage points of accuracy that rank k loses against all eigenpairs."""
    return 100 * float(accuracy(mu)[-1] - accuracy(mu)[k - 1])


@Plot.panel(
    "Relative error at rank k", x="rank kept, k", y="relative error", log="xy", ylim=(1e-4, 1.2), cursor="k"
)
def changes(mu):
    """Two errors against k on logarithmic axes. The matrix error falls below 1% at 233. With weak penalties
    the change of the fitted values, divided by ‖y‖, falls much later, with the strongest ones earlier. A
    vertical line marks the effective dimension.
    """
    inside = DRAWN[DRAWN < N]
    return {
        "matrix": Line(inside, matrix_error()[inside], style="dashed"),
        "fitted values": Line(inside, fitted_change(mu)[inside]),
        "effective dimension": Line([dimension(mu)] * 2, [1e-4, 1.2], style="dotted"),
    }


@Plot.panel(
    "Accuracy on 4,000 test letters",
    x="rank kept, k",
    y="test accuracy",
    log="x",
    ylim=(0.5, 0.95),
    cursor="k",
)
def scores(mu):
    """Accuracy against k, with a horizontal line for all eigenpairs. The weaker the penalty, the more
    eigenpairs are needed until the curve reaches the line.
    """
    right = accuracy(mu)
    return {
        "rank k": Line(DRAWN, right[DRAWN - 1]),
        "all eigenpairs": Line([1, N], [right[-1]] * 2, style="reference"),
    }


def summary(k, mu):
    """Both relative errors, both accuracies, and the effective dimension."""
    lost, of_matrix, of_fit = points_lost(k, mu), matrix_error()[k], fitted_change(mu)[k]
    compared = f"{abs(lost):.2f} percentage points {'less' if lost > 0 else 'more'} than" if lost else "as"
    return (
        f"At nλ = {show(mu)} the effective dimension is {dimension(mu):,.0f}. Rank {k:,} changes the matrix "
        f"by {show(100 * of_matrix, 2)}% and the fitted values by {show(100 * of_fit, 2)}% of ‖y‖. The "
        f"accuracy is {accuracy(mu)[k - 1]:.3f}, {compared} with all eigenpairs."
    )


SCORES = Explorer(
    title="What does truncation cost a classifier?",
    name="rank-scores",
    hint="Drag the dotted line, or play k.",
    controls=(
        Slider("k", RANKS, "rank k", 233, play=3),
        Slider("mu", PENALTIES, "nλ", 0.1),
    ),
    panels=(changes, scores, Readout(summary)),
    predict=Predict(
        "At rank 233 the matrix error is 1%. With nλ = 0.1, how much accuracy does the model lose if it uses "
        "this matrix in place of G?",
        answer="more than 3 percentage points",
        options=(
            "less than 0.3 percentage points",
            "about 1 percentage point",
            "more than 3 percentage points",
        ),
        shows=(("Relative error at rank k", "matrix"),),
        reason="At this penalty the model uses directions with eigenvalues down to about nλ = 0.1. The "
        "matrix error hardly shows their loss, because it adds the squares of eigenvalues.",
        at={"k": 233, "mu": 0.1},
    ),
)
