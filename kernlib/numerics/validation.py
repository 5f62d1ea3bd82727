"""Checks of what the caller passes, whose errors, unlike scikit-learn's, are one sentence each."""

import numbers
import reprlib
import sys
import warnings
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import column_or_1d

__all__ = [
    "Seed", "as_array", "as_generator", "as_grid", "as_labels", "as_matrix", "as_targets", "as_vector",
    "check_choice", "check_count", "check_instance", "check_output", "check_positive", "check_seed",
    "check_shape", "describe", "warn",
]  # fmt: skip

Seed = int | np.random.Generator | np.random.RandomState | None

SHORT = reprlib.Repr()  # shows the first few entries of a list
SHORT.maxother = SHORT.maxstring = 80  # characters


def describe(value: Any) -> str:
    """Describe an array or a data frame by its type and shape, anything else by a short one-line `repr`."""
    if isinstance(shape := getattr(value, "shape", None), tuple) and shape:
        return f"{type(value).__name__} of shape {shape}"
    return " ".join(SHORT.repr(value).split())


def as_array(values: Any, name: str) -> NDArray:
    """Convert values to an array; raise an error that names them if they are sparse, complex or ragged."""
    if sparse.issparse(values):
        raise TypeError(f"{name} must be a dense array, got a sparse one: pass {name}.toarray().")
    if np.ma.is_masked(values):
        raise TypeError(f"{name} must have no masked entries: fill them, or leave these rows out.")
    try:
        values = np.asarray(values)
    except ValueError:  # "inhomogeneous shape"
        raise ValueError(f"{name} must be an array, got a list whose rows differ in length.") from None
    if values.dtype.kind == "c":  # scikit-learn's check_estimator expects the first words
        raise ValueError(f"Complex data not supported: {name} must hold real numbers, got {values.dtype}.")
    return values


def as_matrix(X: ArrayLike, name: str = "X", *, rows: Sequence[int] | None = None) -> NDArray:
    """Convert X to a finite matrix in float32, if it is so, or float64; errors count its rows by `rows`."""
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


def check_shape(shape: Sequence[int], name: str = "X") -> None:
    """Raise an error if a matrix does not have two dimensions, a row and a column."""
    if len(shape) != 2:
        advice = f" Reshape your data: one observation is {name}[None], one column {name}[:, None]."
        found = f"{name} must be 2-D, one row an observation, got shape {tuple(shape)}."
        raise ValueError(found + advice if len(shape) == 1 else found)
    if 0 in shape:
        found = f"{shape[0]} sample(s) and {shape[1]} feature(s) (shape={tuple(shape)})"
        expected = f"{name} must have at least one row and one column"
        raise ValueError(f"{expected}, got {found} while a minimum of 1 is required.")


def check_positive(name: str, value: Any, *, or_zero: bool = False) -> float:
    """Convert a finite number above zero, or zero if allowed, to a float, whose products don't overflow."""
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


def check_count(name: str, value: Any, low: int, high: int | None = None, because: str = "") -> int:
    """Convert an integer from low to high to an int, whose sums don't overflow; `because` explains high."""
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, got {describe(value)}.")
    number = int(value)
    if number < low or (high is not None and number > high):
        limit = f"at least {low}" if high is None else f"between {low} and {high}"
        reason = f" ({because})" if because and number > low else ""
        raise ValueError(f"{name} must be {limit}{reason}, got {number}.")
    return number


def check_choice(name: str, value: Any, choices: Collection[str]) -> None:
    """Raise an error if a value is not one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {describe(value)}.")


def check_instance(name: str, value: Any, kind: type, example: str, advice: str = "") -> None:
    """Raise an error, which ends with `advice`, if a value is not an instance of a class, like `example`."""
    if not isinstance(value, kind):
        got = describe(value) + advice
        if isinstance(value, type) and issubclass(value, kind):
            got = f"the class {value.__name__}: call it, as in {value.__name__}()"
        raise TypeError(f"{name} must be a {kind.__name__} such as {example}, got {got}.")


def check_output(out: Any, shape: tuple, *inputs: NDArray) -> NDArray:
    """Return `out`, or raise an error if it is not an array to write G into."""
    dtype = inputs[0].dtype
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array of shape {shape} and dtype {dtype}, got {describe(out)}.")
    if out.shape != shape or out.dtype != dtype:
        raise ValueError(f"out must have shape {shape} and dtype {dtype}, got {out.shape} and {out.dtype}.")
    if not out.flags.writeable or any(np.may_share_memory(out, given) for given in inputs):
        raise ValueError("out must be an array that can be written and shares no memory with X or Y.")
    return out


def as_generator(random_state: Seed, name: str = "random_state") -> np.random.Generator:
    """Convert scikit-learn's `random_state` to a numpy Generator; one that has a state goes on from it."""
    check_seed(random_state, name)
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    return np.random.default_rng(random_state)


def check_seed(random_state: Any, name: str = "random_state") -> None:
    """Raise an error if `as_generator` cannot take a `random_state`; draw nothing from it."""
    known = numbers.Integral | np.random.Generator | np.random.RandomState | None
    if not isinstance(random_state, known) or isinstance(random_state, bool):
        got = describe(random_state)
        raise TypeError(f"{name} must be None, an int, a Generator or a RandomState, got {got}.")
    if isinstance(random_state, numbers.Integral) and random_state < 0:
        raise ValueError(f"{name} must not be negative, got {random_state}.")


def as_vector(v: ArrayLike, n: int, name: str) -> NDArray:
    """Convert v to a finite vector of n numbers in float64."""
    if (v := as_array(v, name)).shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), got {v.shape}.")
    return as_targets(v, n, name)


def as_targets(y: ArrayLike, n: int, name: str = "y") -> NDArray:
    """Convert targets y, of shape (n,) or (n, q), to a finite array in float64."""
    y = as_array(y, name)
    if y.ndim not in (1, 2) or len(y) != n:
        raise ValueError(f"{name} must have shape ({n},) or ({n}, q), got {y.shape}.")
    return as_matrix(y if y.ndim == 2 else y[:, None], name).reshape(y.shape).astype(np.float64, copy=False)


def as_labels(y: ArrayLike, n: int, name: str = "y") -> NDArray:
    """Convert labels y of n rows, of shape (n,) or, with scikit-learn's warning, (n, 1), to a vector."""
    values = as_array(y, name)
    if values.shape not in ((n,), (n, 1)):
        raise ValueError(f"{name} must have shape ({n},), a label for each row of X, got {values.shape}.")
    labels = column_or_1d(values, warn=True)
    kind = type_of_target(labels, input_name=name)
    if kind not in ("binary", "multiclass"):  # scikit-learn's checks expect these first words
        raise ValueError(f"Unknown label type: {name} must hold labels of classes, got {kind} targets.")
    return labels


def as_grid(lams: Any, name: str = "lams", *, or_number: bool = False) -> NDArray:
    """Convert a list of positive values of λ, or a single one if allowed, to a vector in float64."""
    if or_number and isinstance(lams, numbers.Real):
        return np.array([check_positive(name, lams)])
    shape = as_array(lams, name).shape
    if len(shape) != 1 or shape == (0,):
        expected = "a positive number or a list" if or_number else "a list"
        got = f"shape {shape}" if shape else describe(lams)
        error = ValueError if shape else TypeError
        raise error(f"{name} must be {expected} of positive numbers, got {got}.")
    return np.array([check_positive(name, lam) for lam in lams])


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn about the line that called kernlib, however deep inside the reason was found."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").startswith("kernlib."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(message, category, stacklevel=depth)
