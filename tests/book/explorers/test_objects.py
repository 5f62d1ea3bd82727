"""The columns of an explicit map, against kernlib, scikit-learn and quadrature."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad
from sklearn.kernel_approximation import AdditiveChi2Sampler

from kernlib.book.explorers import objects


@pytest.mark.parametrize("kernel", objects.DENSITIES)
def test_the_density_is_the_fourier_transform_of_the_signature(kernel):
    for omega in (0.0, 0.3, 1.1, 2.0):
        found, _ = quad(lambda u, w=omega: objects.signature(kernel, u) * np.cos(w * u), 0, 80, limit=400)
        assert found / np.pi == pytest.approx(objects.DENSITIES[kernel](omega), abs=1e-8)
    for a in (0.0, 0.4, 1.5):
        tail, _ = quad(objects.DENSITIES[kernel], a, 200 if kernel == "additive χ²" else np.inf, limit=400)
        assert tail == pytest.approx(objects.TAILS[kernel](a), abs=1e-8)


def test_the_sampled_signature_is_the_kernel_of_scikit_learns_map():
    y = np.geomspace(1e-3, 1e3, 40)[:, None]
    for m in (0, 1, 2, 5):
        phi = AdditiveChi2Sampler(sample_steps=m + 1, sample_interval=0.6).fit(y)
        theirs = (phi.transform(np.ones((1, 1))) @ phi.transform(y).T).ravel() / np.sqrt(y[:, 0])
        found = objects.sampled_signature("additive χ²", m, 0.6, np.log(y[:, 0]))
        np.testing.assert_allclose(found, theirs, atol=1e-12)


def test_the_bound_holds_at_every_ratio():
    u = np.linspace(-40, 40, 4001)
    for kernel, m, L in itertools.product(objects.DENSITIES, (0, 1, 4, 20), (0.2, 0.5, 0.8, 1.3)):
        gap = objects.sampled_signature(kernel, m, L, u) - objects.signature(kernel, u)
        error = (np.exp(-np.abs(u) / 2) * np.abs(gap)).max()
        assert error <= objects.bound(kernel, m, L), (kernel, m, L)


def test_the_bound_is_not_far_from_the_error_where_the_step_rules():
    u = np.linspace(0, 40, 4001)
    gap = objects.sampled_signature("additive χ²", 40, 0.5, u) - objects.signature("additive χ²", u)
    assert objects.bound("additive χ²", 40, 0.5) < 3 * (np.exp(-u / 2) * np.abs(gap)).max()


def test_the_dots_are_where_scikit_learn_samples():
    x = np.array([[0.1], [0.7]])
    for m, L in objects.SKLEARN.items():
        own, same = (AdditiveChi2Sampler(sample_steps=m + 1, sample_interval=step) for step in (None, L))
        np.testing.assert_array_equal(own.fit_transform(x), same.fit_transform(x))
        dots = objects.error_over_step("additive χ²", m)["scikit-learn"]
        assert dots.x == [L] and dots.y == [objects.weighted_error("additive χ²", m, L)["error"].y.max()]
    for kernel, m in (("intersection", 1), ("additive χ²", 3)):
        assert list(objects.error_over_step(kernel, m)) == ["this m"]
