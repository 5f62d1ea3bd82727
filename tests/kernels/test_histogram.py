"""The kernels of histograms: explicit features, definiteness, and the largest and smallest numbers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from samples import DIMENSIONS, assert_refused
from sklearn.svm import SVC

from kernlib.kernels import AdditiveChiSquared, ChiSquared, Hellinger, Intersection, Linear
from kernlib.nystrom import NystromFeatures

KERNELS = [AdditiveChiSquared(), Intersection(), Hellinger(), ChiSquared(0.7)]


def histograms(n, p, seed=0):
    """Histograms with empty bins: some in one of two rows, some in both."""
    rng = np.random.default_rng(seed)
    return rng.gamma(1.0, size=(n, p)) * (rng.random((n, p)) < 0.7)


def test_unary_numbers_are_the_feature_map_of_the_intersection():
    for p in DIMENSIONS:
        rng = np.random.default_rng(0)
        X = rng.integers(0, 9, size=(12, p))
        unary = (X[:, :, None] > np.arange(9)).reshape(len(X), -1)  # 3 becomes (1, 1, 1, 0, …)
        np.testing.assert_array_equal(Intersection()(X), unary.astype(float) @ unary.T)


@settings(max_examples=60, deadline=None)
@given(arrays(np.float64, (6, 3), elements=st.floats(0, 1e6)), st.sampled_from(KERNELS))
def test_any_histograms_give_a_finite_symmetric_psd_matrix(X, kernel):
    G = kernel(X)
    assert np.isfinite(G).all() and (G == G.T).all()
    np.testing.assert_allclose(np.diag(G), kernel.diag(X), rtol=1e-13, atol=1e-300)
    lam = np.linalg.eigvalsh(G)
    assert lam[0] >= -10 * len(G) * np.finfo(float).eps * lam[-1]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_the_largest_and_smallest_numbers_do_not_overflow(kernel):
    for size in (1e-300, 1e-40, 1e150, 1e300):
        X = size * np.array([[1.0, 2.0], [3.0, 0.0], [0.0, 0.0]])
        with np.errstate(invalid="raise", divide="raise"):
            G = kernel(X)
        expected = kernel.diag(X)
        assert np.isfinite(G).all()
        np.testing.assert_allclose(np.diag(G), expected, rtol=1e-13)


@pytest.mark.parametrize(
    "kernel",
    [*KERNELS, 2 * Intersection() + Linear(), Linear() + Hellinger(), Linear() * Hellinger()],
    ids=str,
)
def test_negative_entries_raise_an_error_wherever_the_kernel_is_used(kernel):
    good = histograms(600, 3)
    bad = good.copy()
    bad[550, 1] = -0.5  # in the second block, of which it is row 46
    sentence = "must have no negative entry, got -0.5 in row 550"
    for name, use in [
        ("X", lambda: kernel(bad)),
        ("X", lambda: kernel(bad, good)),
        ("Y", lambda: kernel(good, bad)),
        ("X", lambda: kernel.diag(bad)),
        ("X", lambda: NystromFeatures(kernel, n_components=2).fit(good).transform(bad)),
        ("X", lambda: SVC(kernel=kernel).fit(bad, np.arange(600) % 2)),
    ]:
        assert_refused(use, f"{name} {sentence}")


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_a_zero_has_no_sign(kernel):
    X = np.array([[0.0, 1.0], [-0.0, 2.0], [0.5, 0.0]])
    np.testing.assert_array_equal(kernel(X), kernel(np.abs(X)))
