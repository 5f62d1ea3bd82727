"""Answers to the exercises on Bochner's theorem."""

import numpy as np


def scale_for_each_number(n, p, *, a, gamma, rng):
    return rng.normal(size=(p, n)) * np.sqrt(2 * gamma * rng.gamma(a, size=(p, n)))


RIGHT = {
    "check_witness": [[0, 0.5, 1], np.array([2.0, 1.0, 1.5])],
    "check_phases": [
        lambda n, rng: rng.choice([0, np.pi / 2], n),
        lambda n, rng: rng.choice([-np.pi / 4, np.pi / 4], n),
        lambda n, rng: np.full(n, np.pi / 4),
    ],
    "check_draws_for_letters": [4739, 4738.3],
    "check_which": ["abef", "FBEA"],
    "check_draws_needed": [lambda gamma, r, eps: -(-(((1 - np.exp(-2 * gamma * r**2)) / eps) ** 2) / 2 // 1)],
}

WRONG = {
    "check_witness": {
        "no negative eigenvalue": [0, 0.5],
        "smallest if the outer two": [0, 0.3, 0.6],
        "kernel value 0": [0, 0.5, 2.0],
    },
    "check_phases": {
        r"got 1.00.*q\(x − x′\) \+ 1.00 q\(x \+ x′\)": lambda n, rng: rng.choice([0, np.pi], n),
        r"− 1.00 q\(x \+ x′\)": lambda n, rng: np.full(n, np.pi / 2),
        "at most two": lambda n, rng: rng.uniform(0, 2 * np.pi, n),
    },
    "check_rational_quadratic": {"one s for each ω": scale_for_each_number},
    "check_which": {
        "1 of the six .* flatter than any cosine": "abcef",
        "3 of the six .*what are the weights": "bed",
        "in one string": ["a", "b"],
    },
}
