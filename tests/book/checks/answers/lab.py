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


def lab_matrix(seed=0, factor=50, noise=1, uniform=False):
    rng = np.random.default_rng(seed)
    N_signal, N_noise = (rng.random((n, 200)) if uniform else rng.normal(size=(n, 200)) for n in (20, 100))
    return factor * N_signal.T @ N_signal + noise * N_noise.T @ N_noise


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


def crossed_order(lam, U, k):
    """As from svds: values in their own order, vectors in the opposite."""
    top = np.argsort(-np.abs(lam))[:k]
    return (U[:, top] * lam[top][::-1]) @ U[:, top].T


def fourier_map(
    scale=lambda gamma: np.sqrt(2 * gamma),
    factor=lambda c: np.sqrt(2 / c),
    phase=2 * np.pi,
    redraw=False,
    seeded=lambda seed: seed,
    law=lambda rng, size: rng.normal(size=size),
    phases=lambda rng, phase, c: rng.uniform(0, phase, size=c),
):
    """The lab's algorithm 1, with one of its parts to be replaced."""

    def function(X_train, X_test, *, c, gamma, random_state):
        rng = np.random.default_rng(seeded(random_state))

        def draw():
            return scale(gamma) * law(rng, (X_train.shape[1], c)), phases(rng, phase, c)

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
    cut=1e-12,
    corner=False,
    dtype=float,
):
    """The lab's algorithm 2, with one of its parts to be replaced."""

    def function(X_train, X_test, *, c, k, gamma, random_state):
        rng = np.random.default_rng(random_state)

        def features(X):
            points = landmarks(X_train, X_test, rng.integers(len(X_train), size=c))
            V, sigma, _ = linalg.svd(rbf_kernel(points, gamma=gamma_W(gamma)).astype(dtype))
            weights = np.zeros(c)
            kept_sigma = sigma > max(cut, c * np.finfo(dtype).eps) * sigma[0]
            weights[kept_sigma] = sigma[kept_sigma] ** power
            if corner:
                return rbf_kernel(X, points[:k], gamma=gamma) @ (V[:k, :k] * weights[:k])
            return rbf_kernel(X, points, gamma=gamma) @ (V * weights)[:, kept(c, k)]

        if not redraw:
            Z = features(np.vstack([X_train, X_test]))
            return Z[: len(X_train)], Z[len(X_train) :]
        return features(X_train), features(X_test)

    return function


Z_FOURIER = fourier.random_features(X_TRAIN, X_TEST, c=300, gamma=GAMMA, random_state=0)
Z_NYSTROM = nystrom.nystrom(X_TRAIN, X_TEST, c=500, k=300, gamma=GAMMA, random_state=0)


def scattered(n, seed):
    """Points of ten dimensions and whether they are far out: where 300 landmarks keep less than 500."""
    X = np.random.default_rng(seed).normal(size=(n, 10))
    return X, np.where(np.sum(X**2, axis=1) > 9.3, 1, -1)


FAR_TRAIN, FAR_Y = scattered(4000, 0)
FAR_TEST, FAR_Y_TEST = scattered(1000, 1)
FAR_SCORE = LinearSVC(dual=False).fit(FAR_TRAIN, FAR_Y).score(FAR_TEST, FAR_Y_TEST)


