"""The checks on chapter 3's second page."""

import tracemalloc

import numpy as np

from kernlib.book.checks import expect, expect_number, expect_right, self_check
from kernlib.book.checks._letters import labels, letters
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge, primal_ridge, ridge_path

__all__ = ["check_best_lam", "check_leave_one_out", "check_ridge"]

LAM = 0.03


@self_check
def check_ridge(function):
    """
    Check w = (ΦᵀΦ + nλI)⁻¹Φᵀy, by n×n where n < p and by p×p elsewhere.

    Parameters
    ----------
    function : callable
        Called as ``function(Phi, y, lam)``; gives w of shape (p,).
    """
    rng = np.random.default_rng(0)
    cases = [(np.array([[1.0], [2.0]]), np.array([1.0, 1.0]), 0.5)]
    cases += [(np.array([[1.0, 2.0]]), np.array([3.0]), 0.5)]
    cases += [(rng.normal(size=(n, p)), rng.normal(size=n), LAM) for n, p in ((30, 4), (4, 30), (12, 12))]

    def right(Phi, y, lam):
        return primal_ridge(Phi, y, lam=lam)

    mistakes = {
        "the shift is nλ, not λ": lambda Phi, y, lam: right(Phi, y, lam / len(y)),
        "the shift is nλ, not pλ": lambda Phi, y, lam: right(Phi, y, lam * Phi.shape[1] / len(y)),
        "λ times min(n, p) is no shift: it is nλ by both routes": lambda Phi, y, lam: right(
            Phi, y, lam * min(Phi.shape) / len(y)
        ),
        "there is no ridge": lambda Phi, y, lam: np.linalg.pinv(Phi) @ y,
        "α is not yet w = Φᵀα": lambda Phi, y, lam: (
            dual_ridge(Phi @ Phi.T, y, lam=lam) if len(y) < Phi.shape[1] else right(Phi, y, lam)
        ),
        "this is α; the predictions need w = Φᵀα": lambda Phi, y, lam: dual_ridge(Phi @ Phi.T, y, lam=lam),
        "these are the fitted values Φw": lambda Phi, y, lam: Phi @ right(Phi, y, lam),
    }
    expect_right("w", function, right, cases, mistakes)
    for n, p in ((3, 600), (600, 3)):
        Phi, y = rng.normal(size=(n, p)), rng.normal(size=n)
        tracemalloc.start()
        try:
            function(Phi, y, LAM)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        expect(
            peak < 8 * max(n, p) ** 2 / 2,
            f"With n = {n} and p = {p}, no {max(n, p)}×{max(n, p)} matrix is needed, and one was formed. "
            "Hint: compare n and p.",
        )
    print("✓ ridge: one w by both routes, and never the larger matrix")


@self_check
def check_leave_one_out(function):
    """
    Check the leave-one-out residuals against n refits that keep the number nλ.

    Parameters
    ----------
    function : callable
        Called as ``function(G, y, lam)``; gives the residuals yᵢ − f₋ᵢ(xᵢ).
    """
    rng = np.random.default_rng(0)
    cases = [(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 2.0]), 0.5)]
    cases += [
        (Gaussian(0.5)(rng.normal(size=(n, p))), rng.normal(size=n), LAM) for n, p in ((12, 1), (25, 5))
    ]

    def right(G, y, lam):
        return refits(G, y, len(y) * lam)

    def inverse(G, y, shift):
        return np.linalg.inv(G + shift * np.eye(len(y)))

    def alpha(G, y, lam):
        return dual_ridge(G, y, lam=lam)

    mistakes = {
        "these are the refits that keep λ, not nλ": lambda G, y, lam: refits(G, y, (len(y) - 1) * lam),
        "these are the residuals on the data": lambda G, y, lam: y - G @ alpha(G, y, lam),
        "this is f₋ᵢ(xᵢ), not the residual": lambda G, y, lam: y - right(G, y, lam),
        "these are f₋ᵢ(xᵢ) − yᵢ": lambda *case: -right(*case),
        "these are squares": lambda *case: right(*case) ** 2,
        "these are the dual coefficients α": alpha,
        "the shift is nλ, not λ": lambda G, y, lam: refits(G, y, lam),
        "αᵢ is divided by the entry of (G + nλI)⁻¹, not multiplied": lambda G, y, lam: (
            alpha(G, y, lam) * np.diag(inverse(G, y, len(y) * lam))
        ),
        "the diagonal is that of the inverse, not of G + nλI": lambda G, y, lam: (
            alpha(G, y, lam) / (np.diag(G) + len(y) * lam)
        ),
    }
    expect_right("the residuals", function, right, cases, mistakes)
    print("✓ leave-one-out: the residuals of n refits that keep nλ")


@self_check
def check_best_lam(lam):
    """
    Check which of 10⁻¹, …, 10⁻⁸ has the least leave-one-out error on 300 letters, with γ = 1/16.

    Parameters
    ----------
    lam : float
        One of them.
    """
    grid, G, y = 10.0 ** -np.arange(1, 9), Gaussian(1 / 16)(letters(300)), labels(300)
    errors = np.mean(ridge_path(G, y, lams=grid).loo_residuals ** 2, axis=1)
    sentence = "λ should have the least leave-one-out error of the eight"
    mistakes = {"the least error on the data itself is always that of the least λ": grid[-1]}
    expect_number(sentence, lam, grid[errors.argmin()], mistakes)
    print("✓ the λ that leave-one-out chooses for 300 letters")


def refits(G, y, shift):
    """The residual at each observation of the ridge fit to the others, with this shift."""
    residuals = np.empty(len(y))
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        alpha = np.linalg.solve(G[np.ix_(rest, rest)] + shift * np.eye(len(y) - 1), y[rest])
        residuals[i] = y[i] - G[i, rest] @ alpha
    return residuals
