"""Streaming ridge: however the rows are cut, ordered and shared out, w is that of the whole."""

import itertools
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc

import cloudpickle
import dask
import dask.array as da
import distributed
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import threadpool_info, threadpool_limits

import kernlib.blocks
import kernlib.progress
import kernlib.rows
import kernlib.streaming.cluster
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian, Laplace, Linear
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import primal_ridge
from kernlib.streaming import StreamingRidge, dask_statistics, ridge_statistics

DIMENSIONS = (1, 2, 5, 22)
OUTPUTS = [(), (1,), (3,)]  # y of shape (n,), (n, 1), (n, 3)
LAM = 0.01
FEATURES = [
    FourierFeatures(Gaussian(0.5), n_components=31, random_state=0),
    NystromFeatures(Laplace(0.2), n_components=20, random_state=0),
]
IDENTITY = FunctionTransformer()
SMALL = FourierFeatures(n_components=30, random_state=0)


def data(n, p, seed=0, dtype=np.float64):
    return np.random.default_rng(seed).normal(size=(n, p)).astype(dtype)


def targets(n, outputs=(), seed=0):
    return np.random.default_rng([seed, 1]).normal(size=(n, *outputs))


def cut(sizes, *arrays):
    """The arrays in blocks of these numbers of rows."""
    ends = np.cumsum(sizes)
    return [tuple(A[end - size : end] for A in arrays) for size, end in zip(sizes, ends, strict=True)]


def same(w, expected, lam=LAM):
    """
    Equal but for rounding, where κ(x, x) = 1: ZᵀZ is then known to a few ε n, and an error of that size
    changes w by its ratio to nλ.
    """
    assert w.shape == expected.shape
    assert np.abs(w - expected).max() <= 100 * np.finfo(float).eps / lam * np.linalg.norm(expected)


def blas_threads():
    return {lib["filepath"]: lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"}


class Frame:
    """Of pandas, what matters here: columns have names; rows come by `iloc`, as brackets are for columns."""

    def __init__(self, values, columns=()):
        self.values, self.columns, self.shape = values, columns, values.shape

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype)

    def __len__(self):
        return len(self.values)

    iloc = property(lambda self: Rows(self))


class Rows:
    def __init__(self, frame):
        self.frame = frame

    def __getitem__(self, rows):
        return Frame(self.frame.values[rows], self.frame.columns)


@pytest.fixture
def short_slices(monkeypatch):
    """Cut rows as a large file is cut, at a size that a test can afford."""
    monkeypatch.setattr(kernlib.rows, "SLICE", 16)


# The sums


@pytest.mark.parametrize("outputs", OUTPUTS)
@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_the_statistics_solve_the_ridge_problem_of_all_features_at_once(features, p, outputs, short_slices):
    X, y = data(53, p), targets(53, outputs)
    features.fit(X)
    statistics = ridge_statistics(features, X, y)
    Z = features.transform(X)
    assert statistics.n == 53
    assert statistics.gram.dtype == statistics.moment.dtype == np.float64
    np.testing.assert_allclose(statistics.gram, Z.T @ Z, atol=1e-13)
    np.testing.assert_allclose(statistics.moment, Z.T @ y, atol=1e-13)
    for lam in (LAM, 1.0):
        same(statistics.solve(lam=lam), primal_ridge(Z, y, lam=lam), lam)
        theirs = Ridge(alpha=53 * lam, fit_intercept=False, solver="svd").fit(Z, y).coef_.T
        same(statistics.solve(lam=lam), theirs.reshape(Z.shape[1], *outputs), lam)


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


def test_adding_leaves_the_parts_as_they_were():
    features = FEATURES[0].fit(data(9, 2))
    first, second = (ridge_statistics(features, data(9, 2, seed), targets(9, (), seed)) for seed in (0, 1))
    gram, moment = first.gram.copy(), first.moment.copy()
    first + second
    assert first.n == 9
    np.testing.assert_array_equal(first.gram, gram)
    np.testing.assert_array_equal(first.moment, moment)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_number_of_threads_changes_no_bit(threads, monkeypatch, short_slices):
    X, y = data(500, 5), targets(500)
    features = FEATURES[0].fit(X)
    here = ridge_statistics(features, X, y)
    monkeypatch.setattr(kernlib.blocks, "CORES", threads)
    with threadpool_limits(threads, user_api="blas"):
        there = ridge_statistics(features, X, y)
    np.testing.assert_array_equal(here.gram, there.gram)
    np.testing.assert_array_equal(here.moment, there.moment)


@pytest.mark.parametrize("lam", [1e-18, 1e-30, 1e-300])
@pytest.mark.parametrize("copies", [2, 3])
@pytest.mark.parametrize("p", DIMENSIONS)
def test_a_lambda_lost_in_the_rounding_of_singular_features_gives_the_limit(p, copies, lam):
    for seed in range(20):
        X, y = np.hstack([data(40, p, seed)] * copies), targets(40, (), seed)
        w = ridge_statistics(IDENTITY, X, y).solve(lam=lam)
        # the eigenvalues that aren't zero lie between 1 and 300: errors of 10⁻¹⁴ at most, whichever route
        np.testing.assert_allclose(w, np.linalg.lstsq(X, y, rcond=None)[0], atol=1e-12)


