"""The sums on Dask: for any blocks and workers they are those of the whole."""

import itertools
import logging
import os
import signal
import sys
import threading
import time
from functools import partial

import cloudpickle
import dask
import dask.array as da
import distributed
import numpy as np
import pytest
from samples import assert_refused, blas_threads, data, needs_blas, targets
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.preprocessing import FunctionTransformer
from streamed import FEATURES, IDENTITY, LAM, OUTPUTS, SMALL, X, Y, assert_same, chunked, cut, delayed, ridge

import kernlib.streaming.cluster
from kernlib.fourier import FourierFeatures
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import primal_ridge
from kernlib.streaming import StreamingClassifier, dask_statistics


@pytest.mark.parametrize("chunks", [(7, 2), ((3, 110, 30, 7), 5), ((0, 150, 0), 5)])
def test_dask_arrays_in_any_chunks_give_the_coefficients_of_the_whole(chunks):
    X = data(150, 5)
    for features, outputs in itertools.product(FEATURES, OUTPUTS):
        y, frozen = targets(150, outputs), FrozenEstimator(features.fit(X))
        arrays = da.from_array(X, chunks), da.from_array(y, (53, 1)[: y.ndim])
        w = primal_ridge(frozen.transform(X), y, lam=LAM)
        assert_same(dask_statistics(frozen, *arrays).solve(lam=LAM), w)
        model = ridge(frozen).fit_dask(*arrays)
        assert_same(model.coef_, w)
        assert model.n_samples_seen_ == 150 and model.n_features_in_ == 5


def test_dask_fits_the_features_on_the_first_block():
    X, y = data(60, 3), targets(60)
    features = NystromFeatures(n_components=9, random_state=0)
    from_arrays = ridge(features).fit_dask(chunked(X, 20), chunked(y, 60))
    from_delayed = ridge(features).fit_dask([[dask.delayed(A) for A in pair] for pair in cut([20, 40], X, y)])
    expected = NystromFeatures(n_components=9, random_state=0).fit(X[:20])
    for model in (from_arrays, from_delayed):
        np.testing.assert_array_equal(model.features_.components_, expected.components_)


def test_dask_draws_the_features_once_even_without_a_seed():
    X, y = data(60, 3), targets(60)
    model = ridge(FourierFeatures(n_components=20)).fit_dask(delayed((X[:30], y[:30])) * 2)
    Z = model.features_.transform(np.r_[X[:30], X[:30]])
    assert_same(model.coef_, primal_ridge(Z, np.r_[y[:30], y[:30]], lam=LAM))


def test_no_task_on_dask_holds_more_than_eight_partial_sums(monkeypatch):
    held, merge = [], kernlib.streaming.cluster.merge_statistics

    def watch(parts):
        parts = list(parts)
        held.append(len(parts))
        return merge(parts)

    monkeypatch.setattr(kernlib.streaming.cluster, "merge_statistics", watch)
    for blocks in (1, 8, 9, 70, 200):
        with dask.config.set(scheduler="synchronous"):
            assert dask_statistics(IDENTITY, delayed((X[:1], Y[:1])) * blocks).n == blocks
    assert max(held) == 8


def test_a_cluster_is_sent_the_features_once_and_not_once_for_each_block():
    features, sizes = NystromFeatures(n_components=200, random_state=0).fit(data(200, 5)), []

    def get(graph, keys, **kwargs):
        tasks = graph.__dask_graph__() if hasattr(graph, "__dask_graph__") else graph  # older Dask: a mapping
        sizes.extend(len(cloudpickle.dumps(task)) for task in dict(tasks).values())
        return dask.get(graph, keys, **kwargs)

    with dask.config.set(scheduler=get):
        dask_statistics(features, delayed((data(9, 5), targets(9))) * 20)
    assert sum(sizes) < 2 * len(cloudpickle.dumps(features))


@needs_blas
def test_blas_has_one_thread_within_tasks_on_dask_and_its_own_number_again_after_them():
    seen, before = [], blas_threads()

    def watch(X):
        seen.extend(blas_threads())
        return X

    dask_statistics(FunctionTransformer(watch), chunked(X), chunked(Y))
    assert set(seen) == {1} and blas_threads() == before


