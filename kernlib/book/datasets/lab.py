"""The lab's tables of numbers: ijcnn1 where you have it, elsewhere 60,000 articles of clothing."""

import io
import os

import numpy as np
from sklearn.datasets import load_svmlight_file

from kernlib.book.datasets.files import DataFile, fetch, read_embedded
from kernlib.book.datasets.tables import Dataset, Part

__all__ = ["load_ijcnn1", "load_lab", "load_shirts"]

LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary"
COMMIT = "9d959b6e53e17145e93e9849ff1f9f6d2de8ae51"
MIRROR = f"https://raw.githubusercontent.com/X-DataInitiative/tick-datasets/{COMMIT}/binary/ijcnn1"
IJCNN1 = [
    DataFile(name, sha256, (f"{LIBSVM}/{name}.bz2", f"{MIRROR}/{mirrored}.bz2"))
    for name, mirrored, sha256 in (
        ("ijcnn1", "ijcnn1.trn", "16506cad788cf7c9607454150ed1994788204bac2ff4c9cb3b320036b6950d3f"),
        ("ijcnn1.t", "ijcnn1.tst", "e7b0bbd518641980dc322746c6bc59d019d3153934e6258e48f9d8cfae2c4bb8"),
    )
]
SHIRTS = DataFile("shirts.txt", "3acdb46c422d3ace33fc657cacc3281105e87d3a4334bba605c58cc6c7869068")
COMPONENTS = 22  # two hexadecimal digits each


def load_lab() -> Dataset:
    """Load the lab's rows: ijcnn1 if ``KERNLIB_DATA`` is set, otherwise the shirts.

    Returns
    -------
    Dataset
        At least 60,000 rows of 22 features, one label in ten positive; its ``source`` says which rows.

    Raises
    ------
    OSError
        As `load_ijcnn1` or `load_shirts` raise it.

    Notes
    -----
    About a second. Chapter: The large-scale lab.
    """
    return load_ijcnn1() if os.environ.get("KERNLIB_DATA") else load_shirts()


def load_ijcnn1() -> Dataset:
    """Load ijcnn1: 22 features, 49,990 training and 91,701 test rows, about one label in ten positive.

    Each of its two files, ``ijcnn1`` and ``ijcnn1.t``, is taken from the first place that has it:

    1. the folder named by the environment variable ``KERNLIB_DATA``, compressed (``.bz2``) or not. A relative
       folder starts at the working directory, then at the project's root. A damaged file there is an error;
    2. the cache, ``pooch.os_cache("kernlib")`` or the folder named by ``KERNLIB_CACHE``;
    3. the network, LIBSVM's page or a mirror, from where it goes into the cache.

    Returns
    -------
    Dataset
        ``train.X`` (49990, 22), ``test.X`` (91701, 22), C-ordered float64: a one-hot phase of period 10, two
        signals, and a window of ten values that slides along a third; ``y`` in {-1, +1}.

    Raises
    ------
    OSError
        If no place has the rows, or a file in ``KERNLIB_DATA`` is damaged.

    Notes
    -----
    4 MB to download, 25 MB in memory. The rows are in the order of time, and neighbors share nine of the ten
    values of the window: a random split is easier than this official one. Chapter: The large-scale lab.

    References
    ----------
    D. Prokhorov. IJCNN 2001 neural network competition. Slide presentation, Ford Research Laboratory, 2001.
    C.-C. Chang and C.-J. Lin. IJCNN 2001 challenge: generalization ability and text decoding. IJCNN 2001.
    """
    try:
        (train, train_place), (test, test_place) = map(fetch, IJCNN1)
    except OSError as error:
        raise OSError(
            f"{error}; set KERNLIB_DATA to a folder that holds ijcnn1.bz2 and ijcnn1.t.bz2, or unset it and "
            "connect to the network, or use load_shirts(), which needs neither"
        ) from None
    return Dataset(
        name="ijcnn1",
        source="LIBSVM's files, from " + " and ".join(dict.fromkeys([train_place, test_place])),
        train=parse_svmlight(train),
        test=parse_svmlight(test),
    )


def parse_svmlight(content):
    """Return the rows and labels of a file in LIBSVM's format."""
    X, y = load_svmlight_file(io.BytesIO(content), n_features=22, zero_based=False)
    return Part(X.toarray(), y.astype(int))


def load_shirts() -> Dataset:
    """Load the shirts (+1, one in ten) among 60,000 articles of clothing (−1): 22 features.

    As many rows and features as the lab takes of ijcnn1, and nearly as many positives. The features are the
    first principal components of Fashion-MNIST's training images (`load_fashion`).

    Returns
    -------
    Dataset
        ``train.X`` (20000, 22), ``test.X`` (40000, 22), C-ordered float64 with the integers 0 to 255; ``y``
        in {-1, +1}, 10% positive.

    Raises
    ------
    OSError
        If the file is missing from ``data/`` or damaged.

    Notes
    -----
    1.3 MB on disk, 10.6 MB in memory, about 0.3 s. Chapter: The large-scale lab.
    """
    lines = np.frombuffer(read_embedded(SHIRTS), np.uint8).reshape(-1, 1 + 2 * COMPONENTS + 1)
    features = bytes.fromhex(lines[:, 1:-1].tobytes().decode("ascii"))
    X = np.frombuffer(features, np.uint8).reshape(-1, COMPONENTS).astype(float)
    y = np.where(lines[:, 0] == ord("+"), 1, -1)
    return Dataset(
        name="shirts",
        source="Fashion-MNIST's 60,000 pictures, 22 components each, embedded in kernlib",
        train=Part(X[:20_000], y[:20_000]),
        test=Part(X[20_000:], y[20_000:]),
    )
