"""Tables of numbers in two classes: ijcnn1 and Letter Recognition.

``ijcnn1`` states no licence, so kernlib never carries it: `load_ijcnn1` looks in a folder of yours, in a
cache and on the network. Letter Recognition may be shared, is small, and comes with kernlib.
"""

import io
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_svmlight_file

from kernlib.book.datasets.files import RawFile, embedded
from kernlib.book.datasets.places import find
from kernlib.book.row_limit import row_limit

__all__ = ["Dataset", "Part", "load_ijcnn1", "load_letters"]


class Part(NamedTuple):
    """
    Inputs and their labels.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        In float64.
    y : ndarray of shape (n,)
        Integers in {-1, +1}.
    """

    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """
    A training part, a test part, and what a reader must know about both.

    Parameters
    ----------
    name : str
        Short name, as used in the literature.
    source : str
        Where these very rows came from: a phrase to print beside every result.
    train, test : Part
        The official split; ``data.train.X`` and ``X, y = data.train`` both work.
    feature_names : tuple of str
        One name per column of ``X``.
    target_names : dict
        Meaning of the labels -1 and +1.
    description : str
        What the rows are, how many, their licence and citation.
    """

    name: str
    source: str
    train: Part
    test: Part
    feature_names: tuple[str, ...]
    target_names: dict[int, str]
    description: str

    def __post_init__(self):
        """Keep as many rows of each part as `row_limit` allows, and say so."""
        most = row_limit()
        for name in ("train", "test"):
            part = getattr(self, name)
            if most is not None and len(part.y) > most:
                print(f"{self.name}: {most:,} of {len(part.y):,} {name} rows (KERNLIB_ROWS says how many)")
                object.__setattr__(self, name, Part(part.X[:most], part.y[:most]))

    def __repr__(self):
        return f"Dataset({self.name!r}, train={self.train.X.shape}, test={self.test.X.shape})"


LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary"
MIRROR = (
    "https://raw.githubusercontent.com/X-DataInitiative/tick-datasets/"
    "9d959b6e53e17145e93e9849ff1f9f6d2de8ae51/binary/ijcnn1"
)
IJCNN1 = (
    RawFile(
        name="ijcnn1",
        rows=49_990,
        size=7_744_897,
        sha256="16506cad788cf7c9607454150ed1994788204bac2ff4c9cb3b320036b6950d3f",
        urls=(f"{LIBSVM}/ijcnn1.bz2", f"{MIRROR}/ijcnn1.trn.bz2"),
    ),
    RawFile(
        name="ijcnn1.t",
        rows=91_701,
        size=14_213_968,
        sha256="e7b0bbd518641980dc322746c6bc59d019d3153934e6258e48f9d8cfae2c4bb8",
        urls=(f"{LIBSVM}/ijcnn1.t.bz2", f"{MIRROR}/ijcnn1.tst.bz2"),
    ),
)
LETTERS = RawFile(
    name="letters.csv",
    rows=20_000,
    size=712_565,
    sha256="2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2",
)


