"""Say which notebooks run, which are done, and about how long the rest takes.

On a terminal one line is rewritten with each cell; a log gets a line when a notebook ends, and one now and
then in between.
"""

import shutil
import threading
import time

from sphinx.util import logging

EVERY = 20  # seconds between two lines in a log
logger = logging.getLogger(__name__)


class Progress:
    """
    The state of notebooks that run side by side.

    Parameters
    ----------
    sizes : dict
        How many cells with code each notebook has.
    weights : dict
        How long a cell of it takes, in any unit.
    at_once : int
        How many run at a time.
    on_terminal : bool
        Whether a line can be rewritten.
    """

    def __init__(self, sizes, weights, at_once, *, on_terminal):
        self.sizes, self.weights, self.on_terminal = sizes, weights, on_terminal
        self.running, self.done = {}, {}  # how many cells of each have run
        self.began, self.start, self.last_line = {}, time.monotonic(), -float("inf")
        self.lock = threading.Lock()  # the notebooks' threads report here
        logger.info("%d notebooks to execute, %d at a time", len(sizes), at_once)

    def starts(self, docname):
        """Say that this notebook's kernel starts."""
        with self.lock:
            self.running[docname], self.began[docname] = 0, time.monotonic()
            self.show()

    def cell_ends(self, docname):
        """Count a cell."""
        with self.lock:
            self.running[docname] += 1
            self.show()

    def ends(self, docname):
        """Say how long the notebook took."""
        with self.lock:
            del self.running[docname]
            self.done[docname] = self.sizes[docname]
            took = clock(time.monotonic() - self.began[docname])
            self.erase()
            logger.info("%s  %d cells in %s, %s", docname, self.sizes[docname], took, self.rest())
            self.show()

    def show(self):
        """Rewrite the terminal's line; in a log write one, if the last is old enough."""
        status = ", ".join(f"{name} cell {n} of {self.sizes[name]}" for name, n in self.running.items())
        if self.on_terminal:
            self.erase()
            line = f"{status}; {self.rest()}"[: shutil.get_terminal_size().columns - 1]
            logger.info("%s", line if self.running else "", nonl=True)
        elif self.running and time.monotonic() - self.last_line >= EVERY:
            logger.info("%s; %s", status, self.rest())
            self.last_line = time.monotonic()

    def erase(self):
        """Return to the start of the terminal's line and erase it."""
        if self.on_terminal:
            logger.info("\r\x1b[K", nonl=True)

    def rest(self):
        """Put in words how much is done, and how long the rest takes at this pace."""
        work = sum(self.weights[name] * n for name, n in (self.running | self.done).items())
        words = f"{len(self.done)} of {len(self.sizes)} done"
        if work == 0:
            return words
        whole = sum(self.weights[name] * n for name, n in self.sizes.items())
        seconds = time.monotonic() - self.start
        return f"{words}, about {clock(seconds / work * (whole - work))} left"


def clock(seconds):
    """Write a duration as minutes and seconds."""
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes}:{seconds:02d}"
