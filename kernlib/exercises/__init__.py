"""Self-checks of the book's exercises, one module per chapter.

A check prints one line that starts with ✓ and says what it verified, or raises an AssertionError with one
sentence: what was expected, what came and, where it helps, the usual mistake. Whatever the student's function
does, `self_check` sees to it that the sentence comes.
"""

import functools
import inspect
import signal
import threading
import time
from contextlib import contextmanager

import numpy as np

__all__ = ["expect", "expect_close", "expect_numbers", "hint", "self_check"]

SECONDS = 2  # of computing, for one call of a student's function, where a right one takes hundredths
PATIENCE = 15  # times as long, for one that waits
FUNCTIONS = {"function", "draw", "sample", "density"}  # a check's parameters that are functions


def self_check(check):
    """
    Make a check answer in one sentence, whatever the answer is and does.

    A function of the student's is called with copies, for two seconds of computing at most; a list of numbers
    that it returns becomes an array.

    Parameters
    ----------
    check : callable
        Compares an answer with what is right, by `expect`.

    Returns
    -------
    callable
        The same, for answers of any kind.
    """

    @functools.wraps(check)
    def checked(*args, **kwargs):
        call = inspect.signature(check).bind(*args, **kwargs)
        for name in FUNCTIONS & call.arguments.keys():
            call.arguments[name] = Answer(call.arguments[name])
        try:
            return check(*call.args, **call.kwargs)
        except AssertionError:
            raise
        except Exception as error:
            raise AssertionError(f"The answer could not be checked: {said(error)}") from error

    return checked


class Answer:
    """A student's function that gets copies, leaves them as they are, and returns something in time."""

    def __init__(self, function):
        hint = " Hint: pass the function itself, without calling it." if function is not None else ""
        expect(callable(function), f"The answer should be a function, got {type(function).__name__}.{hint}")
        self.function = function

    def __call__(self, *args, **kwargs):
        given, named = [fresh(a) for a in args], {name: fresh(a) for name, a in kwargs.items()}
        generator = np.random.get_state()  # noqa: NPY002  a student's function may seed the global one
        try:
            with within(SECONDS):
                found = self.function(*given, **named)
        except TimeUp:
            raise AssertionError(
                f"The function should return within {SECONDS} seconds of computing, and did not. "
                "Hint: does its loop end?"
            ) from None
        except (Exception, SystemExit) as error:
            raise AssertionError(
                f"The function should return a result, but it raised {said(error)}"
            ) from error
        finally:
            np.random.set_state(generator)  # noqa: NPY002
        before, after = [*args, *kwargs.values()], [*given, *named.values()]
        for mine, theirs in zip(before, after, strict=True):
            expect(
                not isinstance(mine, np.ndarray) or np.array_equal(mine, theirs),
                "The function should leave its arguments as they were, but one has changed. Hint: −= works "
                "in place, and so does an assignment to X[...].",
            )
        expect(
            found is not None, "The function should return a result, got None. Hint: is its return missing?"
        )
        return as_numbers(found)


class TimeUp(BaseException):
    """The time for a call is over; no `except Exception` of a student's catches it."""


@contextmanager
def within(seconds):
    """Raise `TimeUp` where the block computes for longer; only a main thread on Unix can be interrupted.

    This thread's own computing counts: neither what other programs on a busy machine take, nor BLAS threads
    that spin. One that waits, for input perhaps, is ended after `PATIENCE` times as long.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    computed, began = time.thread_time(), time.monotonic()

    def look(*_):
        if time.thread_time() - computed > seconds or time.monotonic() - began > PATIENCE * seconds:
            raise TimeUp

    before = signal.signal(signal.SIGALRM, look)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)  # again and again, where a bare except caught it
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def fresh(argument):
    """A copy of what a function could change in place."""
    return argument.copy() if isinstance(argument, np.ndarray | list) else argument


def as_numbers(found):
    """A list of numbers as an array, alone or beside others; anything else as it is."""
    if isinstance(found, tuple):
        return tuple(as_numbers(part) for part in found)
    if isinstance(found, list):
        try:
            array = np.asarray(found)
        except ValueError:  # two sets, say, of several lengths
            return [as_numbers(part) for part in found]
        return array if array.dtype.kind in "biuf" else found
    return found


def said(error):
    """An exception in its own words, the first line of them."""
    words = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {words}" if words else f"{type(error).__name__}."


def expect(condition, sentence):
    """
    Go on where the condition holds; otherwise tell the student why not, in an AssertionError.

    Parameters
    ----------
    condition : bool
        What must hold. Comparisons with NaN do not.
    sentence : str
        What was expected and what came.
    """
    if not condition:
        raise AssertionError(" ".join(sentence.split()))  # an array may print on several lines


def expect_numbers(name, values, shape):
    """
    Expect an array of finite numbers of this shape.

    Parameters
    ----------
    name : str
        What to call it in the sentence.
    values : array_like
        What the student gives.
    shape : tuple of int
        What it should have.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of several lengths
        array = np.empty(0, dtype=object)
    kind = f"an array of {array.dtype}" if array.ndim else type(values).__name__
    expect(array.dtype.kind in "biuf", f"{name} should be real numbers, all rows of one length, got {kind}.")
    expect(array.shape == shape, f"{name} should have shape {shape}, got {array.shape}.")
    expect(
        np.isfinite(values).all(), f"{name} should be finite, got NaN or infinity. Hint: a division by zero?"
    )


def expect_close(sentence, found, right, mistakes, *, atol, got="an entry {:.2g} away"):
    """
    Expect the right numbers; say how far the worst of others is away, and which mistake explains them.

    Parameters
    ----------
    sentence : str
        What was expected.
    found, right : array_like
        The student's numbers, finite, and those expected.
    mistakes : dict of str to array_like
        As of `hint`.
    atol : float
        Every number must be nearer to the right one.
    got : str
        What came, with a place for the largest distance.
    """
    distance = np.abs(np.asarray(found) - right).max()
    expect(distance < atol, f"{sentence}, got {got.format(distance)}." + hint(found, mistakes, atol=atol))


def hint(found, mistakes, *, atol):
    """
    Name the mistake that explains what was found.

    Parameters
    ----------
    found : object
        The student's numbers; anything else is like no mistake.
    mistakes : dict of str to array_like
        For each suspicion, the numbers that it would lead to.
    atol : float
        How far the numbers may be from these, beside 10⁻⁶ of their size.

    Returns
    -------
    str
        The first suspicion that fits, to append to a sentence; empty where none does.
    """
    if np.asarray(found).dtype.kind not in "biuf":
        return ""
    for suspicion, wrong in mistakes.items():
        if np.shape(found) == np.shape(wrong) and np.allclose(found, wrong, rtol=1e-6, atol=atol):
            return f" Hint: {suspicion}{'' if suspicion.endswith('?') else '.'}"
    return ""