def far_nystrom(X=FAR_TRAIN, c=500):
    """The arguments of question 7's check, with the landmarks from X."""
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
        (LINEAR, gaussian_svm("auto"), X_TEST, Y_TEST),
        (linear_svm(C=10), gaussian_svm(C=10), X_TEST, Y_TEST),
    ],
    "check_rank_trunc": [low_rank.rank_trunc, eigen_truncation(lambda lam: np.argsort(-np.abs(lam)))],
    "check_truncation_curve": [(CURVE[1:101], G), (list(CURVE[1:101]), G)],
    "check_random_features": [fourier.random_features, fourier_map()],
    "check_fourier_svm": [(FOURIER_SVM, Z_FOURIER[1], Y_TEST, LINEAR_SCORE)],
    "check_nystrom": [nystrom.nystrom, nystrom_map(), nystrom_map(dtype=np.float32), nystrom_map(cut=0)],
    "check_nystrom_svm": [(NYSTROM_SVM, Z_NYSTROM[1], Y_TEST, LINEAR_SCORE, X_TRAIN, X_TEST), far_nystrom()],
    "check_sweep": [
        (C_GRID, SCORES, np.linspace(0.1, 3, 12)),
        (C_GRID, SCORES, [9, 1, 8, 2, 7, 3, 6, 4, 5, 5, 4, 6]),  # on a busy machine
        (C_GRID, SCORES, [c**2 + 1e-2 * c**3 for c in C_GRID]),  # as Nyström's may rise
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
        "fitted on training rows, but it is the machine": baselines(
            linear=LinearSVC(dual=False).fit(X_TEST, Y_TEST)
        ),
        "fitted on training rows, but 100%": baselines(rbf=SVC(gamma=GAMMA).fit(X_TEST, Y_TEST)),
    },
    "check_rank_trunc": {
        "negative ones too": eigen_truncation(lambda lam: np.argsort(-lam)),
        "k smallest; eigh": eigen_truncation(lambda lam: np.arange(len(lam))),
        "loses the signs": eigen_truncation(lambda lam: np.argsort(-np.abs(lam)), np.abs),
        r"rank k \+ 1": lambda G, k, method: low_rank.rank_trunc(G, min(k + 1, len(G)), method),
        r"should have shape \(12, 12\), got \(12, 1\)": lambda G, k, method: eigsh(G, k)[1],
        "method = slow, ": lambda G, k, method: low_rank.rank_trunc(G, k - (method == "slow"), method),
        "should be finite, got NaN": lambda G, k, method: G * np.nan,
        "opposite orders": lambda G, k, method: (U_ := np.linalg.eigh(G), crossed_order(*U_, k))[1],
        "returns Vᵀ already": lambda G, k, method: (f := np.linalg.svd(G))[0][:, :k] * f[1][:k] @ f[2].T[:k],
        "what G_k leaves out": lambda G, k, method: G - low_rank.rank_trunc(G, k, method),
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
        "these are squares": (CURVE[1:101] ** 2, G),
        "not of G_k": (
            [np.linalg.norm(truncated(k) - G) / np.linalg.norm(truncated(k)) for k in range(1, 101)],
            G,
        ),
        "per cent": (100 * CURVE[1:101], G),
        "the factor 50 of the signal is missing": (CURVE[1:101], lab_matrix(factor=1)),
        "not its numbers": (CURVE[1:101], lab_matrix(factor=2500)),
        "50 multiplies the signal alone": (CURVE[1:101], lab_matrix(factor=50, noise=50)),
        "as randn does": (CURVE[1:101], lab_matrix(uniform=True)),
    },
    "check_random_features": {
        "half their variance": fourier_map(scale=np.sqrt),
        "twice their variance": fourier_map(scale=lambda gamma: np.sqrt(4 * gamma)),
        "not a standard deviation": fourier_map(scale=lambda gamma: 2 * gamma),
        r"not √\(1/c\)": fourier_map(factor=lambda c: np.sqrt(1 / c)),
        r"Entries should not exceed √\(2/c\) = 0.01, got": fourier_map(factor=lambda c: np.sqrt(2)),
        "the phase b seems to be missing": fourier_map(phase=0),
        r"not on \[0, 1\]": fourier_map(phase=1),
        r"within 0.052 of .*, got [\d.]+\.$": fourier_map(scale=lambda gamma: np.sqrt(2 / 22)),
        "a phase of its own": fourier_map(phases=lambda rng, phase, c: rng.uniform(0, phase)),
        "uniform on .* 𝒩|phases come from": fourier_map(phases=lambda rng, phase, c: rng.normal(size=c)),
        "frequencies are Cauchy's": fourier_map(
            law=lambda rng, size: rng.standard_cauchy(size), scale=lambda gamma: gamma
        ),
        "frequencies are uniform": fourier_map(
            law=lambda rng, size: rng.uniform(-1, 1, size), scale=lambda gamma: np.sqrt(2 * gamma)
        ),
        "not 2/c": fourier_map(factor=lambda c: 2 / c),
        r"𝒩\(0, I\)": fourier_map(scale=lambda gamma: 1),
        "mapped in one call": lambda A, B, **asked: fourier_map()(A, B, **asked)[0],
        "unexpected keyword argument 'random_state'": lambda A, B, *, c, gamma: fourier_map()(
            A, B, c=c, gamma=gamma, random_state=0
        ),
        "do both sets use the same draws": fourier_map(redraw=True),
        "The same random_state should give the same features": fourier_map(seeded=lambda seed: None),
        "Another random_state should give other features": fourier_map(seeded=lambda seed: 0),
        r"\(30, 20000\), got \(25, 20000\)": lambda A, B, **asked: fourier_map()(A, B, **asked)[::-1],
        r"\(30, 20000\), got \(20000, 30\)": lambda A, B, **asked: [
            Z.T for Z in fourier_map()(A, B, **asked)
        ],
    },
    "check_fourier_svm": {
        "fitted on 300 columns, got 2": (LINEAR, Z_FOURIER[1], Y_TEST, LINEAR_SCORE),
        "be a LinearSVC, got SVC": (gaussian_svm(), Z_FOURIER[1], Y_TEST, LINEAR_SCORE),
        r"above the linear machine's 0\.": (
            FOURIER_SVM,
            fourier.random_features(X_TRAIN, X_TEST, c=300, gamma=GAMMA, random_state=9)[1],
            Y_TEST,
            LINEAR_SCORE,
        ),
        r"\(400, 300\), got \(600, 300\)": (FOURIER_SVM, Z_FOURIER[0], Y_TEST, LINEAR_SCORE),
        "= 1, got 0.[45].* on average": (FOURIER_SVM, Z_FOURIER[1] / np.sqrt(2), Y_TEST, LINEAR_SCORE),
        "above .* 1.000, got": (FOURIER_SVM, Z_FOURIER[1], Y_TEST, 1.0),
    },
    "check_nystrom": {
        "seems to be −1": nystrom_map(power=-1),
        "seems to be 1/2": nystrom_map(power=0.5),
        "seems to be 0": nystrom_map(power=0),
        "keep the largest": nystrom_map(kept=lambda c, k: slice(c - k, c)),
        r"shape \(60, 20\), got \(60, 19\)": nystrom_map(kept=lambda c, k: slice(0, k - 1)),
        r"shape \(60, 3\), got \(60, 30\)": nystrom_map(kept=lambda c, k: slice(0, c)),
        "do both sets use the same draws": nystrom_map(redraw=True),
        "but does at [1-9].* Hint: are the landmarks rows of X_train": nystrom_map(
            landmarks=lambda X_train, X_test, rows: X_test[rows % len(X_test)]
        ),
        "but does at 0 training rows": nystrom_map(
            landmarks=lambda X_train, X_test, rows: X_train[rows] + 0.1
        ),
        "is γ the one given": lambda A, B, gamma, **asked: nystrom.nystrom(A, B, gamma=gamma / 2, **asked),
        "the cut of small eigenvalues is too coarse": nystrom_map(cut=1e-3),
        r"not V\[:k, :k\]": nystrom_map(corner=True),
        "mapped in one call": lambda A, B, **asked: nystrom.nystrom(A, B, **asked)[0],
        "should be finite, got NaN": lambda A, B, **asked: [
            Z / Z.any(axis=0) for Z in nystrom.nystrom(A, B, **asked)
        ],
    },
    "check_nystrom_svm": {
        "fitted on 300 columns, got 2": (LINEAR, Z_NYSTROM[1], Y_TEST, LINEAR_SCORE, X_TRAIN, X_TEST),
        r"\(400, 300\), got \(400, 500\)": (
            NYSTROM_SVM,
            np.ones((400, 500)),
            Y_TEST,
            LINEAR_SCORE,
            X_TRAIN,
            X_TEST,
        ),
        r"κ\(x, x\) = 1, got 1": (NYSTROM_SVM, 10 * Z_NYSTROM[1], Y_TEST, LINEAR_SCORE, X_TRAIN, X_TEST),
        "above .* 1.000, got": (NYSTROM_SVM, Z_NYSTROM[1], Y_TEST, 1.0, X_TRAIN, X_TEST),
        "not per cent": (NYSTROM_SVM, Z_NYSTROM[1], Y_TEST, 100 * LINEAR_SCORE, X_TRAIN, X_TEST),
        "c should be 500": far_nystrom(c=300),
        "landmarks rows of X_train": far_nystrom(FAR_TEST),
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
