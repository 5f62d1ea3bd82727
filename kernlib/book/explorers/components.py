"""Noise, γ and the number of components: digits that kernel PCA denoises, and their error.

Chapter: Kernel PCA at work.
"""

from copy import copy
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from scipy.special import softmax
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

from kernlib.book.explore.controls import Slider
from kernlib.book.explore.explorer import Explorer, Predict
from kernlib.book.explore.marks import Line
from kernlib.book.explore.panels import Heat, Plot, Readout
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian

__all__ = [
    "DENOISING",
    "DRAWS",
    "KS",
    "LINEAR_KS",
    "NOISES",
    "denoise",
    "draw_range",
    "kernel_errors",
    "linear_errors",
    "noisy_digits",
    "project",
    "shrink",
    "shrunk_error",
    "smooth",
    "smoothed_error",
]

FITTED, TESTED = 800, 80  # digits of each draw
DRAWS = 5
NOISES = 0.05, 0.35  # standard deviations for each pixel; gray values go from 0 to 1
KS = 4, 8, 16, 32, 48, 64, 128, 256, 512, FITTED - 1  # up to the rank of the centered Gram matrix
LINEAR_KS = KS[: KS.index(64) + 1]  # a digit has 64 pixels
SHOWN = 0, 2, 4  # digits of the first draw


@lru_cache(maxsize=64)
def noisy_digits(draw: int, noise: float) -> tuple[NDArray, NDArray, NDArray]:
    """Draw 800 clean digits to fit, and 80 others, clean and with noise."""
    digits, rng = load_digits().data / 16, np.random.default_rng(draw)
    rows = rng.permutation(len(digits))[: FITTED + TESTED]
    clean = digits[rows[FITTED:]]
    return digits[rows[:FITTED]], clean, clean + noise * rng.normal(size=clean.shape)


@lru_cache(maxsize=32)
def all_components(gamma, draw):
    """Fit kernel PCA with all components; the noise is not in the digits to fit."""
    return KernelPCA(Gaussian(gamma), n_components=FITTED - 1).fit(noisy_digits(draw, NOISES[0])[0])


def denoise(gamma: float, k: int, draw: int, images: NDArray) -> NDArray:
    """Compute pre-images from k components, to a thousandth of the kernel's width."""
    model = copy(all_components(gamma, draw))
    model.dual_coef_ = model.dual_coef_[:, :k]
    return model.denoise(images, max_iter=1000, tol=1e-3)


def project(k: int, draw: int, images: NDArray) -> NDArray:
    """Project images on k components of linear PCA."""
    pca = PCA(k).fit(noisy_digits(draw, NOISES[0])[0])
    return pca.inverse_transform(pca.transform(images))


@lru_cache(maxsize=64)
def kernel_errors(noise: float, gamma: float, draws: tuple = tuple(range(DRAWS))) -> NDArray:
    """Compute mean squared errors of kernel PCA: a row for each draw, a column for each k."""
    rows = []
    for draw in draws:
        _, clean, images = noisy_digits(draw, noise)
        rows.append([np.mean((denoise(gamma, k, draw, images) - clean) ** 2) for k in KS])
    return np.array(rows)


@lru_cache(maxsize=64)
def linear_errors(noise: float) -> NDArray:
    """Compute mean squared errors of linear PCA: a row for each draw, a column for each k up to 64."""
    rows = []
    for draw in range(DRAWS):
        _, clean, images = noisy_digits(draw, noise)
        rows.append([np.mean((project(k, draw, images) - clean) ** 2) for k in LINEAR_KS])
    return np.array(rows)


def shrink(noise: float, draw: int) -> NDArray:
    """Project the noisy digits on all components of linear PCA, each times s/(s + noise²), s its variance."""
    fit, _, images = noisy_digits(draw, noise)
    pca = PCA().fit(fit)
    share = pca.explained_variance_ / (pca.explained_variance_ + noise**2)
    return pca.inverse_transform(pca.transform(images) * share)


def smooth(noise: float, draw: int, beta: float) -> NDArray:
    """Replace each noisy digit x by the mean of the clean ones xᵢ with the weights exp(−β‖x − xᵢ‖²)."""
    fit, _, images = noisy_digits(draw, noise)
    return softmax(-beta * cdist(images, fit, "sqeuclidean"), axis=1) @ fit


