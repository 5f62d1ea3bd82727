"""Random features, 60,000 × 22 → 300, and ridge on them in one pass over 10⁶ rows."""

from functools import partial

import numpy as np
from scipy import linalg
from sklearn.kernel_approximation import RBFSampler

from benchmarks.limits import WORD
from benchmarks.race import F32, F64, MIXED, make_races
from benchmarks.races.inputs import GAMMA, P, cast, gaussian_gram, normal, rms_on_new_rows, waves
from benchmarks.races.steps import sums_of_waves
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.streaming import StreamingRidge

C = 300
N = 60_000


def waves_floor(n, dtype):
    """Return the floor of the product XΩ and its waves; float64 takes one tangent for both waves."""
    m = C // 2
    waves = {"2·n·m / cos": 2 * n * m} if dtype == "f32" else {"n·m / tan": n * m}
    return {"2·n·p·m / gemm": 2 * n * P * m} | waves


def by_kernlib(dtype):
    X = normal(N, dtype)
    features = FourierFeatures(Gaussian(GAMMA), n_components=C, random_state=0).fit(X)
    return lambda: features.transform(X)


def by_scikit_learn(dtype):
    X = normal(N, dtype)
    sampler = RBFSampler(gamma=GAMMA, n_components=C, random_state=0).fit(X)
    return lambda: sampler.transform(X)


def by_torch(dtype):
    import torch

    X = torch.from_numpy(normal(N, dtype))
    frequencies = torch.from_numpy(np.sqrt(2 * cast(np.array(GAMMA), dtype)) * normal(P, dtype, C // 2, 1))

    def work():
        angles = X @ frequencies
        return torch.cat([torch.cos(angles), torch.sin(angles)], 1).mul_((2 / C) ** 0.5).numpy()

    return work


def product_alone(dtype):
    """Return numpy's product XΩ, whose rate is not the full one, because p = 22 is small."""
    X, frequencies = normal(N, dtype), normal(P, dtype, C // 2, 1)
    return lambda: X @ frequencies


def error(Z):
    """Return the root mean square error of ZZᵀ on 500 rows."""
    X, Z = normal(N)[:500], Z[:500].astype(np.float64)
    return np.sqrt(np.mean((Z @ Z.T - gaussian_gram(X, X)) ** 2))


FOURIER = make_races(
    "random Fourier features, 60,000 × 22 → 300",
    by_kernlib,
    error,
    "rms error of ZZᵀ, 500 rows",
    [
        ("scikit-learn RBFSampler", by_scikit_learn, {F64: None, MIXED: 16, F32: 2.4}),
        ("torch, the same formula", by_torch, {F64: None, F32: None}, "torch"),
    ],
    slack=(0.01, 0.01),  # the draws differ
    floor=lambda dtype: waves_floor(N, dtype) | {"word·2·n·m / touch": WORD[dtype] * N * C},
    because=("the product XΩ by numpy alone", product_alone),
)

ROWS = 10**6
LAM = 1e-6


def million(dtype):
    """Return a million rows and their noisy targets, and new rows."""
    X, noise = normal(ROWS, "f32"), 0.1 * normal(ROWS, p=1, seed=2)[:, 0]
    return cast(X, dtype), cast(waves(X) + noise, dtype), normal(2000, dtype, seed=1)


def stream(dtype):
    X, y, new = million(dtype)
    features = FourierFeatures(Gaussian(GAMMA), n_components=C, random_state=0)
    return lambda: (
        StreamingRidge(features, lam=LAM, verbose=False, fit_intercept=False).fit(X, y).predict(new)
    )


def stream_by_sums(dtype):
    X, y, new = million(dtype)

    def work():
        sampler = RBFSampler(gamma=GAMMA, n_components=C, random_state=0).fit(X[:1])
        gram, moment = np.zeros((C, C)), np.zeros(C)
        for start in range(0, ROWS, 10_000):
            Z = sampler.transform(X[start : start + 10_000])
            gram += Z.T @ Z
            moment += Z.T @ y[start : start + 10_000]
        w = linalg.solve(gram + ROWS * LAM * np.eye(C), moment, assume_a="pos")
        return sampler.transform(new) @ w

    return work


STREAMING = make_races(
    "streaming ridge, 10⁶ rows, c = 300",
    stream,
    rms_on_new_rows,
    "rms error on the test part",
    [("scikit-learn RBFSampler, normal equations", stream_by_sums, {F64: None, MIXED: 5, F32: 1.07})],
    slack=(0.02, 0.02),  # the draws differ
    floor=lambda dtype: waves_floor(ROWS, dtype) | {"n·(2·m)² / gemm": ROWS * C**2},
    because=("XΩ, its waves and ZᵀZ alone, by slices of rows", partial(sums_of_waves, ROWS, C // 2)),
)
