"""Show how far the notebooks are and about how long the rest takes: a bar on a terminal, lines in a log."""

import os
import sys
import threading

from sphinx.util import logging
from tqdm import tqdm

logger = logging.getLogger(__name__)


class Progress(tqdm):
    """A bar over the cells of notebooks that run side by side; a log gets a line when one of them ends."""

    def __init__(self, sizes, weights, **options):
        self.sizes, self.weights, self.guard = sizes, weights, threading.Lock()
        self.running, self.starts, self.done = {}, {}, 0
        terminal = sys.stdout if sys.stdout.isatty() else open(os.devnull, "w")
        options = {"file": terminal, "bar_format": "{desc}; about {remaining} left", "leave": False} | options
        super().__init__(total=sum(weights[name] * size for name, size in sizes.items()), **options)

    def start(self, docname):
        """Note that this notebook's kernel starts."""
        with self.guard:
            self.running[docname], self.starts[docname] = 0, self._time()

    def count_cell(self, docname):
        """Count a cell."""
        with self.guard:
            self.running[docname] += 1
            status = (f"{name} cell {n} of {self.sizes[name]}" for name, n in self.running.items())
            self.set_description_str(
                f"{self.done} of {len(self.sizes)} done, {', '.join(status)}", refresh=False
            )
            self.update(self.weights[docname])

    def end(self, docname):
        """Say how long the notebook took, and how long the rest takes at this pace."""
        with self.guard:
            del self.running[docname]
            self.done += 1
            now = self._time()
            took = self.format_interval(now - self.starts[docname])
            rest = self.format_interval((now - self.start_t) / max(self.n, 1) * (self.total - self.n))
            status = f"{self.done} of {len(self.sizes)} done, about {rest} left"
            self.clear()
            logger.info("%s  %d cells in %s, %s", docname, self.sizes[docname], took, status)
