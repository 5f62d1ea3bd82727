"""Exact kernel ridge: n = 5000 and 12,000, and 20 values of λ at n = 2000."""

from functools import partial

import numpy as np
from scipy import linalg
from sklearn.kernel_ridge import KernelRidge as ScikitLearnKernelRidge

from benchmarks.race import Race
from benchmarks.races.inputs import (
    ALL_DTYPES,
    GAMMA,
    P,
    cast,
    letters,
    normal,
    rms_on_letters,
    rms_on_new_rows,
    waves,
)
from benchmarks.races.steps import symmetric_blocks
from kernlib.kernels import Gaussian
from kernlib.ridge import KernelRidge, ridge_path

__all__ = ["PATH", "RIDGE"]

N, LAM = 5000, 1e-6
GAMMA_16 = 1 / 16  # of the letters' 16 columns
GRAM = "n**2 * p / gemm + n**2 / 2 / exp + word * n**2 / touch"
PREDICTION = "2 * m * n * p / gemm + m * n / exp"


def exact(dtype):
    X, y, new, _ = letters(dtype, N)
    return lambda: KernelRidge(Gaussian(GAMMA_16), lam=LAM).fit(X, y).predict(new)


def exact_by_scikit_learn(dtype):
    X, y, new, _ = letters(dtype, N)
    model = ScikitLearnKernelRidge(kernel="rbf", gamma=GAMMA_16, alpha=N * LAM)
    return lambda: model.fit(X, y).predict(new)


def factorisation(dtype):
    """The Cholesky factorisation of n × n numbers, in place."""
    A = cast(np.eye(N), dtype)
    return lambda: linalg.cholesky(A, lower=True, overwrite_a=True, check_finite=False)


MANY = 12_000  # from 16,000 rows on, scikit-learn's solver crashed here
PRODUCTS = 19  # of G with a vector, to a residual of 1e-4 with the landmarks of this seed


def many(dtype):
    X, new = normal(MANY, dtype), normal(2000, dtype, seed=1)
    return X, cast(waves(X) + 0.1 * normal(MANY, p=1, seed=2)[:, 0], dtype), new


def by_conjugate_gradients(dtype):
    X, y, new = many(dtype)
    model = KernelRidge(Gaussian(GAMMA), lam=1e-5, solver="cg", tol=1e-4, random_state=0, verbose=False)
    return lambda: model.fit(X, y).predict(new)


def many_by_scikit_learn(dtype):
    X, y, new = many(dtype)
    model = ScikitLearnKernelRidge(kernel="rbf", gamma=GAMMA, alpha=MANY * 1e-5)
    return lambda: model.fit(X, y).predict(new)


def many_by_eigenpro(dtype):
    from sklearn_extra.kernel_methods import EigenProRegressor

    X, y, new = many(dtype)
    model = EigenProRegressor(kernel="rbf", gamma=GAMMA, random_state=0)
    return lambda: model.fit(X, y).predict(new)


RIDGE = [
    *(
        Race(
            "exact kernel ridge, n = 5000, fit and predict",
            "scikit-learn KernelRidge",
            exact,
            exact_by_scikit_learn,
            rms_on_letters,
            "rms error on the test part",
            dtypes,
            goal,
            slack=1e-3,
            floor=f"{GRAM} + n**3 / 3 / chol + {PREDICTION}",
            sizes={"n": N, "p": 16, "m": 4000},
            because=("the Cholesky factorisation by LAPACK alone", factorisation),
        )
        for dtypes, goal in zip(ALL_DTYPES, (1.55, None, 3.2), strict=True)
    ),
    *(
        Race(
            "exact kernel ridge, n = 12,000, fit and predict",
            peer,
            by_conjugate_gradients,
            theirs,
            rms_on_new_rows,
            "rms error on the test part",
            goal=goal,
            slack=slack,
            needs=needs,
            floor="i * (n**2 * p / gemm + n**2 / 2 / exp + n**2 / add) + 2 * n * c**2 / gemm",
            sizes={"n": MANY, "p": P, "i": PRODUCTS, "c": 1096},
            because=(
                f"{PRODUCTS} times, of half of G's blocks, product, exp, row maxima and two products alone",
                partial(symmetric_blocks, MANY, PRODUCTS),
            ),
        )
        for peer, theirs, goal, slack, needs in (
            ("scikit-learn KernelRidge", many_by_scikit_learn, 17, 1e-4, None),
            ("scikit-learn-extra EigenPro", many_by_eigenpro, 3, 0.05, "scikit-learn-extra"),
        )
    ),
]

LAMS, FEW = np.logspace(-8, 0, 20), 2000


def path(dtype):
    X, y, new, _ = letters(dtype, FEW)
    kernel = Gaussian(GAMMA_16)
    return lambda: kernel(new, X) @ ridge_path(kernel(X), y, lams=LAMS).dual_coef.T


def path_by_scikit_learn(dtype):
    X, y, new, _ = letters(dtype, FEW)
    models = [ScikitLearnKernelRidge(kernel="rbf", gamma=GAMMA_16, alpha=FEW * lam) for lam in LAMS]
    return lambda: np.column_stack([model.fit(X, y).predict(new) for model in models])


def decomposition(dtype):
    """The eigendecomposition of a Gram matrix."""
    X = letters(dtype, FEW)[0]
    G = Gaussian(GAMMA_16)(X)
    return lambda: linalg.eigh(G, driver="evd")


PATH = [
    Race(
        "20 values of λ, n = 2000, fit and predict (ours with leave-one-out)",
        "scikit-learn KernelRidge, a loop",
        path,
        path_by_scikit_learn,
        rms_on_letters,
        "rms error on the test part, all λ",
        goal=4.4,
        slack=1e-6,
        floor=f"{GRAM} + n**3 / eigh + {PREDICTION}",
        sizes={"n": FEW, "p": 16, "m": 4000},
        because=("an eigendecomposition by LAPACK's evd alone", decomposition),
    )
]
