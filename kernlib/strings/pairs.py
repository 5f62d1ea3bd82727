"""All pairs of a tile of strings at once, in numbers or in logarithms.

Short strings are filled up with symbols that match nothing, which changes no kernel here.

Chapter: The all-subsequences kernel.
"""

import math
from dataclasses import dataclass

import numpy as np

from kernlib.strings.symbols import pad

__all__ = ["LOGARITHMS", "NUMBERS", "Arithmetic", "Grid", "Twins"]


@dataclass(frozen=True)
class Arithmetic:
    """
    How sums and products are taken: of numbers ≥ 0, or of their logarithms.

    Parameters
    ----------
    plus, times : numpy.ufunc
        Sum and product of two.
    zero, one : float
        What 0 and 1 are written as.
    log : bool
        Whether these are logarithms.
    """

    plus: np.ufunc
    times: np.ufunc
    zero: float
    one: float
    log: bool

    def of(self, value):
        """
        Write a number in this arithmetic.

        Parameters
        ----------
        value : float
            A number ≥ 0.

        Returns
        -------
        float
            The number, or its logarithm.
        """
        if not self.log:
            return float(value)
        return math.log(value) if value > 0 else -np.inf


NUMBERS = Arithmetic(np.add, np.multiply, 0.0, 1.0, log=False)
LOGARITHMS = Arithmetic(np.logaddexp, np.add, -np.inf, 0.0, log=True)


class Grid:
    """
    All pairs of a tile, s across and t down: an array with one number a pair has the shape (len(T), len(S)).

    Parameters
    ----------
    S, T : list of ndarray
        Strings of codes.

    Attributes
    ----------
    s, t : ndarray of shape (longest length, number of strings)
        Row i holds symbol i of every string.
    shape : tuple of int
        Of an array with one number a pair.
    """

    def __init__(self, S, T):
        self.s, self.t = pad(S, -1), pad(T, -2)
        self.shape = len(T), len(S)
        self.symbols, ranks = np.unique(self.t, return_inverse=True)
        self.ranks = ranks.reshape(self.t.shape)

    def matches(self, i, weight, zero):
        """
        Fix i, and give the function of j that says of all pairs at once whether sᵢ = tⱼ.

        Parameters
        ----------
        i : int
            Position in s, from 0 on.
        weight, zero : float
            What to write where the symbols match, and where not.

        Returns
        -------
        callable
            From j to an array with one number a pair, which the next call overwrites.
        """
        rows = np.where(self.symbols[:, None] == self.s[i], weight, zero)  # one row for each symbol of T
        out = np.empty(self.shape)
        return lambda j: rows.take(self.ranks[j], axis=0, out=out, mode="clip")


class Twins:
    """
    The pairs (s, s) alone, for the diagonal: an array with one number a pair has the shape (len(S),).

    Parameters
    ----------
    S : list of ndarray
        Strings of codes.

    Attributes
    ----------
    s, t : ndarray of shape (longest length, number of strings)
        Row i holds symbol i of every string.
    shape : tuple of int
        Of an array with one number a pair.
    """

    def __init__(self, S):
        self.s, self.t = pad(S, -1), pad(S, -2)
        self.shape = (len(S),)

    def matches(self, i, weight, zero):
        """
        Fix i, and give the function of j that says of all strings at once whether sᵢ = sⱼ.

        Parameters
        ----------
        i : int
            Position, from 0 on.
        weight, zero : float
            What to write where the symbols match, and where not.

        Returns
        -------
        callable
            From j to an array with one number a string.
        """
        return lambda j: np.where(self.s[i] == self.t[j], weight, zero)
