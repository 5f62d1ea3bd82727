"""What checks ask of feature maps, whatever was drawn: one draw for both sets, and the kernel in ZZᵀ."""

import numpy as np

from kernlib.exercises import expect, expect_close, expect_numbers
from kernlib.kernels import Gaussian

__all__ = ["SHARED", "expect_gaussian", "expect_seeded", "nystrom_residual", "train_features", "two_sets"]

SHARED = 10  # the first rows of X_test are the first of X_train: they must get the same features


def two_sets(rng, n, p):
    """Training rows and half as many new ones, which follow some of the training rows in the test set."""
    X_train, new = rng.normal(size=(n, p)), rng.normal(size=(n // 2, p))
    return X_train, np.concatenate([X_train[:SHARED], new])


def train_features(function, X_train, X_test, *, columns, drawn="draws", **parameters):
    """Z_train, once it is known that both sets are mapped alike."""
    Z_train, Z_test = function(X_train, X_test, random_state=0, **parameters)
    expect_numbers("Z_train", Z_train, (len(X_train), columns))
    expect_numbers("Z_test", Z_test, (len(X_test), columns))
    expect(
        np.allclose(Z_train[:SHARED], Z_test[:SHARED], atol=1e-6),
        "A row that is in both sets should have the same features in both, got others. Hint: do both sets "
        f"use the same {drawn}?",
    )
    return Z_train


def expect_gaussian(Z, X, gamma, mistakes, *, atol):
    """ZZᵀ is the Gaussian kernel on average; `mistakes` are those beside a wrong variance."""
    variances = {
        "the frequencies seem to have half their variance": Gaussian(gamma / 2)(X),
        "the frequencies seem to have twice their variance": Gaussian(2 * gamma)(X),
        "2γ is a variance, not a standard deviation": Gaussian(2 * gamma**2)(X),
    }
    what = f"With p = {X.shape[1]} and c = {Z.shape[1]}, ZZᵀ should be within {atol:.2f} of the kernel"
    got = "an entry {:.2f} away"
    expect_close(what, Z @ Z.T, Gaussian(gamma)(X), mistakes | variances, atol=atol, got=got)


def nystrom_residual(function, X_train, X_test, *, c, k, gamma):
    """The diagonal of G − ZZᵀ on the training rows, once that is known to have no negative eigenvalue."""
    Z = train_features(function, X_train, X_test, columns=k, c=c, k=k, gamma=gamma)
    residual = Gaussian(gamma)(X_train) - Z @ Z.T
    least = np.linalg.eigvalsh(residual)[0]
    expect(
        least > -1e-6,
        f"G − ZZᵀ should have no negative eigenvalue, got {least:.3g}. Hint: the power of Σ_k in M_k, a γ "
        "that is not the one given, or a division by eigenvalues that are only rounding noise.",
    )
    return np.diag(residual)


def expect_seeded(draw, what):
    """`draw(seed)` is decided by its seed."""
    first, again, other = (draw(seed) for seed in (0, 0, 1))
    expect(np.allclose(first, again, atol=1e-6), f"The same random_state should give the same {what}.")
    expect(not np.allclose(first, other, atol=1e-6), f"Another random_state should give other {what}.")
