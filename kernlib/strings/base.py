"""Gram matrices of whole lists of strings: the textbook loop, with each number replaced by a tile of pairs.

A tile takes some strings across and some down, and its table DP(i, j) holds the number of every pair at
once. The same loop runs in logarithms, where products are sums, and sums are ``np.logaddexp``.

Chapter: The all-subsequences kernel.
"""

import math

import numpy as np

from kernlib.strings.pairs import LOGARITHMS, NUMBERS, Grid, Twins
from kernlib.strings.symbols import as_strings, encode

__all__ = ["StringKernel"]

LARGEST_SIDE = 128  # of a tile: a call's own time no longer counts, and three numbers a pair fit in the cache
TILE_NUMBERS = 2**22  # at most, in the tables of a tile: 32 MB


class StringKernel:
    """
    A kernel κ(s, t) on strings, whose Gram matrices are computed for whole lists.

    A new kernel gives ``fill``, its table in either arithmetic, or ``gram`` and ``twins``.

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
        memory and the tables of one tile. Logarithms are taken of the numbers where these fit in float64,
        and computed throughout, tens of times slower, only in tiles where they don't.
        """
        S, T = encode_two(S, T)
        return self.refuse_overflow(self.gram(S, T, log))

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
            The diagonal of ``kernel(S, log=log)``.

        Raises
        ------
        TypeError
            If S is not a list of sequences of hashable symbols.
        OverflowError
            If a value is beyond float64 and log is false.
        """
        S, _ = encode_two(S)
        return self.refuse_overflow(self.twins(S, log))

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
            features, φ(s) = 0, has 0 everywhere.

        Raises
        ------
        TypeError
            If S or T is not a list of sequences of hashable symbols.

        Notes
        -----
        Taken in logarithms, so it never overflows.
        """
        S, T = encode_two(S, T)
        K, d = self.gram(S, T, log=True), self.twins(S, log=True)
        if T is S:
            np.fill_diagonal(K, d)
        e = d if T is S else self.twins(T, log=True)
        d, e = (np.where(norms > -np.inf, norms / 2, 0) for norms in (d, e))  # a κ of 0 stays 0
        K -= np.add.outer(d, e)
        return np.minimum(np.exp(K, out=K), 1, out=K)

    def fill(self, pairs, arithmetic):
        """
        Fill the table of all pairs and give its last entry.

        Parameters
        ----------
        pairs : Grid or Twins
            The strings.
        arithmetic : Arithmetic
            Numbers or logarithms.

        Returns
        -------
        ndarray of shape pairs.shape
            κ of each pair.
        """
        raise NotImplementedError

    def gram(self, S, T, log):
        """
        Compute the Gram matrix of encoded strings, tile by tile, or its logarithms.

        Parameters
        ----------
        S, T : list of ndarray
            Strings of codes; the same object twice gives an exactly symmetric matrix.
        log : bool
            Whether to give log κ.

        Returns
        -------
        ndarray of shape (n, m)
            Infinite or NaN where it is beyond float64.
        """
        K = np.empty((len(S), len(T)))
        down = self.tiles(S)
        across = down if T is S else self.tiles(T)
        for number, rows in enumerate(down):
            for columns in across[number:] if T is S else across:
                tile = self.either(Grid([S[i] for i in rows], [T[j] for j in columns]), log).T
                if columns is rows:
                    tile = np.triu(tile) + np.triu(tile, 1).T
                K[np.ix_(rows, columns)] = tile
                if T is S:
                    K[np.ix_(columns, rows)] = tile.T
        return K

    def twins(self, S, log):
        """
        Compute κ(s, s) of encoded strings, or its logarithms.

        Parameters
        ----------
        S : list of ndarray
            Strings of codes.
        log : bool
            Whether to give log κ.

        Returns
        -------
        ndarray of shape (n,)
            Infinite or NaN where it is beyond float64.
        """
        d = np.empty(len(S))
        for rows in self.tiles(S, flat=True):
            d[rows] = self.either(Twins([S[i] for i in rows]), log)
        return d

    def tiles(self, S, flat=False):
        """
        Divide the strings among tiles, those of about equal length together.

        Parameters
        ----------
        S : list of ndarray
            Strings of codes.
        flat : bool
            Whether a tile holds pairs (s, s) only.

        Returns
        -------
        list of ndarray of int
            Positions in S, by length; at least one array.
        """
        lengths = np.array([len(s) for s in S], dtype=int)
        rows = lengths.max(initial=0) + 1
        area = TILE_NUMBERS // (min(self.layers, rows) * rows)  # more tables than rows hold nothing but zeros
        side = min(max(1, math.isqrt(area)), LARGEST_SIDE)
        size = side**2 if flat else side
        return np.array_split(np.argsort(lengths, kind="stable"), max(1, -(-len(S) // size)))

    def either(self, pairs, log):
        """
        Fill a table in numbers, and again in logarithms if these are wanted and the numbers didn't fit.

        Parameters
        ----------
        pairs : Grid or Twins
            The strings.
        log : bool
            Whether to give log κ.

        Returns
        -------
        ndarray of shape pairs.shape
            κ or log κ of each pair.
        """
        with np.errstate(over="ignore", under="ignore", invalid="ignore", divide="ignore"):
            K = self.fill(pairs, NUMBERS)
            if not log:
                return K
            smallest = float(self.decay) ** (len(pairs.s) + len(pairs.t))
            fits = np.isfinite(K).all() and (smallest > 1e-290 or K.min(initial=1) > 1e-290)
            return np.log(K) if fits else self.fill(pairs, LOGARITHMS)

    def refuse_overflow(self, K):
        """
        Refuse values beyond float64, and say where the first one is.

        Parameters
        ----------
        K : ndarray
            A Gram matrix or its diagonal.

        Returns
        -------
        ndarray
            K itself.

        Raises
        ------
        OverflowError
            If an entry is NaN or +∞.
        """
        if np.isfinite(K.max(initial=0)):  # a NaN propagates; −∞ is a logarithm
            return K
        entry = np.argwhere(np.isnan(K) | (K == np.inf))[0].tolist()
        raise OverflowError(
            f"κ is beyond float64, first at {entry}: use the log scale (log=True) or the normalised kernel."
        )


def encode_two(S, T=None):
    """
    Check two lists of strings and number their symbols together.

    Parameters
    ----------
    S, T : iterable of sequences of hashable
        Lists of strings; T is S where it is not given.

    Returns
    -------
    S, T : list of ndarray
        Strings of codes; the same object twice if T is not given.
    """
    if T is None:
        (S,) = encode(as_strings(S))
        return S, S
    return tuple(encode(as_strings(S), as_strings(T, "T")))
