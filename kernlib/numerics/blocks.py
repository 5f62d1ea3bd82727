"""Work on a large array in parts that fit the cache, in threads.

A part's temporaries never leave the cache, so no large one is ever held, and two cores share the
parts. BLAS is held to one thread meanwhile: its own threads would wait for each other, and for ours.

Its number of threads is the whole process's, where others work too: the first to come sets it to one, and
the last to leave sets it back.
"""

import os
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import scipy.linalg  # noqa: F401  so that the controller below sees scipy's BLAS beside numpy's
from joblib import cpu_count
from threadpoolctl import ThreadpoolController

from kernlib.numerics.browser import HAS_THREADS

__all__ = [
    "BLOCK",
    "count_threads",
    "for_each_row_block",
    "matrix_blocks",
    "one_blas_thread",
    "run_in_order",
    "run_in_threads",
    "slices",
]

CACHE = 2**17  # numbers that a second-level cache holds: 1 MB in float64
BLOCK = 504  # rows and columns of a matrix computed at once: 1 MB in float32; 512 take 5 times to transpose
CORES = cpu_count() if HAS_THREADS else 1


class Limiter:
    """Holds the BLAS libraries (numpy's and scipy's, which may be two) to one thread, and sets them back."""

    def __init__(self, libraries):
        self.libraries = libraries
        self.shared = [reaches_all_threads(library) for library in libraries]
        self.lock = threading.RLock()  # the garbage collector may end an abandoned hold while we are in here
        self.holders = {}  # and what each of them found; empty while BLAS is free
        self.before = []  # what the first of them found
        self.job = threading.local()  # marks our own threads

    def found(self):
        """Give how many threads each library may use in a call from this thread."""
        return [library.num_threads for library in self.libraries]

    def set(self, numbers):
        """Set each library's number of threads."""
        for library, number in zip(self.libraries, numbers, strict=True):
            set_threads(library, number)

    def hold(self, holder):
        """Set all to one thread."""
        with self.lock:
            found = self.found()
            if not self.holders:
                self.before = found
            self.holders[holder] = found
            self.set([1] * len(found))

    def release(self, holder):
        """Set back a number that is this thread's own; one that all share, where nobody holds it any more."""
        with self.lock:
            found = self.holders.pop(holder, None)
            if found is not None:  # else this is a child, forked meanwhile: all is set back already
                shared = [1] * len(found) if self.holders else self.before
                numbers = zip(self.shared, shared, found, strict=True)
                self.set([theirs if is_shared else own for is_shared, theirs, own in numbers])

    def begin_job(self):
        """Make this thread, a new one, one of ours."""
        self.job.running = True
        self.set([1] * len(self.libraries))

    def start_anew(self):
        """After a fork, in the child: those who held BLAS are not here; a number of this thread's own is."""
        if self.holders:
            in_job = hasattr(self.job, "running")
            numbers = zip(self.shared, self.before, self.found(), strict=True)
            self.set([before if is_shared or in_job else own for is_shared, before, own in numbers])
            self.holders.clear()
        self.job = threading.local()
        self.lock.release()


def set_threads(library, number):
    """Set a library's number of threads, whichever thread threadpoolctl takes to be in control of it."""
    # threadpoolctl 3.8 lets one thread at a time set OpenBLAS, and takes no notice of the others
    yield_control = getattr(library, "clear_controlling_thread", lambda force: None)
    yield_control(force=True)
    library.set_num_threads(number)
    yield_control(force=True)


def reaches_all_threads(library):
    """Tell whether what one thread sets holds in all: so in OpenBLAS, but not in BLIS or with OpenMP."""
    before = library.num_threads
    if before == 1:
        return True
    other = threading.Thread(target=set_threads, args=(library, 1))
    other.start()
    other.join()
    changed = library.num_threads == 1
    set_threads(library, before)
    return changed


BLAS = Limiter(ThreadpoolController().select(user_api="blas").lib_controllers if HAS_THREADS else [])
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(
        before=BLAS.lock.acquire, after_in_parent=BLAS.lock.release, after_in_child=BLAS.start_anew
    )


def count_threads():
    """
    Give how many parts a call from here works on at once.

    As many as BLAS may use threads at this moment, which users, joblib and Dask limit; at most the cores. One
    in a job of ours, while BLAS is held by another call, where threadpoolctl finds no BLAS, and in a browser.
    """
    if hasattr(BLAS.job, "running") or BLAS.holders:
        return 1
    return min(CORES, *BLAS.found()) if BLAS.libraries else 1


@contextmanager
def one_blas_thread():
    """Hold BLAS to one thread, however many calls do so at once; gives `count_threads` from before."""
    holder = object()
    try:
        with BLAS.lock:
            count = count_threads()
            BLAS.hold(holder)
        yield count
    finally:
        BLAS.release(holder)


def workers(count):
    """Give a pool of threads, to be used within `one_blas_thread`, in which further calls start none."""
    return ThreadPoolExecutor(count, initializer=BLAS.begin_job)


def run_in_threads(job, parts):
    """
    Call job(part) for each part, as many at once as `count_threads` says; an error in a job is raised here.

    Each job writes its part of the result, so parts must not overlap.
    """
    parts = list(parts)
    if len(parts) == 1:
        job(parts[0])
        return
    with one_blas_thread() as count:
        if count == 1:
            for part in parts:
                job(part)
            return
        with workers(count) as pool:
            for _ in pool.map(job, parts):
                pass


def run_in_order(job, items, use):
    """
    Call use(job(item)) for each item: the jobs in threads, and their results used in order.

    Items are drawn as they are needed, and results used, in the caller's thread; with an item or two for each
    thread under way, the results of a long run never pile up.
    """
    ahead = deque()
    with one_blas_thread() as count:
        if count == 1:
            for item in items:
                use(job(item))
            return
        with workers(count) as pool:
            for item in items:
                ahead.append(pool.submit(job, item))
                if len(ahead) > count:
                    use(ahead.popleft().result())
            while ahead:
                use(ahead.popleft().result())


def for_each_row_block(job, n_rows, width):
    """
    Call job(rows), as `run_in_threads` does, for slices that together cover all rows.

    The job's largest temporary, of `width` numbers to a row, fits the cache.
    """
    run_in_threads(job, slices(n_rows, max(1, CACHE // width)))


def slices(n, size):
    """Give slices of `size`, the last of what is left, that cover n; scikit-learn's take long to check it."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def matrix_blocks(n_rows, n_columns=None):
    """
    Give pairs of slices, rows and columns, that together cover a matrix.

    Without `n_columns` the matrix is symmetric, and the blocks cover its diagonal and what lies above.
    """
    for rows in slices(n_rows, BLOCK):
        for columns in slices(n_rows if n_columns is None else n_columns, BLOCK):
            if n_columns is not None or columns.start >= rows.start:
                yield rows, columns
