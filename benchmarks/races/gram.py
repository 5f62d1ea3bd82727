"""Gaussian and Laplace Gram matrices, 4000²; the Gaussian kernel times a vector; an exact SVM's decisions."""

from functools import partial

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
from sklearn.svm import SVC

from benchmarks.race import Race
from benchmarks.races.inputs import ALL_DTYPES, GAMMA, P, cast, gaussian_gram, normal, waves
from benchmarks.races.steps import held_blocks, kernel_blocks, symmetric_blocks
from kernlib.duality import representer
from kernlib.kernels import Gaussian, Laplace

__all__ = ["GRAM", "SVM"]

N = 4000
SIZES = {"n": N, "p": P}
FLOORS = {  # half of the entries are computed, all are written; |x − x′| takes three operations a column
    "Gaussian": "n**2 * p / gemm + n**2 / 2 / exp + word * n**2 / touch",
    "Laplace": "3 * p * n**2 / 2 / add + n**2 / 2 / exp + word * n**2 / touch",
}


def by_kernlib(kernel, dtype):
    X = normal(N, dtype)
    return lambda: kernel(X)


def by_scikit_learn(function, dtype):
    X = normal(N, dtype)
    return lambda: function(X, gamma=GAMMA)


def by_torch(order, dtype):
    import torch

    X = torch.from_numpy(normal(N, dtype))
    return lambda: torch.cdist(X, X, order).pow_(order).mul_(-GAMMA).exp_().numpy()


def error(metric, G):
    """The largest error of an entry."""
    X = normal(N)
    return np.abs(G - np.exp(-GAMMA * cdist(X, X, metric))).max()


def fresh_memory(dtype):
    """Fresh memory for the matrix, filled with ones: written once, and nothing computed."""
    return lambda: np.ones((N, N), normal(1, dtype).dtype)


def matrices():
    """Each kernel against scikit-learn and torch."""
    for name, kernel, metric, order, function, goals in (
        ("Gaussian", Gaussian(GAMMA), "sqeuclidean", 2, rbf_kernel, (3.5, 6, None)),
        ("Laplace", Laplace(GAMMA), "cityblock", 1, laplacian_kernel, (2.8, 2.8, None)),
    ):
        learned, torch = partial(by_scikit_learn, function), partial(by_torch, order)
        rows = [
            (f"scikit-learn {function.__name__}", learned, dtypes, goal, None)
            for dtypes, goal in zip(ALL_DTYPES, goals, strict=True)
        ]
        rows += [("torch, cdist and exp", torch, (d, d), None, "torch") for d in ("f64", "f32")]
        for peer, theirs, dtypes, goal, needs in rows:
            yield Race(
                f"{name} Gram matrix, 4000²",
                peer,
                partial(by_kernlib, kernel),
                theirs,
                partial(error, metric),
                "largest error of an entry",
                dtypes,
                goal,
                slack=1e-10 if dtypes[0] == "f64" else 1e-5,
                needs=needs,
                floor=FLOORS[name],
                sizes=SIZES,
                because=("fresh memory of that size, by numpy's ones", fresh_memory),
            )


POINTS = 20_000


def times_vector(dtype):
    X, v = normal(POINTS, dtype), normal(POINTS, dtype, 1, 1)
    return lambda: Gaussian(GAMMA).gram_product(X, v)


def times_vector_by_keops(dtype):
    from pykeops.numpy import LazyTensor

    X, v = normal(POINTS, dtype), normal(POINTS, dtype, 1, 1)
    x, y = LazyTensor(X[:, None, :]), LazyTensor(X[None, :, :])
    return lambda: (-GAMMA * ((x - y) ** 2).sum(-1)).exp() @ v


def error_of_product(result):
    """The largest relative error of 300 rows."""
    X = normal(POINTS)
    some = gaussian_gram(X[:300], X) @ normal(POINTS, "f64", 1, 1)
    return np.abs(result[:300].reshape(300, 1) - some).max() / np.abs(some).max()


