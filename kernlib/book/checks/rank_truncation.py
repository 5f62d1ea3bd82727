"""Self-checks of the exercises on rank truncation.

Chapter: Rank truncation.
"""

import numpy as np
from scipy import linalg

from kernlib.book.checks import expect, expect_number, expect_numbers, expect_real, expect_right, self_check
from kernlib.book.checks._letters import letters
from kernlib.kernels import Gaussian
from kernlib.low_rank import rank_trunc, truncation_errors

__all__ = [
    "check_clipped",
    "check_effective_dimension",
    "check_features",
    "check_letters_rank",
    "check_nearest_psd",
    "check_smallest_rank",
    "letters",
]

SMALL = np.array([[2.0, 1.0], [1.0, 2.0]])  # eigenvalues 3 and 1


def sizes(G):
    """Magnitudes of the eigenvalues, falling."""
    return np.sort(np.abs(np.linalg.eigvalsh(G)))[::-1]


def largest(G):
    """Eigenpairs, the largest first, negative ones last."""
    return (A[..., ::-1] for A in linalg.eigh(G))


@self_check
def check_features(function):
    """
    Check Z = U_kΛ_k^{1/2}: ZZᵀ = G_k, orthogonal columns, and zeros beyond the rank of G.

    Parameters
    ----------
    function : callable
        Called as ``function(G, k)`` with a positive semi-definite G; gives an array of shape (n, k).
    """
    Gs = [SMALL, np.ones((3, 3))]  # the second has rank 1
    for p, repeated in ((1, False), (5, False), (3, True)):
        X = np.random.default_rng(p).normal(size=(30, p))
        if repeated:
            X[10:] = np.tile(X[:10], (2, 1))  # G has rank 10
        Gs.append(Gaussian(0.5)(X))
    cases = [(G, k) for G in Gs for k in (1, 2, 4, 20) if k <= len(G)]

    def power(exponent):
        def wrong(G, k):
            lam, U = largest(G)
            if exponent <= 0 and lam[k - 1] < 1e-8 * lam[0]:
                return np.full((len(G), k), np.nan)  # which basis of Ker G, rounding decides
            return U[:, :k] * np.maximum(lam[:k], 0) ** exponent

        return wrong

    def right(G, k):
        return power(0.5)(G, k)

    def smallest(G, k):
        lam, U = linalg.eigh(G)
        return U[:, :k] * np.sqrt(np.maximum(lam[:k], 0))

    mistakes = {
        "the square root of the eigenvalues is missing": power(1),
        "the eigenvalues are missing": power(0),
        "the root goes up, not down: Λ^{1/2}": power(-0.5),
        "these are the k smallest eigenvalues; eigh sorts upwards": smallest,
    }
    expect_right("Z", function, right, cases, mistakes, view=lambda Z: Z @ Z.T, seen="ZZᵀ")
    for G, k in cases:
        Z = np.asarray(function(G, k))
        off = np.abs(Z.T @ Z - np.diag(np.sum(Z**2, axis=0))).max()
        expect(
            off < 1e-4 if Z.dtype == np.float32 else off < 1e-6,
            f"With n = {len(G)} and k = {k} the columns of Z should be orthogonal, got an inner product "
            f"{off:.2g}. Hint: this is Z times a rotation.",
        )
    print("✓ ZZᵀ = G_k, with orthogonal columns, also where G has a lower rank")


@self_check
def check_smallest_rank(function):
    """
    Check the least k with ‖G − G_k‖_F ≤ tol ‖G‖_F.

    Parameters
    ----------
    function : callable
        Called as ``function(G, tol)``; gives an int. G may be indefinite.
    """
    Gs = [np.diag([3.0, 2.0]), np.diag([1.0, -2.0, 3.0])]
    for n in (12, 60):
        A = np.random.default_rng(n).normal(size=(n, n))
        Gs += [Gaussian(0.5)(A[:, :2]), A + A.T]
    cases = [(G, tol) for G in Gs for tol in (0.6, 0.5, 0.1, 0.01)]

    def by(errors):
        """The first rank whose error is small enough, with errors of the sizes of the eigenvalues."""

        def rank(G, tol):
            return int(np.argmax(errors(G) <= tol))

        return rank

    def right(G, tol):
        return by(truncation_errors)(G, tol)

    def of_positive(G):
        lam = np.linalg.eigvalsh(G)[::-1]
        left = np.append(np.cumsum(lam[::-1] ** 2)[::-1], 0)
        return np.sqrt(left / left[0])

    mistakes = {
        "this is one more than needed": lambda *case: right(*case) + 1,
        "this rank still leaves too much": lambda *case: right(*case) - 1,
        "the square root of the sum of squares is missing": by(lambda G: truncation_errors(G) ** 2),
        "this sums eigenvalues, not their squares": by(
            lambda G: 1 - np.append(0, np.cumsum(sizes(G))) / np.sum(sizes(G)) - 1e-12
        ),
        "this compares one eigenvalue, not the tail": lambda G, tol: np.sum(sizes(G) > tol * sizes(G)[0]),
        "the largest in magnitude are kept, negative ones too": by(of_positive),
        "the division by ‖G‖_F is missing": by(lambda G: truncation_errors(G) * np.linalg.norm(G)),
    }
    expect_right("k", function, right, cases, mistakes, atol=0.1)
    print("✓ the least rank, for semi-definite and indefinite matrices")


