"""The checks of the lab's three functions: truncation and the two feature maps."""

import numpy as np

from kernlib.book.checks import expect, expect_right, self_check
from kernlib.book.checks._expect import advice
from kernlib.book.checks._feature_maps import (
    SHARED,
    expect_gaussian,
    expect_seeded,
    nystrom_residual,
    pair_of,
    power_of,
    train_features,
    two_sets,
)
from kernlib.kernels import Gaussian
from kernlib.nystrom import nystrom

__all__ = ["check_nystrom", "check_random_features", "check_rank_trunc", "expect_landmarks"]


@self_check
def check_rank_trunc(function):
    """
    Check that G_k has rank at most k and Eckart–Young's error, for semi-definite and indefinite matrices.

    Parameters
    ----------
    function : callable
        Called as ``function(G, k, method="fast")`` and ``function(G, k, method="slow")``.
    """
    rng, Gs = (
        np.random.default_rng(0),
        [np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[1.0, 3.0], [3.0, -1.5]])],
    )
    for n in (12, 40):
        A = rng.normal(size=(n, n))
        Gs += [A @ A.T, A + A.T]
    methods = ("fast", "slow")
    cases = [(G, k, name) for G in Gs for k in (1, 2, 5, len(G) - 1) if k < len(G) for name in methods]

    def kept(G, k, chosen, weights=lambda lam: lam):
        lam, U = np.linalg.eigh(G)
        top = chosen(lam)[:k]
        return (U[:, top] * weights(lam[top])) @ U[:, top].T

    def sizes(lam):
        return np.argsort(-np.abs(lam))

    def by(change):
        return lambda G, k, *, method: change(G, k)

    def crossed(shape):
        """From the factors of an SVD, V not transposed."""
        return by(lambda G, k: shape(*np.linalg.svd(G), k))

    def right(G, k, *, method):
        return kept(G, k, sizes)

    mistakes = {
        "the k largest in magnitude are kept, negative ones too": by(
            lambda G, k: kept(G, k, lambda lam: np.argsort(-lam))
        ),
        "these are the k smallest; eigh sorts upwards": by(lambda G, k: kept(G, k, np.argsort)),
        "these are the k smallest in magnitude": by(lambda G, k: kept(G, k, lambda lam: sizes(lam)[::-1])),
        "UΣUᵀ loses the signs of negative eigenvalues; take UΣVᵀ": by(lambda G, k: kept(G, k, sizes, np.abs)),
        "values and vectors are in opposite orders; svds and eigsh sort upwards": by(
            lambda G, k: kept(G, k, sizes, lambda lam: lam[::-1])
        ),
        "np.linalg.svd returns Vᵀ already": (
            crossed(lambda U, s, Vt, k: (U[:, :k] * s[:k]) @ Vt[:, :k].T),
            crossed(lambda U, s, Vt, k: (U[:, :k] * s[:k]) @ Vt.T[:k]),
        ),
        "this is the matrix itself": by(lambda G, k: G),
        "this is what G_k leaves out": by(lambda G, k: G - kept(G, k, sizes)),
        "this has rank k + 1": by(lambda G, k: kept(G, k + 1, sizes)),
        "this has rank k − 1": by(lambda G, k: kept(G, k - 1, sizes)),
    }
    expect_right("G_k", function, right, [c for c in cases if len(c[0]) > 2], mistakes, atol=1e-5)
    small = [c for c in cases if len(c[0]) == 2]
    expect_right("G_k", function, right, small, {}, atol=1e-5)
    print("✓ question 2: both methods give rank k and the least possible error")


