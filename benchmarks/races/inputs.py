"""Inputs of races (normal rows with as many columns as ijcnn1, letters), and truths and floors they share."""

from functools import partial

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.preprocessing import StandardScaler

from benchmarks.limits import WORD
from kernlib.book.datasets import load_letters

P = 22  # columns of ijcnn1
GAMMA = 1 / P
INTEL = "scikit-learn-intelex"  # a peer


def cast(A, dtype):
    """Return A in "f32" or "f64"."""
    return A.astype({"f64": np.float64, "f32": np.float32}[dtype])


def normal(n, dtype="f64", p=P, seed=0):
    """Return n rows of p standard normal numbers."""
    return cast(np.random.default_rng(seed).normal(size=(n, p)), dtype)


def letters(rows, dtype):
    """Return Letter Recognition, standardized: so many training rows, their labels, and the test rows."""
    data = load_letters()
    scaler = StandardScaler().fit(data.train.X)
    X, new = (cast(scaler.transform(part.X), dtype) for part in (data.train, data.test))
    return X[:rows], cast(data.train.y, dtype)[:rows], new


def call_on_rows(function, n, dtype):
    """Call a function on n normal rows."""
    return partial(function, normal(n, dtype))


def fit_and_predict(rows, model, dtype):
    """Fit a model to training rows of a type, and predict new ones."""
    X, y, new = rows(dtype)
    return lambda: model.fit(X, y).predict(new)


def rms_on_letters(predictions):
    """Return the root mean square error of predictions on the test part, a column for each model."""
    truth = load_letters().test.y
    return np.sqrt(np.mean((predictions.reshape(len(truth), -1) - truth[:, None]) ** 2))


def rms_on_new_rows(predictions):
    """Return the root mean square error of predictions from the noiseless function on 2000 new rows."""
    return np.sqrt(np.mean((predictions - waves(normal(2000, seed=1))) ** 2))


def gaussian_gram(X, Y, gamma=GAMMA):
    """Return the Gaussian Gram matrix by its formula, in float64, not by kernlib."""
    return np.exp(-gamma * cdist(X, Y, "sqeuclidean"))


def gram_floor(n, p, dtype):
    """Return the floor of a Gaussian Gram matrix: half of the entries are computed, all are written."""
    return {"n²·p / gemm": n**2 * p, "n² / 2 / exp": n**2 / 2, "word·n² / touch": WORD[dtype] * n**2}


def product_floor(n, p, times=1):
    """Return the floor of products of a Gaussian Gram matrix, which is not held, with a vector."""
    i, entries = "i·" if times > 1 else "", times * n**2
    return {f"{i}n²·p / gemm": entries * p, f"{i}n² / 2 / exp": entries / 2, f"{i}n² / add": entries}


def waves(X):
    """Return a smooth function of the first columns, with values about ±1."""
    return np.sin(X[:, 0] + X[:, 1]) * np.cos(0.5 * X[:, 2])