@pytest.mark.parametrize("part", [1e-290, 0.1, 0.9, 1.001, 1.1, 1.9])
@pytest.mark.parametrize("seed", range(3))
def test_a_lambda_lost_in_the_rounding_of_float32_gives_no_noise(part, seed):
    # 120 features of points in the plane: most eigenvalues of ZᵀZ are far below float32's rounding errors
    X = data(600, 2, seed).astype(np.float32)
    y = np.sin(X.sum(axis=1))
    features = FourierFeatures(Gaussian(0.5), n_components=120, random_state=seed).fit(X)
    Z = features.transform(X).astype(np.float64)
    statistics, exact = ridge_statistics(features, X, y), ridge_statistics(IDENTITY, Z, y)
    lowest = -np.linalg.eigvalsh(statistics.gram)[0] / 600
    assert lowest > 0
    w, attainable = statistics.solve(lam=part * lowest), exact.solve(lam=2 * lowest)
    assert np.linalg.norm(w) < 1.5 * np.linalg.norm(attainable)
    assert np.linalg.norm(Z @ w - y) < 3 * np.linalg.norm(Z @ attainable - y)


# float32


@pytest.mark.parametrize("lam", [1e-1, 1e-3, 1e-5])
@pytest.mark.parametrize("p", DIMENSIONS)
@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_float32_is_within_its_own_precision_of_float64(features, p, lam, short_slices):
    X, y, new = data(500, p, dtype=np.float32), targets(500, (2,)), data(9, p, 1, np.float32)
    frozen = FrozenEstimator(features.fit(X))
    single = StreamingRidge(frozen, lam=lam).fit(X, y)
    double = StreamingRidge(frozen, lam=lam).fit(X.astype(np.float64), y)
    assert single.coef_.dtype == double.coef_.dtype == np.float64
    assert single.predict(new).dtype == np.float32
    assert double.predict(new.astype(np.float64)).dtype == np.float64
    Z, Z32 = frozen.transform(X.astype(np.float64)), frozen.transform(X)
    # (ZᵀZ + nλI) dw = −d(ZᵀZ) w + d(Zᵀy): relative errors of the features, and of float32 sums of 16 products
    error = np.linalg.norm(Z32 - Z, 2) / np.linalg.norm(Z, 2) + 16 * np.finfo(np.float32).eps
    norm, size = np.linalg.norm(Z, 2), np.linalg.norm(double.coef_, axis=0)
    bound = error * (2 * norm**2 * size + norm * np.linalg.norm(y, axis=0)) / (500 * lam)
    assert (np.linalg.norm(single.coef_ - double.coef_, axis=0) <= bound).all()


def test_sums_over_the_slices_are_in_float64_whatever_the_features_are(short_slices):
    X = np.full((160_000, 1), 0.1, dtype=np.float32)
    statistics = ridge_statistics(IDENTITY, X, X[:, 0])
    # the sum of a slice errs by 16 roundings at most; in float32, the sum of ten thousand slices errs by 10⁻⁴
    square = float(X[0, 0]) ** 2
    assert abs(statistics.gram[0, 0] / (160_000 * square) - 1) < 16 * np.finfo(np.float32).eps
    assert abs(statistics.moment[0] / (160_000 * square) - 1) < 16 * np.finfo(np.float32).eps


# The estimator


