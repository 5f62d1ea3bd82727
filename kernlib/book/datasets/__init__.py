"""Every data set that the chapters use; each loader says where its rows came from.

``ijcnn1`` states no license, so kernlib does not carry it. The others are small and come with kernlib;
``data/README.md`` gives their provenance, license and citation.
"""

from kernlib.book.datasets.flights import load_flights
from kernlib.book.datasets.images import Images, load_fashion
from kernlib.book.datasets.lab import load_ijcnn1, load_lab, load_shirts
from kernlib.book.datasets.sequences import Sequences, load_splice, load_surnames
from kernlib.book.datasets.tables import Dataset, Part, load_letters

__all__ = [
    "Dataset",
    "Images",
    "Part",
    "Sequences",
    "load_fashion",
    "load_flights",
    "load_ijcnn1",
    "load_lab",
    "load_letters",
    "load_shirts",
    "load_splice",
    "load_surnames",
]