@self_check
def check_random_features(function):
    """
    Check that ZZᵀ is the Gaussian kernel on average, within six standard errors, in p = 1, 2, 5 and 22.

    Parameters
    ----------
    function : callable
        Called as ``function(X_train, X_test, c=…, gamma=…, random_state=…)``; gives Z_train and Z_test.
    """
    rng, c, averages = np.random.default_rng(0), 20_000, []
    six_errors = 6 * np.sqrt(1.5 / c)  # the variance of an entry of ZZᵀ is at most 1.5/c
    for p in (1, 2, 5, 22):
        X_train, X_test = two_sets(rng, 30, p)
        gamma = 0.4 / p  # not 1/p: the function must use the γ that it is given
        Z = train_features(function, X_train, X_test, columns=c, c=c, gamma=gamma)
        averages.append(((gamma, X_train), Z @ Z.T, six_errors))
        bound, largest = np.sqrt(2 / c), np.abs(Z).max()
        expect(
            largest <= bound * (1 + 1e-4),
            f"Entries should not exceed √(2/c) = {bound:.3g}, got {largest:.3g}. Hint: look at the factor.",
        )

    def with_phase(mean):
        """What the features give where cos 2b has this mean."""
        return lambda gamma, X: Gaussian(gamma)(X) + mean * Gaussian(gamma)(X, -X)

    def one_phase(gamma, X):
        """The same where it is one number, whichever fits this draw."""
        found = next(found for case, found, _ in averages if case[1] is X)
        shared = Gaussian(gamma)(X, -X)
        share = np.sum((found - Gaussian(gamma)(X)) * shared) / np.sum(shared**2)
        return with_phase(np.clip(share, -1, 1))(gamma, X)

    mistakes = {
        "the factor is √(2/c), not √(1/c)": lambda gamma, X: Gaussian(gamma)(X) / 2,
        "the factor is √(2/c), not 2/c": lambda gamma, X: Gaussian(gamma)(X) * 2 / c,
        "the phase b seems to be missing": with_phase(1),
        "the phase b is uniform on [0, 2π], not on [0, 1]": with_phase(np.sin(2) / 2),
        "the phases come from 𝒩(0, 1): they are uniform on [0, 2π]": with_phase(np.exp(-2)),
    }
    expect_gaussian(averages, mistakes, last={"each column has a phase of its own": one_phase})
    small_seeds(function, c=10, gamma=0.5)
    print("✓ question 4: one draw for both sets, and ZZᵀ is the kernel on average")


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
        exact = np.count_nonzero(lost < 1e-5)
        expect(
            c / 2 < exact <= c,
            f"With k = c = {c} of 60 rows, ZZᵀ should give κ(x, x) exactly at the landmarks and only there, "
            f"but does at {exact} training rows. Hint: {where_lost(function)}",
        )
    X_train, X_test = two_sets(rng, 60, 3)
    clusters = 10 * np.eye(3)[np.arange(60) % 3]
    X_train, X_test = (0.1 * X + clusters[: len(X)] for X in (X_train, X_test))
    lost = nystrom_residual(function, X_train, X_test, c=30, k=3, gamma=0.5).max()
    expect(
        lost < 0.5,
        f"Three columns should do for three tight clusters, but ZZᵀ misses {lost:.2f} of κ(x, x) = 1. "
        f"Hint: {where_turned(function)}",
    )
    X_train, X_test = two_sets(rng, SHARED, 3)
    nystrom_residual(function, np.tile(X_train, (6, 1)), X_test, c=40, k=30, gamma=0.5)
    small_seeds(function, c=10, k=5, gamma=0.5)
    print("✓ question 6: ZZᵀ is Nyström's approximation, repeated landmarks or not")


def where_turned(function):
    """Why three columns are too few for three clusters."""
    told = power_of(function)
    return told if "V[:k, :k]" in told else "are the k eigenvalues that you keep the largest?"


def where_lost(function):
    """Why the kernel is not exact at the landmarks: a coarse cut loses the difference of two near points."""
    near = np.repeat([[0.0, 0.0], [0.001, 0.0]], 30, axis=0)  # the smaller eigenvalue is 5e-7 of the other
    Z = pair_of(function, near, near[::6], c=20, k=2, gamma=1.0, random_state=0)[0]
    apart = np.sum((Z[0] - Z[-1]) ** 2)  # ‖φ(x) − φ(x′)‖² = 2(1 − κ) = 2e-6
    if apart < 1e-6:
        return "the cut of small eigenvalues is too coarse; those that are rounding noise go, no others."
    return "are the landmarks rows of X_train?"


def small_seeds(function, **parameters):
    """random_state decides the features of one small draw."""
    sets = two_sets(np.random.default_rng(0), 30, 2)
    expect_seeded(
        function, lambda seed: pair_of(function, *sets, random_state=seed, **parameters)[0], "features"
    )


def expect_landmarks(Z_test, X_train, X_test):
    """By how much of κ(x, x) = 1 the features keep on the average: 500 landmarks, from the training set."""
    kept = np.mean(np.sum(np.square(Z_test), axis=1))
    rows = {
        "": (X_train, 500),
        "c should be 500": (X_train, 300),
        "are the landmarks rows of X_train?": (X_test, min(500, len(X_test))),
    }
    means = {}
    for text, (X, c) in rows.items():
        draws = (
            nystrom(X, X_test, c=c, k=300, gamma=1 / X.shape[1], random_state=seed)[1] for seed in (0, 1)
        )
        means[text] = np.mean([np.mean(np.sum(Z**2, axis=1)) for Z in draws])
    nearest = min(means, key=lambda text: abs(means[text] - kept))
    expect(
        not nearest or abs(means[nearest] - means[""]) < 0.004,  # where both are alike, nothing is said
        f"Rows of Z_test should keep {means['']:.3f} of κ(x, x) = 1 on average, as 500 landmarks and 300 "
        f"columns do, got {kept:.3f}.{advice(nearest)}",
    )
