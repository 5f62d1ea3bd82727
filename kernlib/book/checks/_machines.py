"""The checks of chapter 9 on what normalising does and does not do."""

from fractions import Fraction

import numpy as np

from kernlib.book.checks import expect_number, expect_right, self_check
from kernlib.book.datasets import load_surnames
from kernlib.strings import all_subsequences

__all__ = ["check_identity_machine", "check_marks", "check_surnames", "surnames"]


def surnames(n):
    """
    Give n surnames at equal steps from the list of seven languages.

    Parameters
    ----------
    n : int
        How many, at most 2,700.

    Returns
    -------
    list of str
        Of 3 to 14 letters.
    """
    names = load_surnames().strings
    return [str(names[i]) for i in np.linspace(0, len(names) - 1, n).astype(int)]


@self_check
def check_surnames(mean):
    """
    Check the mean of κ(s, t)/√(κ(s, s)κ(t, t)) over the pairs s ≠ t of 60 surnames, with μ = 1.

    Parameters
    ----------
    mean : float
        Over the names `surnames(60)`.
    """
    names, pairs = surnames(60), np.triu_indices(60, 1)
    K = np.zeros((60, 60))
    for i, j in zip(*np.triu_indices(60), strict=True):
        K[i, j] = K[j, i] = all_subsequences(names[i], names[j])
    lengths = np.sqrt(np.diag(K))
    normed = K / np.outer(lengths, lengths)
    right = normed[pairs].mean()
    mistakes = {
        "a name beside itself is no pair": normed.mean(),
        "the values are not normalised": K[pairs].mean(),
        "divide by the root of κ(s, s)κ(t, t)": (K / np.outer(lengths, lengths) ** 2)[pairs].mean(),
        "take the mean of the quotients, not the quotient of the means": K[pairs].mean() / np.diag(K).mean(),
    }
    expect_number("The mean should be that of the normalised kernel over pairs", mean, right, mistakes)
    print("✓ how alike two surnames are, on the average")


@self_check
def check_marks(function):
    """
    Check the factor κ(⟨s⟩, ⟨t⟩) / κ(s, t) that marks at both ends bring, as a function of μ.

    Parameters
    ----------
    function : callable
        From μ to the factor.
    """
    mistakes = {
        "there is a mark at each end": lambda mu: 1 + mu,
        "both marks can be matched at once: the choices multiply": lambda mu: 1 + 2 * mu,
        "a mark may also be left out": lambda mu: mu**2,
        "it is κ, not the normalised kernel": lambda mu: 1.0,
        "a match weighs μ, and not μ²": lambda mu: (1 + mu**2) ** 2,
    }
    cases = [(mu,) for mu in (1.0, 0.5, 0.1)]
    expect_right("the factor", function, lambda mu: (1 + mu) ** 2, cases, mistakes)
    print("✓ both marks bring the same factor to every pair, so normalising removes it")


@self_check
def check_identity_machine(function):
    """
    Check the SVM on G = I: α₊ = 2n₋/n, α₋ = 2n₊/n, b = (n₊ − n₋)/n.

    Parameters
    ----------
    function : callable
        From n₊ and n₋ to (α₊, α₋, b).
    """

    def right(plus, minus):
        n = plus + minus
        return np.array([2 * minus / n, 2 * plus / n, (plus - minus) / n])

    mistakes = {
        "the smaller class gets the larger α: Σ yᵢαᵢ = 0": lambda *n: right(*n)[[1, 0, 2]],
        "the sign of b: the majority should win where κ = 0": lambda *n: right(*n) * [1, 1, -1],
        "α = 1 needs classes of one size": lambda *n: np.array([1.0, 1.0, 0.0]),
        "½Σαᵢ² has the derivative αᵢ, not 2αᵢ": lambda *n: right(*n) * [0.5, 0.5, 1],
        "αᵢ is a share of n, not of the other class": lambda plus, minus: np.array(
            [2 / plus, 2 / minus, (plus - minus) / (plus + minus)]
        ),
    }
    cases = [(1, 1), (1, 3), (10, 30), (70, 30)]

    def floats(plus, minus):
        found = function(plus, minus)
        if not isinstance(found, tuple | list):
            return found
        return tuple(float(number) if isinstance(number, Fraction) else number for number in found)

    expect_right("(α₊, α₋, b)", floats, right, cases, mistakes)
    print("✓ where nothing is similar, the majority decides")
