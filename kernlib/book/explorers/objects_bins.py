"""Two pictures, their histograms of orientations, and what each bin adds to each kernel."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.datasets import load_fashion
from kernlib.book.explore import Bars, Choice, Dots, Explorer, Field, Line, Plot, Predict, Readout, Slider
from kernlib.kernels import AdditiveChiSquared, Hellinger, Intersection, Linear

__all__ = ["BINS", "IMAGES", "SIDE", "edge_histograms", "images", "pair", "shares"]

IMAGES = {  # rows of load_fashion()
    "T-shirt": 3,
    "pullover": 12,
    "trousers": 18,
    "other trousers": 21,
    "sandal": 6,
    "bag": 17,
    "ankle boot": 37,
}
KERNELS = {
    "linear": Linear(),
    "intersection": Intersection(),
    "additive χ²": AdditiveChiSquared(),
    "Hellinger": Hellinger(),
}
COUNTS = 4, 6, 9, 12, 18  # of bins
SIDE = 28  # pixels
PICTURE = {"xlim": (-0.5, SIDE - 0.5), "ylim": (-0.5, SIDE - 0.5), "equal": True}
CLEAR = 0.3  # of the longest gradient, from which on a pixel counts as an edge


@cache
def images() -> dict[str, NDArray]:
    """Return the images that the lists offer: 28 × 28 gray levels from 0 to 1."""
    every = load_fashion().images
    return {name: every[row].astype(np.float64) for name, row in IMAGES.items()}


def gradients(image: NDArray) -> tuple[NDArray, NDArray]:
    """Compute the angle of the gradient at each pixel, in [0°, 180°), and its length."""
    down, right = np.zeros(image.shape), np.zeros(image.shape)
    down[..., 1:-1, :] = image[..., 2:, :] - image[..., :-2, :]
    right[..., 1:-1] = image[..., 2:] - image[..., :-2]
    return np.degrees(np.arctan2(down, right)) % 180, np.hypot(down, right)


def edge_histograms(images: NDArray, cells: int = 4, bins: int = 9) -> NDArray:
    """Compute the histogram of oriented gradients of each image, in cells × cells cells.

    It is scikit-image's ``hog`` with one block, divided by its sum, for many images at once.
    """
    angles, lengths = gradients(images)
    n, (down, right) = len(images), (np.arange(side) * cells // side for side in images.shape[1:])
    cell = (np.arange(n)[:, None, None] * cells + down[:, None]) * cells + right
    places = cell * bins + (angles * bins // 180).astype(int) % bins  # an angle may round to 180°
    counts = np.bincount(places.ravel(), lengths.ravel(), n * cells**2 * bins).reshape(n, -1)
    return counts / counts.sum(axis=1, keepdims=True)


def pair(first: str, second: str, bins: int) -> tuple[NDArray, NDArray, NDArray]:
    """Return the middles of the bins in degrees, and the two histograms x and y."""
    x, y = edge_histograms(np.array([images()[name] for name in (first, second)]), 1, bins)
    return (np.arange(bins) + 0.5) * 180 / bins, x, y


def edges(name, bins, angle):
    """Draw a picture, dark on white, and its clear edges in the bin of an angle."""
    angles, lengths = gradients(images()[name])
    own = angles * bins // 180 == angle * bins // 180
    rows, columns = np.nonzero(own & (lengths > CLEAR * lengths.max()))
    ends = (-0.5, SIDE - 0.5)
    return {
        "edges of this bin": Dots(columns, SIDE - 1 - rows, "large"),
        "picture": Field(1 - images()[name][::-1], ends, ends, (0, 1), "gray"),
    }


@Plot.panel("First image", **PICTURE)
def first_image(first, bins, angle):
    """The first image, with the edges of one bin."""
    return edges(first, bins, angle)


@Plot.panel("Second image", **PICTURE)
def second_image(second, bins, angle):
    """The second image, with the edges of one bin."""
    return edges(second, bins, angle)


@Plot.panel(
    "Their histograms", x="orientation of the gradient (degrees)", y="share", xlim=(0, 180), cursor="angle"
)
def histograms(first, second, bins, angle):
    """Bars for the share of each orientation in the gradients of both images."""
    _, x, y = pair(first, second, bins)
    # bars of height 0 between them halve their width
    halves = (np.arange(2 * bins) + 0.5) * 90 / bins
    k, top = angle * bins // 180, 1.1 * max(x.max(), y.max())
    ends = np.array([k, k + 1]) * 180 / bins
    return {
        "this bin": Line(ends, (top, top), (0, 0), (top, top)),
        "first, x": Bars(halves, np.stack([x, 0 * x], axis=1).ravel()),
        "second, y": Bars(halves, np.stack([0 * y, y], axis=1).ravel()),
    }


def shares(x: NDArray, y: NDArray) -> dict[str, NDArray]:
    """Compute h(xᵢ, yᵢ)/κ(x, y) for each kernel; h(xᵢ, yᵢ) is its value for histograms of the one bin i."""
    parts = {name: np.diagonal(kernel(x[:, None], y[:, None])) for name, kernel in KERNELS.items()}
    return {name: part / part.sum() for name, part in parts.items()}


def bins_for(part: NDArray, share: float) -> int:
    """Count how many of the largest bins together reach this share."""
    return int(np.sum(np.cumsum(np.sort(part)[::-1]) < share)) + 1


@Plot.panel("Share of each bin in the kernels", y="share of κ(x, y)", ylim=(0, 1), names=tuple(KERNELS))
def contributions(first, second, bins, angle):
    """A bar of height 1 for each of four kernels, made of the shares that the bins contribute."""
    _, x, y = pair(first, second, bins)
    parts = np.array(list(shares(x, y).values()))
    tops, k = np.cumsum(parts, axis=1), angle * bins // 180
    places, lows = np.arange(len(KERNELS)), tops - parts
    rest = np.delete(np.arange(bins), k)
    others = Bars(np.tile(places, bins - 1), tops[:, rest].T.ravel(), "gray", lows[:, rest].T.ravel())
    return {"this bin": Bars(places, tops[:, k], "", lows[:, k]), "other bins": others}


def summary(first, second, bins, angle):
    """Report the chosen bin, how many bins hold 90% of each kernel, and the kernels' values as cosines."""
    _, x, y = pair(first, second, bins)
    k, width = angle * bins // 180, 180 // bins
    grams = {name: kernel(np.array([x, y])) for name, kernel in KERNELS.items()}
    values = [f"{name} {G[0, 1] / np.sqrt(G[0, 0] * G[1, 1]):.2f}" for name, G in grams.items()]
    parts = shares(x, y)
    own = [f"{name} {100 * part[k]:.0f}%" for name, part in parts.items()]
    needed = [f"{name} {bins_for(part, 0.9)}" for name, part in parts.items()]
    return (
        f"The bin from {k * width}° to {(k + 1) * width}° holds {100 * x[k]:.0f}% of x and {100 * y[k]:.0f}% "
        f"of y. Its share of κ(x, y): {', '.join(own)}. Bins that make up 90%: {', '.join(needed)}. "
        f"Cosine: {', '.join(values)}."
    )


