"""Progress of what takes long, where someone is there to see it."""

import sys

from tqdm import tqdm

__all__ = ["progress"]


def progress(items=None, *, verbose=True, **options):
    """
    Give a ``tqdm`` that stays silent for two seconds, and altogether where nobody looks.

    Parameters
    ----------
    items : iterable, optional
        What to go through.
    verbose : bool
        Whether to show anything at all; then still only on a terminal or in a notebook, not in a file.
    **options
        As for ``tqdm``.

    Returns
    -------
    tqdm
        The items, or a bar to be updated by hand.
    """
    notebook = type(sys.stderr).__module__.startswith("ipykernel")
    # tqdm's own test, None, knows terminals only
    return tqdm(items, delay=2, disable=not verbose or (False if notebook else None), **options)
