"""What counts as a string, as a list of strings and as an exact number; and strings as rows of integers.

Chapter: The all-subsequences kernel.
"""

import numbers
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction

import numpy as np

from kernlib.numerics.validation import check_positive, describe

__all__ = ["as_exact", "as_strings", "as_symbols", "encode"]


def as_symbols(s, name="s"):
    """
    Give a string as the tuple of its symbols s₁, …, s_|s|.

    It is a str (its symbols are code points), bytes, a tuple, a list or a 1-D array, of hashable symbols, and
    may be empty; else the sentence calls it ``name``.
    """
    if not (isinstance(s, Sequence) or (isinstance(s, np.ndarray) and s.ndim == 1)):
        raise TypeError(f"{name} must be a sequence of symbols, got {describe(s)}.")
    # A number of numpy's compares with a tuple entry by entry; Python's own says yes or no.
    symbols = tuple(a.item() if isinstance(a, np.generic) else a for a in s)
    try:
        set(symbols)
    except TypeError:
        raise TypeError(f"{name} must hold hashable symbols, got {describe(s)}.") from None
    return symbols


def as_strings(S, name="S"):
    """
    Give a list of strings as a list of tuples of symbols; a 2-D array is a list of its rows.

    A single string, a table with one column, and what is no list or holds what is no string are refused.
    """
    if isinstance(S, str | bytes):
        raise TypeError(f"{name} must be a list of strings, got a single one: pass [{name}].")
    if isinstance(S, Mapping | Set) or not isinstance(S, Iterable):
        raise TypeError(f"{name} must be a list of strings, got {describe(S)}.")
    if getattr(S, "ndim", 1) != 1:  # iterating over a data frame would give the names of its columns
        S = np.asarray(S)
        if S.ndim != 2 or S.shape[1] == 1:
            raise TypeError(f"{name} must be a list of strings, got an array of shape {S.shape}.")
    return [as_symbols(s, f"{name}[{index}]") for index, s in enumerate(S)]


def as_exact(name, value):
    """
    Give a weight ≥ 0 as the Python number that decides the arithmetic: int, Fraction or float.

    An int and a Fraction make every result exact; numpy's numbers become Python's.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Rational):
        return check_positive(name, value, or_zero=True)
    if value < 0:
        raise ValueError(f"{name} must be zero or positive and finite, got {value}.")
    return int(value) if isinstance(value, numbers.Integral) else Fraction(value)


def encode(*lists):
    """Number the symbols of several lists from `as_strings`: equal ones get equal codes, from 0 on."""
    codes = {}
    return [
        [np.array([codes.setdefault(a, len(codes)) for a in s], dtype=np.int64) for s in strings]
        for strings in lists
    ]
