"""Start here: what every kernel on strings is, and how it computes whole Gram matrices.

A kernel is a subclass of `StringKernel` with its formula: ``kernels`` has four. Their matrices are filled by
the textbook loop with each number replaced by a block of pairs: some strings across and some down, and the
table DP(i, j) holds the number of every pair at once. The same loop runs in logarithms, where products are
sums, and sums are ``np.logaddexp``; ``pairs`` has the blocks and both arithmetics.

Beside it: ``symbols`` says what counts as a string, ``all_subsequences`` and ``family`` show the algorithms
for two strings, and ``estimator`` is the step of a scikit-learn Pipeline.

Chapter: The all-subsequences kernel.
"""

import math

import numpy as np

from kernlib.numerics.blocks import run_in_threads
from kernlib.strings.pairs import LOGARITHMS, NUMBERS, AllPairs, SelfPairs
from kernlib.strings.symbols import as_strings, encode

__all__ = ["StringKernel"]

LARGEST_SIDE = (
    128  # of a block: a call's own time no longer counts, and three numbers a pair fit in the cache
)
BLOCK_NUMBERS = 2**22  # at most, in the tables of a block: 32 MB


class StringKernel:
    """
    A kernel κ(s, t) on strings, whose Gram matrices are computed for whole lists.

    A new kernel gives ``fill``, its table in either arithmetic; or, where it has no table, ``gram`` and
    ``diagonal``.

    Notes
    -----
    Chapter: The all-subsequences kernel.
    """

    layers = 1  # tables that the kernel fills at once
    decay = 1.0  # each value is 0 or at least decay^(|s| + |t|)

    def __call__(self, S, T=None, *, log=False):
        """
        Compute the Gram matrix Gᵢⱼ = κ(sᵢ, tⱼ), or its logarithms.

        Parameters
        ----------
        S, T : iterable of sequences of hashable
            Lists of strings, n and m of them; T is S where it is not given, G is then exactly symmetric,
            and only half of it is computed. An empty list gives an empty matrix.
        log : bool
            Whether to give log κ, which no length overflows (−∞ where κ = 0).

        Returns
        -------
        ndarray of shape (n, m)
            In float64; ready for ``kernel="precomputed"``.

        Raises
        ------
        TypeError
            If S or T is not a list of sequences of hashable symbols.
        OverflowError
            If a value is beyond float64 and log is false.

        Notes
        -----
        As many operations as nm pairs of the two-string function, at about a nanosecond each; nm numbers of
        memory and, for each core, the tables of one block. Logarithms are taken of the numbers where these
        fit in float64, and computed throughout, tens of times slower, only in blocks where they don't.
        """
        S, T = encode_two(S, T)
        return refuse_overflow(self.gram(S, T, log))

    def diag(self, S, *, log=False):
        """
        Compute κ(sᵢ, sᵢ) for each string, without the matrix around it, or its logarithm.

        Parameters
        ----------
        S : iterable of sequences of hashable
            A list of n strings.
        log : bool
            Whether to give log κ.

        Returns
        -------
        ndarray of shape (n,)
            The diagonal of ``kernel(S, log=log)``, with its errors.
        """
        S, _ = encode_two(S)
        return refuse_overflow(self.diagonal(S, log))

    def normalised(self, S, T=None):
        """
        Compute κ(sᵢ, tⱼ) / √(κ(sᵢ, sᵢ)κ(tⱼ, tⱼ)), the cosine of φ(sᵢ) and φ(tⱼ).

        Parameters
        ----------
        S, T : iterable of sequences of hashable
            Lists of strings, n and m of them; T is S where it is not given.

        Returns
        -------
        ndarray of shape (n, m)
            From 0 to 1; exactly 1 on the diagonal of ``normalised(S)``, except that a string without
            features, φ(s) = 0, has 0 everywhere. Taken in logarithms, so it never overflows.
        """
        S, T = encode_two(S, T)
        K, d = self.gram(S, T, log=True), self.diagonal(S, log=True)
        if T is S:
            np.fill_diagonal(K, d)
        e = d if T is S else self.diagonal(T, log=True)
        d, e = (np.where(norms > -np.inf, norms / 2, 0) for norms in (d, e))  # a κ of 0 stays 0
        K -= np.add.outer(d, e)
        return np.minimum(np.exp(K, out=K), 1, out=K)

    def fill(self, pairs, arithmetic):
        """Fill the table of all pairs, an `AllPairs` or `SelfPairs`, and give its last entry, κ of each."""
        raise NotImplementedError

    def gram(self, S, T, log):
        """Compute κ or log κ of encoded strings, blocks in threads; infinite or NaN where beyond float64."""
        K = np.empty((len(S), len(T)))
        down = self.blocks(S)
        across = down if T is S else self.blocks(T)

        def compute(block):
            rows, columns = block
            values = self.evaluate(AllPairs([S[i] for i in rows], [T[j] for j in columns]), log).T
            if columns is rows:
                values = np.triu(values) + np.triu(values, 1).T
            K[np.ix_(rows, columns)] = values
            if T is S:
                K[np.ix_(columns, rows)] = values.T

        run_in_threads(
            compute,
            ((rows, columns) for i, rows in enumerate(down) for columns in across[i if T is S else 0 :]),
        )
        return K

    def diagonal(self, S, log):
        """Compute κ(s, s) or its logarithm, as `gram` does."""
        d = np.empty(len(S))
        for rows in self.blocks(S, flat=True):
            d[rows] = self.evaluate(SelfPairs([S[i] for i in rows]), log)
        return d

    def blocks(self, S, flat=False):
        """
        Divide strings among blocks, those of about equal length together, and give their positions in S.

        There is one array at least; a flat block holds pairs (s, s) only.
        """
        lengths = np.array([len(s) for s in S], dtype=int)
        rows = lengths.max(initial=0) + 1
        area = BLOCK_NUMBERS // (min(self.layers, rows) * rows)  # tables beyond the rows hold only zeros
        side = min(max(1, math.isqrt(area)), LARGEST_SIDE)
        size = side**2 if flat else side
        return np.array_split(np.argsort(lengths, kind="stable"), max(1, -(-len(S) // size)))

    def evaluate(self, pairs, log):
        """Fill a table in numbers; and in logarithms where these are wanted and the numbers don't fit."""
        with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
            K = self.fill(pairs, NUMBERS)
            if not log:
                return K
            smallest = float(self.decay) ** (len(pairs.s) + len(pairs.t))
            fits = np.isfinite(K).all() and (smallest > 1e-290 or K.min(initial=1) > 1e-290)
            return np.log(K) if fits else self.fill(pairs, LOGARITHMS)


def encode_two(S, T=None):
    """Check two lists of strings and number their symbols together; the same object twice if T is None."""
    if T is None:
        (S,) = encode(as_strings(S))
        return S, S
    return tuple(encode(as_strings(S), as_strings(T, "T")))


def refuse_overflow(K):
    """Give a Gram matrix or its diagonal back, or refuse one beyond float64 and say where that is first."""
    if np.isfinite(K.max(initial=0)):  # a NaN propagates; −∞ is a logarithm
        return K
    entry = np.argwhere(np.isnan(K) | (K == np.inf))[0].tolist()
    raise OverflowError(
        f"κ is beyond float64, first at {entry}: use the log scale (log=True) or the normalised kernel."
    )
