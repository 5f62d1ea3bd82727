"""A student's function, called with care: with copies, for two seconds, whatever it does."""

import _thread
import contextlib
import contextvars
import copy
import ctypes
import dataclasses
import io
import random
import sys
import threading
import time

import numpy as np

from kernlib.book.checks._expect import Wrong, expect

__all__ = ["Answer", "as_numbers", "is_stub", "said"]

SECONDS = 2  # of computing, for one call of a student's function, where a right one takes hundredths
PATIENCE = 15  # times as long, for one that waits
LAST = 2  # seconds in which one that catches everything is asked again to end


def _dots(): ...


def _dots_below_a_docstring():
    """It is."""
    ...


STUBS = {stub.__code__.co_code for stub in (_dots, _dots_below_a_docstring)}


def is_stub(answer):
    """Whether an answer is still the dots, or a function whose body they are."""
    code = getattr(answer, "__code__", None)
    return answer is ... or (code is not None and code.co_code in STUBS and code.co_consts[-1] is None)


class TimeUp(SystemExit):
    """Ends the thread of a call whose time is over, without a word; no `except Exception` catches it."""


class Answer:
    """A student's function that gets copies, leaves them as they are, and returns something in time."""

    def __init__(self, function):
        hint = " Hint: pass the function itself, without calling it." if function is not None else ""
        expect(callable(function), f"The answer should be a function, got {type(function).__name__}.{hint}")
        self.function, self.calls, self.drew_globally = function, 0, False

    def __call__(self, *args, **kwargs):
        given, named = [fresh(a) for a in args], {name: fresh(a) for name, a in kwargs.items()}
        with self.own_generators(), self.spoken():
            found, error = in_time(lambda: self.function(*given, **named))
        if error is not None:
            raise Wrong(f"The function should return a result, but it raised {said(error)}") from error
        before, after = [*args, *kwargs.values()], [*given, *named.values()]
        for mine, theirs in zip(before, after, strict=True):
            expect(
                not isinstance(mine, np.ndarray) or same(mine, theirs),
                "The function should leave its arguments as they were, but one has changed. Hint: −= works "
                "in place, and so does an assignment to X[...].",
            )
        expect(
            found is not None, "The function should return a result, got None. Hint: is its return missing?"
        )
        return as_numbers(found)

    @contextlib.contextmanager
    def own_generators(self):
        """Global generators whose state is another in each call, and restored after it."""
        numpys, pythons = np.random.get_state(), random.getstate()  # noqa: NPY002
        np.random.seed(self.calls)  # noqa: NPY002
        began = np.random.get_state()  # noqa: NPY002
        try:
            yield
        finally:
            ended = np.random.get_state()  # noqa: NPY002
            self.drew_globally |= began[2] != ended[2] or not np.array_equal(began[1], ended[1])
            np.random.set_state(numpys)  # noqa: NPY002
            random.setstate(pythons)

    def spoken(self):
        """What the first call prints is shown; the same a hundred times more is not."""
        self.calls += 1
        return contextlib.nullcontext() if self.calls == 1 else contextlib.redirect_stdout(io.StringIO())


def in_time(call):
    """
    What a call returns and what it raises, one of the two; `Wrong` where it computes for too long.

    It runs in a thread of its own, so that the caller can stop waiting, on every system. What is left behind
    ends at its next step in Python; compiled code that waits or computes goes on until it comes back. Only
    code that never lets go of the interpreter, like 10**10**10, cannot be left.

    The computing of this process counts, not what other programs on a busy machine take.
    """
    outcome, finished = [], threading.Event()

    def run():
        try:
            outcome.append((call(), None))
        except TimeUp:
            pass
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            outcome.append((None, error))
        finally:
            finished.set()

    context = contextvars.copy_context()  # numpy's errstate is in it
    computed, began = time.process_time(), time.monotonic()
    try:
        thread = _thread.start_new_thread(context.run, (run,))
    except RuntimeError:  # a browser has no threads: nothing ends a call there
        run()
    try:
        finished.wait(SECONDS)
        while not finished.is_set() and not (
            time.process_time() - computed > SECONDS or time.monotonic() - began > PATIENCE * SECONDS
        ):
            finished.wait(0.05)
    finally:
        if not finished.is_set():
            end(thread, finished)
    if not outcome:
        raise Wrong(
            f"The function should return within {SECONDS} seconds of computing, and did not. "
            "Hint: does its loop end?"
        )
    return outcome[0]


def end(thread, finished):
    """Send `TimeUp` to a thread that still runs, again and again: a bare except catches some."""
    usual, until = sys.getswitchinterval(), time.monotonic() + LAST
    try:
        sys.setswitchinterval(1e-6)  # so that some come between two of its steps, outside its try
        while not finished.is_set() and time.monotonic() < until:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(TimeUp))
            finished.wait(1e-4)
    finally:
        sys.setswitchinterval(usual)


def fresh(argument):
    """A copy of what a function could change in place."""
    changeable = isinstance(argument, np.ndarray | list) or dataclasses.is_dataclass(argument)
    return copy.deepcopy(argument) if changeable else argument


def same(mine, theirs):
    """Equal arrays, NaN to NaN."""
    return np.array_equal(mine, theirs, equal_nan=mine.dtype.kind in "fc")


def as_numbers(found):
    """Numbers in a list, a matrix or a table as an array, alone or beside others; anything else as it is."""
    if isinstance(found, tuple):
        return tuple(as_numbers(part) for part in found)
    if isinstance(found, list):
        try:
            array = np.asarray(found)
        except ValueError:  # two sets, say, of several lengths
            return [as_numbers(part) for part in found]
        return array if array.dtype.kind in "biuf" else found
    if hasattr(found, "toarray"):  # sparse
        return found.toarray()
    return np.asarray(found) if hasattr(found, "__array__") and np.ndim(found) else found


def said(error):
    """An exception in its own words, the first line of them."""
    words = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {words}" if words else f"{type(error).__name__}."