def test_bad_input_on_dask_raises_one_sentence():
    model, rows, column = ridge(SMALL), chunked(X), chunked(Y)
    for arguments, sentence in [
        ((rows,), "y must be given if X is an array, got None"),
        ((X, Y), "X must be a dask array, got ndarray"),
        ((3,), r"X must be a dask array, or a list of blocks \(X, y\), got int"),
        ((rows, Y), "y must be a dask array, got ndarray"),
        ((rows, chunked(Y[:19])), r"shape \(20,\) or \(20, q\), got \(19,\)"),
        ((column, column), r"X must be 2-D, .* got shape \(20,\)"),
        ((rows[:0], column[:0]), "X must have at least one row"),
        ((rows[rows[:, 0] > 0], column), r"X must .* X.compute_chunk_sizes\(\)"),
        ((rows, chunked(Y * np.nan)), "Input y contains NaN"),
    ]:
        assert_refused(lambda arguments=arguments: model.fit_dask(*arguments), sentence)


def test_without_dask_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    for call in (ridge(SMALL).fit_dask, partial(dask_statistics, IDENTITY)):
        assert_refused(
            lambda call=call: call(X, Y), r'this needs Dask, .* pip install "kernlib\[dask\]"', ImportError
        )


@pytest.fixture(scope="module")
def two_workers():
    """Start two worker processes on this machine alone, with as many BLAS threads as Dask gives them."""
    settings = {"distributed.worker.daemon": True, "distributed.comm.timeouts.connect": "10s"}
    with pytest.MonkeyPatch.context() as patch, dask.config.set(settings):
        for name in dask.config.get("distributed.nanny.pre-spawn-environ"):
            patch.delenv(name, raising=False)  # Dask lets what the user has set stand
        with (
            distributed.LocalCluster(
                n_workers=2,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            ) as cluster,
            distributed.Client(cluster, set_as_default=False) as client,
        ):
            yield client


@pytest.fixture
def client(two_workers):
    """Compute on the two workers, in this test alone."""
    with dask.config.set(scheduler=two_workers):
        yield two_workers


def test_two_worker_processes_of_one_thread_each_compute_features_and_sums_right(client):
    def threads_there():
        from threadpoolctl import threadpool_info

        from kernlib.numerics.blocks import count_threads

        return {
            count_threads(),
            *(lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"),
        }

    rows, y = data(120, 3), targets(120)
    features = clone(SMALL).fit(rows)
    blocks, Z = da.from_array(rows, chunks=(50, -1)), features.transform(rows)
    there = blocks.map_blocks(features.transform, chunks=(blocks.chunks[0], Z.shape[1]), dtype=Z.dtype)
    np.testing.assert_allclose(there.compute(), Z, rtol=0, atol=1e-14)  # cosines of size 1, of equal angles
    model = ridge(FrozenEstimator(features)).fit_dask(blocks, da.from_array(y, chunks=50))
    assert_same(model.coef_, primal_ridge(Z, y, lam=LAM))
    assert list(client.run(threads_there).values()) == [{1}, {1}]
    classifier = StreamingClassifier(FrozenEstimator(features), lam=1e-3, tol=1e-12, verbose=False)
    labels = y + rows[:, 0] > 0
    coef = classifier.fit(rows, labels).coef_
    found = classifier.fit_dask(blocks, da.from_array(labels, chunks=50)).coef_
    np.testing.assert_allclose(found, coef, atol=1e-9)


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
    model = ridge(frozen).fit_dask([dask.delayed(read)(i) for i in numbers])
    killer.join()
    notes = [note.name for note in tmp_path.iterdir()]
    assert len(notes) > 25  # the first block is read for the features as well, and what was lost again
    assert {int(note.split("-")[0]) for note in notes} == set(numbers)
    assert_same(model.coef_, primal_ridge(frozen.transform(X), y, lam=LAM))
