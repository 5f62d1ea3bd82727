"""Answers to the lab's questions."""

import re

import numpy as np
from scipy import linalg
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC

from kernlib import fourier, low_rank, nystrom
from kernlib.book.checks.lab import predict_errors

C_GRID = range(20, 600, 50)
GAMMA = 1 / 2
SCORES = np.linspace(0.9, 0.98, 12)


def rings(n, seed):
    """Draw two rings, the outer one off center: a line separates them badly, but better than guessing."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([-1, 1], n // 2))
    X = rng.normal(size=(n, 2))
    X *= (1 + (y > 0))[:, None] / np.linalg.norm(X, axis=1)[:, None]
    return X + (y > 0)[:, None] * [0.8, 0], y


X_TRAIN, Y_TRAIN = rings(600, 0)
X_TEST, Y_TEST = rings(400, 1)
LINEAR = LinearSVC(dual=False).fit(X_TRAIN, Y_TRAIN)
LINEAR_SCORE = LINEAR.score(X_TEST, Y_TEST)


def gaussian_svm(gamma=GAMMA, **parameters):
    return SVC(gamma=gamma, **parameters).fit(X_TRAIN, Y_TRAIN)


def linear_svm(**parameters):
    return LinearSVC(**parameters).fit(X_TRAIN, Y_TRAIN)


def lab_matrix(seed=0, factor=50, noise=1, uniform=False):
    rng = np.random.default_rng(seed)
    N_signal, N_noise = (rng.random((n, 200)) if uniform else rng.normal(size=(n, 200)) for n in (20, 100))
    return factor * N_signal.T @ N_signal + noise * N_noise.T @ N_noise


G = lab_matrix()
CURVE, CURVE_MISTAKES = predict_errors(G)


def truncate_by_eigh(G, k, method):
    lam, U = linalg.eigh(G)
    top = np.argsort(-np.abs(lam))[:k]
    return (U[:, top] * lam[top]) @ U[:, top].T


def fourier_map(phases=lambda rng, c: rng.uniform(0, 2 * np.pi, size=c), redraw=False, factor=1):
    """Run the lab's algorithm 1, with one of its parts replaced."""

    def function(X_train, X_test, *, c, gamma, random_state):
        rng = np.random.default_rng(random_state)

        def draw():
            return np.sqrt(2 * gamma) * rng.normal(size=(X_train.shape[1], c)), phases(rng, c)

        Omega, b = draw()
        Z_train = factor * np.sqrt(2 / c) * np.cos(X_train @ Omega + b)
        Omega, b = draw() if redraw else (Omega, b)
        return Z_train, factor * np.sqrt(2 / c) * np.cos(X_test @ Omega + b)

    return function


def nystrom_map(
    power=-0.5,
    kept=lambda c, k: slice(0, k),
    landmarks=lambda X_train, X_test, rows: X_train[rows],
    cut=1e-12,
    rounding=True,
    corner=False,
    dtype=float,
):
    """Run the lab's algorithm 2, with one of its parts replaced."""

    def function(X_train, X_test, *, c, k, gamma, random_state):
        rng = np.random.default_rng(random_state)

        points = landmarks(X_train, X_test, rng.integers(len(X_train), size=c))
        V, sigma, _ = linalg.svd(rbf_kernel(points, gamma=gamma).astype(dtype))
        weights = np.zeros(c)
        large = sigma > max(cut, rounding * c * np.finfo(dtype).eps) * sigma[0]
        weights[large] = sigma[large] ** power
        M = V[:k, :k] * weights[:k] if corner else (V * weights)[:, kept(c, k)]
        return [rbf_kernel(X, points[: len(M)], gamma=gamma) @ M for X in (X_train, X_test)]

    return function


Z_FOURIER = fourier.random_features(X_TRAIN, X_TEST, c=300, gamma=GAMMA, random_state=0)
Z_NYSTROM = nystrom.nystrom(X_TRAIN, X_TEST, c=500, k=300, gamma=GAMMA, random_state=0)


