"""Clocks that say anything, an extension of the kernel: there no assert on a measured time can last."""

import os
import random
import time
import timeit

SEED = "LYING_CLOCK"  # the environment variable that asks for it, and says what the clocks will say


def lying_clock(seed):
    """A clock that runs on by a microsecond or by minutes from one look at it to the next."""
    rng, now = random.Random(seed), 0.0

    def clock():
        nonlocal now
        now += 10 ** rng.uniform(-6, 2)
        return now

    return clock


def lie_if_asked():
    """Put a lying clock in the place of those that measure how long something took."""
    if SEED in os.environ:
        clock = lying_clock(int(os.environ[SEED]))
        time.perf_counter = time.process_time = timeit.default_timer = clock
        time.perf_counter_ns = time.process_time_ns = lambda: int(1e9 * clock())


def load_ipython_extension(shell):
    """Lie before the first cell imports a clock."""
    lie_if_asked()
