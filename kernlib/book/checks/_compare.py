"""A student's answers beside the right ones, and beside those of the usual mistakes."""

import inspect

import numpy as np

from kernlib.book.checks._expect import Wrong, advice, as_array, expect, expect_numbers

__all__ = ["expect_means", "expect_number", "expect_right"]

SHORT = 9  # numbers that a sentence shows
SINGLE = 1e-4  # of the largest number: how far an answer in float32 may be away
BEYOND = 1e4  # times the largest right number: no answer but one that rounding makes


def expect_right(what, function, right, cases, mistakes, *, atol=1e-6, view=None, seen=None, other=None):
    """
    Expect the right numbers in every case; else show the smallest that fails, and the mistake behind all.

    A mistake is named where it explains the answers to *all* cases, so that those which agree in one are told
    apart. Numbers in float32 are compared to four digits.

    Parameters
    ----------
    what : str
        What the function returns.
    function, right : callable
        The student's function, and one that is right. `right` has the parameters that the cases go to.
    cases : iterable of tuple
        Arguments, the smallest first.
    mistakes : dict of str to callable or tuple of callable
        For each suspicion, the function that makes it, or several that do.
    atol : float
        How far a number may be from the right one, beside 10⁻⁶ of its size.
    view : callable, optional
        What of an answer counts: ``lambda Z: Z @ Z.T`` where columns may have either sign.
    seen : str, optional
        What to call that.
    other : str, optional
        What to suspect where no mistake fits.
    """
    view, seen, answers = view or np.asarray, seen or what, []
    for case in cases:
        try:
            answers.append((case, given(function, right, case), given(right, right, case)))
        except Wrong:
            if all(agrees(found, wanted, view, atol) for _, found, wanted in answers):
                raise
            break  # a smaller case is wrong already
    failing = [answer for answer in answers if not agrees(*answer[1:], view, atol)]
    if not failing:
        return

    def explains(mistake):
        answers_to = [(found, given(mistake, right, case), wanted) for case, found, wanted in answers]
        told = [(found, wrong) for found, wrong, wanted in answers_to if is_determined(wrong, wanted)]
        return told and all(agrees(found, wrong, view, atol) for found, wrong in told)

    suspicion = next(
        (
            text
            for text, wrong in mistakes.items()
            if any(map(explains, wrong if isinstance(wrong, tuple) else (wrong,)))
        ),
        other,
    )
    case, found, wanted = failing[0]
    with_case = f"With {told(right, case)}, "
    try:
        expect_numbers(with_case + what, found, np.shape(wanted))
        raise Wrong(with_case + difference(seen, view(found), view(wanted)))
    except Wrong as error:
        raise Wrong(f"{error}{advice(suspicion)}" if suspicion else str(error)) from None


def expect_means(what, right, averages, mistakes):
    """
    Expect means over many draws near the right ones; else show the smallest case that fails.

    Parameters
    ----------
    what : str
        Of what the means are.
    right : callable
        From the arguments of a case to the means.
    averages : list of tuple
        The arguments of each case, what was found, and how far that may be away. The smallest first.
    mistakes : dict of str to callable
        For each suspicion, the means that it leads to.
    """

    def near(means):
        return [np.abs(found - means(*case)).max() <= bound for case, found, bound in averages]

    failing = [average for average, holds in zip(averages, near(right), strict=True) if not holds]
    if not failing:
        return
    suspicion = next((text for text, wrong in mistakes.items() if all(near(wrong))), None)
    case, found, bound = failing[0]
    worst = np.unravel_index(np.abs(found - right(*case)).argmax(), found.shape)
    raise Wrong(
        f"With {told(right, case)}, {what} should be within {bound:.2g} of {right(*case)[worst]:.3g}, got "
        f"{found[worst]:.3g}." + (advice(suspicion) if suspicion else "")
    )


def expect_number(sentence, found, right, mistakes, *, rtol=0.005):
    """
    Expect one number that the student computed, and do not tell it.

    Parameters
    ----------
    sentence : str
        What was asked for.
    found, right : float
        The student's number, perhaps rounded, and the right one.
    mistakes : dict of str to float
        For each suspicion, the number that it would lead to.
    rtol : float
        How far the number may be away, in parts of it.
    """
    expect_numbers("The answer", found, ())
    per_cent = {"a share is asked for, not per cent": 100 * right} if 0 < right < 1 < found else {}
    numbers = {"right": right} | mistakes | per_cent
    fits = [text for text, number in numbers.items() if np.isclose(found, number, rtol=rtol, atol=0)]
    expect("right" in fits, f"{sentence}, got {float(found):.4g}." + (advice(fits[0]) if fits else ""))


def given(function, right, case):
    """The function's answer to a case, with keywords where `right` asks for them."""
    parameters = list(inspect.signature(right).parameters.values())[: len(case)]
    places = [p.kind is not p.KEYWORD_ONLY for p in parameters]
    positional = [value for value, place in zip(case, places, strict=True) if place]
    named = {p.name: value for p, value, place in zip(parameters, case, places, strict=True) if not place}
    with np.errstate(all="ignore"):
        return function(*positional, **named)


def is_determined(wrong, wanted):
    """Whether a mistake's answer is more than rounding, such as the inverse of what should be zero."""
    return np.abs(wrong).max(initial=0) <= BEYOND * max(1, np.abs(wanted).max(initial=0))


def agrees(found, wanted, view, atol):
    """Whether two answers are the same numbers, seen alike."""
    found, wanted = as_array(found), np.asarray(wanted)
    if found.dtype.kind not in "biuf" or found.shape != wanted.shape or not np.isfinite(found).all():
        return False
    single = found.dtype == np.float32
    found, wanted = view(found.astype(float)), view(wanted)
    if not np.isfinite(wanted).all():
        return False
    largest = np.abs(wanted).max(initial=0)
    return np.allclose(found, wanted, rtol=1e-6, atol=max(atol, SINGLE * largest if single else 0))


def difference(what, found, wanted):
    """What was expected and what came: all numbers, or the worst of many."""
    if wanted.size <= SHORT:
        return f"{what} should be {shown(wanted)}, got {shown(found)}."
    worst = np.unravel_index(np.abs(found - wanted).argmax(), wanted.shape)
    place = worst[0] if len(worst) == 1 else tuple(int(i) for i in worst)
    return f"entry {place} of {what} should be {shown(wanted[worst])}, got {shown(found[worst])}."


def told(right, case):
    """A case in words, by the names of its parameters."""
    names = list(inspect.signature(right).parameters)[: len(case)]
    return ", ".join(f"{name} = {shown(value)}" for name, value in zip(names, case, strict=True))


def shown(value):
    """A value as a sentence has it: numbers with four digits, a large array by its shape."""
    if not isinstance(value, np.ndarray | np.generic | float):
        return str(value)
    value = np.asarray(value)
    if value.size > SHORT:
        return f"an array of shape {value.shape}"
    if value.dtype.kind == "f":
        value = np.where(np.abs(value) < 1e-12, 0, value)
    return " ".join(np.array2string(value, separator=", ", formatter={"float": "{:.4g}".format}).split())
