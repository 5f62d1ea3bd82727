"""The letters of the exercises on real data, and their labels."""

from functools import cache

from sklearn.preprocessing import StandardScaler

from kernlib.book.datasets import load_letters

__all__ = ["labels", "letters"]


def letters(n):
    """
    Give the first n letters of the training set, standardised, for an exercise on real data.

    Parameters
    ----------
    n : int
        How many, at most 16,000.

    Returns
    -------
    ndarray of shape (n, 16)
        Columns of mean 0 and standard deviation 1.
    """
    return standardised(n).copy()


def labels(n):
    """
    Give the labels of the first n letters, +1 for A to M and -1 for N to Z.

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
    """The training set."""
    return load_letters().train


@cache
def standardised(n):
    """The rows, which nobody changes."""
    return StandardScaler().fit_transform(read().X[:n])
