"""StreamingRidge: w does not depend on how the rows are divided, ordered and read."""

import itertools
import pickle
import threading
from functools import partial

import dask
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from samples import DIMENSIONS, assert_refused, data, needs_blas, peak_bytes, targets
from scipy import sparse
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.preprocessing import FunctionTransformer
from streamed import FEATURES, IDENTITY, LAM, SMALL, X, Y, assert_same, chunked, cut, delayed, ridge

import kernlib.numerics.rows
import kernlib.streaming.blocks
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import primal_ridge
from kernlib.streaming import StreamingClassifier

pandas = pytest.importorskip("pandas")
FRAME = pandas.DataFrame(X, range(5, 25), list("ab"))


@pytest.mark.parametrize(("features", "outputs"), list(zip(FEATURES, [(), (3,)], strict=True)), ids=str)
@settings(max_examples=6, deadline=None)
@example(p=5, calls=[[1] * 150], rows=16, seed=0)
@example(p=5, calls=[[97, 53]], rows=16, seed=0)
@given(
    p=st.sampled_from(DIMENSIONS),
    calls=st.lists(st.lists(st.integers(1, 40), min_size=1, max_size=4), min_size=1, max_size=4),
    rows=st.sampled_from([1, 3, 16, 4096]),
    seed=st.integers(0, 1000),
)
def test_any_blocks_in_any_calls_and_order_of_rows_give_one_model(features, outputs, p, calls, rows, seed):
    sizes = list(itertools.chain(*calls))
    X, y = data(sum(sizes), p, seed), targets(sum(sizes), outputs, seed)
    frozen = FrozenEstimator(features.fit(X))
    batch = primal_ridge(frozen.transform(X), y, lam=LAM)
    order = np.random.default_rng(seed).permutation(len(X))
    blocks = cut(sizes, X[order], y[order])
    one_call, calls_of_some, calls_of_one = (ridge(frozen) for _ in range(3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernlib.numerics.rows, "SLICE", rows)
        one_call.fit(iter(blocks))
        for block in blocks:
            calls_of_one.partial_fit(*block)
        for call in calls:
            calls_of_some.partial_fit([blocks.pop(0) for _ in call])
        with dask.config.set(scheduler="synchronous"):
            on_dask = ridge(frozen).fit_dask(delayed(*cut(sizes, X[order], y[order])))
        for model in (one_call, calls_of_some, calls_of_one, ridge(frozen).fit(X, y), on_dask):
            assert_same(model.coef_, batch)
            assert model.n_samples_seen_ == len(X)
            np.testing.assert_allclose(model.predict(X), frozen.transform(X) @ batch, atol=1e-11)


def test_a_number_is_the_weight_of_every_row():  # as of scikit-learn's Ridge
    one, two = (ridge(SMALL).fit(X, Y, weights) for weights in (2.5, np.full(len(X), 2.5)))
    np.testing.assert_array_equal(one.coef_, two.coef_)
    assert one.n_samples_seen_ == 2.5 * len(X)
    assert one.score(X, Y, 2.5) == pytest.approx(two.score(X, Y), rel=1e-9)


def test_fit_ignores_earlier_rows():
    X, y = data(50, 3), targets(50)
    model = ridge(SMALL).fit(data(70, 2, 1), targets(70, (2,), 1)).fit(X, y)
    assert_same(model.coef_, ridge(SMALL).fit(X, y).coef_)
    assert model.n_samples_seen_ == 50 and model.n_features_in_ == 3


def test_the_sums_of_models_fitted_apart_with_default_features_serve_every_lambda():
    X, y = data(90, 4), targets(90)
    first, second = (ridge().fit(*block) for block in cut([40, 50], X, y))
    for lam in (1e-3, 0.1):
        whole = ridge(lam=lam).fit(X, y)
        assert_same((first.statistics_ + second.statistics_).solve(lam=lam), whole.coef_, lam)


@pytest.mark.parametrize("features", FEATURES, ids=str)
def test_a_clone_of_the_features_is_fitted_on_the_first_block_alone(features):
    X, y = data(60, 3), targets(60)
    given_ = type(features)(**features.get_params(deep=False))
    model = ridge(given_).fit(iter(cut([40, 20], X, y)))
    model.partial_fit(X + 1, y)
    assert not hasattr(given_, "n_features_in_")
    expected = type(features)(**features.get_params(deep=False)).fit(X[:40])
    np.testing.assert_array_equal(model.features_.transform(X), expected.transform(X))


def test_the_landmarks_of_a_long_array_are_spread_over_it():
    X = np.arange(100_000.0)[:, None]
    model = ridge(NystromFeatures(Gaussian(1e-8), n_components=50, random_state=0)).fit(X, X[:, 0])
    landmarks = np.sort(model.features_.components_[:, 0])
    assert landmarks[0] < 20_000 and landmarks[-1] > 80_000  # (4/5)⁵⁰ = 10⁻⁵ is the chance of neither


@needs_blas
@pytest.mark.parametrize("make", [ridge, partial(StreamingClassifier, tol=1e-14)])
def test_a_generator_may_fill_the_same_arrays_while_a_block_is_at_work(make, two_threads):
    X, y = data(80, 3), np.sign(targets(80))
    refilled = threading.Event()

    def blocks():
        refilled.clear()
        rows, column = np.empty((40, 3)), np.empty(40)
        for number, block in enumerate(cut([40, 40], X, y)):
            rows[:], column[:] = block
            if number == 1:
                refilled.set()
            yield rows, column

    def transform(X):
        assert refilled.wait(timeout=60)
        return X

    model = make(FunctionTransformer(transform))
    assert_same(clone(model).fit(blocks).coef_, clone(model).fit(X, y).coef_)


def test_a_data_frame_is_sliced_by_position_and_reaches_the_features_as_it_is():
    def transform(X):
        assert list(X.columns) == ["a", "b"]
        return X.to_numpy()

    model = ridge(FunctionTransformer(transform)).fit(FRAME, pandas.Series(Y, FRAME.index))
    assert_same(model.coef_, primal_ridge(X, Y, lam=LAM))
    np.testing.assert_allclose(model.predict(FRAME), X @ model.coef_, atol=1e-14)


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


@pytest.fixture
def slices_of_256(monkeypatch, two_threads):
    """Slices of 256 rows on two threads: three times the memory of one slice is enough for any file."""
    monkeypatch.setattr(kernlib.numerics.rows, "SLICE", 256)
    monkeypatch.setattr(kernlib.streaming.blocks, "SAMPLE", 256)


@pytest.mark.parametrize(("features", "dtype"), list(zip(FEATURES, [np.int16, np.float32], strict=True)))
def test_memory_stays_flat_while_a_file_grows(features, dtype, tmp_path, slices_of_256):
    model = ridge(features)

    def used(X, y):
        return peak_bytes(lambda: model.fit(X, y))

    X, y = write(tmp_path, 10_000, dtype)
    used(X, y)  # the first time, what is imported late counts too
    alone = used(X[:256], y[:256])
    assert used(X, y) < 3 * alone
    X, y = write(tmp_path, 100_000, dtype)
    assert used(X, y) < 3 * alone < X.nbytes / 2


@needs_blas
def test_a_block_is_read_while_those_before_it_are_computed(slices_of_256):
    third_is_read = threading.Event()

    def blocks():
        for number in range(4):
            if number == 2:
                third_is_read.set()
            yield X, Y

    def transform(X):
        assert third_is_read.wait(timeout=60)
        return X

    assert ridge(FunctionTransformer(transform)).fit(blocks()).n_samples_seen_ == 4 * len(X)


def test_memory_stays_flat_while_a_generator_goes_on(slices_of_256):
    def used(blocks, rows=2000):
        pairs = ((data(rows, 20, seed), targets(rows, (), seed)) for seed in range(blocks))
        return peak_bytes(lambda: ridge(SMALL).fit(pairs))

    used(1)
    # the first block, one at work, one in the making
    assert used(40) < 3 * data(2000, 21).nbytes + 3 * used(1, 256)


def test_memory_of_a_prediction_is_that_of_the_values(tmp_path, slices_of_256):
    X, y = write(tmp_path, 100_000, np.float64)
    model = ridge(SMALL).fit(X[:1000], y[:1000])
    model.predict(X)
    # the values by slices, then in one piece
    one_slice = peak_bytes(lambda: model.predict(X[:256]))
    assert peak_bytes(lambda: model.predict(X)) < 2.5 * y.nbytes + 3 * one_slice


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
        patch.setattr(kernlib.streaming.blocks, "SAMPLE", 16)
        model = ridge(frozen).fit(Elsewhere(X), Elsewhere(y))
    assert_same(model.coef_, ridge(frozen).fit(X, y).coef_)
    np.testing.assert_array_equal(model.predict(Elsewhere(X)), model.predict(X))


# Bad input


def every_way(model, blocks):
    """Calls of a model's methods that take blocks."""
    return [
        lambda: model.fit(iter(blocks)),
        lambda: model.partial_fit(blocks),
        lambda: clone(model).partial_fit(iter(blocks)),
        lambda: model.fit_dask(delayed(*blocks)),
    ]


@pytest.mark.parametrize(
    "block, sentence",
    [  # that doesn't go with the one before it
        ((X, Y[:19]), r"^y of block 1 must have shape \(20,\) or \(20, q\), got \(19,\)"),
        ((X[:, :1], Y), "^X of block 1 must have 2 columns as .*, got 1"),
        ((X, np.c_[Y, Y]), r"^y of block 1 must have shape \(n,\) as before, got \(n, 2\)"),
        ((np.where(X == X[3, 1], np.nan, X), Y), "^X of block 1 must be finite, .* in row 3"),
        ((sparse.dia_array(X), Y), "^X of block 1 must be a dense array, got a sparse one"),
        ((X, Y, Y, Y), r"^each block must be a pair \(X, y\), .*got tuple of block 1"),
        (X, r"^each block must be a pair \(X, y\), .*got ndarray of block 1"),
    ],
)
def test_a_bad_later_block_raises_one_sentence_and_no_block_of_the_call_counts(block, sentence):
    model = ridge(SMALL).fit(data(30, 2, 1), targets(30, (), 1))
    before = pickle.dumps(model)
    for call in every_way(model, [(X, Y), block, (X, Y)]):
        assert_refused(call, sentence)
    assert pickle.dumps(model) == before


def test_bad_input_raises_one_sentence():
    model, fitted = ridge(SMALL), ridge(SMALL).fit(X, Y)
    for call, sentence in [
        (lambda: model.fit(X), "requires y to be passed, but the target y is None"),
        (lambda: model.fit([[1, 2], [3, 4]]), "X of block 0 must be 2-D"),
        (lambda: model.fit(iter([(X, Y)]), Y), "y must not be given if X is an iterable"),
        (lambda: model.fit(3), r"an array, or an iterable of blocks \(X, y\), got int"),
        (lambda: fitted.partial_fit([(X[:, :1], Y)]), "X of block 0 must have 2 columns as before"),
        (lambda: fitted.partial_fit(X, np.c_[Y, Y]), r"y must have shape \(n,\) as before, got"),
        (lambda: ridge("rff").fit(X, Y), "features must be a transformer .* got 'rff'"),
        (lambda: ridge(FourierFeatures).fit(X, Y), "features must be .* got <class"),
    ]:
        assert_refused(call, sentence)


def test_a_bad_lambda_raises_an_error_before_any_block_is_read():
    def read():
        raise AssertionError("read")

    model = ridge(lam=0)
    for call in (model.fit, model.partial_fit):
        assert_refused(lambda call=call: call(read() for _ in range(1)), "lam must be positive")
    assert_refused(lambda: model.fit_dask([dask.delayed(read)()]), "lam must be positive")


def test_blocks_without_rows_are_ignored():
    whole, none = ridge(SMALL).fit(X, Y), (X[:0], Y[:0])
    blocks = [none, none, (X[:7], Y[:7]), none, (X[7:], Y[7:]), none]
    frozen = ridge(FrozenEstimator(whole.features_))
    for model in (frozen.fit(iter(blocks)), clone(frozen).fit_dask(delayed(*blocks))):
        assert model.n_samples_seen_ == 20
        assert_same(model.coef_, whole.coef_)
    assert_same(frozen.fit([blocks[2]]).partial_fit([none, blocks[4], none]).coef_, whole.coef_)
    for nothing in ([], [none, none]):
        for call in every_way(ridge(SMALL), nothing):
            assert_refused(call, r"at least one block \(X, y\) that has rows, got none")


def test_a_later_block_with_columns_in_another_order_raises_an_error():
    model = ridge(IDENTITY).fit(FRAME, Y)
    for call in every_way(model, [(FRAME, Y), (FRAME, Y), (FRAME[["b", "a"]], Y)]):
        assert_refused(call, r"^column 0 of X of block 2 must be 'a' as before, got 'b'\.")


def test_an_error_about_a_long_array_names_the_row(short_slices):
    X, y = data(100, 2), targets(100)
    X[37] = np.nan
    model = ridge(SMALL)
    for call in (
        lambda: model.fit(X, y),
        lambda: clone(model).fit(X[:9], y[:9]).predict(X),
        lambda: model.fit_dask(chunked(X, 30), chunked(y, 100)),
    ):
        assert_refused(call, "^X must be finite, got NaN or infinity in row 37")
    for call in every_way(model, [(X[:16], y[:16]), (X, y)]):
        assert_refused(call, "^X of block 1 must be finite, got NaN or infinity in row 37")


def test_the_validation_error_of_equal_outputs_is_that_of_one():
    X, y = data(300, 2), targets(300, ())
    one, two = (ridge(lam=[1e-3, 1e-2]).fit(X, Y) for Y in (y, np.column_stack([y, y])))
    np.testing.assert_allclose(two.validation_errors_, one.validation_errors_, rtol=0.05)
