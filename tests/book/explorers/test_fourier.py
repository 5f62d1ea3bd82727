"""What the explorers of random Fourier features say, against simulation and oracles."""

import numpy as np
import pytest

from kernlib.book.explorers import fourier
from kernlib.kernels import Gaussian, Laplace, Matern
from kernlib.low_rank import relative_error

KERNELS = {"Gaussian": Gaussian(0.5), "Laplace": Laplace(0.5), "Matérn, ν = 3/2": Matern(1.5, 1.0)}


@pytest.mark.parametrize("form", fourier.FORMS)
def test_the_predicted_error_is_the_root_of_the_mean_square_over_draws(form):
    """Within five standard errors of 400 draws."""
    G = Gaussian(0.1)(fourier.data())
    squares = [relative_error(fourier.features(16, 0.1, form, draw), G) ** 2 for draw in range(400)]
    standard_error = np.std(squares) / np.sqrt(len(squares))
    assert abs(np.mean(squares) - fourier.expected_error(16, 0.1, form) ** 2) < 5 * standard_error


def test_the_scatter_plot_compares_the_same_entries():
    dots, diagonal, _ = fourier.against_exact(400, 0.1, "pairs (cos, sin)", 0).values()
    assert np.abs(diagonal.y - 1).max() < 1e-12
    X = fourier.data()
    assert dots.x == pytest.approx(
        [np.exp(-0.1 * np.sum((X[i] - X[i + 1]) ** 2)) for i in range(fourier.SHOWN)]
    )
    assert np.abs(dots.x - dots.y).max() < 6 * np.sqrt(1.5 / 400)


def draws(kernel, n, rng):
    """Frequencies of the kernels of the explorer, in one dimension."""
    if kernel == "(1 + cos δ)/2":
        return rng.choice([-1.0, 0.0, 0.0, 1.0], size=n)
    return KERNELS[kernel].sample_frequencies(n, 1, rng)[0]


@pytest.mark.parametrize("kernel", fourier.PROFILES)
def test_the_variances_are_those_of_a_simulation(kernel):
    rng, n = np.random.default_rng(0), 100_000
    delta = np.array([0.0, 0.3, 1.0, 3.0, 6.0])
    omega, b = draws(kernel, n, rng), rng.uniform(0, 2 * np.pi, n)
    wave = np.cos(np.outer(delta, omega))
    pairs, phases = fourier.variances(*fourier.similarities(kernel, delta)).values()
    for terms, expected in ((np.sqrt(2) * wave, pairs), (wave + np.cos(0.7 * omega + 2 * b), phases)):
        measured = terms.var(axis=1)
        fourth = np.mean((terms - terms.mean(axis=1, keepdims=True)) ** 4, axis=1)
        error = np.sqrt(np.maximum(fourth - measured**2, 0) / n)
        assert (np.abs(measured - expected) <= 5 * error + 1e-9).all()


def test_the_readout_has_both_deviations_and_their_ratio():
    words = fourier.at_difference("Gaussian", 256, 2)
    q, q2 = np.exp(-2), np.exp(-8)
    pairs, phases = np.sqrt((1 + q2 - 2 * q**2) / 256), np.sqrt((1 + q2 / 2 - q**2) / 256)
    assert f"{pairs:.4f} for pairs and {phases:.4f} for phases, a ratio of {pairs / phases:.3f}." in words
    assert "is 0.0000 for pairs" in fourier.at_difference("Laplace", 64, 0)


def test_pairs_always_win_for_the_usual_kernels_and_not_for_the_cosine():
    always = {
        kernel for kernel in fourier.PROFILES if "at all differences" in fourier.at_difference(kernel, 64, 1)
    }
    assert always == {*KERNELS}
    for kernel in fourier.PROFILES.keys() - always:
        q, q2 = fourier.similarities(kernel, np.array([np.pi]))
        pairs, phases = fourier.variances(q, q2).values()
        assert pairs > phases


def test_deviations_are_roots_of_the_variances_and_pairs_have_none_at_zero():
    for kernel in fourier.PROFILES:
        pairs, phases = (line.y for line in fourier.deviations(kernel, 64).values())
        assert pairs[0] == pytest.approx(0) and phases[0] == pytest.approx(np.sqrt(0.5 / 64))
