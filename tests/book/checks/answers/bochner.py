"""Answers to the exercises on Bochner's theorem."""

import numpy as np


def mixture(scale=lambda s: np.sqrt(2 * s), each=False, unit=1):
    """Draw from the rational quadratic kernel's law, with one of its parts replaced."""

    def sample(n, p, *, a, gamma, rng):
        s = rng.gamma(a, unit if unit == 1 else 1 / a, size=(p if each else 1, n))
        return rng.normal(size=(p, n)) * scale(gamma * s)

    return sample


def needed(rounded):
    return lambda gamma, r, eps: rounded((1 - np.exp(-2 * gamma * r**2)) ** 2 / 2 / eps**2)


RIGHT = {
    "check_witness": [[0, 0.5, 1], np.array([2.0, 1.0, 1.5])],
    "check_phases": [
        lambda n, rng: rng.choice([0, np.pi / 2], n),
        lambda n, rng: rng.choice([-np.pi / 4, np.pi / 4], n),
        lambda n, rng: np.full(n, np.pi / 4),
    ],
    "check_draws_for_letters": [4739, 4738.3],
    "check_which": ["abef", "FBEA"],
    "check_draws_needed": [needed(np.floor), needed(float)],
}

WRONG = {
    "check_witness": {
        "no negative eigenvalue": [0, 0.5],
        "a little more than 1 apart": [0, 0.2, 0.4],
        "kernel value 0": [0, 0.5, 2.0],
        "two or three points, got 25": np.arange(25) / 4,
        "finite": [0, np.nan, 1],
    },
    "check_phases": {
        r"got 1.00.*q\(x − x′\) \+ 1.00 q\(x \+ x′\)": lambda n, rng: rng.choice([0, np.pi], n),
        r"− 1.00 q\(x \+ x′\)": lambda n, rng: np.full(n, np.pi / 2),
        "at most two": lambda n, rng: rng.uniform(0, 2 * np.pi, n),
        "shape": lambda n, rng: rng.choice([0, np.pi / 2], 3),
    },
    "check_rational_quadratic": {
        "one s for each ω": mixture(each=True),
        "mean a, not 1": mixture(unit="mean 1"),
        "half its variance": mixture(scale=np.sqrt),
        "twice its variance": mixture(scale=lambda s: np.sqrt(4 * s)),
        "s is missing": lambda n, p, *, a, gamma, rng: rng.normal(size=(p, n)) * np.sqrt(2 * gamma),
        "Ω should have shape": lambda n, p, *, a, gamma, rng: rng.normal(size=(n, p)),
        "finite": lambda n, p, *, a, gamma, rng: np.full((p, n), np.nan),
    },
    "check_which": {
        "1 of the six .* flatter than any cosine": "abcef",
        "3 of the six .*what are the weights": "bed",
        "in one string": ["a", "b"],
    },
}
