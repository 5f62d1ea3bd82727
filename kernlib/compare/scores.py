"""Scores, and how far each would move on other test rows; two models are compared on the same rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

__all__ = ["SCORES", "evaluate", "least_error", "output_of", "standard_error"]

SCORES = {
    "classification": ("accuracy", "balanced_accuracy", "roc_auc", "log_loss"),
    "regression": ("r2",),
}
LEAST = 1e-15  # of a probability, for its logarithm


def output_of(model: Any, X: NDArray, classes: NDArray) -> NDArray:
    """Compute predicted numbers, or a column of probabilities for each of the classes if there are any."""
    if not len(classes):
        return model.predict(X)
    output = np.zeros((len(X), len(classes)))
    output[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(X)
    return output


def evaluate(scoring: str, y: NDArray, output: NDArray, classes: NDArray) -> tuple[float, NDArray]:
    """Compute a score of the output of `output_of`, or of predicted classes, and each row's influence on it.

    The influence is by how much the score of m rows moves, to first order and times m, with a weight.
    Those of a share are the terms of its mean; R² = 1 − A/B is a ratio of means of aᵢ = (yᵢ − f(xᵢ))² and bᵢ
    = (yᵢ − ȳ)², which gives −(aᵢ − (A/B) bᵢ)/B. "log_loss" is its negative, so that a larger score is always
    better. Source for the area under the ROC curve: DeLong et al. (1988).
    """
    if scoring == "r2":
        errors, spread = (y - output) ** 2, (y - y.mean()) ** 2
        if not spread.any():
            return 0.0, np.full(len(y), np.sqrt(len(y)))
        share = errors.mean() / spread.mean()
        return float(1 - share), -(errors - share * spread) / spread.mean()
    if scoring == "log_loss":
        gains = np.log(np.clip(output[np.arange(len(y)), np.searchsorted(classes, y)], LEAST, 1))
        return float(gains.mean()), gains - gains.mean()
    if scoring == "roc_auc":
        present = [k for k in range(len(classes)) if 0 < np.sum(y == classes[k]) < len(y)]
        pairs = [area(y == classes[k], output[:, k]) for k in (present[1:] if len(classes) == 2 else present)]
        if not pairs:
            return 0.5, np.full(len(y), np.sqrt(len(y)))
        return float(np.mean([score for score, _ in pairs])), np.mean([rows for _, rows in pairs], axis=0)
    right = ((classes[output.argmax(axis=1)] if output.ndim == 2 else output) == y).astype(float)
    if scoring == "accuracy":
        return float(right.mean()), right - right.mean()
    _, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    rates = np.bincount(codes, right) / counts
    return float(rates.mean()), (right - rates[codes]) * (len(y) / (len(rates) * counts))[codes]


def area(positive, values):
    """Compute the area under the ROC curve, the share of pairs in the right order, and the influences."""
    placed = np.empty(len(values))
    ranks = rankdata(values)
    for side, sign in ((positive, 1), (~positive, -1)):
        others = len(values) - side.sum()
        below = (ranks[side] - rankdata(values[side])) / others
        placed[side] = below if sign > 0 else 1 - below
    score = placed[positive].mean()
    return score, (placed - score) * np.where(positive, 1 / positive.mean(), 1 / (~positive).mean())


def standard_error(influence: NDArray) -> float:
    """Estimate how far a score, or the difference of two scores, would move on other test rows."""
    return float(np.sqrt(np.sum(influence**2)) / len(influence))


def least_error(scoring: str, y: NDArray) -> float:
    """Return by how much one wrong row of the rarest class lowers a score of classes; 0 for other scores."""
    counts = np.unique(y, return_counts=True)[1]
    if scoring == "accuracy":
        return 1 / len(y)
    if scoring == "balanced_accuracy":
        return float(1 / (len(counts) * counts.min()))
    return float(1 / (max(1, len(counts) - 1) * counts.min())) if scoring == "roc_auc" else 0.0
