"""Work on the rows of a large array in blocks that fit the cache, in threads.

A block's temporaries never leave the cache, so no large one is ever held, and two cores share the
blocks. BLAS is held to one thread meanwhile: its own threads would wait for each other, and for ours.
"""

from concurrent.futures import ThreadPoolExecutor

import scipy.linalg  # noqa: F401  so that the controller below sees scipy's BLAS beside numpy's
from joblib import cpu_count
from sklearn.utils import gen_batches
from threadpoolctl import ThreadpoolController

__all__ = ["for_row_blocks"]

BLOCK = 2**17  # numbers of a block's largest temporary: 1 MB in float64, the size of a second-level cache
BLAS = ThreadpoolController()


def for_row_blocks(job, n_rows, width):
    """
    Call job(rows) for slices that together cover all rows.

    Parameters
    ----------
    job : callable
        Takes a slice and writes its part of the result; parts are worked on at once, so they must not
        overlap.
    n_rows : int
        How many rows there are.
    width : int
        Numbers to a row in the job's largest temporary.

    Notes
    -----
    One block runs at once, without threads. An error in a job is raised here.
    """
    size = max(1, BLOCK // width)
    if n_rows <= size:
        job(slice(0, n_rows))
        return
    with BLAS.limit(limits=1, user_api="blas"), ThreadPoolExecutor(cpu_count()) as pool:
        for _ in pool.map(job, gen_batches(n_rows, size)):
            pass
