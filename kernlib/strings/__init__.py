"""Kernels on strings: on any sequences of symbols, compared by the subsequences that they share.

Three rooms: the all-subsequences kernel of two strings, algorithm by algorithm; its family, likewise; and
the kernels on whole lists of strings, as objects and as a step of a scikit-learn Pipeline. A string is any
sequence of hashable symbols (str by code point, bytes, tuple, list, 1-D array); the empty one counts.

Chapter: The all-subsequences kernel.
"""

from kernlib.strings.all_subsequences import (
    all_subsequences,
    log_all_subsequences,
    subsequence_counts,
    subsequence_table,
)
from kernlib.strings.base import StringKernel
from kernlib.strings.estimator import StringGram
from kernlib.strings.family import fixed_length, gap_weighted, spectrum
from kernlib.strings.kernels import AllSubsequences, FixedLength, GapWeighted, Spectrum

__all__ = [
    "AllSubsequences",
    "FixedLength",
    "GapWeighted",
    "Spectrum",
    "StringGram",
    "StringKernel",
    "all_subsequences",
    "fixed_length",
    "gap_weighted",
    "log_all_subsequences",
    "spectrum",
    "subsequence_counts",
    "subsequence_table",
]
