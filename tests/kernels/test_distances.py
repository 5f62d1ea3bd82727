"""Gram matrices of data that are neither centered nor scaled: every entry against exact differences."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import (
    AdditiveChiSquared,
    ChiSquared,
    Gaussian,
    Hellinger,
    Intersection,
    Laplace,
    Linear,
    Matern,
    Polynomial,
    distances,
)
from kernlib.numerics.blocks import BLOCK
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import KernelRidge

pytestmark = pytest.mark.filterwarnings("error")
TOLERANCE = {np.float32: 1e-5, np.float64: 1e-12}
DTYPES = list(TOLERANCE)
FAMILIES = {
    "Gaussian": lambda scale: Gaussian(scale**2),
    "Laplace": Laplace,
    **{f"Matern({nu})": lambda scale, nu=nu: Matern(nu, 1 / scale) for nu in (0.5, 1.5, 2.5, 3.5, 49.5)},
}


def exp_minus(t):
    """exp(−t) of a fraction."""
    return math.exp(-float(min(t, 1000)))


def exact(kernel, x, y):
    """κ(x, y) from exact differences, rounded once squared and summed; for Matérn, ν − ½ is an integer."""
    gaps = [Fraction(a) - Fraction(b) for a, b in zip(x, y, strict=True)]

    def scaled(scale):  # one, or one for each column
        scales = scale if isinstance(scale, tuple) else [scale] * len(gaps)
        return zip(map(Fraction, scales), gaps, strict=True)

    match kernel:
        case Gaussian(gamma):
            return exp_minus(sum(c * g**2 for c, g in scaled(gamma)))
        case Laplace(gamma):
            return exp_minus(sum(c * abs(g) for c, g in scaled(gamma)))
        case Matern(nu, length_scale):
            square = 2 * Fraction(nu) * sum((g / c) ** 2 for c, g in scaled(length_scale))
            r, k = Fraction(math.sqrt(min(square, 10**6))), int(nu)
            terms = (
                Fraction(math.factorial(k + i), math.factorial(i) * math.factorial(k - i))
                * (2 * r) ** (k - i)
                for i in range(k + 1)
            )
            return float(sum(terms) * Fraction(math.factorial(k), math.factorial(2 * k))) * exp_minus(r)


def exact_gram(kernel, X, Y):
    return np.array([[exact(kernel, x, y) for y in Y.tolist()] for x in X.tolist()])


@st.composite
def hard_data(draw, dtype):
    """Rows in two groups, with an offset, an outlier, an unscaled column, in any unit; and that unit."""
    p, seed = draw(st.sampled_from([1, 2, 5, 22])), draw(st.integers(0, 99))
    X = np.random.default_rng(seed).normal(size=(7, p))
    X[4] = X[3]
    powers = st.none() | st.integers(-2, 12)
    if (power := draw(powers)) is not None:
        X[5:] += 10.0**power
    if (power := draw(powers)) is not None:
        X += 10.0**power
    if (power := draw(powers)) is not None:
        X[:, 0] *= 10.0**power
    largest = 200 if dtype == np.float64 else 30
    if (power := draw(st.none() | st.sampled_from([5, 6, 8, 10, largest]))) is not None:
        X[-1, -1] = 10.0**power
    far = 107 if dtype == np.float64 else 7
    unit = 10.0 ** draw(st.sampled_from([0, 0, 0, far, -far, -150 if dtype == np.float64 else -40]))
    return (X * unit).astype(dtype), unit


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=20, deadline=None)
@given(draw=st.data())
def test_entries_rows_and_products_are_right_whatever_the_center_and_scale(family, dtype, draw):
    X, unit = draw.draw(hard_data(dtype))
    scale, p = st.sampled_from([0.1, 0.5, 1.0, 3.0, 30.0]), X.shape[1]
    scales = st.lists(scale, min_size=p, max_size=p).map(np.array)  # one for each column
    kernel = FAMILIES[family](draw.draw(scale | scales) / unit)
    truth, tolerance = exact_gram(kernel, X, X), TOLERANCE[dtype]
    G = kernel(X)
    assert G.dtype == dtype and (G == G.T).all() and (np.diag(G) == 1).all() and G.max() == 1
    np.testing.assert_allclose(G, truth, rtol=0, atol=tolerance)
    np.testing.assert_allclose(kernel(X[:4], X[2:]), truth[:4, 2:], rtol=0, atol=tolerance)
    np.testing.assert_allclose(kernel(X[5:6], X), truth[5:6], rtol=0, atol=tolerance)
    v = np.linspace(-1, 1, len(X))  # in float64: the sum of 7 products of numbers ≤ 1 rounds by 7 · 7 ε
    allowed = np.abs(v).sum() * (tolerance + 7 * np.finfo(dtype).eps)
    np.testing.assert_allclose(kernel.gram_product(X, v), truth @ v, rtol=0, atol=allowed)
    np.testing.assert_allclose(kernel.matmul(X[:4], X, v), truth[:4] @ v, rtol=0, atol=allowed)


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_outlier_ruins_nothing(dtype):
    for value in (1e5, 1e6, 1e9, 1e10, 1e30):
        X = np.random.default_rng(0).normal(size=(BLOCK + 100, 5)).astype(dtype)
        X[0] = value
        truth = np.exp(-0.2 * cdist(X.astype(float), X.astype(float), "sqeuclidean"))
        np.testing.assert_allclose(Gaussian(0.2)(X), truth, rtol=0, atol=TOLERANCE[dtype])
        y = X[:, 1].clip(-3, 3)
        model = KernelRidge(Gaussian(0.2), lam=1e-3, fit_intercept=False).fit(X[:200], y[:200])
        alpha = np.linalg.solve(truth[:200, :200] + 200e-3 * np.eye(200), y[:200].astype(float))
        # G is off by at most nτ in norm, and so Gα by nτ‖α‖; α by (G + nλI)⁻¹ of as much, which G makes no
        # larger
        allowed = 2 * 200 * TOLERANCE[dtype] * np.linalg.norm(alpha)
        np.testing.assert_allclose(model.predict(X[:200]), truth[:200, :200] @ alpha, rtol=0, atol=allowed)
        NystromFeatures(Gaussian(0.2), n_components=20, landmarks="leverage", random_state=0).fit(X[:200])
        assert np.isfinite(KernelPCA(Gaussian(0.2), n_components=3).fit_transform(X[:200])).all()


# a kernel, rows, which entry of the matrix, and its value
EXTREMES = [
    (Gaussian(1.0), np.float32([[0, 0], [0.5, 0], [5000, 0], [5000.5, 0]]), 2, 3, math.exp(-0.25)),
    (Gaussian(1.0), [[0.0], [0.5], [1e9]], 0, 1, math.exp(-0.25)),
    (Gaussian(), np.float32([[0], [1e20], [3e20]]), 1, 2, 0),
    (Gaussian(1e308), [[0.0], [1e-154], [1.0]], 0, 1, math.exp(-1)),
    (Gaussian(1e-308), [[0.0], [1e154]], 0, 1, math.exp(-1)),
    (Gaussian(1.0), [[1e308], [1e308], [-1e308]], 0, 1, 1),
    (Laplace(1e-308), [[1e308], [0.0]], 0, 1, math.exp(-1)),
    (Laplace(1e308), np.float32([[0], [1], [1]]), 1, 2, 1),
    (Matern(1.5), [[0.0], [1e200]], 0, 1, 0),
    (Matern(1.5, 1e-320), [[0.0], [1.0]], 0, 1, 0),
    (Gaussian([1e308, 1e-308]), [[1.7e308, 0.0], [1.7e308, 1e154]], 0, 1, math.exp(-1)),
    (Gaussian([1e308, 1.0]), [[1.7e308, 0.0], [1e308, 0.0]], 0, 1, 0),
    (Laplace([1e308, 1e-308]), [[1.0, 1e308], [1.0, 0.0]], 0, 1, math.exp(-1)),
    (Matern(1.5, [1e-320, math.sqrt(3)]), [[1e308, 0.0], [1e308, 1.0]], 0, 1, 2 * math.exp(-1)),
    (Matern(1.5, 1e200 * math.sqrt(3)), [[0.0], [1e200]], 0, 1, 2 * math.exp(-1)),
    *((Matern(nu), [[0.0], [r]], 0, 1, 0) for nu in (0.05, 0.7, 3.3, 50.0) for r in (1e9, 1e200)),
    *((Matern(nu), [[0.0], [r]], 0, 1, 1) for nu in (0.7, 3.3, 50.0) for r in (5e-324, 1e-200)),
    (Matern(0.7), np.float32([[0], [3e38]]), 0, 1, 0),
    (ChiSquared(1e308), np.float32([[1], [1], [2]]), 0, 1, 1),
    (ChiSquared(1e-308), [[0.0], [1e308]], 0, 1, math.exp(-1)),
    (ChiSquared(2e-308), [[5e307], [1.5e308]], 0, 1, math.exp(-1)),  # whose sum overflows
    (ChiSquared(1e10), [[1.7e308], [1e308]], 0, 1, 0),  # as does that of scaled rows without headroom
]


@pytest.mark.parametrize("family", [Gaussian, Laplace, Matern, ChiSquared])
def test_no_number_is_too_large_or_too_small(family):
    for kernel, X, row, column, value in EXTREMES:
        if isinstance(kernel, family):
            X = np.array(X)
            G = kernel(X)
            tolerance = TOLERANCE[X.dtype.type]
            np.testing.assert_allclose(G[row, column], value, rtol=0, atol=tolerance, err_msg=str(kernel))
            np.testing.assert_array_equal(kernel(X, X.copy())[row, column], G[row, column], str(kernel))
            assert (G == G.T).all() and (np.diag(G) == 1).all(), kernel


@pytest.mark.parametrize("dtype", DTYPES)
def test_equal_rows_of_two_arrays_give_at_most_one(dtype):
    X = np.random.default_rng(0).normal(size=(100, 5)).astype(dtype)
    assert Gaussian(0.2)(X, X.copy()).max() == 1


@pytest.fixture
def recomputed(monkeypatch):
    """Count the entries that are computed again, in float64 or from distances."""
    counts = {"float64": 0, "distances": 0}

    def product(X, Y, *others, original=distances.expand_product):
        if Y.dtype == np.float64:
            counts["float64"] += len(X) * len(Y.rows)
        return original(X, Y, *others)

    def by_distances(X, Y, *others, original=distances.distances):
        counts["distances"] += len(X) * len(X if Y is None else Y)
        return original(X, Y, *others)

    monkeypatch.setattr(distances, "expand_product", product)
    monkeypatch.setattr(distances, "distances", by_distances)
    return counts


@pytest.mark.parametrize("p", [1, 2, 5, 22, 784])
def test_ordinary_data_take_one_product(p, recomputed):
    for offset in (0, 1000):
        X = np.random.default_rng(0).normal(size=(BLOCK + 100, p)) + offset
        Gaussian(1 / p)(X)
        assert recomputed["distances"] == 0
        recomputed["float64"] = 0
        Gaussian(1 / p)(X.astype(np.float32))
        assert recomputed["distances"] == 0 and recomputed["float64"] <= 0.02 * len(X) ** 2


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "kernel",
    [
        Linear(),
        Polynomial(3),
        Linear() * Linear(),
        3 * Linear() + Gaussian(),
        Intersection(),
        Hellinger(),
        AdditiveChiSquared(),
    ],
    ids=str,
)
def test_values_that_overflow_raise_one_sentence(kernel, dtype):
    X = np.ones((5, 20), dtype)
    Y = X.copy()
    Y[3] = np.finfo(dtype).max / 2
    sentence = rf"must be small enough for .*, got κ\(x, x\) beyond the range of {np.dtype(dtype)} in row 3"
    v = np.ones(5)
    for name, use in [
        ("X", lambda: kernel(Y)),
        ("Y", lambda: kernel(X, Y)),
        ("X", lambda: kernel.diag(Y)),
        ("X", lambda: kernel.gram_product(Y, v)),
        ("Y", lambda: kernel.matmul(X, Y, v)),
    ]:
        with pytest.raises(ValueError, match=f"{name} {sentence}"):
            use()
    assert np.isfinite(kernel(X)).all()
