"""What Python lacks in a browser, found out here alone: threads, processes, most of the computer's speed."""

import os
import sys

__all__ = ["THREADS", "most_rows"]

THREADS = sys.platform != "emscripten"  # where there are none, there are no processes either
ROWS = 4_000  # of a part of a data set: an exact SVM then takes seconds there, and dense matrices fit


def most_rows():
    """
    Give how many rows of a part of a data set are loaded at most.

    It is the environment variable ``KERNLIB_ROWS``, a whole number; where that is not set, 4,000 in a browser
    and no limit elsewhere, None.
    """
    asked = os.environ.get("KERNLIB_ROWS")
    if not asked:
        return None if THREADS else ROWS
    if not (asked.isdecimal() and int(asked) > 0):
        raise ValueError(f"KERNLIB_ROWS must be a whole number of rows, at least 1, got {asked!r}.")
    return int(asked)
