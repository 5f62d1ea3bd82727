"""Progress bars for what takes long, if somebody is there to see them."""

import sys
from collections.abc import Iterable
from typing import Any

from tqdm import tqdm

from kernlib.numerics.browser import HAS_THREADS

__all__ = ["progress_bar"]

if not HAS_THREADS:
    tqdm.monitor_interval = 0  # otherwise it warns that it cannot start a thread


def progress_bar(items: Iterable[Any] | None = None, *, verbose: bool = True, **options: Any) -> tqdm:
    """
    Return a ``tqdm`` of the items, or one to update by hand, that shows nothing for two seconds.

    It shows on a terminal and in a notebook only, and nowhere without `verbose`.
    """
    notebook = type(sys.stderr).__module__.startswith(("ipykernel", "pyodide_kernel"))
    # None lets tqdm find out whether this is a terminal; it doesn't know notebooks
    return tqdm(items, delay=2, disable=not verbose or (False if notebook else None), **options)
