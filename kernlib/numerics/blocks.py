"""Work on a large array in threads, in parts whose temporaries fit the cache.

Meanwhile BLAS is held to one thread, as its own threads would wait for each other and for ours.
"""

import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import combinations_with_replacement, product
from typing import Any

import numpy as np
import scipy.linalg  # noqa: F401  so that the controller below finds scipy's BLAS beside numpy's
from joblib import cpu_count
from numpy.typing import DTypeLike, NDArray
from threadpoolctl import ThreadpoolController

__all__ = [
    "BLOCK", "CACHE", "HAS_THREADS", "count_threads", "matrix_blocks", "one_blas_thread", "run_in_order",
    "run_in_threads", "slices", "sum_in_threads",
]  # fmt: skip

CACHE = 2**17  # numbers that a second-level cache holds: 1 MB in float64
BLOCK = 504  # rows and columns of a block: 1 MB in float32; mirroring 512, a power of two, is 5 times slower
HAS_THREADS = sys.platform != "emscripten"  # not in a browser
CORES = cpu_count() if HAS_THREADS else 1

# Until a process has freed an array that is larger than its blocks, glibc returns each freed block to the
# operating system and fetches it again, which takes up to twice as long as the work on it: so free one.
np.empty(8 * CACHE)


class BlasLimit:
    """The limits on the threads of BLAS, numpy's and scipy's, and the calls that hold them at one."""

    # In OpenBLAS all threads share a limit; in MKL, or with OpenMP, each thread has its own. So a call that
    # ends restores the limits that its own thread had, and the last one also those that all threads share.

    def __init__(self, libraries: list[Any]):
        self.libraries = libraries
        self.lock = threading.RLock()  # the garbage collector may end an abandoned call while one is in here
        self.holders: dict[object, list[int]] = {}  # the limits that each call found
        self.first: list[int] = []  # the limits that the first of these calls found

    def get(self):
        """Return the limits of this thread."""
        return [library.num_threads for library in self.libraries]

    def set(self, limits):
        """Set the limits of this thread, and those that all threads share."""
        for library, limit in zip(self.libraries, limits, strict=True):
            # threadpoolctl 3.8 lets OpenBLAS be limited by the thread that did so first, until it is cleared
            clear = getattr(library, "clear_controlling_thread", lambda force: None)
            clear(force=True)
            library.set_num_threads(limit)
            clear(force=True)

    def set_to_one(self):
        """Set all limits to one thread."""
        self.set([1] * len(self.libraries))

    def hold(self, holder):
        """Hold the limits at one for a call."""
        with self.lock:
            found = self.get()
            self.first = self.first if self.holders else found
            self.holders[holder] = found
            self.set_to_one()

    def release(self, holder):
        """Restore the limits after a call."""
        with self.lock:
            found = self.holders.pop(holder, None)
            if found is None:  # in a child process, forked during the call, which has restored them
                return
            self.set(found)
            shared = [1] * len(found) if self.holders else self.first
            if shared != found:  # this call overlapped with another
                other = threading.Thread(target=self.set, args=(shared,))  # whose own limits do not matter
                other.start()
                other.join()

    def restore_in_child(self):
        """Restore the limits in a process forked during calls, which do not go on in there."""
        if self.holders:
            self.set(map(max, self.get(), self.first))
            self.holders.clear()
        self.lock.release()


BLAS = BlasLimit(ThreadpoolController().select(user_api="blas").lib_controllers if HAS_THREADS else [])
if hasattr(os, "register_at_fork"):  # not on Windows; without it, a child keeps one BLAS thread forever
    os.register_at_fork(
        before=BLAS.lock.acquire, after_in_parent=BLAS.lock.release, after_in_child=BLAS.restore_in_child
    )


def count_threads() -> int:
    """Return how many parts a call from here works on at once: the number of threads that BLAS may use."""
    if BLAS.holders or not BLAS.libraries:  # during another call of ours, or within one; in a browser
        return 1
    return min(CORES, *BLAS.get())


@contextmanager
def one_blas_thread() -> Iterator[int]:
    """Hold BLAS to one thread, and yield how many threads the caller may use instead."""
    holder = object()
    try:
        with BLAS.lock:
            count = count_threads()
            BLAS.hold(holder)
        yield count
    finally:
        BLAS.release(holder)


def run_in_threads(job: Callable[[Any], Any], parts: Iterable[Any]) -> None:
    """Call job(part) for parts that do not overlap, in threads; an error in a job is raised here."""
    parts = list(parts)
    if len(parts) == 1:  # for which BLAS may use its own threads
        job(parts[0])
    else:
        run_in_order(job, parts, lambda result: None, ahead=len(parts))


def sum_in_threads(add: Callable, parts: Sequence, shape: tuple, dtype: DTypeLike = np.float64) -> NDArray:
    """Call add(part, total) for each part in threads, each of which has a total, and add up the totals."""
    totals = np.zeros((min(count_threads(), len(parts)), *shape), dtype)

    def run(thread):
        for part in parts[thread :: len(totals)]:
            add(part, totals[thread])

    run_in_threads(run, range(len(totals)))
    return totals.sum(axis=0)


def run_in_order(job: Callable, items: Iterable, use: Callable, ahead: int | None = None) -> None:
    """Call use(job(item)) for each item: the jobs in threads, and `use` in order in the caller's thread."""
    results: deque = deque()
    with one_blas_thread() as count:
        if count == 1:
            for item in items:
                use(job(item))
            return
        with ThreadPoolExecutor(count, initializer=BLAS.set_to_one) as pool:
            for item in items:
                results.append(pool.submit(job, item))
                if len(results) > (ahead or count):  # so that results don't pile up
                    use(results.popleft().result())
            while results:
                use(results.popleft().result())


def slices(n: int, size: int) -> list[slice]:
    """Return slices of `size`, the last one shorter, that cover n; scikit-learn's gen_batches is slower."""
    return [slice(start, min(start + size, n)) for start in range(0, n, size)]


def matrix_blocks(n_rows: int, n_columns: int | None = None) -> Iterator[tuple[slice, slice]]:
    """Iterate over rows and columns of a matrix's blocks; without `n_columns`, of half a symmetric one."""
    if n_columns is None:
        return combinations_with_replacement(slices(n_rows, BLOCK), 2)
    return product(slices(n_rows, BLOCK), slices(n_columns, BLOCK))
