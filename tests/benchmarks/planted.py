"""Sides of planted races, which a fresh process finds by name."""

import os
import threading
import time
from functools import partial


def sleeping(seconds, dtype):
    """Work that takes so long, and gives it."""

    def work():
        time.sleep(seconds)
        return seconds

    return work


def spinning(dtype):
    """Work of no time, in a process whose other thread never rests."""

    def spin():
        while True:
            pass

    threading.Thread(target=spin, daemon=True).start()
    return time.process_time


def dying(dtype):
    """Work that ends the process, as a crash of a BLAS does."""
    return partial(os._exit, 3)


def raising(dtype):
    """Work that raises."""
    return partial(int, "no number")


def itself(result):
    """The error of a result is the result."""
    return result


def none(result):
    """No error."""
    return 0.0
