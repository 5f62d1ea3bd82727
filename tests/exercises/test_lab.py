"""The lab's self-checks let right answers pass and tell each usual wrong one what is wrong with it."""

import numpy as np
import pytest
from scipy import linalg
from scipy.sparse.linalg import eigsh
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC

from kernlib import fourier, low_rank, nystrom
from kernlib.exercises import hint, lab

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
    "baselines": lambda: lab.check_baselines(LINEAR, gaussian_svm(), X_TEST, Y_TEST),
    "baselines, γ by its name": lambda: lab.check_baselines(LINEAR, gaussian_svm("auto"), X_TEST, Y_TEST),
    "baselines at another C": lambda: lab.check_baselines(
        linear_svm(C=10), gaussian_svm(C=10), X_TEST, Y_TEST
    ),
    "kernlib's rank_trunc": lambda: lab.check_rank_trunc(low_rank.rank_trunc),
    "rank_trunc by eigenvectors": lambda: lab.check_rank_trunc(
        eigen_truncation(lambda lam: np.argsort(-np.abs(lam)))
    ),
    "truncation curve": lambda: lab.check_truncation_curve(CURVE[1:101], G),
    "truncation curve as a list": lambda: lab.check_truncation_curve(list(CURVE[1:101]), G),
    "kernlib's random_features": lambda: lab.check_random_features(fourier.random_features),
    "random features": lambda: lab.check_random_features(fourier_map()),
    "SVM on random features": lambda: lab.check_fourier_svm(FOURIER_SVM, Z_FOURIER[1], Y_TEST, LINEAR_SCORE),
    "kernlib's nystrom": lambda: lab.check_nystrom(nystrom.nystrom),
    "Nyström": lambda: lab.check_nystrom(nystrom_map()),
    "SVM on Nyström's features": lambda: lab.check_nystrom_svm(
        NYSTROM_SVM, Z_NYSTROM[1], Y_TEST, LINEAR_SCORE
    ),
    "sweep": lambda: lab.check_sweep(C_GRID, SCORES, np.linspace(0.1, 3, 12)),
    "sweep on a busy machine": lambda: lab.check_sweep(C_GRID, SCORES, [9, 1, 8, 2, 7, 3, 6, 4, 5, 5, 4, 6]),
    "sweep with a dip": lambda: lab.check_sweep(
        [*C_GRID], [0.9, 0.89, *np.linspace(0.9, 0.98, 10)], range(1, 13)
    ),
}


@pytest.mark.parametrize("case", RIGHT)
def test_a_right_answer_passes_with_one_line(case, capsys):
    RIGHT[case]()
    printed = capsys.readouterr().out
    assert printed.startswith("✓ question ") and printed.count("\n") == 1


def baselines(*, linear=LINEAR, rbf=None, X=X_TEST, y=Y_TEST):
    return lambda: lab.check_baselines(linear, rbf or gaussian_svm(), X, y)


def rank_trunc(function):
    return lambda: lab.check_rank_trunc(function)


def curve(errors, G=G):
    return lambda: lab.check_truncation_curve(errors, G)


def random_features(function=None, **part):
    return lambda: lab.check_random_features(function or fourier_map(**part))


def nystroem(function=None, **part):
    return lambda: lab.check_nystrom(function or nystrom_map(**part))


def svm(check, model, Z_test, score=LINEAR_SCORE):
    return lambda: check(model, Z_test, Y_TEST, score)


def sweep(c=C_GRID, scores=SCORES, seconds=range(1, 13)):
    return lambda: lab.check_sweep(c, scores, seconds)


def unchanged_except(G, k, method):
    """A right rank_trunc that writes its result over its input."""
    G[:] = low_rank.rank_trunc(G, k, method)
    return G


