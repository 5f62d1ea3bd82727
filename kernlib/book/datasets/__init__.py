"""Every data set that the chapters use, each from a loader that says where its rows came from.

``ijcnn1`` states no licence, so kernlib never carries it; the others may be shared, are small, and come with
kernlib. A file must have the expected rows and the expected sha256, or it is refused.
"""

from kernlib.book.datasets.images import Images, load_fashion
from kernlib.book.datasets.lab import load_lab
from kernlib.book.datasets.sequences import Sequences, load_splice, load_surnames
from kernlib.book.datasets.shirts import load_shirts
from kernlib.book.datasets.tables import Dataset, Part, load_ijcnn1, load_letters

__all__ = [
    "Dataset",
    "Images",
    "Part",
    "Sequences",
    "load_fashion",
    "load_ijcnn1",
    "load_lab",
    "load_letters",
    "load_shirts",
    "load_splice",
    "load_surnames",
]
