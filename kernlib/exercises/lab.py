"""Self-checks of the lab's eight questions.

They ask for what holds whatever was drawn: with the shirts or ijcnn1, and with any random generator.

Chapter: The large-scale lab.
"""

import numpy as np
from scipy.stats import spearmanr
from sklearn.svm import SVC, LinearSVC

from kernlib.exercises import expect, expect_numbers, hint, self_check
from kernlib.exercises._feature_maps import (
    SHARED,
    expect_gaussian,
    expect_seeded,
    nystrom_residual,
    train_features,
    two_sets,
)
from kernlib.kernels import Gaussian
from kernlib.low_rank import truncation_errors

__all__ = [
    "check_baselines",
    "check_fourier_svm",
    "check_nystrom",
    "check_nystrom_svm",
    "check_random_features",
    "check_rank_trunc",
    "check_sweep",
    "check_truncation_curve",
]

ROWS = 4000  # of the test set, on which question 1 is scored: the exact machine needs a second, not ten


@self_check
def check_baselines(linear, rbf, X_test, y_test):
    """
    Check the two exact machines: γ = 1/p, the same C, scores that standardised rows give.

    The Gaussian machine's score is above the other two, the linear one's not below the majority's by more
    than three standard errors: where one class is rare, a line may do no better than a constant.

    Parameters
    ----------
    linear, rbf : LinearSVC and SVC
        Fitted on the same training rows.
    X_test, y_test : ndarray of shape (n2, p) and (n2,)
        Standardised test rows, of which the first 4,000 are scored, and their labels.
    """
    n, p = np.shape(X_test)
    expect_numbers("y_test", y_test, (n,))
    _expect_fitted(linear, LinearSVC, p)
    _expect_fitted(rbf, SVC, p)
    expect(linear.dual in (False, "auto"), f"LinearSVC should have dual=False, got dual={linear.dual!r}.")
    expect(rbf.kernel == "rbf", f"SVC should have kernel='rbf', got {rbf.kernel!r}.")
    expect(linear.C == rbf.C, f"Both machines should have the same C, got {linear.C:.3g} and {rbf.C:.3g}.")
    expect(
        rbf.gamma == "auto" or (rbf.gamma != "scale" and np.isclose(rbf.gamma, 1 / p)),
        f"gamma should be 1/p with p = {p}, got {rbf.gamma}. Hint: SVC's default is another one.",
    )
    X, y = X_test[:ROWS], y_test[:ROWS]
    majority = np.unique(y, return_counts=True)[1].max() / len(y)
    linear_score, rbf_score = linear.score(X, y), rbf.score(X, y)
    least = majority - 3 * np.sqrt(majority * (1 - majority) / len(y))
    expect(
        least <= linear_score < rbf_score and majority < rbf_score,
        f"The linear machine should come near to the majority's {majority:.3f}, the Gaussian one exceed "
        f"both, got {linear_score:.3f} and {rbf_score:.3f}. Hint: were both fitted, and tested, on "
        "standardised rows?",
    )
    print("✓ question 1: γ = 1/p, the same C, and the Gaussian machine beats the linear one and a constant")


@self_check
def check_rank_trunc(function):
    """
    Check that G_k has rank at most k and Eckart–Young's error, for semi-definite and indefinite matrices.

    Parameters
    ----------
    function : callable
        Called as ``function(G, k, method="fast")`` and ``function(G, k, method="slow")``.
    """
    rng = np.random.default_rng(0)
    for n in (12, 40):
        A = rng.normal(size=(n, n))
        for kind, G in (("positive semi-definite", A @ A.T), ("indefinite", A + A.T)):
            norm, best = np.linalg.norm(G), truncation_errors(G)
            for k, method in ((k, method) for k in (1, 2, 5, n - 1) for method in ("fast", "slow")):
                what = f'G_k of a matrix ({kind}, n = {n}, k = {k}, method="{method}")'
                Gk = function(G, k, method=method)
                expect_numbers(what, Gk, (n, n))
                rank, error = np.linalg.matrix_rank(Gk, tol=1e-8 * norm), np.linalg.norm(Gk - G) / norm
                expect(rank <= k, f"{what} should have rank at most {k}, got {rank}.")
                expect(
                    abs(error - best[k]) < 1e-8,
                    f"{what} should have the relative error {best[k]:.3g}, got {error:.3g}. Hint: which "
                    "eigenvalues are the k largest when some are negative, and does their sign survive?",
                )
    print("✓ question 2: both methods give rank k and the least possible error")


