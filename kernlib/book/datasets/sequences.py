"""Strings with labels: splice junctions of DNA, and surnames of seven languages.

Both may be shared, are small, and come with kernlib.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from kernlib.book.datasets.files import RawFile, embedded

__all__ = ["Sequences", "load_splice", "load_surnames"]

SPLICE = RawFile(
    name="splice.csv",
    rows=3_186,
    size=219_065,
    sha256="9412c4578e002de47a2a41f4ef5183e070f328ace5ed0f756ab81a17af127a52",
)
SURNAMES = RawFile(
    name="surnames.csv",
    rows=2_700,
    size=41_433,
    sha256="0daf7a0949e239825fcd73a9bd7acd764224db2c4906af19249acf7da0aaac1b",
)


@dataclass(frozen=True, eq=False, repr=False)
class Sequences:
    """
    Strings, their labels, and what a reader must know about both.

    Parameters
    ----------
    name : str
        Short name.
    source : str
        Where these very rows came from: a phrase to print beside every result.
    strings : ndarray of shape (n,)
        Of str.
    y : ndarray of shape (n,)
        The label of each, of str.
    description : str
        What the rows are, how many, their licence and citation.
    """

    name: str
    source: str
    strings: np.ndarray
    y: np.ndarray
    description: str

    def __repr__(self):
        return f"Sequences({self.name!r}, n={len(self.y)}, labels={', '.join(np.unique(self.y))})"


def load_splice():
    """
    Load 3,000 different stretches of primate DNA, 60 letters each: donors, acceptors, and neither.

    A gene's exons are kept and its introns cut out. The middle of a stretch, between letters 30 and 31, is
    the end of an exon (679 donors), the end of an intron (669 acceptors), or nothing of the kind (1,652).

    Returns
    -------
    Sequences
        ``strings`` (3000,) over A, C, G, T; ``y`` in {"acceptor", "donor", "neither"}.

    Raises
    ------
    OSError
        The file is missing from ``data/``, or damaged.

    Notes
    -----
    The file has 3,186 rows. A sequence that comes again is loaded once, since the same string in a training
    and a test part would be a leak; the one that comes under two labels is left out. 55 kB on disk.

    Chapter: The all-subsequences kernel.

    References
    ----------
    M. O. Noordewier, G. G. Towell and J. W. Shavlik. Training knowledge-based neural networks to recognize
    genes in DNA sequences. NIPS 3, 1990.
    """
    rows = dict.fromkeys(read(SPLICE))
    times = Counter(string for _, string in rows)
    y, strings = zip(*(row for row in rows if times[row[1]] == 1), strict=True)
    return Sequences(
        name="splice",
        source="UCI splice junctions, embedded in kernlib",
        strings=np.array(strings),
        y=np.array(y),
        description=(
            "Stretches of 60 nucleotides of primate genes from GenBank 64.1, in the order of Statlog's table "
            "dna, which left out UCI's four rows with ambiguous letters; each sequence once. 679 donors, 669 "
            "acceptors, 1,652 neither. Licence: CC BY 4.0. Cite Molecular Biology (Splice-junction Gene "
            "Sequences), UCI Machine Learning Repository, 1991, doi:10.24432/C5M888, and Noordewier, Towell "
            "and Shavlik (1990)."
        ),
    )


def load_surnames():
    """
    Load 2,700 surnames of seven languages, written in the letters a to z.

    Returns
    -------
    Sequences
        ``strings`` (2700,) of 3 to 14 letters; ``y`` in {"English", "Finnish", "French", "German", "Italian",
        "Polish", "Spanish"}, 336 to 400 names each.

    Raises
    ------
    OSError
        The file is missing from ``data/``, or damaged.

    Notes
    -----
    Accents are dropped, which would give a language away; so are names of several words, and names that
    occur in two of the lists. 11 kB on disk.

    Chapter: The all-subsequences kernel.
    """
    y, strings = zip(*read(SURNAMES), strict=True)
    return Sequences(
        name="surnames",
        source="faker 40.54.0's lists of surnames, embedded in kernlib",
        strings=np.array(strings),
        y=np.array(y),
        description=(
            "Surnames of seven languages in the letters a to z, at most 400 of a language, taken at equal "
            "steps from its list in alphabetical order; no name occurs twice. From the Python package faker "
            "40.54.0, its locales en_GB, fi_FI, fr_FR, de_DE, it_IT, pl_PL and es_ES. Licence: MIT. Cite "
            "Daniele Faraglia and other contributors, Faker, https://github.com/joke2k/faker."
        ),
    )


def read(file):
    """Read the rows (label, string) of a file that kernlib carries, a comma between them."""
    return [tuple(line.split(",")) for line in embedded(file).decode("ascii").splitlines()]
