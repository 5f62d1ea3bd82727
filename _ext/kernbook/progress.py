"""Show which cell of which chapter runs while the book executes its notebooks.

myst-nb leaves the execution to jupyter-cache, silently, for minutes. jupyter-cache's single_nb_execution
passes unknown keywords on to nbclient's NotebookClient, which calls back before each cell; but myst-nb's call
has no place for keywords, and no setting leads there. So the function is replaced where myst-nb looks it up.
"""

import sys
import time

from myst_nb.core.execute import cache
from sphinx.util import logging

EVERY = 5  # seconds between two lines in a log
# ipykernel warns at each start that others on this machine could listen in; not news for a build's log.
KERNEL_ARGUMENTS = ["--log-level=ERROR"]
logger = logging.getLogger(__name__)


def setup(app):
    """Bind the call-backs; the build's own environment knows which document is being read."""
    execute = cache.single_nb_execution
    if hasattr(execute, "without_progress"):  # a second Sphinx in one process, as in tests
        execute = execute.without_progress

    def execute_with_progress(notebook, *args, **kwargs):
        progress = Progress(app.env.docname, len(notebook.cells), on_terminal=sys.stdout.isatty())
        kwargs |= {"on_cell_start": progress.cell_starts, "extra_arguments": [*KERNEL_ARGUMENTS]}
        result = execute(notebook, *args, **kwargs)
        progress.finish()
        return result

    execute_with_progress.without_progress = execute
    cache.single_nb_execution = execute_with_progress


class Progress:
    """
    One line a chapter on a terminal, rewritten for each cell; in a log a line every few seconds.

    Parameters
    ----------
    docname : str
        The chapter.
    n_cells : int
        How many cells it has, text included, since nbclient counts so.
    on_terminal : bool
        Whether a line can be rewritten.
    """

    def __init__(self, docname, n_cells, *, on_terminal):
        self.docname, self.n_cells, self.on_terminal = docname, n_cells, on_terminal
        self.start = time.monotonic()
        self.last_line = -float("inf")

    def cell_starts(self, cell, cell_index):
        """Say that this cell starts; nbclient's ``on_cell_start``."""
        if self.on_terminal:
            # Return to the line's start and erase it.
            logger.info("\r\x1b[K%s", self.status(cell_index + 1), nonl=True)
        elif time.monotonic() - self.last_line >= EVERY:
            logger.info("%s", self.status(cell_index + 1))
            self.last_line = time.monotonic()

    def finish(self):
        """Say how long the chapter took."""
        logger.info("%s%s", "\r\x1b[K" if self.on_terminal else "", self.status(self.n_cells))

    def status(self, n_done):
        """Put the place and the time so far in words."""
        minutes, seconds = divmod(int(time.monotonic() - self.start), 60)
        return f"{self.docname}  cell {n_done} of {self.n_cells}  {minutes}:{seconds:02d}"
