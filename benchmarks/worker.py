"""Processes: one for each side of a race, stopped while it is not its turn; and one for a measurement."""

import gc
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

SPAWN = get_context("spawn")  # a fresh interpreter: nothing is inherited from the other side
LONGEST = 600  # seconds for an answer


class Turn(NamedTuple):
    """What one turn took: seconds by the clock and of all cores, and megabytes beyond those held before."""

    seconds: float
    cpu: float
    megabytes: float | None  # None if not on Linux


class WorkerFailed(Exception):
    """A side did not do its work: it raised, died, or gave no answer."""


class Worker:
    """A side's own process: it builds its inputs once, works when it is asked to, and is stopped in between.

    A stopped process (SIGSTOP) runs on no core. Threads of a BLAS that wait for work in a loop, as those of
    OpenBLAS do for some milliseconds after each product, then take nothing from the other side, and both keep
    the settings that their users have.
    """

    def __init__(self, build, error):
        self.pipe, other_end = SPAWN.Pipe()
        self.process = SPAWN.Process(target=serve, args=(other_end, build, error), daemon=True)
        self.process.start()
        other_end.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def work(self):
        """Let the process work once: the first time return the error of the result, then a `Turn`."""
        try:
            os.kill(self.process.pid, signal.SIGCONT)
            self.pipe.send("go")
            if not self.pipe.poll(LONGEST):
                raise WorkerFailed(f"no answer in {LONGEST} s")
            answer = self.pipe.recv()
            os.kill(self.process.pid, signal.SIGSTOP)
        except (EOFError, OSError):
            self.process.join(5)
            raise WorkerFailed(f"the process died, with exit code {self.process.exitcode}") from None
        if isinstance(answer, str):
            raise WorkerFailed(answer)
        return answer


def serve(pipe, build, error):
    """Answer each "go": the first with the error of a result, the others with a `Turn`; or why it failed."""
    work = None
    while pipe.recv():
        try:
            if work is None:
                work = build()
                answer = float(error(work()))
            else:
                answer = time_call(work)
        except Exception as failure:
            answer = f"{type(failure).__name__}: {failure}"
        pipe.send(answer)


def time_call(work):
    """Measure one call of ``work()``; its result is new memory each time, because the last one was freed."""
    gc.collect()
    held = read_memory("VmRSS", reset_peak=True)
    start, cpu = time.perf_counter(), time.process_time()
    result = work()
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    peak = read_memory("VmHWM")
    del result
    return Turn(seconds, cpu, None if held is None else max(0.0, (peak - held) / 1024))


def read_memory(field, reset_peak=False):
    """Read the kilobytes that this process holds (VmRSS) or held at most (VmHWM); None if not on Linux."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    if reset_peak:
        Path("/proc/self/clear_refs").write_text("5")
    return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith(field))


def call_apart(function, *arguments):
    """Call a function in a fresh process of its own."""
    with ProcessPoolExecutor(1, mp_context=SPAWN) as process:
        return process.submit(function, *arguments).result()
