"""Strings with labels: splice junctions of DNA, and surnames of seven languages, embedded in kernlib."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernlib.book.datasets.files import DataFile, read_embedded

__all__ = ["Sequences", "load_splice", "load_surnames"]

SPLICE = DataFile("splice.csv", "9412c4578e002de47a2a41f4ef5183e070f328ace5ed0f756ab81a17af127a52")
SURNAMES = DataFile("surnames.csv", "0daf7a0949e239825fcd73a9bd7acd764224db2c4906af19249acf7da0aaac1b")


@dataclass(frozen=True, eq=False, repr=False)
class Sequences:
    """Strings and their labels.

    Parameters
    ----------
    source : str
        Where these rows came from: a phrase to print beside every result.
    strings, y : ndarray of shape (n,)
        The strings, and the label of each, a str too.
    """

    source: str
    strings: NDArray
    y: NDArray

    def __repr__(self):
        return f"Sequences(n={len(self.y)}, labels={', '.join(np.unique(self.y))})"


def load_splice() -> Sequences:
    """Load 3,000 different stretches of primate DNA, 60 letters each: donors, acceptors, and neither.

    A gene's exons are kept and its introns cut out. The middle of a stretch, between letters 30 and 31, is
    the end of an exon (679 donors), the end of an intron (669 acceptors), or neither (1,652).

    Returns
    -------
    Sequences
        ``strings`` (3000,) over A, C, G, T; ``y`` in {"acceptor", "donor", "neither"}.

    Raises
    ------
    OSError
        If the file is missing from ``data/`` or damaged.

    Notes
    -----
    A sequence that the file repeats is loaded once, because the same string in training and test rows would
    be a leak; one that has two labels is left out. 55 kB on disk. Chapter: The all-subsequences kernel.

    References
    ----------
    M. O. Noordewier, G. G. Towell and J. W. Shavlik. Training knowledge-based neural networks to recognize
    genes in DNA sequences. NIPS 3, 1990.
    """
    rows = dict.fromkeys(read(SPLICE))
    labels = Counter(string for _, string in rows)
    y, strings = zip(*(row for row in rows if labels[row[1]] == 1), strict=True)
    return Sequences(
        source="UCI splice junctions, embedded in kernlib",
        strings=np.array(strings),
        y=np.array(y),
    )


def load_surnames() -> Sequences:
    """Load 2,700 surnames of seven languages, written in the letters a to z.

    Returns
    -------
    Sequences
        ``strings`` (2700,) of 3 to 14 letters; ``y`` (2700,), such as "Finnish", 336 to 400 names of each.

    Raises
    ------
    OSError
        If the file is missing from ``data/`` or damaged.

    Notes
    -----
    Accents are dropped, because they would give the language away. Names of several words and names that
    occur in two of the lists are left out. 11 kB on disk. Chapter: The all-subsequences kernel.
    """
    y, strings = zip(*read(SURNAMES), strict=True)
    return Sequences(
        source="faker 40.54.0's lists of surnames, embedded in kernlib",
        strings=np.array(strings),
        y=np.array(y),
    )


def read(file):
    """Return the rows (label, string) of a file of two columns with a comma between them."""
    return [tuple(line.split(",")) for line in read_embedded(file).decode("ascii").splitlines()]
