"""How costs grow: seconds against n, c or the length of strings, and the slope on logarithmic axes."""

import time

import numpy as np

from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.nystrom import NystromFeatures
from kernlib.ridge import dual_ridge
from kernlib.strings import AllSubsequences, all_subsequences

__all__ = ["CURVES", "grow"]

P = 22
KERNEL = Gaussian(1 / P)
LEAST = 0.3  # seconds spent on each size at least


def rows(n):
    """Give n rows of 22 standard normal numbers."""
    return np.random.default_rng(0).normal(size=(n, P))


def dna(number, length):
    """Give random strings of four letters."""
    rng = np.random.default_rng(0)
    return ["".join(rng.choice(list("ACGT"), length)) for _ in range(number)]


def gram(n):
    X = rows(n)
    return lambda: KERNEL(X)


def gram_times_vector(n):
    X = rows(n)
    return lambda: KERNEL.gram_product(X, X[:, 0])


def solve(n):
    X = rows(n)
    G, y = KERNEL(X), X[:, 0].copy()
    return lambda: dual_ridge(G, y, lam=1e-3)


def fourier_in_n(n):
    X = rows(n)
    features = FourierFeatures(KERNEL, n_components=300, random_state=0).fit(X)
    return lambda: features.transform(X)


def fourier_in_c(c):
    X = rows(20_000)
    features = FourierFeatures(KERNEL, n_components=c, random_state=0).fit(X)
    return lambda: features.transform(X)


def nystrom_fit(c):
    X = rows(20_000)
    return lambda: NystromFeatures(KERNEL, n_components=c, random_state=0).fit(X)


def table(length):
    s, t = dna(2, length)
    return lambda: all_subsequences(s, t, weight=1.0)


def recurrence(length):
    s, t = dna(2, length)
    return lambda: all_subsequences(s, t, weight=1.0, method="recurrence")


def string_gram(length):
    S = dna(64, length)
    return lambda: AllSubsequences()(S)


def string_gram_in_n(n):
    S = dna(n, 60)
    return lambda: AllSubsequences()(S)


CURVES = [  # what is computed, the variable, its values, the slope that theory gives for large ones
    ("Gaussian Gram matrix", "n", gram, [1000, 2000, 4000, 8000], 2),
    ("G times a vector, G never held", "n", gram_times_vector, [2000, 4000, 8000, 16_000], 2),
    ("(G + nλI)⁻¹y by Cholesky", "n", solve, [1000, 2000, 4000, 8000], 3),
    ("Fourier features, c = 300", "n", fourier_in_n, [5000, 10_000, 20_000, 40_000], 1),
    ("Fourier features, n = 20,000", "c", fourier_in_c, [100, 200, 400, 800], 1),
    ("Nyström fit", "c", nystrom_fit, [500, 1000, 2000], 3),
    ("all-subsequences, table, one pair", "length", table, [50, 100, 200, 400], 2),
    ("all-subsequences, recurrence, one pair", "length", recurrence, [50, 100, 200, 400], 3),
    ("all-subsequences Gram matrix, 64 strings", "length", string_gram, [50, 100, 200, 400], 2),
    ("all-subsequences Gram matrix, 60 symbols", "n", string_gram_in_n, [128, 256, 512, 1024], 2),
]


def grow(what, variable, make, values, theory):
    """
    Time a computation at several sizes, and fit the slope of log seconds against log size, for the record.

    ``make`` gives the computation of a size, ``theory`` is the slope for large ones. Of each size counts the
    shortest time, which other work disturbs least.
    """
    seconds = []
    for value in values:
        work, times = make(value), []
        work()
        while sum(times) < LEAST or len(times) < 3:
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        seconds.append(min(times))
    slope = np.polyfit(np.log(values), np.log(seconds), 1)[0]
    return {
        "what": what,
        "variable": variable,
        "values": values,
        "seconds": [float(f"{s:.4g}") for s in seconds],
        "slope": round(float(slope), 2),
        "theory": theory,
    }
