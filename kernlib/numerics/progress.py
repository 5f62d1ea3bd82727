"""Progress bars for what takes long, if somebody is there to see them."""

import sys
from collections.abc import Iterable
from typing import Any

from tqdm import tqdm

from kernlib.numerics.blocks import HAS_THREADS

__all__ = ["progress_bar"]

if not HAS_THREADS:
    tqdm.monitor_interval = 0  # otherwise it warns that it cannot start a thread


def progress_bar(items: Iterable[Any] | None = None, *, verbose: bool = True, **options: Any) -> tqdm:
    """Return a ``tqdm`` bar that shows after two seconds, on a terminal or in a notebook, if `verbose`."""
    notebook = type(sys.stderr).__module__.startswith(("ipykernel", "pyodide_kernel"))
    # None lets tqdm find out whether this is a terminal; it doesn't know notebooks
    return tqdm(items, delay=2, disable=not verbose or (False if notebook else None), **options)
