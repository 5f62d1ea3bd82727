"""The checks on chapter 5's second page."""

import numpy as np

from kernlib.book.checks import expect, expect_number, expect_numbers, expect_real, expect_right, self_check
from kernlib.book.checks._feature_maps import expect_seeded
from kernlib.book.checks._letters import letters
from kernlib.kernels import Gaussian

__all__ = ["check_columns", "check_letters_columns", "check_orthogonal", "check_pairs_worse"]


@self_check
def check_columns(function):
    """
    Check the least even c with n² exp(−cε²/4) ≤ chance, for several n, ε and chances.

    Parameters
    ----------
    function : callable
        Called as ``function(n, error=…, chance=…)``; gives c.
    """
    cases = [(2, 0.5, 0.1), (1000, 0.1, 0.01), (20_000, 0.1, 0.01), (20_000, 0.05, 0.5)]

    def by(formula):
        return lambda n, *, error, chance: formula(n, error, chance)

    def bound(n, error, chance):
        return 4 * np.log(n**2 / chance) / error**2

    def even(c):
        return 2 * int(np.ceil(c / 2))

    def right(n, *, error, chance):
        return even(bound(n, error, chance))

    mistakes = {
        "that is the number of frequencies; pairs have two columns each": by(lambda *a: even(bound(*a)) // 2),
        "that is the bound of the phase map": by(lambda *a: 2 * even(bound(*a))),
        "a union over pairs of rows needs n², not n": by(lambda n, *a: even(bound(np.sqrt(n), *a))),
        "the error enters by its square": by(lambda n, e, chance: even(bound(n, np.sqrt(e), chance))),
        "log is the natural logarithm": by(lambda *a: even(bound(*a) / np.log(10))),
        "c is even: round up to the next even number": by(lambda *a: int(np.ceil(bound(*a)))),
        "the least c that is enough: round up": by(lambda *a: even(bound(*a)) - 2),
    }
    expect_right("c", function, right, cases, mistakes, atol=0.1)
    print("✓ the least c that the union over all pairs of rows asks for")


@self_check
def check_letters_columns(c):
    """
    Check the least even c at which the pairs' root mean square error is 0.05 over pairs of 300 letters.

    Parameters
    ----------
    c : int
        For the rows `letters(300)` and γ = 1/16.
    """
    q = Gaussian(1 / 16)(letters(300))[np.triu_indices(300, 1)]
    variances = (1 - q**2) ** 2
    right = 2 * np.ceil(variances.mean() / 0.05**2 / 2)
    mistakes = {
        "that is the phase map": np.mean(1 + q**4 / 2 - q**2) / 0.05**2,
        "take the mean of the squares, then the root": np.mean(np.sqrt(variances)) ** 2 / 0.05**2,
        "those are frequencies; pairs have two columns each": right / 2,
        "the error enters by its square": variances.mean() / 0.05,
        "that is the bound; the variance is known exactly": 25_622,
    }
    sentence = "c should give a root mean square error of 0.05 over the pairs of 300 letters"
    expect_number(sentence, c, right, mistakes, rtol=0.002)
    print("✓ the columns that 300 letters need, far fewer than the bound's")


@self_check
def check_pairs_worse(distance):
    """
    Check a distance at which pairs vary more than phases, for q(δ) = sin δ/δ.

    Parameters
    ----------
    distance : float
        δ > 0.
    """
    expect_numbers("δ", distance, ())
    expect(distance > 0, f"δ should be positive, got {distance:.3g}.")
    q, twice = (np.sinc(factor * distance / np.pi) for factor in (1, 2))
    pairs, phases = 1 + twice - 2 * q**2, 1 + twice / 2 - q**2
    expect(
        pairs > phases + 0.005,
        f"c times the variance should be larger for pairs, got {pairs:.3f} against {phases:.3f} for phases. "
        "Hint: where is q(2δ) above 2q(δ)²?",
    )
    print(f"✓ pairs vary by {pairs:.3g}/c, phases by {phases:.3g}/c")


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
        Omega = expect_real("Ω", function(p, m, gamma=0.3, random_state=0))
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
        m = 5_000
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
    expect_seeded(function, lambda seed: function(3, 10, gamma=1.0, random_state=seed), "numbers")
    print("✓ orthogonal in blocks, with the right lengths and directions")
