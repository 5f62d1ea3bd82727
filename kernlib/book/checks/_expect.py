"""What a check asks of an answer, and the sentence that it says where the answer has something else."""

import numpy as np

__all__ = ["Wrong", "advice", "as_array", "expect", "expect_close", "expect_numbers", "expect_real", "hint"]


class Wrong(AssertionError):
    """A wrong answer. A notebook shows its sentence, and not the checker's own lines."""

    def _render_traceback_(self):
        """What IPython prints in place of the traceback."""
        return [f"✗ {self}"]


def expect(condition, sentence):
    """
    Go on where the condition holds; otherwise tell the student why not.

    Parameters
    ----------
    condition : bool
        What must hold. Comparisons with NaN do not.
    sentence : str
        What was expected and what came.
    """
    if not condition:
        raise Wrong(" ".join(sentence.split()))  # an array may print on several lines


def expect_real(name, values):
    """
    Expect real numbers in an array of any shape, finite or not.

    Parameters
    ----------
    name : str
        What to call it in the sentence.
    values : array_like
        What the student gives.

    Returns
    -------
    ndarray
        The numbers.
    """
    array = as_array(values)
    kind = f"an array of {array.dtype}" if array.ndim and array.size else type(values).__name__
    expect(array.dtype.kind in "biuf", f"{name} should be real numbers, all rows of one length, got {kind}.")
    return array


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
    array = expect_real(name, values)
    expect(array.shape == shape, f"{name} should have shape {shape}, got {array.shape}.")
    expect(
        np.isfinite(array).all(), f"{name} should be finite, got NaN or infinity. Hint: a division by zero?"
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
    found = as_array(found)
    if found.dtype.kind not in "biuf":
        return ""
    for suspicion, wrong in mistakes.items():
        if found.shape == np.shape(wrong) and np.allclose(found, wrong, rtol=1e-6, atol=atol):
            return advice(suspicion)
    return ""


def advice(suspicion):
    """A suspicion as a sentence to append."""
    return f" Hint: {suspicion}{'' if suspicion.endswith('?') else '.'}"


def as_array(values):
    """Values as an array, of objects where rows have several lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.empty(0, dtype=object)