@pytest.mark.parametrize("size", [1, 7, 97, 150])
@pytest.mark.parametrize("outputs", OUTPUTS)
@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_streamed_is_batch_for_blocks_of_one_row_of_a_prime_number_of_rows_and_of_all(
    features, outputs, size
):
    X, y = data(150, 5), targets(150, outputs)
    frozen = FrozenEstimator(features.fit(X))
    batch = primal_ridge(frozen.transform(X), y, lam=LAM)
    blocks = cut([size] * (150 // size) + [150 % size] * (150 % size > 0), X, y)
    one_call = StreamingRidge(frozen, lam=LAM).fit(iter(blocks))
    many_calls = StreamingRidge(frozen, lam=LAM)
    for block in blocks:
        many_calls.partial_fit(*block)
    for model in (one_call, many_calls, StreamingRidge(frozen, lam=LAM).fit(X, y)):
        same(model.coef_, batch)
        assert model.n_samples_seen_ == 150
        np.testing.assert_allclose(model.predict(X), frozen.transform(X) @ batch, atol=1e-11)


@settings(max_examples=25, deadline=None)
@given(
    p=st.sampled_from(DIMENSIONS),
    calls=st.lists(st.lists(st.integers(1, 40), min_size=1, max_size=4), min_size=1, max_size=4),
    rows=st.sampled_from([1, 3, 16, 4096]),
    seed=st.integers(0, 1000),
)
def test_any_blocks_in_any_calls_and_order_of_rows_give_one_model(p, calls, rows, seed):
    sizes = list(itertools.chain(*calls))
    X, y = data(sum(sizes), p, seed), targets(sum(sizes), (), seed)
    frozen = FrozenEstimator(FEATURES[0].fit(X))
    batch = primal_ridge(frozen.transform(X), y, lam=LAM)
    order = np.random.default_rng(seed).permutation(len(X))
    blocks, model = iter(cut(sizes, X[order], y[order])), StreamingRidge(frozen, lam=LAM)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernlib.rows, "SLICE", rows)
        for call in calls:
            model.partial_fit(list(itertools.islice(blocks, len(call))))
        same(model.coef_, batch)
        np.testing.assert_allclose(model.predict(X), frozen.transform(X) @ batch, atol=1e-11)


def test_fit_forgets_what_it_saw_before():
    X, y = data(50, 3), targets(50)
    model = StreamingRidge(SMALL).fit(data(70, 2, 1), targets(70, (2,), 1)).fit(X, y)
    same(model.coef_, StreamingRidge(SMALL).fit(X, y).coef_)
    assert model.n_samples_seen_ == 50 and model.n_features_in_ == 3


def test_one_pass_serves_every_lambda():
    X, y = data(80, 3), targets(80)
    model = StreamingRidge(SMALL, lam=1.0).fit(X, y)
    for lam in (1e-3, 0.1):
        same(model.statistics_.solve(lam=lam), StreamingRidge(SMALL, lam=lam).fit(X, y).coef_, lam)


def test_models_fitted_apart_with_default_features_add_up():
    X, y = data(90, 4), targets(90)
    first, second = (StreamingRidge().fit(*block) for block in cut([40, 50], X, y))
    whole = StreamingRidge().fit(X, y)
    same((first.statistics_ + second.statistics_).solve(lam=LAM), whole.coef_)


@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_a_clone_of_the_features_is_fitted_on_the_first_block_alone(features):
    X, y = data(60, 3), targets(60)
    given_ = type(features)(**features.get_params(deep=False))
    model = StreamingRidge(given_).fit(iter(cut([40, 20], X, y)))
    model.partial_fit(X + 1, y)
    assert not hasattr(given_, "n_features_in_")
    expected = type(features)(**features.get_params(deep=False)).fit(X[:40])
    np.testing.assert_array_equal(model.features_.transform(X), expected.transform(X))


def test_the_landmarks_of_a_long_array_are_spread_over_it():
    X = np.arange(100_000.0)[:, None]
    model = StreamingRidge(NystromFeatures(Gaussian(1e-8), n_components=50, random_state=0)).fit(X, X[:, 0])
    landmarks = np.sort(model.features_.components_[:, 0])
    assert landmarks[0] < 20_000 and landmarks[-1] > 80_000  # (4/5)⁵⁰ = 10⁻⁵ is the chance of neither


def test_frozen_features_stay_as_they_are():
    sample, X, y = data(100, 3, 1), data(60, 3), targets(60)
    features = NystromFeatures(n_components=30, landmarks="kmeans", random_state=0).fit(sample)
    model = StreamingRidge(FrozenEstimator(features)).fit(iter(cut([20, 40], X, y)))
    same(model.coef_, primal_ridge(features.transform(X), y, lam=LAM))


def test_a_pipeline_of_transformers_will_do():
    X, y = 100 + 10 * data(60, 3), targets(60)
    model = StreamingRidge(make_pipeline(StandardScaler(), FEATURES[0])).fit(X, y)
    same(model.coef_, primal_ridge(model.features_.transform(X), y, lam=LAM))


def test_a_generator_may_fill_one_array_again_and_again(short_slices):
    X, y = data(400, 3), targets(400)

    def blocks():
        rows, column = np.empty((40, 3)), np.empty(40)
        for block in cut([40] * 10, X, y):
            rows[:], column[:] = block
            yield rows, column
        rows[:] = column[:] = np.nan

    same(StreamingRidge(SMALL).fit(blocks()).coef_, StreamingRidge(SMALL).fit(X, y).coef_)


def test_a_data_frame_is_cut_by_position_and_reaches_the_features_as_it_is():
    class Asks(TransformerMixin, BaseEstimator):
        def fit(self, X, y=None):
            assert isinstance(X, Frame)
            return self

        def transform(self, X):
            assert isinstance(X, Frame)
            return np.asarray(X)

    X, y = data(30, 3), targets(30)
    model = StreamingRidge(Asks()).fit(Frame(X), Frame(y))
    same(model.coef_, primal_ridge(X, y, lam=LAM))
    np.testing.assert_allclose(model.predict(Frame(X)), X @ model.coef_, atol=1e-14)


@pytest.mark.parametrize("outputs", OUTPUTS)
def test_each_output_is_fitted_as_if_alone(outputs):
    X, y = data(70, 4), targets(70, outputs)
    model = StreamingRidge(SMALL).fit(X, y)
    assert model.predict(X).shape == y.shape
    columns = [StreamingRidge(SMALL).fit(X, column).coef_ for column in y.reshape(70, -1).T]
    same(model.coef_, np.stack(columns, axis=-1).reshape(model.coef_.shape))


@pytest.mark.parametrize(
    "features", [None, NystromFeatures(Linear(), n_components=8, random_state=0)], ids=str
)
def test_scikit_learns_own_checks_pass(features):
    check_estimator(StreamingRidge(features), on_skip=None)


def test_a_short_run_says_nothing(capfd):
    X, y = data(30, 2), targets(30)
    StreamingRidge(SMALL).fit(X, y).partial_fit(iter([(X, y)])).predict(X)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("verbose", [True, False])
def test_progress_of_a_long_run_is_shown_if_wanted(verbose, monkeypatch, capfd, short_slices):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    real = kernlib.progress.tqdm
    monkeypatch.setattr(kernlib.progress, "tqdm", lambda *a, **k: real(*a, **(k | {"delay": 0})))
    X, y = data(64, 2), targets(64)
    StreamingRidge(SMALL, verbose=verbose).fit(X, y)
    assert ("4/4" in capfd.readouterr().err) == verbose


# Memory


def write(folder, n, dtype):
    """Files of n rows, written block by block, and read-only views of them."""
    shapes = {"X": (n, 20), "y": (n,)}
    rng = np.random.default_rng(0)
    for name, shape in shapes.items():
        with open(folder / f"{name}{n}", "wb") as file:
            for _ in range(n // 1000):
                (100 * rng.normal(size=(1000, *shape[1:]))).astype(dtype).tofile(file)
    return [np.memmap(folder / f"{name}{n}", dtype, "r", shape=shape) for name, shape in shapes.items()]


def peak(job):
    tracemalloc.start()
    try:
        job()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.fixture
def two_threads(monkeypatch):
    """Slices of 256 rows on two threads: three times the memory of one slice is enough for any file."""
    monkeypatch.setattr(kernlib.blocks, "CORES", 2)
    monkeypatch.setattr(kernlib.rows, "SLICE", 256)
    monkeypatch.setattr(kernlib.streaming.estimator, "SAMPLE", 256)
    with threadpool_limits(2, user_api="blas"):
        yield


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int16])
@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_memory_stays_flat_while_a_file_grows(features, dtype, tmp_path, two_threads):
    model = StreamingRidge(features)

    def used(X, y):
        return peak(lambda: model.fit(X, y))

    X, y = write(tmp_path, 10_000, dtype)
    used(X, y)  # the first time, what is imported late counts too
    alone = used(X[:256], y[:256])
    assert used(X, y) < 3 * alone
    X, y = write(tmp_path, 100_000, dtype)
    assert used(X, y) < 3 * alone < X.nbytes / 2