def shrunk_error(noise: float, draw: int) -> float:
    """Compute the error of linear PCA with shrunk components."""
    return float(np.mean((shrink(noise, draw) - noisy_digits(draw, noise)[1]) ** 2))


def smoothed_error(noise: float, draw: int, beta: float) -> float:
    """Compute the error of the weighted mean of the clean digits."""
    return float(np.mean((smooth(noise, draw, beta) - noisy_digits(draw, noise)[1]) ** 2))


def side_by_side(images):
    """Put three digits of 8×8 pixels side by side, light on dark, an empty column between them."""
    tiles = images[list(SHOWN)].reshape(-1, 8, 8)
    gap = np.full((8, 1), np.nan)
    return np.hstack([part for tile in tiles for part in (tile, gap)][:-1])


def stacked(above, below):
    """Stack two rows of digits, an empty row between them."""
    return np.vstack([above, np.full((1, above.shape[1]), np.nan), below])


def clean_and_noisy(noise):
    """Show three digits, clean above and with noise below."""
    _, clean, images = noisy_digits(0, noise)
    return stacked(side_by_side(clean), side_by_side(images))


def linear_and_kernel(noise, gamma, k):
    """Show the same digits from k components of linear PCA above and of kernel PCA below."""
    images = noisy_digits(0, noise)[2]
    linear = project(min(k, LINEAR_KS[-1]), 0, images)
    return stacked(side_by_side(linear), side_by_side(denoise(gamma, k, 0, images)))


def draw_range(x: ArrayLike, errors: NDArray, style: str = "") -> Line:
    """Draw the median of the draws, one a row, and their range as a band."""
    return Line(x, np.median(errors, axis=0), errors.min(axis=0), errors.max(axis=0), style)


def error_over_k(noise, gamma):
    """Draw the errors of both over k as multiples of the noise's power; bands are the range of the draws."""
    curves = {
        "kernel PCA": (KS, kernel_errors(noise, gamma)),
        "linear PCA": (LINEAR_KS, linear_errors(noise)),
    }
    lines = {name: draw_range(k, errors / noise**2) for name, (k, errors) in curves.items()}
    return lines | {"noisy": Line((KS[0], KS[-1]), (1.0, 1.0), style="reference")}


def summary(noise, gamma, k):
    """Report the shares of the noise's power that are left."""
    kernel = np.median(kernel_errors(noise, gamma)[:, KS.index(k)]) / noise**2
    number = min(k, LINEAR_KS[-1])
    linear = np.median(linear_errors(noise)[:, LINEAR_KS.index(number)]) / noise**2
    return (
        f"Error as a multiple of the noise's power, medians of {DRAWS} draws. k = {k}: kernel PCA "
        f"{kernel:.2f}; k = {number}: linear PCA {linear:.2f}. Below 1, the digits are cleaner than before."
    )


DENOISING = Explorer(
    title="Noisy digits, reconstructed from k components",
    name="denoising",
    controls=(
        Slider("noise", NOISES, "noise", 0.35),
        Slider("gamma", (0.0125, 0.05, 0.2), "γ", 0.05),
        Slider("k", KS, "components k", 32),
    ),
    panels=(
        Heat(
            clean_and_noisy,
            "Clean above, noisy below",
            "Three digits, and the same with noise.",
            (0, 1),
            palette="gray",
        ),
        Heat(
            linear_and_kernel,
            "Linear PCA above, kernel PCA below",
            "The three noisy digits after projection on k components of linear and of kernel PCA.",
            (0, 1),
            palette="gray",
        ),
        Plot(
            error_over_k,
            "Error over k",
            "Mean squared error of kernel and of linear PCA, as a multiple of the noise's power, against the "
            "number of components.",
            "components k",
            "error / noise's power",
            log="xy",
            ylim=(0.1, 30),
            cursor="k",
        ),
        Readout(summary),
    ),
    predict=Predict(
        "γ = 0.05, and 32 components are about best for the noise 0.35. The noise falls to 0.05. How many "
        "components are best for this noise?",
        answer="many more",
        options=("fewer", "about as many", "many more"),
        shows=("Clean above, noisy below",),
        at={"noise": 0.05, "gamma": 0.05, "k": 256},
        reason=(
            "With each component that you leave out you lose a part of the digit, and each that you keep "
            "lets a part of the noise through. With less noise, more components are worth keeping."
        ),
    ),
)
