"""The sums of ridge regression: those of the parts add up to those of the whole, and solve its problem."""

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import data, targets
from scipy import sparse
from sklearn.linear_model import Ridge
from sklearn.preprocessing import FunctionTransformer
from streamed import FEATURES, IDENTITY, LAM, OUTPUTS, SMALL, X, Y, assert_one_sentence, assert_same, cut
from threadpoolctl import threadpool_limits

import kernlib.numerics.blocks
import kernlib.numerics.rows
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.numerics.normal_equations import RidgeStatistics, ridge_statistics
from kernlib.ridge import primal_ridge
from kernlib.streaming import StreamingRidge


@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_the_statistics_solve_the_ridge_problem_of_all_features_at_once(features, p, short_slices):
    X = data(53, p)
    Z = features.fit(X).transform(X)
    for outputs in OUTPUTS:
        y = targets(53, outputs)
        statistics = ridge_statistics(features, X, y)
        assert statistics.n == 53
        assert statistics.gram.dtype == statistics.moment.dtype == np.float64
        np.testing.assert_allclose(statistics.gram, Z.T @ Z, atol=1e-13)
        np.testing.assert_allclose(statistics.moment, Z.T @ y, atol=1e-13)
        for lam in (LAM, 1.0):
            assert_same(statistics.solve(lam=lam), primal_ridge(Z, y, lam=lam), lam)
            theirs = Ridge(alpha=53 * lam, fit_intercept=False, solver="svd").fit(Z, y).coef_.T
            assert_same(statistics.solve(lam=lam), theirs.reshape(Z.shape[1], *outputs), lam)


@settings(max_examples=25, deadline=None)
@given(sizes=st.lists(st.integers(1, 12), min_size=1, max_size=8), seed=st.integers(0, 1000), data_=st.data())
def test_statistics_of_parts_add_up_in_any_order_and_grouping(sizes, seed, data_):
    X, y = data(sum(sizes), 2, seed), targets(sum(sizes), (2,), seed)
    features = FEATURES[0].fit(X)
    whole = ridge_statistics(features, X, y)
    parts = [ridge_statistics(features, *block) for block in cut(sizes, X, y)]
    while len(parts) > 1:
        parts = data_.draw(st.permutations(parts))
        parts = [parts[0] + parts[1], *parts[2:]]
    assert parts[0].n == whole.n
    np.testing.assert_allclose(parts[0].gram, whole.gram, atol=1e-12)
    np.testing.assert_allclose(parts[0].moment, whole.moment, atol=1e-12)


def test_the_number_of_threads_changes_no_bit(monkeypatch, short_slices):
    X, y = data(500, 5), targets(500)
    features = FEATURES[0].fit(X)
    here = ridge_statistics(features, X, y)
    for threads in (1, 2, 5):
        monkeypatch.setattr(kernlib.numerics.blocks, "CORES", threads)
        with threadpool_limits(threads, user_api="blas"):
            there = ridge_statistics(features, X, y)
        np.testing.assert_array_equal(here.gram, there.gram)
        np.testing.assert_array_equal(here.moment, there.moment)


