"""The base class of kernels on strings, which computes Gram matrices by a kernel's table, block by block."""

import math
from collections.abc import Callable
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlib.numerics.blocks import run_in_threads
from kernlib.numerics.parameters import Parameters
from kernlib.strings.symbols import Strings, as_strings, encode

__all__ = ["Arithmetic", "Pairs", "StringKernel"]

LARGEST_SIDE = 128  # strings, of a block of pairs: large for numpy, but three numbers a pair fit in the cache
BLOCK_NUMBERS = 2**22  # at most, in the tables of a block: 32 MB


class Arithmetic(NamedTuple):
    """Sums and products of numbers ≥ 0, each represented by itself or by its logarithm."""

    plus: np.ufunc
    times: np.ufunc
    represent: Callable[[float], float]


NUMBERS = Arithmetic(np.add, np.multiply, float)
LOGARITHMS = Arithmetic(np.logaddexp, np.add, lambda value: float(np.log(float(value))))


class Pairs:
    """Each string of T with each of S, or, without T, each of S with itself; as columns of ``s``, ``t``."""

    def __init__(self, S: list[NDArray], T: list[NDArray] | None = None) -> None:
        self.s, self.t = pad(S, -1), pad(S if T is None else T, -2)  # these codes match nothing
        self.shape = (len(S),) if T is None else (len(T), len(S))
        if T is not None:
            self.symbols, ranks = np.unique(self.t, return_inverse=True)
            self.ranks = ranks.reshape(self.t.shape)

    def matches(self, i: int, weight: float, zero: float) -> Callable[[int], NDArray]:
        """Return the function of j that fills an array, the same each time, with weight[sᵢ = tⱼ], or zero."""
        if len(self.shape) == 1:
            return lambda j: np.where(self.s[i] == self.t[j], weight, zero)
        rows = np.where(self.symbols[:, None] == self.s[i], weight, zero)  # one row for each symbol of T
        out = np.empty(self.shape)
        return lambda j: rows.take(self.ranks[j], axis=0, out=out, mode="clip")


