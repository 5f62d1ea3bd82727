"""One Dask worker and two, at one thread each: measured, and as chapter 11's model has them, and more.

The model has one constant that is measured: a worker's rate, from the smallest of the sizes on one worker.
All other times are predictions, which are compared with what the same run measured. What two processes of one
thread gain without Dask says what is lost to the machine, whose memory both share, and what to Dask.
"""

import logging
import os
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

import dask
import numpy as np
from distributed import Client, LocalCluster

from benchmarks.machine import Others, taken
from benchmarks.races.inputs import GAMMA, waves
from kernlib.book.explorers.beyond import INPUTS, ROWS, pass_seconds
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.numerics.blocks import one_blas_thread
from kernlib.streaming import dask_statistics, ridge_statistics

__all__ = ["scaling"]

C = 300
BLOCKS = (4, 8, 16)  # of ROWS rows each
FARTHER = [(n, m) for n in (10**8, 10**10) for m in (10, 1000)]  # rows and workers that nobody measured
ROUNDS = 9
# workers keep freed memory for the next block, as `dask_statistics` advises
KEEP = {f"distributed.nanny.pre-spawn-environ.MALLOC_{what}_THRESHOLD_": 2**30 for what in ("TRIM", "MMAP")}


@cache
def rows():
    """The rows of a block, made once in each worker: what is measured is not the reading."""
    X = np.random.default_rng(0).normal(size=(ROWS, INPUTS)).astype(np.float32)
    return X, waves(X)


def read(number):
    """A block: the same each time it is asked for."""
    return rows()


def scaling(quick=False):
    """Measure passes on one worker and on two, and compare them with the model. To be called apart."""
    sizes, rounds = (BLOCKS[:2], 1) if quick else (BLOCKS, ROUNDS)
    features = FourierFeatures(Gaussian(GAMMA), n_components=C, random_state=0).fit(rows()[0])
    dask.config.set({"distributed.worker.daemon": True} | KEEP)
    measured, shares = [], []
    for workers in (1, 2):
        with (
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            ) as cluster,
            Client(cluster) as client,
        ):
            client.run(rows)
            one_pass(features, 2 * workers)  # imports
            others = Others(*client.run(os.getpid).values())
            for blocks in sizes:
                seconds = float(np.median([one_pass(features, blocks) for _ in range(rounds)]))
                measured.append({"n": blocks * ROWS, "workers": workers, "seconds": seconds})
            shares.append(taken(others.shares()))
    bare = {"bare_gain": round(gain_without_dask(features, sizes[-1], rounds), 3)}
    return predicted(measured) | bare | {"others": round(max(shares), 3)}


def one_pass(features, blocks):
    """Seconds of a pass over so many blocks."""
    start = time.perf_counter()
    dask_statistics(features, [dask.delayed(read)(number) for number in range(blocks)])
    return time.perf_counter() - start


def gain_without_dask(features, blocks, rounds):
    """How many times as fast as one process two are, of one thread each, that add up so many blocks."""
    medians = []
    for count in (1, 2):
        parts = [blocks // count] * count
        with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
            seconds = [seconds_of(pool, features, parts) for _ in range(1 + rounds)]
        medians.append(np.median(seconds[1:]))  # in the first, a process imports and makes its rows
    return float(medians[0] / medians[1])


def seconds_of(pool, features, parts):
    """Seconds until each process of a pool has added up its part."""
    start = time.perf_counter()
    list(pool.map(add_up_blocks, [features] * len(parts), parts))
    return time.perf_counter() - start


def add_up_blocks(features, blocks):
    """Add up so many blocks in one thread."""
    with one_blas_thread():
        return sum(ridge_statistics(features, *rows()).n for _ in range(blocks))


def predicted(measured):
    """The model beside what was measured, its largest error there, and what it says of more than that."""
    first = measured[0]
    rate = first["n"] * (2 * INPUTS * C + 2 * C**2) / first["seconds"]
    for row in measured:
        row["model"] = model(row["n"], row["workers"], rate)
    tested = [row for row in measured if row is not first]
    one, two = (sum(row["seconds"] for row in measured if row["workers"] == m) for m in (1, 2))
    return {
        "c": C,
        "rows_of_a_block": ROWS,
        "rate": float(f"{rate:.4g}"),
        "gain": round(one / two, 3),
        "measured": [{key: float(f"{value:.4g}") for key, value in row.items()} for row in measured],
        "error": round(max(abs(row["model"] / row["seconds"] - 1) for row in tested), 3),
        "farther": [{"n": n, "workers": m, "model": float(f"{model(n, m, rate):.4g}")} for n, m in FARTHER],
    }


def model(n, workers, rate):
    """Seconds of a pass by the model of chapter 11, with a worker's measured rate."""
    return float(sum(pass_seconds(n, C, workers, rate=rate)))
