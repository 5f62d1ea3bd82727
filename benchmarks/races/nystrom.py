"""Nyström features and predictions, c = 500; ridge on the span of 1000 landmarks."""

from functools import partial

import numpy as np
from scipy import linalg
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from benchmarks.race import Race
from benchmarks.races.inputs import ALL_DTYPES, GAMMA, P, cast, gaussian_gram, letters, normal, rms_on_letters
from benchmarks.races.steps import kernel_blocks, triangular_products
from kernlib.duality import representer
from kernlib.kernels import Gaussian
from kernlib.nystrom import NystromFeatures, NystromRidge

__all__ = ["NYSTROM", "NYSTROM_RIDGE"]

C = 500
TRAINING, NEW = slice(0, 20_000), slice(20_000, 60_000)
FEW = 500  # rows of the new ones on which features are judged
SIZES = {"n": 40_000, "c": C, "p": P}


def rows(dtype="f64"):
    """Rows to fit on, and new ones."""
    X = normal(60_000, dtype)
    return X[TRAINING], X[NEW]


def peers_fit(X):
    return Nystroem(gamma=GAMMA, n_components=C, random_state=0).fit(X)


def fit(dtype):
    X, new = rows(dtype)
    return lambda: (NystromFeatures(Gaussian(GAMMA), n_components=C, random_state=0).fit(X), new[:FEW])


def fit_by_scikit_learn(dtype):
    X, new = rows(dtype)
    return lambda: (peers_fit(X), new[:FEW])


def transform(dtype):
    X, new = rows(dtype)
    features = NystromFeatures(Gaussian(GAMMA), landmarks=peers_fit(X).components_).fit(X)
    return lambda: features.transform(new)


def transform_by_scikit_learn(dtype):
    X, new = rows(dtype)
    model = peers_fit(X)
    return lambda: model.transform(new)


def weights():
    """The peer's model, in float64, weights of its features, and the same function's on the landmarks."""
    model, w = peers_fit(rows()[0]), np.random.default_rng(1).normal(size=C)
    return model, w, model.normalization_.T @ w


def predict(dtype):
    model, _, a = weights()
    landmarks, a, new = cast(model.components_, dtype), cast(a, dtype), rows(dtype)[1]
    return lambda: representer(Gaussian(GAMMA), new, landmarks, a)


def predict_by_scikit_learn(dtype):
    X, new = rows(dtype)
    model, w = peers_fit(X), cast(weights()[1], dtype)
    return lambda: model.transform(new) @ w


def error_of_features(Z):
    """The root mean square error of ZZᵀ on 500 new rows."""
    new, Z = rows()[1][:FEW], Z[:FEW].astype(np.float64)
    return np.sqrt(np.mean((Z @ Z.T - gaussian_gram(new, new)) ** 2))


def error_of_fit(result):
    model, new = result
    return error_of_features(model.transform(new))


def error_of_predictions(f):
    """The largest relative error on 500 new rows."""
    model, _, a = weights()
    exact = gaussian_gram(rows()[1][:FEW], model.components_) @ a
    return np.abs(f[:FEW] - exact).max() / np.abs(exact).max()


def triangular_root(dtype):
    """The pivoted Cholesky decomposition of W and its inverse, in float64 whatever the type of the data."""
    landmarks = normal(C)
    W = gaussian_gram(landmarks, landmarks)
    return lambda: linalg.lapack.dtrtri(linalg.lapack.dpstrf(W, lower=1)[0], lower=1)


def product_alone(dtype):
    """The product of a matrix (n, c) with one (c, c), in one piece."""
    A, B = normal(40_000, dtype, C), normal(C, dtype, C, 1)
    return lambda: A @ B


NYSTROM = [
    race
    for dtypes, (goal_fit, goal_transform, goal_predict) in zip(
        ALL_DTYPES, [(15, 1.8, 12), (None, None, 21), (None, 1.5, None)], strict=True
    )
    for race in (
        Race(
            "Nyström fit, 20,000 × 22, c = 500",
            "scikit-learn Nystroem",
            fit,
            fit_by_scikit_learn,
            error_of_fit,
            "rms error of ZZᵀ, 500 rows",
            dtypes,
            goal_fit,
            slack=1e-2,  # the landmarks are drawn apart
            floor="c**2 * p / gemm64 + c**2 / 2 / exp64 + 2 * c**3 / 3 / chol64",
            sizes=SIZES,
            because=("W's pivoted Cholesky and its inverse by LAPACK alone", triangular_root),
        ),
        Race(
            "Nyström transform, 40,000 × 500",
            "scikit-learn Nystroem",
            transform,
            transform_by_scikit_learn,
            error_of_features,
            "rms error of ZZᵀ, 500 rows",
            dtypes,
            goal_transform,
            slack=1e-8 if dtypes[0] == "f64" else 1e-3,
            floor="2 * n * c * p / gemm + n * c / exp + n * c**2 / gemm + word * n * c / touch",
            sizes=SIZES,
            because=("the product of C and a full root by numpy alone", product_alone),
        ),
        Race(
            "Nyström prediction, 40,000 rows, c = 500",
            "scikit-learn Nystroem, then Z @ w",
            predict,
            predict_by_scikit_learn,
            error_of_predictions,
            "largest relative error, 500 rows",
            dtypes,
            goal_predict,
            slack=1e-8 if dtypes[0] == "f64" else 1e-3,
            floor="2 * n * c * p / gemm + n * c / exp + n * c / add",
            sizes=SIZES,
            because=(
                "of each block product, exp, row maxima and product with a alone",
                partial(kernel_blocks, 40_000, C),
            ),
        ),
    )
]

LANDMARKS, LAM = 1000, 1e-6


def ridge(dtype):
    X, y, new, _ = letters(dtype)
    model = NystromRidge(
        Gaussian(1 / X.shape[1]), n_components=LANDMARKS, lam=LAM, random_state=0, verbose=False
    )
    return lambda: model.fit(X, y).predict(new)


def pipeline(dtype, model):
    """scikit-learn's features, then a linear model on them."""
    X, y, new, _ = letters(dtype)
    features = Nystroem(gamma=1 / X.shape[1], n_components=LANDMARKS, random_state=0)
    steps = make_pipeline(features, model(alpha=len(X) * LAM, fit_intercept=False))
    return lambda: steps.fit(X, y).predict(new)


def ridge_by_scikit_learn(dtype):
    return pipeline(dtype, Ridge)


def ridge_by_intel(dtype):
    from sklearnex.linear_model import Ridge as IntelRidge

    return pipeline(dtype, IntelRidge)


NYSTROM_RIDGE = [
    Race(
        "Nyström ridge, 16,000 × 16, c = 1000, fit and predict",
        peer,
        ridge,
        theirs,
        rms_on_letters,
        "rms error on the test part",
        dtypes,
        goal if dtypes == ("f64", "f64") else None,
        slack=0.01,  # the landmarks are drawn apart
        needs=needs,
        floor="2 * (n + m) * c * p / gemm + (n + m) * c / exp + n * c**2 / gemm + 2 * c**3 / 3 / chol64",
        sizes={"n": 16_000, "m": 4000, "c": LANDMARKS, "p": 16},
        because=(
            "Z from C by the triangular root, which the floor leaves out",
            partial(triangular_products, 16_000, LANDMARKS),
        ),
    )
    for peer, theirs, goal, needs in (
        ("scikit-learn Nystroem + Ridge", ridge_by_scikit_learn, 6, None),
        ("Nystroem + scikit-learn-intelex Ridge", ridge_by_intel, None, "scikit-learn-intelex"),
    )
    for dtypes in ALL_DTYPES
]
