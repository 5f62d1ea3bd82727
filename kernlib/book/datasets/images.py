"""Images with labels: a subset of Fashion-MNIST, embedded in kernlib."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from kernlib.book.datasets.files import DataFile, read_embedded

__all__ = ["Images", "load_fashion"]

FASHION = DataFile("fashion.txt", "b7c3c77ee9304c3b77fabe78250e52a4402f03ecc4d6514eda89cc57882d2295")
SIDE = 28
NAMES = tuple("T-shirt/top,trouser,pullover,dress,coat,sandal,shirt,sneaker,bag,ankle boot".split(","))


@dataclass(frozen=True, eq=False, repr=False)
class Images:
    """Gray images and their labels.

    Parameters
    ----------
    source : str
        Where these rows came from: a phrase to print beside every result.
    images : ndarray of shape (n, height, width)
        Gray levels in float64, from 0 (the background) to 1.
    y : ndarray of shape (n,)
        Labels, integers from 0.
    target_names : tuple of str
        The meaning of each label.
    """

    source: str
    images: NDArray
    y: NDArray
    target_names: tuple[str, ...]

    def __repr__(self):
        return f"Images({self.images.shape}, labels={len(self.target_names)})"


def load_fashion() -> Images:
    """Load 2,000 images of clothing, 28 × 28 pixels in 16 gray levels, 200 images of each of ten kinds.

    Returns
    -------
    Images
        ``images`` (2000, 28, 28), C-ordered float64, multiples of 1/15 from 0 to 1; ``y`` from 0 to 9.

    Raises
    ------
    OSError
        If the file is missing from ``data/`` or damaged.

    Notes
    -----
    A random subset of the 60,000 training images of Fashion-MNIST, with four of their eight bits. 369 kB on
    disk, 12.5 MB in memory, about 0.1 s. Chapter: Object recognition.

    References
    ----------
    H. Xiao, K. Rasul and R. Vollgraf. Fashion-MNIST: a novel image dataset for benchmarking machine learning
    algorithms. arXiv:1708.07747, 2017.
    """
    digits = np.frombuffer(read_embedded(FASHION), np.uint8).reshape(-1, 1 + SIDE**2 + 1)[:, :-1]
    numbers = np.where(digits < ord("a"), digits - ord("0"), digits - ord("a") + 10)  # hexadecimal
    return Images(
        source="a subset of Fashion-MNIST, embedded in kernlib",
        images=numbers[:, 1:].reshape(-1, SIDE, SIDE) / 15,
        y=numbers[:, 0].astype(int),
        target_names=NAMES,
    )
