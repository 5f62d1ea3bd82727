"""What the process at hand runs on: a notebook's kernel tells, so that an emulation is seen to work."""

import json
import os
import platform
import re
import sys
import time
from importlib.metadata import distributions
from pathlib import Path

from matrix.clock import lie_if_asked

BLAS_FILE = re.compile(r"/[^/]*(?:blas|lapack|blis|mkl)[^/]*\.so[^/]*$")


def dispatched_features():
    """Numpy's optional groups of vector instructions, each with whether it is used here."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return {name: bool(__cpu_features__[name]) for name in __cpu_dispatch__}


def blas_files():
    """The BLAS and LAPACK libraries that this process has loaded, where the system tells."""
    try:
        maps = Path("/proc/self/maps").read_text()
    except OSError:
        return []
    return sorted({line.split(maxsplit=5)[-1] for line in maps.splitlines() if BLAS_FILE.search(line)})


def witness():
    """Python, the number of cores, and what of numpy, scipy and kernlib has been imported so far."""
    found = {
        "python": platform.python_version(),
        "cpu": platform.machine(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "kernlib": getattr(sys.modules.get("kernlib"), "__file__", None),
        "lying_clock": time.perf_counter.__module__ == "matrix.clock",
        "data": os.environ.get("KERNLIB_DATA") is not None,
    }
    if "numpy" in sys.modules:
        from threadpoolctl import threadpool_info

        pools = [pool for pool in threadpool_info() if pool["user_api"] == "blas"]
        found["features"] = dispatched_features()
        found["blas"] = sorted({f"{pool['internal_api']} {pool['version']}" for pool in pools})
        found["architectures"] = sorted({pool.get("architecture") or "?" for pool in pools})
        found["blas_threads"] = sorted({pool["num_threads"] for pool in pools})
        found["blas_files"] = blas_files()
    return found


def work_a_little():
    """Use BLAS on matrices larger than its blocks, so that kernels that can't run here are found out."""
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


if __name__ == "__main__":
    lie_if_asked()
    work_a_little()
    packages = sorted({f"{each.metadata['Name']} {each.version}" for each in distributions()})
    print(json.dumps(witness() | {"packages": packages}))