def test_memory_stays_flat_while_a_generator_goes_on(two_threads):
    def used(blocks, rows=2000):
        pairs = ((data(rows, 20, seed), targets(rows, (), seed)) for seed in range(blocks))
        return peak(lambda: StreamingRidge(SMALL).fit(pairs))

    used(1)
    # the first block, one at work, one in the making
    assert used(40) < 3 * data(2000, 21).nbytes + 3 * used(1, 256)


def test_memory_of_a_prediction_is_that_of_the_values(tmp_path, two_threads):
    X, y = write(tmp_path, 100_000, np.float64)
    model = StreamingRidge(SMALL).fit(X[:1000], y[:1000])
    model.predict(X)
    # the values by slices, then in one piece
    assert peak(lambda: model.predict(X)) < 2.5 * y.nbytes + 3 * peak(lambda: model.predict(X[:256]))


def test_a_file_open_for_reading_gives_what_the_array_gives_and_is_left_alone(tmp_path):
    X, y = write(tmp_path, 10_000, np.float64)
    before = (tmp_path / "X10000").read_bytes()
    from_file = StreamingRidge(FEATURES[0], lam=1e3).fit(X, y)
    from_memory = StreamingRidge(FEATURES[0], lam=1e3).fit(np.array(X), np.array(y))
    np.testing.assert_array_equal(from_file.coef_, from_memory.coef_)
    np.testing.assert_array_equal(from_file.predict(X), from_memory.predict(np.array(X)))
    assert (tmp_path / "X10000").read_bytes() == before


def test_an_array_that_lives_elsewhere_is_only_ever_sliced(short_slices):
    class Elsewhere:
        """What h5py and zarr have in common: a shape, and rows by slicing."""

        def __init__(self, values):
            self.values, self.shape = values, values.shape

        def __getitem__(self, rows):
            assert len(range(*rows.indices(len(self.values)))) <= 16
            return self.values[rows]

        def __array__(self, dtype=None, copy=None):
            raise AssertionError("read whole")

    X, y = data(100, 3), targets(100)
    frozen = FrozenEstimator(FEATURES[0].fit(X))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernlib.streaming.estimator, "SAMPLE", 16)
        model = StreamingRidge(frozen).fit(Elsewhere(X), Elsewhere(y))
    same(model.coef_, StreamingRidge(frozen).fit(X, y).coef_)
    np.testing.assert_array_equal(model.predict(Elsewhere(X)), model.predict(X))


def array(A, chunks=10):
    return da.from_array(A, (chunks, *A.shape[1:]))


def delayed(*blocks):
    return [dask.delayed(block) for block in blocks]


# Bad input

X, Y = data(20, 2), targets(20)
LATER = [  # a first block, and a second one that doesn't go with it
    ((X, Y[:19]), ValueError, r"^y of block 1 must have shape \(20,\) or \(20, q\), got \(19,\)"),
    ((X, None), ValueError, r"^y of block 1 must have shape \(20,\) or \(20, q\), got \(\)"),
    ((X[:, :1], Y), ValueError, "^X of block 1 must have 2 columns as before, got 1"),
    ((X, np.c_[Y, Y]), ValueError, r"^y of block 1 must have shape \(n,\) as before, got \(n, 2\)"),
    ((np.where(X == X[3, 1], np.nan, X), Y), ValueError, "^X of block 1 must be finite, .* in row 3"),
    ((X, np.where(Y == Y[3], np.inf, Y)), ValueError, "^Input y of block 1 contains infinity"),
    ((X, np.where(Y == Y[3], np.nan, Y)), ValueError, "^Input y of block 1 contains NaN"),
    ((X[0], Y), ValueError, r"^X of block 1 must be 2-D, one row an observation, got shape \(2,\)"),
    (([[1, 2], [3]], [1, 2]), ValueError, "^X of block 1 must be an array, got a list whose rows differ in"),
    ((X, [1, [2]]), ValueError, "^y of block 1 must be an array, got a list whose rows differ in"),
    ((X, Y[:, None, None]), ValueError, r"^y of block 1 must have shape .* got \(20, 1, 1\)"),
    ((X, Y[:, None][:, :0]), ValueError, r"^y of block 1 must have shape \(n,\) as before, got \(n, 0\)"),
    ((sparse.dia_array(X), Y), TypeError, "^X of block 1 must be a dense array, got a sparse one"),
    ((X.astype(str), Y), TypeError, "^X of block 1 must hold real numbers"),
    ((X, Y.astype(str)), TypeError, "^y of block 1 must hold real numbers"),
    ((X, Y, Y), TypeError, r"^each block must be a pair \(X, y\), got tuple of block 1"),
    (X, TypeError, r"^each block must be a pair \(X, y\), got ndarray of block 1"),
]


