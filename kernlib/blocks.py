"""Work on a large array in parts that fit the cache, in threads.

A part's temporaries never leave the cache, so no large one is ever held, and two cores share the
parts. BLAS is held to one thread meanwhile: its own threads would wait for each other, and for ours.
"""

from concurrent.futures import ThreadPoolExecutor

import scipy.linalg  # noqa: F401  so that the controller below sees scipy's BLAS beside numpy's
from joblib import cpu_count
from sklearn.utils import gen_batches
from threadpoolctl import ThreadpoolController

__all__ = ["THREADS", "TILE", "for_row_blocks", "in_threads", "tiles"]

BLOCK = 2**17  # numbers of a block's largest temporary: 1 MB in float64, the size of a second-level cache
TILE = 512  # rows and columns of a matrix computed at once: 1 MB in float32
THREADS = cpu_count()
BLAS = ThreadpoolController()


def in_threads(job, parts):
    """
    Call job(part) for each part, as many at once as there are cores.

    Parameters
    ----------
    job : callable
        Writes its part of the result; parts are worked on at once, so they must not overlap.
    parts : iterable
        What to call it with. A single one is worked on at once, without threads.

    Notes
    -----
    An error in a job is raised here.
    """
    parts = list(parts)
    if len(parts) == 1:
        job(parts[0])
        return
    with BLAS.limit(limits=1, user_api="blas"), ThreadPoolExecutor(THREADS) as pool:
        for _ in pool.map(job, parts):
            pass


def for_row_blocks(job, n_rows, width):
    """
    Call job(rows) for slices that together cover all rows.

    Parameters
    ----------
    job : callable
        Takes a slice and writes its part of the result.
    n_rows : int
        How many rows there are.
    width : int
        Numbers to a row in the job's largest temporary.
    """
    in_threads(job, gen_batches(n_rows, max(1, BLOCK // width)))


def tiles(n_rows, n_columns=None):
    """
    Give pairs of slices that together cover a matrix.

    Parameters
    ----------
    n_rows : int
        How many rows there are.
    n_columns : int, optional
        How many columns there are; without it, the matrix is symmetric, and the tiles cover its diagonal
        and what lies above.

    Yields
    ------
    rows, columns : slice
        Those of a tile; the same on the diagonal of a symmetric matrix.
    """
    for rows in gen_batches(n_rows, TILE):
        for columns in gen_batches(n_rows if n_columns is None else n_columns, TILE):
            if n_columns is not None or columns.start >= rows.start:
                yield rows, columns
