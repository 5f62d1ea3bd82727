"""Answers to the exercises on kernels of histograms."""

import numpy as np


def over(X, Y):
    """All pairs of rows, bin by bin."""
    return X[:, None], Y[None]


def safe(total):
    return np.where(total > 0, total, 1)


def additive(X, Y):
    x, y = over(X, Y)
    return (2 * x * y / safe(x + y)).sum(axis=2)


def distance(X, Y):
    x, y = over(X, Y)
    return ((x - y) ** 2 / safe(x + y)).sum(axis=2)


def product_with_sum(X, Y):
    x, y = over(X, Y)
    return (2 * x * y * (x + y)).sum(axis=2)


def chi2_map(X, m, L, *, two=2, zero=1, rate=np.pi, root=np.sqrt, interval=True, weigh=np.sqrt):
    log = np.log(np.where(X > 0, X, 1))
    front = np.where(X > 0, root(X), 0)
    step = L if interval else 1
    columns = [front * weigh(zero * step)]
    for j in range(1, m + 1):
        size = front * weigh(two * step / np.cosh(rate * j * L))
        columns += [size * np.sin(j * L * log), size * np.cos(j * L * log)]
    return np.hstack(columns)


def staircase(X, edges, height=np.sqrt, part=lambda share: share):
    share = np.clip((X[:, :, None] - edges[:-1]) / np.diff(edges), 0, 1)
    return (height(np.diff(edges)) * part(share)).reshape(len(X), -1)


ONE = 1 / np.log(2)


def density(omega, factor=ONE, inside=4):
    return factor / np.cosh(np.pi * omega) / (1 + inside * omega**2)


RIGHT = {
    "check_additive_chi2": [additive],
    "check_chi2_map": [chi2_map, lambda X, m, L: -chi2_map(X, m, L)[:, ::-1]],
    "check_staircase": [staircase],
    "check_jensen_shannon": [density],
    "check_power_mean": [[1, 100], [3.0, 0.1, 50]],
    "check_pictures_error": [0.0777],
}

WRONG = {
    "check_additive_chi2": {
        "a factor 2 is missing": lambda X, Y: additive(X, Y) / 2,
        "only conditionally positive": lambda X, Y: -distance(X, Y),
        "this is the χ² distance": distance,
        "exponential kernel": lambda X, Y: np.exp(-distance(X, Y)),
        "in the numerator": product_with_sum,
        "division by zero": lambda X, Y: (2 * X[:, None] * Y / (X[:, None] + Y)).sum(axis=2),
        r"shape \(9, 6\)|\[\[1.5\]\], got \[\[1\]\]\.$": lambda X, Y: additive(X, X),
        r"got \[\[1.6\]\]\.$": lambda X, Y: additive(X, Y) + 0.1,
    },
    "check_chi2_map": {
        "frequencies ±jL is missing": lambda X, m, L: chi2_map(X, m, L, two=1),
        "j = 0 has no partner": lambda X, m, L: chi2_map(X, m, L, zero=2),
        r"not sech\(ω\)": lambda X, m, L: chi2_map(X, m, L, rate=1),
        "weight L of its interval": lambda X, m, L: chi2_map(X, m, L, interval=False),
        "as √s": lambda X, m, L: chi2_map(X, m, L, weigh=lambda w: w),
        "the root of x is missing": lambda X, m, L: chi2_map(X, m, L, root=np.ones_like),
        "x stands under a root": lambda X, m, L: chi2_map(X, m, L, root=lambda x: x),
        r"should be .*, got \[\[3, 3.264\], \[3.264, 3.55\]\]\.$": lambda X, m, L: np.repeat(
            np.sqrt(X) * np.cos(np.log(X)), 2 * m + 1, axis=1
        ),
    },
    "check_staircase": {
        "height √δ, not δ": lambda X, edges: staircase(X, edges, height=lambda d: d),
        "height √δ, not 1": lambda X, edges: staircase(X, edges, height=np.ones_like),
        "counts in part\\.": lambda X, edges: staircase(X, edges, part=np.floor),
        "not whole": lambda X, edges: staircase(X, edges, part=np.ceil),
        r"Z should have shape \(2, 2\)": lambda X, edges: staircase(X, np.append(edges, 9)),
    },
    "check_jensen_shannon": {
        "base 2": lambda omega: density(omega, factor=1),
        "do not multiply": lambda omega: density(omega, factor=np.log(2)),
        "too many": lambda omega: density(omega, factor=2 / np.log(2)),
        "2 is missing": lambda omega: density(omega, factor=0.5 / np.log(2)),
        "4ω²s": lambda omega: density(omega, inside=1),
        "additive χ² kernel": lambda omega: 1 / np.cosh(np.pi * omega),
        "not be negative": lambda omega: -density(omega),
    },
    "check_power_mean": {
        "further apart": [1, 1.1],
        "equal points": [2, 2],
        "positive, got -1": [-1, 2],
        "three points, got 1": [1],
    },
    "check_pictures_error": {
        "division by ‖G‖_F": 5.068,
        "these are squares": 0.006036,
        "that is m = 2": 0.0901,
        "that is m = 0": 0.16,
        "that is L = 0.5": 0.0799,
        "not per cent": 7.77,
        r"got 1\.$": 1,
    },
}
