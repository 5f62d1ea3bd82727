"""Digits with noise, what four methods make of them, and their errors."""

from copy import copy
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from scipy.special import softmax
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from kernlib.book.explore import Line
from kernlib.kernel_pca import KernelPCA
from kernlib.kernel_pca.estimator import ascend_to_pre_images
from kernlib.kernels import Gaussian

__all__ = [
    "DRAWS",
    "GAMMAS",
    "KS",
    "LINEAR_KS",
    "NOISES",
    "denoise",
    "draw_range",
    "kernel_errors",
    "linear_errors",
    "noisy_digits",
    "pre_images",
    "project",
    "recognize",
    "shrink",
    "shrunk_error",
    "smooth",
    "smoothed_error",
]

FITTED, TESTED = 800, 80  # digits of each draw
DRAWS = 5
NOISES = 0.05, 0.15, 0.35  # standard deviations for each pixel; gray values go from 0 to 1
GAMMAS = 0.0125, 0.05, 0.2
KS = 4, 8, 16, 32, 48, 64, 128, 256, 512, FITTED - 1  # up to the rank of the centered Gram matrix
LINEAR_KS = KS[: KS.index(64) + 1]  # a digit has 64 pixels
STEPS, SHORTEST = 1000, 1e-3  # of the iteration; a step shorter than this part of the kernel's width ends it


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
    """Compute pre-images from k components."""
    model = copy(all_components(gamma, draw))
    model.dual_coef_ = model.dual_coef_[:, :k]
    return model.denoise(images, max_iter=STEPS, tol=SHORTEST)


@lru_cache(maxsize=64)
def pre_images(noise: float, gamma: float, draw: int) -> NDArray:
    """Compute pre-images of the noisy digits of a draw, for each k: an array of shape (10, 80, 64)."""
    fit, _, images = noisy_digits(draw, noise)
    model = all_components(gamma, draw)
    Z, alpha = model.transform(images), model.dual_coef_
    weights = [1 / FITTED + Z[:, :k] @ alpha[:, :k].T for k in KS]
    starts = np.tile(images, (len(KS), 1))  # all k at once: faster than `denoise` for each
    found, _ = ascend_to_pre_images(model.kernel_, fit, np.vstack(weights), starts, STEPS, SHORTEST)
    return found.reshape(len(KS), *images.shape)


@lru_cache(maxsize=8)
def linear_components(draw):
    """Fit linear PCA with all 64 components."""
    return PCA().fit(noisy_digits(draw, NOISES[0])[0])


def project(k: int, draw: int, images: NDArray) -> NDArray:
    """Project images on k components of linear PCA."""
    pca = linear_components(draw)
    axes = pca.components_[:k]
    return pca.mean_ + (images - pca.mean_) @ axes.T @ axes


@lru_cache(maxsize=64)
def kernel_errors(noise: float, gamma: float, draws: tuple = tuple(range(DRAWS))) -> NDArray:
    """Compute mean squared errors of kernel PCA: a row for each draw, a column for each k."""
    gaps = [pre_images(noise, gamma, draw) - noisy_digits(draw, noise)[1] for draw in draws]
    return np.mean(np.square(gaps), axis=(2, 3))


@lru_cache(maxsize=64)
def linear_errors(noise: float) -> NDArray:
    """Compute mean squared errors of linear PCA: a row for each draw, a column for each k up to 64."""
    rows = []
    for draw in range(DRAWS):
        _, clean, images = noisy_digits(draw, noise)
        rows.append([np.mean((project(k, draw, images) - clean) ** 2) for k in LINEAR_KS])
    return np.array(rows)


def shrink(noise: float, draw: int, sigma: float) -> NDArray:
    """Project the noisy digits on all components of linear PCA, each times s/(s + σ²), s its variance."""
    pca, images = linear_components(draw), noisy_digits(draw, noise)[2]
    share = pca.explained_variance_ / (pca.explained_variance_ + sigma**2)
    return pca.inverse_transform(pca.transform(images) * share)


def smooth(noise: float, draw: int, beta: float) -> NDArray:
    """Replace each noisy digit x by the mean of the clean ones xᵢ with the weights exp(−β‖x − xᵢ‖²)."""
    fit, _, images = noisy_digits(draw, noise)
    return softmax(-beta * cdist(images, fit, "sqeuclidean"), axis=1) @ fit


def shrunk_error(noise: float, draw: int, sigma: float) -> float:
    """Compute the error of linear PCA with components shrunk for noise of standard deviation sigma."""
    return float(np.mean((shrink(noise, draw, sigma) - noisy_digits(draw, noise)[1]) ** 2))


def smoothed_error(noise: float, draw: int, beta: float) -> float:
    """Compute the error of the weighted mean of the clean digits."""
    return float(np.mean((smooth(noise, draw, beta) - noisy_digits(draw, noise)[1]) ** 2))


@lru_cache(maxsize=1)
def neighbors():
    """Classify by the five nearest of the first draw's clean digits."""
    rows = np.random.default_rng(0).permutation(len(load_digits().data))[:FITTED]
    return KNeighborsClassifier(5).fit(noisy_digits(0, NOISES[0])[0], load_digits().target[rows])


def recognize(images: NDArray) -> list[int]:
    """Say for each image which digit most of the five nearest clean digits are."""
    return neighbors().predict(images).tolist()


def draw_range(x: ArrayLike, errors: NDArray, style: str = "") -> Line:
    """Draw the median of the draws, one a row, and their range as a band."""
    return Line(x, np.median(errors, axis=0), errors.min(axis=0), errors.max(axis=0), style)
