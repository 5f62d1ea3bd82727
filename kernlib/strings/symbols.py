"""What counts as a string, as a list of strings and as an exact number; and strings as rows of integers.

Chapter: The all-subsequences kernel.
"""

import numbers
from collections.abc import Iterable, Mapping, Sequence, Set
from fractions import Fraction

import numpy as np

from kernlib.validation import check_positive, shown

__all__ = ["as_exact", "as_strings", "as_symbols", "encode", "pad"]


def as_symbols(s, name="s"):
    """
    Give a string as the tuple of its symbols s₁, …, s_|s|.

    Parameters
    ----------
    s : sequence of hashable
        A str (its symbols are code points), bytes, a tuple, a list or a 1-D array; may be empty.
    name : str
        What to call it in the sentence.

    Returns
    -------
    tuple
        The symbols in their order.

    Raises
    ------
    TypeError
        If it is no sequence, or a symbol is not hashable.
    """
    if not (isinstance(s, Sequence) or (isinstance(s, np.ndarray) and s.ndim == 1)):
        raise TypeError(f"{name} must be a sequence of symbols, got {shown(s)}.")
    # A number of numpy's compares with a tuple entry by entry; Python's own says yes or no.
    symbols = tuple(a.item() if isinstance(a, np.generic) else a for a in s)
    try:
        set(symbols)
    except TypeError as error:
        raise TypeError(f"{name} must hold hashable symbols, got an {error}.") from None
    return symbols


def as_strings(S, name="S"):
    """
    Give a list of strings as a list of tuples of symbols.

    Parameters
    ----------
    S : iterable of sequences of hashable
        The strings; may be empty. A 2-D array is a list of its rows.
    name : str
        What to call it in the sentence.

    Returns
    -------
    list of tuple
        The symbols of each string.

    Raises
    ------
    TypeError
        If it is a single string, a table with one column, or not iterable, or if an item is no string.
    """
    if isinstance(S, str | bytes):
        raise TypeError(f"{name} must be a list of strings, got a single one: pass [{name}].")
    if isinstance(S, Mapping | Set) or not isinstance(S, Iterable):
        raise TypeError(f"{name} must be a list of strings, got {shown(S)}.")
    if getattr(S, "ndim", 1) != 1:  # iterating over a data frame would give the names of its columns
        S = np.asarray(S)
        if S.ndim != 2 or S.shape[1] == 1:
            raise TypeError(f"{name} must be a list of strings, got an array of shape {S.shape}.")
    return [as_symbols(s, f"{name}[{index}]") for index, s in enumerate(S)]


def as_exact(name, value):
    """
    Give a weight as the Python number that decides the arithmetic: int, Fraction or float.

    Parameters
    ----------
    name : str
        What to call it in the sentence.
    value : int, Fraction or float
        Zero or positive. An int and a Fraction make every result exact; numpy's numbers become Python's.

    Returns
    -------
    int, Fraction or float
        The same number.

    Raises
    ------
    TypeError, ValueError
        If it is not a number, or is negative or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Rational):
        return check_positive(name, value, or_zero=True)
    if value < 0:
        raise ValueError(f"{name} must be zero or positive and finite, got {value}.")
    return int(value) if isinstance(value, numbers.Integral) else Fraction(value)


def encode(*lists):
    """
    Number the symbols of several lists of strings: equal symbols get equal codes, from 0 on.

    Parameters
    ----------
    *lists : list of tuple
        What `as_strings` gives.

    Returns
    -------
    list of list of ndarray
        The same lists, each string an array of integers.
    """
    codes = {}
    return [
        [np.array([codes.setdefault(a, len(codes)) for a in s], dtype=np.int64) for s in strings]
        for strings in lists
    ]


def pad(strings, filler):
    """
    Write strings of codes side by side, each a column, the short ones filled up below.

    Parameters
    ----------
    strings : list of ndarray
        Codes, from 0 on.
    filler : int
        A negative number, which is no symbol's code; two matrices with different fillers never match
        beyond an end.

    Returns
    -------
    ndarray of shape (longest length, len(strings))
        Row i holds symbol i of every string.
    """
    matrix = np.full((max(map(len, strings), default=0), len(strings)), filler)
    for column, s in enumerate(strings):
        matrix[: len(s), column] = s
    return matrix