TURNED = {f"bins{count}": edge_histograms(np.array(list(images().values())), 1, count) for count in COUNTS}

BINS = Explorer(
    title="Bin by bin: what two histograms have in common",
    name="objects",
    hint="Play the orientation, or drag the cursor in the histograms: the edges of that bin are highlighted.",
    script="objects",
    data={"names": list(IMAGES), **TURNED},
    controls=(
        Choice("first", IMAGES, "first image", "trousers"),
        Choice("second", IMAGES, "second image", "other trousers"),
        Slider("bins", COUNTS, "bins", 9),
        Slider("angle", range(5, 180, 10), "orientation (degrees)", 5, play=3),
    ),
    presets={
        "two of a kind": {"first": "trousers", "second": "other trousers", "bins": 9, "angle": 5},
        "nothing in common?": {"first": "T-shirt", "second": "ankle boot", "bins": 9, "angle": 95},
        "many bins": {"bins": 18},
    },
    panels=(first_image, second_image, histograms, contributions, Readout(summary)),
    predict=Predict(
        "Two pairs of trousers, nine bins. How many bins make up 90% of the linear kernel's value, and how "
        "many 90% of Hellinger's?",
        answer="one and three",
        options=("one and three", "three and three", "three and nine"),
        at={"first": "trousers", "second": "other trousers", "bins": 9},
        shows=("First image", "Second image"),
        reason="Both have about two thirds of their edges in the first bin. The product of two such shares "
        "is about 0.4, and the products of the other bins are small beside it. Hellinger's kernel takes the "
        "geometric mean instead, and the first bin has 65%.",
    ),
)
