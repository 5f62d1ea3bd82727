"""Self-checks of the exercises on sums over blocks.

Chapter: Beyond one machine.
"""

import numpy as np

from kernlib.exercises import expect, hint, self_check
from kernlib.streaming import RidgeStatistics

__all__ = ["check_forget", "check_merge", "check_rows_for"]


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
    for c, p, share in ((100, 20, 1.0), (300, 20, 0.1), (10, 1, 0.5), (1000, 99, 0.25)):
        rows = (c**2 + c) / (share * (p + 1))
        expected = int(np.ceil(rows))
        found = function(c, p, share)
        mistakes = {
            "do the targets travel with the rows?": np.ceil((c**2 + c) / (share * p)),
            "Zᵀy has c numbers too": np.ceil(c**2 / (share * (p + 1))),
            "at least so many, so round up": np.floor(rows),
        }
        expect(
            found == expected,
            f"rows_for({c}, {p}, {share}) should be {expected}, got {found}." + hint(found, mistakes, atol=0),
        )
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
    _same("forget", function(first + second + third, second), first + third)
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
