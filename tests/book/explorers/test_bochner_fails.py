"""Bumps that are kernels in some dimensions: against quadrature, closed forms, the literature."""

import itertools

import numpy as np
import pytest

from kernlib.book.explorers.bochner_fails import (
    BUMPS,
    FAILS,
    RADIAL_OMEGA,
    lattice_gram,
    profile,
    relative_spectrum,
    smallest_eigenvalues,
    spectrum,
    verdict,
)
from kernlib.kernels import radial_transform

CAP, SMOOTH, COSINE, TENT, SQUARE, WENDLAND = BUMPS
KERNEL_UP_TO = {CAP: 0, SMOOTH: 0, COSINE: 0, TENT: 1, SQUARE: 3, WENDLAND: 3}


def test_all_six_bumps_are_drawn_whichever_is_chosen():
    every = profile(TENT, 1, 3)["all six"]
    curves = np.split(every.y, np.flatnonzero(np.isnan(every.y)) + 1)[:-1]
    assert len(curves) == 6
    for name, curve in zip(BUMPS, curves, strict=True):
        assert np.array_equal(curve[:-1], profile(name, 1, 3)["q(r)"].y)


def test_the_shaded_area_is_the_transform_up_to_a_positive_factor():
    at = {p: RADIAL_OMEGA.tolist().index(9) for p in (1, 2, 3, 5)}
    for function, p in itertools.product(BUMPS, at):
        zero, nine = (profile(function, p, omega)["what q̂(ω) integrates"] for omega in (0, 9))
        share = np.trapezoid(nine.y, nine.x) / np.trapezoid(zero.y, zero.x)
        # the trapezoidal rule at steps of 0.0125
        assert share == pytest.approx(relative_spectrum(function, p)[at[p]], abs=0.02)


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
        q = profile(function, 1, 3)["q(r)"]
        assert q.y[0] == 1
        assert (q.y[q.x >= 1] == 0).all()
        assert (np.diff(q.y) <= 0).all()
