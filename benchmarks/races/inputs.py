"""What races work on: normal rows of ijcnn1's dimensions, letters, and truths that several share."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.preprocessing import StandardScaler

from kernlib.book.datasets import load_letters

__all__ = [
    "ALL_DTYPES",
    "GAMMA",
    "P",
    "cast",
    "gaussian_gram",
    "letters",
    "normal",
    "rms_on_letters",
    "rms_on_new_rows",
    "waves",
]

P = 22  # columns of ijcnn1
GAMMA = 1 / P
ALL_DTYPES = [("f64", "f64"), ("f32", "f64"), ("f32", "f32")]  # ours against theirs


def cast(A, dtype):
    """Give A in "f32" or "f64"."""
    return A.astype({"f64": np.float64, "f32": np.float32}[dtype])


def normal(n, dtype="f64", p=P, seed=0):
    """Give n rows of p standard normal numbers."""
    return cast(np.random.default_rng(seed).normal(size=(n, p)), dtype)


def letters(dtype="f64", rows=None):
    """Give Letter Recognition, standardised: training rows and labels, test rows and labels."""
    data = load_letters()
    scaler = StandardScaler().fit(data.train.X)
    X, new = (cast(scaler.transform(part.X), dtype) for part in (data.train, data.test))
    return X[:rows], cast(data.train.y, dtype)[:rows], new, cast(data.test.y, "f64")


def rms_on_letters(predictions):
    """The error of predictions, a column for each model: their root mean square on the test part."""
    truth = letters()[3]
    return np.sqrt(np.mean((predictions.reshape(len(truth), -1) - truth[:, None]) ** 2))


def rms_on_new_rows(predictions):
    """The error of predictions: their root mean square from the noiseless function on 2000 new rows."""
    return np.sqrt(np.mean((predictions - waves(normal(2000, seed=1))) ** 2))


def gaussian_gram(X, Y, gamma=GAMMA):
    """The Gaussian Gram matrix by its formula, in float64, not by kernlib."""
    return np.exp(-gamma * cdist(X, Y, "sqeuclidean"))


def waves(X):
    """Give a smooth function of the first columns, of values about ±1."""
    return np.sin(X[:, 0] + X[:, 1]) * np.cos(0.5 * X[:, 2])
