"""What the tests of streaming share: data, ways to cut it, and how near two solutions must be."""

from functools import partial

import dask
import dask.array as da
import numpy as np
from samples import data, targets
from sklearn.preprocessing import FunctionTransformer

from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian, Laplace
from kernlib.nystrom import NystromFeatures
from kernlib.streaming import StreamingRidge

OUTPUTS = [(), (1,), (3,)]  # y of shape (n,), (n, 1), (n, 3)
LAM = 0.01
FEATURES = [
    FourierFeatures(Gaussian(0.5), n_components=31, random_state=0),
    NystromFeatures(Laplace(0.2), n_components=20, random_state=0),
]
IDENTITY = FunctionTransformer()
SMALL = FourierFeatures(n_components=30, random_state=0)
ridge = partial(StreamingRidge, lam=LAM, fit_intercept=False)


def cut(sizes, *arrays):
    """The arrays in blocks of these numbers of rows."""
    ends = np.cumsum(sizes)
    return [tuple(A[end - size : end] for A in arrays) for size, end in zip(sizes, ends, strict=True)]


def chunked(A, chunks=10):
    return da.from_array(A, (chunks, *A.shape[1:]))


def delayed(*blocks):
    return [dask.delayed(block) for block in blocks]


def assert_same(w, expected, lam=LAM):
    """Equal but for rounding, where κ(x, x) = 1: ZᵀZ is then known to a few ε n, and an error of that size
    changes w by its ratio to nλ.
    """
    assert w.shape == expected.shape
    assert np.abs(w - expected).max() <= 100 * np.finfo(float).eps / lam * np.linalg.norm(expected)


def assert_one_sentence(caught):
    assert "\n" not in str(caught.value)


X, Y = data(20, 2), targets(20)
