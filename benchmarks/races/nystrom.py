"""Nyström features and predictions, c = 500; ridge on 1000 and 2500 landmarks; a classifier on 300."""

from functools import cache, partial

import numpy as np
from scipy import linalg
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import LogisticRegression, Ridge, SGDClassifier, SGDRegressor
from sklearn.pipeline import make_pipeline

from benchmarks.limits import WORD
from benchmarks.race import F32, F64, MIXED, make_races
from benchmarks.races import inputs
from benchmarks.races.inputs import GAMMA, INTEL, P, cast, fit_and_predict, gaussian_gram, normal, waves
from benchmarks.races.steps import kernel_blocks, triangular_products
from kernlib.kernels import Gaussian
from kernlib.numerics.validation import as_matrix
from kernlib.nystrom import NystromFeatures, NystromRidge
from kernlib.streaming import StreamingClassifier

C = 500
TRAINING, NEW = slice(0, 20_000), slice(20_000, 60_000)
FEW = 500  # of the new rows, on which features are compared with the truth
M = 40_000  # new rows
BLOCK = {"2·n·c·p / gemm": 2 * M * C * P, "n·c / exp": M * C}


def rows(dtype="f64"):
    """Return rows to fit on, and new ones."""
    X = normal(60_000, dtype)
    return X[TRAINING], X[NEW]


def fit_ours(X):
    return NystromFeatures(Gaussian(GAMMA), n_components=C, random_state=0).fit(X)


def fit_ours_on_their_landmarks(X):
    return NystromFeatures(Gaussian(GAMMA), landmarks=fit_theirs(X).components_).fit(X)


def fit_theirs(X):
    return Nystroem(gamma=GAMMA, n_components=C, random_state=0).fit(X)


def time_fit(fit, dtype):
    X, new = rows(dtype)
    return lambda: (fit(X), new[:FEW])


def time_transform(fit, dtype):
    X, new = rows(dtype)
    model = fit(X)
    return lambda: model.transform(new)


def weights():
    """Return the peer's model in float64, weights of its features, and the same function's of landmarks."""
    model, w = fit_theirs(rows()[0]), np.random.default_rng(1).normal(size=C)
    return model, w, model.normalization_.T @ w


def predict(dtype):
    model, _, a = weights()
    landmarks, a, new = cast(model.components_, dtype), cast(a, dtype), rows(dtype)[1]
    return lambda: Gaussian(GAMMA).matmul(as_matrix(new), landmarks, a)


def predict_by_scikit_learn(dtype):
    X, new = rows(dtype)
    model, w = fit_theirs(X), cast(weights()[1], dtype)
    return lambda: model.transform(new) @ w


def error_of_features(Z):
    """Return the root mean square error of ZZᵀ on 500 new rows."""
    new, Z = rows()[1][:FEW], Z[:FEW].astype(np.float64)
    return np.sqrt(np.mean((Z @ Z.T - gaussian_gram(new, new)) ** 2))


def error_of_fit(result):
    model, new = result
    return error_of_features(model.transform(new))


def error_of_predictions(f):
    """Return the largest relative error on 500 new rows."""
    model, _, a = weights()
    exact = gaussian_gram(rows()[1][:FEW], model.components_) @ a
    return np.abs(f[:FEW] - exact).max() / np.abs(exact).max()


def triangular_root(dtype):
    """Compute the pivoted Cholesky factor of W and its inverse, in float64 whatever the type of the data."""
    landmarks = normal(C)
    W = gaussian_gram(landmarks, landmarks)
    return lambda: linalg.lapack.dtrtri(linalg.lapack.dpstrf(W, lower=1)[0], lower=1)


def product_alone(dtype):
    """Multiply a matrix (n, c) by one (c, c), in one piece."""
    A, B = normal(M, dtype, C), normal(C, dtype, C, 1)
    return lambda: A @ B


