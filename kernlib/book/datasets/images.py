"""Images with labels: a part of Fashion-MNIST, which may be shared, is small, and comes with kernlib."""

from dataclasses import dataclass

import numpy as np

from kernlib.book.datasets.files import RawFile, embedded

__all__ = ["Images", "load_fashion"]

FASHION = RawFile(
    name="fashion.txt",
    rows=2_000,
    size=1_572_000,
    sha256="b7c3c77ee9304c3b77fabe78250e52a4402f03ecc4d6514eda89cc57882d2295",
)
SIDE = 28


@dataclass(frozen=True, eq=False, repr=False)
class Images:
    """
    Grey images, their labels, and what a reader must know about both.

    Parameters
    ----------
    name : str
        Short name, as used in the literature.
    source : str
        Where these very rows came from: a phrase to print beside every result.
    images : ndarray of shape (n, height, width)
        Grey levels in float64, from 0 (the background) to 1.
    y : ndarray of shape (n,)
        The label of each, an integer from 0.
    target_names : tuple of str
        What the labels mean, in their order.
    description : str
        What the rows are, how many, their licence and citation.
    """

    name: str
    source: str
    images: np.ndarray
    y: np.ndarray
    target_names: tuple[str, ...]
    description: str

    def __repr__(self):
        return f"Images({self.name!r}, {self.images.shape}, labels={len(self.target_names)})"


def load_fashion():
    """
    Load 2,000 images of Zalando's articles, 28 × 28 pixels in 16 grey levels, 200 of each of ten kinds.

    Returns
    -------
    Images
        ``images`` (2000, 28, 28), C-ordered float64, multiples of 1/15 from 0 to 1; ``y`` from 0 to 9.

    Raises
    ------
    OSError
        The file is missing from ``data/``, or damaged.

    Notes
    -----
    A random subset of Fashion-MNIST's 60,000 training images with four of their eight bits. 369 kB on disk,
    12.5 MB in memory, about 0.1 s.

    Chapter: Object recognition.

    References
    ----------
    H. Xiao, K. Rasul and R. Vollgraf. Fashion-MNIST: a novel image dataset for benchmarking machine learning
    algorithms. arXiv:1708.07747, 2017.
    """
    digits = np.frombuffer(embedded(FASHION), np.uint8).reshape(FASHION.rows, -1)[:, :-1]
    numbers = np.where(digits < ord("a"), digits - ord("0"), digits - ord("a") + 10)  # hexadecimal
    return Images(
        name="Fashion-MNIST",
        source="a subset of Fashion-MNIST, embedded in kernlib",
        images=numbers[:, 1:].reshape(-1, SIDE, SIDE) / 15,
        y=numbers[:, 0].astype(int),
        target_names=(
            "T-shirt/top",
            "trouser",
            "pullover",
            "dress",
            "coat",
            "sandal",
            "shirt",
            "sneaker",
            "bag",
            "ankle boot",
        ),
        description=(
            "Photographs of articles of clothing from Zalando's shop, 28 × 28 pixels, grey on black: 200 of "
            "each of ten kinds, drawn at random from the 60,000 training images and kept in their order; 16 "
            "of the 256 grey levels. Licence: MIT, copyright 2017 Zalando SE. Cite Xiao, Rasul and Vollgraf "
            "(2017), arXiv:1708.07747."
        ),
    )
