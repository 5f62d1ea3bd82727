"""Self-checks of the exercises on Bochner's theorem.

They check what holds whatever was drawn, with any random generator.

Chapter: Bochner's theorem.
"""

import numpy as np
from scipy.spatial.distance import pdist

from kernlib.book.checks import letters
from kernlib.book.checks._check import Check, function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_numbers, expect_witness
from kernlib.book.checks._random import Averages, average_cosine

normal = np.random.default_rng(0).normal
DRAWS = 20_000
HOW = {  # to decide each function of an exercise
    "a": "cos²δ = ½ + ½ cos 2δ; what are the weights, and at which frequencies?",
    "b": "a product of two kernels is a kernel",
    "c": "near 0 it is flatter than any cosine: compare 1 − q(2δ) with 4(1 − q(δ))",
    "d": "what is q(0), and how large may |q(δ)| be?",
    "e": "look for it among the mixtures of Gaussians",
    "f": "its spectral law is uniform on an interval",
}


def suspect_gaps(x):
    """Say why points do not show that the cap is not a kernel."""
    if len(x) == 2:
        return "with two points the matrix [[1, q], [q, 1]] has no negative eigenvalue"
    if np.diff(x).max() >= 1:
        return "neighbors more than 1 apart have the kernel value 0"
    return "it is smallest if the outer two are about 1 apart"


@self_check("a negative eigenvalue from a handful of points")
def check_witness(points):
    """Check that at most three numbers give the cap q(δ) = (1 − δ²)₊ a negative eigenvalue."""
    expect_witness(points, lambda x: np.maximum(1 - np.subtract.outer(x, x) ** 2, 0), suspect_gaps)


@self_check("no more than two phases, and E cos 2b = 0")
def check_phases(function):
    """Check that a law of at most two phases has E cos 2b = 0, so that its features are unbiased."""
    n = 10_000
    b = expect_numbers("The phases", function(n, np.random.default_rng(0)), (n,))
    different, mean = len(np.unique(np.round(b, 9))), np.mean(np.cos(2 * b))
    sentence = f"There should be at most two different phases, got {different}."
    expect(different <= 2, sentence, "the uniform law is unbiased, but so are some laws of two values")
    product = f"q(x − x′) {'+' if mean > 0 else '−'} {abs(mean):.2f} q(x + x′)"
    hint = f"the mean of the product of the two features is then {product}"
    expect(abs(mean) < 5 / np.sqrt(n), f"E cos 2b should be 0, got {mean:.2f}.", hint)


def average_waves(function, a, gamma, delta):
    """Average the cosines of the student's frequencies."""
    Omega = function(DRAWS, delta.shape[1], a=a, gamma=gamma, rng=np.random.default_rng(1))
    return average_cosine(Omega, delta, DRAWS)


def quadratic(a, gamma, delta):
    """Compute (1 + γ‖δ‖²)^(−a)."""
    return (1 + gamma * np.sum(delta**2, axis=1)) ** -a


check_rational_quadratic = Check(
    "Check the spectral law of (1 + γ‖δ‖²)^(−a), to six standard errors, in p = 1, 2, 5 and 22.",
    "the cosines average to (1 + γ‖δ‖²)^(−a) in p = 1, 2, 5 and 22",
    Averages(
        "the mean of cos ωᵀδ",
        quadratic,
        [(0.7, 1.6 / p, normal(size=(40, p))) for p in (1, 2, 5, 22)],
        average_waves,
        6 * np.sqrt(0.5 / DRAWS),
        {
            "draw one s for each ω": lambda a, gamma, delta: np.prod((1 + gamma * delta**2) ** -a, axis=1),
            "γ is missing": lambda a, gamma, delta: quadratic(a, 1, delta),
            "s is missing": lambda a, gamma, delta: np.exp(-gamma * np.sum(delta**2, axis=1)),
            "s should have the mean a, not 1": lambda a, gamma, delta: quadratic(a, gamma / a, delta),
            "ω seems to have half its variance": lambda a, gamma, delta: quadratic(a, gamma / 2, delta),
            "ω seems to have twice its variance": lambda a, gamma, delta: quadratic(a, 2 * gamma, delta),
        },
    ),
)


@function_check(
    "m = ½(1 − q²)²/ε², rounded up",
    "m",
    [(gamma, r, eps) for eps in (0.1, 0.01, 0.003) for gamma in (0.3, 1.0) for r in (0.5, 1.0, 3.0)],
    {
        "subtract the square of the mean": {"variance": lambda q: (1 + q**4) / 2},
        "this is the variance of a product of two phase features": {
            "variance": lambda q: 1 + q**4 / 2 - q**2
        },
        "the standard error is a square root, so divide by ε²": {"power": 1},
        "q(2δ) is the fourth power of q(δ), not its square": {"variance": lambda q: (1 - q**2) / 2},
        "the factor ½ is missing": {"variance": lambda q: (1 - q**2) ** 2},
        "that is a bound for all distances: take the variance at this one": (
            {"variance": lambda q: 1 / 2},
            {"variance": lambda q: 1},
        ),
        "the Gaussian kernel contains the squared distance": lambda gamma, distance, eps: (
            check_draws_needed.right(gamma, np.sqrt(distance), eps)
        ),
        "round up, so that the standard error is at most ε": (
            {"final": np.floor},
            {"final": np.round},
            {"final": float},
        ),
    },
    atol=0.1,
)
def check_draws_needed(
    gamma, distance, eps, *, variance=lambda q: (1 - q**2) ** 2 / 2, power=2, final=np.ceil
):
    """Check the number of draws at which the Gaussian kernel's mean of cosines has standard error ε."""
    return final(variance(np.exp(-gamma * distance**2)) / eps**power)


@number_check("draws for a pair of letters at the median distance", rtol=0.001)
def check_draws_for_letters():
    """Check the number of draws for two of 500 letters at the median distance, γ = 1/16 and ε = 0.01."""
    distances = pdist(letters(500))

    def draws(square, gamma=1 / 16):
        return (1 - np.exp(-2 * gamma * square)) ** 2 / 2 / 0.01**2

    right = draws(np.median(distances) ** 2)
    return right, {
        "the standard error is a square root, so divide by ε²": right * 0.01,
        "that is the mean distance, not the median": draws(distances.mean() ** 2),
        "the Gaussian kernel contains the squared distance": draws(np.median(distances)),
        "that is γ = 1": draws(np.median(distances) ** 2, gamma=1),
    }


@self_check("all six answers are right")
def check_which(kernels):
    """Check which of the six functions are kernels on the real line."""
    are_letters = isinstance(kernels, str) and set(kernels.lower()) <= set(HOW)
    expect(are_letters, 'Give the letters of those that are kernels in one string, like "acd".')
    wrong = sorted(set(kernels.lower()) ^ set("abef"))
    sentence = f"{len(wrong)} of the six should be decided the other way, ({''.join(wrong[:1])}) is one."
    expect(not wrong, sentence, HOW[wrong[0]] if wrong else "")


__all__ = public_names(globals(), "letters")
