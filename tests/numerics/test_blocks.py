"""Every block is worked on once, for any number of rows, and BLAS has its threads again afterwards."""

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import dask
import dask.array as da
import numpy as np
import pytest
from samples import blas_threads, needs_blas
from threadpoolctl import threadpool_limits

from kernlib.numerics import blocks
from kernlib.numerics.blocks import count_threads, matrix_blocks, one_blas_thread, run_in_threads, slices


@pytest.mark.parametrize("size", [1, 187, 10**7])
def test_every_row_is_visited_once(size):
    for n in (1, 2, 187, 188, 5000):
        visits = np.zeros(n, dtype=int)

        def visit(rows, visits=visits):
            visits[rows] += 1

        run_in_threads(visit, slices(n, size))
        assert (visits == 1).all(), n


@pytest.fixture(autouse=True)
def four_cores(monkeypatch):
    """Whatever the machine, BLAS has four threads before each test; and after it, and nobody holds it."""
    monkeypatch.setattr(blocks, "CORES", 4)
    with threadpool_limits(4, user_api="blas"):
        before = blas_threads()
        yield
        assert blas_threads() == before
        assert not blocks.BLAS.holders


@needs_blas
def test_blas_has_one_thread_inside_and_its_own_number_again_after_it():
    inside = []
    run_in_threads(lambda rows: inside.append(blas_threads()), slices(100, 1))
    assert len(inside) == 100 and all(seen == {1} for seen in inside)
    assert blas_threads() == {4}


@needs_blas
def test_as_many_parts_are_worked_on_at_once_as_blas_may_use_threads():
    barrier = threading.Barrier(4)  # which opens for four at once
    run_in_threads(lambda part: barrier.wait(timeout=60), range(8))
    for limit in (3, 16):
        with threadpool_limits(limit, user_api="blas"):
            assert count_threads() == min(limit, 4)
    with threadpool_limits(1, user_api="blas"):
        idents = []
        run_in_threads(lambda part: idents.append(threading.get_ident()), range(8))
        assert idents == [threading.get_ident()] * 8


class Overlap:
    """Two calls, the second of which begins within the first and ends after it."""

    def __init__(self):
        self.first_is_in, self.second_is_in, self.first_is_out = (threading.Event() for _ in range(3))
        self.seen = {}

    def __call__(self, second):
        assert not second or self.first_is_in.wait(timeout=60)
        mine = self.seen[bool(second)] = []
        run_in_threads(lambda part: self.job(second, mine), range(4))
        if not second:
            self.first_is_out.set()

    def job(self, second, mine):
        (self.second_is_in if second else self.first_is_in).set()
        assert (self.first_is_out if second else self.second_is_in).wait(timeout=60)
        mine.append((blas_threads(), threading.get_ident()))


def dask_threads(call):
    def work(block):
        call(block[0])
        return block

    with dask.config.set(scheduler="threads", num_workers=2):
        da.arange(2, chunks=1).map_blocks(work, dtype=int, meta=np.empty(0, int)).compute()


def plain_threads(call):
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(call, [False, True]))


@needs_blas
@pytest.mark.parametrize("caller", [plain_threads, dask_threads])
def test_calls_that_overlap_hold_blas_until_the_last_is_out_and_share_the_cores(caller):
    overlap = Overlap()
    caller(overlap)
    assert [blas for blas, _ in overlap.seen[False] + overlap.seen[True]] == [{1}] * 8
    assert len({ident for _, ident in overlap.seen[True]}) == 1  # the first has taken all threads there are
    assert blas_threads() == {4}


@needs_blas
def test_a_call_within_a_job_has_no_threads_of_its_own():
    inner = {}

    def job(part):
        mine = inner[part, threading.get_ident()] = []
        with threadpool_limits(4, user_api="blas"):  # whatever the job does
            run_in_threads(lambda _: mine.append(threading.get_ident()), range(8))

    run_in_threads(job, range(2))
    assert len(inner) == 2
    for (_, ident), idents in inner.items():
        assert idents == [ident] * 8


@needs_blas
@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_an_error_reaches_the_caller_and_blas_has_its_threads_again(error):
    def fail(part):
        raise error(f"part {part}")

    with pytest.raises(error, match="part 0"):
        run_in_threads(fail, range(8))
    with pytest.raises(error), one_blas_thread():
        raise error
    assert blas_threads() == {4}


@pytest.mark.parametrize("library", blocks.BLAS.libraries, ids=lambda library: library.prefix)
def test_blas_has_its_threads_again_after_ctrl_c_on_the_way_in(library, monkeypatch):
    set_num_threads = library.set_num_threads

    def interrupted(number):
        if number == 1:
            raise KeyboardInterrupt
        set_num_threads(number)

    monkeypatch.setattr(library, "set_num_threads", interrupted)
    with pytest.raises(KeyboardInterrupt), one_blas_thread():
        raise AssertionError("got in")
    assert blas_threads() == {4}


