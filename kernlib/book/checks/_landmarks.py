"""The checks of chapter 6 on letters as landmarks, and the one on leave-one-out."""

import numpy as np

from kernlib.book.checks import expect, expect_number, expect_numbers, expect_right, self_check
from kernlib.book.checks._letters import letters
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge

__all__ = ["check_bad_landmarks", "check_letters_trace", "check_loo"]


@self_check
def check_letters_trace(error):
    """
    Check tr(G − Ĝ) of 16,000 letters with the first 100 as landmarks, γ = 1/16.

    Parameters
    ----------
    error : float
        For the rows `letters(16_000)`.
    """
    X, kernel = letters(16_000), Gaussian(1 / 16)
    C, W = kernel(X, X[:100]), kernel(X[:100])
    kept = np.sum(C * np.linalg.solve(W, C.T).T)
    right = len(X) - kept
    mistakes = {
        "this is the trace of Ĝ, not of what it misses": kept,
        "this is a part of tr G, not the sum": right / len(X),
        "that is γ = 1": len(X) - np.sum((D := Gaussian(1.0)(X, X[:100])) * (D @ inverse(X[:100]))),
    }
    expect_number("tr(G − Ĝ) should be that of 16,000 letters and 100 landmarks", error, right, mistakes)
    print("✓ the error of a Gram matrix of 2 GB that was never formed")


def inverse(landmarks):
    """W⁺ for γ = 1."""
    return np.linalg.pinv(Gaussian(1.0)(landmarks), hermitian=True)


@self_check
def check_bad_landmarks(rows):
    """
    Check ten landmarks among 100 letters that are worse, by the trace, than each of 1,000 random choices.

    Parameters
    ----------
    rows : sequence of int
        Ten different indices of `letters(100)`, from 0; γ = 1/16.
    """
    expect_numbers("The rows", rows, (10,))
    rows = np.asarray(rows)
    expect((rows == rows.astype(int)).all(), "The rows should be whole numbers.")
    rows = rows.astype(int)
    expect(rows.min() >= 0 and rows.max() < 100, "The rows should be indices from 0 to 99.")
    expect(len(np.unique(rows)) == 10, f"The rows should be different, got {len(np.unique(rows))} of ten.")
    G, rng = Gaussian(1 / 16)(letters(100)), np.random.default_rng(0)

    def error(rows):
        return np.trace(G) - np.trace(np.linalg.solve(G[np.ix_(rows, rows)], G[rows] @ G[:, rows]))

    worst = max(error(rng.choice(100, 10, replace=False)) for _ in range(1000))
    expect(
        error(rows) > worst,
        f"tr(G − Ĝ) should exceed {worst:.1f}, the worst of 1,000 random choices, got {error(rows):.1f}. "
        "Hint: a row that is far from all others explains itself and nothing else.",
    )
    print(f"✓ tr(G − Ĝ) = {error(rows):.1f}, worse than 1,000 random choices")


@self_check
def check_loo(function):
    """
    Check the leave-one-out residuals of ridge regression on features, which keep the number nλ.

    Parameters
    ----------
    function : callable
        Called as ``function(Z, y, lam)``; gives n residuals.
    """
    rng = np.random.default_rng(0)
    cases = [(np.array([[1.0], [2.0]]), np.array([1.0, 3.0]), 0.5)]
    cases += [(rng.normal(size=(n, c)), rng.normal(size=n), 0.1) for n, c in ((12, 3), (30, 10))]

    def refits(Z, y, shift):
        return np.array(
            [y[i] - Z[i] @ weights(np.delete(Z, i, 0), np.delete(y, i), shift) for i in range(len(y))]
        )

    def right(Z, y, lam):
        return refits(Z, y, len(y) * lam)

    def on_data(Z, y, lam):
        return y - Z @ weights(Z, y, len(y) * lam)

    mistakes = {
        "these are the residuals on the data; divide by 1 − hᵢ": on_data,
        "the book's λ enters as nλ, not as λ": refits,
        "each refit keeps the number nλ, not (n − 1)λ": lambda Z, y, lam: refits(Z, y, (len(y) - 1) * lam),
        "the sign is turned: yᵢ − f(xᵢ)": lambda *case: -right(*case),
        "these are f₋ᵢ(xᵢ), not the residuals": lambda Z, y, lam: y - right(Z, y, lam),
        "these are dual coefficients α": lambda Z, y, lam: dual_ridge(Z @ Z.T, y, lam=lam),
        "divide by 1 − hᵢ, do not multiply": lambda *case: on_data(*case) ** 2 / right(*case),
        "divide by 1 − hᵢ, not by hᵢ": lambda *case: on_data(*case) / (1 - on_data(*case) / right(*case)),
    }
    expect_right("the residuals", function, right, cases, mistakes)
    print("✓ n residuals from one fit, equal to those of n refits")


def weights(Z, y, shift):
    """The w of ridge regression with this shift."""
    return np.linalg.solve(Z.T @ Z + shift * np.eye(Z.shape[1]), Z.T @ y)