def assert_one_sentence(caught):
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("block, error, sentence", LATER)
def test_a_bad_later_block_gets_one_sentence_and_none_of_the_call_counts(block, error, sentence):
    model = StreamingRidge(SMALL).fit(data(30, 2, 1), targets(30, (), 1))
    before = dict(vars(model))
    arrays = [model.statistics_.gram.copy(), model.statistics_.moment.copy(), model.coef_.copy()]
    for call in (model.partial_fit, model.fit, StreamingRidge(SMALL).fit):
        with pytest.raises(error, match=sentence) as caught:
            call(iter([(X, Y), block, (X, Y)]))
        assert_one_sentence(caught)
    assert vars(model) == before
    after = [model.statistics_.gram, model.statistics_.moment, model.coef_]
    for now, then in zip(after, arrays, strict=True):
        np.testing.assert_array_equal(now, then)
    model.partial_fit(X, Y)
    assert model.n_samples_seen_ == 50


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (
            lambda: StreamingRidge(SMALL).fit(X),
            ValueError,
            "requires y to be passed, but the target y is None",
        ),
        (
            lambda: StreamingRidge(SMALL).partial_fit(X),
            ValueError,
            "requires y to be passed, but the target y is",
        ),
        (
            lambda: StreamingRidge(SMALL).fit(X, Y[:19]),
            ValueError,
            r"y must have shape \(20,\) or \(20, q\), got \(19",
        ),
        (
            lambda: StreamingRidge(SMALL).fit(X, 1.0),
            ValueError,
            r"y must have shape \(20,\) or \(20, q\), got \(\)",
        ),
        (
            lambda: StreamingRidge(SMALL).fit(iter([])),
            ValueError,
            r"at least one block \(X, y\) that has rows, got none",
        ),
        (
            lambda: StreamingRidge(SMALL).fit([(X[:0], Y[:0])]),
            ValueError,
            r"at least one block \(X, y\) that has rows, got none",
        ),
        (
            lambda: StreamingRidge(SMALL).fit([(X[:0], Y)]),
            ValueError,
            r"y of block 0 must have shape \(0,\) or",
        ),
        (
            lambda: StreamingRidge(SMALL).fit(X, Y).partial_fit([(X[:, :1], Y)]),
            ValueError,
            "X of block 0 must have 2 columns as before, got 1",
        ),
        (
            lambda: StreamingRidge(SMALL).fit(X, Y).partial_fit(X, np.c_[Y, Y]),
            ValueError,
            r"y must have shape \(n,\) as before, got \(n, 2\)",
        ),
        (lambda: StreamingRidge("rff").fit(X, Y), TypeError, "features must be a transformer .* got 'rff'"),
        (
            lambda: StreamingRidge(FourierFeatures).fit_dask(array(X), array(Y)),
            TypeError,
            "features must be a transformer .* got <class",
        ),
        (
            lambda: ridge_statistics(Gaussian(), X, Y),
            TypeError,
            "features must be a transformer .* got Gauss",
        ),
        (lambda: dask_statistics(None, array(X), array(Y)), TypeError, "features must be a tr.* got None"),
        (lambda: ridge_statistics(IDENTITY, [[1, 2], [3]], [1, 2]), ValueError, "X must be an array, got"),
        (lambda: StreamingRidge(SMALL).fit([[1, 2], [3]], [1, 2]), ValueError, "X must be an array, got"),
        (
            lambda: StreamingRidge(SMALL).fit(X, Y).predict([[1, 2], [3]]),
            ValueError,
            "X must be an array, got",
        ),
        (
            lambda: ridge_statistics(SMALL.fit(X), X[:, :1], Y),
            ValueError,
            "X must have 2 columns as those tha",
        ),
        (
            lambda: ridge_statistics(FunctionTransformer(np.sum), X, Y),
            ValueError,
            r"features must give a matrix of numbers, a row for each of the 20 of X, got shape \(\)",
        ),
        (lambda: StreamingRidge(SMALL).fit(X * np.nan, Y), ValueError, "X must be finite, .* in row 0"),
        (
            lambda: StreamingRidge(SMALL).fit(iter([(X, Y)]), Y),
            TypeError,
            "has its targets inside: y must not be",
        ),
        (
            lambda: StreamingRidge(SMALL).fit(3),
            TypeError,
            r"an array, or an iterable of blocks \(X, y\), got int",
        ),
        (lambda: StreamingRidge(SMALL).fit([[1, 2], [3, 4]]), ValueError, "X of block 0 must be 2-D"),
        (
            lambda: StreamingRidge(SMALL, lam=0).fit(X, Y),
            ValueError,
            "lam must be positive and finite, got 0",
        ),
        (
            lambda: StreamingRidge(SMALL, lam=-1.0).fit(X, Y),
            ValueError,
            "lam must be positive and finite, got -1.0",
        ),
        (
            lambda: StreamingRidge(SMALL, lam=np.nan).fit(X, Y),
            ValueError,
            "lam must be positive and finite, got nan",
        ),
        (lambda: StreamingRidge(SMALL, lam="1").fit(X, Y), TypeError, "lam must be a number, got '1'"),
        (lambda: StreamingRidge(SMALL).predict(X), NotFittedError, "not fitted yet"),
        (
            lambda: StreamingRidge(SMALL).fit(X, Y).predict(X[:, :1]),
            ValueError,
            "1 features, but StreamingRidge is",
        ),
        (
            lambda: StreamingRidge(SMALL).fit(X, Y).predict(X * np.inf),
            ValueError,
            "X must be finite, .* in row 0",
        ),
        (
            lambda: StreamingRidge(SMALL).fit(X, Y).partial_fit(X[:, :1], Y),
            ValueError,
            "1 features, but Streaming",
        ),
        (
            lambda: StreamingRidge(FourierFeatures(dtype=int)).fit(X, Y),
            ValueError,
            "dtype must be None, float3",
        ),
        (
            lambda: ridge_statistics(IDENTITY, X, Y[:19]),
            ValueError,
            r"y must have shape \(20,\) or \(20, q\)",
        ),
        (lambda: ridge_statistics(IDENTITY, X[0], Y), ValueError, r"X must be 2-D, .* got shape \(2,\)"),
        (
            lambda: ridge_statistics(IDENTITY, X[:0], Y[:0]),
            ValueError,
            r"at least one row, got shape \(0, 2\)",
        ),
        (
            lambda: ridge_statistics(IDENTITY, sparse.csr_array(X), Y),
            TypeError,
            "X must be a dense array, got a",
        ),
        (
            lambda: ridge_statistics(FunctionTransformer(sparse.csr_array), X, Y),
            TypeError,
            "features must give dense arrays, got a sparse one",
        ),
        (
            lambda: ridge_statistics(FunctionTransformer(np.log), X, Y),
            ValueError,
            "the features of X must be finite, and their squares, got NaN or infinity from row 0 to 19",
        ),
        (
            lambda: ridge_statistics(FourierFeatures(), X, Y),
            NotFittedError,
            "features must be fitted, got Four",
        ),
        (
            lambda: ridge_statistics(IDENTITY, X, Y).solve(lam=0),
            ValueError,
            "lam must be positive and finite, got",
        ),
        (
            lambda: ridge_statistics(IDENTITY, X, Y) + ridge_statistics(IDENTITY, X[:, :1], Y),
            ValueError,
            r"same features and outputs, got Zᵀy of shape \(2,\) and \(1,\)",
        ),
        (lambda: ridge_statistics(IDENTITY, X, Y) + 1, TypeError, "unsupported operand"),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_bad_input_gets_one_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence) as caught:
        call()
    assert_one_sentence(caught)


