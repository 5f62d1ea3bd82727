"""Self-checks of the book's exercises, one module per chapter.

A check prints one line that starts with ✓, or raises an AssertionError with one sentence: what was expected,
what came and, if it can tell, the usual mistake. An untouched stub is reported as not done yet. The sentence
comes whatever the student's function does; only an endless loop has to be interrupted by hand.
"""

from functools import cache

import numpy as np
from sklearn import preprocessing

from kernlib.book.datasets import load_letters

__all__ = ["labels", "letters"]


def letters(n: int) -> np.ndarray:
    """Load the first n letters of the training set, standardized, for an exercise on real data.

    Parameters
    ----------
    n : int
        How many, at most 16,000.

    Returns
    -------
    ndarray of shape (n, 16)
        Columns of mean 0 and standard deviation 1.
    """
    return standardize(n).copy()


def labels(n: int) -> np.ndarray:
    """Load the labels of the first n letters, +1 for A to M and -1 for N to Z.

    Parameters
    ----------
    n : int
        How many, at most 16,000.

    Returns
    -------
    ndarray of shape (n,)
        Floats.
    """
    return read().y[:n].astype(float)


@cache
def read():
    """Load the training set of the letters."""
    return load_letters().train


@cache
def standardize(n):
    """Standardize the first n letters, in an array that nobody changes."""
    return preprocessing.StandardScaler().fit_transform(read().X[:n])
