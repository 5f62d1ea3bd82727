"""Exact kernel ridge: n = 5000 and 12,000, and 20 values of λ at n = 2000."""

from functools import partial

import numpy as np
from scipy import linalg
from sklearn.kernel_ridge import KernelRidge as ScikitLearnKernelRidge

from benchmarks.race import F32, F64, MIXED, make_races
from benchmarks.races import inputs
from benchmarks.races.inputs import GAMMA, P, cast, fit_and_predict, gram_floor, letters, normal, waves
from benchmarks.races.steps import symmetric_blocks
from kernlib.kernels import Gaussian
from kernlib.ridge import KernelRidge, ridge_path

N, LAM = 5000, 1e-6
GAMMA_16 = 1 / 16  # for the 16 columns of the letters


def prediction_floor(n):
    """Return the floor of predictions for the 4000 test rows of the letters."""
    return {"2·m·n·p / gemm": 2 * 4000 * n * 16, "m·n / exp": 4000 * n}


def factorization(dtype):
    """Compute the Cholesky factorization of n × n numbers, in place."""
    A = cast(np.eye(N), dtype)
    return lambda: linalg.cholesky(A, lower=True, overwrite_a=True, check_finite=False)


MANY = 12_000  # from 16,000 rows on, scikit-learn's solver crashed here
PRODUCTS = 19  # of G with a vector, to a residual of 1e-4 with the landmarks of this seed


def many(dtype):
    X, new = normal(MANY, dtype), normal(2000, dtype, seed=1)
    return X, cast(waves(X) + 0.1 * normal(MANY, p=1, seed=2)[:, 0], dtype), new


def by_scikit_learn(rows, n, lam, gamma):
    """Return the fit of scikit-learn's model to n rows, and its predictions."""
    model = ScikitLearnKernelRidge(kernel="rbf", gamma=gamma, alpha=n * lam)
    return partial(fit_and_predict, rows, model)


SOME = partial(letters, N)
DIRECT = KernelRidge(Gaussian(GAMMA_16), lam=LAM, fit_intercept=False)
BY_STEPS = KernelRidge(
    Gaussian(GAMMA), lam=1e-5, solver="cg", tol=1e-4, random_state=0, verbose=False, fit_intercept=False
)
GOALS = {F64: 1.55, MIXED: None, F32: 3.2}
RIDGE = [
    *make_races(
        "exact kernel ridge, n = 5000, fit and predict",
        partial(fit_and_predict, SOME, DIRECT),
        inputs.rms_on_letters,
        "rms error on the test part",
        [("scikit-learn KernelRidge", by_scikit_learn(SOME, N, LAM, GAMMA_16), GOALS)],
        slack=(1e-3, 1e-3),
        floor=lambda dtype: gram_floor(N, 16, dtype) | {"n³ / 3 / chol": N**3 / 3} | prediction_floor(N),
        because=("the Cholesky factorization by LAPACK alone", factorization),
    ),
    *make_races(
        "exact kernel ridge, n = 12,000, fit and predict",
        partial(fit_and_predict, many, BY_STEPS),
        inputs.rms_on_new_rows,
        "rms error on the test part",
        [("scikit-learn KernelRidge", by_scikit_learn(many, MANY, 1e-5, GAMMA), {F64: 17})],
        slack=(1e-4, 1e-4),
        floor=lambda dtype: inputs.product_floor(MANY, P, PRODUCTS) | {"2·n·c² / gemm": 2 * MANY * 1096**2},
        because=(
            f"{PRODUCTS} times product, exp, row maxima and two products, for half of G's blocks",
            partial(symmetric_blocks, MANY, PRODUCTS),
        ),
    ),
]

LAMS, FEW = np.logspace(-8, 0, 20), 2000


def path(dtype):
    X, y, new = letters(FEW, dtype)
    kernel = Gaussian(GAMMA_16)
    return lambda: kernel(new, X) @ ridge_path(kernel(X), y, lams=LAMS).dual_coef.T


def path_by_scikit_learn(dtype):
    X, y, new = letters(FEW, dtype)
    models = [ScikitLearnKernelRidge(kernel="rbf", gamma=GAMMA_16, alpha=FEW * lam) for lam in LAMS]
    return lambda: np.column_stack([model.fit(X, y).predict(new) for model in models])


def decomposition(dtype):
    """Compute the eigendecomposition of a Gram matrix."""
    X = letters(FEW, dtype)[0]
    G = Gaussian(GAMMA_16)(X)
    return lambda: linalg.eigh(G, driver="evd")


PATH = make_races(
    "20 values of λ, n = 2000, fit and predict (ours with leave-one-out)",
    path,
    inputs.rms_on_letters,
    "rms error on the test part, all λ",
    [("scikit-learn KernelRidge, a loop", path_by_scikit_learn, {F64: 4.4})],
    slack=(1e-6, 1e-6),
    floor=lambda dtype: gram_floor(FEW, 16, dtype) | {"n³ / eigh": FEW**3} | prediction_floor(FEW),
    because=("an eigendecomposition by LAPACK's evd alone", decomposition),
)