def test_a_lambda_lost_in_the_rounding_of_singular_features_gives_the_limit(p):
    for seed in range(20):
        for copies in (2, 3):
            X, y = np.hstack([data(40, p, seed)] * copies), targets(40, (), seed)
            statistics, limit = ridge_statistics(IDENTITY, X, y), np.linalg.lstsq(X, y, rcond=None)[0]
            for lam in (1e-18, 1e-30, 1e-300):
                # the eigenvalues that aren't zero lie between 1 and 300: errors of 10⁻¹⁴ at most
                np.testing.assert_allclose(statistics.solve(lam=lam), limit, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_a_lambda_lost_in_the_rounding_of_float32_gives_no_noise(seed):
    # 120 features of points in the plane: most eigenvalues of ZᵀZ are far below float32's rounding errors
    X = data(600, 2, seed).astype(np.float32)
    y = np.sin(X.sum(axis=1))
    features = FourierFeatures(Gaussian(0.5), n_components=120, random_state=seed).fit(X)
    Z = features.transform(X).astype(np.float64)
    statistics, exact = ridge_statistics(features, X, y), ridge_statistics(IDENTITY, Z, y)
    lowest = -np.linalg.eigvalsh(statistics.gram)[0] / 600
    assert lowest > 0
    attainable = exact.solve(lam=2 * lowest)
    for part in (1e-290, 0.1, 0.9, 1.001, 1.1, 1.9):
        w = statistics.solve(lam=part * lowest)
        assert np.linalg.norm(w) < 1.5 * np.linalg.norm(attainable)
        assert np.linalg.norm(Z @ w - y) < 3 * np.linalg.norm(Z @ attainable - y)


def test_sums_over_the_slices_are_in_float64_whatever_the_features_are(short_slices):
    X = np.full((160_000, 1), 0.1, dtype=np.float32)
    statistics = ridge_statistics(IDENTITY, X, X[:, 0])
    # the sum of a slice has 16 rounding errors; in float32, that of ten thousand slices would be off by 10⁻⁴
    square = float(X[0, 0]) ** 2
    assert abs(statistics.gram[0, 0] / (160_000 * square) - 1) < 16 * np.finfo(np.float32).eps
    assert abs(statistics.moment[0] / (160_000 * square) - 1) < 16 * np.finfo(np.float32).eps


def transformed(transform):
    return ridge_statistics(FunctionTransformer(transform), X, Y)


ONE_COLUMN = X[:, :1]


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda: ridge_statistics(Gaussian(), X, Y), "features must be a transformer .* got Gauss"),
        (lambda: ridge_statistics(FourierFeatures(), X, Y), "features must be fitted, got Four"),
        (lambda: ridge_statistics(SMALL.fit(X), ONE_COLUMN, Y), "2 columns as those that the features know"),
        (lambda: transformed(np.sum), r"a row for each of the 20 of X, got shape \(\)"),
        (lambda: transformed(sparse.csr_array), "features must give dense arrays, got a sparse one"),
        (lambda: transformed(np.log), "and their squares, got NaN or infinity from row 0 to 19"),
        (lambda: ridge_statistics(IDENTITY, X, Y[:19]), r"y must have shape \(20,\) or .*, got \(19,\)"),
        (lambda: ridge_statistics(IDENTITY, X, Y).solve(lam=0), "lam must be positive and finite, got"),
        (
            lambda: ridge_statistics(IDENTITY, X, Y) + ridge_statistics(IDENTITY, ONE_COLUMN, Y),
            r"same features and outputs, got Zᵀy of shape \(2,\) and \(1,\)",
        ),
        (lambda: ridge_statistics(IDENTITY, X, Y) + 1, "unsupported operand"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_bad_input_gets_one_sentence(call, sentence):
    with pytest.raises((TypeError, ValueError), match=sentence) as caught:  # NotFittedError is a ValueError
        call()
    assert_one_sentence(caught)


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning", "ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_no_lambda_is_chosen_by_squares_that_are_no_floats(unit):
    with pytest.raises(ValueError, match=r"the squares of y must add up to 1e-300 to 1e308, got (0|inf)\.$"):
        StreamingRidge(IDENTITY, lam=[0.01, 0.1]).fit(X, unit * Y)
    assert StreamingRidge(IDENTITY, lam=[0.01, 0.1]).fit(X, 0 * Y).coef_.max() == 0


@pytest.mark.parametrize(("dtype", "constant", "weighted"), [(np.float32, 0, 1), (np.float64, 1, 0)])
def test_pickle_carries_half_of_the_symmetric_sums_and_every_bit_comes_back(dtype, constant, weighted):
    X, y = data(9000, 100).astype(dtype), targets(9000, (2,))  # two slices
    weights = np.random.default_rng(0).random(9000) if weighted else None
    sums = ridge_statistics(IDENTITY, X, y, constant=constant, sample_weight=weights)
    packed = pickle.dumps(sums)
    c = 100 + constant
    assert len(packed) - 8 * (c * (c + 1) / 2 + 2 * c) < 1000
    back = pickle.loads(packed)
    assert back.n == sums.n
    for name in ("gram", "moment", "squares"):
        assert getattr(back, name).tobytes() == getattr(sums, name).tobytes()


def test_sums_that_are_not_symmetric_to_the_last_bit_are_pickled_whole():
    gram = np.array([[2.0, 1.0], [np.nextafter(1.0, 2.0), 2.0]])
    back = pickle.loads(pickle.dumps(RidgeStatistics(3, gram, np.ones(2))))
    assert back.gram.tobytes() == gram.tobytes()
