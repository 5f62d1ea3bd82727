"""How many rows of a data set a page loads; in a browser fewer, as Python is slow there."""

import os

from kernlib.numerics.blocks import HAS_THREADS

__all__ = ["row_limit"]

IN_A_BROWSER = 4_000  # rows of a part: an exact SVM then takes seconds there, and dense matrices fit


def row_limit() -> int | None:
    """Return how many rows of a part of a data set are loaded at most, or None for no limit.

    The environment variable ``KERNLIB_ROWS`` sets the limit; without it, a browser has one of 4,000 rows.
    """
    value = os.environ.get("KERNLIB_ROWS")
    if not value:
        return None if HAS_THREADS else IN_A_BROWSER
    if not (value.isdecimal() and int(value) > 0):
        raise ValueError(f"KERNLIB_ROWS must be a whole number of rows, at least 1, got {value!r}.")
    return int(value)
