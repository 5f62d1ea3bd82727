"""Answers to the exercises on Bochner's theorem."""

import numpy as np


def mixture(scale=lambda s: np.sqrt(2 * s), each=False, mean=None):
    """The rational quadratic law, with one of its parts to be replaced."""

    def sample(n, p, *, a, gamma, rng):
        s = rng.gamma(a, 1 / a if mean == 1 else 1, size=(p if each else 1, n))
        return rng.normal(size=(p, n)) * scale(gamma * s)

    return sample


def needed(variance=lambda q: (1 - q**2) ** 2 / 2, power=2, rounded=np.ceil):
    return lambda gamma, r, eps: rounded(variance(np.exp(-gamma * r**2)) / eps**power)


RIGHT = {
    "check_witness": [[0, 0.5, 1], np.array([2.0, 1.0, 1.5])],
    "check_phases": [
        lambda n, rng: rng.choice([0, np.pi / 2], n),
        lambda n, rng: rng.choice([-np.pi / 4, np.pi / 4], n),
        lambda n, rng: np.full(n, np.pi / 4),
    ],
    "check_rational_quadratic": [mixture()],
    "check_draws_for_letters": [4739, 4738.3],
    "check_which": ["abef", "FBEA"],
    "check_draws_needed": [needed(rounded=rounded) for rounded in (np.ceil, np.floor, float)],
}

WRONG = {
    "check_witness": {
        "never has one": [0, 0.5],
        "just too far apart": [0, 0.2, 0.4],
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
        "one s for all coordinates": mixture(each=True),
        "mean a, not 1": mixture(mean=1),
        "half their variance": mixture(scale=np.sqrt),
        "twice their variance": mixture(scale=lambda s: np.sqrt(4 * s)),
        "s seems to be missing": lambda n, p, *, a, gamma, rng: rng.normal(size=(p, n)) * np.sqrt(2 * gamma),
        "shape": lambda n, p, *, a, gamma, rng: rng.normal(size=(n, p)),
        "finite": lambda n, p, *, a, gamma, rng: np.full((p, n), np.nan),
    },
    "check_draws_needed": {
        "not subtracted": needed(lambda q: (1 + q**4) / 2),
        "phase features": needed(lambda q: 1 + q**4 / 2 - q**2),
        "by its square": needed(power=1),
        "fourth power": needed(lambda q: (1 - q**2) / 2),
        r"draws, got 7\.$": lambda gamma, r, eps: 7,
    },
    "check_draws_for_letters": {
        "by its square": 47.4,
        "not the median": 4764,
        "squared distance": 1201.5,
        "γ = 1": 5000,
        r"got 3\.$": 3,
    },
    "check_which": {
        "1 of the six .* flatter than any wave": "abcef",
        "3 of the six .*which weights": "be" + "d",
        "in one string": ["a", "b"],
    },
}
