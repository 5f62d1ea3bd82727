"""The kernels against double loops, their algebra, their spectral laws, and in scikit-learn."""

import math

import numpy as np
import pytest
from samples import DIMENSIONS, assert_refused, data, peak_bytes
from scipy.special import gamma as gamma_function
from scipy.special import kv
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

from kernlib.kernels import (
    AdditiveChiSquared,
    ChiSquared,
    Gaussian,
    Hellinger,
    Histogram,
    Intersection,
    Kernel,
    Laplace,
    Linear,
    Matern,
    Polynomial,
    Product,
    Scaled,
    Sum,
    TranslationInvariant,
)
from kernlib.kernels.algebra import Pair
from kernlib.numerics.blocks import BLOCK

BASES = (TranslationInvariant, Histogram, Pair)  # classes that are not kernels themselves
COMPOSITES = {
    Sum: [Gaussian(0.3) + Laplace(0.2), Polynomial(2, 0.5) + Linear(), Gaussian(0.1) + Gaussian(3.0)],
    Product: [Gaussian(0.3) * Laplace(0.1), Matern(1.5, 2.0) * Gaussian(0.1), Linear() * Gaussian(0.2)],
    Scaled: [3 * Gaussian(0.2), 0.25 * (Laplace(0.2) + Matern(0.5, 3.0) * 2) * Gaussian(0.05)],
}


def concrete_classes(base=Kernel):
    """Every kernel class that exists, so that a new one is tested as soon as it is written."""
    for cls in base.__subclasses__():
        yield from concrete_classes(cls)
        if cls not in BASES:
            yield cls


def examples():
    for cls in concrete_classes():
        yield from COMPOSITES[cls] if cls in COMPOSITES else [cls()]


EXAMPLES = [*examples(), Polynomial(3, 0.0), Matern(0.3, 1.2), Matern(0.5), Matern(2.5, 0.7), Matern(7.0)]
SPECTRAL = [
    *(cls() for cls in concrete_classes(TranslationInvariant)),
    Gaussian(0.3),
    Laplace(0.2),
    Matern(0.5, 2.0),
    Matern(1.5, 1.5),
    Matern(4.0, 1.0),
    Gaussian(0.05) + 3 * Laplace(0.2),
    Gaussian(0.1) * Matern(1.5, 2.0),
    2 * ((Gaussian(0.02) + Matern(2.5, 3.0)) * Laplace(0.05)),
]


def data_for(kernel, n, p, seed=0):
    """Data that the kernel takes: histograms have no negative entries, and empty bins."""
    X = data(n, p, seed)
    if isinstance(kernel, Histogram):
        X = np.maximum(X + 0.5, 0)
        X[0] = 0
    return X


def by_hand(kernel, x, y):
    """κ(x, y) for two vectors, in pure Python."""
    square = sum((a - b) ** 2 for a, b in zip(x, y, strict=True))
    dot = sum(a * b for a, b in zip(x, y, strict=True))
    match kernel:
        case Linear():
            return dot
        case Polynomial(degree, coef0):
            return (dot + coef0) ** degree
        case Gaussian(gamma):
            return math.exp(-gamma * square)
        case Laplace(gamma):
            return math.exp(-gamma * sum(abs(a - b) for a, b in zip(x, y, strict=True)))
        case Matern(nu, length_scale):
            r = math.sqrt(2 * nu * square) / length_scale
            return 2 ** (1 - nu) / gamma_function(nu) * r**nu * kv(nu, r) if r > 0 else 1.0
        case AdditiveChiSquared():
            return sum(2 * a * b / (a + b) for a, b in zip(x, y, strict=True) if a + b > 0)
        case ChiSquared(gamma):
            bins = zip(x, y, strict=True)
            return math.exp(-gamma * sum((a - b) ** 2 / (a + b) for a, b in bins if a + b > 0))
        case Intersection():
            return sum(map(min, x, y))
        case Hellinger():
            return sum(math.sqrt(a * b) for a, b in zip(x, y, strict=True))
        case Sum(left, right):
            return by_hand(left, x, y) + by_hand(right, x, y)
        case Product(left, right):
            return by_hand(left, x, y) * by_hand(right, x, y)
        case Scaled(inner, scale):
            return scale * by_hand(inner, x, y)
    raise AssertionError(f"no formula by hand for {kernel}: write one")


