"""Kernel PCA, n = 5000, 20 components; the lab's sweep over ranks."""

from functools import partial

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import eigsh, svds
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA

from benchmarks.limits import WORD
from benchmarks.race import F32, F64, MIXED, make_races
from benchmarks.races.inputs import GAMMA, P, call_on_rows, gaussian_gram, gram_floor, normal
from benchmarks.races.steps import eigenvalues
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian
from kernlib.low_rank import truncation_errors

N, K = 5000, 20


def components_by_scikit_learn(solver):
    model = ScikitLearnKernelPCA(K, kernel="rbf", gamma=GAMMA, eigen_solver=solver, random_state=0)
    return partial(call_on_rows, model.fit_transform, N)


def error_of_eigenvalues(Z):
    """Return the largest relative error of an eigenvalue, which is a column's sum of squares."""
    X = normal(N)
    G = gaussian_gram(X, X)
    HGH = G - G.mean(axis=0) - G.mean(axis=1)[:, None] + G.mean()
    top = np.sort(eigsh(HGH, K, tol=0, v0=np.ones(N) + X[:, 0], return_eigenvectors=False))[::-1]
    return np.abs(np.sum(Z.astype(np.float64) ** 2, axis=0) / top - 1).max()


def products(dtype):
    """Multiply a held Gram matrix by a vector as often as the smallest Krylov space for 20 requires."""
    G, v = normal(N, dtype, N), normal(N, dtype, 1)
    return lambda: [G @ v for _ in range(2 * K + 1)]


KERNEL_PCA = make_races(
    "kernel PCA, n = 5000, 20 components",
    partial(call_on_rows, KernelPCA(Gaussian(GAMMA), n_components=K, random_state=0).fit_transform, N),
    error_of_eigenvalues,
    "largest relative error of an eigenvalue",
    [
        (f"scikit-learn KernelPCA, eigen_solver={solver!r}", components_by_scikit_learn(solver), goals)
        for solver, goals in (("arpack", {F64: 1.2, MIXED: None, F32: 3.6}), ("auto", {F64: 18, MIXED: None}))
    ],
    slack=(1e-10, 1e-4),
    floor=lambda dtype: gram_floor(N, P, dtype) | {"41·word·n² / read": 41 * WORD[dtype] * N**2},
    because=("41 products of a held Gram matrix with a vector", products),
)


def noisy_matrix():
    """Return the lab's matrix: a signal of rank 20 and noise."""
    rng = np.random.default_rng(0)
    signal, noise = rng.normal(size=(20, 200)), rng.normal(size=(100, 200))
    return 50 * signal.T @ signal + noise.T @ noise


def truncated(dtype):
    G = noisy_matrix()
    return lambda: truncation_errors(G)[1:101]


def sweep(top, dtype):
    """Compute G_k and its error for each k, as the lab's loop does."""
    G = noisy_matrix()

    def work():
        errors = []
        for k in range(1, 101):
            U, s, Vt = top(G, k)
            errors.append(np.linalg.norm((U * s) @ Vt - G) / np.linalg.norm(G))
        return np.array(errors)

    return work


def by_svds(G, k):
    return svds(G, k, v0=np.ones(200) + np.arange(200) / 200)


def by_svd(G, k):
    U, s, Vt = linalg.svd(G)
    return U[:, :k], s[:k], Vt[:k]


def error_of_sweep(errors):
    """Return the largest error."""
    lam = np.sort(linalg.eigvalsh(noisy_matrix()) ** 2)[::-1]
    return np.abs(errors - np.sqrt(1 - np.cumsum(lam)[:100] / lam.sum())).max()


TRUNCATION = make_races(
    "error of G_k for k = 1…100, n = 200",
    truncated,
    error_of_sweep,
    "largest error",
    [
        ("scipy svds for each k", partial(sweep, by_svds), {F64: 142}),
        ("scipy svd for each k", partial(sweep, by_svd), {F64: 93}),
    ],
    slack=(1e-7, 1e-7),  # the truth is a difference, with half of the digits
    floor=lambda dtype: {"4 / 3·n³ / gemm": 4 / 3 * 200**3},
    because=("the eigenvalues by LAPACK alone", partial(eigenvalues, 200)),
)
