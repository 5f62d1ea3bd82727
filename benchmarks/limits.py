"""What the machine can do at most: the rates from which each race's floor is computed.

A rate is the best of several measurements on all cores: operations a second of a product of matrices, numbers
a second of a vector function in the cache, bytes a second of memory that is first written, copied,
or read by a product with a vector, and n³/3 or n³ a second of Cholesky and of the symmetric eigenproblem.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from joblib import cpu_count
from scipy import linalg

from benchmarks.machine import TRIES, OtherLoad, is_busy

DTYPES = {"f32": np.float32, "f64": np.float64}
WORD = {"f32": 4, "f64": 8}  # bytes of a number
NAMES = {  # of the rates in floors, what is measured, and the unit
    "gemm": ("product of matrices", "operations"),
    "exp": ("exp in cache", "numbers"),
    "cos": ("cos in cache", "numbers"),
    "tan": ("tan in cache", "numbers"),
    "add": ("addition in cache", "numbers"),
    "touch": ("first write to fresh memory", "bytes"),
    "copy": ("copy in memory", "bytes"),
    "read": ("product of a matrix with a vector", "bytes"),
    "chol": ("Cholesky, n = 3000", "n³/3"),
    "eigh": ("symmetric eigenproblem, n = 2000", "n³"),
}
IN_CACHE = 2**14  # numbers
LARGE = 2**26  # bytes


def compute_floor(floor, dtype, rates):
    """Add up the amounts of a floor over their rates.

    A term, such as ``"n²·p / gemm"``, ends in the name of its rate; that of ``gemm64`` is of float64.
    """
    seconds = 0.0
    for term, amount in floor.items():
        name = term.rpartition(" / ")[2]
        seconds += amount / rates["f64" if name.endswith("64") else dtype][name.removesuffix("64")]
    return seconds


def measure_rates(rounds=9):
    """Measure all rates by type and name, in a process of its own, and several times on a busy machine."""
    tries, shares = [], (1.0, 0.0)
    while is_busy(shares) and len(tries) < TRIES:
        load = OtherLoad()
        tries.append({name: measure_type(dtype, rounds) for name, dtype in DTYPES.items()})
        shares = load.shares()
    return {dtype: {name: max(rates[dtype][name] for rates in tries) for name in NAMES} for dtype in DTYPES}


def measure_type(dtype, rounds):
    """Measure the rates of one type."""
    rng, cores = np.random.default_rng(0), cpu_count()

    def best(units, *jobs):
        """Return the most units a second of jobs that run at the same time."""
        times = []
        with ThreadPoolExecutor(len(jobs)) as pool:
            for _ in range(rounds):
                start = time.perf_counter()
                list(pool.map(lambda job: job(), jobs))
                times.append(time.perf_counter() - start)
        return units / min(times)

    def in_cache(function):
        x, repeats = rng.uniform(-1.5, 0, IN_CACHE).astype(dtype), 300
        jobs = [partial(repeat, function, x.copy(), np.empty_like(x), repeats) for _ in range(cores)]
        return best(repeats * IN_CACHE * cores, *jobs)

    A = rng.normal(size=(2000, 2000)).astype(dtype)
    S = A + A.T
    B = np.eye(3000, dtype=dtype)
    source, target = (np.ones(LARGE * cores, np.uint8) for _ in range(2))
    G = source.view(dtype).reshape(-1, 2048)
    v = np.ones(2048, dtype)
    parts = [slice(LARGE * core, LARGE * (core + 1)) for core in range(cores)]
    return {
        "gemm": best(2 * 2000**3, lambda: A @ A),
        "exp": in_cache(np.exp),
        "cos": in_cache(np.cos),
        "tan": in_cache(np.tan),
        "add": in_cache(lambda x, out: np.add(x, x, out=out)),
        "touch": best(LARGE * cores, *[lambda: np.empty(LARGE, np.uint8).fill(1)] * cores),
        "copy": best(LARGE * cores, *[partial(np.copyto, target[part], source[part]) for part in parts]),
        "read": best(G.nbytes, lambda: G @ v),
        "chol": best(3000**3 / 3, lambda: linalg.cholesky(B, overwrite_a=False, check_finite=False)),
        "eigh": best(2000**3, lambda: linalg.eigh(S, check_finite=False)),
    }


def repeat(function, x, out, times):
    """Call function(x, out=out) so many times."""
    for _ in range(times):
        function(x, out=out)
