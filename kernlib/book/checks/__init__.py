"""Self-checks of the book's exercises, one module per chapter.

A check prints one line that starts with ✓ and says what it verified, or raises an AssertionError with one
sentence: what was expected, what came and, where it helps, the usual mistake. An untouched stub is not done
yet, and told so. Whatever the student's function does, `self_check` sees to it that the sentence comes.
"""

import functools
import inspect
import os

from kernlib.book.checks._calls import Answer, is_stub, said
from kernlib.book.checks._compare import expect_means, expect_number, expect_right
from kernlib.book.checks._expect import Wrong, expect, expect_close, expect_numbers, expect_real, hint

__all__ = [
    "expect",
    "expect_close",
    "expect_means",
    "expect_number",
    "expect_numbers",
    "expect_real",
    "expect_right",
    "hint",
    "self_check",
]

FUNCTIONS = {"function", "draw", "sample", "density"}  # a check's parameters that are functions
NOT_DONE = "○ not done yet: put your answer in place of the dots"
GRADING = "NBGRADER_EXECUTION"  # which nbgrader sets where it runs a notebook: dots get no points


def self_check(check):
    """
    Make a check answer in one sentence, whatever the answer is and does.

    A function of the student's is called with copies, for two seconds of computing at most; a list of numbers
    that it returns becomes an array.

    Parameters
    ----------
    check : callable
        Compares an answer with what is right, by `expect` and its like.

    Returns
    -------
    callable
        The same, for answers of any kind.
    """

    @functools.wraps(check)
    def checked(*args, **kwargs):
        call = inspect.signature(check).bind(*args, **kwargs)
        if any(is_stub(answer) for answer in call.arguments.values()):
            expect(GRADING not in os.environ, NOT_DONE)
            print(NOT_DONE)
            return
        for name in FUNCTIONS & call.arguments.keys():
            call.arguments[name] = Answer(call.arguments[name])
        try:
            check(*call.args, **call.kwargs)
        except Wrong:
            raise
        except Exception as error:
            raise Wrong(f"The answer could not be checked: {said(error)}") from error

    return checked