def scattered(n, seed):
    """Draw points of which 300 landmarks keep less than 500, and whether they are far out."""
    X = np.random.default_rng(seed).normal(size=(n, 10))
    return X, np.where(np.sum(X**2, axis=1) > 9.3, 1, -1)


FAR_TRAIN, FAR_Y = scattered(4000, 0)
FAR_TEST, FAR_Y_TEST = scattered(1000, 1)
FAR_SCORE = LinearSVC(dual=False).fit(FAR_TRAIN, FAR_Y).score(FAR_TEST, FAR_Y_TEST)


def far_nystrom(X=FAR_TRAIN, c=500):
    """Give the arguments of question 7's check, with landmarks from X."""
    rows = np.random.default_rng(3).choice(len(X), c, replace=False)
    V, sigma, _ = linalg.svd(rbf_kernel(X[rows], gamma=0.1))
    Z_train, Z_test = (
        rbf_kernel(A, X[rows], gamma=0.1) @ V[:, :300] / np.sqrt(sigma[:300]) for A in (FAR_TRAIN, FAR_TEST)
    )
    model = LinearSVC(dual=False).fit(Z_train, FAR_Y)
    return model, Z_test, FAR_Y_TEST, FAR_SCORE, FAR_TRAIN, FAR_TEST


FOURIER_SVM, NYSTROM_SVM = (LinearSVC(dual=False).fit(Z, Y_TRAIN) for Z, _ in (Z_FOURIER, Z_NYSTROM))

RIGHT = {
    "check_baselines": [
        (LINEAR, gaussian_svm(), X_TEST, Y_TEST),
        (linear_svm(C=10), gaussian_svm(C=10), X_TEST, Y_TEST),
    ],
    "check_rank_trunc": [low_rank.rank_trunc, truncate_by_eigh],
    "check_truncation_curve": [(low_rank.truncation_errors(G)[1:101], G), (list(CURVE), G)],
    "check_random_features": [fourier.random_features],
    "check_fourier_svm": [(FOURIER_SVM, Z_FOURIER[1], Y_TEST, LINEAR_SCORE)],
    "check_nystrom": [nystrom.nystrom, nystrom_map(dtype=np.float32), nystrom_map(cut=0)],
    "check_nystrom_svm": [(NYSTROM_SVM, Z_NYSTROM[1], Y_TEST, LINEAR_SCORE, X_TRAIN, X_TEST), far_nystrom()],
    "check_sweep": [
        (C_GRID, SCORES, [9, 1, 8, 2, 7, 3, 6, 4, 5, 5, 4, 6]),  # on a busy machine
        ([*C_GRID], [0.9, 0.89, *np.linspace(0.9, 0.98, 10)], range(1, 13)),
    ],
}


def baselines(*, linear=LINEAR, rbf=None, X=X_TEST, y=Y_TEST):
    return linear, rbf or gaussian_svm(), X, y


def on_fourier(model=FOURIER_SVM, Z=Z_FOURIER[1], score=LINEAR_SCORE):
    return model, Z, Y_TEST, score


def on_landmarks(model=NYSTROM_SVM, Z=Z_NYSTROM[1], score=LINEAR_SCORE):
    return model, Z, Y_TEST, score, X_TRAIN, X_TEST


def sweep(c=C_GRID, scores=SCORES, seconds=range(1, 13)):
    return c, scores, seconds


