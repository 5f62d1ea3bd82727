"""Self-checks of the exercises on Bochner's theorem.

They ask for what holds whatever was drawn, with any random generator.

Chapter: Bochner's theorem.
"""

import numpy as np
from scipy.spatial.distance import pdist

from kernlib.book.checks import expect, expect_number, expect_numbers, expect_real, hint, self_check
from kernlib.book.checks._letters import letters

__all__ = [
    "check_draws_for_letters",
    "check_draws_needed",
    "check_phases",
    "check_rational_quadratic",
    "check_which",
    "check_witness",
    "letters",
]


@self_check
def check_witness(points):
    """
    Check that at most three numbers give the cap q(δ) = (1 − δ²)₊ a negative eigenvalue.

    Parameters
    ----------
    points : array_like of shape (n,)
        Two or three numbers.
    """
    n = expect_real("points", points).size
    expect(n in (2, 3), f"Give two or three points, got {n}.")
    expect_numbers("points", points, (n,))
    x = np.sort(np.asarray(points, dtype=float))
    lam = np.linalg.eigvalsh(np.maximum(1 - np.subtract.outer(x, x) ** 2, 0))[0]
    gaps = np.diff(x)
    suspicion = (
        "of two points the matrix [[1, q], [q, 1]] never has one"
        if n == 2
        else "neighbours more than 1 apart have the kernel value 0"
        if gaps.max() >= 1
        else "the outer two should be just too far apart to see each other"
    )
    expect(
        lam < -0.01,
        f"The smallest eigenvalue should be below -0.01, got {lam:.3g}. Hint: {suspicion}.",
    )
    print("✓ a negative eigenvalue from a handful of points")


@self_check
def check_phases(draw):
    """
    Check that a law of at most two phases has E cos 2b = 0, so that its features are unbiased.

    Parameters
    ----------
    draw : callable
        Called as ``draw(n, rng)`` with a `numpy.random.Generator`; gives n phases.
    """
    n = 10_000
    b = draw(n, np.random.default_rng(0))
    expect_numbers("The phases", b, (n,))
    b = np.asarray(b, dtype=float)
    different = len(np.unique(np.round(b, 9)))
    expect(
        different <= 2,
        f"There should be at most two different phases, got {different}. Hint: the uniform law is unbiased, "
        "but so are smaller ones.",
    )
    mean = np.mean(np.cos(2 * b))
    sign = "+" if mean > 0 else "−"
    expect(
        abs(mean) < 5 / np.sqrt(n),
        f"E cos 2b should be 0, got {mean:.2f}. Hint: the mean of the product of the two features is then "
        f"q(x − x′) {sign} {abs(mean):.2f} q(x + x′).",
    )
    print("✓ no more than two phases, and E cos 2b = 0")


@self_check
def check_rational_quadratic(sample):
    """
    Check the spectral law of (1 + γ‖δ‖²)^(−a), within six standard errors, in p = 1, 2, 5 and 22.

    Parameters
    ----------
    sample : callable
        Called as ``sample(n, p, a=…, gamma=…, rng=…)`` with a `numpy.random.Generator`; gives Ω of shape
        (p, n), one frequency a column.
    """
    n, rng = 20_000, np.random.default_rng(0)
    for p in (22, 5, 2, 1):
        a, gamma = 0.7, 1.6 / p
        delta = rng.normal(size=(40, p))
        Omega = sample(n, p, a=a, gamma=gamma, rng=np.random.default_rng(1))
        expect_numbers("Ω", Omega, (p, n))
        r2 = np.sum(delta**2, axis=1)

        def q(scale, r2=r2, a=a, gamma=gamma):
            return (1 + scale * gamma * r2) ** -a

        exact = q(1)
        six_errors = 6 * np.sqrt(((1 + q(4)) / 2 - exact**2) / n)
        mean = np.cos(delta @ Omega).mean(axis=1)
        mistakes = {
            "one s for all coordinates of a frequency, not one for each": np.prod(
                (1 + gamma * delta**2) ** -a, axis=1
            ),
            "s seems to be missing, this is the Gaussian kernel": np.exp(-gamma * r2),
            "s should have the mean a, not 1": q(1 / a),
            "the frequencies seem to have half their variance": q(0.5),
            "the frequencies seem to have twice their variance": q(2),
        }
        worst = (np.abs(mean - exact) / six_errors).argmax()
        expect(
            abs(mean[worst] - exact[worst]) < six_errors[worst],
            f"With p = {p} the mean of the cosines should be {exact[worst]:.3f}, got {mean[worst]:.3f}, more "
            f"than six standard errors away." + hint(mean, mistakes, atol=six_errors.max()),
        )
    print("✓ the cosines average to (1 + γ‖δ‖²)^(−a) in p = 1, 2, 5 and 22")


