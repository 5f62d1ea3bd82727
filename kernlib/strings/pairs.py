"""The pairs of strings of one block, and the two arithmetics that fill a kernel's table for all of them.

A position i is a row: symbol i of every string. Short strings are filled up with symbols that match nothing,
which changes no kernel here.

Chapter: The all-subsequences kernel.
"""

import math
from dataclasses import dataclass

import numpy as np

__all__ = ["LOGARITHMS", "NUMBERS", "AllPairs", "SelfPairs"]


@dataclass(frozen=True)
class Arithmetic:
    """How sums and products are taken: of numbers ≥ 0, or of their logarithms."""

    plus: np.ufunc
    times: np.ufunc
    zero: float  # what 0 and 1 are written as
    one: float
    log: bool

    def of(self, value):
        """Write a number ≥ 0 in this arithmetic."""
        if not self.log:
            return float(value)
        return math.log(value) if value > 0 else -np.inf


NUMBERS = Arithmetic(np.add, np.multiply, 0.0, 1.0, log=False)
LOGARITHMS = Arithmetic(np.logaddexp, np.add, -np.inf, 0.0, log=True)


class AllPairs:
    """
    Every string s of S with every t of T: a block of a Gram matrix.

    An array with one number a pair has the ``shape`` (len(T), len(S)); ``s``, ``t`` hold a string a column.
    """

    def __init__(self, S, T):
        self.s, self.t = pad(S, -1), pad(T, -2)
        self.shape = len(T), len(S)
        self.symbols, ranks = np.unique(self.t, return_inverse=True)
        self.ranks = ranks.reshape(self.t.shape)

    def matches(self, i, weight, zero):
        """
        Fix i, and give the function of j that writes, for all pairs, ``weight`` where sᵢ = tⱼ, else ``zero``.

        Each call overwrites the array that the last one gave.
        """
        rows = np.where(self.symbols[:, None] == self.s[i], weight, zero)  # one row for each symbol of T
        out = np.empty(self.shape)
        return lambda j: rows.take(self.ranks[j], axis=0, out=out, mode="clip")


class SelfPairs:
    """
    Every string s of S with itself alone: a piece of a Gram matrix's diagonal.

    An array with one number a pair has the ``shape`` (len(S),); the rest is as in `AllPairs`.
    """

    def __init__(self, S):
        self.s, self.t = pad(S, -1), pad(S, -2)
        self.shape = (len(S),)

    def matches(self, i, weight, zero):
        """Fix i, and give the function of j that writes ``weight`` where sᵢ = sⱼ, else ``zero``."""
        return lambda j: np.where(self.s[i] == self.t[j], weight, zero)


def pad(strings, filler):
    """
    Write strings of codes side by side, each a column, the short ones filled up below.

    The filler is negative, no symbol's code; two matrices with different ones never match beyond an end.
    """
    matrix = np.full((max(map(len, strings), default=0), len(strings)), filler)
    for column, s in enumerate(strings):
        matrix[: len(s), column] = s
    return matrix