def into_held_memory(dtype):
    """A loop over γ would give the same matrix each time."""
    X = normal(N, dtype)
    G = np.empty((N, N), X.dtype)
    return lambda: Gaussian(GAMMA)(X, out=G)


GRAM = [
    *matrices(),
    *(
        Race(
            "Gaussian Gram matrix, 4000², ours into memory that is held",
            "scikit-learn rbf_kernel",
            into_held_memory,
            partial(by_scikit_learn, rbf_kernel),
            partial(error, "sqeuclidean"),
            "largest error of an entry",
            dtypes,
            goal,
            slack=1e-10 if dtypes[0] == "f64" else 1e-5,
            floor="n**2 * p / gemm + n**2 / 2 / exp + word * n**2 / copy",
            sizes=SIZES,
            because=("of each block product, exp, row maxima and two copies alone", partial(held_blocks, N)),
        )
        for dtypes, goal in zip(ALL_DTYPES, (3.5, 6, None), strict=True)
    ),
    *(
        Race(
            "Gaussian kernel times a vector, n = 20,000",
            "pykeops LazyTensor",
            times_vector,
            times_vector_by_keops,
            error_of_product,
            "largest relative error, 300 rows",
            (dtype, dtype),
            slack=1e-9 if dtype == "f64" else 1e-3,
            needs="pykeops",
            floor="n**2 * p / gemm + n**2 / 2 / exp + n**2 / add",
            sizes={"n": POINTS, "p": P},
            because=(
                "of half of G's blocks product, exp, row maxima and two products with a vector alone",
                partial(symmetric_blocks, POINTS, 1),
            ),
        )
        for dtype in ("f64", "f32")
    ),
]


def machine():
    """A fitted SVM: its support vectors, weights and intercept."""
    X = normal(6000)
    return SVC(C=1, gamma=GAMMA).fit(X, waves(X) > 0)


def decision(dtype):
    model, new = machine(), normal(10_000, dtype, seed=1)
    S, alpha, b = cast(model.support_vectors_, dtype), cast(model.dual_coef_[0], dtype), model.intercept_[0]
    return lambda: representer(Gaussian(GAMMA), new, S, alpha) + b


def decision_by_scikit_learn(dtype):
    model, new = machine(), normal(10_000, dtype, seed=1)
    return lambda: model.decision_function(new)


def decision_by_intel(dtype):
    from sklearnex.svm import SVC as IntelSVC

    X, new = normal(6000), normal(10_000, dtype, seed=1)
    model = IntelSVC(C=1, gamma=GAMMA).fit(X, waves(X) > 0)
    return lambda: model.decision_function(new)


def error_of_decision(f):
    """The largest error."""
    model, new = machine(), normal(10_000, seed=1)
    exact = gaussian_gram(new, model.support_vectors_) @ model.dual_coef_[0] + model.intercept_[0]
    return np.abs(f - exact).max()


SVM = [
    Race(
        "exact SVM decision, 10,000 rows, 2,545 support vectors",
        peer,
        decision,
        theirs,
        error_of_decision,
        "largest error",
        (ours, "f64"),
        goal if ours == "f64" else None,
        slack=1e-9 if ours == "f64" else 1e-3,
        needs=needs,
        floor="2 * n * s * p / gemm + n * s / exp",
        sizes={"n": 10_000, "s": 2545, "p": P},
        because=(
            "of each block product, exp, row maxima and product with α alone",
            partial(kernel_blocks, 10_000, 2545),
        ),
    )
    for peer, theirs, goal, needs in (
        ("scikit-learn SVC.decision_function", decision_by_scikit_learn, 19, None),
        ("scikit-learn-intelex SVC.decision_function", decision_by_intel, None, "scikit-learn-intelex"),
    )
    for ours in ("f64", "f32")
]
