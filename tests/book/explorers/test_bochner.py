"""A kernel and its frequencies: against quadrature and closed forms."""

import itertools

import numpy as np
import pytest

from kernlib.book.explorers import bochner


@pytest.mark.parametrize("kernel", bochner.KERNELS)
def test_draws_average_to_the_kernel_within_their_standard_error(kernel):
    q, mean = bochner.exact(kernel, 0.8, bochner.RIGHT), bochner.average(kernel, 0.8, 1000, bochner.RIGHT)
    assert np.abs(q - mean).max() < 5 / np.sqrt(1000)
    *drawn, last = bochner.kernel_and_average(kernel, 0.8, 1000, 1).values()
    assert drawn[0].y[0] == drawn[1].y[0] == 1
    assert np.isnan(last.y).all()  # one of a thousand is not worth drawing
    for exact, line in zip((q, mean), drawn, strict=True):
        np.testing.assert_allclose(line.y, exact, atol=1e-15)


def test_one_more_wave_changes_the_mean_by_its_share():
    four, five = (bochner.average("Gaussian", 0.8, m, bochner.RIGHT) for m in (4, 5))
    last = np.cos(bochner.frequencies("Gaussian", 0.8, 5)[-1] * bochner.RIGHT)
    np.testing.assert_allclose(five, (4 * four + last) / 5, atol=1e-15)
    drawn = bochner.kernel_and_average("Gaussian", 0.8, 5, 1)["the wave drawn last"]
    np.testing.assert_allclose(drawn.y, last, atol=1e-15)


@pytest.mark.parametrize("kernel", bochner.KERNELS)
def test_the_draws_are_those_of_the_kernel(kernel):
    for gamma, draw in itertools.product((0.05, 0.8, 6.4), bochner.DRAWS):
        drawn = bochner.KERNELS[kernel](gamma).sample_frequencies(1000, 1, np.random.default_rng(draw - 1))[0]
        rounding = bochner.SPREADS[kernel](gamma) * 0.51e-4
        np.testing.assert_allclose(
            bochner.frequencies(kernel, gamma, 1000, draw), drawn, rtol=0, atol=rounding
        )


def test_one_wave_agrees_with_the_kernel_up_to_where_their_gap_is_a_tenth():
    for gamma in (0.8, 3.2):
        omega = bochner.frequencies("Gaussian", gamma, 1)[0]
        delta = bochner.agreement("Gaussian", gamma, 1)
        gaps = [abs(np.cos(omega * d) - np.exp(-gamma * d**2)) for d in (delta, delta + 0.01)]
        assert gaps[0] <= 0.1 < gaps[1]
    assert bochner.agreement("Gaussian", 0.05, 1000) == 4


@pytest.mark.parametrize("kernel", bochner.KERNELS)
def test_the_density_and_the_histogram_are_the_same_law(kernel):
    draws, p = bochner.density(kernel, 0.8, 1000, 1).values()
    inside = np.trapezoid(p.y, p.x)
    assert inside == pytest.approx(1 if kernel == "Gaussian" else 2 / np.pi * np.arctan(10), abs=0.002)
    height = np.interp(draws.x, p.x, p.y)
    assert np.abs(draws.y - height).max() < 5 * np.sqrt(height.max() / (1000 * 0.5)) + 0.05


@pytest.mark.parametrize("kernel", bochner.KERNELS)
def test_the_widths_are_where_q_is_a_half_and_where_half_of_the_draws_lie(kernel):
    half, law = bochner.HALVES[kernel](0.4), bochner.LAWS[kernel](0.4)
    q = bochner.KERNELS[kernel](0.4)
    assert q(np.array([[half]]), np.zeros((1, 1))) == pytest.approx(0.5)
    inside = np.abs(bochner.frequencies(kernel, 0.4, 1000)) < law.ppf(0.75)
    assert abs(inside.mean() - 0.5) < 5 * np.sqrt(0.25 / 1000)


def test_the_product_of_both_widths_does_not_depend_on_gamma():
    for kernel, product in (("Gaussian", "0.79"), ("Laplace", "0.69")):
        for gamma in bochner.SPECTRUM.controls[0].stops:
            assert bochner.widths(kernel, gamma).endswith(f"The product of the two is {product}.")
            half, q = bochner.shape(kernel, gamma, 1.0)["where q = ½"], bochner.KERNELS[kernel](gamma)
            assert q(np.array(half.x)[:, None], np.zeros((1, 1)))[:, 0] == pytest.approx(half.y)


def test_the_spectrum_of_the_cap_is_that_of_its_formula_and_is_negative():
    w = np.linspace(0.1, 8, 80)
    for gamma in (0.25, 1.0, 8.0):
        v = w / np.sqrt(gamma)
        exact = 4 * (np.sin(v) - v * np.cos(v)) / v**3 / (2 * np.pi * np.sqrt(gamma))
        assert bochner.cap_spectrum(gamma, w) == pytest.approx(exact, abs=1e-12)
        half = bochner.shape(bochner.CAP, gamma, 1.0)["where q = ½"]
        assert 1 - gamma * np.array(half.x) ** 2 == pytest.approx(half.y)
        marks = bochner.law(bochner.CAP, gamma, 1.0)
        negative = marks["where it is negative"].y
        assert np.isfinite(negative).any() == (marks["p(ω)"].y.min() < 0)
    for gamma in bochner.SPECTRUM.controls[0].stops:  # the axis holds the lowest place, 5.76 √γ
        assert bochner.WIDE[-1] > 5.77 * np.sqrt(gamma)
    assert bochner.widths(bochner.CAP, 1.0).endswith("lowest at ω = ±5.76, where it is −0.018.")


def test_the_waves_add_up_to_the_function_and_the_largest_frequencies_are_still_missing():
    delta = np.linspace(0, 4, 41)
    for kernel, q in (("Gaussian", np.exp(-(delta**2))), (bochner.CAP, np.maximum(1 - delta**2, 0))):
        gap = np.abs(bochner.sum_of_waves(kernel, 1.0, 14.0, delta) - q)
        # the cap's transform is at most 4.02/ω² from ω = 14 on, and so the rest of the integral 4.02/(14π)
        assert gap.max() < (1e-12 if kernel == "Gaussian" else 4.02 / (14 * np.pi))
    for W in bochner.CUTS:  # at 0 the sum is the probability of a frequency up to W
        at_zero = bochner.sum_of_waves("Laplace", 0.5, W, np.zeros(1))
        assert at_zero == pytest.approx(2 / np.pi * np.arctan(W / 0.5), abs=1e-12)


def test_a_larger_gamma_stretches_the_same_draws():
    one, four = (bochner.frequencies("Gaussian", gamma, 100) for gamma in (1, 4))
    assert four == pytest.approx(2 * one)
