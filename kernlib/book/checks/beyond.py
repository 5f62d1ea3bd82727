"""Self-checks of the exercises on sums over blocks.

Chapter: Beyond one machine.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from kernlib.book.checks import labels, letters
from kernlib.book.checks._check import function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_numbers, format_apart
from kernlib.ridge import primal_ridge
from kernlib.streaming import RidgeStatistics


class _Counting(RidgeStatistics):
    """Statistics that know how many additions deep they are."""

    depth = 0

    def __add__(self, other):
        total = super().__add__(other)
        total = _Counting(total.n, total.gram, total.moment)
        object.__setattr__(total, "depth", 1 + max(self.depth, getattr(other, "depth", 0)))
        return total

    def __radd__(self, other):  # after plain sums, such as the start of a chain
        return self + other


def draw_parts(number, kind=RidgeStatistics):
    """Draw statistics of five rows each, of integers, which add up exactly."""
    rng = np.random.default_rng(number)
    blocks = [rng.integers(-9, 9, (5, 3)).astype(float) for _ in range(number)]
    return [kind(5, Z.T @ Z, Z.T @ Z[:, 0]) for Z in blocks]


def expect_same_sums(name, found, right):
    """Expect the same statistics."""
    is_kind = isinstance(found, RidgeStatistics)
    expect(is_kind, f"{name} should return a RidgeStatistics, got {type(found).__name__}.")
    expect(found.n == right.n, f"{name} should count {right.n} rows, got {found.n}.")
    for what in ("gram", "moment"):
        is_right = np.array_equal(getattr(found, what), getattr(right, what))
        expect(is_right, f"{name} should give the {what} of all its rows, got another one.")


@self_check("merge: the sums of the whole, in a tree of least depth")
def check_merge(function):
    """Check that the sums of 1 to 9 parts are those of the whole, in a tree of least depth."""
    for number in range(1, 10):
        parts = draw_parts(number, _Counting)
        total = function(parts)
        expect_same_sums(f"merge of {number} parts", total, sum(parts[1:], start=parts[0]))
        depth, least = getattr(total, "depth", 0), int(np.ceil(np.log2(number)))
        sentence = f"merge of {number} parts should be {least} additions deep, got {depth}."
        how = "add neighbors in pairs, then the sums in pairs"
        expect(depth == least, sentence, how if depth > least else "add the parts themselves, with +")


@function_check(
    "rows_for: blocks long enough for their sums",
    "rows_for",
    [(1, 1, 1.0), (2, 1, 1.0), (10, 1, 0.5), (100, 20, 1.0), (300, 20, 0.125), (1000, 99, 0.25)],
    {
        "do the targets come with the rows?": {"targets": 0},
        "Zᵀy has c numbers too": {"moment": 0},
        "round up, so that the share is not exceeded": {"final": np.floor},
        "divide by the share, do not multiply": {"turn": True},
        "S is symmetric: its lower triangle is enough": {"triangle": False},
    },
    atol=0.1,
)
def check_rows_for(c, p, share, *, targets=1, moment=1, triangle=True, turn=False, final=np.ceil):
    """Check the least number of rows for which 4c(c + 3) bytes are a share of 8(p + 1) bytes a row."""
    numbers = (c * (c + 1) / 2 if triangle else c**2) + moment * c
    return final(numbers / (p + targets) * (share if turn else 1 / share))


@self_check("forget: the sums of the other rows, and an error message if no rows are left")
def check_forget(function):
    """Check statistics without a part, and the error if the part has as many rows as the total or more."""
    first, second, third = draw_parts(3)
    expect_same_sums("forget", function(first + second + third, second), first + third)
    for part in (first, first + second):
        try:
            function(first, part)
            raised = None
        except AssertionError as wrong:
            raised = wrong.__cause__  # what the student's function raised
        got = "no error" if raised is None else type(raised).__name__
        sentence = f"forget should refuse {part.n} rows of {first.n} with a ValueError, got {got}."
        expect(isinstance(raised, ValueError), sentence)


def fit_logistic(z, lam=0.1):
    """Find the optimal w of the logistic loss with labels +1."""
    return brentq(lambda w: lam * w - np.mean(z * expit(-z * w)), -1e3, 1e3)


@self_check("the same n, S and u, and w = {:.2f} and {:.2f}")
def check_same_sums(one, two):
    """Check two sets of three rows with the same n, S and u, and different optimal w of the logistic loss."""
    one, two = (np.sort(expect_numbers(*z, (3,)).astype(float)) for z in (("one", one), ("two", two)))
    for what, first, second in (("u = Σz", one.sum(), two.sum()), ("S = Σz²", one @ one, two @ two)):
        is_same, got = (
            abs(first - second) <= 1e-9 * (1 + abs(first)),
            " and ".join(format_apart(first, second)),
        )
        expect(is_same, f"Both should have the same {what}, got {got}.")
    first, second = fit_logistic(one), fit_logistic(two)
    hint = "these are the same three numbers" if np.allclose(one, two) else "move them further apart"
    sentence = f"The optimal w should differ by more than 0.01, got {first:.3f} and {second:.3f}."
    expect(abs(first - second) > 0.01, sentence, hint)
    return first, second


@number_check("cross-validation from the sums of five folds", rtol=0.002)
def check_fold_error():
    """Check the mean squared error of ridge, λ = 0.5, by five folds of 160 letters, each fitted on four."""
    Z, y = letters(800), labels(800)
    folds = np.arange(800) // 160

    def error(train, test, lam=0.5):
        return np.mean((y[test] - Z[test] @ primal_ridge(Z[train], y[train], lam=lam)) ** 2)

    def crossed(lam):
        return np.mean([error(folds != fold, folds == fold, lam) for fold in range(5)])

    right = crossed(0.5)
    return right, {
        "that is the error on the rows that were fitted": error(folds >= 0, folds >= 0),
        "fit on four folds, test on the fifth": np.mean([error(folds == k, folds != k) for k in range(5)]),
        "take the mean over the folds, not their sum": 5 * right,
        "that is its square root": np.sqrt(right),
        "n is the number of rows in the four folds, not in all five": crossed(0.5 * 800 / 640),
        "the ridge is λ times the number of rows in the four folds": crossed(0.5 / 640),
    }


__all__ = public_names(globals(), "labels", "letters")