WRONG = {
    # question 1
    "the two machines swapped": (
        lambda: lab.check_baselines(gaussian_svm(), LINEAR, X_TEST, Y_TEST),
        "The machine should be a LinearSVC, got SVC",
    ),
    "SVC(kernel='linear')": (
        baselines(rbf=gaussian_svm(kernel="linear")),
        "SVC should have kernel='rbf', got",
    ),
    "not fitted": (baselines(rbf=SVC(gamma=GAMMA)), "SVC should be fitted, and it is not"),
    "γ left at its default": (baselines(rbf=gaussian_svm("scale")), "1/p with p = 2, got scale"),
    "γ = scale, written out": (baselines(rbf=gaussian_svm(1 / (2 * X_TRAIN.var()))), "1/p with p = 2, got 0"),
    "γ = p": (baselines(rbf=gaussian_svm(2.0)), "gamma should be 1/p with p = 2, got 2.0. Hint"),
    "another C": (baselines(linear=linear_svm(C=10)), "the same C, got 10 and 1"),
    "the dual": (baselines(linear=linear_svm(dual=True, loss="hinge")), "dual=False, got dual=True"),
    "labels of the training set": (baselines(y=Y_TRAIN), r"y_test should have shape \(400,\), got \(600,\)"),
    "test rows cut short": (baselines(X=X_TEST[:, :1]), "fitted on 1 columns, got 2"),
    "test rows not standardised": (
        baselines(X=X_TEST - 9),
        "should reach .* Hint: .* standardised rows",
    ),
    # question 2
    "eigenvalues by value": (
        rank_trunc(eigen_truncation(lambda lam: np.argsort(-lam))),
        r"\(indefinite, .* Hint: which eigenvalues are the k largest when some are negative",
    ),
    "eigenvalues in the solver's order": (
        rank_trunc(eigen_truncation(lambda lam: np.arange(len(lam)))),
        r"\(positive semi-definite, n = 12, k = 1, .* should have the relative error",
    ),
    "signs lost": (
        rank_trunc(eigen_truncation(lambda lam: np.argsort(-np.abs(lam)), np.abs)),
        r"\(indefinite, .* does their sign survive",
    ),
    "rank k + 1": (
        rank_trunc(lambda G, k, method: low_rank.rank_trunc(G, min(k + 1, len(G)), method)),
        "should have rank at most 1, got 2",
    ),
    "rank k − 1": (
        rank_trunc(lambda G, k, method: low_rank.rank_trunc(G, k - 1, method)),
        "the relative error",
    ),
    "factors, not their product": (
        rank_trunc(lambda G, k, method: eigsh(G, k)[1]),
        r"should have shape \(12, 12\), got \(12, 1\)",
    ),
    "one of the methods": (
        rank_trunc(lambda G, k, method: low_rank.rank_trunc(G, k - (method == "slow"), method)),
        'method="slow"',
    ),
    "G written over": (rank_trunc(unchanged_except), "leave its arguments as they were"),
    "NaN": (rank_trunc(lambda G, k, method: G * np.nan), "should be finite, got NaN"),
    # question 3
    "k from 0": (curve(CURVE[:100]), "k = 0 to 99"),
    "k from 2": (curve(CURVE[2:102]), "k = 2 to 101"),
    "the minus missing": (
        curve([np.linalg.norm(truncated(k) @ G) / np.linalg.norm(G) for k in range(1, 101)]),
        "the minus between G_k and G is missing",
    ),
    "the norm of G_k": (
        curve([np.linalg.norm(truncated(k)) / np.linalg.norm(G) for k in range(1, 101)]),
        "the norm of G_k, not of what it leaves out",
    ),
    "no division": (curve(CURVE[1:101] * np.linalg.norm(G)), "the division by the norm of G is missing"),
    "spectral norms": (curve(LAMBDA[1:101] / LAMBDA[0]), "spectral norms"),
    "a curve upside down": (
        curve(CURVE[1:101][::-1]),
        r"The relative error at k = \d+ should be .*, got [\d.]+\.$",
    ),
    "ninety-nine errors": (curve(CURVE[1:100]), r"shape \(100,\), got \(99,\)"),
    "a factor transposed": (
        curve(CURVE[1:101], G[:100, :100]),
        r"G should have shape \(200, 200\), got \(100",
    ),
    "a noise of rank 200": (curve(CURVE[1:101], G + np.eye(200)), "G should have rank 120, .* got 200"),
    # question 4
    "variance γ for 2γ": (random_features(scale=np.sqrt), "half their variance"),
    "variance 4γ for 2γ": (random_features(scale=lambda gamma: np.sqrt(4 * gamma)), "twice their variance"),
    "2γ as standard deviation": (random_features(scale=lambda gamma: 2 * gamma), "not a standard deviation"),
    "√2 missing": (random_features(factor=lambda c: np.sqrt(1 / c)), "a factor √2 seems to be missing"),
    "√(1/c) missing": (
        random_features(factor=lambda c: np.sqrt(2)),
        r"Entries should not exceed √\(2/c\) = 0.01, got",
    ),
    "phase missing": (random_features(phase=0), "the phase b seems to be missing"),
    "phase on [0, 1]": (random_features(phase=1), "ZZᵀ should be within 0.05 of the kernel, got an entry"),
    "its own γ": (random_features(scale=lambda gamma: np.sqrt(2 / 22)), "of the kernel, got an entry"),
    "new frequencies for the test set": (random_features(redraw=True), "do both sets use the same draws"),
    "random_state ignored": (
        random_features(seeded=lambda seed: None),
        "The same random_state should give the sa",
    ),
    "a fixed seed": (
        random_features(seeded=lambda seed: 0),
        "Another random_state should give other features",
    ),
    "the sets swapped": (
        random_features(lambda A, B, **parameters: fourier_map()(A, B, **parameters)[::-1]),
        "Z_train should have shape",
    ),
    "features in rows": (
        random_features(lambda A, B, **parameters: [Z.T for Z in fourier_map()(A, B, **parameters)]),
        r"Z_train should have shape \(30, 20000\), got \(20000, 30\)",
    ),
    # question 5
    "fitted on X": (svm(lab.check_fourier_svm, LINEAR, Z_FOURIER[1]), "fitted on 300 columns, got 2"),
    "the kernel machine again": (
        svm(lab.check_fourier_svm, gaussian_svm(), Z_FOURIER[1]),
        "be a LinearSVC, got SVC",
    ),
    "other features for the test set": (
        svm(
            lab.check_fourier_svm,
            FOURIER_SVM,
            fourier.random_features(X_TRAIN, X_TEST, c=300, gamma=GAMMA, random_state=9)[1],
        ),
        "The score should be above the linear machine's .* from one call",
    ),
    "training features for the test set": (
        svm(lab.check_fourier_svm, FOURIER_SVM, Z_FOURIER[0]),
        "Z_test should have",
    ),
    "features without √2": (
        svm(lab.check_fourier_svm, FOURIER_SVM, Z_FOURIER[1] / np.sqrt(2)),
        "= 1, got 0.[45]",
    ),
    "no better than linear": (
        svm(lab.check_fourier_svm, FOURIER_SVM, Z_FOURIER[1], 1.0),
        "above .* 1.000, got",
    ),
    # question 6
    "Σ⁻¹ for Σ^{−1/2}": (nystroem(power=-1), "no negative eigenvalue, .* the power of Σ_k"),
    "Σ^{1/2} for Σ^{−1/2}": (nystroem(power=0.5), "no negative eigenvalue, .* the power of Σ_k"),
    "V alone": (nystroem(power=0), "no negative eigenvalue, .* the power of Σ_k"),
    "the smallest eigenvalues": (nystroem(kept=lambda c, k: slice(c - k, c)), "keep the largest"),
    "k columns too few": (nystroem(kept=lambda c, k: slice(0, k - 1)), r"shape \(60, 20\), got \(60, 19\)"),
    "k ignored": (nystroem(kept=lambda c, k: slice(0, c)), r"shape \(60, 3\), got \(60, 30\)"),
    "new landmarks for the test set": (nystroem(redraw=True), "do both sets use the same draws"),
    "landmarks from the test set": (
        nystroem(landmarks=lambda X_train, X_test, rows: X_test[rows % len(X_test)]),
        "Hint: are the landmarks rows of X_train",
    ),
    "landmarks that are no rows": (
        nystroem(landmarks=lambda X_train, X_test, rows: X_train[rows] + 0.1),
        "but does at 0 training rows",
    ),
    "another γ in W": (nystroem(gamma_W=lambda gamma: gamma / 2), "a γ that is not the one given"),
    "another γ everywhere": (
        nystroem(lambda A, B, gamma, **rest: nystrom.nystrom(A, B, gamma=gamma / 2, **rest)),
        "a γ that is not the one given",
    ),
    "division by an eigenvalue of zero": (
        nystroem(lambda A, B, **rest: [Z / Z.any(axis=0) for Z in nystrom.nystrom(A, B, **rest)]),
        "should be finite, got NaN",
    ),
    # question 7
    "fitted on X again": (svm(lab.check_nystrom_svm, LINEAR, Z_NYSTROM[1]), "fitted on 300 columns, got 2"),
    "c columns": (
        svm(lab.check_nystrom_svm, NYSTROM_SVM, np.ones((400, 500))),
        r"\(400, 300\), got \(400, 500\)",
    ),
    "features that explode": (
        svm(lab.check_nystrom_svm, NYSTROM_SVM, 10 * Z_NYSTROM[1]),
        r"κ\(x, x\) = 1, got 1",
    ),
    "no better than linear, Nyström": (
        svm(lab.check_nystrom_svm, NYSTROM_SVM, Z_NYSTROM[1], 1.0),
        "1.000, got",
    ),
    # question 8
    "another grid": (sweep(c=range(20, 600, 100)), r"c should be range\(20, 600, 50\), got \[20, 120"),
    "a score for each seed": (
        sweep(scores=np.ones((12, 4))),
        r"scores should have shape \(12,\), got \(12, 4\)",
    ),
    "a score missing": (sweep(scores=[np.nan, *np.linspace(0.9, 0.98, 11)]), "scores should be finite"),
    "scores in the other order": (
        sweep(scores=SCORES[::-1]),
        "scores should rise .* got .* -1.00",
    ),
    "scores in percent": (sweep(scores=np.linspace(90, 98, 12)), "scores should be from 0 to 1, got 98"),
    "times and scores swapped": (
        sweep(scores=range(1, 13), seconds=np.linspace(0.9, 1, 12)),
        "0 to 1, got 12",
    ),
    "start minus end": (sweep(seconds=range(-12, 0)), "seconds should be positive, got -12"),
    "times that fall": (sweep(seconds=range(12, 0, -1)), "seconds should rise with c"),
}


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")  # wrong answers divide by zero
@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_answer_gets_the_sentence_that_fits(case, capsys):
    call, sentence = WRONG[case]
    with pytest.raises(AssertionError, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value) and capsys.readouterr().out == ""


def test_a_hint_needs_a_mistake_that_fits():
    mistakes = {"one": np.ones(3), "two": 2 * np.ones(3)}
    assert hint([2, 2, 2], mistakes, atol=0.1) == " Hint: two."
    assert hint([3, 3, 3], mistakes, atol=0.1) == ""
