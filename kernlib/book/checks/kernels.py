"""Self-checks of the exercises on kernels.

Chapter: Kernels.
"""

import itertools
import math

import numpy as np

from kernlib.book.checks import letters
from kernlib.book.checks._check import function_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_numbers, expect_witness
from kernlib.kernels import Gaussian, Kernel, Linear, Polynomial

normal = np.random.default_rng(0).normal


@self_check("a negative eigenvalue, so max is not a kernel")
def check_witness(points):
    """Check that two or three positive numbers give max(x, x′) a Gram matrix with a negative eigenvalue."""
    expect_witness(points, lambda x: np.maximum(x[:, None], x))


@function_check(
    "C(p+r, r) weighted monomials, and ΦΦᵀ = (xᵀx′ + c₀)ʳ",
    "Φ",
    [(np.array([[2.0]]), 1, 3.0), (np.array([[1.0, 2.0]]), 2, 3.0)]
    + [(normal(size=(6, p)), r, c0) for p, r, c0 in ((1, 4, 0.5), (2, 3, 2.0), (5, 2, 0.3), (3, 4, 1.5))],
    {
        "include the constant monomial": lambda X, r, c0: check_monomials.right(X, r, c0)[:, :-1],
        "include the monomials of degrees below r": {"root": None},
        "x₁x₂ and x₂x₁ are one monomial": {"choose": lambda columns, r: itertools.product(columns, repeat=r)},
        "a feature contains √c₀, not c₀": {"root": float},
        "c₀ seems to be always 1": {"root": lambda c0: 1.0},
        "the weights are missing, which gives another kernel": (
            {"weight": lambda ways: 1},
            {"weight": lambda ways: 1, "root": lambda c0: 1.0},
        ),
        "the weight is the square root of the multinomial coefficient": {"weight": float},
    },
    view=("ΦΦᵀ", lambda Phi: Phi @ Phi.T),
)
def check_monomials(
    X, r, c0, *, root=np.sqrt, weight=math.sqrt, choose=itertools.combinations_with_replacement
):
    """Check that ΦΦᵀ is (xᵀx′ + c₀)ʳ with C(p+r, r) columns, for several p, r and c₀."""
    X = np.column_stack([X, np.full(len(X), root(c0))]) if root else X
    columns = []
    for chosen in choose(range(X.shape[1]), r):
        ways = math.factorial(r) // math.prod(math.factorial(power) for power in np.bincount(chosen))
        columns.append(weight(ways) * np.prod(X[:, chosen], axis=1))
    return np.column_stack(columns)


DISTANCE_DATA: list[tuple[Kernel, np.ndarray, np.ndarray]] = [
    (Linear(), np.array([[1.0], [2.0]]), np.array([[4.0]]))
]
for p, kernel in ((2, Polynomial(1, 0)), (3, Polynomial(2, 1.0)), (5, Gaussian(0.3))):
    DISTANCE_DATA.append((kernel, normal(size=(20, p)) + 0.5, normal(size=(7, p))))


@function_check(
    "distances in feature space from kernel values only",
    "the squared distances",
    [(kernel(X), kernel(Y, X), kernel.diag(Y)) for kernel, X, Y in DISTANCE_DATA],
    {
        "these are distances, not their squares": lambda *case: np.sqrt(check_distances.right(*case)),
        "the factor 2 is missing": {"cross": 1},
        "‖m‖² is the mean of all entries of G, not of its diagonal": {"square": lambda G: np.diag(G).mean()},
        "‖m‖² is missing": {"square": lambda G: 0},
        "‖m‖² has the factor 1/n², not 1/n": {"square": lambda G: G.sum() / len(G)},
        "take the mean of each row of K, not that of all of K": {"average": np.mean},
        "κ(x, x) of the new rows is missing": {"own": 0},
        "the inner product with the mean has a minus sign": {"cross": -2},
        "take means, not sums": lambda G, K, diag: diag - 2 * K.sum(axis=1) + G.sum(),
    },
)
def check_distances(G, K, diag, *, own=1, cross=2, square=np.mean, average=lambda K: K.mean(axis=1)):
    """Check the squared distances ‖φ(x) − m‖² to the mean m of the training features, from kernel values."""
    return own * diag - cross * average(K) + square(G)


@function_check(
    "n = ⌊√(memory/itemsize)⌋",
    "n",
    [(72, 8), (100, 4), (1000, 8), (16e9, 8), (16e9, 4), (80e9, 8)],
    {
        "each number takes itemsize bytes": lambda memory, size: math.isqrt(int(memory)),
        "a number takes itemsize bytes, not always 8": lambda memory, size: math.isqrt(int(memory) // 8),
        "the matrix has n² numbers": lambda memory, size: memory // size,
        "n is a whole number: round down": lambda memory, size: np.sqrt(memory / size),
        "the matrix must fit: round down, not up": lambda memory, size: np.ceil(np.sqrt(memory / size)),
        "store the full matrix": lambda memory, size: (math.isqrt(1 + 8 * (int(memory) // size)) - 1) // 2,
    },
)
def check_largest_n(memory, itemsize):
    """Check the largest n whose full Gram matrix fits into so many bytes."""
    return math.isqrt(int(memory) // itemsize)


@self_check("the letter that is most like the others, in feature space")
def check_typical(row):
    """Check which of the first 500 letters is nearest to their mean in feature space, with γ = 1/2."""
    X = letters(500)
    away = 1 - 2 * Gaussian(1 / 2)(X).mean(axis=1)  # plus the same constant for all
    expect_numbers("The row", row, ())
    expect(row == int(row) and 0 <= row < 500, f"The row should be an index from 0 to 499, got {row}.")
    nearer = np.sum(away < away[int(row)])
    hints = {
        np.sum((X - X.mean(axis=0)) ** 2, axis=1).argmin(): "its 16 numbers are nearest to their mean",
        away.argmax(): "that is the furthest",
        away.argmin() + 1: "rows count from 0",
    }
    sentence = f"The row should be that nearest to the mean of the features, got {row}: {nearer} are nearer."
    expect(row == away.argmin(), sentence, hints.get(int(row), ""))


__all__ = public_names(globals(), "letters")