class StringKernel(Parameters):
    """A kernel κ(s, t) on strings, with Gram matrices for whole lists of strings.

    A subclass defines ``fill``: the textbook loop over the table of two strings, in which each entry is an
    array with one number for each pair of a block, or its logarithm where numbers overflow. A kernel without
    a table defines ``gram`` and ``diagonal`` instead. Chapter: The all-subsequences kernel.
    """

    decay: float = 1.0  # each value is 0 or at least decay^(|s| + |t|)
    length: int = 1  # how many tables `fill` holds at once

    def __call__(self, S: Strings, T: Strings | None = None, *, log: bool = False) -> NDArray:
        """Compute the Gram matrix Gᵢⱼ = κ(sᵢ, tⱼ), of shape (n, m), for lists of n and m strings, in float64.

        By default T is S, G is exactly symmetric, and half of it is computed. With `log` it holds log κ (−∞
        if κ = 0); without, a value beyond float64 is an OverflowError. G serves as ``kernel="precomputed"``,
        and costs as much as nm calls with two strings, at about a nanosecond an operation; logarithms, where
        numbers do not fit in float64, take tens of times longer.
        """
        return check_overflow(self.gram(*encode_lists(S, T), log))

    def diag(self, S: Strings, *, log: bool = False) -> NDArray:
        """Compute κ(sᵢ, sᵢ) or its logarithm for n strings: the diagonal, of shape (n,), of ``kernel(S)``."""
        return check_overflow(self.diagonal(encode_lists(S)[0], log))

    def normalized(self, S: Strings, T: Strings | None = None) -> NDArray:
        """Compute κ(sᵢ, tⱼ) / √(κ(sᵢ, sᵢ)κ(tⱼ, tⱼ)), the cosine of φ(sᵢ) and φ(tⱼ), of shape (n, m).

        The diagonal of ``normalized(S)`` is exactly 1; a string with φ(s) = 0 has 0 everywhere.
        """
        left, right = encode_lists(S, T)
        K = self.gram(left, right, log=True)
        d = K.diagonal().copy() if right is left else self.diagonal(left, log=True)
        e = d if right is left else self.diagonal(right, log=True)
        d, e = (np.where(norms > -np.inf, norms / 2, 0) for norms in (d, e))  # a κ of 0 remains 0
        K -= np.add.outer(d, e)
        return np.minimum(np.exp(K, out=K), 1, out=K)

    def fill(self, pairs: Pairs, arithmetic: Arithmetic) -> NDArray:
        """Fill the tables of all pairs, and return their last entries, κ of each pair."""
        raise NotImplementedError

    def gram(self, S: list[NDArray], T: list[NDArray], log: bool) -> NDArray:
        """Compute κ or log κ of encoded strings, blocks in threads; infinite or NaN beyond float64."""
        K = np.empty((len(S), len(T)))
        groups, others = self.group_by_length(S), self.group_by_length(T)
        blocks = combinations_with_replacement(groups, 2) if T is S else product(groups, others)

        def compute(block):
            rows, columns = block
            values = self.evaluate(Pairs([S[i] for i in rows], [T[j] for j in columns]), log).T
            if columns is rows:
                values = np.triu(values) + np.triu(values, 1).T
            K[np.ix_(rows, columns)] = values
            if T is S:
                K[np.ix_(columns, rows)] = values.T

        run_in_threads(compute, blocks)
        return K

    def diagonal(self, S: list[NDArray], log: bool) -> NDArray:
        """Compute κ(s, s) or log κ(s, s) of encoded strings, as `gram` does."""
        d = np.empty(len(S))
        for rows in self.group_by_length(S, alone=True):
            d[rows] = self.evaluate(Pairs([S[i] for i in rows]), log)
        return d

    def group_by_length(self, S: list[NDArray], alone: bool = False) -> list[NDArray]:
        """Group strings of similar length for the sides of blocks, or, with `alone`, for pairs (s, s)."""
        lengths = np.array([len(s) for s in S], dtype=int)
        rows = lengths.max(initial=0) + 1
        area = BLOCK_NUMBERS // (min(self.length, rows) * rows)  # further tables are all zeros
        side = min(max(1, math.isqrt(area)), LARGEST_SIDE)
        size = side**2 if alone else side
        return np.array_split(np.argsort(lengths, kind="stable"), max(1, -(-len(S) // size)))

    def evaluate(self, pairs: Pairs, log: bool) -> NDArray:
        """Compute κ or log κ of all pairs; in logarithms only if numbers would overflow or underflow."""
        with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
            K = self.fill(pairs, NUMBERS)
            if not log:
                return K
            smallest = float(self.decay) ** (len(pairs.s) + len(pairs.t))
            fits = np.isfinite(K).all() and (smallest > 1e-290 or K.min(initial=1) > 1e-290)
            return np.log(K) if fits else self.fill(pairs, LOGARITHMS)


def pad(strings, filler):
    """Write encoded strings into the columns of a matrix, and the filler below the short ones."""
    matrix = np.full((max(map(len, strings), default=0), len(strings)), filler)
    for column, s in enumerate(strings):
        matrix[: len(s), column] = s
    return matrix


def encode_lists(S: Strings, T: Strings | None = None) -> tuple[list[NDArray], list[NDArray]]:
    """Check two lists of strings and encode their symbols together; without T, return the same list twice."""
    lists = [as_strings(S)] if T is None else [as_strings(S), as_strings(T, "T")]
    encoded = encode(*lists)
    return encoded[0], encoded[-1]


def check_overflow(K):
    """Return a Gram matrix or a diagonal, or raise an error that names its first entry beyond float64."""
    if np.isfinite(K.max(initial=0)):  # a NaN is the maximum; −∞ is a logarithm
        return K
    entry = np.argwhere(np.isnan(K) | (K == np.inf))[0].tolist()
    raise OverflowError(f"κ is beyond float64, first at {entry}: use log=True or the normalized kernel.")
