"""Self-checks of the exercises on kernels.

Chapter: Kernels.
"""

import itertools
import math

import numpy as np

from kernlib.book.checks import expect, expect_numbers, expect_real, expect_right, self_check
from kernlib.book.checks._letters import letters
from kernlib.kernels import Gaussian, Linear, Polynomial

__all__ = [
    "check_distances",
    "check_largest_n",
    "check_monomials",
    "check_outlier",
    "check_witness",
    "letters",
]


@self_check
def check_witness(points):
    """
    Check that at most three positive numbers give max(x, x′) a Gram matrix with a negative eigenvalue.

    Parameters
    ----------
    points : array_like of shape (n,)
        Two or three positive numbers.
    """
    n = expect_real("points", points).size
    expect(n in (2, 3), f"Give two or three points, got {n}.")
    expect_numbers("points", points, (n,))
    x = np.asarray(points, dtype=float)
    expect((x > 0).all(), f"The points should be positive, got {x.min():.3g}.")
    lam = np.linalg.eigvalsh(np.maximum(x[:, None], x))[0]
    suspicion = "equal points see one number only" if np.ptp(x) == 0 else "take them further apart"
    expect(
        lam < -0.01,
        f"The smallest eigenvalue should be below -0.01, got {lam:.3g}. Hint: {suspicion}.",
    )
    print("✓ a negative eigenvalue, so max is no kernel")


@self_check
def check_monomials(function):
    """
    Check that ΦΦᵀ is (xᵀx′ + c₀)ʳ with C(p+r, r) columns, for several p, r and c₀.

    Parameters
    ----------
    function : callable
        Called as ``function(X, r, c0)`` with X of shape (n, p); gives Φ.
    """
    rng = np.random.default_rng(0)
    cases = [(np.array([[2.0]]), 1, 3.0), (np.array([[1.0, 2.0]]), 2, 3.0)]
    sizes = ((1, 4, 0.5), (2, 3, 2.0), (5, 2, 0.3), (3, 4, 1.5))
    cases += [(rng.normal(size=(6, p)), r, c0) for p, r, c0 in sizes]

    def columns(X, r, c0):
        return math.comb(X.shape[1] + r, r)

    expect_right(
        "the number of columns",
        lambda *case: (0, *expect_real("Φ", function(*case)).shape)[-1],  # a number has no columns
        columns,
        cases,
        {
            "the constant belongs to it too": lambda X, r, c0: columns(X, r, c0) - 1,
            "degrees below r belong to it too": lambda X, r, c0: math.comb(X.shape[1] + r - 1, r),
            "x₁x₂ and x₂x₁ are one monomial": lambda X, r, c0: (X.shape[1] + 1) ** r,
        },
    )
    expect_right(
        "Φ",
        function,
        monomials,
        cases,
        {
            "c₀ enters a feature by its root": lambda X, r, c0: monomials(X, r, c0**2),
            "c₀ seems to be 1 always": lambda X, r, c0: monomials(X, r, 1.0),
            "the weights are missing, and this is another kernel": lambda X, r, c0: monomials(
                X, r, c0, weight=lambda ways: 1
            ),
            "a feature has the root of its multinomial weight": lambda X, r, c0: monomials(
                X, r, c0, weight=lambda ways: ways
            ),
        },
        view=lambda Phi: Phi @ Phi.T,
        seen="ΦΦᵀ",
    )
    print("✓ C(p+r, r) weighted monomials, and ΦΦᵀ = (xᵀx′ + c₀)ʳ")


def monomials(X, r, c0, *, weight=math.sqrt):
    """The weighted monomials of degree r of (x, √c₀)."""
    X = np.column_stack([X, np.full(len(X), np.sqrt(c0))])
    columns = []
    for chosen in itertools.combinations_with_replacement(range(X.shape[1]), r):
        powers = np.bincount(chosen)
        ways = math.factorial(r) // math.prod(math.factorial(power) for power in powers)
        columns.append(weight(ways) * np.prod(X[:, chosen], axis=1))
    return np.column_stack(columns)