NYSTROM = [
    *make_races(
        "Nyström fit, 20,000 × 22, c = 500",
        partial(time_fit, fit_ours),
        error_of_fit,
        "rms error of ZZᵀ, 500 rows",
        [("scikit-learn Nystroem", partial(time_fit, fit_theirs), {F64: 15, MIXED: None, F32: None})],
        slack=(1e-2, 1e-2),  # the landmarks differ
        floor=lambda dtype: {
            "c²·p / gemm64": C**2 * P,
            "c² / 2 / exp64": C**2 / 2,
            "2·c³ / 3 / chol64": 2 * C**3 / 3,
        },
        because=("W's pivoted Cholesky and its inverse by LAPACK alone", triangular_root),
    ),
    *make_races(
        "Nyström transform, 40,000 × 500",
        partial(time_transform, fit_ours_on_their_landmarks),
        error_of_features,
        "rms error of ZZᵀ, 500 rows",
        [("scikit-learn Nystroem", partial(time_transform, fit_theirs), {F64: 1.8, MIXED: None, F32: 1.5})],
        slack=(1e-8, 1e-3),
        floor=lambda dtype: BLOCK | {"n·c² / gemm": M * C**2, "word·n·c / touch": WORD[dtype] * M * C},
        because=("the product of C and a full root by numpy alone", product_alone),
    ),
    *make_races(
        "Nyström prediction, 40,000 rows, c = 500",
        predict,
        error_of_predictions,
        "largest relative error, 500 rows",
        [("scikit-learn Nystroem, then Z @ w", predict_by_scikit_learn, {F64: 12, MIXED: 21, F32: None})],
        slack=(1e-8, 1e-3),
        floor=lambda dtype: BLOCK | {"n·c / add": M * C},
        because=("product, exp, row maxima and product with a of each block", partial(kernel_blocks, M, C)),
    ),
]

LANDMARKS, LAM = 1000, 1e-6
OURS = {"random_state": 0, "verbose": False}
letters = partial(inputs.letters, 16_000)


def pipeline(kind, dtype):
    """Fit a ridge regression on scikit-learn's features of the letters."""
    features = Nystroem(gamma=1 / 16, n_components=LANDMARKS, random_state=0)
    model = make_pipeline(features, kind(alpha=16_000 * LAM, fit_intercept=False))
    return fit_and_predict(letters, model, dtype)


def ridge_by_intel(dtype):
    from sklearnex.linear_model import Ridge as IntelRidge

    return pipeline(IntelRidge, dtype)


NYSTROM_RIDGE = make_races(
    "Nyström ridge, 16,000 × 16, c = 1000, fit and predict",
    partial(
        fit_and_predict,
        letters,
        NystromRidge(Gaussian(1 / 16), n_components=LANDMARKS, lam=LAM, fit_intercept=False, **OURS),
    ),
    inputs.rms_on_letters,
    "rms error on the test part",
    [
        ("scikit-learn Nystroem + Ridge", partial(pipeline, Ridge), {F64: 6, MIXED: None, F32: None}),
        (f"Nystroem + {INTEL} Ridge", ridge_by_intel, {F64: None, MIXED: None, F32: None}, INTEL),
    ],
    slack=(0.01, 0.01),  # the landmarks differ
    floor=lambda dtype: {
        "2·(n + m)·c·p / gemm": 2 * 20_000 * LANDMARKS * 16,
        "(n + m)·c / exp": 20_000 * LANDMARKS,
        "n·c² / gemm": 16_000 * LANDMARKS**2,
        "2·c³ / 3 / chol64": 2 * LANDMARKS**3 / 3,
    },
    because=(
        "Z from C by the triangular root, which the floor leaves out",
        partial(triangular_products, 16_000, LANDMARKS),
    ),
)

MANY, MANY_ROWS, MANY_LAM = 2500, 40_000, 1e-5


def noisy_waves(dtype):
    """Return training rows and noisy targets, and new rows."""
    X = normal(MANY_ROWS, "f64", seed=2)
    y = waves(X) + 0.1 * np.random.default_rng(3).normal(size=MANY_ROWS)
    return cast(X, dtype), cast(y, dtype), normal(2000, dtype, seed=1)