@pytest.mark.parametrize("method", ["fit", "partial_fit", "fit_dask"])
def test_a_bad_lambda_is_refused_before_any_block_is_read(method):
    def read():
        raise AssertionError("read")

    blocks = [dask.delayed(read)()] if method == "fit_dask" else (read() for _ in range(1))
    with pytest.raises(ValueError, match="lam must be positive"):
        getattr(StreamingRidge(SMALL, lam=0), method)(blocks)


def every_way(blocks, features=SMALL):
    """Call a model on blocks, by each method that takes them."""
    return [
        lambda: StreamingRidge(features).fit(iter(blocks)),
        lambda: StreamingRidge(features).partial_fit(blocks[:1]).partial_fit(blocks),
        lambda: StreamingRidge(features).fit_dask(delayed(*blocks)),
        lambda: dask_statistics(StreamingRidge(features).fit(blocks[:1]).features_, delayed(*blocks)),
    ]


def test_blocks_without_rows_count_for_nothing():
    whole, none = StreamingRidge(SMALL).fit(X, Y), (X[:0], Y[:0])
    blocks = [none, none, (X[:7], Y[:7]), none, (X[7:], Y[7:]), none]
    frozen = StreamingRidge(FrozenEstimator(whole.features_))
    for model in (frozen.fit(iter(blocks)), clone(frozen).fit_dask(delayed(*blocks))):
        assert model.n_samples_seen_ == 20
        same(model.coef_, whole.coef_)
    same(frozen.fit([blocks[2]]).partial_fit([none, blocks[4], none]).coef_, whole.coef_)
    for call in every_way([none, none])[::2]:
        with pytest.raises(ValueError, match=r"at least one block \(X, y\) that has rows, got none"):
            call()


@pytest.mark.parametrize("features", [IDENTITY, SMALL], ids=["ignores names", "looks at names"])
def test_a_later_block_with_its_columns_in_another_order_is_refused(features):
    blocks = [(Frame(X, list(names)), Y) for names in ("ab", "ab", "ba")]
    for call in every_way(blocks, features):
        with pytest.raises(
            ValueError, match=r"^column 0 of X of block 2 must be 'a' as before, got 'b'\."
        ) as caught:
            call()
        assert_one_sentence(caught)


def test_features_that_differ_from_block_to_block_are_refused_with_its_number():
    def uneven(X):
        return X[:, : 1 + (X[0, 0] == 0)]

    blocks = [(X, Y), (X, Y), (0 * X, Y)]
    for call in every_way(blocks, FunctionTransformer(uneven)):
        with pytest.raises(
            ValueError, match=r"^the features of X of block 2 must have 1 columns as before, got 2\."
        ):
            call()


def test_a_sentence_about_a_long_array_says_in_which_rows(short_slices):
    X, y = data(100, 2), targets(100)
    X[37] = np.nan
    calls = [
        (lambda: ridge_statistics(IDENTITY, X, y), "X"),
        (lambda: StreamingRidge(SMALL).fit(X, y), "X"),
        (lambda: StreamingRidge(SMALL).fit(X[:9], y[:9]).predict(X), "X"),
        (lambda: StreamingRidge(SMALL).fit(iter([(X[:16], y[:16]), (X, y)])), "X of block 1"),
        (lambda: StreamingRidge(SMALL).fit_dask(da.from_array(X, (30, 2)), da.from_array(y)), "X"),
        (lambda: dask_statistics(IDENTITY, delayed((X[:9], y[:9]), (X, y))), "X of block 1"),
    ]
    for call, name in calls:
        with pytest.raises(
            ValueError, match=f"^{name} must be finite, got NaN or infinity in row 37"
        ) as caught:
            call()
        assert_one_sentence(caught)


def test_a_row_of_the_sample_that_the_features_are_fitted_on_is_named_as_in_the_whole(monkeypatch):
    monkeypatch.setattr(kernlib.streaming.estimator, "SAMPLE", 16)
    X, y = data(100, 2), targets(100)
    X[35] = np.nan  # the sixth of every seventh
    with pytest.raises(ValueError, match=r"^X must be finite, got NaN or infinity in row 35\."):
        StreamingRidge(SMALL).fit(X, y)


