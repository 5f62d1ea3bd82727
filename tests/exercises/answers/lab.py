"""Answers to the lab's questions."""

import numpy as np
from scipy import linalg
from scipy.sparse.linalg import eigsh
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC

from kernlib import fourier, low_rank, nystrom

C_GRID = range(20, 600, 50)
GAMMA = 1 / 2
SCORES = np.linspace(0.9, 0.98, 12)


def rings(n, seed):
    """Two rings, the outer one off centre: a line separates them badly, but better than guessing."""
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


def lab_matrix(seed=0):
    rng = np.random.default_rng(seed)
    N_signal, N_noise = rng.normal(size=(20, 200)), rng.normal(size=(100, 200))
    return 50 * N_signal.T @ N_signal + N_noise.T @ N_noise


G = lab_matrix()
LAMBDA, U = (A[..., ::-1] for A in linalg.eigh(G))
CURVE = low_rank.truncation_errors(G)


def truncated(k):
    return (U[:, :k] * LAMBDA[:k]) @ U[:, :k].T


def eigen_truncation(select, weights=lambda lam: lam):
    """A rank_trunc that keeps the eigenvalues of its own choice."""

    def function(G, k, method):
        lam, U = linalg.eigh(G)
        top = select(lam)[:k]
        return (U[:, top] * weights(lam[top])) @ U[:, top].T

    return function


def fourier_map(
    scale=lambda gamma: np.sqrt(2 * gamma),
    factor=lambda c: np.sqrt(2 / c),
    phase=2 * np.pi,
    redraw=False,
    seeded=lambda seed: seed,
):
    """The lab's algorithm 1, with one of its parts to be replaced."""

    def function(X_train, X_test, *, c, gamma, random_state):
        rng = np.random.default_rng(seeded(random_state))

        def draw():
            return rng.normal(scale=scale(gamma), size=(X_train.shape[1], c)), rng.uniform(0, phase, size=c)

        Omega, b = draw()
        Z_train = factor(c) * np.cos(X_train @ Omega + b)
        Omega, b = draw() if redraw else (Omega, b)
        return Z_train, factor(c) * np.cos(X_test @ Omega + b)

    return function


def nystrom_map(
    power=-0.5,
    kept=lambda c, k: slice(0, k),
    landmarks=lambda X_train, X_test, rows: X_train[rows],
    gamma_W=lambda gamma: gamma,
    redraw=False,
    cut=True,
):
    """The lab's algorithm 2, with one of its parts to be replaced."""

    def function(X_train, X_test, *, c, k, gamma, random_state):
        rng = np.random.default_rng(random_state)

        def features(X):
            points = landmarks(X_train, X_test, rng.integers(len(X_train), size=c))
            V, sigma, _ = linalg.svd(rbf_kernel(points, gamma=gamma_W(gamma)))
            weights = np.zeros(c)
            kept_sigma = sigma > 1e-12 * sigma[0] if cut else sigma > -1
            weights[kept_sigma] = sigma[kept_sigma] ** power
            M = (V * weights)[:, kept(c, k)]
            return rbf_kernel(X, points, gamma=gamma) @ M

        if not redraw:
            Z = features(np.vstack([X_train, X_test]))
            return Z[: len(X_train)], Z[len(X_train) :]
        return features(X_train), features(X_test)

    return function


Z_FOURIER = fourier.random_features(X_TRAIN, X_TEST, c=300, gamma=GAMMA, random_state=0)
Z_NYSTROM = nystrom.nystrom(X_TRAIN, X_TEST, c=500, k=300, gamma=GAMMA, random_state=0)
FOURIER_SVM, NYSTROM_SVM = (LinearSVC(dual=False).fit(Z, Y_TRAIN) for Z, _ in (Z_FOURIER, Z_NYSTROM))

RIGHT = {
    "check_baselines": [
        (LINEAR, gaussian_svm(), X_TEST, Y_TEST),
        (LINEAR, gaussian_svm("auto"), X_TEST, Y_TEST),
        (linear_svm(C=10), gaussian_svm(C=10), X_TEST, Y_TEST),
    ],
    "check_rank_trunc": [low_rank.rank_trunc, eigen_truncation(lambda lam: np.argsort(-np.abs(lam)))],
    "check_truncation_curve": [(CURVE[1:101], G), (list(CURVE[1:101]), G)],
    "check_random_features": [fourier.random_features, fourier_map()],
    "check_fourier_svm": [(FOURIER_SVM, Z_FOURIER[1], Y_TEST, LINEAR_SCORE)],
    "check_nystrom": [nystrom.nystrom, nystrom_map()],
    "check_nystrom_svm": [(NYSTROM_SVM, Z_NYSTROM[1], Y_TEST, LINEAR_SCORE)],
    "check_sweep": [
        (C_GRID, SCORES, np.linspace(0.1, 3, 12)),
        (C_GRID, SCORES, [9, 1, 8, 2, 7, 3, 6, 4, 5, 5, 4, 6]),  # on a busy machine
        ([*C_GRID], [0.9, 0.89, *np.linspace(0.9, 0.98, 10)], range(1, 13)),
    ],
}