@needs_blas
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("where", ["beside a job", "within a job"])
def test_a_child_that_is_forked_meanwhile_starts_with_all_threads(where):
    def in_child():
        visits = np.zeros(8)

        def visit(part):
            visits[part] += threading.current_thread() is not threading.main_thread()

        assert blas_threads() == {4} and count_threads() == 4
        run_in_threads(visit, range(8))
        assert visits.all() and blas_threads() == {4}

    def fork(part=0):
        if part > 0:
            return
        child = os.fork()
        if child == 0:
            code = 1
            try:
                in_child()
                code = 0
            finally:
                os._exit(code)
        end = threading.Timer(60, os.kill, (child, signal.SIGKILL))  # if it waits for a lock of BLAS
        end.start()
        codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        end.cancel()

    codes = []
    if where == "within a job":
        run_in_threads(fork, range(2))
    else:
        forked, inside = threading.Event(), threading.Event()

        def wait(part):
            inside.set()
            assert forked.wait(timeout=60)

        beside = threading.Thread(target=run_in_threads, args=(wait, range(2)))
        beside.start()
        assert inside.wait(timeout=60)
        fork()
        forked.set()
        beside.join()
    assert codes == [0]


@needs_blas
def test_a_call_beside_somebody_elses_limit_holds_blas_and_sets_it_back():
    # threadpoolctl lets only one thread at a time set OpenBLAS: that of the fixture's `with`
    inside = []
    other = threading.Thread(
        target=run_in_threads, args=(lambda part: inside.append(blas_threads()), range(4))
    )
    other.start()
    other.join()
    assert inside == [{1}] * 4


class Library:
    """A BLAS library as threadpoolctl shows it, with a limit that each thread has for itself or all share."""

    def __init__(self, own, threads):
        self.default, self.state = threads, threading.local() if own else SimpleNamespace()

    @property
    def num_threads(self):
        return getattr(self.state, "threads", self.default)

    def set_num_threads(self, threads):
        self.state.threads = threads


def run(job):
    """In another thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(job).result()


@pytest.mark.parametrize("kinds", [(True,), (False,), (True, False), ()])
def test_limits_of_two_libraries_or_none_that_threads_share_or_not(kinds, monkeypatch):
    libraries = [Library(own, 3) for own in kinds]
    limiter = blocks.BlasLimit(libraries)
    monkeypatch.setattr(blocks, "BLAS", limiter)
    inside, overlap = [], Overlap()
    run_in_threads(lambda part: inside.append(limiter.get()), range(4))
    assert inside == [[1] * len(kinds)] * 4
    with one_blas_thread() as count:
        assert count == (3 if kinds else 1)
        assert run(count_threads) == 1  # this call has taken all threads
    with ThreadPoolExecutor(2) as pool:
        done = [pool.submit(lambda second=second: (overlap(second), limiter.get())) for second in (0, 1)]
        assert done[1].result()[1] == [3] * len(kinds)
        # the first call has ended before the second
    assert limiter.get() == run(limiter.get) == [3] * len(kinds)
    assert count_threads() == (3 if kinds else 1)


def test_a_call_restores_the_limit_of_its_own_thread_while_another_call_goes_on():
    limiter = blocks.BlasLimit([Library(own=True, threads=3)])
    with ThreadPoolExecutor(1) as other:
        other.submit(limiter.hold, "other").result()
        limiter.set([4])
        limiter.hold("this")
        limiter.release("this")
        assert limiter.get() == [4]
        other.submit(limiter.release, "other").result()
        assert limiter.get() == [4] and other.submit(limiter.get).result() == [3]


def test_a_child_keeps_the_limit_of_its_own_thread_and_restores_the_one_that_all_share():
    limiter = blocks.BlasLimit([Library(own=True, threads=3), Library(own=False, threads=3)])
    limiter.set([4, 5])
    run(lambda: limiter.hold("a call beside this one"))
    assert limiter.get() == [4, 1]
    limiter.lock.acquire()  # as a fork does
    limiter.restore_in_child()
    assert limiter.get() == [4, 5] and not limiter.holders


@pytest.mark.parametrize("n", [1, blocks.BLOCK, blocks.BLOCK + 1, 3 * blocks.BLOCK])
@pytest.mark.parametrize("m", [None, 1, blocks.BLOCK - 1, 2 * blocks.BLOCK + 1])
def test_blocks_and_mirrors_of_a_symmetric_matrix_cover_each_entry_once(n, m):
    visits = np.zeros((n, m or n), dtype=int)
    for rows, columns in matrix_blocks(n, m):
        visits[rows, columns] += 1
        if m is None and rows != columns:
            visits[columns, rows] += 1
    assert (visits == 1).all()