@self_check
def check_distances(function):
    """
    Check the squared distances ‖φ(x) − m‖² to the mean m of the training features, from kernel values only.

    Parameters
    ----------
    function : callable
        Called as ``function(G, K, diag)``: the Gram matrix of n training rows, the kernel values of m new
        rows against them, of shape (m, n), and κ(x, x) of the new rows.
    """
    rng, cases = np.random.default_rng(0), []
    small = np.array([[1.0], [2.0]]), np.array([[4.0]])
    sizes = ((2, Polynomial(1, 0)), (3, Polynomial(2, 1.0)), (5, Gaussian(0.3)))
    drawn = [(kernel, rng.normal(size=(20, p)) + 0.5, rng.normal(size=(7, p))) for p, kernel in sizes]
    for kernel, X, Y in [(Linear(), *small), *drawn]:
        cases.append((kernel(X), kernel(Y, X), kernel.diag(Y)))

    def right(G, K, diag):
        return diag - 2 * K.mean(axis=1) + G.mean()

    mistakes = {
        "these are distances, not their squares": lambda *case: np.sqrt(right(*case)),
        "the factor 2 is missing": lambda G, K, diag: diag - K.mean(axis=1) + G.mean(),
        "the norm of the mean is the mean of all entries of G": lambda G, K, diag: (
            diag - 2 * K.mean(axis=1) + np.trace(G) / len(G)
        ),
        "the norm of the mean is missing": lambda G, K, diag: diag - 2 * K.mean(axis=1),
        "κ(x, x) of the new rows is missing": lambda G, K, diag: G.mean() - 2 * K.mean(axis=1),
        "the inner product with the mean enters with a minus": lambda G, K, diag: (
            diag + 2 * K.mean(axis=1) + G.mean()
        ),
        "a mean divides by n, a sum does not": lambda G, K, diag: diag - 2 * K.sum(axis=1) + G.sum(),
    }
    expect_right("the squared distances", function, right, cases, mistakes)
    print("✓ distances in feature space from kernel values only")


@self_check
def check_largest_n(function):
    """
    Check the largest n whose full Gram matrix fits into so many bytes.

    Parameters
    ----------
    function : callable
        Called as ``function(memory, itemsize)``, in bytes; gives an int.
    """
    cases = [(72, 8), (100, 4), (1000, 8), (16e9, 8), (16e9, 4), (80e9, 8)]

    def right(memory, itemsize):
        return math.isqrt(int(memory) // itemsize)

    mistakes = {
        "a number takes itemsize bytes": lambda memory, itemsize: right(memory, 1),
        "every number takes itemsize bytes, not always 8": lambda memory, itemsize: right(memory, 8),
        "the matrix has n² numbers": lambda memory, itemsize: memory // itemsize,
        "n is a whole number: round down": lambda memory, itemsize: np.sqrt(memory / itemsize),
        "the matrix must fit: round down, not up": lambda memory, itemsize: np.ceil(
            np.sqrt(memory / itemsize)
        ),
        "the full matrix is asked for, not one triangle": lambda memory, itemsize: (
            (math.isqrt(1 + 8 * (int(memory) // itemsize)) - 1) // 2
        ),
    }
    expect_right("n", function, right, cases, mistakes)
    print("✓ n = ⌊√(memory/itemsize)⌋")


@self_check
def check_outlier(row):
    """
    Check which of the first 300 letters is furthest from their mean in feature space, with γ = 1/16.

    Parameters
    ----------
    row : int
        Its index among `letters(300)`, from 0.
    """
    X = letters(300)
    away = 1 - 2 * Gaussian(1 / 16)(X).mean(axis=1)  # + the same for all
    expect_numbers("The row", row, ())
    expect(row == int(row) and 0 <= row < 300, f"The row should be an index from 0 to 299, got {row}.")
    mistakes = {
        "that is the nearest": away.argmin(),
        "rows count from 0": away.argmax() + 1,
    }
    fits = [f" Hint: {text}." for text, wrong in mistakes.items() if wrong == row]
    expect(
        row == away.argmax(),
        f"The row should be the one furthest from the mean in feature space, got {row}, which "
        f"{np.sum(away > away[int(row)])} rows exceed." + "".join(fits[:1]),
    )
    print("✓ the letter that is least like the others, in feature space")