def test_what_goes_wrong_leaves_blas_its_threads(short_slices):
    before, inside, model = blas_threads(), [], StreamingRidge(SMALL)

    def blocks(bad):
        for _ in range(20):
            inside.extend(blas_threads().values())
            yield X, Y
        yield bad

    for bad in ((X, Y), (X, Y[:1]), (X * np.nan, Y), (X, np.c_[Y, Y])):
        try:
            model.fit(blocks(bad))
        except ValueError as error:
            caught = error  # and with it the frames that it came through
        assert blas_threads() == before
    assert caught and 1 in inside


# Dask


@pytest.mark.parametrize(
    "chunks", [(1, 5), (7, 2), (97, 1), (1000, 5), ((3, 110, 30, 7), 5), ((0, 150, 0), 5)]
)
@pytest.mark.parametrize("outputs", OUTPUTS)
@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_dask_arrays_in_any_chunks_give_the_coefficients_of_the_whole(features, outputs, chunks):
    X, y = data(150, 5), targets(150, outputs)
    frozen = FrozenEstimator(features.fit(X))
    chunked = da.from_array(X, chunks), da.from_array(y, (53, 1)[: y.ndim])
    same(dask_statistics(frozen, *chunked).solve(lam=LAM), primal_ridge(frozen.transform(X), y, lam=LAM))
    model = StreamingRidge(frozen).fit_dask(*chunked)
    same(model.coef_, StreamingRidge(frozen).fit(X, y).coef_)
    assert model.n_samples_seen_ == 150 and model.n_features_in_ == 5


@pytest.mark.parametrize("sizes", [[1] * 40, [7] * 5 + [5], [40], [3, 30, 7]])
@pytest.mark.parametrize("pair", [dask.delayed, lambda block: [dask.delayed(A) for A in block]])
def test_delayed_blocks_of_any_size_give_the_coefficients_of_the_whole(pair, sizes):
    X, y = data(40, 3), targets(40)
    blocks = [pair(block) for block in cut(sizes, X, y)]
    same(StreamingRidge(SMALL).fit_dask(blocks).coef_, StreamingRidge(SMALL).fit(X, y).coef_)


@settings(max_examples=15, deadline=None)
@given(sizes=st.lists(st.integers(1, 9), min_size=1, max_size=30), seed=st.integers(0, 1000))
def test_dask_is_batch_for_any_blocks(sizes, seed):
    X, y = data(sum(sizes), 2, seed), targets(sum(sizes), (2,), seed)
    features = FEATURES[0].fit(X)
    with dask.config.set(scheduler="synchronous"):
        statistics = dask_statistics(features, [dask.delayed(block) for block in cut(sizes, X, y)])
    same(statistics.solve(lam=LAM), primal_ridge(features.transform(X), y, lam=LAM))


def test_dask_fits_the_features_on_the_first_block():
    X, y = data(60, 3), targets(60)
    features = NystromFeatures(n_components=9, random_state=0)
    arrays = StreamingRidge(features).fit_dask(da.from_array(X, (20, 3)), da.from_array(y, 60))
    delayed = StreamingRidge(features).fit_dask([dask.delayed(block) for block in cut([20, 40], X, y)])
    expected = NystromFeatures(n_components=9, random_state=0).fit(X[:20])
    for model in (arrays, delayed):
        np.testing.assert_array_equal(model.features_.components_, expected.components_)


def test_dask_draws_the_features_once_even_without_a_seed():
    X, y = data(60, 3), targets(60)
    model = StreamingRidge(FourierFeatures(n_components=20)).fit_dask([dask.delayed((X[:30], y[:30]))] * 2)
    Z = model.features_.transform(np.r_[X[:30], X[:30]])
    same(model.coef_, primal_ridge(Z, np.r_[y[:30], y[:30]], lam=LAM))


@pytest.mark.parametrize("blocks", [1, 8, 9, 70, 200])
def test_no_task_on_dask_holds_more_than_eight_partial_sums(blocks, monkeypatch):
    held, merge = [], kernlib.streaming.cluster.merge_statistics

    def watch(parts):
        parts = list(parts)
        held.append(len(parts))
        return merge(parts)

    monkeypatch.setattr(kernlib.streaming.cluster, "merge_statistics", watch)
    with dask.config.set(scheduler="synchronous"):
        statistics = dask_statistics(IDENTITY, [dask.delayed((X[:1], Y[:1]))] * blocks)
    assert statistics.n == blocks and max(held, default=0) <= 8


def test_a_cluster_is_sent_the_features_once_and_not_once_for_each_block():
    features, sizes = NystromFeatures(n_components=200, random_state=0).fit(data(200, 5)), []

    def get(graph, keys, **kwargs):
        tasks = graph.__dask_graph__() if hasattr(graph, "__dask_graph__") else graph  # older Dask: a mapping
        sizes.extend(len(cloudpickle.dumps(task)) for task in dict(tasks).values())
        return dask.get(graph, keys, **kwargs)

    with dask.config.set(scheduler=get):
        dask_statistics(features, [dask.delayed((data(9, 5), targets(9)))] * 20)
    assert sum(sizes) < 2 * len(cloudpickle.dumps(features))


