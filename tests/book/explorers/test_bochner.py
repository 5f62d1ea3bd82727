"""A kernel and its frequencies, and functions that fail: against quadrature, closed forms, the literature."""

import itertools

import numpy as np
import pytest

from kernlib.book.explorers import bochner
from kernlib.book.explorers.bochner import (
    BUMPS,
    FAILS,
    lattice_gram,
    profile,
    smallest_eigenvalues,
    spectrum,
    verdict,
)
from kernlib.kernels import radial_transform

CAP, SMOOTH, COSINE, TENT, SQUARE, WENDLAND = BUMPS
KERNEL_UP_TO = {CAP: 0, SMOOTH: 0, COSINE: 0, TENT: 1, SQUARE: 3, WENDLAND: 3}


def test_all_six_bumps_are_drawn_whichever_is_chosen():
    every = profile(TENT)["all six"]
    curves = np.split(every.y, np.flatnonzero(np.isnan(every.y)) + 1)[:-1]
    assert len(curves) == 6
    for name, curve in zip(BUMPS, curves, strict=True):
        assert np.array_equal(curve[:-1], profile(name)["q(r)"].y)


@pytest.mark.parametrize("kernel", bochner.KERNELS)
def test_draws_average_to_the_kernel_within_their_standard_error(kernel):
    q, mean = bochner.exact(kernel, 0.8, bochner.RIGHT), bochner.average(kernel, 0.8, 1000, bochner.RIGHT)
    assert np.abs(q - mean).max() < 5 / np.sqrt(1000)
    *drawn, last = bochner.kernel_and_average(kernel, 0.8, 1000).values()
    assert drawn[0].y[0] == drawn[1].y[0] == 1
    assert np.isnan(last.y).all()  # one of a thousand is not worth drawing
    for exact, line in zip((q, mean), drawn, strict=True):
        np.testing.assert_allclose(line.y, exact, atol=0.000501)  # three digits


def test_one_more_wave_changes_the_mean_by_its_share():
    four, five = (bochner.average("Gaussian", 0.8, m, bochner.RIGHT) for m in (4, 5))
    last = np.cos(bochner.frequencies("Gaussian", 0.8, 5)[-1] * bochner.RIGHT)
    np.testing.assert_allclose(five, (4 * four + last) / 5, atol=1e-15)
    drawn = bochner.kernel_and_average("Gaussian", 0.8, 5)["the wave drawn last"]
    np.testing.assert_allclose(drawn.y, last, atol=0.000501)


def test_one_wave_agrees_with_the_kernel_up_to_where_their_gap_is_a_tenth():
    for gamma in (0.8, 3.2):
        omega = bochner.frequencies("Gaussian", gamma, 1)[0]
        delta = bochner.agreement("Gaussian", gamma, 1)
        gaps = [abs(np.cos(omega * d) - np.exp(-gamma * d**2)) for d in (delta, delta + 0.01)]
        assert gaps[0] <= 0.1 < gaps[1]
    assert bochner.agreement("Gaussian", 0.05, 1000) == 4


@pytest.mark.parametrize("kernel", bochner.KERNELS)
def test_the_density_and_the_histogram_are_the_same_law(kernel):
    draws, p = bochner.density(kernel, 0.8, 1000).values()
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
            half, q = bochner.shape(kernel, gamma)["where q = ½"], bochner.KERNELS[kernel](gamma)
            assert q(np.array(half.x)[:, None], np.zeros((1, 1)))[:, 0] == pytest.approx(half.y)


def test_the_spectrum_of_the_cap_is_that_of_its_formula_and_is_negative():
    w = np.linspace(0.1, 8, 80)
    for gamma in (0.25, 1.0, 8.0):
        v = w / np.sqrt(gamma)
        exact = 4 * (np.sin(v) - v * np.cos(v)) / v**3 / (2 * np.pi * np.sqrt(gamma))
        assert bochner.cap_spectrum(gamma, w) == pytest.approx(exact, abs=1e-12)
        half = bochner.shape(bochner.CAP, gamma)["where q = ½"]
        assert 1 - gamma * np.array(half.x) ** 2 == pytest.approx(half.y)
        marks = bochner.law(bochner.CAP, gamma)
        negative = marks["where it is negative"].y
        assert np.isfinite(negative).any() == (marks["p(ω)"].y.min() < 0)
    for gamma in bochner.SPECTRUM.controls[0].stops:  # the axis holds the lowest place, 5.76 √γ
        assert bochner.WIDE[-1] > 5.77 * np.sqrt(gamma)
    assert bochner.widths(bochner.CAP, 1.0).endswith("lowest at ω = ±5.76, where it is −0.018.")


def test_a_larger_gamma_stretches_the_same_draws():
    one, four = (bochner.frequencies("Gaussian", gamma, 100) for gamma in (1, 4))
    assert four == pytest.approx(2 * one)


def test_the_verdict_is_the_literatures():
    for function, p in itertools.product(BUMPS, (1, 2, 3, 5)):
        said, fails = verdict(function, p, 0.5), p > KERNEL_UP_TO[function]
        assert (f": not a kernel in p = {p}." in said) == fails, (function, p)
        assert ("nor, by theory, beyond: a kernel" in said) == (not fails), (function, p)
        assert "-" not in said
        negative = spectrum(function, p)["where it is negative"].y
        assert np.isfinite(negative).any() == fails, (function, p)
    assert FAILS.predict.answer == str(sum(p >= 1 for p in KERNEL_UP_TO.values()))


def test_what_stays_positive_on_the_axis_stays_so_far_out():
    far = np.linspace(30, 100, 1000)
    for function, p in ((f, p) for f in BUMPS for p in (1, 2, 3, 5) if p <= KERNEL_UP_TO[f]):
        beyond = radial_transform(BUMPS[function], far, p)
        assert beyond.min() > -1e-12, (function, p)


def test_the_gram_matrix_is_that_of_a_double_loop():
    h = 0.4
    X = [h * np.array(x) for x in itertools.product(range(11), repeat=2)]
    G = [[max(1 - np.linalg.norm(x - y), 0) for y in X] for x in X]
    assert lattice_gram(TENT, 2, h) == pytest.approx(np.array(G), abs=1e-12)
    assert smallest_eigenvalues(TENT, 2, h)["eigenvalues of G"].y[0] == pytest.approx(
        np.linalg.eigvalsh(G)[0]
    )


def test_kernels_have_no_negative_eigenvalue_and_the_cap_has_the_chapters():
    for function, p, h in itertools.product(BUMPS, (1, 2, 3), (0.15, 0.25, 0.5)):
        lam = smallest_eigenvalues(function, p, h)["eigenvalues of G"].y
        if p <= KERNEL_UP_TO[function]:
            assert lam[0] > -1e-10
    assert smallest_eigenvalues(CAP, 1, 0.25)["eigenvalues of G"].y[0] == pytest.approx(-0.490, abs=5e-4)


def test_every_bump_is_one_at_zero_and_zero_from_one_on():
    for function in BUMPS:
        q = profile(function)["q(r)"]
        assert q.y[0] == 1
        assert (q.y[q.x >= 1] == 0).all()
        assert (np.diff(q.y) <= 0).all()
