"""Checks on what the caller passes: one sentence that says what was expected and what came.

Functions and estimators alike: the latter leave to scikit-learn what they must remember, the number and names
of the columns.
"""

import numbers
import reprlib

import numpy as np
from scipy import sparse
from sklearn.utils.validation import validate_data

__all__ = [
    "KeepsFloat32",
    "Seed",
    "as_array",
    "as_columns",
    "as_generator",
    "as_grid",
    "as_matrix",
    "as_targets",
    "as_vector",
    "check_choice",
    "check_count",
    "check_positive",
    "check_seed",
    "check_shape",
    "check_text",
    "describe",
    "validate_rows",
]

Seed = None | int | np.integer | np.random.Generator | np.random.RandomState

SHORT = reprlib.Repr()  # names the first few of a list
SHORT.maxother = SHORT.maxstring = 80  # characters


def describe(value):
    """Show an array or a data frame by its type and shape, anything else by a short `repr`, on one line."""
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"{type(value).__name__} of shape {shape}"
    return " ".join(SHORT.repr(value).split())


def as_array(values, name):
    """Give values as an array; refuse by name what is sparse, complex or ragged."""
    if sparse.issparse(values):
        raise TypeError(f"{name} must be a dense array, got a sparse one: pass {name}.toarray().")
    try:
        values = np.asarray(values)
    except ValueError:  # of "an inhomogeneous shape"
        raise ValueError(f"{name} must be an array, got a list whose rows differ in length.") from None
    if values.dtype.kind == "c":  # the first words are what scikit-learn's check_estimator asks for
        raise ValueError(f"Complex data not supported: {name} must hold real numbers, got {values.dtype}.")
    return values


def as_matrix(X, name="X", *, rows=None):
    """
    Give X as a finite 2-D array of floats, one row an observation, or refuse it by name.

    float32 stays float32, the rest becomes float64; X itself is given back where it is such an array already.
    Where X is a part of another array, `rows` are the numbers that a sentence gives its rows.
    """
    X = as_array(X, name)
    if X.dtype not in (np.float32, np.float64):
        if X.dtype.kind not in "biufO":
            raise TypeError(f"{name} must hold real numbers, got dtype {X.dtype}.")
        try:
            X = X.astype(np.float64)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name} must hold real numbers, got an entry that is none: {error}.") from None
    check_shape(X.shape, name)
    if not np.isfinite(X).all():
        row = np.flatnonzero(~np.isfinite(X).all(axis=1))[0]
        number = row if rows is None else rows[row]
        raise ValueError(f"{name} must be finite, got NaN or infinity in row {number}.")
    return X


def check_shape(shape, name="X"):
    """Refuse by its name a matrix that has another number of dimensions than two, or no row or no column."""
    if len(shape) != 2:
        advice = f" Reshape your data: one observation is {name}[None], one column {name}[:, None]."
        raise ValueError(
            f"{name} must be 2-D, one row an observation, got shape {tuple(shape)}."
            + advice * (len(shape) == 1)
        )
    if 0 in shape:
        raise ValueError(
            f"{name} must have at least one row and one column, got {shape[0]} sample(s) and "
            f"{shape[1]} feature(s) (shape={tuple(shape)}) while a minimum of 1 is required."
        )


def check_positive(name, value, *, or_zero=False):
    """
    Give value as a float, and refuse one that isn't a finite number above zero, or zero where it may be.

    Products of the float, in float64, with a count can't overflow as those of small types do.
    """
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number, got {describe(value)}.")
    try:
        number = float(value)
    except OverflowError:  # of an int or a fraction
        number = np.inf
    if not (0 < number < np.inf or (or_zero and value == 0)):
        expected = "zero or positive" if or_zero else "positive"
        raise ValueError(f"{name} must be {expected} and finite, got {value}.")
    return number


def check_count(name, value, low, high=None, because=""):
    """
    Give value as an int, and refuse one that isn't an integer from low to high; `because` says what high is.

    The int is free of numpy's small types, in which sums and products overflow.
    """
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, got {describe(value)}.")
    if value < low or (high is not None and value > high):
        limit = f"at least {low}" if high is None else f"between {low} and {high}"
        reason = f" ({because})" if because and value > low else ""
        raise ValueError(f"{name} must be {limit}{reason}, got {value}.")
    return int(value)


def check_choice(name, value, choices):
    """Refuse a value that isn't one of the texts in choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {describe(value)}.")


def check_text(name, value):
    """Refuse what is no text."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, got {describe(value)}.")


def as_generator(random_state, name="random_state"):
    """
    Give a numpy Generator for scikit-learn's ways of saying `random_state`, here the argument `name`.

    An int gives the same draws each time; None gives new ones; a Generator or a RandomState is drawn from, so
    two calls with it differ.
    """
    check_seed(random_state, name)
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    return np.random.default_rng(random_state)


def check_seed(random_state, name="random_state"):
    """Refuse a `random_state` that `as_generator` would not take, without drawing from it."""
    known = numbers.Integral | np.random.Generator | np.random.RandomState | None
    if not isinstance(random_state, known) or isinstance(random_state, bool):
        raise TypeError(
            f"{name} must be None, an int, a Generator or a RandomState, got {describe(random_state)}."
        )
    if isinstance(random_state, numbers.Integral) and random_state < 0:
        raise ValueError(f"{name} must not be negative, got {random_state}.")


def as_vector(v, n, name):
    """Give v as a finite vector of n numbers in float64."""
    v = as_array(v, name)
    if v.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {v.shape}.")
    return as_matrix(v[:, None], name)[:, 0].astype(np.float64, copy=False)


def as_columns(A, n, name):
    """Give A, of shape (n,) or (n, q), as a finite array; float32 stays float32, the rest becomes float64."""
    A = as_array(A, name)
    if A.ndim not in (1, 2) or len(A) != n:
        raise ValueError(f"{name} must have shape ({n},) or ({n}, q), got {A.shape}.")
    return as_matrix(A, name) if A.ndim == 2 else as_matrix(A[:, None], name)[:, 0]


def as_targets(y, n, name="y"):
    """Give targets y, of shape (n,) or (n, q), as a finite array in float64."""
    return as_columns(y, n, name).astype(np.float64, copy=False)


def as_grid(lams, name="lams", *, or_number=False):
    """Give values of λ as a vector of positive numbers in float64; with `or_number`, one alone will do."""
    if or_number and isinstance(lams, numbers.Real):
        return np.array([check_positive(name, lams)])
    shape = as_array(lams, name).shape
    if len(shape) != 1 or shape == (0,):
        expected = f"{'a positive number or ' if or_number else ''}a list of positive numbers"
        got = f"shape {shape}" if shape else describe(lams)
        raise (ValueError if shape else TypeError)(f"{name} must be {expected}, got {got}.")
    return np.array([check_positive(name, lam) for lam in lams])


class KeepsFloat32:
    """Mixin of transformers: tells scikit-learn that float32 in gives float32 out."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def validate_rows(estimator, X, y=None, *, reset=True):
    """
    Give the rows that an estimator is fitted on or applied to, from `as_matrix`.

    With reset, as in `fit`, the estimator remembers their columns' number and names, else they are compared;
    y is for scikit-learn's sentence where an estimator needs targets and there are none.
    """
    rows = as_matrix(X)
    targets = {"y": y} if reset else {}
    validate_data(estimator, X, reset=reset, skip_check_array=True, **targets)
    return rows
