"""The explorer of functions that fail: spectra and eigenvalues against closed forms, and the common rules."""

import gzip
import itertools
import json
import re

import numpy as np
import pytest
from packed import unpack
from scipy.special import j0

from kernlib.explore.page import page_html
from kernlib.explorers.bochner import (
    BUMPS,
    FAILS,
    lattice_gram,
    profile,
    radial_transform,
    smallest_eigenvalues,
    spectrum,
    verdict,
)

CAP, SMOOTH, COSINE, TENT, SQUARE, WENDLAND = BUMPS
KERNEL_UP_TO = {CAP: 0, SMOOTH: 0, COSINE: 0, TENT: 1, SQUARE: 3, WENDLAND: 3}
OMEGA = np.array([0.3, 2.0, 5.8, 11.0, 40.0, 100.0])


def test_the_transform_is_the_closed_form_in_one_and_three_dimensions():
    w = OMEGA
    cap = 4 * (np.sin(w) - w * np.cos(w)) / w**3
    assert radial_transform(BUMPS[CAP], w, 1) == pytest.approx(cap, abs=1e-12)
    assert radial_transform(BUMPS[TENT], w, 1) == pytest.approx(2 * (1 - np.cos(w)) / w**2, abs=1e-12)
    tent = 4 * np.pi * (2 * (1 - np.cos(w)) - w * np.sin(w)) / w**4
    assert radial_transform(BUMPS[TENT], w, 3) == pytest.approx(tent, abs=1e-12)


def test_the_transform_is_hankels_in_the_plane():
    r = (np.arange(20_000) + 0.5) / 20_000
    hankel = 2 * np.pi * np.mean((1 - r) * r * j0(np.outer(OMEGA[:4], r)), axis=1)
    assert radial_transform(BUMPS[TENT], OMEGA[:4], 2) == pytest.approx(hankel, abs=1e-7)


def test_the_transform_at_zero_is_the_integral():
    for p, ball in ((1, 2), (2, np.pi), (3, 4 / 3 * np.pi), (5, 8 / 15 * np.pi**2)):
        assert radial_transform(np.ones_like, [0.0], p) == pytest.approx(ball)
        assert radial_transform(BUMPS[TENT], [0.0], p) == pytest.approx(ball / (p + 1))


@pytest.mark.parametrize(("function", "p"), [*itertools.product(BUMPS, (1, 2, 3, 5))])
def test_the_verdict_is_the_literatures(function, p):
    said = verdict(function, p, 0.5)
    assert (f": no kernel in p = {p}." in said) == (p > KERNEL_UP_TO[function])
    assert ("stays so" in said) == (p <= KERNEL_UP_TO[function])
    negative = spectrum(function, p)["where it is negative"].y
    assert np.isfinite(negative).any() == (p > KERNEL_UP_TO[function])
    assert "-" not in said


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


def test_the_page_holds_the_live_numbers_and_stays_light():
    html = page_html(FAILS)
    assert len(gzip.compress(html.encode())) <= 150_000
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.DOTALL)[1])
    rng = np.random.default_rng(0)
    for _ in range(10):
        values = {c.name: c.stops[rng.integers(len(c.stops))] for c in FAILS.controls}
        live = json.loads(json.dumps(FAILS.frames(values)))
        for i, panel in enumerate(FAILS.panels):
            place = 0
            for control in FAILS.depends(panel):
                place = place * len(control.stops) + control.stops.index(values[control.name])
            assert unpack(data["frames"][i][place], data["pool"]) == live[i], (panel.title, values)


def test_the_question_has_the_right_answer():
    assert FAILS.predict.answer == str(sum(p >= 1 for p in KERNEL_UP_TO.values()))
