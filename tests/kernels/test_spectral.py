"""The transform of a radial function against closed forms and other quadratures."""

import numpy as np
import pytest
from scipy.special import j0

from kernlib.kernels import radial_transform

OMEGA = np.array([0.3, 2.0, 5.8, 11.0, 40.0, 100.0])


def cap(r):
    return 1 - r**2


def tent(r):
    return 1 - r


def test_the_transform_is_the_closed_form_in_one_and_three_dimensions():
    w = OMEGA
    expected = 4 * (np.sin(w) - w * np.cos(w)) / w**3
    assert radial_transform(cap, w, 1) == pytest.approx(expected, abs=1e-12)
    assert radial_transform(tent, w, 1) == pytest.approx(2 * (1 - np.cos(w)) / w**2, abs=1e-12)
    expected = 4 * np.pi * (2 * (1 - np.cos(w)) - w * np.sin(w)) / w**4
    assert radial_transform(tent, w, 3) == pytest.approx(expected, abs=1e-12)


def test_the_transform_is_hankels_in_the_plane():
    r = (np.arange(20_000) + 0.5) / 20_000
    hankel = 2 * np.pi * np.mean(tent(r) * r * j0(np.outer(OMEGA[:4], r)), axis=1)
    assert radial_transform(tent, OMEGA[:4], 2) == pytest.approx(hankel, abs=1e-7)


@pytest.mark.parametrize("p, ball", [(1, 2), (2, np.pi), (3, 4 / 3 * np.pi), (5, 8 / 15 * np.pi**2)])
def test_the_transform_at_zero_is_the_integral(p, ball):
    assert radial_transform(np.ones_like, [0.0], p) == pytest.approx(ball)
    assert radial_transform(tent, [0.0], p) == pytest.approx(ball / (p + 1))
