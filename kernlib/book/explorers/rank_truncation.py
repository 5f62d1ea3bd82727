"""k on a spectrum, on the error that it leaves, and on the truncated matrix."""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from sklearn.datasets import load_sample_image

from kernlib.book.explore import Dots, Explorer, Heat, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.low_rank import truncation_errors

__all__ = ["EXPLORER", "exact_errors", "matrix", "photo", "photo_errors"]

SHOWN = 24  # rows and columns of the matrix in the picture
LARGEST = 100  # rank on the slider
WEIGHT = 50  # of the signal in the test matrix
PIXELS = 8  # of the photograph, along each side of one that is drawn
GRAYS = 64  # for which a byte needs six bits


@cache
def parts():
    """S and N, the two parts of the test matrix, from 20 rows of signal and 100 of noise."""
    rng = np.random.default_rng(0)
    noise, signal = rng.normal(size=(100, 200)), rng.normal(size=(20, 200))
    return signal.T @ signal, noise.T @ noise


@lru_cache(maxsize=16)
def matrix(a: float = WEIGHT) -> NDArray:
    """G = a S + N of shape (200, 200) and rank 120; with a = 50 it is the test matrix."""
    signal, noise = parts()
    return a * signal + noise


@cache
def eigenpairs() -> tuple[NDArray, NDArray]:
    """Compute the eigenvalues of the test matrix, largest first, and its eigenvectors."""
    lam, U = linalg.eigh(matrix())
    return np.maximum(lam[::-1], 0), U[:, ::-1]


@cache
def exact_errors() -> NDArray:
    """√(Σ_{i>k} λᵢ²) / √(Σ λᵢ²) for k = 0, …, 100."""
    return truncation_errors(matrix())[: LARGEST + 1]


@cache
def photo() -> NDArray:
    """A photograph of 53 × 80 pixels, gray levels from 0 (black) to 63."""
    gray = load_sample_image("china.jpg").mean(axis=2)
    rows, columns = (n // PIXELS for n in gray.shape)
    blocks = gray[: rows * PIXELS, : columns * PIXELS].reshape(rows, PIXELS, columns, PIXELS)
    return np.rint(blocks.mean(axis=(1, 3)) * (GRAYS - 1) / 255).astype(int)


@cache
def photo_errors() -> NDArray:
    """‖A − A_k‖_F / ‖A‖_F of the photograph for k = 0, …, 53."""
    squares = linalg.svdvals(photo().astype(float)) ** 2
    return np.sqrt(np.append(squares[::-1].cumsum()[::-1], 0) / squares.sum())


@Plot.panel("Spectrum", x="index i", y="eigenvalue λᵢ", log="y", cursor="k")
def spectrum():
    """The eigenvalues on a logarithmic axis: large ones, a cliff, then small ones."""
    return {"": Line(np.arange(1, 121), eigenpairs()[0][:120])}


@Plot.panel("Relative error of Gₖ", x="rank kept, k", y="‖Gₖ − G‖ / ‖G‖", log="y", cursor="k")
def error(k):
    """The error against k: it falls off a cliff, then slowly. The measured error lies on it. That of the
    photograph falls without a cliff after k = 1.
    """
    lam, U = eigenpairs()
    left = matrix() - (U[:, :k] * lam[:k]) @ U[:, :k].T
    measured = np.linalg.norm(left) / np.linalg.norm(matrix())
    return {
        "exact tail": Line(np.arange(LARGEST + 1), exact_errors()),
        "measured": Dots([k], [measured], "large"),
        "photograph": Line(np.arange(len(photo_errors()) - 1), photo_errors()[:-1], style="dashed"),
    }


@cache
def shown_factor() -> NDArray:
    """The first 24 rows of U_k Λ_k^½ for k = 100; three decimals keep the page small."""
    lam, U = eigenpairs()
    return (U[:SHOWN] * np.sqrt(lam))[:, :LARGEST].round(3)


@Heat.panel("A corner of Gₖ", limits=(-700, 1800))
def truncated(k):
    """The first 24 rows and columns of the truncated matrix; from some k on it hardly changes."""
    Z = shown_factor()[:, :k]
    return Z @ Z.T


@Heat.panel("A photograph of rank k", limits=(0, 1), palette="gray")
def photograph(k):
    """Stripes for small k; then a Chinese temple and its roofs, sharper the larger k is."""
    A = photo() / (GRAYS - 1)
    U = linalg.eigh(A @ A.T)[1][:, ::-1][:, :k]
    return U @ (U.T @ A)


def summary(k):
    """The error, and the k(n + 1) numbers of k eigenpairs against the n² of G."""
    n = len(matrix())
    left = f"off by {show(photo_errors()[k], 3)}" if k < len(photo()) else "exact"
    return (
        f"Rank {k} leaves a relative error of {show(exact_errors()[k], 3)} and stores "
        f"{show(k * (n + 1))} numbers in place of {show(n * n)}. The photograph is {left}."
    )


EXPLORER = Explorer(
    title="Rank truncation: what k keeps and what it loses",
    name="rank",
    hint="Play k, or drag a dotted line. The weight of the signal is fixed at 50.",
    script="rank",
    data={"photo": photo(), "white": GRAYS - 1, "factor": shown_factor()},
    controls=(Slider("k", range(1, LARGEST + 1), "rank k", 5, play=6),),
    presets={"a sketch": {"k": 2}, "the signal": {"k": 20}, "the whole photograph": {"k": 60}},
    panels=(photograph, truncated, spectrum, error, Readout(summary)),
    predict=Predict(
        "The spectrum of G = 50 S + N drops after the 20 eigenvalues of the signal. So the error has a cliff "
        "there: the step to k = 20 more than halves it. How many more eigenpairs halve it again?",
        answer="about 30",
        options=("2", "about 10", "about 30"),
        reason="Once the 20 large eigenvalues are kept, only noise is lost, and it is spread over a hundred "
        "directions of similar size.",
        shows=("Spectrum",),
        at={"k": 47},
    ),
)