WRONG = {
    "check_baselines": {
        "The model should be a LinearSVC, got SVC": (gaussian_svm(), LINEAR, X_TEST, Y_TEST),
        "SVC should have kernel='rbf', got": baselines(rbf=gaussian_svm(kernel="linear")),
        "SVC should be fitted, and it is not": baselines(rbf=SVC(gamma=GAMMA)),
        "1/p with p = 2, got scale": baselines(rbf=gaussian_svm("scale")),
        "the same C, got 10 and 1": baselines(linear=linear_svm(C=10)),
        "dual=False, got dual=True": baselines(linear=linear_svm(dual=True, loss="hinge")),
        "fitted on 1 columns, got 2": baselines(X=X_TEST[:, :1]),
        "should come near .* Hint: .* standardized rows": baselines(X=X_TEST - 9),
        "but it is the model": baselines(linear=LinearSVC(dual=False).fit(X_TEST, Y_TEST)),
        "fitted on training rows, but 100%": baselines(rbf=SVC(gamma=GAMMA).fit(X_TEST, Y_TEST)),
    },
    "check_rank_trunc": {
        "method = 'slow', ": lambda G, k, method: low_rank.rank_trunc(G, k - (method == "slow"), method)
    },
    "check_truncation_curve": {f"{re.escape(hint)}\\.": (wrong, G) for hint, wrong in CURVE_MISTAKES.items()}
    | {
        r"k = 1 to 100 should be .*, got [\d.]+\.$": (CURVE[::-1], G),
        "G should have rank 120, .* got 200": (CURVE, G + np.eye(200)),
        "the factor 50 of the signal is missing": (CURVE, lab_matrix(factor=1)),
        "not its numbers": (CURVE, lab_matrix(factor=2500)),
        "50 multiplies the signal only": (CURVE, lab_matrix(factor=50, noise=50)),
        r"not from \[0, 1\)\.": (CURVE, lab_matrix(uniform=True)),
    },
    "check_random_features": {
        r"Entries should not exceed √\(2/c\) = 0.01, got": fourier_map(factor=2),
        "the phase b seems to be missing": fourier_map(lambda rng, c: 0),
        r"not on \[0, 1\]": fourier_map(lambda rng, c: rng.uniform(size=c)),
        "a phase for each column": fourier_map(lambda rng, c: rng.uniform(0, 2 * np.pi)),
        "not normal": fourier_map(lambda rng, c: rng.normal(size=c)),
        "one call maps both": lambda A, B, **asked: fourier_map()(A, B, **asked)[0],
        "do both sets use the same draws": fourier_map(redraw=True),
        r"\(30, 20000\), got \(25, 20000\)": lambda A, B, **asked: fourier_map()(A, B, **asked)[::-1],
    },
    "check_fourier_svm": {
        "fitted on 300 columns, got 2": on_fourier(LINEAR),
        r"above the linear SVM's 0\.": on_fourier(
            Z=fourier.random_features(X_TRAIN, X_TEST, c=300, gamma=GAMMA, random_state=9)[1]
        ),
        "= 1, got 0.[45].* on average": on_fourier(Z=Z_FOURIER[1] / np.sqrt(2)),
    },
    "check_nystrom": {
        "seems to be −1": nystrom_map(power=-1),
        "keep the largest": nystrom_map(kept=lambda c, k: slice(c - k, c)),
        "but does at [1-9].* Hint: are the landmarks rows of X_train": nystrom_map(
            landmarks=lambda X_train, X_test, rows: X_test[rows % len(X_test)]
        ),
        r"got -8\..* is γ the one given": lambda A, B, gamma, **asked: nystrom.nystrom(
            A, B, gamma=gamma / 2, **asked
        ),
        "the cut of small eigenvalues is too coarse": nystrom_map(cut=1e-3),
        r"not V\[:k, :k\]": nystrom_map(corner=True),
        r"got -.*e\+.* divided by rounding error": nystrom_map(cut=0, rounding=False),
    },
    "check_nystrom_svm": {
        r"κ\(x, x\) = 1, got 1": on_landmarks(Z=10 * Z_NYSTROM[1]),
        "not a percentage": on_landmarks(score=100 * LINEAR_SCORE),
        "c should be 500": far_nystrom(c=300),
        "landmarks rows of X_train": far_nystrom(FAR_TEST),
    },
    "check_sweep": {
        r"c should be range\(20, 600, 50\), got \[20, 120": sweep(c=range(20, 600, 100)),
        "scores should rise .* got .* -1.00": sweep(scores=SCORES[::-1]),
        "scores should be from 0 to 1, got 98": sweep(scores=np.linspace(90, 98, 12)),
        "seconds should be positive, got -12": sweep(seconds=range(-12, 0)),
        "seconds should rise with c": sweep(seconds=range(12, 0, -1)),
    },
}
