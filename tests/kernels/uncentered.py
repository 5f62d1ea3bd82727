"""Rows that are neither centered nor scaled, and Gram matrices from their exact differences."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from kernlib.kernels import Gaussian, Laplace, Matern

TOLERANCE = {np.float32: 1e-5, np.float64: 1e-12}
DTYPES = list(TOLERANCE)
FAMILIES = {
    "Gaussian": lambda scale: Gaussian(scale**2),
    "Laplace": Laplace,
    **{f"Matern({nu})": lambda scale, nu=nu: Matern(nu, 1 / scale) for nu in (0.5, 1.5, 2.5, 3.5, 49.5)},
}


def exp_minus(t):
    """exp(−t) of a fraction."""
    return math.exp(-float(min(t, 1000)))


def exact(kernel, x, y):
    """κ(x, y) from exact differences, rounded once squared and summed; for Matérn, ν − ½ is an integer."""
    gaps = [Fraction(a) - Fraction(b) for a, b in zip(x, y, strict=True)]

    def scaled(scale):  # one, or one for each column
        scales = scale if isinstance(scale, tuple) else [scale] * len(gaps)
        return zip(map(Fraction, scales), gaps, strict=True)

    match kernel:
        case Gaussian(gamma):
            return exp_minus(sum(c * g**2 for c, g in scaled(gamma)))
        case Laplace(gamma):
            return exp_minus(sum(c * abs(g) for c, g in scaled(gamma)))
        case Matern(nu, length_scale):
            square = 2 * Fraction(nu) * sum((g / c) ** 2 for c, g in scaled(length_scale))
            r, k = Fraction(math.sqrt(min(square, 10**6))), int(nu)
            terms = (
                Fraction(math.factorial(k + i), math.factorial(i) * math.factorial(k - i))
                * (2 * r) ** (k - i)
                for i in range(k + 1)
            )
            return float(sum(terms) * Fraction(math.factorial(k), math.factorial(2 * k))) * exp_minus(r)


def exact_gram(kernel, X, Y):
    return np.array([[exact(kernel, x, y) for y in Y.tolist()] for x in X.tolist()])


@st.composite
def hard_data(draw, dtype):
    """Rows in two groups, with an offset, an outlier, an unscaled column, in any unit; and that unit."""
    p, seed = draw(st.sampled_from([1, 2, 5, 22])), draw(st.integers(0, 99))
    X = np.random.default_rng(seed).normal(size=(7, p))
    X[4] = X[3]
    powers = st.none() | st.integers(-2, 12)
    if (power := draw(powers)) is not None:
        X[5:] += 10.0**power
    if (power := draw(powers)) is not None:
        X += 10.0**power
    if (power := draw(powers)) is not None:
        X[:, 0] *= 10.0**power
    largest = 200 if dtype == np.float64 else 30
    if (power := draw(st.none() | st.sampled_from([5, 6, 8, 10, largest]))) is not None:
        X[-1, -1] = 10.0**power
    far = 107 if dtype == np.float64 else 7
    unit = 10.0 ** draw(st.sampled_from([0, 0, 0, far, -far, -150 if dtype == np.float64 else -40]))
    return (X * unit).astype(dtype), unit
