"""The string kernels on lists: all subsequences, fixed-length, gap-weighted, and the p-spectrum."""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlib.numerics.validation import check_count, check_positive
from kernlib.strings.base import Arithmetic, Pairs, StringKernel
from kernlib.strings.gap_weighted import check_decay

__all__ = ["AllSubsequences", "FixedLength", "GapWeighted", "Spectrum"]

STRIP = 12  # columns of the table filled together, few enough to stay in the cache


@dataclass(frozen=True)
class AllSubsequences(StringKernel):
    """κ(s, t) = Σᵤ μ^|u| φᵤ(s)φᵤ(t), where φᵤ(s) counts the occurrences of u as a subsequence of s.

    O(|s||t|) a pair; `all_subsequences` is exact. Chapter: The all-subsequences kernel.

    Parameters
    ----------
    weight : float
        μ ≥ 0, the weight of a matched symbol; a small one favors short subsequences.
    """

    weight: float = 1.0

    def __post_init__(self):
        check_positive("weight", self.weight, or_zero=True)

    def fill(self, pairs: Pairs, arithmetic: Arithmetic) -> NDArray:
        plus, times, represent = arithmetic
        zero, one, mu = represent(0), represent(1), represent(self.weight)
        P = np.full((len(pairs.s), *pairs.shape), zero)  # the running sum of each row
        for start in range(0, len(pairs.t), STRIP):
            columns = range(len(pairs.t))[start : start + STRIP]
            DP = np.full((len(columns), *pairs.shape), one)  # row i of the table, in these columns
            for i, P_i in enumerate(P):
                match = pairs.matches(i, mu, zero)
                for j, above in zip(columns, DP, strict=True):
                    step = match(j)
                    times(step, above, out=step)  # μ[sᵢ = tⱼ] DP(i−1, j−1), before it is overwritten
                    plus(above, P_i, out=above)
                    plus(P_i, step, out=P_i)
        K = np.full(pairs.shape, one)  # DP(0, |t|), and from there down the last column
        for P_i in P:
            plus(K, P_i, out=K)
        return K


@dataclass(frozen=True)
class GapWeighted(StringKernel):
    """κ(s, t) = Σ_{|u|=k} φᵤ(s)φᵤ(t) with φᵤ(s) = Σ λ^(i_k − i₁ + 1) over the positions of u in s.

    O(k|s||t|) a pair; see `gap_weighted`. Source: Lodhi et al. (2002). Chapter: The all-subsequences kernel.

    Parameters
    ----------
    length : int
        k ≥ 1.
    decay : float
        0 < λ ≤ 1; a small one gives subsequences with gaps less weight.
    """

    length: int = 3
    decay: float = 0.5

    def __post_init__(self):
        object.__setattr__(self, "length", check_count("length", self.length, 1))
        object.__setattr__(self, "decay", check_decay(self.decay))
        check_positive("decay", self.decay)  # also as a float, which Gram matrices use

    def fill(self, pairs: Pairs, arithmetic: Arithmetic) -> NDArray:
        plus, times, represent = arithmetic
        zero, lam = represent(0), represent(self.decay)
        if self.length > min(len(pairs.s), len(pairs.t)):  # before so many tables are made
            return np.full(pairs.shape, zero)
        K = np.full((self.length, len(pairs.t) + 1, *pairs.shape), zero)  # row i of each K′_q
        K[0] = represent(1)
        K2, step, total = (np.full(pairs.shape, zero) for _ in range(3))
        for i in range(len(pairs.s)):
            match = pairs.matches(i, times(lam, lam), zero)
            for j in range(len(pairs.t)):
                plus(total, times(match(j), K[-1, j], out=step), out=total)
            for q in range(self.length - 1, 0, -1):  # downward, since K′_q needs row i−1 of K′_{q−1}
                K2.fill(zero)
                for j in range(len(pairs.t)):
                    times(match(j), K[q - 1, j], out=step)
                    plus(times(K2, lam, out=K2), step, out=K2)
                    plus(times(K[q, j + 1], lam, out=K[q, j + 1]), K2, out=K[q, j + 1])
        return total


@dataclass(frozen=True)
class FixedLength(GapWeighted):
    """κ(s, t) = Σ_{|u|=k} φᵤ(s)φᵤ(t), where φᵤ(s) counts the occurrences of u as a subsequence of s.

    O(k|s||t|) a pair: gap-weighted subsequences with λ = 1. Chapter: The all-subsequences kernel.

    Parameters
    ----------
    length : int
        k ≥ 1.
    """

    decay: float = field(default=1.0, init=False, repr=False)


@dataclass(frozen=True)
class Spectrum(StringKernel):
    """κ(s, t) = Σ_{|u|=p} φᵤ(s)φᵤ(t), where φᵤ(s) counts the occurrences of u as a substring of s.

    O(p|s|) a string for the features, which are few enough for a sparse product instead of tables. Source:
    Leslie, Eskin and Noble (2002). Chapter: The all-subsequences kernel.

    Parameters
    ----------
    length : int
        p ≥ 1; called `length` because p is the dimension elsewhere in the book.
    """

    length: int = 3

    def __post_init__(self):
        object.__setattr__(self, "length", check_count("length", self.length, 1))

    def features(self, strings: list[NDArray]) -> sparse.csr_array:
        """Count the substrings of length p of encoded strings: φ(s), one row for each string."""
        columns: dict[tuple, int] = {}
        entries = []
        for row, s in enumerate(strings):
            parts = Counter(tuple(s[i : i + self.length].tolist()) for i in range(len(s) - self.length + 1))
            entries += [(row, columns.setdefault(u, len(columns)), count) for u, count in parts.items()]
        rows, places, counts = np.array(entries, dtype=float).reshape(-1, 3).T
        shape = len(strings), max(1, len(columns))
        return sparse.csr_array((counts, (rows.astype(int), places.astype(int))), shape=shape)

    def gram(self, S: list[NDArray], T: list[NDArray], log: bool) -> NDArray:
        Phi = self.features(S if T is S else [*S, *T])
        K = (Phi[: len(S)] @ Phi[len(Phi.indptr) - 1 - len(T) :].T).toarray()
        with np.errstate(divide="ignore"):
            return np.log(K) if log else K

    def diagonal(self, S: list[NDArray], log: bool) -> NDArray:
        d = self.features(S).power(2).sum(axis=1)
        with np.errstate(divide="ignore"):
            return np.log(d) if log else d
