"""Measure the lab's models at the lab's own size, and keep the record: ``python -m benchmarks.lab``.

It measures the shirts and, if ``KERNLIB_DATA`` names its folder, ijcnn1, whose rows kernlib may not carry. It
takes about eight minutes of one core for each data set; what is not measured stays in the record as it is.
"""

import json
import os
import platform
import time
from importlib.metadata import version
from time import process_time

import numpy as np
from joblib import cpu_count
from scipy import sparse
from sklearn.metrics import balanced_accuracy_score, roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from kernlib.book.datasets import load_ijcnn1, load_shirts
from kernlib.book.explorers.lab import RECORD, read_record
from kernlib.fourier import random_features
from kernlib.kernels import Gaussian
from kernlib.nystrom import nystrom

C_GRID = list(range(20, 600, 50))
SEEDS = range(3)
ROWS, TRAINING = 60_000, 20_000
C_OF_LOSSES, FITTED, TESTED = (0.1, 1, 10, 100, 1000), 4000, 8000


def split(data):
    """Take the lab's rows: both parts stacked, the first 60,000, standardized, a third drawn for training."""
    X = np.concatenate([data.train.X, data.test.X])[:ROWS]
    y = np.concatenate([data.train.y, data.test.y])[:ROWS]
    return train_test_split(StandardScaler().fit_transform(X), y, train_size=TRAINING, random_state=0)


def measure(model, features, y_train, y_test):
    """Return the CPU seconds of features, fit and prediction, then accuracy and balanced accuracy."""
    clock = [process_time()]
    Z_train, Z_test = features()
    clock.append(process_time())
    model.fit(Z_train, y_train)
    clock.append(process_time())
    found = model.predict(Z_test)
    clock.append(process_time())
    scores = np.mean(found == y_test), balanced_accuracy_score(y_test, found)
    seconds = [float(f"{value:.3g}") for value in np.diff(clock)]
    return [*seconds, *(round(float(score), 5) for score in scores)]


def with_own_columns(X_train, X_test, gamma, C):
    """Return rows on which the hinge without a bound on α is the squared hinge on the given rows.

    Squared slacks add 1/(2C) to the diagonal of G. A further column for each training row, s in its own and
    0 in all others', multiplies the kernel by a = exp(−2γs²) off the diagonal and leaves the diagonal at 1:
    aG + (1 − a)I is a(G + I/(2C)) at a = 2C/(2C + 1), and no matrix of n² numbers is held. Test rows share
    one column, as far from all training rows as these are from each other.
    """
    s = np.sqrt(np.log1p(1 / (2 * C)) / (2 * gamma))
    n, m = len(X_train), len(X_test)
    own = sparse.hstack([sparse.csr_array(X_train), s * sparse.eye_array(n), sparse.csr_array((n, 1))])
    last = sparse.csr_array(np.full((m, 1), s))
    return own.tocsr(), sparse.hstack([sparse.csr_array(X_test), sparse.csr_array((m, n)), last]).tocsr()


def measure_losses(X_train, X_test, y_train, y_test):
    """Return balanced accuracies and areas of both losses for each C: on held-out rows, and on test rows.

    The models are fitted on 4,000 rows, with the kernel and with 570 columns. Each seed draws other rows.
    """
    gamma = 1 / X_train.shape[1]
    kernel, columns = Gaussian(gamma), {"c": 570, "gamma": gamma}
    scores, areas = {}, {}
    for seed in tqdm(SEEDS, desc="losses"):
        rng = np.random.default_rng(seed)
        fitted, held = np.split(rng.permutation(TRAINING)[: 2 * FITTED], 2)
        tested = rng.permutation(len(X_test))[:TESTED]
        A, B = X_train[fitted], np.concatenate([X_train[held], X_test[tested]])
        truth = y_train[held], y_test[tested]
        G, G_new = kernel(A), kernel(B, A)
        Z, Z_new = nystrom(A, B, k=560, **columns, random_state=seed)
        cosines = random_features(A, B, **columns, random_state=seed)
        for C in C_OF_LOSSES:
            hinge = SVC(kernel="precomputed", C=C)
            squared = SVC(kernel="precomputed", C=1e9)  # on G + I/(2C): no bound on α is active
            linear = LinearSVC(dual=False, C=C)
            for name, model, rows, new in (
                ("kernel, hinge", hinge, G, G_new),
                ("kernel, squared hinge", squared, G + np.eye(FITTED) / (2 * C), G_new),
                ("Nyström, hinge", hinge, Z @ Z.T, Z_new @ Z.T),
                ("Nyström, squared hinge", linear, Z, Z_new),
                ("random features, squared hinge", linear, *cosines),
            ):
                found = np.split(model.fit(rows, y_train[fitted]).decision_function(new), [FITTED])
                labels = [np.where(f > 0, 1, -1) for f in found]
                for record, score, of in (
                    (scores, balanced_accuracy_score, labels),
                    (areas, roc_auc_score, found),
                ):
                    pair = [round(float(score(*both)), 4) for both in zip(truth, of, strict=True)]
                    record.setdefault(name, [[] for _ in SEEDS])[seed].append(pair)
    return {"date": time.strftime("%Y-%m-%d"), "C": C_OF_LOSSES, "scores": scores, "areas": areas}


def measure_data(data):
    """Return the record of one data set: its models, the sweep over c, the day and the machine."""
    X_train, X_test, y_train, y_test = split(data)
    gamma = 1 / X_train.shape[1]
    progress = tqdm(total=5 + 2 * len(C_GRID) * len(SEEDS), desc=data.name)

    def run(model, features=lambda: (X_train, X_test)):
        progress.update()
        return measure(model, features, y_train, y_test)

    def make_features(name, c, seed):
        options = {"c": c, "gamma": gamma, "random_state": seed}
        if name == "random features":
            return random_features(X_train, X_test, **options)
        return nystrom(X_train, X_test, k=c - 10, **options)

    models = {}
    for name, C in (("", 1), (", C = 10", 10)):
        models[f"linear SVM{name}"] = run(LinearSVC(dual=False, C=C))
        models[f"Gaussian SVM{name}"] = run(SVC(gamma=gamma, C=C))
    models["Gaussian SVM, squared hinge"] = run(
        SVC(gamma=gamma, C=1e6), lambda: with_own_columns(X_train, X_test, gamma, C=1)
    )
    sweep = {
        name: [
            [run(LinearSVC(dual=False), lambda: make_features(name, c, seed)) for seed in SEEDS]  # noqa: B023
            for c in C_GRID
        ]
        for name in ("random features", "Nyström, k = c − 10")
    }
    progress.close()
    return {
        "date": time.strftime("%Y-%m-%d"),
        "machine": f"{platform.system()} on {platform.machine()}, {cpu_count()} cores, BLAS on one",
        "versions": {name: version(name) for name in ("numpy", "scipy", "scikit-learn", "kernlib")},
        "majority": round(float(np.mean(y_test == -1)), 5),
        "machines": models,
        "c": C_GRID,
        "sweep": sweep,
        "losses": measure_losses(X_train, X_test, y_train, y_test),
    }


def main():
    """Measure, and write what was measured into the record."""
    with threadpool_limits(1):
        for load in (load_shirts, load_ijcnn1) if os.environ.get("KERNLIB_DATA") else (load_shirts,):
            data = load()
            record = (read_record() if RECORD.exists() else {}) | {data.name: measure_data(data)}
            part = RECORD.with_suffix(".part")
            part.write_text(json.dumps(record, ensure_ascii=False) + "\n")
            os.replace(part, RECORD)


if __name__ == "__main__":
    main()
