"""The rows that the lab runs on."""

import os

from kernlib.book.datasets.shirts import load_shirts
from kernlib.book.datasets.tables import load_ijcnn1

__all__ = ["load_lab"]


def load_lab():
    """
    Load the lab's rows: ijcnn1 where ``KERNLIB_DATA`` names a folder that holds it, the shirts elsewhere.

    Returns
    -------
    Dataset
        At least 60,000 rows of 22 features in both parts together, one label in ten positive; its ``source``
        says which.

    Raises
    ------
    OSError
        ``KERNLIB_DATA`` is set and ijcnn1 is neither there nor elsewhere (`load_ijcnn1`), or the shirts'
        file is missing from ``data/`` or damaged.

    Notes
    -----
    About a second. Chapter: The large-scale lab.
    """
    return load_ijcnn1() if os.environ.get("KERNLIB_DATA") else load_shirts()