@self_check
def check_draws_needed(function):
    """
    Check the number of draws at which the Gaussian kernel's mean of cosines has standard error ε.

    Parameters
    ----------
    function : callable
        Called as ``function(gamma, distance, eps)``; gives m.
    """
    cases = [(gamma, r, eps) for gamma in (0.3, 1.0) for r in (0.5, 1.0, 3.0) for eps in (0.1, 0.01, 0.003)]
    m = [function(*case) for case in cases]
    expect_numbers("The numbers of draws", m, (len(cases),))
    gamma, r, eps = np.array(cases).T
    q, q2 = np.exp(-gamma * r**2), np.exp(-4 * gamma * r**2)
    right = ((1 + q2) / 2 - q**2) / eps**2
    mistakes = {
        "the square of the mean is not subtracted": (1 + q2) / 2 / eps**2,
        "this is the variance of a product of two phase features": (1 + q2 / 2 - q**2) / eps**2,
        "the standard error is a root, so ε enters by its square": right * eps,
        "q(2δ) is the fourth power of q(δ), not its square": (1 - q**2) / 2 / eps**2,
    }
    worst = (np.abs(np.asarray(m) - right) / (right + 1)).argmax()
    expect(
        np.all(np.abs(np.asarray(m) - right) <= 1 + 1e-9 * right),
        f"With γ = {gamma[worst]:g}, ‖δ‖ = {r[worst]:g} and ε = {eps[worst]:g} you need "
        f"{np.ceil(right[worst]):.0f} draws, got {m[worst]:.0f}." + hint(m, mistakes, atol=1),
    )
    print("✓ m = ½(1 − q²)²/ε², rounded up")


@self_check
def check_draws_for_letters(m):
    """
    Check the number of draws for a pair of letters at the median distance, γ = 1/16 and ε = 0.01.

    Parameters
    ----------
    m : float
        For the pairs of `letters(500)`; rounded or not.
    """
    distances = pdist(letters(500))

    def draws(r2, gamma=1 / 16):
        return (1 - np.exp(-2 * gamma * r2)) ** 2 / 2 / 0.01**2

    right = draws(np.median(distances) ** 2)
    mistakes = {
        "the standard error is a root, so ε enters by its square": right * 0.01,
        "that is the mean distance, not the median": draws(distances.mean() ** 2),
        "the Gaussian kernel has the squared distance": draws(np.median(distances)),
        "that is γ = 1": draws(np.median(distances) ** 2, gamma=1),
    }
    sentence = "m should be that of the median distance between two of 500 letters"
    expect_number(sentence, m, right, mistakes, rtol=0.001)
    print("✓ draws for a pair of letters at the median distance")


@self_check
def check_which(kernels):
    """
    Check which of the six functions are kernels on the real line.

    Parameters
    ----------
    kernels : str
        Their letters, in any order: "acd".
    """
    why = {
        "a": "cos²δ = ½ + ½ cos 2δ; which weights stand at which frequencies?",
        "b": "a product of two kernels is one",
        "c": "near 0 it is flatter than any wave: compare 1 − q(2δ) with 4(1 − q(δ))",
        "d": "what is q(0), and how large may |q(δ)| be?",
        "e": "look for it among the mixtures of Gaussians",
        "f": "its law is uniform on an interval",
    }
    expect(
        isinstance(kernels, str) and set(kernels.lower()) <= set(why),
        'Give the letters of those that are kernels in one string, like "acd".',
    )
    wrong = sorted(set(kernels.lower()) ^ set("abef"))
    expect(
        not wrong,
        f"{len(wrong)} of the six should be decided the other way, ({wrong[0] if wrong else ''}) among them. "
        f"Hint: {why[wrong[0]] if wrong else ''}.".replace("?.", "?"),
    )
    print("✓ all six are decided")
