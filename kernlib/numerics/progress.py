"""Progress of what takes long, where someone is there to see it."""

import sys

from tqdm import tqdm

from kernlib.numerics.browser import HAS_THREADS

__all__ = ["progress_bar"]

if not HAS_THREADS:
    tqdm.monitor_interval = 0  # else it warns that it cannot start one


def progress_bar(items=None, *, verbose=True, **options):
    """
    Give a ``tqdm`` of the items, or to be updated by hand, that stays silent for two seconds.

    Where nobody looks it stays silent altogether: it shows on a terminal and in a notebook, not in a file,
    and nowhere without `verbose`.
    """
    notebook = type(sys.stderr).__module__.startswith(("ipykernel", "pyodide_kernel"))
    # tqdm's own test, None, knows terminals only
    return tqdm(items, delay=2, disable=not verbose or (False if notebook else None), **options)
