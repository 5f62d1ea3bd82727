"""k on a spectrum, on the error that it leaves, and on the truncated matrix.

`ELBOW` weighs the signal against the noise: where the cliff in the spectrum goes.

Chapter: Rank truncation.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from sklearn.datasets import load_sample_image

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Dots, Line, show
from kernlib.book.explore.panels import Heat, Plot, Readout
from kernlib.low_rank import rank_trunc, truncation_errors

__all__ = ["ELBOW", "EXPLORER", "eigenvalues", "exact_errors", "matrix", "photo", "photo_errors", "truncated"]

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


@lru_cache(maxsize=16)
def eigenvalues(a: float = WEIGHT) -> NDArray:
    """The 120 of G that are not zero, in descending order."""
    return np.linalg.eigvalsh(matrix(a))[::-1][:120]


@lru_cache(maxsize=16)
def exact_errors(a: float = WEIGHT) -> NDArray:
    """√(Σ_{i>k} λᵢ²) / √(Σ λᵢ²) for k = 0, …, 100."""
    return truncation_errors(matrix(a))[: LARGEST + 1]


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


def spectrum():
    """The eigenvalues of G against their index."""
    return {"": Line(np.arange(1, 121), eigenvalues())}


def error(k):
    """‖G − G_k‖_F / ‖G‖_F of the truncated matrix, the exact tail for every k, and that of the photograph."""
    measured = np.linalg.norm(matrix() - rank_trunc(matrix(), k, "eigh")) / np.linalg.norm(matrix())
    return {
        "exact tail": Line(np.arange(LARGEST + 1), exact_errors()),
        "measured": Dots([k], [measured], "large"),
        "photograph": Line(np.arange(len(photo_errors()) - 1), photo_errors()[:-1], style="dashed"),
    }


@cache
def shown_factor() -> NDArray:
    """The first 24 rows of U_k Λ_k^½ for k = 100; three decimals keep the page small."""
    lam, U = linalg.eigh(matrix())
    return (U[:SHOWN, ::-1] * np.sqrt(np.maximum(lam[::-1], 0)))[:, :LARGEST].round(3)


def truncated(k: int) -> NDArray:
    """The first 24 rows and columns of G_k."""
    Z = shown_factor()[:, :k]
    return Z @ Z.T


def photograph(k):
    """The nearest matrix of rank k to the photograph, with gray levels from 0 to 1."""
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
    script="rank",
    data={"photo": photo(), "white": GRAYS - 1, "factor": shown_factor()},
    controls=(Slider("k", range(1, LARGEST + 1), "rank k", 5, play=6),),
    presets={"a sketch": {"k": 2}, "the signal": {"k": 20}, "the whole photograph": {"k": 60}},
    panels=(
        Heat(
            photograph,
            "A photograph of rank k",
            "Stripes for small k; then a Chinese temple and its roofs, sharper the larger k is.",
            (0, 1),
            palette="gray",
        ),
        Heat(
            truncated,
            "A corner of Gₖ",
            "The first 24 rows and columns of the truncated matrix; from some k on it hardly changes.",
            (-700, 1800),
        ),
        Plot(
            spectrum,
            "Spectrum",
            "The eigenvalues on a logarithmic axis: large ones, a cliff, then small ones.",
            "index i",
            "eigenvalue λᵢ",
            log="y",
            cursor="k",
        ),
        Plot(
            error,
            "Relative error of Gₖ",
            "The error against k: it falls off a cliff, then slowly. The measured error lies on it. That of "
            "the photograph falls without a cliff after k = 1.",
            "rank kept, k",
            "‖Gₖ − G‖ / ‖G‖",
            log="y",
            cursor="k",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "The spectrum of G = 50 S + N drops after the 20 eigenvalues of the signal. So the error has a cliff "
        "there: the step to k = 20 more than halves it. How many more eigenpairs halve it again?",
        answer="about 30",
        options=("2", "about 10", "about 30"),
        reason=(
            "Once the 20 large eigenvalues are kept, only noise is lost, and it is spread over a hundred "
            "directions of similar size."
        ),
        shows=("Spectrum",),
        at={"k": 47},
    ),
)


def weighted_spectrum(a):
    """The eigenvalues at a weight of the signal, with the noise's bound on all but 20 of them."""
    lam, bound = eigenvalues(a), eigenvalues(0)[0]
    return {
        "eigenvalues": Dots(np.arange(1, 121), lam),
        "λ₂₀": Dots([20], lam[19:20], "large"),
        "largest of the noise": Line([1, 120], [bound, bound], style="reference"),
    }


def weighted_error(a):
    """‖G − G_k‖_F / ‖G‖_F against k at a weight of the signal."""
    return {
        "error": Line(np.arange(LARGEST + 1), exact_errors(a)),
        "rank of the signal": Line([20, 20], [0.02, 1], style="reference"),
    }


def cliff(a):
    """λ₂₀, the largest eigenvalue of the noise, λ₂₀/λ₂₁, and the parts of the error that steps remove."""
    lam, bound = eigenvalues(a), eigenvalues(0)[0]
    side = "above" if lam[19] > bound else "below"
    part = 1 - exact_errors(a)[20:31] / exact_errors(a)[19:30]  # of the steps to 20, …, 30
    verdict = "a cliff" if part[0] >= max(0.1, 3 * part[1:].max()) else "no cliff"
    return (
        f"λ₂₀ = {lam[19]:,.0f} is {side} the noise's line, {bound:.0f}, and {show(lam[19] / lam[20], 3)} "
        f"times λ₂₁. The step to 20 removes {part[0]:.1%} of the remaining error, each of the next ten at "
        f"most {part[1:].max():.1%}: {verdict}."
    )


ELBOW = Explorer(
    title="When does the signal sink into the noise?",
    name="elbow",
    controls=(
        Slider(
            "a", (0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 30, 50), "weight a of the signal", 50, play=2
        ),
    ),
    panels=(
        Plot(
            weighted_spectrum,
            "Spectrum of a S + N",
            "Twenty eigenvalues above the noise's line at a = 50; as a falls they sink into the noise.",
            "index i",
            "eigenvalue λᵢ",
            log="y",
            ylim=(10, 2e4),
        ),
        Plot(
            weighted_error,
            "Relative error of Gₖ",
            "The error against k: a cliff at 20 for large a, a smooth curve for small a.",
            "rank kept, k",
            "‖Gₖ − G‖ / ‖G‖",
            log="y",
            ylim=(0.02, 1),
        ),
        Readout(cliff),
    ),
    predict=Predict(
        "The line is the largest eigenvalue of the noise alone, 557. At a = 50 the twentieth eigenvalue of "
        "G, λ₂₀ = 4,906, is far above it. Lower the weight: from which weight down is λ₂₀ below the line? "
        "Set your guess.",
        answer=4,
        marker="a",
        reason=(
            "In proportion to a, λ₂₀ would be 589 at a = 6 and 491 at a = 5. The noise adds something: it is "
            "628 at a = 5, and 548 at a = 4, below the line and only 1.11 times λ₂₁."
        ),
        shows=("Spectrum of a S + N",),
        at={"a": 4},
    ),
)
