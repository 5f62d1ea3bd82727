"""Random features, 60,000 × 22 → 300, and ridge on them in one pass over 10⁶ rows."""

from functools import partial

import numpy as np
from scipy import linalg
from sklearn.kernel_approximation import RBFSampler

from benchmarks.race import Race
from benchmarks.races.inputs import ALL_DTYPES, GAMMA, P, cast, gaussian_gram, normal, rms_on_new_rows, waves
from benchmarks.races.steps import sums_of_waves
from kernlib.fourier import FourierFeatures
from kernlib.kernels import Gaussian
from kernlib.streaming import StreamingRidge

__all__ = ["FOURIER", "STREAMING"]

C = 300
N = 60_000
SIZES = {"p": P, "m": C // 2}
FLOORS = {  # float64 takes one tangent for both waves
    "f32": "2 * n * p * m / gemm + 2 * n * m / cos + word * 2 * n * m / touch",
    "f64": "2 * n * p * m / gemm + n * m / tan + word * 2 * n * m / touch",
}


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
    """The angles, by numpy's product: p = 22 is too few for its full rate."""
    X, frequencies = normal(N, dtype), normal(P, dtype, C // 2, 1)
    return lambda: X @ frequencies


def error(Z):
    """The root mean square error of ZZᵀ on 500 rows."""
    X, Z = normal(N)[:500], Z[:500].astype(np.float64)
    return np.sqrt(np.mean((Z @ Z.T - gaussian_gram(X, X)) ** 2))


def features(peer, theirs, dtypes, goal=None, needs=None):
    return Race(
        "random Fourier features, 60,000 × 22 → 300",
        peer,
        by_kernlib,
        theirs,
        error,
        "rms error of ZZᵀ, 500 rows",
        dtypes,
        goal,
        slack=0.01,  # other draws
        needs=needs,
        floor=FLOORS[dtypes[0]],
        sizes=SIZES | {"n": N},
        because=("the product XΩ by numpy alone", product_alone),
    )


FOURIER = [
    *(
        features("scikit-learn RBFSampler", by_scikit_learn, dtypes, goal)
        for dtypes, goal in zip(ALL_DTYPES, (None, 16, 2.4), strict=True)
    ),
    *(features("torch, the same formula", by_torch, (d, d), needs="torch") for d in ("f64", "f32")),
]

ROWS = 10**6
LAM = 1e-6


def million(dtype):
    """A million rows and their targets, which have noise; and new rows."""
    X, noise = normal(ROWS, "f32"), 0.1 * normal(ROWS, p=1, seed=2)[:, 0]
    return cast(X, dtype), cast(waves(X) + noise, dtype), normal(2000, dtype, seed=1)


def one_pass(dtype):
    X, y, new = million(dtype)
    features = FourierFeatures(Gaussian(GAMMA), n_components=C, random_state=0)
    return lambda: StreamingRidge(features, lam=LAM, verbose=False).fit(X, y).predict(new)


def blocks(dtype):
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


STREAMING = [
    Race(
        "streaming ridge, 10⁶ rows, c = 300",
        "scikit-learn RBFSampler, normal equations",
        one_pass,
        blocks,
        rms_on_new_rows,
        "rms error on the test part",
        dtypes,
        goal,
        slack=0.02,  # other draws
        floor=FLOORS[dtypes[0]].rpartition(" + ")[0] + " + n * (2 * m)**2 / gemm",  # no features are kept
        sizes=SIZES | {"n": ROWS},
        because=("XΩ, its waves and ZᵀZ alone, by slices of rows", partial(sums_of_waves, ROWS, C // 2)),
    )
    for dtypes, goal in zip(ALL_DTYPES, (None, 5, 1.07), strict=True)
]
