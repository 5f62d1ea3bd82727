"""Self-checks of the lab's eight questions.

They ask for what holds whatever was drawn: with the shirts or ijcnn1, and with any random generator.

Chapter: The large-scale lab.
"""

import numpy as np
from scipy.stats import spearmanr
from sklearn.base import clone
from sklearn.svm import SVC, LinearSVC

from kernlib.book.checks import expect, expect_numbers, expect_real, hint, self_check
from kernlib.book.checks._lab_functions import (
    check_nystrom,
    check_random_features,
    check_rank_trunc,
    expect_landmarks,
)
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
    n, p = expect_rows("X_test", X_test)
    expect_numbers("y_test", y_test, (n,))
    expect_fitted(linear, LinearSVC, p)
    expect_fitted(rbf, SVC, p)
    expect(linear.dual in (False, "auto"), f"LinearSVC should have dual=False, got dual={linear.dual!r}.")
    expect(rbf.kernel == "rbf", f"SVC should have kernel='rbf', got {rbf.kernel!r}.")
    expect(linear.C == rbf.C, f"Both machines should have the same C, got {linear.C:.3g} and {rbf.C:.3g}.")
    expect(
        rbf.gamma == "auto" or (rbf.gamma != "scale" and np.isclose(rbf.gamma, 1 / p)),
        f"gamma should be 1/p with p = {p}, got {rbf.gamma}. Hint: SVC's default is another one.",
    )
    again = clone(linear).fit(X_test, y_test)
    expect(
        not np.allclose(again.coef_, linear.coef_, rtol=1e-3),
        "LinearSVC should be fitted on training rows, but it is the machine that X_test and y_test give.",
    )
    own = {row.tobytes() for row in np.asarray(X_test, dtype=float)}
    drawn = np.mean([row.tobytes() in own for row in rbf.support_vectors_])
    expect(
        drawn < 0.5,
        f"SVC should be fitted on training rows, but {drawn:.0%} of its support vectors are rows of X_test.",
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
    expect_signal(np.trace(G))
    expect_numbers("The errors for k = 1 to 100", errors, (100,))
    every, norm = truncation_errors(G), np.linalg.norm(G)
    right, squares = every[1:101], np.sort(np.linalg.eigvalsh(G) ** 2)[::-1]
    mistakes = {
        "this is the curve for k = 0 to 99": every[:100],
        "this is the curve for k = 2 to 101": every[2:102],
        "the minus between G_k and G is missing": np.sqrt(np.cumsum(squares**2))[:100] / norm,
        "this is the norm of G_k, not of what it leaves out": np.sqrt(np.cumsum(squares))[:100] / norm,
        "the division by the norm of G is missing": right * norm,
        "these are squares": right**2,
        "divide by the norm of G, not of G_k": right * norm / np.sqrt(np.cumsum(squares))[:100],
        "these are per cent; a part of ‖G‖_F is asked for": 100 * right,
        "these are spectral norms, not Frobenius norms": np.sqrt(squares[1:101] / squares[0]),
    }
    worst = np.abs(np.asarray(errors) - right).argmax()
    expect(
        np.allclose(errors, right, rtol=0, atol=1e-6),
        f"The relative error at k = {worst + 1} should be {right[worst]:.3g}, got {errors[worst]:.3g}."
        + hint(errors, mistakes, atol=1e-6),
    )
    print("✓ question 3: the 100 errors are those that the eigenvalues predict")


def expect_signal(trace):
    """The trace of G is 50·20·200 + 100·200 on average, and within a few per cent of that."""
    mistakes = {
        "the factor 50 of the signal is missing": 24_000,
        "50 multiplies the signal's product, not its numbers": 10_020_000,
        "50 multiplies the signal alone": 1_200_000,
        "numbers are drawn from 𝒩(0, 1), as randn does, not from [0, 1)": 220_000 / 3,
        "numbers are drawn from 𝒩(0, 1), and the factor 50 is missing": 8_000,
    }
    fits = [f" Hint: {text}." for text, value in mistakes.items() if abs(trace / value - 1) < 0.15]
    expect(
        abs(trace / 220_000 - 1) < 0.15,
        f"The trace of G should be about 220,000, got {trace:,.0f}." + "".join(fits[:1]),
    )


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
    expect_better(model, Z_test, y_test, linear_score)
    length = np.mean(np.sum(np.square(Z_test), axis=1))
    expect(
        abs(length - 1) < 0.2,
        f"Rows of Z_test should have ‖φ̂(x)‖² ≈ κ(x, x) = 1, got {length:.2f} on average.",
    )
    print("✓ question 5: 300 random features beat the linear machine on X")


@self_check
def check_nystrom_svm(model, Z_test, y_test, linear_score, X_train, X_test):
    """
    Check that a linear machine on k = 300 columns of c = 500 landmarks beats the linear machine on X.

    Parameters
    ----------
    model : LinearSVC
        Fitted on the features of the training set.
    Z_test, y_test : ndarray of shape (n2, 300) and (n2,)
        Features of the test set, and its labels.
    linear_score : float
        Test score of the linear machine of question 1.
    X_train, X_test : ndarray of shape (n1, p) and (n2, p)
        The standardised rows: how much 500 landmarks from the first keep of the second is known.
    """
    expect_better(model, Z_test, y_test, linear_score)
    length = np.max(np.sum(np.square(Z_test), axis=1))
    expect(length < 1.001, f"Rows of Z_test should have ‖φ̂(x)‖² ≤ κ(x, x) = 1, got {length:.3g}.")
    for name, X in (("X_train", X_train), ("X_test", X_test)):
        expect_rows(name, X)
    expect_landmarks(Z_test, np.asarray(X_train), np.asarray(X_test))
    print("✓ question 7: 300 Nyström columns beat the linear machine on X")


@self_check
def check_sweep(c, scores, seconds):
    """
    Check the curves of one method: scores at twelve values of c, rising on the whole, and their times.

    How fast times rise depends on the machine and what else it does; only an order turned round is refused.
    Times added up from c to c, as of a clock that is never started anew, rise like times that have a c² in
    them, so no check can tell them apart.

    Parameters
    ----------
    c : sequence of int
        range(20, 600, 50).
    scores, seconds : array_like of shape (12,)
        Test accuracy at each c, and the time for features, fit and prediction.
    """
    sizes = expect_real("c", c).tolist()
    expect(sizes == list(range(20, 600, 50)), f"c should be range(20, 600, 50), got {sizes}.")
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


def expect_rows(name, X):
    """A matrix of finite numbers; gives its shape."""
    shape = expect_real(name, X).shape
    expect(len(shape) == 2, f"{name} should have two dimensions, one row an observation, got {shape}.")
    expect_numbers(name, X, shape)
    return shape


def expect_fitted(model, kind, columns):
    """A machine of this kind, fitted on that many columns."""
    name, got = kind.__name__, type(model).__name__
    expect(isinstance(model, kind), f"The machine should be a {name}, got {got}.")
    expect(hasattr(model, "n_features_in_"), f"The {name} should be fitted, and it is not.")
    fitted = model.n_features_in_
    expect(fitted == columns, f"The {name} should be fitted on {columns} columns, got {fitted}.")


def expect_better(model, Z_test, y_test, linear_score):
    """A linear machine on 300 columns that scores above the one on X."""
    expect_numbers("linear_score", linear_score, ())
    expect(
        0 <= linear_score <= 1,
        f"linear_score should be from 0 to 1, got {linear_score:.3g}. Hint: it is a share, not per cent.",
    )
    n = expect_real("y_test", y_test).size
    expect_numbers("y_test", y_test, (n,))
    expect_numbers("Z_test", Z_test, (n, 300))
    expect_fitted(model, LinearSVC, 300)
    score = model.score(Z_test, y_test)
    expect(
        score > linear_score,
        f"The score should be above the linear machine's {linear_score:.3f}, got {score:.3f}. Hint: did "
        "Z_train and Z_test come from one call?",
    )
