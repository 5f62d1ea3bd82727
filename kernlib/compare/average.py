"""The average of the best model of each kind, and how far the score of the winner may be off.

Chapter: Your own data.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t
from sklearn.base import BaseEstimator
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.frozen import FrozenEstimator

from kernlib.compare.scores import standard_error

__all__ = ["average", "error_of", "weigh"]

MOST = 5  # outputs that are added
DRAWS = 50  # of test rows
TINY = 1e-300


def weigh(outputs: Sequence[NDArray], evaluate: Callable[[NDArray], tuple[float, NDArray]]) -> NDArray:
    """Count how often each of the outputs is in an average; `evaluate` returns a score and influences.

    Those within a standard error of the best are in it once. Then the one that helps most is added, while
    that gains more than a standard error. Source: Caruana et al. (2004).
    """
    scored = [evaluate(output) for output in outputs]
    best = max(scored, key=lambda one: one[0])
    counts = np.array(
        [best[0] - score <= standard_error(best[1] - rows) for score, rows in scored], dtype=int
    )
    for _ in range(MOST):
        tries = [counts, *(counts + np.eye(len(counts), dtype=int))]
        scored = [evaluate(np.tensordot(each / each.sum(), outputs, axes=1)) for each in tries]
        i = max(range(len(tries)), key=lambda i: scored[i][0])
        if scored[i][0] - scored[0][0] <= standard_error(scored[i][1] - scored[0][1]):
            break
        counts = tries[i]
    return counts


def average(models: dict[str, BaseEstimator], weights: list[int], X: NDArray, y: NDArray) -> BaseEstimator:
    """Average the outputs of models that are fitted to X and y."""
    named = list(models.items())
    classes = hasattr(named[0][1], "predict_proba")
    kind, how = (VotingClassifier, {"voting": "soft"}) if classes else (VotingRegressor, {})
    frozen = [(name, FrozenEstimator(model)) for name, model in named]
    voting = kind(frozen, weights=weights, **how).fit(X, y)
    return voting.set_params(estimators=named)  # that its parameters, and the code from them, are the models


def error_of(
    scores: NDArray, influences: NDArray, chosen: int, tests: Sequence[int], rows: int, gain: float
) -> float:
    """Estimate how far the score of the chosen model on new rows may be from its score on the test rows.

    It adds up, in squares: the error of so few test rows or, if larger, of so few folds, with `tests` rows
    each and `rows` training rows that they share; by how much the best score on drawn test rows exceeds that
    of the same model on the others, since the largest of many is too large; and the `gain` by more training
    rows in the refit. Source, for folds: Nadeau and Bengio (2003).
    """
    m, rng, gaps = influences.shape[1], np.random.default_rng(0), []
    for _ in range(DRAWS):
        counts = np.bincount(rng.integers(0, m, m), minlength=m)
        drawn = scores + influences @ counts / m
        best = drawn.argmax()
        others = influences[best, counts == 0]
        gaps.append(drawn[best] - scores[best] - others.sum() / max(1, len(others)))
    own, k = influences[chosen], len(tests)
    error = widened(standard_error(own), freedom(own))
    if k > 1:
        folds = [part.mean() for part in np.split(own, np.cumsum(tests)[:-1])]
        spread = np.std(folds, ddof=1) * np.sqrt(1 / k + np.mean(tests) / rows)
        error = max(error, widened(spread, k - 1))
    return float(np.sqrt(error**2 + np.mean(gaps) ** 2 + gain**2))


def freedom(influence):
    """Return the degrees of freedom of a variance of m values, 2m/(κ − 1) for a kurtosis κ."""
    squares = influence**2
    spread = max(squares.var(), TINY)
    return max(2.0, 2 * len(squares) * squares.mean() ** 2 / spread)


def widened(error, degrees):
    """Widen an error that is itself estimated: two of it hold a value as often as two known ones."""
    return float(error * t.ppf(norm.cdf(2), degrees) / 2)
