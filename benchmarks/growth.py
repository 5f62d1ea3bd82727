"""How costs grow: seconds and memory against n, p, c or the length of strings, and their slopes.

Each size is measured in a process of its own, so that its memory does not include that of others.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from benchmarks.races.inputs import GAMMA, normal, waves
from benchmarks.races.strings import dna
from benchmarks.worker import call_apart, time_call
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.numerics.validation import as_matrix
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.ridge import dual_ridge
from kernlib.streaming import StreamingRidge
from kernlib.strings import AllSubsequences, all_subsequences

KERNEL = Gaussian(GAMMA)
LEAST, MOST = 0.3, 3.0  # seconds: calls are repeated until the first, and none begins after the second
BLOCK = 10_000  # rows of a block of the stream


class Curve(NamedTuple):
    """A computation of several sizes, and the slopes that theory gives for large ones."""

    what: str
    variable: str  # "n", "p", "c" or "length"
    make: Callable  # makes the computation from a size
    values: list
    time: float  # the exponent
    memory: float | None = None  # the exponent of the memory beyond the inputs


def gram_times_vector(n):
    X = normal(n)
    return lambda: KERNEL.gram_product(X, X[:, 0])


def solve(n):
    X = normal(n)
    G, y = KERNEL(X), X[:, 0].copy()
    return lambda: dual_ridge(G, y, lam=1e-3)


def fourier(n, c):
    X = normal(n, "f32")
    return partial(FourierFeatures(KERNEL, n_components=c, random_state=0).fit(X).transform, X)


def stream(n, c):
    X = normal(BLOCK, "f32")
    y = waves(X)
    features = FourierFeatures(KERNEL, n_components=c, random_state=0)
    return lambda: StreamingRidge(features, lam=1e-6, verbose=False, fit_intercept=False).fit(
        (X, y) for _ in range(n // BLOCK)
    )


def nystrom_fit(c):
    return partial(NystromFeatures(KERNEL, n_components=c, random_state=0).fit, normal(20_000))


def nystrom_ridge(n):
    X = normal(n, "f32")
    y = waves(X)
    return lambda: NystromRidge(
        KERNEL, n_components=300, lam=1e-6, random_state=0, verbose=False, fit_intercept=False
    ).fit(X, y)


def gram(n, p=22):
    return partial(Gaussian(1 / p), normal(n, p=p))


def one_pair(method, length):
    return partial(all_subsequences, *dna(2, length), weight=1.0, method=method)


def string_gram(n, length):
    return partial(AllSubsequences(), dna(n, length))


def prediction(n):
    X, landmarks = normal(n, "f32"), normal(500, "f32", seed=1)
    return lambda: KERNEL.matmul(as_matrix(X), landmarks, landmarks[:, 0])


TO_A_MILLION = [10_000, 30_000, 100_000, 300_000, 1_000_000]
STRINGS = [128, 256, 512, 1024]
TO_1600 = [100, 200, 400, 800, 1600]
LENGTHS = [50, 100, 200, 400]
CURVES = [
    Curve("Gaussian Gram matrix", "n", gram, [1000, 2000, 4000, 8000, 16_000], 2, 2),
    Curve("G times a vector, G never held", "n", gram_times_vector, [2000, 4000, 8000, 16_000, 32_000], 2, 1),
    Curve("(G + nλI)⁻¹y by Cholesky", "n", solve, [1000, 2000, 4000, 8000], 3, 2),
    Curve("Fourier features, held, c = 100", "n", lambda n: fourier(n, 100), TO_A_MILLION, 1, 1),
    Curve("one-pass ridge, c = 300", "n", lambda n: stream(n, 300), TO_A_MILLION, 1, 0),
    Curve("Nyström ridge, c = 300", "n", nystrom_ridge, TO_A_MILLION, 1, 1),
    Curve("Nyström prediction, c = 500", "n", prediction, TO_A_MILLION, 1, 1),
    Curve("Gaussian Gram matrix, n = 2000", "p", lambda p: gram(2000, p), [20, 60, 200, 600, 2000], 1, 0),
    Curve("Fourier features, n = 20,000", "c", lambda c: fourier(20_000, c), TO_1600, 1, 1),
    Curve("one-pass ridge, n = 100,000", "c", lambda c: stream(100_000, c), TO_1600, 2, 2),
    Curve("Nyström fit", "c", nystrom_fit, [250, 500, 1000, 2000], 3, 2),
    Curve("all-subsequences, table, one pair", "length", partial(one_pair, "table"), LENGTHS, 2),
    Curve("all-subsequences, recurrence, one pair", "length", partial(one_pair, "recurrence"), LENGTHS, 3),
    Curve("all-subsequences Gram matrix, 64 strings", "length", lambda n: string_gram(64, n), LENGTHS, 2),
    Curve("all-subsequences Gram matrix, 60 symbols", "n", lambda n: string_gram(n, 60), STRINGS, 2, 2),
]


def measure_growth(number):
    """Measure a curve, by its number, for the record: of each size the shortest time, the least disturbed."""
    curve = CURVES[number]
    points = [call_apart(measure_size, number, value) for value in curve.values]
    seconds, megabytes = zip(*points, strict=True)
    known = all(peak is not None for peak in megabytes)
    return {
        "what": curve.what,
        "variable": curve.variable,
        "values": curve.values,
        "seconds": seconds,
        "megabytes": [round(peak, 1) for peak in megabytes] if known else None,
        "slope": fit_slope(curve.values, seconds),
        "theory": curve.time,
        "memory_slope": fit_slope(curve.values, np.maximum(megabytes, 0.1)) if known else None,
        "memory_theory": curve.memory,
    }


def measure_size(number, value):
    """Return the least seconds of some calls, and the peak of the first, in megabytes beyond the inputs."""
    work = CURVES[number].make(value)
    turns = [time_call(work)]
    while (spent := sum(turn.seconds for turn in turns)) < MOST and (spent < LEAST or len(turns) < 3):
        turns.append(time_call(work))
    return min(turn.seconds for turn in turns), turns[0].megabytes


def fit_slope(values, costs):
    """Return the slope of a line through the logarithms."""
    return round(float(np.polyfit(np.log(values), np.log(costs), 1)[0]), 2)
