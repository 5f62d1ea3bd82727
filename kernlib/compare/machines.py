"""The machines that are compared: what each is made of, how much memory it takes, and how it is run.

Chapter: Your own data.
"""

import warnings
from collections.abc import Iterable
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import TransformedTargetRegressor
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.metrics import accuracy_score, balanced_accuracy_score, r2_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.utils import gen_batches

from kernlib.fourier import FourierFeatures
from kernlib.kernels import Kernel
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import KernelRidge
from kernlib.streaming import StreamingRidge

__all__ = [
    "SCORES",
    "Run",
    "exact",
    "features_for",
    "gram_bytes",
    "linear",
    "memory_of",
    "on_features",
    "rounded",
    "run",
    "standard_error",
]

SCORES = {"accuracy": accuracy_score, "balanced_accuracy": balanced_accuracy_score, "r2": r2_score}
FEATURES = {"random features": FourierFeatures, "Nyström": NystromFeatures}
HELD = 1000  # rows that are predicted at once
CACHE = 200_000_000  # bytes, of SVC


class Run(NamedTuple):
    """
    One machine, fitted and tried.

    Parameters
    ----------
    machine : str
        "linear", "exact", "random features" or "Nyström".
    size : int
        c, the columns; of "exact" the rows it was fitted on, of "linear" the columns of the table.
    seed : int
        Of the draw.
    score : float
        On the test rows.
    fit_seconds, predict_seconds : float
        For all training rows, and for all test rows.
    converged : bool
        Whether its solver came to its end.
    """

    machine: str
    size: int
    seed: int
    score: float
    fit_seconds: float
    predict_seconds: float
    converged: bool = True


def linear(task: str) -> Pipeline:
    """Build the machine without a kernel."""
    return Pipeline([("machine", LinearSVC(dual=False) if task == "classification" else Ridge())])


def exact(task: str, kernel: Kernel, C: float, n: int) -> Pipeline:
    """Build the exact machine: the SVM with its hinge, or kernel ridge with λ = 1/(nC) and a mean."""
    if task == "classification":
        return Pipeline([("machine", SVC(kernel=kernel, C=C))])
    return Pipeline(
        [
            (
                "machine",
                centered(KernelRidge(kernel, lam=rounded(1 / (n * C)), solver="direct", fit_intercept=False)),
            )
        ]
    )


def on_features(task: str, name: str, kernel: Kernel, C: float, c: int, n: int, seed: int) -> Pipeline:
    """Build the linear machine on c columns: the SVM with the squared hinge, or ridge with λ = 1/(nC)."""
    features = FEATURES[name](kernel, n_components=c, random_state=seed)
    if task == "classification":
        return Pipeline([("features", features), ("machine", LinearSVC(C=C, dual=False))])
    ridge = StreamingRidge(features, lam=rounded(1 / (n * C)), verbose=False, fit_intercept=False)
    return Pipeline([("machine", centered(ridge))])


def centered(regressor):
    """Take the mean from y before the fit, and add it to the predictions: ridge here has no intercept."""
    return TransformedTargetRegressor(regressor, transformer=StandardScaler())


def rounded(number: float) -> float:
    """Round to three digits, which print."""
    return float(f"{number:.3g}")


def gram_bytes(n: int) -> int:
    """Count the bytes of G for n rows."""
    return 8 * n**2


def memory_of(name: str, task: str, n: int, c: int, p: int) -> int:
    """
    Count the bytes that fitting a machine takes at most, beside its data.

    SVC holds G and a cache; ridge G and its factor. LinearSVC holds Z and a copy of 16 bytes an entry; ridge
    on features sums up slices of 8,192 rows.
    """
    if name == "linear":
        return 24 * n * p
    if name == "exact" and task == "classification":
        return gram_bytes(n) + min(gram_bytes(n) // 2, CACHE) + 8 * HELD * n
    if name == "exact":
        return 2 * gram_bytes(n)
    of_features = 8 * (6 * c**2 + 2 * c * p)
    rows = 24 * n * (c + 2) if task == "classification" else 24 * 8192 * c
    return of_features + rows


def run(
    machine: Pipeline,
    name: str,
    size: int,
    seed: int,
    train: Iterable[NDArray],
    test: tuple[NDArray, NDArray],
    scoring: str,
) -> tuple[Pipeline, Run, NDArray]:
    """Fit and try a machine; the fitted one, its run and its predictions."""
    start = perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the run says it
        machine.fit(*train)
    fitted = perf_counter()
    X, y = test
    predicted = np.concatenate([machine.predict(X[rows]) for rows in gen_batches(len(X), HELD)])
    done = perf_counter()
    limit = getattr(machine[-1], "max_iter", None)
    converged = limit in (None, -1) or np.max(machine[-1].n_iter_) < limit
    score = float(SCORES[scoring](y, predicted))
    return machine, Run(name, size, seed, score, fitted - start, done - fitted, converged), predicted


def standard_error(scoring: str, y: NDArray, predicted: NDArray) -> float:
    """
    Estimate how far a score would move on other test rows; at least by one row.

    √(s(1 − s)/m) for a share s of m rows that are right, and for a mean of such shares by their variances. R²
    = 1 − A/B is a ratio of means, of aᵢ = (yᵢ − f(xᵢ))² and bᵢ = (yᵢ − ȳ)²: the spread of (aᵢ − (A/B)bᵢ)/B.
    """
    if scoring == "r2":
        errors, spread = (y - predicted) ** 2, (y - y.mean()) ** 2
        if not spread.any():
            return 1.0
        share = errors.mean() / spread.mean()
        return float(np.std(errors - share * spread) / spread.mean() / np.sqrt(len(y)))
    groups = [y == k for k in np.unique(y)] if scoring == "balanced_accuracy" else [np.full(len(y), True)]
    right = [np.mean(predicted[rows] == y[rows]) for rows in groups]
    variances = [s * (1 - s) / rows.sum() for s, rows in zip(right, groups, strict=True)]
    return max(float(np.sqrt(np.sum(variances)) / len(groups)), 1 / len(y))


def features_for(kernel: Kernel, p: int) -> tuple[list[str], list[str]]:
    """Name the features that the kernel has, and say in a list of one sentence why it has not all."""
    try:
        kernel.spectral_dim(p)
    except TypeError as error:
        return ["Nyström"], [f"No random features: {error}"]
    return list(FEATURES), []
