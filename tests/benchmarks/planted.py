"""Sides of made-up races, which a fresh process finds by name."""

import os
import threading
import time
from functools import partial


def sleep(seconds, dtype):
    """Work that takes so many seconds and returns them."""

    def work():
        time.sleep(seconds)
        return seconds

    return work


def spin(dtype):
    """Work that takes no time, in a process whose other thread never rests."""

    def loop():
        while True:
            pass

    threading.Thread(target=loop, daemon=True).start()
    return time.process_time


def die(dtype):
    """Work that ends the process, as a crash of a BLAS does."""
    return partial(os._exit, 3)


def fail(dtype):
    """Work that raises an error."""
    return partial(int, "not a number")


def identity(result):
    """Return the result as its own error."""
    return result
