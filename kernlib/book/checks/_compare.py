"""Compare answers with the right ones and with the usual mistakes, and say in one sentence what is wrong."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any

import numpy as np

__all__ = [
    "Comparison",
    "Number",
    "Values",
    "Wrong",
    "describe_case",
    "expect",
    "expect_numbers",
    "expect_real",
    "expect_witness",
    "format_apart",
    "format_hint",
]

SHORT = 9  # the most numbers that a sentence shows
SINGLE = 1e-4  # tolerance for float32, relative to the largest number
Values = Callable[[], tuple[float, Mapping[str, float]]]  # the right number, and those of the mistakes
BEYOND = 1e8  # a mistake's numbers this many times larger than the right ones are rounding error


class Wrong(AssertionError):
    """A wrong answer. A notebook shows its sentence instead of a traceback."""

    def _render_traceback_(self):
        return [f"✗ {self}"]


def expect(condition: object, sentence: str, hint: str = "") -> None:
    """Raise an error with this sentence, what was expected and what came, unless the condition holds."""
    if not condition:
        raise Wrong(" ".join(sentence.split()) + format_hint(hint))  # an array may print on several lines


def expect_real(name: str, values: object) -> np.ndarray:
    """Expect real numbers in an array of any shape, finite or not, and return the array."""
    problem = find_problem(name, values)
    expect(not problem, problem)
    return as_array(values)


def expect_numbers(name: str, values: object, shape: tuple[int, ...]) -> np.ndarray:
    """Expect finite real numbers in an array of this shape, and return the array."""
    problem = find_problem(name, values, shape)
    expect(not problem, problem)
    return as_array(values)


def find_problem(name: str, values: Any, shape: tuple[int, ...] | None = None, finite: Any = True) -> str:
    """Say why values are not real numbers, or not of this shape and finite where `finite`; "" if they are."""
    array = as_array(values)
    if array.dtype.kind not in "biuf":
        kind = f"an array of {array.dtype}" if array.ndim and array.size else type(values).__name__
        return f"{name} should be real numbers, all rows of one length, got {kind}."
    if shape is not None and array.shape != shape:
        wanted, got = (f"have shape {shape}", "") if shape else ("be one number", "an array of shape ")
        return f"{name} should {wanted}, got {got}{array.shape}."
    if shape is not None and not np.all(np.isfinite(array) | np.logical_not(finite)):
        return f"{name} should be finite, got NaN or infinity. Hint: is there a division by zero?"
    return ""


def as_array(values: Any) -> np.ndarray:
    """Convert values to an array, exact numbers to floats; its dtype is object if rows differ in length."""
    try:
        array = np.asarray(values.toarray() if hasattr(values, "toarray") else values)  # it may be sparse
        exact = array.dtype == object and all(isinstance(value, Real) for value in array.flat)
        return array.astype(float) if exact else array
    except (ValueError, OverflowError):
        return np.empty(0, dtype=object)


@dataclass(frozen=True)
class Comparison:
    """Expect a function to give the right answer to every case; otherwise show the first case that fails.

    The hint names the first mistake that gives all the student's answers, so that mistakes which agree in
    one case are told apart. A mistake is a function, a tuple of functions, or a dict of the keyword arguments
    with which `right` makes it. Answers in float32 are compared to four digits.
    """

    what: str  # what the function returns
    right: Callable[..., Any]  # its signature says which arguments of a case are passed by keyword
    cases: Iterable[tuple]  # the smallest first
    mistakes: Mapping[str, Any]
    view: tuple[str, Callable[[np.ndarray], np.ndarray]] | None = None  # the part that counts, and its name
    atol: float = 1e-6  # besides a relative tolerance of 1e-6
    otherwise: str = ""  # the hint if no mistake fits
    read: Callable[[Any], Any] = lambda found: found  # converts what a function returns to numbers

    def __call__(self, function: Callable[..., Any]) -> None:
        answers = []
        for case in self.cases:
            try:
                answers.append((case, self.call(function, case), as_array(self.call(self.right, case))))
            except Wrong as error:
                if all(self.agree(found, right) for _, found, right in answers):
                    if not self.mistakes and self.otherwise and "Hint: " not in str(error):
                        raise Wrong(f"{str(error).rstrip('.')}.{format_hint(self.otherwise)}") from error
                    raise
                break  # a smaller case is wrong already
        failing = [answer for answer in answers if not self.agree(*answer[1:])]
        if failing:
            case, found, right = failing[0]
            start = describe_case(self.right, case)
            problem = find_problem(start + self.what, found, right.shape, np.isfinite(right))
            sentence = problem or start + self.describe_difference(as_array(found), right)
            hint = [*self.explain(answers), self.otherwise][0]
            expect(False, sentence.partition(" Hint: ")[0] if hint else sentence, hint)

    def functions(self) -> Iterator[tuple[str, Callable[..., Any]]]:
        """Give each hint with a function that makes its mistake."""
        for hint, mistake in self.mistakes.items():
            for wrong in mistake if isinstance(mistake, tuple) else (mistake,):
                yield hint, partial(self.right, **wrong) if isinstance(wrong, dict) else wrong

    def call(self, function: Callable[..., Any], case: Sequence[Any]) -> Any:
        """Call a function as `right` is called, with keywords where it asks for them."""
        parameters = list(inspect.signature(self.right).parameters.values())[: len(case)]
        named = {p.name: value for p, value in zip(parameters, case, strict=True) if p.kind is p.KEYWORD_ONLY}
        with np.errstate(all="ignore"):
            return self.read(function(*case[: len(case) - len(named)], **named))

    def see(self, answer: np.ndarray) -> np.ndarray:
        """Give the part of an answer that counts."""
        with np.errstate(all="ignore"):
            return self.view[1](answer) if self.view else answer

    def agree(self, found: object, right: np.ndarray) -> bool:
        """Whether two answers are the same numbers in the part that counts."""
        found = as_array(found)
        if found.dtype.kind not in "biuf" or found.shape != right.shape:
            return False
        single, found, right = found.dtype == np.float32, self.see(found.astype(float)), self.see(right)
        atol = max(self.atol, SINGLE * np.abs(right).max(initial=0)) if single else self.atol
        return np.allclose(found, right, rtol=1e-6, atol=atol)

    def explain(self, answers: Sequence[tuple[Any, Any, np.ndarray]]) -> list[str]:
        """List the hints of mistakes that give the same answers, then of those with the same wrong shapes."""
        same, alike = [], []
        for hint, wrong in self.functions():
            mistaken = [as_array(self.call(wrong, case)) for case, *_ in answers]
            clear = [
                pair for pair in zip(answers, mistaken, strict=True) if is_above_rounding(pair[1], pair[0][2])
            ]
            if clear and all(self.agree(found, numbers) for (_, found, _), numbers in clear):
                same.append(hint)
            elif any(numbers.shape != right.shape for (*_, right), numbers in clear):
                if all(as_array(found).shape == numbers.shape for (_, found, _), numbers in clear):
                    alike.append(hint)
        return same + alike

    def describe_difference(self, found: np.ndarray, right: np.ndarray) -> str:
        """Say what was expected and what came: all numbers, or the worst of many."""
        what, found, right = self.view[0] if self.view else self.what, self.see(found), self.see(right)
        if right.size > SHORT:
            with np.errstate(all="ignore"):
                gap = np.where(found == right, 0, np.abs(found - right))
            worst = tuple(int(i) for i in np.unravel_index(gap.argmax(), right.shape))
            place = worst[0] if len(worst) == 1 else worst
            what, found, right = f"entry {place} of {what}", found[worst], right[worst]
        wanted, got = format_apart(right, found)
        return f"{what} should be {wanted}, got {got}."


@dataclass(frozen=True)
class Number:
    """Expect one number without giving it away; `values` computes it, and those of the mistakes by hint."""

    what: str  # the number that is asked for
    values: Values
    rtol: float  # a student may round

    def __call__(self, answer: object) -> None:
        number = float(expect_numbers("The answer", answer, ()))
        right, mistakes = self.values()
        if 0 < right < 1 < number:
            mistakes = {**mistakes, "give a share from 0 to 1, not a percentage": 100 * right}
        fits = [hint for hint, wrong in mistakes.items() if np.isclose(number, wrong, rtol=self.rtol, atol=0)]
        expect(
            np.isclose(number, right, rtol=self.rtol, atol=0),
            f"The answer should be {self.what}, got {format_value(number)}.",
            *fits[:1],
        )


def expect_witness(
    points: object, gram: Callable[..., np.ndarray], suspect: Callable[..., str] | None = None
) -> tuple[float]:
    """Expect two or three points whose Gram matrix has an eigenvalue below −0.01, and return the least."""
    n = expect_real("points", points).size
    expect(n in (2, 3), f"Give two or three points, got {n}.")
    x = np.sort(expect_numbers("points", points, (n,)).astype(float))
    hint = "equal points give a matrix of equal entries" if x[0] == x[-1] else "move them further apart"
    expect(suspect or x[0] > 0, f"The points should be positive, got {x[0]:.3g}.")
    lam = np.linalg.eigvalsh(gram(x))[0]
    sentence = f"The smallest eigenvalue should be below -0.01, got {lam:.3g}."
    expect(lam < -0.01, sentence, suspect(x) if suspect else hint)
    return (lam,)


def is_above_rounding(wrong, wanted):
    """Whether a mistake's answer is more than rounding error, such as the inverse of what should be zero."""
    return np.abs(wrong).max(initial=0) <= BEYOND * max(1, np.abs(wanted).max(initial=0))


