"""Kernel PCA, n = 5000, 20 components; the lab's sweep over ranks."""

from functools import partial

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import eigsh, svds
from sklearn.decomposition import KernelPCA as ScikitLearnKernelPCA

from benchmarks.race import Race
from benchmarks.races.inputs import ALL_DTYPES, GAMMA, P, gaussian_gram, normal
from benchmarks.races.steps import eigenvalues
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian
from kernlib.low_rank import truncation_errors

__all__ = ["KERNEL_PCA", "TRUNCATION"]

N, K = 5000, 20


def components(dtype):
    X = normal(N, dtype)
    return lambda: KernelPCA(Gaussian(GAMMA), n_components=K, random_state=0).fit_transform(X)


def components_by_scikit_learn(solver, dtype):
    X = normal(N, dtype)
    model = ScikitLearnKernelPCA(K, kernel="rbf", gamma=GAMMA, eigen_solver=solver, random_state=0)
    return lambda: model.fit_transform(X)


def error_of_eigenvalues(Z):
    """The largest relative error of an eigenvalue, a column's sum of squares."""
    X = normal(N)
    G = gaussian_gram(X, X)
    HGH = G - G.mean(axis=0) - G.mean(axis=1)[:, None] + G.mean()
    top = np.sort(eigsh(HGH, K, tol=0, v0=np.ones(N) + X[:, 0], return_eigenvectors=False))[::-1]
    return np.abs(np.sum(Z.astype(np.float64) ** 2, axis=0) / top - 1).max()


def products(dtype):
    """As many products of a held Gram matrix with a vector as the smallest Krylov space for 20 needs."""
    G, v = normal(N, dtype, N), normal(N, dtype, 1)
    return lambda: [G @ v for _ in range(2 * K + 1)]


KERNEL_PCA = [
    Race(
        "kernel PCA, n = 5000, 20 components",
        f"scikit-learn KernelPCA, eigen_solver={solver!r}",
        components,
        partial(components_by_scikit_learn, solver),
        error_of_eigenvalues,
        "largest relative error of an eigenvalue",
        dtypes,
        goal,
        slack=1e-10 if dtypes[0] == "f64" else 1e-4,
        floor="n**2 * p / gemm + n**2 / 2 / exp + word * n**2 / touch + 41 * word * n**2 / copy",
        sizes={"n": N, "p": P},
        because=("41 products of a held Gram matrix with a vector", products),
    )
    for solver, goals in (("arpack", (1.2, None, 3.6)), ("auto", (18, None, None)))
    for dtypes, goal in zip(ALL_DTYPES, goals, strict=True)
    if (solver, dtypes[1]) != ("auto", "f32")
]


def noisy():
    """The lab's matrix: a signal of rank 20 and noise."""
    rng = np.random.default_rng(0)
    signal, noise = rng.normal(size=(20, 200)), rng.normal(size=(100, 200))
    return 50 * signal.T @ signal + noise.T @ noise


def truncated(dtype):
    G = noisy()
    return lambda: truncation_errors(G)[1:101]


def sweep(top, dtype):
    """The lab's loop: G_k for each k, and its error."""
    G = noisy()

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
    """The largest error."""
    lam = np.sort(linalg.eigvalsh(noisy()) ** 2)[::-1]
    return np.abs(errors - np.sqrt(1 - np.cumsum(lam)[:100] / lam.sum())).max()


TRUNCATION = [
    Race(
        "error of G_k for k = 1…100, n = 200",
        peer,
        truncated,
        partial(sweep, top),
        error_of_sweep,
        "largest error",
        goal=goal,
        floor="4 / 3 * n**3 / gemm",
        sizes={"n": 200},
        because=("the eigenvalues by LAPACK alone", partial(eigenvalues, 200)),
        slack=1e-7,  # the truth, as a difference, is exact to half of the digits
    )
    for peer, top, goal in (("scipy svds for each k", by_svds, 142), ("scipy svd for each k", by_svd, 93))
]
