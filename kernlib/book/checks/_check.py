"""Self-checks as objects: call the student's function with care, run the steps, print one line.

A function gets copies of its arguments, and leaves numpy and the global generators as they were. Only an
endless loop has to be interrupted by hand.
"""

import contextlib
import copy
import dataclasses
import inspect
import io
import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from kernlib.book.checks._compare import Comparison, Number, Values, Wrong, expect

__all__ = [
    "GRADING",
    "NOT_DONE",
    "Answer",
    "Check",
    "function_check",
    "number_check",
    "public_names",
    "self_check",
]

Step = Callable[..., Any]  # from the answer to nothing, or to what the success line shows
NOT_DONE = "○ not done yet: put your answer in place of the dots"
GRADING = "NBGRADER_EXECUTION"  # nbgrader sets it when it runs a notebook: dots then get no points
OWN = {  # as they were imported, before a cell of a notebook could replace one
    module: {name: value for name, value in vars(module).items() if callable(value) and name[0] != "_"}
    for module in (np, np.linalg)
}


def _dots(): ...


def _dots_below_a_docstring():
    """Do nothing."""
    ...


STUBS = {stub.__code__.co_code for stub in (_dots, _dots_below_a_docstring)}


def is_stub(answer):
    """Whether an answer is still the dots, or a function whose body they are."""
    code = getattr(answer, "__code__", None)
    return answer is ... or (code is not None and code.co_code in STUBS and code.co_consts[-1] is None)


def restore_numpy():
    """Put back what was replaced in numpy, and return its names."""
    replaced = []
    for module, own in OWN.items():
        for name, value in own.items():
            if getattr(module, name, None) is not value:
                setattr(module, name, value)
                replaced.append(f"{module.__name__}.{name}")
    return replaced


class Answer:
    """A student's function that gets copies of its arguments and must return a result."""

    def __init__(self, function: Any) -> None:
        hint = "pass the function itself, without calling it" if function is not None else ""
        expect(callable(function), f"The answer should be a function, got {type(function).__name__}.", hint)
        self.function, self.calls, self.drew_globally = function, 0, False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        (positional, named), problem = copy.deepcopy((args, kwargs)), None
        with self.seed_generators(), self.redirect_output():
            try:
                found = self.function(*positional, **named)
            except (Exception, SystemExit) as error:
                problem = error
        replaced = ", ".join(restore_numpy())
        if problem is not None:
            words = describe_error(problem)
            raise Wrong(f"The function should return a result, but it raised {words}") from problem
        expect(not replaced, f"The function should leave numpy as it is, but it replaced {replaced}.")
        expect(
            is_same([*args, *kwargs.values()], [*positional, *named.values()]),
            "The function should not change its arguments, but it changed one.",
            "−=, X[...] = and pop() work in place",
        )
        expect(found is not None, "The function should return a result, got None.", "is a return missing?")
        return found

    @contextlib.contextmanager
    def seed_generators(self) -> Iterator[None]:
        """Seed numpy's global generator differently for each call, and restore the global generators."""
        numpys, pythons = np.random.get_state(), random.getstate()  # noqa: NPY002
        np.random.seed(self.calls)  # noqa: NPY002
        began: Any = np.random.get_state()  # noqa: NPY002
        try:
            yield
        finally:
            ended: Any = np.random.get_state()  # noqa: NPY002
            self.drew_globally |= began[2] != ended[2] or not np.array_equal(began[1], ended[1])
            np.random.set_state(numpys)  # noqa: NPY002
            random.setstate(pythons)

    def redirect_output(self) -> contextlib.AbstractContextManager:
        """Show what the first call prints, and not the same a hundred times more."""
        self.calls += 1
        return contextlib.nullcontext() if self.calls == 1 else contextlib.redirect_stdout(io.StringIO())


def is_same(before, after):
    """Whether an argument is as it was; lists and dataclasses are compared by their parts."""
    if type(before) is not type(after):
        return False
    if isinstance(before, np.ndarray):
        return np.array_equal(before, after, equal_nan=before.dtype.kind in "fc")
    if isinstance(before, list | tuple):
        return len(before) == len(after) and all(map(is_same, before, after))
    if dataclasses.is_dataclass(before):
        return is_same(list(vars(before).values()), list(vars(after).values()))
    return not isinstance(before, int | float | str) or before == after


def describe_error(error):
    """Format an exception by its type and the first line of its message."""
    words = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {words}" if words else f"{type(error).__name__}."


class Check:
    """A self-check of an exercise: call it with the answer.

    Each step takes the answer and raises an AssertionError with one sentence if something is wrong. A step
    whose parameter is named `function` gets the student's function as an `Answer`. Braces in `success` are
    filled with what the last step returns.
    """

    def __init__(self, summary: str | None, success: str, *steps: Step) -> None:
        self.__doc__, self.success = summary, success
        self.steps: tuple[Any, ...] = steps
        self.__signature__ = inspect.signature(steps[0])

    def __call__(self, *args: object, **kwargs: object) -> None:
        answers = self.__signature__.bind(*args, **kwargs).arguments
        if any(map(is_stub, answers.values())):
            expect(GRADING not in os.environ, NOT_DONE)
            print(NOT_DONE)
            return
        restore_numpy()  # a cell may have replaced a function of it
        if "function" in answers:
            answers["function"] = Answer(answers["function"])
        try:
            results = [step(*answers.values()) for step in self.steps]
        except Wrong:
            raise
        except Exception as error:
            raise Wrong(f"The answer could not be checked: {describe_error(error)}") from error
        print("✓ " + self.success.format(*results[-1] or ()))

    @property
    def right(self) -> Callable[..., Any]:
        """The right function of the first step, if it is a comparison."""
        return self.steps[0].right


def self_check(success: str, *then: Step) -> Callable[[Step], Check]:
    """Turn a function that looks at an answer into a `Check`, with its docstring as the summary."""
    return lambda step: Check(step.__doc__, success, step, *then)


def number_check(success: str, *, rtol: float = 0.005) -> Callable[[Values], Check]:
    """Turn a function that computes a number, and those of the mistakes, into a `Check` of the number.

    Its docstring, "Check the mean.", gives the sentence "The answer should be the mean, got 3."
    """

    def make_check(values: Values) -> Check:
        summary = values.__doc__ or ""
        return Check(summary, success, Number(summary[6:-1], values, rtol))

    return make_check


def function_check(
    success: str,
    what: str,
    cases: Iterable[tuple],
    mistakes: Mapping[str, Any],
    *then: Step,
    again: Mapping[str, Any] | None = None,
    **options: Any,
) -> Any:  # a decorator; with its type, mypy can't type a check whose mistakes name the check itself
    """Turn a right function into a `Check` of a student's function by a `Comparison`.

    `again` are the fields of a second one, without mistakes; `then` are more steps.
    """

    def make_check(right):
        first = Comparison(what, right, cases, mistakes, **options)
        second = [dataclasses.replace(first, mistakes={}, **again)] if again else []
        return Check(right.__doc__, success, first, *second, *then)

    return make_check


def public_names(module: Mapping[str, object], *others: str) -> list[str]:
    """List the checks in the globals of a module, and other names, for its `__all__`."""
    return sorted([*others, *(name for name, value in module.items() if isinstance(value, Check))])