@self_check
def check_truncation_curve(errors, G):
    """
    Check ‖G_k − G‖_F / ‖G‖_F for k = 1, …, 100 against √(Σ_{i>k} λᵢ²) / √(Σᵢ λᵢ²).

    Parameters
    ----------
    errors : array_like of shape (100,)
        The curve.
    G : ndarray of shape (200, 200)
        The lab's matrix, of rank 120.
    """
    expect_numbers("G", G, (200, 200))
    rank = np.linalg.matrix_rank(G, hermitian=True)
    expect(rank == 120, f"G should have rank 120, 20 from the signal and 100 from the noise, got {rank}.")
    expect_numbers("The errors for k = 1 to 100", errors, (100,))
    every, norm = truncation_errors(G), np.linalg.norm(G)
    right, squares = every[1:101], np.sort(np.linalg.eigvalsh(G) ** 2)[::-1]
    mistakes = {
        "this is the curve for k = 0 to 99": every[:100],
        "this is the curve for k = 2 to 101": every[2:102],
        "the minus between G_k and G is missing": np.sqrt(np.cumsum(squares**2))[:100] / norm,
        "this is the norm of G_k, not of what it leaves out": np.sqrt(np.cumsum(squares))[:100] / norm,
        "the division by the norm of G is missing": right * norm,
        "these are spectral norms, not Frobenius norms": np.sqrt(squares[1:101] / squares[0]),
    }
    worst = np.abs(np.asarray(errors) - right).argmax()
    expect(
        np.allclose(errors, right, rtol=0, atol=1e-6),
        f"The relative error at k = {worst + 1} should be {right[worst]:.3g}, got {errors[worst]:.3g}."
        + hint(errors, mistakes, atol=1e-6),
    )
    print("✓ question 3: the 100 errors are those that the eigenvalues predict")


@self_check
def check_random_features(function):
    """
    Check that ZZᵀ is the Gaussian kernel on average, within six standard errors, in p = 1, 2, 5 and 22.

    Parameters
    ----------
    function : callable
        Called as ``function(X_train, X_test, c=…, gamma=…, random_state=…)``; gives Z_train and Z_test.
    """
    rng, c = np.random.default_rng(0), 20_000
    six_errors = 6 * np.sqrt(1.5 / c)  # the variance of an entry of ZZᵀ is at most 1.5/c
    for p in (22, 5, 2, 1):
        X_train, X_test = two_sets(rng, 30, p)
        gamma = 0.4 / p  # not 1/p: the function must use the γ that it is given
        Z = train_features(function, X_train, X_test, columns=c, c=c, gamma=gamma)
        bound, largest = np.sqrt(2 / c), np.abs(Z).max()
        expect(
            largest <= bound * (1 + 1e-6),
            f"Entries should not exceed √(2/c) = {bound:.3g}, got {largest:.3g}. Hint: look at the factor.",
        )
        G = Gaussian(gamma)(X_train)
        mistakes = {
            "a factor √2 seems to be missing": G / 2,
            "the phase b seems to be missing": G + Gaussian(gamma)(X_train, -X_train),
        }
        expect_gaussian(Z, X_train, gamma, mistakes, atol=six_errors)
    _expect_seeded(function, c=10, gamma=0.5)
    print("✓ question 4: one draw for both sets, and ZZᵀ is the kernel on average")


@self_check
def check_fourier_svm(model, Z_test, y_test, linear_score):
    """
    Check that a linear machine on c = 300 random features beats the linear machine on X.

    Parameters
    ----------
    model : LinearSVC
        Fitted on the features of the training set.
    Z_test, y_test : ndarray of shape (n2, 300) and (n2,)
        Features of the test set, and its labels.
    linear_score : float
        Test score of the linear machine of question 1.
    """
    _expect_better(model, Z_test, y_test, linear_score)
    length = np.mean(np.sum(np.square(Z_test), axis=1))
    expect(
        abs(length - 1) < 0.2,
        f"Rows of Z_test should have ‖φ̂(x)‖² ≈ κ(x, x) = 1, got {length:.2f} on average.",
    )
    print("✓ question 5: 300 random features beat the linear machine on X")


