"""λ as an estimator takes it: one number, or several of which leave-one-out errors choose one.

Chapter: Representer theorem and duality.
"""

import warnings

import numpy as np

from kernlib.numerics.validation import as_grid

__all__ = ["as_lams", "least_error"]


def as_lams(lam):
    """Give the values of `lam` as a vector, and whether there is a choice: a single number leaves none."""
    return as_grid(lam, "lam", or_number=True), np.ndim(lam) > 0


def least_error(lams, errors):
    """Give the λ of the least leave-one-out error; the largest λ, with a warning, where none is finite."""
    finite = np.isfinite(errors)
    if finite.any():
        return float(lams[np.argmin(np.where(finite, errors, np.inf))])
    warnings.warn(
        f"No value of lam has a finite leave-one-out error: some fit leaves its observation no freedom "
        f"beyond rounding, or the errors overflow. The largest, {lams.max():g}, is taken.",
        stacklevel=3,
    )
    return float(lams.max())
