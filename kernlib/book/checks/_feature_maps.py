"""What checks ask of feature maps, whatever was drawn: one draw for both sets, and the kernel in ZZᵀ."""

import numpy as np

from kernlib.book.checks import expect, expect_means, expect_numbers
from kernlib.kernels import Gaussian, Laplace

__all__ = [
    "SHARED",
    "expect_gaussian",
    "expect_seeded",
    "nystrom_residual",
    "pair_of",
    "power_of",
    "train_features",
    "two_sets",
]

SHARED = 10  # the first rows of X_test are the first of X_train: they must get the same features


def two_sets(rng, n, p):
    """Training rows and half as many new ones, which follow some of the training rows in the test set."""
    X_train, new = rng.normal(size=(n, p)), rng.normal(size=(n // 2, p))
    return X_train, np.concatenate([X_train[:SHARED], new])


def pair_of(function, X_train, X_test, **parameters):
    """What a map returns, once it is known to be two sets of features."""
    found = function(X_train, X_test, **parameters)
    expect(
        (isinstance(found, tuple | list) or np.ndim(found) == 3) and len(found) == 2,
        f"The function should return Z_train and Z_test, got {type(found).__name__}. Hint: both sets are "
        "mapped in one call.",
    )
    return found


def train_features(function, X_train, X_test, *, columns, drawn="draws", **parameters):
    """Z_train, once it is known that both sets are mapped alike."""
    Z_train, Z_test = pair_of(function, X_train, X_test, random_state=0, **parameters)
    expect_numbers("Z_train", Z_train, (len(X_train), columns))
    expect_numbers("Z_test", Z_test, (len(X_test), columns))
    expect(
        np.allclose(Z_train[:SHARED], Z_test[:SHARED], atol=1e-4 if is_single(Z_train) else 1e-6),
        "A row that is in both sets should have the same features in both, got others. Hint: do both sets "
        f"use the same {drawn}?",
    )
    return np.asarray(Z_train, dtype=float)


def is_single(Z):
    """Whether features are in float32."""
    return np.asarray(Z).dtype == np.float32


def expect_gaussian(averages, mistakes, last=None):
    """ZZᵀ is the Gaussian kernel on average; suspicions are `mistakes`, other frequencies, then `last`."""

    def right(gamma, X):
        return Gaussian(gamma)(X)

    frequencies = {
        "the frequencies seem to have half their variance": lambda gamma, X: right(gamma / 2, X),
        "the frequencies seem to have twice their variance": lambda gamma, X: right(2 * gamma, X),
        "2γ is a variance, not a standard deviation": lambda gamma, X: right(2 * gamma**2, X),
        "γ is ignored: the frequencies are 𝒩(0, I)": lambda gamma, X: right(0.5, X),
        "γ is ignored: the frequencies are 𝒩(0, 2I)": lambda gamma, X: right(1, X),
        "γ is the one that is given, not 1/p": lambda gamma, X: right(1 / X.shape[1], X),
        "the frequencies are Cauchy's; those of the Gaussian kernel are normal": lambda gamma, X: Laplace(
            gamma
        )(X),
        "the frequencies are uniform; those of the Gaussian kernel are normal": lambda gamma, X: np.prod(
            np.sinc(np.sqrt(2 * gamma) * (X[:, None] - X) / np.pi), axis=2
        ),
    }
    expect_means("ZZᵀ", right, averages, mistakes | frequencies | (last or {}))


def nystrom_residual(function, X_train, X_test, *, c, k, gamma):
    """The diagonal of G − ZZᵀ on the training rows, once that is known to have no negative eigenvalue."""
    Z = train_features(function, X_train, X_test, columns=k, c=c, k=k, gamma=gamma)
    residual = Gaussian(gamma)(X_train) - Z @ Z.T
    least = np.linalg.eigvalsh(residual)[0]
    expect(
        least > -1e-4,  # W may be in float32
        f"G − ZZᵀ should have no negative eigenvalue, got {least:.3g}. Hint: {power_of(function)}",
    )
    return np.diag(residual)


def power_of(function):
    """
    What two heaps of equal points tell about M_k.

    m of the c landmarks fall on the first heap, c − m on the second: they are the eigenvalues of W, and a row
    of the first has the squared length m^(1 + 2·power).
    """
    heaps, c = np.repeat([[0.0, 0.0], [50.0, 0.0]], 30, axis=0), 20
    Z = pair_of(function, heaps, heaps[::6], c=c, k=2, gamma=1.0, random_state=0)[0]
    lengths = np.sum(np.square(Z, dtype=float), axis=1)[[0, -1]]
    for exponent, told in ((-1, "−1"), (1, "0"), (2, "1/2"), (-3, "−2")):
        with np.errstate(all="ignore"):
            m = np.sum(lengths ** (1 / exponent))
        if np.isclose(m, c, rtol=1e-4):
            return f"the power of Σ_k in M_k is −1/2, and yours seems to be {told}."
    if is_corner(np.sqrt(lengths), c):
        return "M_k needs the first k columns of V, with all c rows: V[:, :k], not V[:k, :k]."
    if np.allclose(lengths, 1, atol=1e-4):
        return "is γ the one given, in W as in κ(x, landmarks)? Is nothing divided by rounding noise?"
    return "W_k is made of the k largest eigenvalues, and its root is inverted."


def is_corner(roots, c):
    """Whether two landmarks only are summed: the roots are n/m and (2 − n)/(c − m) for whole numbers."""
    return any(
        np.allclose(roots, [n / m, (2 - n) / (c - m)], atol=1e-4) for n in (0, 1, 2) for m in range(1, c)
    )


def expect_seeded(function, draw, what):
    """`draw(seed)`, which calls the function, is decided by its seed."""
    first, again, other = (draw(seed) for seed in (0, 0, 1))
    expect(
        np.allclose(first, again, atol=1e-6),
        f"The same random_state should give the same {what}."
        + " Hint: draw from np.random.default_rng(random_state), not from np.random itself."
        * function.drew_globally,
    )
    expect(
        not np.allclose(first, other, atol=1e-6),
        f"Another random_state should give other {what}. Hint: is the seed a number that you wrote?",
    )
