"""Self-checks of the chapter on random Fourier features.

They ask for what holds whatever was drawn, and name the usual mistakes where the numbers give them away.

Chapter: Random Fourier features.
"""

import numpy as np

from kernlib.book.checks import (
    expect,
    expect_means,
    expect_numbers,
    hint,
    self_check,
)
from kernlib.book.checks._bounds import (
    check_columns,
    check_letters_columns,
    check_orthogonal,
    check_pairs_worse,
)
from kernlib.book.checks._feature_maps import SHARED, expect_gaussian, expect_seeded, pair_of, train_features
from kernlib.book.checks._letters import letters

__all__ = [
    "check_columns",
    "check_laplace",
    "check_letters_columns",
    "check_orthogonal",
    "check_pairs",
    "check_pairs_worse",
    "letters",
]


@self_check
def check_pairs(function):
    """
    Check features √(2/c)(cos Ωᵀx, sin Ωᵀx): rows of length 1, and ZZᵀ the Gaussian kernel on average.

    Parameters
    ----------
    function : callable
        Called as ``function(X_train, X_test, c=…, gamma=…, random_state=…)`` with an even c; gives
        Z_train and Z_test.
    """
    rng, c, averages, lengths = np.random.default_rng(0), 20_000, [], []
    six_errors = 6 * np.sqrt(2 / c)  # the largest that the variance allows
    for p in (1, 2, 5, 22):
        X, gamma = rng.normal(size=(30, p)), 0.4 / p  # not 1/p: the function must use the γ that it is given
        Z = train_features(function, X, X[:SHARED], columns=c, drawn="Ω", c=c, gamma=gamma)
        averages.append(((gamma, X), Z @ Z.T, six_errors))
        lengths.append(np.sum(Z**2, axis=1))
    factors = {
        "the factor is √(2/c) with c columns, that is √(1/m) with m = c/2 frequencies": 0.5,
        "c counts columns, and there are c/2 frequencies": 2.0,
        "the factor is √(2/c), not 2/c": 2 / c,
        "the factor √(2/c) is missing": c / 2,
    }
    factors = {text: np.full((4, 30), square) for text, square in factors.items()}
    expect(
        np.allclose(lengths, 1, atol=1e-4),
        f"Each row should have length 1, since cos² + sin² = 1; got {lengths[0][0]:.3g} for its square."
        + hint(lengths, factors, atol=1e-6),
    )
    expect_gaussian(averages, {})
    small = {"c": 10, "gamma": 0.5}
    expect_seeded(function, lambda seed: pair_of(function, X, X, random_state=seed, **small)[0], "numbers")
    print("✓ rows of length 1, and ZZᵀ is the kernel on average")


@self_check
def check_laplace(function):
    """
    Check the frequencies of the Laplace kernel exp(−γ‖x − x′‖₁): independent Cauchy numbers of scale γ.

    Parameters
    ----------
    function : callable
        Called as ``function(p, m, gamma=…, random_state=…)``; gives Ω of shape (p, m).
    """
    m, averages = 40_000, []
    six_errors = 6 * np.sqrt(1 / m)  # a cosine's variance is at most 1
    for p in (1, 2, 5, 22):
        for gamma in (0.7, 3.0):
            Omega = function(p, m, gamma=gamma, random_state=0)
            expect_numbers("Ω", Omega, (p, m))
            delta = np.linspace(0.2, 2, 10)[:, None] * np.linspace(1, 0.3, p) / (gamma * p)
            averages.append(((gamma, delta), np.cos(delta @ Omega).mean(axis=1), six_errors))

    def law(scale):
        return lambda gamma, delta: np.exp(-scale(gamma) * np.abs(delta).sum(axis=1))

    def right(gamma, delta):
        return np.exp(-gamma * np.abs(delta).sum(axis=1))

    def gaussian(gamma, delta):
        return np.exp(-gamma * np.sum(delta**2, axis=1))

    def euclidean(gamma, delta):
        return np.exp(-gamma * np.linalg.norm(delta, axis=1))

    def rational(gamma, delta):
        return np.prod(1 / (1 + (gamma * delta) ** 2), axis=1)

    seems = "the scale of the Cauchy law is γ, and yours seems to be "
    mistakes = {
        "that is the Gaussian's law 𝒩(0, 2γI)": gaussian,
        "one radius for all coordinates gives the kernel of the Euclidean distance": euclidean,
        "that is Laplace's law; the frequencies of Laplace's kernel are Cauchy's": rational,
        seems + "1": law(lambda gamma: 1),
        seems + "1/γ": law(lambda gamma: 1 / gamma),
        seems + "2γ": law(lambda gamma: 2 * gamma),
        seems + "√(2γ)": law(lambda gamma: np.sqrt(2 * gamma)),
    }
    expect_means("the mean of cos ωᵀδ", right, averages, mistakes)
    expect_seeded(function, lambda seed: function(3, 10, gamma=1.0, random_state=seed), "numbers")
    print("✓ the waves average to the Laplace kernel, in every dimension")
