"""One Dask worker and two, at one thread each: measured, and predicted by the model of chapter 11.

The model has one constant that is measured: a worker's rate, from the smallest pass on one worker. It
predicts all other times, which are compared with the measured ones.
"""

import logging
import os
import time
from functools import cache

import dask
import numpy as np
from distributed import Client, LocalCluster

from benchmarks.machine import OtherLoad, largest_share
from benchmarks.races.inputs import GAMMA, waves
from kernlib.book.explorers.beyond import INPUTS, ROWS, pass_seconds
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.streaming import dask_statistics

C = 300
BLOCKS = (4, 8, 16)  # of ROWS rows each
ROUNDS = 9
# Workers keep freed memory for the next block, as `dask_statistics` advises.
KEEP = {f"distributed.nanny.pre-spawn-environ.MALLOC_{what}_THRESHOLD_": 2**30 for what in ("TRIM", "MMAP")}


@cache
def make_rows():
    """Make the rows of a block, once in each worker, because reading is not measured."""
    X = np.random.default_rng(0).normal(size=(ROWS, INPUTS)).astype(np.float32)
    return X, waves(X)


def read_block(number):
    """Return a block; all are the same."""
    return make_rows()


def measure_workers():
    """Measure passes on one worker and on two, and compare them with the model; in a process of its own."""
    features = FourierFeatures(Gaussian(GAMMA), n_components=C, random_state=0).fit(make_rows()[0])
    dask.config.set({"distributed.worker.daemon": True} | KEEP)
    cluster_options = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    measured, shares = [], []
    for workers in (1, 2):
        with (
            LocalCluster(n_workers=workers, silence_logs=logging.CRITICAL, **cluster_options) as cluster,
            Client(cluster) as client,
        ):
            client.run(make_rows)
            time_pass(features, 2 * workers)  # imports
            load = OtherLoad(*client.run(os.getpid).values())
            for blocks in BLOCKS:
                seconds = float(np.median([time_pass(features, blocks) for _ in range(ROUNDS)]))
                measured.append({"n": blocks * ROWS, "workers": workers, "seconds": seconds})
            shares.append(largest_share(load.shares()))
    return compare_with_model(measured) | {"others": round(max(shares), 3)}


def time_pass(features, blocks):
    """Return the seconds of a pass over so many blocks."""
    start = time.perf_counter()
    dask_statistics(features, [dask.delayed(read_block)(number) for number in range(blocks)])
    return time.perf_counter() - start


def compare_with_model(measured):
    """Return the measured passes with the model's predictions, and their largest error."""
    first = measured[0]
    rate = first["n"] * (2 * INPUTS * C + 2 * C**2) / first["seconds"]
    for row in measured:
        row["model"] = float(sum(pass_seconds(row["n"], C, row["workers"], rate=rate)))
    one, two = (sum(row["seconds"] for row in measured if row["workers"] == m) for m in (1, 2))
    return {
        "c": C,
        "rate": rate,
        "gain": round(one / two, 3),
        "measured": measured,
        "error": round(max(abs(row["model"] / row["seconds"] - 1) for row in measured[1:]), 3),
    }
