"""Self-checks of the chapter on random Fourier features.

They check what holds whatever was drawn, and name the usual mistakes if the numbers show them.

Chapter: Random Fourier features.
"""

import numpy as np

from kernlib.book.checks import letters
from kernlib.book.checks._check import Check, function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_numbers, format_apart
from kernlib.book.checks._random import Averages, average_cosine, seeded
from kernlib.kernels import Gaussian

M = 40_000  # frequencies that are averaged


def average_waves(function, gamma, delta):
    """Average the cosines of the student's frequencies."""
    return average_cosine(function(delta.shape[1], M, gamma=gamma, random_state=0), delta, M)


is_seeded = seeded("numbers", lambda function, seed: function(3, 10, gamma=1.0, random_state=seed))


def laplace(gamma, delta):
    """Compute exp(−γ‖δ‖₁)."""
    return np.exp(-gamma * np.abs(delta).sum(axis=1))


check_laplace = Check(
    "Check the frequencies of the Laplace kernel exp(−γ‖x − x′‖₁): independent Cauchy numbers of scale γ.",
    "the waves average to the Laplace kernel, in every dimension",
    Averages(
        "the mean of cos ωᵀδ",
        laplace,
        [
            # both signs, which one number for all coordinates would cancel
            (gamma, np.linspace(0.2, 2, 10)[:, None] * np.linspace(1, -0.3, p) / (gamma * p))
            for p in (1, 2, 5, 22)
            for gamma in (0.7, 3.0)
        ],
        average_waves,
        6 * np.sqrt(1 / M),  # the variance of a cosine is at most 1
        {
            "that is the Gaussian's law 𝒩(0, 2γI)": lambda g, delta: np.exp(-g * np.sum(delta**2, axis=1)),
            "do not use one radius for all coordinates": lambda g, d: np.exp(-g * np.linalg.norm(d, axis=1)),
            "draw a number of its own for each coordinate": lambda g, d: np.exp(-g * np.abs(d.sum(axis=1))),
            "that is Laplace's law, not Cauchy's": lambda g, d: np.prod(1 / (1 + (g * d) ** 2), axis=1),
            "the scale is γ, and yours seems to be 1": lambda g, delta: laplace(1, delta),
            "the scale is γ, and yours seems to be 1/γ": lambda g, delta: laplace(1 / g, delta),
            "the scale is γ, and yours seems to be 2γ": lambda g, delta: laplace(2 * g, delta),
            "the scale is γ, and yours seems to be √(2γ)": lambda g, delta: laplace(np.sqrt(2 * g), delta),
        },
    ),
    is_seeded,
)


@self_check("pairs vary by {}/c, phases by {}/c")
def check_pairs_worse(distance):
    """Check a distance δ > 0 at which pairs vary more than phases, for q(δ) = sin δ/δ."""
    distance = float(expect_numbers("δ", distance, ()))
    expect(distance > 0, f"δ should be positive, got {distance:.3g}.")
    q, twice = (np.sinc(factor * distance / np.pi) for factor in (1, 2))
    pairs, phases = 1 + twice - 2 * q**2, 1 + twice / 2 - q**2
    shown = format_apart(pairs, phases)
    sentence = "c times the variance should be larger for pairs, got {}, and {} for phases.".format(*shown)
    expect(pairs > phases + 1e-6, sentence, "where is q(2δ) above 2q(δ)²?")  # not by rounding alone
    return shown


@function_check(
    "the least c that the union over all pairs of rows needs",
    "c",
    [(2, 0.5, 0.1), (1000, 0.1, 0.01), (20_000, 0.1, 0.01), (20_000, 0.05, 0.5)],
    {
        "that is the number of frequencies; pairs have two columns each": {"final": lambda c: np.ceil(c / 2)},
        "that is the bound of the phase map": {"final": lambda c: 2 * np.ceil(c)},
        "a union over pairs of rows needs n², not n": {"pairs": 1},
        "divide by the square of the error": {"power": 1},
        "chance is the probability that an entry is off": {"failure": lambda chance: 1 - chance},
        "log is the natural logarithm": {"final": lambda c: 2 * np.ceil(c / np.log(10) / 2)},
        "c is even: round up to the next even number": {"final": np.ceil},
        "the least c that is enough: round up": {"final": lambda c: 2 * np.ceil(c / 2) - 2},
    },
    atol=0.1,
)
def check_columns(
    n, *, error, chance, power=2, pairs=2, failure=float, final=lambda c: 2 * np.ceil(c / 2)
):  # fmt: skip
    """Check the least even c with n² exp(−cε²/4) ≤ chance, for several n, ε and chances."""
    return int(final(4 * np.log(n**pairs / failure(chance)) / error**power))


