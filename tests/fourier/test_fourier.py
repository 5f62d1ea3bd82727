"""Random Fourier features: means and variances, within the standard error, in several dimensions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from samples import DIMENSIONS, assert_refused, data, peak_bytes
from scipy import stats
from sklearn.utils.estimator_checks import check_estimator

from kernlib.fourier import FourierFeatures, random_features
from kernlib.kernels import Gaussian, Laplace, Linear, Matern

KERNELS = [
    Gaussian(0.3),
    Laplace(0.2),
    Matern(0.5, 2.0),
    Matern(1.5, 1.5),
    Matern(0.3, 1.0),
    3 * Gaussian(0.1) * Matern(2.5, 3.0) + Laplace(0.1),
]
FORMS = ("cos-sin", "cos-phase")
VARIANCE = {  # c times the variance of the estimate, for q(0) = 1
    "cos-sin": lambda q, q2: 1 + q2 - 2 * q**2,
    "cos-phase": lambda q, q2: 1 + q2 / 2 - q**2,
}


def pairs(p):
    """Pairs of points of ℝᵖ from near to far."""
    X = data(6, p, 1)
    return X, X + data(6, p, 2) * np.array([0, 0.1, 0.4, 1, 2, 4])[:, None] / math.sqrt(p)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_features_are_unbiased_with_the_variance_of_the_formula_in_every_dimension(kernel, form):
    for p in DIMENSIONS:
        c, repeats = 12, 3000
        X, Y = pairs(p)
        rng = np.random.default_rng(3)
        # independent columns: one wide draw, cut into many estimates of c columns each
        Z = FourierFeatures(kernel, n_components=c * repeats, form=form, random_state=rng).fit(X)
        ZX, ZY = Z.transform(X), Z.transform(Y)
        products = ZX * ZY * repeats
        if form == "cos-sin":
            products = products[:, : c * repeats // 2] + products[:, c * repeats // 2 :]
        estimates = products.reshape(len(X), repeats, -1).sum(axis=2)
        q0 = kernel.amplitude
        q, q2 = (kernel(s * (X - Y), np.zeros((1, p)))[:, 0] / q0 for s in (1, 2))
        variance = q0**2 * VARIANCE[form](q, q2) / c
        gap = np.abs(estimates.mean(axis=1) - q0 * q)
        assert (gap <= 4.5 * np.sqrt(variance / repeats) + 1e-12).all()
        # a sample variance has a relative standard error of √((kurtosis − 1)/repeats)
        kurtosis = stats.kurtosis(estimates[variance > 1e-12], axis=1, fisher=False)
        spread = estimates.var(axis=1)[variance > 1e-12] / variance[variance > 1e-12] - 1
        assert (np.abs(spread) < 4.5 * np.sqrt((kurtosis - 1) / repeats)).all()


def assert_unbiased(features, p, repeats):
    """Over many draws, the mean of φ̂(x)ᵀφ̂(y) is κ(x, y) within 4.5 standard errors."""
    X, Y = pairs(p)
    rows, estimates = np.concatenate([X, Y]), np.empty((repeats, len(X)))
    for estimate in estimates:
        ZX, ZY = np.split(features.fit(X).transform(rows), 2)
        estimate[:] = np.sum(ZX * ZY, axis=1)
    gap = np.abs(estimates.mean(axis=0) - np.diag(features.kernel(X, Y)))
    assert (gap <= 4.5 * estimates.std(axis=0) / math.sqrt(repeats) + 1e-12).all()


@pytest.mark.parametrize("form", FORMS)
def test_any_number_of_columns_is_unbiased_odd_ones_and_structured_draws_too(form):
    few = [(2 * Gaussian(0.3), c, "iid", 2, 2000) for c in (1, 7)]
    structured = [(Matern(1.5, 1.5), 64, how, p, 200) for how in ("orthogonal", "qmc") for p in DIMENSIONS]
    for kernel, c, sampling, p, repeats in few + structured:
        rng = np.random.default_rng(4)
        features = FourierFeatures(kernel, n_components=c, form=form, sampling=sampling, random_state=rng)
        assert_unbiased(features, p, repeats)


@pytest.mark.parametrize("sampling, p", [("orthogonal", 22), ("qmc", 2), ("qmc", 5)])
def test_structured_draws_have_a_smaller_error(sampling, p):
    X = data(60, p) / math.sqrt(p)
    kernel = Gaussian(0.5)
    G = kernel(X)

    def mean_square(sampling):
        rng = np.random.default_rng(6)
        features = FourierFeatures(kernel, n_components=128, sampling=sampling, random_state=rng)
        return np.mean([np.mean((Z @ Z.T - G) ** 2) for Z in (features.fit_transform(X) for _ in range(40))])

    assert mean_square(sampling) < 0.8 * mean_square("iid")


@pytest.mark.parametrize("p, c", [(1, 10), (5, 23), (22, 100)])
def test_orthogonal_frequencies_are_orthogonal_in_blocks_and_keep_the_law_of_their_length(p, c):
    kernel = Matern(1.5, 1.0)
    features = FourierFeatures(
        kernel, n_components=c, form="cos-phase", sampling="orthogonal", random_state=0
    )
    Omega = features.fit(data(2, p)).frequencies_
    assert Omega.shape == (p, c)
    for start in range(0, c, p):
        block = Omega[:, start : start + p]
        unit = block / np.linalg.norm(block, axis=0)
        np.testing.assert_allclose(unit.T @ unit, np.eye(block.shape[1]), atol=1e-12)
    many = features.set_params(n_components=4000).fit(data(2, p)).frequencies_
    iid = kernel.sample_frequencies(4000, p, 1)
    lengths = stats.ks_2samp(np.linalg.norm(many, axis=0), np.linalg.norm(iid, axis=0))
    one_coordinate = stats.ks_2samp(many[0], iid[0])
    assert min(lengths.pvalue, one_coordinate.pvalue) > 1e-4


def test_random_features_is_the_labs_algorithm_to_the_letter():
    for p in DIMENSIONS:
        c, gamma = 4000, 0.3
        X_train, X_test = data(8, p, 1) / math.sqrt(p), data(5, p, 2) / math.sqrt(p)
        Z_train, Z_test = random_features(X_train, X_test, c=c, gamma=gamma, random_state=7)
        assert Z_train.shape == (8, c) and Z_test.shape == (5, c)
        drawn = FourierFeatures(Gaussian(gamma), n_components=c, form="cos-phase", random_state=7)
        drawn.fit(X_train)
        W, b = drawn.frequencies_, drawn.phases_
        assert W.shape == (p, c) and b.shape == (c,)
        assert stats.kstest(W.ravel(), stats.norm(0, math.sqrt(2 * gamma)).cdf).pvalue > 1e-4
        assert stats.kstest(b, stats.uniform(0, 2 * math.pi).cdf).pvalue > 1e-4
        for X, Z in [(X_train, Z_train), (X_test, Z_test)]:
            np.testing.assert_allclose(Z, math.sqrt(2 / c) * np.cos(X @ W + b), atol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_features_take_little_memory_beside_their_own(form, two_threads):
    X = data(20_000, 22)
    features = FourierFeatures(n_components=300, form=form, random_state=0).fit(X)
    blocks = 8e6  # in each of two threads, three or four of 1 MB
    assert peak_bytes(lambda: features.transform(X)) < 8 * 20_000 * 300 + blocks


def test_draws_repeat_for_an_int_and_go_on_for_a_generator():
    X = data(4, 3)

    def twice(random_state):
        return [FourierFeatures(random_state=random_state).fit_transform(X) for _ in range(2)]

    np.testing.assert_array_equal(*twice(0))
    for random_state in (None, np.random.default_rng(0), np.random.RandomState(0)):
        first, second = twice(random_state)
        assert np.abs(first - second).max() > 1e-3


@pytest.mark.parametrize("kernel", [Gaussian(0.3), Laplace(0.2), Matern(0.05)], ids=str)
def test_the_dtype_follows_the_data(kernel):
    for form in FORMS:
        X = data(50, 5, dtype=np.float32)
        features = FourierFeatures(kernel, n_components=301, form=form, random_state=0).fit(X)
        single, double = features.transform(X), features.transform(X.astype(np.float64))
        assert single.dtype == np.float32 and double.dtype == np.float64 and np.isfinite(single).all()
        if isinstance(kernel, Gaussian):
            # an angle of size a has a rounding error of 6e-8 a, and so has its cosine
            largest = np.abs(X.astype(np.float64) @ features.frequencies_).max() + 7
            assert np.abs(single - double).max() < 4 * 6e-8 * largest * math.sqrt(2 / 301)


@pytest.mark.parametrize(
    "form, sampling", [("cos-sin", "iid"), ("cos-phase", "orthogonal"), ("cos-sin", "qmc")]
)
def test_scikit_learns_own_checks_pass(form, sampling):
    check_estimator(FourierFeatures(form=form, sampling=sampling), on_skip=None)


@pytest.mark.parametrize(
    "options, p, sentence",
    [
        ({"form": "sin"}, 2, "form must be one of 'cos-sin', "),
        ({"sampling": "sobol"}, 2, "sampling must be one of 'iid', "),
        ({"kernel": Linear()}, 2, "has no spectral law: it is not translation"),
        ({"sampling": "qmc"}, 21201, "has at most 21201 dimensions, not 21202"),
        *(
            ({"kernel": kernel, "sampling": "orthogonal"}, 2, f"same in every direction, and that of {name}")
            for kernel, name in ((Laplace(), "Laplace"), (Gaussian() + Laplace(), "Sum"))
        ),
    ],
)
def test_bad_input_gets_one_sentence(options, p, sentence):
    assert_refused(lambda: FourierFeatures(**options).fit(np.ones((2, p))), sentence)


def exact_angles(features, X):
    """XΩ + b from fractions, within half a turn, so that nothing is lost far from 0."""
    turn = (
        Fraction(314159265358979323846264338327950288419716939937510582097494459230781640628620, 10**77) * 2
    )
    Omega = [[Fraction(w) for w in column] for column in features.frequencies_.T.tolist()]
    b = np.zeros(len(Omega))
    b[len(b) - len(features.phases_) :] = features.phases_
    angles = [
        [
            sum(Fraction(a) * w for a, w in zip(x, column, strict=True)) + Fraction(start)
            for column, start in zip(Omega, b.tolist(), strict=True)
        ]
        for x in X.tolist()
    ]
    return np.array([[float(z - round(z / turn) * turn) for z in row] for row in angles])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kernel", [Gaussian(0.5), Gaussian(20.0), Laplace(0.2), Matern(0.5)], ids=str)
@pytest.mark.parametrize("spread", ["offset", "groups", "outlier", "column"])
def test_features_in_float32_are_right_wherever_the_rows_lie(spread, kernel):
    for p, form in product([1, 22], FORMS):
        X = data(12, p)
        match spread:
            case "offset":
                X += 1e6
            case "groups":
                X[6:] += 1e6
            case "outlier":
                X[0] = 1e10
            case "column":
                X[:, 0] *= 1e5
        features = FourierFeatures(kernel, n_components=31, form=form, random_state=0).fit(X)
        X = X.astype(np.float32)
        Z, z = features.transform(X), exact_angles(features, X)
        k = 31 - len(z[0]) if form == "cos-sin" else 0
        expected = np.hstack([np.cos(z), np.sin(z[:, :k])]) * math.sqrt(2 / 31)
        # an angle is right to 1e-4, or as float64 is: (p + 5) u times the frequency's length and the row's
        # distance from the origin of the angles, and that from 0; a cosine in float32, to 1e-6
        far = np.linalg.norm(X - features.origin_, axis=1) + np.linalg.norm(features.origin_)
        lengths = np.linalg.norm(features.frequencies_, axis=0)
        error = 1e-4 + 1e-6 + (p + 5) * 2.0**-53 * (np.outer(far, lengths) + 4 * np.pi)
        allowed = np.hstack([error, error[:, :k]]) * math.sqrt(2 / 31)
        assert Z.dtype == np.float32 and (np.abs(Z - expected) <= allowed).all()
        alone = np.vstack([features.transform(x[None]) for x in X])
        assert (np.abs(Z - alone) <= 2 * allowed).all()


@pytest.mark.parametrize("form", FORMS)
def test_inner_products_of_features_do_not_see_an_offset(form):
    for p in DIMENSIONS:
        X = np.round(data(30, p) * 2**10) / 2**10
        features = FourierFeatures(Gaussian(0.5), n_components=40, form=form, random_state=0)
        Z, moved = features.fit_transform(X), features.fit_transform(X + 2.0**40)  # 1e12; exact
        # the rows are within 2¹⁷ of the origin, which float32 holds
        lengths = np.linalg.norm(features.frequencies_, axis=0).max()
        error = (p + 5) * 2.0**-53 * (lengths * 2**17 * math.sqrt(p) + 2 * np.pi)
        if form == "cos-sin":  # a common phase turns each pair
            np.testing.assert_allclose(moved @ moved.T, Z @ Z.T, rtol=0, atol=4 * error + 1e-13)
        z = exact_angles(features, X[:3] + 2.0**40)
        expected = np.cos(z) * math.sqrt(2 / 40)
        # of the angles at the origin, for all rows
        common = (p + 5) * 2.0**-53 * lengths * 2**40 * math.sqrt(p)
        assert (np.abs(moved[:3, : z.shape[1]] - expected) <= (error + common) * math.sqrt(2 / 40)).all()


@pytest.mark.filterwarnings("error")
def test_features_of_the_largest_numbers_are_finite_or_raise_an_error():
    X = np.array([[0.0], [1e200], [-1e308], [1e308]])
    Z = FourierFeatures(Gaussian(0.5), n_components=20, random_state=0).fit_transform(X[:2])
    assert np.isfinite(Z).all()
    Z = FourierFeatures(Gaussian(0.5), n_components=20, random_state=0).fit_transform(
        np.float32([[0], [3e38]])
    )
    assert np.isfinite(Z).all()
    with pytest.raises(ValueError, match=r"X must be small enough for .* got entries up to 1e\+308"):
        FourierFeatures(Gaussian(50.0), n_components=20, random_state=0).fit_transform(X)