def test_blas_has_one_thread_within_tasks_on_dask_and_its_own_number_again_after_them():
    seen, before = [], blas_threads()

    def watch(X):
        seen.extend(blas_threads().values())
        return X

    dask_statistics(FunctionTransformer(watch), array(X), array(Y))
    assert set(seen) == {1} and blas_threads() == before


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (lambda m: m.fit_dask(array(X)), ValueError, "y must be given where X is an array, got None"),
        (lambda m: m.fit_dask(X, Y), TypeError, "X must be a dask array, got ndarray"),
        (lambda m: m.fit_dask(array(X), Y), TypeError, "y must be a dask array, got ndarray"),
        (lambda m: m.fit_dask([]), ValueError, r"at least one block \(X, y\), got an empty list"),
        (
            lambda m: m.fit_dask(array(X), array(Y[:19])),
            ValueError,
            r"shape \(20,\) or \(20, q\), got \(19,\)",
        ),
        (lambda m: m.fit_dask(array(Y), array(Y)), ValueError, r"X must be 2-D, .* got shape \(20,\)"),
        (
            lambda m: m.fit_dask(array(X)[:0], array(Y)[:0]),
            ValueError,
            r"at least one row, got shape \(0, 2\)",
        ),
        (
            lambda m: m.fit_dask(array(X)[array(X)[:, 0] > 0], array(Y)),
            ValueError,
            r"X must have chunks of known sizes: call X.compute_chunk_sizes\(\) first",
        ),
        (lambda m: m.fit_dask([dask.delayed(X)]), TypeError, r"must be a pair \(X, y\), got ndarray"),
        (
            lambda m: m.fit_dask([dask.delayed((X, Y[:1]))]),
            ValueError,
            r"y of block 0 must have shape \(20,\) or",
        ),
        (
            lambda m: m.fit_dask([dask.delayed((X, Y)), dask.delayed((X, np.c_[Y, Y]))]),
            ValueError,
            r"y of block 1 must have shape \(n,\) as before, got \(n, 2\)",
        ),
        (
            lambda m: m.fit_dask([dask.delayed((X, Y)), dask.delayed((X[:, :1], Y))]),
            ValueError,
            "X of block 1 must have 2 columns as those that the features know, got 1",
        ),
        (lambda m: m.fit_dask(array(X * np.nan), array(Y)), ValueError, "X must be finite, .* in row 0"),
        (lambda m: m.fit_dask(array(X), array(Y * np.nan)), ValueError, "Input y contains NaN"),
        (
            lambda m: m.set_params(lam=0).fit_dask(array(X), array(Y)),
            ValueError,
            "lam must be positive and fini",
        ),
    ],
)
def test_bad_input_on_dask_gets_one_sentence_and_changes_nothing(call, error, sentence):
    model = StreamingRidge(SMALL).fit(X[:9], Y[:9])
    before = dict(vars(model))
    with pytest.raises(error, match=sentence) as caught:
        call(model)
    assert_one_sentence(caught)
    assert vars(model) | {"lam": LAM} == before


@pytest.mark.parametrize(
    "call", [StreamingRidge(SMALL).fit_dask, lambda *data: dask_statistics(IDENTITY, *data)]
)
def test_without_dask_the_sentence_says_how_to_install_it(call, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    with pytest.raises(ImportError, match=r'this needs Dask, .* pip install "kernlib\[dask\]"') as caught:
        call(X, Y)
    assert_one_sentence(caught)


def test_kernlib_runs_without_dask():
    code = (
        "import sys; sys.modules['dask'] = None\n"
        "import numpy as np; from kernlib.streaming import StreamingRidge\n"
        "print(StreamingRidge().fit(np.eye(3), np.ones(3)).n_samples_seen_)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "3\n"


@pytest.fixture
def client():
    """Two worker processes on this machine alone."""
    settings = {"distributed.worker.daemon": True, "distributed.comm.timeouts.connect": "10s"}
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_two_worker_processes_give_the_coefficients_of_the_whole_even_if_one_is_killed(client, tmp_path):
    def read(number, seconds=0.1):  # inside the test, so that workers need not import this file
        """Give a block, slowly enough for a worker to be lost meanwhile, and leave a note of who read it."""
        (tmp_path / f"{number}-{os.getpid()}-{time.time_ns()}").touch()
        time.sleep(seconds)
        rng = np.random.default_rng(number)
        return rng.normal(size=(50, 3)), rng.normal(size=(50, 2))

    def kill_one():
        while len(notes := list(tmp_path.iterdir())) < 8:
            time.sleep(0.01)
        os.kill(int(notes[0].name.split("-")[1]), signal.SIGKILL)

    numbers = range(24)
    X, y = (np.concatenate(parts) for parts in zip(*(read(i, 0) for i in numbers), strict=True))
    for note in tmp_path.iterdir():
        note.unlink()
    frozen = FrozenEstimator(FEATURES[0].fit(X))
    killer = threading.Thread(target=kill_one)
    killer.start()
    model = StreamingRidge(frozen).fit_dask([dask.delayed(read)(i) for i in numbers])
    killer.join()
    notes = [note.name for note in tmp_path.iterdir()]
    assert len(notes) > 25  # the first block is read for the features as well, and what was lost again
    assert {int(note.split("-")[0]) for note in notes} == set(numbers)
    same(model.coef_, primal_ridge(frozen.transform(X), y, lam=LAM))


def test_two_worker_processes_of_one_thread_each_compute_features_and_sums_right(client):
    def threads_there():
        from threadpoolctl import threadpool_info

        from kernlib.blocks import threads

        return {threads(), *(lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas")}

    rows, y = data(120, 3), targets(120)
    features = clone(SMALL).fit(rows)
    blocks, Z = da.from_array(rows, chunks=(50, -1)), features.transform(rows)
    there = blocks.map_blocks(features.transform, chunks=(blocks.chunks[0], Z.shape[1]), dtype=Z.dtype)
    np.testing.assert_allclose(there.compute(), Z, rtol=0, atol=1e-14)  # cosines of size 1, of equal angles
    model = StreamingRidge(FrozenEstimator(features), lam=LAM).fit_dask(blocks, da.from_array(y, chunks=50))
    same(model.coef_, primal_ridge(Z, y, lam=LAM))
    assert list(client.run(threads_there).values()) == [{1}, {1}]