@number_check("the columns that a typical entry of 300 letters needs", rtol=0.002)
def check_letters_columns():
    """Check the least even c at which pairs have a root mean square error of 0.05 on pairs of 300 letters."""
    q = Gaussian(1 / 16)(letters(300))[np.triu_indices(300, 1)]
    variances = (1 - q**2) ** 2
    right, bound = (
        2 * np.ceil(variances.mean() / 0.05**2 / 2),
        check_columns.right(300, error=0.05, chance=0.01),
    )
    return right, {
        "that is the phase map": np.mean(1 + q**4 / 2 - q**2) / 0.05**2,
        "take the mean of the squares, then the square root": np.mean(np.sqrt(variances)) ** 2 / 0.05**2,
        "those are frequencies; pairs have two columns each": right / 2,
        "divide by the square of the error": variances.mean() / 0.05,
        "that is the bound, but the variance is known exactly": bound,
    }


def is_normal(function):
    """Expect the lengths and directions of 𝒩(0, 2γI)."""
    m = 5_000
    for p, gamma in ((2, 0.3), (5, 0.3), (22, 0.1)):
        Omega = expect_numbers("Ω", function(p, m, gamma=gamma, random_state=1), (p, m))
        squares = np.sum(Omega**2, axis=0)
        mean, spread, found, varied = 2 * gamma * p, 2 * gamma * np.sqrt(2 * p), squares.mean(), squares.std()
        sentence = f"‖ω‖² should vary as for 𝒩(0, 2γI), by about {spread:.2g}, got {varied:.2g}."
        is_drawn = varied > found / np.sqrt(2 * p)  # half of the relative spread that is right
        expect(is_drawn, sentence, "equal lengths give another kernel; draw the lengths")
        near = abs(found - mean) < 6 * spread / np.sqrt(m)
        sentence = f"The mean of ‖ω‖² should be 2γp = {mean:.4g}, got {found:.4g}."
        expect(near, sentence, "each length is that of a vector of p numbers from 𝒩(0, 2γ)")
        axes = np.sqrt(0.7 / gamma) * np.eye(p)  # a rotation may prefer some directions
        six_errors = 6 * np.sqrt(0.5 / m)  # orthogonal columns do not vary more than independent ones here
        worst = np.abs(average_cosine(Omega, axes, m) - np.exp(-0.7)).max()
        bound = f"{six_errors:.3f} of {np.exp(-0.7):.3f}, got {worst:.2g} away"
        sentence = f"With p = {p}, means of cos ωᵀδ along each axis should be within {bound}."
        expect(worst < six_errors, sentence, "draw a new rotation for each block, uniformly")


@self_check("orthogonal in blocks, with the right lengths and directions", is_normal, is_seeded)
def check_orthogonal(function):
    """Check orthogonal frequencies: blocks of p orthogonal columns, with the lengths of 𝒩(0, 2γI)."""
    for p, m in ((2, 5), (5, 23), (22, 50)):
        Omega = expect_numbers("Ω", function(p, m, gamma=0.3, random_state=0), (p, m))
        for start in range(0, m, p):
            inner = Omega[:, start : start + p].T @ Omega[:, start : start + p]
            worst = np.abs(inner - np.diag(np.diag(inner))).max()
            what = f"The {len(inner)} columns from {start} on should be orthogonal (p = {p})"
            sentence = f"{what}, got an inner product of {worst:.2g}."
            expect(worst < 1e-5 * np.trace(inner), sentence, "draw one rotation for each block of p columns")


__all__ = public_names(globals(), "letters")