@self_check
def check_nystrom(function):
    """
    Check what Nyström's features have in common, whichever training rows are the landmarks.

    G − ZZᵀ has no negative eigenvalue. At k = c its diagonal is zero at the landmarks and only there. The k
    columns keep the largest eigenvalues. Repeated landmarks leave all numbers finite.

    Parameters
    ----------
    function : callable
        Called as ``function(X_train, X_test, c=…, k=…, gamma=…, random_state=…)``; gives Z_train and Z_test.
    """
    rng, c = np.random.default_rng(0), 20
    for p in (2, 5):
        lost = nystrom_residual(function, *two_sets(rng, 60, p), c=c, k=c, gamma=2 / p)
        exact = np.count_nonzero(lost < 1e-7)
        expect(
            c / 2 < exact <= c,
            f"With k = c = {c} of 60 rows, ZZᵀ should give κ(x, x) exactly at the landmarks and only there, "
            f"but does at {exact} training rows. Hint: are the landmarks rows of X_train?",
        )
    X_train, X_test = two_sets(rng, 60, 3)
    clusters = 10 * np.eye(3)[np.arange(60) % 3]
    X_train, X_test = (0.1 * X + clusters[: len(X)] for X in (X_train, X_test))
    lost = nystrom_residual(function, X_train, X_test, c=30, k=3, gamma=0.5).max()
    expect(
        lost < 0.5,
        f"Three columns should do for three tight clusters, but ZZᵀ misses {lost:.2f} of κ(x, x) = 1. "
        "Hint: are the k eigenvalues that you keep the largest?",
    )
    X_train, X_test = two_sets(rng, SHARED, 3)
    nystrom_residual(function, np.tile(X_train, (6, 1)), X_test, c=40, k=30, gamma=0.5)
    _expect_seeded(function, c=10, k=5, gamma=0.5)
    print("✓ question 6: ZZᵀ is Nyström's approximation, repeated landmarks or not")


@self_check
def check_nystrom_svm(model, Z_test, y_test, linear_score):
    """
    Check that a linear machine on k = 300 Nyström columns beats the linear machine on X.

    Parameters
    ----------
    model : LinearSVC
        Fitted on the features of the training set.
    Z_test, y_test : ndarray of shape (n2, 300) and (n2,)
        Features of the test set, and its labels.
    linear_score : float
        Test score of the linear machine of question 1.
    """
    _expect_better(model, Z_test, y_test, linear_score)
    length = np.max(np.sum(np.square(Z_test), axis=1))
    expect(length < 1.001, f"Rows of Z_test should have ‖φ̂(x)‖² ≤ κ(x, x) = 1, got {length:.3g}.")
    print("✓ question 7: 300 Nyström columns beat the linear machine on X")


@self_check
def check_sweep(c, scores, seconds):
    """
    Check the curves of one method: scores at twelve values of c, rising on the whole, and their times.

    How fast times rise depends on the machine and what else it does; only an order turned round is refused.

    Parameters
    ----------
    c : sequence of int
        range(20, 600, 50).
    scores, seconds : array_like of shape (12,)
        Test accuracy at each c, and the time for features, fit and prediction.
    """
    expect(list(c) == list(range(20, 600, 50)), f"c should be range(20, 600, 50), got {list(c)}.")
    expect_numbers("scores", scores, (12,))
    expect_numbers("seconds", seconds, (12,))
    expect(0 <= min(scores) and max(scores) <= 1, f"scores should be from 0 to 1, got {max(scores):.3g}.")
    expect(min(seconds) > 0, f"seconds should be positive, got {min(seconds):.3g}. Hint: end minus start.")
    for name, values, least in (("scores", scores, 0.5), ("seconds", seconds, -0.9)):
        rises = spearmanr(c, values).statistic
        expect(
            rises > least, f"{name} should rise with c on the whole, got a rank correlation of {rises:.2f}."
        )
    print("✓ question 8: scores rise with c on the whole, and every time is positive")


def _expect_fitted(model, kind, columns):
    """A machine of this kind, fitted on that many columns."""
    name, got = kind.__name__, type(model).__name__
    expect(isinstance(model, kind), f"The machine should be a {name}, got {got}.")
    expect(hasattr(model, "n_features_in_"), f"The {name} should be fitted, and it is not.")
    fitted = model.n_features_in_
    expect(fitted == columns, f"The {name} should be fitted on {columns} columns, got {fitted}.")


def _expect_better(model, Z_test, y_test, linear_score):
    """A linear machine on 300 columns that scores above the one on X."""
    expect_numbers("Z_test", Z_test, (len(y_test), 300))
    _expect_fitted(model, LinearSVC, 300)
    score = model.score(Z_test, y_test)
    expect(
        score > linear_score,
        f"The score should be above the linear machine's {linear_score:.3f}, got {score:.3f}. Hint: did "
        "Z_train and Z_test come from one call?",
    )


def _expect_seeded(function, **parameters):
    """random_state decides the features of one small draw."""
    sets = two_sets(np.random.default_rng(0), 30, 2)
    expect_seeded(lambda seed: function(*sets, random_state=seed, **parameters)[0], "features")
