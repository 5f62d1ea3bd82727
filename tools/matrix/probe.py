"""Describe the process at hand, so that `make machines` sees whether an emulation took effect."""

import json
import os
import platform
import random
import re
import time
import timeit
from importlib.metadata import distributions
from pathlib import Path

CLOCK_SEED = "RANDOM_CLOCK_SEED"  # the environment variable that makes clocks random
BLAS_FILE = re.compile(r"/[^/]*(?:blas|lapack|blis|mkl)[^/]*\.so[^/]*$")


def random_clock(seed):
    """Return a clock that advances by a random time, a microsecond to minutes, whenever it is read."""
    rng, now = random.Random(seed), 0.0

    def clock():
        nonlocal now
        now += 10 ** rng.uniform(-6, 2)
        return now

    return clock


def randomize_clocks():
    """Replace the clocks that measure durations, if a seed is set: an assert on a time can then not hold."""
    if CLOCK_SEED in os.environ:
        clock = random_clock(int(os.environ[CLOCK_SEED]))
        time.perf_counter = time.process_time = timeit.default_timer = clock
        time.perf_counter_ns = time.process_time_ns = lambda: int(1e9 * clock())


def load_ipython_extension(shell):
    """Randomize the clocks of a notebook's kernel, if a seed is set."""
    randomize_clocks()


def exercise_blas():
    """Call BLAS on matrices larger than its blocks, to find kernels that this processor cannot run."""
    import numpy as np
    import scipy.linalg

    import kernlib.kernels

    for n in (60, 500):
        A = np.random.default_rng(0).normal(size=(n, n))
        for dtype in (np.float32, np.float64):
            X = A.astype(dtype)
            G = kernlib.kernels.Gaussian(1 / n)(X)
            np.linalg.eigh(G), scipy.linalg.svd(G), scipy.linalg.cholesky(G + np.eye(n, dtype=dtype))
            np.exp(G), np.cos(G), np.sqrt(np.abs(G)), X @ X, X.T @ X, scipy.linalg.blas.dsyrk(1.0, X)


def loaded_blas_files():
    """List the BLAS and LAPACK libraries that this process has loaded; an empty list if not on Linux."""
    maps = Path("/proc/self/maps")
    lines = maps.read_text().splitlines() if maps.exists() else []
    return sorted({line.split(maxsplit=5)[-1] for line in lines if BLAS_FILE.search(line)})


def describe_process():
    """Describe Python, the cores, and what numpy and scipy run on; all of it can be written as JSON."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__
    from threadpoolctl import threadpool_info

    pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
    return {
        "python": platform.python_version(),
        "processor": platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "random_clock": time.perf_counter.__module__ == __name__,
        "features": {name: bool(__cpu_features__[name]) for name in __cpu_dispatch__},
        "blas": sorted({f"{pool['internal_api']} {pool['version']}" for pool in pools}),
        "architectures": sorted({pool.get("architecture") or "?" for pool in pools}),
        "blas_threads": sorted({pool["num_threads"] for pool in pools}),
        "blas_files": loaded_blas_files(),
        "packages": sorted({f"{each.metadata['Name']} {each.version}" for each in distributions()}),
    }


if __name__ == "__main__":
    randomize_clocks()
    exercise_blas()
    print(json.dumps(describe_process()))
