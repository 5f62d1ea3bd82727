"""How costs grow: seconds and memory against n, p, c or the length of strings, and their slopes.

Each size is measured in a process of its own, so that no other's memory is counted.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

from benchmarks.races.inputs import GAMMA, P, normal, waves
from benchmarks.races.strings import dna
from benchmarks.worker import apart, timed
from kernlib.duality import representer
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.ridge import dual_ridge
from kernlib.streaming import StreamingRidge
from kernlib.strings import AllSubsequences, all_subsequences

__all__ = ["CURVES", "grow"]

KERNEL = Gaussian(GAMMA)
LEAST, MOST = 0.3, 3.0  # seconds spent on each size at least; after the second no further call begins
BLOCK = 10_000  # rows that a stream gives at once


class Curve(NamedTuple):
    """A computation of several sizes, and the slopes that theory gives for large ones."""

    what: str
    variable: str  # "n", "p", "c" or "length"
    make: callable  # from a size, the computation
    values: list
    time: float  # the exponent
    memory: float | None = None  # the same of the memory, beyond the inputs


def gram(n, p=P):
    X = normal(n, p=p)
    return lambda: Gaussian(1 / p)(X)


def gram_in_p(p):
    return gram(2000, p)


def gram_times_vector(n):
    X = normal(n)
    return lambda: KERNEL.gram_product(X, X[:, 0])


def solve(n):
    X = normal(n)
    G, y = KERNEL(X), X[:, 0].copy()
    return lambda: dual_ridge(G, y, lam=1e-3)


def fourier(n, c=100):
    X = normal(n, "f32")
    features = FourierFeatures(KERNEL, n_components=c, random_state=0).fit(X)
    return lambda: features.transform(X)


def fourier_in_c(c):
    return fourier(20_000, c)


def stream(n, c=300):
    X = normal(BLOCK, "f32")
    y = waves(X)
    features = FourierFeatures(KERNEL, n_components=c, random_state=0)
    return lambda: StreamingRidge(features, lam=1e-6, verbose=False).fit((X, y) for _ in range(n // BLOCK))


def stream_in_c(c):
    return stream(100_000, c)


def nystrom_fit(c):
    X = normal(20_000)
    return lambda: NystromFeatures(KERNEL, n_components=c, random_state=0).fit(X)


def nystrom_ridge(n):
    X = normal(n, "f32")
    y = waves(X)
    return lambda: NystromRidge(KERNEL, n_components=300, lam=1e-6, random_state=0, verbose=False).fit(X, y)


def prediction(n):
    X, landmarks = normal(n, "f32"), normal(500, "f32", seed=1)
    return lambda: representer(KERNEL, X, landmarks, landmarks[:, 0])


def one_pair(method, length):
    s, t = dna(2, length)
    return lambda: all_subsequences(s, t, weight=1.0, method=method)


def string_gram(n, length=60):
    S = dna(n, length)
    return lambda: AllSubsequences()(S)


def string_gram_in_length(length):
    return string_gram(64, length)


TO_A_MILLION = [10_000, 30_000, 100_000, 300_000, 1_000_000]
LENGTHS = [50, 100, 200, 400]
CURVES = [
    Curve("Gaussian Gram matrix", "n", gram, [1000, 2000, 4000, 8000, 16_000], 2, 2),
    Curve("G times a vector, G never held", "n", gram_times_vector, [2000, 4000, 8000, 16_000, 32_000], 2, 1),
    Curve("(G + nλI)⁻¹y by Cholesky", "n", solve, [1000, 2000, 4000, 8000], 3, 2),
    Curve("Fourier features, held, c = 100", "n", fourier, TO_A_MILLION, 1, 1),
    Curve("one-pass ridge, c = 300", "n", stream, TO_A_MILLION, 1, 0),
    Curve("Nyström ridge, c = 300", "n", nystrom_ridge, TO_A_MILLION, 1, 0),
    Curve("Nyström prediction, c = 500", "n", prediction, TO_A_MILLION, 1, 1),
    Curve("Gaussian Gram matrix, n = 2000", "p", gram_in_p, [20, 60, 200, 600, 2000], 1, 0),
    Curve("Fourier features, n = 20,000", "c", fourier_in_c, [100, 200, 400, 800, 1600], 1, 1),
    Curve("one-pass ridge, n = 100,000", "c", stream_in_c, [100, 200, 400, 800, 1600], 2, 2),
    Curve("Nyström fit", "c", nystrom_fit, [250, 500, 1000, 2000], 3, 2),
    Curve("all-subsequences, table, one pair", "length", partial(one_pair, "table"), LENGTHS, 2),
    Curve("all-subsequences, recurrence, one pair", "length", partial(one_pair, "recurrence"), LENGTHS, 3),
    Curve("all-subsequences Gram matrix, 64 strings", "length", string_gram_in_length, LENGTHS, 2),
    Curve("all-subsequences Gram matrix, 60 symbols", "n", string_gram, [128, 256, 512, 1024], 2, 2),
]


def grow(curve, quick=False):
    """Measure a curve for the record: of each size the shortest time, which others disturb least."""
    values = curve.values[:3] if quick else curve.values
    points = [apart(measure, curve.make, value) for value in values]
    seconds, megabytes = zip(*points, strict=True)
    known = all(peak is not None for peak in megabytes)
    return {
        "what": curve.what,
        "variable": curve.variable,
        "values": values,
        "seconds": [float(f"{s:.4g}") for s in seconds],
        "megabytes": [round(peak, 1) for peak in megabytes] if known else None,
        "slope": slope(values, seconds),
        "theory": curve.time,
        "memory_slope": slope(values, np.maximum(megabytes, 0.1)) if known else None,
        "memory_theory": curve.memory,
    }


def measure(make, value):
    """Give the least seconds of some calls, and the peak of the first, in megabytes beyond the inputs."""
    work = make(value)
    turns = [timed(work)]
    while (spent := sum(turn.seconds for turn in turns)) < MOST and (spent < LEAST or len(turns) < 3):
        turns.append(timed(work))
    return min(turn.seconds for turn in turns), turns[0].megabytes


def slope(values, costs):
    """The slope of a line through the logarithms."""
    return round(float(np.polyfit(np.log(values), np.log(costs), 1)[0]), 2)