def describe_case(right: Callable[..., Any], case: Sequence[Any]) -> str:
    """Name the arguments of a case as `right` does: "With n = 3, "; without arguments, say nothing."""
    names = list(inspect.signature(right).parameters)[: len(case)]
    arguments = ", ".join(f"{name} = {format_value(value)}" for name, value in zip(names, case, strict=True))
    return f"With {arguments}, " if arguments else ""


def format_hint(hint: str) -> str:
    """Format a hint as a sentence to append; an empty one is nothing."""
    return f" Hint: {hint}{'' if hint.endswith('?') else '.'}" if hint else ""


def format_apart(one: object, other: object) -> tuple[str, str]:
    """Format two values with as many digits as it takes to tell them apart."""
    for digits in (4, 8, 17):
        texts = format_value(one, digits), format_value(other, digits)
        if texts[0] != texts[1]:
            break
    return texts


def format_value(value: object, digits: int = 4) -> str:
    """Format a value for a sentence: numbers with so many digits, a large array by its shape."""
    if not isinstance(value, np.ndarray | np.generic | float):
        return repr(value) if isinstance(value, str) else str(value)
    value = np.asarray(value)
    if value.size > SHORT:
        return f"an array of shape {value.shape}"
    if value.dtype.kind == "f":
        value = np.where(np.abs(value) < 1e-12, 0, value)
    text = np.array2string(value, separator=", ", formatter={"float": f"{{:.{digits}g}}".format})
    return " ".join(text.split())
