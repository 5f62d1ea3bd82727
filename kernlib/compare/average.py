"""The average of the best model of each kind, and how far the score of the winner may be off."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t
from sklearn.base import BaseEstimator
from sklearn.ensemble import VotingClassifier, VotingRegressor
from sklearn.frozen import FrozenEstimator

from kernlib.compare.rungs import CLOSE, Run
from kernlib.compare.scores import standard_error

__all__ = ["Lead", "average", "close_to_best", "error_of"]

DRAWS = 50  # of test rows
TINY = 1e-300


class Lead(NamedTuple):
    """The best run of a kind, the model fitted to the last part, and its outputs for all test rows."""

    run: Run
    model: BaseEstimator
    output: NDArray


def close_to_best(leads: Collection[Lead], baseline: float) -> list[Lead]:
    """Return the best, and those within two standard errors of it that are better than a constant guess.

    The standard error is that of the difference on the same test rows. With heavy tails it is so large that
    it alone would let in a model that is worse than no model.
    """
    best = max((lead.run for lead in leads), key=lambda run: run.score)

    def is_close(run):
        near = best.score - run.score <= CLOSE * standard_error(best.influence - run.influence)
        return near and run.score > baseline

    return [lead for lead in leads if lead.run is best or is_close(lead.run)]


def average(models: dict[str, BaseEstimator], X: NDArray, y: NDArray) -> BaseEstimator:
    """Average the outputs of models that are fitted to X and y."""
    named = list(models.items())
    classes = hasattr(named[0][1], "predict_proba")
    kind, how = (VotingClassifier, {"voting": "soft"}) if classes else (VotingRegressor, {})
    frozen = [(name, FrozenEstimator(model)) for name, model in named]
    voting = kind(frozen, **how).fit(X, y)
    return voting.set_params(estimators=named)  # that its parameters, and the code from them, are the models


def error_of(
    scores: NDArray,
    influences: NDArray,
    chosen: int,
    tests: Sequence[int],
    rows: int,
    gain: float,
    least: float = 0.0,
) -> float:
    """Estimate how far the score of the chosen model on new rows may be from its score on the test rows.

    It adds up, in squares: the error of so few test rows, not below the `least`, or, if larger, of so few
    folds, with `tests` rows each and `rows` training rows that they share; by how much the best score on
    drawn test rows exceeds that of the same model on the others, since the largest of many is too large; and
    the `gain` by more training rows in the refit. Source, for folds: Nadeau and Bengio (2003).
    """
    m, rng, gaps = influences.shape[1], np.random.default_rng(0), []
    for _ in range(DRAWS):
        counts = np.bincount(rng.integers(0, m, m), minlength=m)
        drawn = scores + influences @ counts / m
        best = drawn.argmax()
        others = influences[best, counts == 0]
        gaps.append(drawn[best] - scores[best] - others.sum() / max(1, len(others)))
    own, k = influences[chosen], len(tests)
    error = max(least, widened(standard_error(own), freedom(own)))
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
