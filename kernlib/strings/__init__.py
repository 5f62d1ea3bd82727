"""Kernels on strings, which compare sequences of symbols by the subsequences that they share.

A string is any sequence of hashable symbols (a str by code point, bytes, a tuple, a list, a 1-D array), also
the empty one. ``all_subsequences`` and ``gap_weighted`` have the algorithms for two strings, ``kernels``
those for lists of strings. Chapter: The all-subsequences kernel.
"""

from kernlib.strings.all_subsequences import all_subsequences, log_all_subsequences, subsequence_counts
from kernlib.strings.base import StringKernel
from kernlib.strings.estimator import StringGram
from kernlib.strings.gap_weighted import gap_weighted
from kernlib.strings.kernels import AllSubsequences, FixedLength, GapWeighted, Spectrum

__all__ = [
    "AllSubsequences", "FixedLength", "GapWeighted", "Spectrum", "StringGram", "StringKernel",
    "all_subsequences", "gap_weighted", "log_all_subsequences", "subsequence_counts",
]  # fmt: skip
