"""What counts as a string, as a list of strings and as an exact number; and strings as arrays of integers."""

import numbers
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlib.numerics.validation import check_positive, describe

__all__ = ["Number", "String", "Strings", "as_exact", "as_strings", "as_symbols", "encode"]

String = Sequence[Hashable] | NDArray  # str, bytes, tuple, list or 1-D array, of hashable symbols
Strings = Iterable[String]
Number = int | Fraction | float


def as_symbols(s: Any, name: str = "s") -> tuple:
    """Convert a string, which may be empty, to the tuple of its symbols; error messages call it ``name``."""
    if not (isinstance(s, Sequence) or (isinstance(s, np.ndarray) and s.ndim == 1)):
        raise TypeError(f"{name} must be a sequence of symbols, got {describe(s)}.")
    # a number of numpy's compares with a tuple entry by entry; Python's own gives a single bool
    symbols = tuple(a.item() if isinstance(a, np.generic) else a for a in s)
    try:
        set(symbols)
    except TypeError:
        raise TypeError(f"{name} must hold hashable symbols, got {describe(s)}.") from None
    return symbols


def as_strings(S: Any, name: str = "S") -> list[tuple]:
    """Convert a list of strings to a list of tuples of symbols; a 2-D array is a list of its rows."""
    if isinstance(S, str | bytes):
        raise TypeError(f"{name} must be a list of strings, got a single one: pass [{name}].")
    if isinstance(S, Mapping | Set) or not isinstance(S, Iterable):
        raise TypeError(f"{name} must be a list of strings, got {describe(S)}.")
    if getattr(S, "ndim", 1) != 1:  # iterating over a data frame would give the names of its columns
        S = np.asarray(S)
        if S.ndim != 2 or S.shape[1] == 1:
            raise TypeError(f"{name} must be a list of strings, got an array of shape {S.shape}.")
    return [as_symbols(s, f"{name}[{index}]") for index, s in enumerate(S)]


def as_exact(name: str, value: Any) -> Number:
    """Convert a weight ≥ 0 to a Python number; with an int or a Fraction, all results are exact."""
    if isinstance(value, bool) or not isinstance(value, numbers.Rational):
        return check_positive(name, value, or_zero=True)
    if value < 0:
        raise ValueError(f"{name} must be zero or positive and finite, got {value}.")
    return int(value) if isinstance(value, numbers.Integral) else Fraction(value)


def encode(*lists: list[tuple]) -> list[list[NDArray]]:
    """Replace the symbols of several lists from `as_strings` by integers ≥ 0, equal ones by the same."""
    codes: dict[Hashable, int] = {}
    return [
        [np.array([codes.setdefault(a, len(codes)) for a in s], dtype=np.int64) for s in strings]
        for strings in lists
    ]