def on_many_landmarks(model, goal):
    """Return a peer, a linear model on scikit-learn's features, with its goal."""
    steps = make_pipeline(Nystroem(gamma=GAMMA, n_components=MANY, random_state=0), model)
    name = f"scikit-learn Nystroem + {type(model).__name__}"
    return name, partial(fit_and_predict, noisy_waves, steps), {F64: goal, F32: None}


FALKON = make_races(
    "Nyström ridge by conjugate gradients, 40,000 × 22, c = 2500, fit and predict",
    partial(
        fit_and_predict,
        noisy_waves,
        NystromRidge(Gaussian(GAMMA), n_components=MANY, lam=MANY_LAM, solver="cg", **OURS),
    ),
    inputs.rms_on_new_rows,
    "rms error on 2000 new rows",
    [
        on_many_landmarks(Ridge(alpha=MANY_ROWS * MANY_LAM), 2),
        on_many_landmarks(SGDRegressor(alpha=MANY_LAM, random_state=0), None),
    ],
    slack=(0.01, 0.01),  # the landmarks differ
    floor=lambda dtype: {
        "20·n·c·p / gemm": 20 * MANY_ROWS * MANY * P,  # of about 20 steps
        "20·n·c / exp": 20 * MANY_ROWS * MANY,
        "c³ / chol64": MANY**3,
    },
    because=(
        "one step: product, exp, row maxima and product with a of each block",
        partial(kernel_blocks, MANY_ROWS, MANY),
    ),
)

LABELED, FEATURES = 100_000, 300


def labeled(dtype):
    """Return rows and noisy labels ±1, new rows, and scikit-learn's features of the rows."""
    X = normal(LABELED, seed=2)
    y = np.sign(waves(X) + 0.3 * np.random.default_rng(3).normal(size=LABELED))
    features = Nystroem(gamma=GAMMA, n_components=FEATURES, random_state=0)
    return cast(X, dtype), y, normal(2000, dtype, seed=1), features


def classifier(dtype):
    X, y, new, features = labeled(dtype)
    ours = NystromFeatures(Gaussian(GAMMA), landmarks=features.fit(X).components_)
    return lambda: StreamingClassifier(ours, tol=1e-4, verbose=False).fit(X, y).decision_function(new)


def on_labels(model, dtype):
    """Fit a linear classifier on scikit-learn's features."""
    X, y, new, features = labeled(dtype)
    steps = make_pipeline(features, model)
    return lambda: steps.fit(X, y).decision_function(new)


LINEAR = {
    "LogisticRegression(tol=1e-6)": LogisticRegression(tol=1e-6, max_iter=1000),
    "LogisticRegression, Newton": LogisticRegression(solver="newton-cholesky"),
    "LogisticRegression, defaults": LogisticRegression(),
    "SGDClassifier": SGDClassifier(loss="log_loss", alpha=1 / LABELED, random_state=0),
}


@cache
def minimizer():
    """Return f of the minimizer on 2000 new rows, in float64."""
    return on_labels(LogisticRegression(solver="newton-cholesky", tol=1e-10), "f64")()


def error_of_classifier(f):
    """Return the root mean square error of f on 2000 new rows against the minimizer."""
    return np.sqrt(np.mean((f - minimizer()) ** 2))


CLASSIFIER = make_races(
    "Nyström classifier, 100,000 × 22, c = 300, fit and predict",
    classifier,
    error_of_classifier,
    "rms error of f on 2000 new rows",
    [(f"Nystroem + {name}", partial(on_labels, LINEAR[name]), {F64: None, F32: None}) for name in LINEAR],
    slack=(1e-3, 0.01),
    floor=lambda dtype: {
        "4·n·c·p / gemm": 4 * LABELED * FEATURES * P,  # of two passes, each of which makes Z
        "2·n·c / exp": 2 * LABELED * FEATURES,
        "4·n·c² / gemm": 4 * LABELED * FEATURES**2,  # Z from C, and ZᵀHZ
    },
    because=("of one pass: Z from C by the triangular root", partial(triangular_products, LABELED, FEATURES)),
)
