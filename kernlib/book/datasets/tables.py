"""Tables of numbers with two classes, and Letter Recognition, which is embedded in kernlib."""

import io
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlib.book.datasets.files import DataFile, read_embedded
from kernlib.book.row_limit import row_limit

__all__ = ["Dataset", "Part", "load_letters"]

LETTERS = DataFile("letters.csv", "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2")


class Part(NamedTuple):
    """Inputs and their labels.

    Parameters
    ----------
    X, y : ndarray of shape (n, p), ndarray of shape (n,)
        Inputs in float64, and labels, integers in {-1, +1}.
    """

    X: NDArray
    y: NDArray


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A training part and a test part.

    Parameters
    ----------
    name : str
        Short name, as used in the literature.
    source : str
        Where these rows came from: a phrase to print beside every result.
    train, test : Part
        The official split; ``data.train.X`` and ``X, y = data.train`` both work.
    """

    name: str
    source: str
    train: Part
    test: Part

    def __post_init__(self):
        """Keep at most `row_limit` rows of each part, and print that rows were left out."""
        most = row_limit()
        for name in ("train", "test"):
            part = getattr(self, name)
            if most is not None and len(part.y) > most:
                print(f"{self.name}: {most:,} of {len(part.y):,} {name} rows (KERNLIB_ROWS sets the limit)")
                object.__setattr__(self, name, Part(part.X[:most], part.y[:most]))

    def __repr__(self):
        return f"Dataset({self.name!r}, train={self.train.X.shape}, test={self.test.X.shape})"


def load_letters() -> Dataset:
    """Load Letter Recognition: A–M (+1) against N–Z (-1): 16 features, 16,000 training and 4,000 test rows.

    Returns
    -------
    Dataset
        ``train.X`` (16000, 16), ``test.X`` (4000, 16), C-ordered float64 with the integers 0 to 15; ``y`` in
        {-1, +1}, about half of each. The split is UCI's: the last 4,000 rows test.

    Raises
    ------
    OSError
        If the file is missing from ``data/`` or damaged.

    Notes
    -----
    129 kB on disk, 2.7 MB in memory, less than 0.1 s. 1,332 rows repeat an earlier one. Chapter: Kernels.

    References
    ----------
    P. W. Frey and D. J. Slate. Letter recognition using Holland-style adaptive classifiers. Machine
    Learning 6, 161–182, 1991.
    """
    table = np.loadtxt(io.BytesIO(read_embedded(LETTERS)), delimiter=",", converters={0: ord})
    X, y = np.ascontiguousarray(table[:, 1:]), np.where(table[:, 0] <= ord("M"), 1, -1)
    return Dataset(
        name="letters",
        source="UCI Letter Recognition, embedded in kernlib",
        train=Part(X[:16_000], y[:16_000]),
        test=Part(X[16_000:], y[16_000:]),
    )
