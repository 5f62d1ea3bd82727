"""Nyström's errors, and the decay of the spectrum: against formulas and oracles."""

import numpy as np
import pytest

from kernlib.book.explorers import nystrom
from kernlib.kernels import Gaussian, Laplace

CASES = [(kernel, gamma) for kernel in nystrom.KERNELS for gamma in (0.1, 10.0)]


@pytest.mark.parametrize("rule", nystrom.RULES)
def test_nystroms_error_falls_with_k_and_stays_above_the_best(rule):
    many, one, best = nystrom.error_over_k(16, 0.5, rule, 1).values()
    for line in (many, one):
        assert (np.diff(line.y) <= 1e-7).all()  # roots of differences that rounding moves by 1e-15
        assert (line.y >= best.y[:16] - 1e-7).all()
    assert (many.low <= many.y).all()
    assert (many.y <= many.high).all()


@pytest.mark.parametrize("k", [8, 3])
def test_nystroms_error_is_that_of_the_pseudo_inverse_of_rank_k(k):
    X = nystrom.data()
    points = nystrom.choose_landmarks(8, 0.5, "uniform", 0)
    G = np.exp(-0.5 * ((X[:, None] - X) ** 2).sum(-1))
    C = np.exp(-0.5 * ((X[:, None] - points) ** 2).sum(-1))
    W = np.exp(-0.5 * ((points[:, None] - points) ** 2).sum(-1))
    sigma, V = (A[..., -k:] for A in np.linalg.eigh(W))
    expected = np.linalg.norm(G - C @ (V / sigma) @ V.T @ C.T) / np.linalg.norm(G)
    assert nystrom.errors(8, 0.5, "uniform", 0)[k - 1] == pytest.approx(expected, rel=1e-6)
    assert nystrom.error_over_k(8, 0.5, "uniform", 1)["this draw"].y[k - 1] == pytest.approx(
        expected, rel=1e-6
    )


def test_the_readout_counts_the_draws_of_the_band():
    low, high = np.quantile(nystrom.errors_of_draws(8, 0.5, "uniform")[:, 3], (0.1, 0.9))
    words = nystrom.summary(8, 4, 0.5, "uniform", 1)
    assert f"the middle 80% from {low:.3f} to {high:.3f}" in words
    assert len(nystrom.errors_of_draws(8, 0.5, "uniform")) == nystrom.DRAWS_COUNTED


def test_the_uniform_draw_of_the_first_picture_misses_the_small_group():
    """As the question says four in five draws do."""
    assert nystrom.summary(4, 4, 0.5, "uniform", 1).endswith(", 0.")
    assert not nystrom.finds_small_group(4, 0.5, "uniform", 0)


@pytest.mark.parametrize(("kernel", "gamma"), CASES)
def test_the_shares_add_up_to_one_and_fall(kernel, gamma):
    shares = nystrom.spectrum(kernel, gamma).y
    assert np.nansum(shares) == pytest.approx(1)
    assert (np.diff(shares[np.isfinite(shares)]) <= 0).all()


@pytest.mark.parametrize(("kernel", "gamma"), CASES)
def test_nothing_beats_the_best_of_rank_c(kernel, gamma):
    found, fourier, best = (line.y for line in nystrom.error_over_c(kernel, gamma).values())
    drawn = np.isfinite(best)
    assert (found >= best - 1e-9)[drawn].all()
    assert (fourier >= best - 1e-9)[drawn].all()
    assert (found <= 1)[drawn].all()


def test_no_point_is_drawn_that_rounding_decides():
    gamma = nystrom.DECAY.controls[1].stops[0]  # the fastest fall
    lines = [nystrom.spectrum("Gaussian", gamma), *nystrom.error_over_c("Gaussian", gamma).values()]
    # an eigenvalue is off by up to nε, an entry of Nyström's matrix by up to √(cε), where the largest is 1
    least = [200 * np.finfo(float).eps] + 3 * [np.sqrt(128 * np.finfo(float).eps)]
    for line, bound in zip(lines, least, strict=True):
        assert np.nanmin(line.y) > bound


def test_the_best_error_is_that_of_the_truncated_decomposition():
    G = Laplace(1.0)(nystrom.data())
    sigma, U = np.linalg.eigh(G)
    G8 = (U[:, -8:] * sigma[-8:]) @ U[:, -8:].T
    best = nystrom.error_over_c("Laplace", 1.0)["best of rank c"].y
    assert best[2] == pytest.approx(np.linalg.norm(G - G8) / np.linalg.norm(G))


def test_the_larger_gamma_is_the_slower_the_spectrum_falls():
    for kernel in nystrom.KERNELS:
        tails = [nystrom.eigenvalues(kernel, gamma)[8:].sum() for gamma in (0.01, 0.1, 1.0, 10.0, 100.0)]
        assert (np.diff(tails) > 0).all()


def test_the_slope_of_random_features_is_a_half_and_nystroms_is_lost():
    """As the question's answer says; the exponents of a line through seven medians of three draws."""
    slopes = {}
    for gamma in (1.0, 100.0):
        for name, line in list(nystrom.error_over_c("Gaussian", gamma).items())[:2]:
            slopes[name, gamma] = np.polyfit(np.log(line.x), np.log(line.y), 1)[0]
    assert slopes["random features", 1.0] == pytest.approx(-0.5, abs=0.15)
    assert slopes["random features", 100.0] == pytest.approx(-0.5, abs=0.15)
    assert slopes["Nyström", 1.0] < -1
    assert slopes["Nyström", 100.0] > -0.25


def test_the_readout_is_the_plot_in_words():
    found, fourier, _ = nystrom.error_over_c("Gaussian", 1.0).values()
    words = nystrom.decay_summary("Gaussian", 1.0, 16)
    assert f"{found.y[3]:.3f} for Nyström" in words
    assert f"{fourier.y[3]:.3f} for random" in words
    share = nystrom.eigenvalues("Gaussian", 1.0)[:16].sum() / np.trace(Gaussian(1.0)(nystrom.data()))
    assert f"{share:.1%} of the trace" in words