def load_ijcnn1():
    """
    Load ijcnn1: 22 features, 49,990 training and 91,701 test rows, about one label in ten positive.

    Each of the two files is taken from the first place that has it:

    1. the folder named by the environment variable ``KERNLIB_DATA`` (``ijcnn1.bz2``, ``ijcnn1.t.bz2``, or
       unpacked without the ending; a relative name starts at the working directory, then at the project's
       root). A file that is not there is looked for further on; one that is there and damaged is an
       error, because you asked for that folder;
    2. the cache, ``pooch.os_cache("kernlib")`` or the folder named by ``KERNLIB_CACHE``. A damaged file is
       removed from it and downloaded again, as is one that can't be read;
    3. the network: LIBSVM's page, then a mirror, each for a minute at most. Nothing is kept before it is
       checked; where the cache can't be written, the rows are used all the same, and a line says so.

    Returns
    -------
    Dataset
        ``train.X`` (49990, 22), ``test.X`` (91701, 22), C-ordered float64; ``y`` in {-1, +1}.

    Raises
    ------
    OSError
        No place has the rows, or a file of ``KERNLIB_DATA`` is damaged.

    Notes
    -----
    4 MB to download, 25 MB in memory; about a second from a folder or the cache, most of it spent
    unpacking and parsing. The rows are an ordered time series, and neighbours share nine of the ten values
    of their sliding window: a random split is easier than this official one.

    Chapter: The large-scale lab.

    References
    ----------
    D. Prokhorov. IJCNN 2001 neural network competition. Slide presentation, Ford Research Laboratory, 2001.

    C.-C. Chang and C.-J. Lin. IJCNN 2001 challenge: generalization ability and text decoding. IJCNN 2001.
    """
    try:
        (train, train_place), (test, test_place) = map(find, IJCNN1)
    except OSError as error:
        raise OSError(
            f"{error}; let KERNLIB_DATA name a folder with ijcnn1.bz2 and ijcnn1.t.bz2, or leave it unset "
            "and connect to the network, or take load_shirts(), which come with kernlib"
        ) from None
    return Dataset(
        name="ijcnn1",
        source="LIBSVM's files, from " + " and ".join(dict.fromkeys([train_place, test_place])),
        train=parse_svmlight(train),
        test=parse_svmlight(test),
        feature_names=(
            *(f"phase_{i}" for i in range(1, 11)),
            "signal_1",
            "signal_2",
            *(f"window_{i}" for i in range(1, 11)),
        ),
        target_names={-1: "negative", 1: "positive"},
        description=(
            "A time series of the IJCNN 2001 neural network competition, in the encoding of its winners: a "
            "one-hot phase of period 10, two signals, and a window of ten values that slides along a third. "
            "49,990 training rows (9.71 % positive), 91,701 test rows (9.50 %). Licence: none stated, so the "
            "rows are downloaded and never shared by kernlib. Cite Prokhorov (2001) for the data, Chang and "
            "Lin (2001) for the encoding."
        ),
    )


def load_letters():
    """
    Load Letter Recognition: A–M (+1) against N–Z (-1): 16 features, 16,000 training and 4,000 test rows.

    The data set that kernlib carries, so that every chapter runs with no network. The split is UCI's: the
    first 16,000 rows train, the last 4,000 test.

    Returns
    -------
    Dataset
        ``train.X`` (16000, 16), ``test.X`` (4000, 16), C-ordered float64 with the integers 0 to 15; ``y`` in
        {-1, +1}, about half of each.

    Raises
    ------
    OSError
        The file is missing from ``data/``, or damaged.

    Notes
    -----
    129 kB on disk, 2.7 MB in memory, less than 0.1 s. 1,332 rows repeat an earlier one (``data/README.md``).
    The file keeps all 26 letters.

    Chapter: Kernels.

    References
    ----------
    P. W. Frey and D. J. Slate. Letter recognition using Holland-style adaptive classifiers. Machine
    Learning 6, 161–182, 1991.
    """
    content = embedded(LETTERS)
    table = np.loadtxt(io.BytesIO(content), delimiter=",", converters={0: ord})
    X = np.ascontiguousarray(table[:, 1:])
    y = np.where(table[:, 0] <= ord("M"), 1, -1)
    return Dataset(
        name="letters",
        source="UCI Letter Recognition, embedded in kernlib",
        train=Part(X[:16_000], y[:16_000]),
        test=Part(X[16_000:], y[16_000:]),
        feature_names=tuple(
            "x-box y-box width high onpix x-bar y-bar x2bar "
            "y2bar xybar x2ybr xy2br x-ege xegvy y-ege yegvx".split()
        ),
        target_names={-1: "N–Z", 1: "A–M"},
        description=(
            "Capital letters of 20 fonts, each image distorted at random and reduced to 16 moments and edge "
            "counts, scaled to the integers 0 to 15. 20,000 rows in the order of UCI's file, the first "
            "16,000 for training. Licence: CC BY 4.0. Cite D. Slate, Letter Recognition, UCI Machine "
            "Learning Repository, 1991, doi:10.24432/C5ZP40, and Frey and Slate (1991)."
        ),
    )


def parse_svmlight(content):
    """Give the rows of a file of ijcnn1's."""
    X, y = load_svmlight_file(io.BytesIO(content), n_features=22, zero_based=False)
    return Part(X.toarray(), y.astype(int))