@pytest.mark.parametrize("kernel", EXAMPLES, ids=str)
def test_gram_is_the_double_loop(kernel):
    for p in DIMENSIONS:
        X, Y = data_for(kernel, 7, p, 1), data_for(kernel, 5, p, 2)
        Y[0] = X[0]
        expected = [[by_hand(kernel, x, y) for y in Y.tolist()] for x in X.tolist()]
        np.testing.assert_allclose(kernel(X, Y), expected, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("kernel", EXAMPLES, ids=str)
def test_gram_is_symmetric_psd_with_the_diagonal_of_diag(kernel):
    for p in DIMENSIONS:
        X = data_for(kernel, 40, p)
        G = kernel(X)
        assert (G == G.T).all()
        assert (G == kernel(X, X)).all()  # as scikit-learn calls it
        np.testing.assert_allclose(np.diag(G), kernel.diag(X), rtol=1e-13)
        lam = np.linalg.eigvalsh(G)
        assert lam[0] >= -len(G) * np.finfo(float).eps * lam[-1]


TWO_BLOCKS = BLOCK + 88  # rows that need a second block


@pytest.mark.parametrize("kernel", EXAMPLES, ids=str)
def test_a_matrix_of_many_blocks_is_put_together_from_small_ones(kernel):
    X, Y = data_for(kernel, TWO_BLOCKS, 3, 1), data_for(kernel, TWO_BLOCKS - 50, 3, 2)
    G, square = kernel(X, Y), kernel(X)
    parts = np.array_split(np.arange(len(X)), 7)
    expected = np.vstack([kernel(X[rows], Y) for rows in parts])
    np.testing.assert_allclose(G, expected, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(square, kernel(X, X.copy()), rtol=1e-12, atol=1e-14)
    np.testing.assert_array_equal(square, square.T)


def test_a_matrix_written_into_an_array_is_the_same_and_takes_two_blocks_of_memory(two_threads):
    X, Y = data(2500, 3), data(2000, 3)
    square, across = np.full((2500, 2500), np.nan), np.full((2500, 2000), np.nan)
    for gamma in (0.1, 1.0):
        assert peak_bytes(lambda gamma=gamma: Gaussian(gamma)(X, out=square)) < 6e6  # a block has 2 MB
        assert peak_bytes(lambda gamma=gamma: Gaussian(gamma)(X, Y, out=across)) < 6e6
        np.testing.assert_array_equal(square, Gaussian(gamma)(X))
        np.testing.assert_array_equal(across, Gaussian(gamma)(X, Y))
    assert Gaussian()(X, out=square) is square


@pytest.mark.parametrize("kernel", EXAMPLES, ids=str)
def test_the_product_that_never_holds_the_matrix_is_the_product_with_it(kernel):
    X, Y = data_for(kernel, TWO_BLOCKS, 3, 1), data_for(kernel, TWO_BLOCKS - 50, 3, 2)
    G, K = kernel(X), kernel(Y, X)
    scale = np.abs(G).max() * len(X)
    for outputs in ((), (1,), (4,)):
        B = np.random.default_rng(3).normal(size=(len(X), *outputs))
        np.testing.assert_allclose(kernel.gram_product(X, B), G @ B, atol=1e-15 * scale)
        np.testing.assert_allclose(kernel.matmul(Y, X, B), K @ B, atol=1e-15 * scale)
        assert kernel.gram_product(X, B).shape == B.shape


def test_a_product_of_float32_data_is_summed_in_the_dtype_of_what_it_multiplies():
    X, B = data(TWO_BLOCKS, 3, dtype=np.float32), data(TWO_BLOCKS, 2)
    assert Gaussian().gram_product(X, B).dtype == Gaussian().matmul(X, X[:9], B[:9]).dtype == np.float64
    assert Gaussian().gram_product(X, B.astype(np.float32)).dtype == np.float32


def test_a_product_holds_no_matrix(two_threads):
    X, B = data(4000, 2), data(4000, 1)
    assert peak_bytes(lambda: Gaussian().matmul(X[:-1], X, B)) < 6e6  # a block of 2 MB in each thread
    assert peak_bytes(lambda: Gaussian().gram_product(X, B)) < 11e6  # and the one before it


@pytest.mark.parametrize("kernel", EXAMPLES, ids=str)
def test_float32_stays_float32_and_within_its_own_precision(kernel):
    X, Y = data_for(kernel, 30, 5, 1), data_for(kernel, 20, 5, 2)
    single, double = kernel(X.astype(np.float32), Y.astype(np.float32)), kernel(X, Y)
    assert single.dtype == np.float32 and kernel.diag(X.astype(np.float32)).dtype == np.float32
    assert kernel(X.astype(np.float32), Y).dtype == np.float64
    np.testing.assert_allclose(single, double, rtol=0, atol=1e-5 * np.abs(double).max())


def test_matern_is_finite_and_falls_from_one_at_all_distances():
    distances = np.concatenate([[0], np.logspace(-200, 3, 60)])[:, None]
    for nu in (0.05, 0.3, 0.7, 3.3, 20.0, 50.0):
        q = Matern(nu)(distances, np.zeros((1, 1)))[:, 0]
        assert q[0] == 1 and np.isfinite(q).all(), nu
        assert (np.diff(q) <= 1e-12).all() and (q >= 0).all(), nu


def test_any_type_of_number_multiplies_and_keeps_float32():
    for scalar in (np.float64(2), np.float32(2), np.int64(2)):
        assert isinstance(scalar * Gaussian(), Scaled)
        assert (scalar * Gaussian())(data(8, 5, dtype=np.float32)).dtype == np.float32


def test_only_kernels_and_positive_numbers_combine():
    for bad in ("gaussian", [1], None):
        with pytest.raises(TypeError):
            Gaussian() + bad
        with pytest.raises(TypeError):
            Gaussian() * bad
    with pytest.raises(TypeError):
        Gaussian() + 1
    with pytest.raises(ValueError, match="scale must be positive and finite, got -1"):
        -1 * Gaussian()


def mean_cosine_errors(kernel, p):
    """The errors of q(δ)/q(0) by the mean of 40,000 cosines for six δ, in standard errors."""
    n = 40_000
    deltas = data(6, p, 5) * np.array([0.1, 0.3, 0.6, 1, 2, 4])[:, None] / math.sqrt(p)
    zero = np.zeros((1, p))
    Omega = kernel.sample_frequencies(n, p, 6)
    assert Omega.shape == (p, n)
    q, q2 = (kernel(d, zero)[:, 0] / kernel.amplitude for d in (deltas, 2 * deltas))
    return (np.cos(deltas @ Omega).mean(axis=1) - q) / np.sqrt((0.5 * (1 + q2) - q**2) / n)


@pytest.mark.parametrize("kernel", SPECTRAL, ids=str)
def test_the_mean_cosine_of_the_frequencies_is_the_kernel(kernel):
    for p in DIMENSIONS:
        assert np.abs(mean_cosine_errors(kernel, p)).max() < 4.5


SCALES = np.array([0.02, 0.1, 0.5, 1.0, 3.0])
COLUMNWISE = [Gaussian(SCALES), Laplace(SCALES), *(Matern(nu, 1 / SCALES) for nu in (0.5, 1.5, 2.5, 4.0))]


@pytest.mark.parametrize("kernel", [*COLUMNWISE, Gaussian(SCALES) + 3 * Laplace(0.2)], ids=repr)
def test_the_mean_cosine_is_the_kernel_with_one_scale_for_each_column(kernel):
    assert np.abs(mean_cosine_errors(kernel, 5)).max() < 4.5


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kernel", COLUMNWISE, ids=repr)
def test_one_scale_for_each_column_is_the_kernel_of_scaled_columns(kernel, dtype):
    X, v = data(TWO_BLOCKS, 5, dtype=dtype), np.ones(TWO_BLOCKS)
    one = Matern(kernel.nu) if isinstance(kernel, Matern) else type(kernel)()
    scaled = X * (np.sqrt(SCALES) if isinstance(kernel, Gaussian) else SCALES)
    G, tolerance = one(scaled), 2e-5 if dtype == np.float32 else 2e-12
    assert kernel(X).dtype == dtype
    np.testing.assert_allclose(kernel(X), G, rtol=0, atol=tolerance)
    np.testing.assert_allclose(kernel(X[:9], X), G[:9], rtol=0, atol=tolerance)
    np.testing.assert_allclose(kernel.gram_product(X, v), G @ v, rtol=0, atol=tolerance * len(v))


def test_scales_are_a_tuple_in_repr_equality_and_hash():
    kernel = Gaussian(np.array([1, 2]))
    assert kernel == Gaussian((1.0, 2.0)) and hash(kernel) == hash(Gaussian([1, 2]))
    assert repr(kernel) == "Gaussian(gamma=(1.0, 2.0))" and kernel != Gaussian([1.0, 3.0])


@pytest.mark.parametrize(
    "kernel", [Linear(), Gaussian() + Linear(), Linear() * Gaussian(), ChiSquared()], ids=str
)
def test_a_kernel_that_is_not_translation_invariant_has_no_spectral_law(kernel):
    with pytest.raises(TypeError, match=r"has no spectral law: it is not translation invariant"):
        kernel.sample_frequencies(10, 3)
    with pytest.raises(TypeError, match="has no spectral law"):
        _ = kernel.amplitude


def test_isotropy_is_inherited():
    assert Gaussian().isotropic and Matern().isotropic and not Laplace().isotropic
    assert (2 * Gaussian() + Matern()).isotropic and (Gaussian() * Matern()).isotropic
    assert not Gaussian([1.0, 2.0]).isotropic and not Matern(1.5, [1.0, 2.0]).isotropic
    assert not (Gaussian() + Laplace()).isotropic and not (3 * Laplace() * Gaussian()).isotropic


class Counted(Gaussian):
    """A Gaussian kernel that counts its calls."""

    calls = 0

    def __call__(self, X, Y=None):
        type(self).calls += 1
        return super().__call__(X, Y)


@pytest.mark.parametrize(
    "estimator, options, attribute",
    [
        (SVC, {}, "dual_coef_"),
        (KernelRidge, {}, "dual_coef_"),
        (KernelPCA, {}, "eigenvalues_"),
        (Nystroem, {"n_components": 5, "random_state": 0}, "normalization_"),
    ],
)
def test_scikit_learn_calls_a_kernel_once_and_gives_its_own_answer(estimator, options, attribute):
    X, Counted.calls = data(30, 3), 0
    kernels = {"kernel": Counted(0.3)}, {"kernel": "rbf", "gamma": 0.3}
    fitted = [estimator(**kernel, **options).fit(X, (X[:, 0] > 0).astype(int)) for kernel in kernels]
    assert Counted.calls == 1
    ours, theirs = (getattr(model, attribute)[..., :10] for model in fitted)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-6)


PAIR = np.ones((2, 2))


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: Gaussian(-1), "gamma must be positive and finite, got -1"),
        (lambda: Gaussian("scale"), "gamma must be a positive number or a list of .*, got 'scale'"),
        (lambda: Laplace([[1.0]]), r"gamma must be .*, got shape \(1, 1\)"),
        (lambda: Gaussian([1, 2, 3])(PAIR), "gamma must have one number for each of the 2 columns, got 3"),
        (lambda: (Linear() + 2 * Laplace([1]))(PAIR), "gamma must have .* each of the 2 columns, got 1"),
        (lambda: Matern(1.5, [1]).diag(PAIR), "length_scale must have .* each of the 2 columns, got 1"),
        (lambda: Matern(2, [1]).sample_frequencies(3, 4), "length_scale must have .* 4 columns, got 1"),
        (lambda: Matern(60), "nu must be at most 50, got 60: use Gaussian"),
        (lambda: Matern(1.5, -2), "length_scale must be positive and finite, got -2"),
        (lambda: Polynomial(2.5), "degree must be an integer, got 2.5"),
        (lambda: Polynomial(2, -1), "coef0 must be zero or positive and finite, got -1"),
        (lambda: Gaussian().diag([1.0]), "X must be 2-D"),
        (lambda: Gaussian()([[1.0]], [[np.inf]]), "Y must be finite, .* in row 0"),
        (lambda: Gaussian()(PAIR, np.ones((2, 4))), "columns each, got 2 and 4"),
        (lambda: Gaussian()(PAIR[:0]), r"at least one row and one column, got .* \(shape=\(0, 2\)\)"),
        (lambda: Gaussian()(PAIR, out=np.ones((2, 3))), r"got \(2, 3\) and float64"),
        (lambda: Gaussian()(PAIR, out=np.ones((2, 2), np.float32)), r"got \(2, 2\) and float32"),
        (lambda: Gaussian()(PAIR, out=PAIR), "out must be .* shares no memory with X or Y"),
        (lambda: Gaussian()(PAIR, PAIR + 1, out=np.broadcast_to(1.0, (2, 2))), "can be written"),
    ],
)
def test_bad_input_gets_one_sentence(call, sentence):
    assert_refused(call, sentence)
