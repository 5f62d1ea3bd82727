"""What the machine can do at most: the rates from which each race's floor is computed.

A rate is the best of several measurements, by all cores: a product of matrices (operations a second), one
vector function on numbers in cache (numbers a second), memory written for the first time or copied (bytes a
second), Cholesky's n³/3 and the symmetric eigenproblem's n³ (a second).
"""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from joblib import cpu_count
from scipy import linalg

from benchmarks.machine import TRIES, Others, busy

__all__ = ["NAMES", "floor_seconds", "measure", "shown"]

DTYPES = {"f32": np.float32, "f64": np.float64}
NAMES = {  # as the formulas call them, and the unit
    "gemm": ("product of matrices", "operations"),
    "exp": ("exp in cache", "numbers"),
    "cos": ("cos in cache", "numbers"),
    "tan": ("tan in cache", "numbers"),
    "add": ("addition in cache", "numbers"),
    "touch": ("first write to fresh memory", "bytes"),
    "copy": ("copy in memory", "bytes"),
    "chol": ("Cholesky, n = 3000", "n³/3"),
    "eigh": ("symmetric eigenproblem, n = 1000", "n³"),
}
IN_CACHE = 2**14  # numbers
LARGE = 2**26  # bytes
POWERS = {"**2": "²", "**3": "³", " * ": "·"}


def measure(rounds=9):
    """
    Measure all rates: by type, then by name. To be called in a process of its own.

    Others' work only lowers a rate: where they took a part of the machine, the best of several tries counts.
    """
    tries, shares = [], (1.0, 0.0)
    while busy(shares) and len(tries) < TRIES:
        others = Others()
        tries.append({name: rates_of(dtype, rounds) for name, dtype in DTYPES.items()})
        shares = others.shares()
    return {
        dtype: {name: max(rates[dtype][name] for rates in tries) for name in tries[0][dtype]}
        for dtype in DTYPES
    }


def rates_of(dtype, rounds):
    """Measure the rates of one type."""
    rng, cores = np.random.default_rng(0), cpu_count()

    def best(units, *jobs):
        """The most units a second of jobs that run side by side."""
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
    S = A[:1000, :1000] + A[:1000, :1000].T
    B = np.eye(3000, dtype=dtype)
    from_, to = (np.ones(LARGE * cores, np.uint8) for _ in range(2))
    parts = [slice(LARGE * core, LARGE * (core + 1)) for core in range(cores)]
    return {
        "gemm": best(2 * 2000**3, lambda: A @ A),
        "exp": in_cache(np.exp),
        "cos": in_cache(np.cos),
        "tan": in_cache(np.tan),
        "add": in_cache(lambda x, out: np.add(x, x, out=out)),
        "touch": best(LARGE * cores, *[lambda: np.empty(LARGE, np.uint8).fill(1)] * cores),
        "copy": best(LARGE * cores, *[partial(np.copyto, to[part], from_[part]) for part in parts]),
        "chol": best(3000**3 / 3, lambda: linalg.cholesky(B, overwrite_a=False, check_finite=False)),
        "eigh": best(1000**3, lambda: linalg.eigh(S, check_finite=False)),
    }


def repeat(function, x, out, times):
    """Call function(x, out=out) so many times."""
    for _ in range(times):
        function(x, out=out)


def floor_seconds(formula, sizes, dtype, rates):
    """
    Compute a floor: the formula's seconds, with the sizes of a race and the rates of its type.

    ``gemm64`` is the rate of float64 whatever the type, ``word`` the bytes of a number.
    """
    names = {f"{name}64": rate for name, rate in rates["f64"].items()}
    names |= rates[dtype] | sizes | {"word": np.dtype(DTYPES[dtype]).itemsize}
    return float(eval(formula, {"__builtins__": {}}, names))  # ours, from the races


def shown(formula):
    """Write a formula as a reader would: powers as such, products by a dot."""
    for python, text in POWERS.items():
        formula = formula.replace(python, text)
    return formula
