"""Denoising: the truncated model is the model with k components, and the readout is the plot in words."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from kernlib.book.explorers import components, components_digit
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian


@pytest.mark.parametrize("k", [4, 64])
def test_a_truncated_model_denoises_as_one_with_k_components(k):
    fit, _, images = components.noisy_digits(0, 0.35)
    expected = KernelPCA(Gaussian(0.05), n_components=k).fit(fit).denoise(images, max_iter=1000, tol=1e-3)
    # Lanczos finds eigenvectors to about 1e-12; a step more or less is up to 1e-3 widths of the kernel
    assert np.abs(components.denoise(0.05, k, 0, images) - expected).max() < 1e-3 * np.sqrt(10)


def test_the_errors_of_all_k_at_once_are_those_of_each_k():
    _, clean, images = components.noisy_digits(0, 0.35)
    found = dict(zip(components.KS, components.kernel_errors(0.35, 0.05, (0,))[0], strict=True))
    for k in (4, 64, 799):
        each = components.denoise(0.05, k, 0, images)
        assert found[k] == pytest.approx(np.mean((each - clean) ** 2), rel=1e-6)


def test_the_noise_is_not_in_the_digits_to_fit():
    assert len(components.NOISES) == 3
    quiet, *louder = (components.noisy_digits(1, noise) for noise in components.NOISES)
    for noise, loud in zip(components.NOISES[1:], louder, strict=True):
        assert (quiet[0] == loud[0]).all()
        assert np.std(loud[2] - loud[1]) == pytest.approx(noise, rel=0.05)


def test_linear_pca_with_all_components_returns_the_noisy_digits():
    _, clean, images = components.noisy_digits(2, 0.35)
    assert components.linear_errors(0.35)[2, -1] == pytest.approx(np.mean((images - clean) ** 2))


def test_the_smoothed_digits_are_weighted_means_of_the_clean_ones():
    fit, clean, images = components.noisy_digits(0, 0.35)
    squares = []
    for image, digit in zip(images, clean, strict=True):
        weights = np.array([np.exp(-2 * np.sum((image - one) ** 2)) for one in fit])
        squares.append((weights @ fit / weights.sum() - digit) ** 2)
    assert components.smoothed_error(0.35, 0, 2) == pytest.approx(np.mean(squares))


def test_the_readout_is_the_plot_in_words():
    lines = components_digit.error_over_k(0.35, 0.05)
    kernel, linear = (lines[f"{name} PCA, noise 0.35"].y[3] for name in ("kernel", "linear"))
    words = components_digit.summary("5", 0.35, 0.05, 32)
    assert f"kernel PCA {kernel:.2f} at k = 32; linear PCA {linear:.2f} at k = 32" in words
    assert [name for name in lines if lines[name].style == "dashed"] == [
        f"kernel PCA, noise {noise}" for noise in (0.05, 0.15)
    ]
    between = components_digit.error_over_k(0.15, 0.05)
    assert list(between)[:3] == list(lines)[:3]  # in the same colors
    assert (lines["kernel PCA, noise 0.15"].y == between["kernel PCA, noise 0.15"].y).all()


def test_the_pictures_are_of_the_digit_that_its_name_says():
    for digit, row in components_digit.SHOWN.items():
        clean = components.noisy_digits(0, 0.35)[1][row]
        pixels = np.random.default_rng(0).permutation(1797)[800 + row]
        assert load_digits().target[pixels] == int(digit)
        assert (components_digit.without_noise(digit) == clean.reshape(8, 8)).all()
        assert components_digit.by_linear(digit, 0.35, 64).max() <= 1
    assert "This 5 comes back as 9 from kernel PCA" in components_digit.of_this_digit("5", 0.35, 0.2, 512)


def test_a_digit_is_recognized_by_most_of_its_five_nearest_neighbors():
    fit, _, images = components.noisy_digits(0, 0.35)
    labels = load_digits().target[np.random.default_rng(0).permutation(1797)[:800]]
    for image in images[:9]:
        nearest = labels[np.argsort(np.sum((fit - image) ** 2, axis=1))[:5]]
        assert components.recognize(image[None]) == [np.bincount(nearest).argmax()]
