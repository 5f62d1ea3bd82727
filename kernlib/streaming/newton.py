"""The sums over the data that logistic regression on features needs, and Newton's steps with them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special
from sklearn.utils import assert_all_finite

from kernlib.numerics.conjugate_gradients import units_of
from kernlib.numerics.normal_equations import RidgeStatistics, Sums
from kernlib.numerics.regularization import as_weights
from kernlib.numerics.rows import check_columns, transform_rows
from kernlib.numerics.validation import as_labels, describe

__all__ = ["class_factors", "count_labels", "logistic_statistics", "newton_steps"]

NOISE = 1e-6  # by which an objective may grow, relatively, as features in float32 make it uncertain


def newton_steps(
    compute: Callable, start: NDArray, total: float, lam: float, intercept: bool, tol: float, max_iter: int
) -> tuple[NDArray, NDArray, int]:
    """Minimize the objectives of K models at once; a step that increases an objective is halved.

    compute(active, coef) makes a pass over the data for the models that are still active, at first at
    `start`, of shape (K, c). Returned are the coefficients, half the decrease that the gradient predicts for
    the last step, which estimates by how much each objective exceeds its minimum, and the number of passes.
    """
    K, c = start.shape
    penalty = np.full(c, lam)
    penalty[c - intercept :] = 0
    coef, direction = np.zeros_like(start), start.copy()
    objective, excess = np.full((2, K), np.inf)
    active, passes = np.arange(K), 0
    while len(active) and passes < max_iter:
        trial = coef[active] + direction[active]
        (losses, equations_of), passes = compute(active, trial), passes + 1
        if intercept and passes == 1:
            equations_of[0].warn_if_far()
        values = losses / total + (trial**2 @ penalty) / 2
        for k, w, value, equations in zip(active, trial, values, equations_of, strict=True):
            if not value <= objective[k] * (1 + NOISE):
                direction[k] /= 2
                continue
            down = equations.moment - total * penalty * w
            step = replace(equations, moment=down).solve(lam=lam * total / equations.n, intercept=intercept)
            coef[k], direction[k], objective[k], excess[k] = w, step, value, down @ step / (2 * total)
        active = np.flatnonzero(~(excess <= tol))
    direction[active] = 0
    return coef + direction, excess, passes


def class_factors(class_weight: Any, classes: NDArray, weights: NDArray) -> NDArray:
    """Return the factor of each class; `weights` are the sums of its rows' weights."""
    if isinstance(class_weight, dict):
        labels = classes.tolist()
        unknown = [key for key in class_weight if key not in labels]
        if unknown and len(class_weight) - len(unknown) < len(labels):  # as in scikit-learn
            raise ValueError(f"class_weight must have labels of y as keys, got {describe(unknown)}.")
        factors = [class_weight.get(label, 1.0) for label in labels]
        return np.asarray(as_weights(factors, len(classes), "class_weight"))
    return weights.sum() / (len(classes) * weights) if class_weight == "balanced" else np.ones(len(classes))


def count_labels(arrays: tuple, first: int, where: str) -> Counter:
    """Add up the weights of the labels in a slice (X, y) or (X, y, s); those without weight do not count."""
    labels, s = labels_and_weights(arrays, where)
    values, index = np.unique(labels, return_inverse=True)
    return +Counter(dict(zip(values.tolist(), np.bincount(index, s).tolist(), strict=True)))


def labels_and_weights(arrays, where):
    """Return the labels and the weights of a slice (X, y) or (X, y, s)."""
    labels = as_labels(arrays[1], arrays[0].shape[0], f"y{where}")
    if labels.dtype.kind in "mM":
        raise TypeError(f"y{where} must hold texts, numbers or booleans, got {labels.dtype}.")
    s = as_weights(arrays[2], len(labels), f"sample_weight{where}", of_part=True) if arrays[2:] else None
    return labels, np.ones(len(labels)) if s is None else s


def logistic_statistics(
    features: Any, constant: bool, classes: NDArray, factors: NDArray, models: NDArray, coef: NDArray,
    arrays: tuple, first: int, where: str,
) -> Sums:  # fmt: skip
    """Compute the sums for a slice and each of K models, which have a row of `coef` each.

    They are the losses, of shape (K,), and ZᵀHZ as `gram`, −Zᵀg as `moment` and the sum of H as `n`.
    """
    labels, s = labels_and_weights(arrays, where)
    Z = transform_rows(features, arrays[0], first, where)
    assert_all_finite(Z, input_name=f"the features of X{where}")
    if constant:
        Z = np.column_stack([Z, np.ones(len(Z), Z.dtype)])
    check_columns(f"the features of X{where}", Z.shape[1], coef.shape[1], "before")
    s = s * factors[np.searchsorted(classes, labels).clip(max=len(classes) - 1)]
    unit = float(units_of(s))  # in which weights are in the range of float32
    F = (Z @ coef.T.astype(Z.dtype)).astype(np.float64)
    losses, equations = [], []
    for f, model in zip(F.T, models, strict=True):
        y = np.where(labels == model, 1.0, -1.0)
        losses.append(s @ -special.log_expit(y * f))
        curvatures = s / unit * special.expit(f) * special.expit(-f)
        root = Z * np.sqrt(curvatures).astype(Z.dtype)[:, None]
        moment = Z.T @ (s / unit * y * special.expit(-y * f)).astype(Z.dtype)
        gram = (root.T @ root).astype(np.float64)
        equations.append(RidgeStatistics(curvatures.sum(), gram, moment.astype(np.float64)).times(unit))
    return Sums((np.array(losses), Sums(equations)))