@self_check
def check_nearest_psd(function):
    """
    Check the positive semi-definite matrix of rank at most k that is nearest to an indefinite G.

    Parameters
    ----------
    function : callable
        Called as ``function(G, k)``; gives an array of shape (n, n).
    """
    cases = [(SMALL - np.eye(2), 1), (np.diag([1.0, -3.0]), 1)]
    for n in (5, 30):
        A = np.random.default_rng(n).normal(size=(n, n))
        cases += [(A + A.T - np.eye(n), k) for k in (1, n // 2, n - 1)]

    def right(G, k):
        lam, U = largest(G)
        return (U[:, :k] * np.maximum(lam[:k], 0)) @ U[:, :k].T

    def changed(G, k, change):
        lam, U = linalg.eigh(rank_trunc(G, k, "eigh"))
        return (U * change(lam)) @ U.T

    mistakes = {
        "this is G_k, which keeps negative eigenvalues": lambda G, k: rank_trunc(G, k, "eigh"),
        "clip first, then truncate": lambda G, k: changed(G, k, lambda lam: np.maximum(lam, 0)),
        "an SVD loses the signs; these are magnitudes": lambda G, k: changed(G, k, np.abs),
        "this has a rank above k": lambda G, k: right(G, len(G)),
    }
    expect_right("the matrix", function, right, cases, mistakes)
    print("✓ the nearest positive semi-definite matrix of rank at most k")


@self_check
def check_clipped(G):
    """
    Check a G for which clipping G₁ is 1.3 times as far from G as the nearest kernel matrix of rank 1.

    Parameters
    ----------
    G : array_like of shape (n, n)
        Symmetric, of two to five rows.
    """
    n = (*expect_real("G", G).shape, 0)[0]  # a number has no rows
    expect(2 <= n <= 5, f"G should have two to five rows, got {n}.")
    expect_numbers("G", G, (n, n))
    G = np.array(G, dtype=float)
    expect(np.allclose(G, G.T), "G should be symmetric.")
    low, V = linalg.eigh(rank_trunc(G, 1, "eigh"))
    clipped = np.linalg.norm(G - (V * np.maximum(low, 0)) @ V.T)
    top, u = (A[..., -1] for A in linalg.eigh(G))
    nearest = np.linalg.norm(G - max(top, 0) * np.outer(u, u))
    expect(
        clipped >= 1.3 * nearest and clipped > 1e-6,
        f"Clipping should be 1.3 times as far, got {clipped:.3g} against {nearest:.3g}. Hint: the one place "
        "of G₁ should go to a negative eigenvalue, hardly larger than the positive one.",
    )
    print(f"✓ clipped: {clipped:.3g} away, nearest: {nearest:.3g}")


@self_check
def check_effective_dimension(function):
    """
    Check d_eff(λ) = Σᵢ λᵢ/(λᵢ + nλ).

    Parameters
    ----------
    function : callable
        Called as ``function(G, lam)``; gives a float.
    """
    Gs = [Gaussian(0.5)(np.random.default_rng(n).normal(size=(n, p))) for n, p in ((10, 1), (60, 3))]
    cases = [(G, lam) for G in [SMALL, *Gs] for lam in (1.0, 0.1, 1e-3)]

    def dimension(G, lam, *, shift=None, power=1):
        values = np.linalg.eigvalsh(G)
        return np.sum((values / (values + (len(G) if shift is None else shift) * lam)) ** power)

    def right(G, lam):
        return dimension(G, lam)

    mistakes = {
        "the shift is nλ, not λ": lambda G, lam: dimension(G, lam, shift=1),
        "this is n − d_eff(λ)": lambda G, lam: len(G) - right(G, lam),
        "this is d_eff(λ)/n": lambda G, lam: right(G, lam) / len(G),
        "this squares each term": lambda G, lam: dimension(G, lam, power=2),
        "this counts the eigenvalues above nλ": lambda G, lam: np.sum(np.linalg.eigvalsh(G) > len(G) * lam),
    }
    expect_right("d_eff(λ)", function, right, cases, mistakes)
    print("✓ the effective dimension")


@self_check
def check_letters_rank(k):
    """
    Check the least rank at which the Gram matrix of 500 letters, with γ = 1/16, errs by at most 5 %.

    Parameters
    ----------
    k : int
        For the rows `letters(500)`.
    """
    G = Gaussian(1 / 16)(letters(500))
    errors, lam = truncation_errors(G), np.linalg.eigvalsh(G)[::-1]
    right = int(np.argmax(errors <= 0.05))
    mistakes = {
        "k counts from 0": right - 1,
        "one less will do": right + 1,
        "the norm is a root: this is 5 % of its square": np.argmax(errors**2 <= 0.05),
        "this leaves 5 % of the trace, not of the norm": np.argmax(np.cumsum(lam) >= 0.95 * lam.sum()) + 1,
    }
    sentence = "k should be the least rank with an error of at most 5 % of ‖G‖_F"
    expect_number(sentence, k, right, mistakes)
    print("✓ the rank of 500 letters to five per cent")
