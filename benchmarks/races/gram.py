"""Gaussian and Laplace Gram matrices, 4000²; the Gaussian kernel times a vector; an exact SVM's decisions."""

from functools import partial

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel
from sklearn.svm import SVC

from benchmarks.limits import WORD
from benchmarks.race import F32, F64, MIXED, make_races
from benchmarks.races import inputs
from benchmarks.races.inputs import GAMMA, INTEL, P, call_on_rows, cast, gaussian_gram, normal, waves
from benchmarks.races.steps import held_blocks, kernel_blocks, symmetric_blocks
from kernlib.kernels import Gaussian, Laplace
from kernlib.numerics.validation import as_matrix

N = 4000


def laplace_floor(n, p, dtype):
    """Return the floor of a Laplace Gram matrix: |x − x′| takes three operations a column."""
    _, *rest = inputs.gram_floor(n, p, dtype).items()
    return {"3·n²·p / 2 / gemm": 3 * n**2 * p / 2} | dict(rest)


def by_scikit_learn(function):
    return partial(call_on_rows, partial(function, gamma=GAMMA), N)


def by_torch(order, dtype):
    import torch

    X = torch.from_numpy(normal(N, dtype))
    return lambda: torch.cdist(X, X, order).pow_(order).mul_(-GAMMA).exp_().numpy()


def error(metric, G):
    """Return the largest error of an entry."""
    X = normal(N)
    return np.abs(G - np.exp(-GAMMA * cdist(X, X, metric))).max()


def fresh_memory(dtype):
    """Fill new memory for the matrix with ones: it is written once, and nothing is computed."""
    return lambda: np.ones((N, N), normal(1, dtype).dtype)


def matrix_races(name, kernel, metric, order, function, floor, goals):
    """Race a kernel against scikit-learn and torch."""
    return make_races(
        f"{name} Gram matrix, 4000²",
        partial(call_on_rows, kernel, N),
        partial(error, metric),
        "largest error of an entry",
        [
            (f"scikit-learn {function.__name__}", by_scikit_learn(function), goals),
            ("torch, cdist and exp", partial(by_torch, order), {F64: None, F32: None}, "torch"),
        ],
        slack=(1e-10, 1e-5),
        floor=partial(floor, N, P),
        because=("new memory of that size, by numpy's ones", fresh_memory),
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
    """Return the largest relative error of 300 rows."""
    X = normal(POINTS)
    some = gaussian_gram(X[:300], X) @ normal(POINTS, "f64", 1, 1)
    return np.abs(result[:300].reshape(300, 1) - some).max() / np.abs(some).max()


def into_held_memory(dtype):
    """Write the matrix into memory that is held, as in a loop over γ."""
    X = normal(N, dtype)
    G = np.empty((N, N), X.dtype)
    return lambda: Gaussian(GAMMA)(X, out=G)


def held_floor(dtype):
    """Return the floor of a Gram matrix that is written into memory that is held."""
    *computed, _ = inputs.gram_floor(N, P, dtype).items()
    return dict(computed) | {"word·n² / copy": WORD[dtype] * N**2}


LAPLACE_GOALS = {F64: 2.8, MIXED: 2.8, F32: None}
GOALS = {F64: 3.5, MIXED: 6, F32: None}
GRAM = [
    *matrix_races("Gaussian", Gaussian(GAMMA), "sqeuclidean", 2, rbf_kernel, inputs.gram_floor, GOALS),
    *matrix_races("Laplace", Laplace(GAMMA), "cityblock", 1, laplacian_kernel, laplace_floor, LAPLACE_GOALS),
    *make_races(
        "Gaussian Gram matrix, 4000², ours into memory that is held",
        into_held_memory,
        partial(error, "sqeuclidean"),
        "largest error of an entry",
        [("scikit-learn rbf_kernel", by_scikit_learn(rbf_kernel), GOALS)],
        slack=(1e-10, 1e-5),
        floor=held_floor,
        because=("product, exp, row maxima and two copies of each block", partial(held_blocks, N)),
    ),
    *make_races(
        "Gaussian kernel times a vector, n = 20,000",
        times_vector,
        error_of_product,
        "largest relative error, 300 rows",
        [("pykeops LazyTensor", times_vector_by_keops, {F64: None, F32: None}, "pykeops")],
        slack=(1e-9, 1e-3),
        floor=lambda dtype: inputs.product_floor(POINTS, P),
        because=(
            "product, exp, row maxima and two products with a vector, for half of G's blocks",
            partial(symmetric_blocks, POINTS, 1),
        ),
    ),
]


def fit_svm():
    """Return a fitted SVM."""
    X = normal(6000)
    return SVC(C=1, gamma=GAMMA).fit(X, waves(X) > 0)


def decision(dtype):
    model, new = fit_svm(), normal(10_000, dtype, seed=1)
    S, alpha, b = cast(model.support_vectors_, dtype), cast(model.dual_coef_[0], dtype), model.intercept_[0]
    return lambda: Gaussian(GAMMA).matmul(as_matrix(new), S, alpha) + b


def decision_by_scikit_learn(dtype):
    model, new = fit_svm(), normal(10_000, dtype, seed=1)
    return lambda: model.decision_function(new)


def decision_by_intel(dtype):
    from sklearnex.svm import SVC as IntelSVC

    X, new = normal(6000), normal(10_000, dtype, seed=1)
    model = IntelSVC(C=1, gamma=GAMMA).fit(X, waves(X) > 0)
    return lambda: model.decision_function(new)


def error_of_decision(f):
    """Return the largest error."""
    model, new = fit_svm(), normal(10_000, seed=1)
    exact = gaussian_gram(new, model.support_vectors_) @ model.dual_coef_[0] + model.intercept_[0]
    return np.abs(f - exact).max()


SVM = make_races(
    "exact SVM decision, 10,000 rows, 2,545 support vectors",
    decision,
    error_of_decision,
    "largest error",
    [
        ("scikit-learn SVC.decision_function", decision_by_scikit_learn, {F64: 19, MIXED: None}),
        (f"{INTEL} SVC.decision_function", decision_by_intel, {F64: None, MIXED: None}, INTEL),
    ],
    slack=(1e-9, 1e-3),
    floor=lambda dtype: {"2·n·s·p / gemm": 2 * 10_000 * 2545 * P, "n·s / exp": 10_000 * 2545},
    because=(
        "product, exp, row maxima and product with α of each block",
        partial(kernel_blocks, 10_000, 2545),
    ),
)