def baselines(*, linear=LINEAR, rbf=None, X=X_TEST, y=Y_TEST):
    return linear, rbf or gaussian_svm(), X, y


def sweep(c=C_GRID, scores=SCORES, seconds=range(1, 13)):
    return c, scores, seconds


WRONG = {
    "check_baselines": {
        "The machine should be a LinearSVC, got SVC": (gaussian_svm(), LINEAR, X_TEST, Y_TEST),
        "SVC should have kernel='rbf', got": baselines(rbf=gaussian_svm(kernel="linear")),
        "SVC should be fitted, and it is not": baselines(rbf=SVC(gamma=GAMMA)),
        "1/p with p = 2, got scale": baselines(rbf=gaussian_svm("scale")),
        "1/p with p = 2, got 2.0. Hint": baselines(rbf=gaussian_svm(2.0)),
        "1/p with p = 2, got 0": baselines(rbf=gaussian_svm(1 / (2 * X_TRAIN.var()))),
        "the same C, got 10 and 1": baselines(linear=linear_svm(C=10)),
        "dual=False, got dual=True": baselines(linear=linear_svm(dual=True, loss="hinge")),
        r"y_test should have shape \(400,\), got \(600,\)": baselines(y=Y_TRAIN),
        "fitted on 1 columns, got 2": baselines(X=X_TEST[:, :1]),
        "should come near .* Hint: .* standardised rows": baselines(X=X_TEST - 9),
    },
    "check_rank_trunc": {
        r"\(indefinite, .* which eigenvalues are the k largest": eigen_truncation(
            lambda lam: np.argsort(-lam)
        ),
        r"\(positive semi-definite, n = 12, k = 1, .* should have the relative error": eigen_truncation(
            lambda lam: np.arange(len(lam))
        ),
        r"\(indefinite, .* does their sign survive": eigen_truncation(
            lambda lam: np.argsort(-np.abs(lam)), np.abs
        ),
        "should have rank at most 1, got 2": lambda G, k, method: low_rank.rank_trunc(
            G, min(k + 1, len(G)), method
        ),
        r"should have shape \(12, 12\), got \(12, 1\)": lambda G, k, method: eigsh(G, k)[1],
        'method="slow"': lambda G, k, method: low_rank.rank_trunc(G, k - (method == "slow"), method),
        "should be finite, got NaN": lambda G, k, method: G * np.nan,
    },
    "check_truncation_curve": {
        "k = 0 to 99": (CURVE[:100], G),
        "k = 2 to 101": (CURVE[2:102], G),
        "the minus between G_k and G is missing": (
            [np.linalg.norm(truncated(k) @ G) / np.linalg.norm(G) for k in range(1, 101)],
            G,
        ),
        "the norm of G_k, not of what it leaves out": (
            [np.linalg.norm(truncated(k)) / np.linalg.norm(G) for k in range(1, 101)],
            G,
        ),
        "the division by the norm of G is missing": (CURVE[1:101] * np.linalg.norm(G), G),
        "spectral norms": (LAMBDA[1:101] / LAMBDA[0], G),
        r"The relative error at k = \d+ should be .*, got [\d.]+\.$": (CURVE[1:101][::-1], G),
        r"shape \(100,\), got \(99,\)": (CURVE[1:100], G),
        r"G should have shape \(200, 200\), got \(100": (CURVE[1:101], G[:100, :100]),
        "G should have rank 120, .* got 200": (CURVE[1:101], G + np.eye(200)),
    },
    "check_random_features": {
        "half their variance": fourier_map(scale=np.sqrt),
        "twice their variance": fourier_map(scale=lambda gamma: np.sqrt(4 * gamma)),
        "not a standard deviation": fourier_map(scale=lambda gamma: 2 * gamma),
        "a factor √2 seems to be missing": fourier_map(factor=lambda c: np.sqrt(1 / c)),
        r"Entries should not exceed √\(2/c\) = 0.01, got": fourier_map(factor=lambda c: np.sqrt(2)),
        "the phase b seems to be missing": fourier_map(phase=0),
        "ZZᵀ should be within 0.05 of the kernel, got an entry": fourier_map(phase=1),
        r"of the kernel, got an entry .* away\.$": fourier_map(scale=lambda gamma: np.sqrt(2 / 22)),
        "do both sets use the same draws": fourier_map(redraw=True),
        "The same random_state should give the same features": fourier_map(seeded=lambda seed: None),
        "Another random_state should give other features": fourier_map(seeded=lambda seed: 0),
        "Z_train should have shape": lambda A, B, **asked: fourier_map()(A, B, **asked)[::-1],
        r"\(30, 20000\), got \(20000, 30\)": lambda A, B, **asked: [
            Z.T for Z in fourier_map()(A, B, **asked)
        ],
    },
    "check_fourier_svm": {
        "fitted on 300 columns, got 2": (LINEAR, Z_FOURIER[1], Y_TEST, LINEAR_SCORE),
        "be a LinearSVC, got SVC": (gaussian_svm(), Z_FOURIER[1], Y_TEST, LINEAR_SCORE),
        "The score should be above the linear machine's .* from one call": (
            FOURIER_SVM,
            fourier.random_features(X_TRAIN, X_TEST, c=300, gamma=GAMMA, random_state=9)[1],
            Y_TEST,
            LINEAR_SCORE,
        ),
        "Z_test should have": (FOURIER_SVM, Z_FOURIER[0], Y_TEST, LINEAR_SCORE),
        "= 1, got 0.[45]": (FOURIER_SVM, Z_FOURIER[1] / np.sqrt(2), Y_TEST, LINEAR_SCORE),
        "above .* 1.000, got": (FOURIER_SVM, Z_FOURIER[1], Y_TEST, 1.0),
    },
    "check_nystrom": {
        "G − ZZᵀ should have no negative eigenvalue": nystrom_map(power=-1),
        "Hint: the power of Σ_k in M_k": nystrom_map(power=0.5),
        "or a division by eigenvalues that are only rounding noise": nystrom_map(power=0),
        "keep the largest": nystrom_map(kept=lambda c, k: slice(c - k, c)),
        r"shape \(60, 20\), got \(60, 19\)": nystrom_map(kept=lambda c, k: slice(0, k - 1)),
        r"shape \(60, 3\), got \(60, 30\)": nystrom_map(kept=lambda c, k: slice(0, c)),
        "do both sets use the same draws": nystrom_map(redraw=True),
        "Hint: are the landmarks rows of X_train": nystrom_map(
            landmarks=lambda X_train, X_test, rows: X_test[rows % len(X_test)]
        ),
        "but does at 0 training rows": nystrom_map(
            landmarks=lambda X_train, X_test, rows: X_train[rows] + 0.1
        ),
        "no negative eigenvalue, .* a γ that is not": nystrom_map(gamma_W=lambda gamma: gamma / 2),
        "a γ that is not the one given": lambda A, B, gamma, **asked: nystrom.nystrom(
            A, B, gamma=gamma / 2, **asked
        ),
        "should be finite, got NaN": lambda A, B, **asked: [
            Z / Z.any(axis=0) for Z in nystrom.nystrom(A, B, **asked)
        ],
    },
    "check_nystrom_svm": {
        "fitted on 300 columns, got 2": (LINEAR, Z_NYSTROM[1], Y_TEST, LINEAR_SCORE),
        r"\(400, 300\), got \(400, 500\)": (NYSTROM_SVM, np.ones((400, 500)), Y_TEST, LINEAR_SCORE),
        r"κ\(x, x\) = 1, got 1": (NYSTROM_SVM, 10 * Z_NYSTROM[1], Y_TEST, LINEAR_SCORE),
        "above .* 1.000, got": (NYSTROM_SVM, Z_NYSTROM[1], Y_TEST, 1.0),
    },
    "check_sweep": {
        r"c should be range\(20, 600, 50\), got \[20, 120": sweep(c=range(20, 600, 100)),
        r"scores should have shape \(12,\), got \(12, 4\)": sweep(scores=np.ones((12, 4))),
        "scores should be finite": sweep(scores=[np.nan, *np.linspace(0.9, 0.98, 11)]),
        "scores should rise .* got .* -1.00": sweep(scores=SCORES[::-1]),
        "scores should be from 0 to 1, got 98": sweep(scores=np.linspace(90, 98, 12)),
        "seconds should be positive, got -12": sweep(seconds=range(-12, 0)),
        "seconds should rise with c": sweep(seconds=range(12, 0, -1)),
    },
}
