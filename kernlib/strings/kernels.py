"""The string kernels on lists: all subsequences, fixed-length, gap-weighted, and the p-spectrum.

Each ``fill`` is the table of the two-string function, with one number for every pair of a block.

Chapter: The all-subsequences kernel.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from kernlib.numerics.validation import check_count, check_positive
from kernlib.strings.base import StringKernel
from kernlib.strings.family import check_decay

__all__ = ["AllSubsequences", "FixedLength", "GapWeighted", "Spectrum"]

STRIP = 12  # columns of the table filled from top to bottom before the next: few enough to stay in a cache


@dataclass(frozen=True)
class AllSubsequences(StringKernel):
    """
    κ(s, t) = Σᵤ μ^|u| φᵤ(s)φᵤ(t), where φᵤ(s) counts the occurrences of u as a subsequence of s.

    Parameters
    ----------
    weight : float
        μ ≥ 0, the weight of a matched character: small, it favours short subsequences.

    Notes
    -----
    O(|s||t|) a pair. `all_subsequences` is the same for two strings, and exact.
    Chapter: The all-subsequences kernel.
    """

    weight: float = 1.0

    def __post_init__(self):
        check_positive("weight", self.weight, or_zero=True)

    def fill(self, pairs, arithmetic):
        plus, times, mu = arithmetic.plus, arithmetic.times, arithmetic.of(self.weight)
        P = np.full((len(pairs.s), *pairs.shape), arithmetic.zero)  # the running sum of each row, so far
        for start in range(0, len(pairs.t), STRIP):
            columns = range(len(pairs.t))[start : start + STRIP]
            DP = np.full((len(columns), *pairs.shape), arithmetic.one)  # row i of the table, in these columns
            for i, P_i in enumerate(P):
                match = pairs.matches(i, mu, arithmetic.zero)
                for j, above in zip(columns, DP, strict=True):
                    step = match(j)
                    times(step, above, out=step)  # μ[sᵢ = tⱼ] DP(i−1, j−1), read before it is overwritten
                    plus(above, P_i, out=above)
                    plus(P_i, step, out=P_i)
        K = np.full(pairs.shape, arithmetic.one)  # DP(0, |t|), and from there down the last column
        for P_i in P:
            plus(K, P_i, out=K)
        return K


@dataclass(frozen=True)
class GapWeighted(StringKernel):
    """
    κ(s, t) = Σ_{|u|=k} φᵤ(s)φᵤ(t) with φᵤ(s) = Σ λ^(i_k − i₁ + 1) over the positions of u in s.

    Parameters
    ----------
    length : int
        k ≥ 1.
    decay : float
        0 < λ ≤ 1: the smaller, the less a subsequence with gaps counts.

    Notes
    -----
    O(k|s||t|) a pair. `gap_weighted` is the same for two strings, and exact if λ is.
    Source: Lodhi et al. (2002). Chapter: The all-subsequences kernel.
    """

    length: int = 3
    decay: float = 0.5

    def __post_init__(self):
        object.__setattr__(self, "length", check_count("length", self.length, 1))
        object.__setattr__(self, "decay", check_decay(self.decay))
        check_positive("decay", self.decay)  # in float64, too, in which all lists are

    @property
    def layers(self):
        """The tables K′₀, …, K′_{k−1}."""
        return self.length

    def fill(self, pairs, arithmetic):
        if self.length > min(len(pairs.s), len(pairs.t)):  # before there are as many tables
            return np.full(pairs.shape, arithmetic.zero)
        plus, times, lam = arithmetic.plus, arithmetic.times, arithmetic.of(self.decay)
        K = np.full((self.length, len(pairs.t) + 1, *pairs.shape), arithmetic.zero)  # row i of each K′_q
        K[0] = arithmetic.one
        K2, step, total = (np.full(pairs.shape, arithmetic.zero) for _ in range(3))
        for i in range(len(pairs.s)):
            match = pairs.matches(i, times(lam, lam), arithmetic.zero)
            for j in range(len(pairs.t)):
                plus(total, times(match(j), K[-1, j], out=step), out=total)
            for q in range(self.length - 1, 0, -1):  # downwards: K′_q takes row i−1 of K′_{q−1}
                K2.fill(arithmetic.zero)
                for j in range(len(pairs.t)):
                    times(match(j), K[q - 1, j], out=step)
                    plus(times(K2, lam, out=K2), step, out=K2)
                    plus(times(K[q, j + 1], lam, out=K[q, j + 1]), K2, out=K[q, j + 1])
        return total


@dataclass(frozen=True)
class FixedLength(StringKernel):
    """
    κ(s, t) = Σ_{|u|=k} φᵤ(s)φᵤ(t), where φᵤ(s) counts the occurrences of u as a subsequence of s.

    Parameters
    ----------
    length : int
        k ≥ 1.

    Notes
    -----
    O(k|s||t|) a pair: gap-weighted subsequences with λ = 1. Chapter: The all-subsequences kernel.
    """

    length: int = 3

    def __post_init__(self):
        object.__setattr__(self, "length", check_count("length", self.length, 1))

    @property
    def layers(self):
        """The tables of lengths 0, …, k−1."""
        return self.length

    def fill(self, pairs, arithmetic):
        return GapWeighted(self.length, 1.0).fill(pairs, arithmetic)


@dataclass(frozen=True)
class Spectrum(StringKernel):
    """
    κ(s, t) = Σ_{|u|=p} φᵤ(s)φᵤ(t), where φᵤ(s) counts the occurrences of u as a contiguous part of s.

    Parameters
    ----------
    length : int
        p ≥ 1, which is `length` here because p is the dimension everywhere else in the book.

    Notes
    -----
    The features are few enough to write down, O(p|s|) for a string: no table, one sparse product.
    Source: Leslie, Eskin and Noble (2002). Chapter: The all-subsequences kernel.
    """

    length: int = 3

    def __post_init__(self):
        object.__setattr__(self, "length", check_count("length", self.length, 1))

    def features(self, strings):
        """Count the contiguous parts of length p of encoded strings: φ(s), one row a string."""
        columns, entries = {}, []
        for row, s in enumerate(strings):
            parts = Counter(tuple(s[i : i + self.length].tolist()) for i in range(len(s) - self.length + 1))
            entries += [(row, columns.setdefault(u, len(columns)), count) for u, count in parts.items()]
        rows, places, counts = np.array(entries, dtype=float).reshape(-1, 3).T
        shape = len(strings), max(1, len(columns))
        return sparse.csr_array((counts, (rows.astype(int), places.astype(int))), shape=shape)

    def gram(self, S, T, log):
        Phi = self.features(S if T is S else [*S, *T])
        K = (Phi[: len(S)] @ Phi[len(Phi.indptr) - 1 - len(T) :].T).toarray()
        with np.errstate(divide="ignore"):
            return np.log(K) if log else K

    def diagonal(self, S, log):
        d = self.features(S).power(2).sum(axis=1)
        with np.errstate(divide="ignore"):
            return np.log(d) if log else d
