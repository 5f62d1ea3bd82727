"""Self-checks of the exercises on sums over blocks.

Chapter: Beyond one machine.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from kernlib.book.checks import expect, expect_number, expect_numbers, expect_right, self_check
from kernlib.book.checks._letters import labels, letters
from kernlib.ridge import primal_ridge
from kernlib.streaming import RidgeStatistics

__all__ = [
    "check_fold_error",
    "check_forget",
    "check_merge",
    "check_rows_for",
    "check_same_sums",
    "labels",
    "letters",
]


class _Counting(RidgeStatistics):
    """Statistics that know how many additions deep they are."""

    depth = 0

    def __add__(self, other):
        total = super().__add__(other)
        total = _Counting(total.n, total.gram, total.moment)
        object.__setattr__(total, "depth", 1 + max(self.depth, other.depth))
        return total


def _parts(number, kind=RidgeStatistics):
    rng = np.random.default_rng(number)
    blocks = [rng.integers(-9, 9, (5, 3)).astype(float) for _ in range(number)]  # integers add up exactly
    return [kind(5, Z.T @ Z, Z.T @ Z[:, 0]) for Z in blocks]


def _same(name, found, expected):
    """The same sums; where rows or moments are as they were, that is said."""
    expect(
        isinstance(found, RidgeStatistics),
        f"{name} should return a RidgeStatistics, got {type(found).__name__}.",
    )
    expect(found.n == expected.n, f"{name} should count {expected.n} rows, got {found.n}.")
    for what in ("gram", "moment"):
        expect(
            np.array_equal(getattr(found, what), getattr(expected, what)),
            f"{name} should give the {what} of all its rows, got another one.",
        )


@self_check
def check_merge(function):
    """
    Check that the sums of 1 to 9 parts are those of the whole, and that the tree is as low as it can be.

    Parameters
    ----------
    function : callable
        Takes a list of RidgeStatistics.
    """
    for number in range(1, 10):
        parts = _parts(number, _Counting)
        total = function(parts)
        _same(f"merge of {number} parts", total, sum(parts[1:], start=parts[0]))
        depth, least = getattr(total, "depth", 0), int(np.ceil(np.log2(number)))
        expect(
            depth <= least,
            f"merge of {number} parts should be {least} additions deep, got {depth}. Hint: add neighbours in "
            "pairs, then the sums in pairs.",
        )
    print("✓ merge: the sums of the whole, in a tree as low as it can be")


@self_check
def check_rows_for(function):
    """
    Check the least number of rows for which 8(c² + c) bytes are at most a share of 8(p + 1) bytes a row.

    Parameters
    ----------
    function : callable
        Takes c, p and share.
    """
    cases = [(1, 1, 1.0), (2, 1, 1.0), (10, 1, 0.5), (100, 20, 1.0), (300, 20, 0.1), (1000, 99, 0.25)]

    def rows(c, p, share):
        return (c**2 + c) / (share * (p + 1))

    def right(c, p, share):
        return int(np.ceil(rows(c, p, share)))

    mistakes = {
        "do the targets travel with the rows?": lambda c, p, share: np.ceil((c**2 + c) / (share * p)),
        "Zᵀy has c numbers too": lambda c, p, share: np.ceil(c**2 / (share * (p + 1))),
        "at least so many, so round up": lambda *case: np.floor(rows(*case)),
        "share is a part of the rows' bytes: divide by it": lambda c, p, share: np.ceil(
            rows(c, p, 1) * share
        ),
        "half of S is not sent apart: all of its c² numbers count": lambda c, p, share: np.ceil(
            (c * (c + 1) / 2 + c) / (share * (p + 1))
        ),
    }
    expect_right("rows_for", function, right, cases, mistakes, atol=0.1)
    print("✓ rows_for: blocks long enough for their sums")


@self_check
def check_forget(function):
    """
    Check that statistics without a part are those of the other rows; too large a part must be refused.

    Parameters
    ----------
    function : callable
        Takes the statistics of all rows and those of the part.
    """
    first, second, third = _parts(3)
    total = first + second + third
    _same("forget", function(total, second), first + third)
    for part in (first, first + second):
        try:
            function(first, part)
            raised = None
        except AssertionError as told:
            raised = told.__cause__  # what the function itself raised
        expect(
            isinstance(raised, ValueError),
            f"forget should refuse {part.n} rows of {first.n} with a ValueError, got "
            f"{'no error' if raised is None else type(raised).__name__}.",
        )
    print("✓ forget: the sums of the other rows, and a sentence where none are left")


@self_check
def check_same_sums(one, two):
    """
    Check two data sets of three rows with the same n, S and u, and different optimal w of the logistic loss.

    Parameters
    ----------
    one, two : array_like of shape (3,)
        The one feature of each, all labels +1; λ = 0.1.
    """
    for name, z in (("one", one), ("two", two)):
        expect_numbers(name, z, (3,))
    one, two = (np.sort(np.asarray(z, dtype=float)) for z in (one, two))
    for what, moment in (("u = Σz", np.sum), ("S = Σz²", lambda z: z @ z)):
        first, second = moment(one), moment(two)
        expect(
            abs(first - second) <= 1e-9 * (1 + abs(first)),
            f"Both should have the same {what}, got {first:.4g} and {second:.4g}.",
        )
    first, second = optimum(one), optimum(two)
    expect(
        abs(first - second) > 0.01,
        f"The optimal w should differ by more than 0.01, got {first:.3f} and {second:.3f}. Hint: "
        + ("these are the same three numbers" if np.allclose(one, two) else "take them further apart")
        + ".",
    )
    print(f"✓ the same n, S and u, and w = {first:.2f} and {second:.2f}")


def optimum(z, lam=0.1):
    """The optimal w of the logistic loss with labels +1, by bisection on the slope."""
    return brentq(lambda w: lam * w - np.mean(z * expit(-z * w)), -1e3, 1e3)


@self_check
def check_fold_error(error):
    """
    Check the cross-validated mean square of ridge on 800 letters, from the sums of five folds.

    Parameters
    ----------
    error : float
        Five folds of 160 consecutive rows of `letters(800)`, targets `labels(800)`, λ = 0.001.
    """
    Z, y = letters(800), labels(800)
    folds = np.arange(800) // 160

    def missed(train, test, lam=0.001):
        w = primal_ridge(Z[train], y[train], lam=lam)
        return np.mean((y[test] - Z[test] @ w) ** 2)

    every = np.full(800, True)
    right = np.mean([missed(folds != fold, folds == fold) for fold in range(5)])
    mistakes = {
        "that is the error on the rows that were fitted": missed(every, every),
        "fit on four folds, test on the fifth": np.mean(
            [missed(folds == fold, folds != fold) for fold in range(5)]
        ),
        "the mean over the folds, not their sum": 5 * right,
        "that is its root": np.sqrt(right),
    }
    sentence = "The error should be the mean square of the five folds, each fitted on the other four"
    expect_number(sentence, error, right, mistakes, rtol=0.002)
    print("✓ cross-validation from the sums of five folds")
