"""What a chapter claims, checked case by case; the reader sees one line."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from kernlib.book.row_limit import row_limit

__all__ = ["claim"]


@contextmanager
def claim(statement: str, over: str = "", all_rows: bool = False) -> Iterator[Callable[[object], None]]:
    """Check a statement in a number of cases, and say in one line that it holds in all of them.

    Parameters
    ----------
    statement : str
        What is checked. The book shows it in place of the folded cell.
    over : str, optional
        The cases, in words: "3 kernels, p = 1, 2, 5, 22".
    all_rows : bool, optional
        The statement is about a whole data set: where fewer rows are loaded
        (`kernlib.book.row_limit.row_limit`), no case is decided, and the line says so.

    Yields
    ------
    holds : callable
        ``holds(truth)`` checks one case: `truth` is a bool or an array of them, all of which must be true.

    Raises
    ------
    AssertionError
        At the first case that fails, and at the end if there was no case. Only a statement that was checked
        and holds prints its line.

    Examples
    --------
    >>> with claim("a square is not negative", over="x = -2, ..., 2") as holds:
    ...     for x in range(-2, 3):
    ...         holds(x**2 >= 0)
    ✓ holds in 5 cases: x = -2, ..., 2
    """
    cases, most = 0, row_limit() if all_rows else None

    def holds(truth):
        nonlocal cases
        truth = np.asarray(truth)
        if truth.dtype != bool or not truth.size:
            raise AssertionError(f"a case needs something true or false, not {truth!r}")
        if most is None and not truth.all():
            raise AssertionError(f"case {cases + 1} of the check that {statement}")
        cases += 1

    yield holds
    if not cases:
        raise AssertionError(f"nothing was checked of the statement that {statement}")
    if most is not None:
        print(f"not checked here: it is about all rows, and at most {most:,} are loaded (KERNLIB_ROWS)")
        return
    counted = f" in {cases:,} cases" if cases > 1 else ""
    where = f": {over}" if over else ""
    print(f"✓ holds{counted}{where}")
