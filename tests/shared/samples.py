"""What tests of several rooms draw, measure and expect of an error."""

import tracemalloc

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from kernlib.numerics.blocks import BLAS

DIMENSIONS = (1, 2, 5, 22)
needs_blas = pytest.mark.skipif(not BLAS.libraries, reason="threadpoolctl knows no BLAS here")


def data(n, p, seed=0, dtype=np.float64):
    """Draw n rows of p normal numbers."""
    return np.random.default_rng(seed).normal(size=(n, p)).astype(dtype)


def targets(n, outputs=(), seed=0):
    """Draw normal targets of shape (n, *outputs)."""
    return np.random.default_rng([seed, 1]).normal(size=(n, *outputs))


def dna(n, length, seed=0, spread=0):
    """Draw n strings of four letters, of this length and up to so many letters more."""
    rng = np.random.default_rng(seed)
    return ["".join(rng.choice(list("ACGT"), length + rng.integers(spread + 1))) for _ in range(n)]


def symmetric(eigenvalues, seed=0):
    """A symmetric matrix with these eigenvalues and random eigenvectors."""
    n = len(eigenvalues)
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0]
    G = (Q * np.asarray(eigenvalues, dtype=float)) @ Q.T
    return (G + G.T) / 2


def blas_threads():
    """The numbers of threads that the BLAS libraries may use."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"}


def peak_bytes(call):
    """The most memory that Python and numpy hold during a call, beyond what they held before."""
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def assert_refused(call, sentence, error=(TypeError, ValueError)):
    """Check that a call raises an error of one sentence, and that no warning of numpy comes first."""
    with pytest.raises(error, match=sentence) as caught, np.errstate(all="raise"):
        call()
    assert "\n" not in str(caught.value)
