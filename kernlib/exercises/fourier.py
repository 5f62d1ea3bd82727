"""Self-checks of the chapter on random Fourier features.

They ask for what holds whatever was drawn, and name the usual mistakes where the numbers give them away.

Chapter: Random Fourier features.
"""

import numpy as np

from kernlib.exercises import expect, expect_close, expect_numbers, hint, self_check
from kernlib.exercises._feature_maps import SHARED, expect_gaussian, expect_seeded, train_features
from kernlib.kernels import Gaussian, Laplace

__all__ = ["check_columns", "check_laplace", "check_orthogonal", "check_pairs"]


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
    rng, c = np.random.default_rng(0), 20_000
    six_errors = 6 * np.sqrt(2 / c)  # the largest that the variance allows
    for p in (22, 5, 2, 1):
        X, gamma = rng.normal(size=(30, p)), 0.4 / p  # not 1/p: the function must use the γ that it is given
        Z = train_features(function, X, X[:SHARED], columns=c, drawn="Ω", c=c, gamma=gamma)
        lengths = np.sum(np.square(Z), axis=1)
        factors = {
            "the factor is √(2/c) with c columns, that is √(1/m) with m = c/2 frequencies": np.full(30, 0.5),
            "c counts columns, and there are c/2 frequencies": np.full(30, 2.0),
        }
        expect(
            np.allclose(lengths, 1, atol=1e-6),
            f"Each row should have length 1, since cos² + sin² = 1; got {lengths[0]:.3g} for its square."
            + hint(lengths, factors, atol=1e-6),
        )
        expect_gaussian(Z, X, gamma, {}, atol=six_errors)
    expect_seeded(lambda seed: function(X, X, c=10, gamma=0.5, random_state=seed)[0], "numbers")
    print("✓ exercise 1: rows of length 1, and ZZᵀ is the kernel on average")


@self_check
def check_columns(function):
    """
    Check the least even c with n² exp(−cε²/4) ≤ chance, for several n, ε and chances.

    Parameters
    ----------
    function : callable
        Called as ``function(n, error=…, chance=…)``; gives c.
    """
    for n, error, chance in [(2, 0.5, 0.1), (1000, 0.1, 0.01), (20_000, 0.1, 0.01), (20_000, 0.05, 0.5)]:
        c = function(n, error=error, chance=chance)
        least = 2 * int(np.ceil(2 * np.log(n**2 / chance) / error**2))
        suspects = {
            "that is the number of frequencies; pairs have two columns each": least / 2,
            "that is the bound of the phase map": 2 * least,
            "a union over pairs of rows needs n², not n": 4 * np.log(n / chance) / error**2,
        }
        what = f"n = {n}, error = {error} and chance = {chance}"
        expect(
            c == least,
            f"The least even c for {what} is {least}, got {c:.6g}." + hint(c, suspects, atol=2.5),
        )
    print("✓ exercise 4: the least c that the union over all pairs of rows asks for")


@self_check
def check_laplace(function):
    """
    Check the frequencies of the Laplace kernel exp(−γ‖x − x′‖₁): independent Cauchy numbers of scale γ.

    Parameters
    ----------
    function : callable
        Called as ``function(p, m, gamma=…, random_state=…)``; gives Ω of shape (p, m).
    """
    m = 40_000
    six_errors = 6 * np.sqrt(1 / m)  # a cosine's variance is at most 1
    for p in (1, 2, 5, 22):
        for gamma in (0.7, 3.0):
            Omega = function(p, m, gamma=gamma, random_state=0)
            expect_numbers("Ω", Omega, (p, m))
            steps = np.linspace(0.2, 2, 10)[:, None] * np.linspace(1, 0.3, p) / (gamma * p)
            zero = np.zeros((1, p))
            waves, q = np.cos(steps @ Omega).mean(axis=1), Laplace(gamma)(steps, zero)[:, 0]
            mistakes = {
                "that is the Gaussian's law 𝒩(0, 2γI)": Gaussian(gamma)(steps, zero)[:, 0],
                "one radius for all coordinates gives the kernel of the Euclidean distance": np.exp(
                    -gamma * np.linalg.norm(steps, axis=1)
                ),
            }
            for name, scale in {"1": 1.0, "1/γ": 1 / gamma, "√(2γ)": np.sqrt(2 * gamma)}.items():
                suspicion = f"the scale of the Cauchy law is γ, and yours seems to be {name}"
                mistakes[suspicion] = Laplace(scale)(steps, zero)[:, 0]
            what = f"With p = {p} and γ = {gamma}, the mean of cos ωᵀδ should be within {six_errors:.3f} of "
            expect_close(what + "exp(−γ‖δ‖₁)", waves, q, mistakes, atol=six_errors, got="{:.2g} away")
    expect_seeded(lambda seed: function(3, 10, gamma=1.0, random_state=seed), "numbers")
    print("✓ exercise 2: the waves average to the Laplace kernel, in every dimension")


@self_check
def check_orthogonal(function):
    """
    Check orthogonal frequencies: blocks of p orthogonal columns, whose lengths are those of 𝒩(0, 2γI).

    Parameters
    ----------
    function : callable
        Called as ``function(p, m, gamma=…, random_state=…)``; gives Ω of shape (p, m).
    """
    for p, m in ((2, 5), (5, 23), (22, 50)):
        Omega = np.asarray(function(p, m, gamma=0.3, random_state=0))
        expect_numbers("Ω", Omega, (p, m))
        for start in range(0, m, p):
            block = Omega[:, start : start + p]
            inner = block.T @ block
            worst = np.abs(inner - np.diag(np.diag(inner))).max()
            expect(
                worst < 1e-8 * np.trace(inner),
                f"The {block.shape[1]} columns from {start} on should be orthogonal (p = {p}), got an inner "
                f"product of {worst:.2g}. Hint: one rotation for each p columns.",
            )
    for p, gamma in ((2, 0.3), (5, 0.3), (22, 0.1)):
        m = 20_000
        Omega = np.asarray(function(p, m, gamma=gamma, random_state=1))
        squares = np.sum(Omega**2, axis=0)
        mean, spread = 2 * gamma * p, 2 * gamma * np.sqrt(2 * p)
        expect(
            np.std(squares) > spread / 2,
            f"Lengths should vary as those of 𝒩(0, 2γI) do, ‖ω‖² by about {spread:.2g}, got "
            f"{np.std(squares):.2g}. Hint: equal lengths give another kernel; draw the lengths.",
        )
        expect(
            abs(np.mean(squares) - mean) < 6 * spread / np.sqrt(m),
            f"The mean of ‖ω‖² should be 2γp = {mean:.3g}, got {np.mean(squares):.3g}. Hint: each length is "
            "that of a vector of p numbers from 𝒩(0, 2γ).",
        )
        steps = np.sqrt(0.7 / gamma) * np.eye(p)  # along each axis: a rotation may prefer some directions
        waves, q = np.cos(steps @ Omega).mean(axis=1), np.exp(-0.7)
        six_errors = 6 * np.sqrt(0.5 / m)  # orthogonal columns do not vary more than independent ones here
        worst = np.abs(waves - q).max()
        expect(
            worst < six_errors,
            f"With p = {p}, means of cos ωᵀδ along each axis should be within {six_errors:.3f} of {q:.3f}, "
            f"got {worst:.2g} away. Hint: is each rotation drawn anew, from all directions alike?",
        )
    expect_seeded(lambda seed: function(3, 10, gamma=1.0, random_state=seed), "numbers")
    print("✓ exercise 5: orthogonal in blocks, with the right lengths and directions")
