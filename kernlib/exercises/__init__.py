"""Self-checks of the book's exercises, one module per chapter.

A check prints one line that starts with ✓ and says what it verified, or raises an AssertionError with one
sentence: what was expected, what came and, where it helps, the usual mistake.
"""

import numpy as np

__all__ = ["expect", "expect_numbers", "hint"]


def expect(condition, sentence):
    """
    Go on where the condition holds; otherwise tell the student why not.

    Parameters
    ----------
    condition : bool
        What must hold. Comparisons with NaN do not.
    sentence : str
        What was expected and what came.

    Raises
    ------
    AssertionError
        With the sentence, if the condition does not hold.
    """
    if not condition:
        raise AssertionError(sentence)


def expect_numbers(name, values, shape):
    """
    Check that something is an array of finite numbers of this shape.

    Parameters
    ----------
    name : str
        What to call it in the sentence.
    values : array_like
        What the student gives.
    shape : tuple of int
        What it should have.

    Raises
    ------
    AssertionError
        With a sentence, if the shape is another one or a number is NaN or infinite.
    """
    expect(np.shape(values) == shape, f"{name} should have shape {shape}, got {np.shape(values)}.")
    expect(
        np.isfinite(values).all(), f"{name} should be finite, got NaN or infinity. Hint: a division by zero?"
    )


def hint(found, mistakes, atol):
    """
    Name the mistake that explains what was found.

    Parameters
    ----------
    found : array_like
        The student's numbers.
    mistakes : dict of str to ndarray
        For each suspicion, the numbers that it would lead to.
    atol : float
        How far the numbers may be from these, beside 10⁻⁶ of their size.

    Returns
    -------
    str
        The first suspicion that fits, to append to a sentence; empty where none does.
    """
    for suspicion, wrong in mistakes.items():
        if np.allclose(found, wrong, rtol=1e-6, atol=atol):
            return f" Hint: {suspicion}."
    return ""
