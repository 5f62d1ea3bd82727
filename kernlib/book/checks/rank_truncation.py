"""Self-checks of the exercises on rank truncation.

Chapter: Rank truncation.
"""

import numpy as np
from scipy import linalg

from kernlib.book.checks import letters
from kernlib.book.checks._check import function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_numbers, expect_real
from kernlib.kernels import Gaussian
from kernlib.low_rank import rank_trunc, truncation_errors

normal = np.random.default_rng(0).normal
SMALL = np.array([[2.0, 1.0], [1.0, 2.0]])  # eigenvalues 3 and 1
LOW_RANK = [np.ones((3, 3)), Gaussian(0.5)(np.tile(normal(size=(10, 3)), (3, 1)))]
FULL_RANK = [SMALL, *(Gaussian(0.5)(normal(size=(n, p))) for n, p in ((12, 2), (30, 1), (60, 5)))]
INDEFINITE = [A + A.T for A in (np.diag([0.5, -1.0, 1.5]), normal(size=(5, 5)), normal(size=(30, 30)))]
FEATURE_CASES = [(G, k) for G in FULL_RANK + LOW_RANK for k in sorted({1, 2, 4, 20, len(G)}) if k <= len(G)]


def has_orthogonal_columns(function):
    """Expect orthogonal columns."""
    for G, k in FEATURE_CASES:
        Z = expect_numbers("Z", function(G, k), (len(G), k))
        off = np.abs(Z.T @ Z - np.diag(np.sum(Z**2, axis=0))).max()
        sentence = (
            f"With n = {len(G)}, k = {k}, columns should be orthogonal, got an inner product {off:.2g}."
        )
        exact = 1e-4 if Z.dtype == np.float32 else 1e-6
        expect(off < exact, sentence, "this is U_kΛ_k^(1/2) times a rotation")


@function_check(
    "ZZᵀ = G_k, with orthogonal columns, also where G has a lower rank",
    "Z",
    FEATURE_CASES,
    {
        "the square root of the eigenvalues is missing": {"power": 1},
        "the eigenvalues are missing": {"power": 0},
        "multiply by the square root, do not divide by it": {"power": -0.5},
        "these are the k smallest eigenvalues: eigh sorts in ascending order": {"order": 1},
    },
    has_orthogonal_columns,
    view=("ZZᵀ", lambda Z: Z @ Z.T),
)
def check_features(G, k, *, power=0.5, order=-1):
    """Check Z = U_kΛ_k^(1/2): ZZᵀ = G_k, orthogonal columns, and zeros beyond the rank of G."""
    lam, U = (A[..., ::order] for A in linalg.eigh(G))
    if power <= 0 and lam[k - 1] < 1e-8 * lam[0]:
        return np.full((len(G), k), np.nan)  # rounding decides the basis of Ker G
    return U[:, :k] * np.maximum(lam[:k], 0) ** power


def relative_root(squares):
    """Compute the square roots, relative to the first."""
    return np.sqrt(squares / squares[0])


@function_check(
    "the least rank, for semi-definite and indefinite matrices",
    "k",
    [(np.diag([4.0, 3.0]), 0.6), (np.eye(4), 0.5)]  # the error is tol exactly
    + [(G, tol) for G in FULL_RANK[1:] + INDEFINITE for tol in (0.6, 0.5, 0.1, 0.01)],
    {
        "this is one more than needed": lambda G, tol: check_smallest_rank.right(G, tol) + 1,
        "this rank still leaves too much": lambda G, tol: check_smallest_rank.right(G, tol) - 1,
        "an error of exactly tol is small enough": {"is_small": np.less},
        "the square root of the sum of squares is missing": {"errors": lambda squares: squares / squares[0]},
        "sum the squares of the eigenvalues": {"term": np.abs, "errors": lambda sums: sums / sums[0] - 1e-12},
        "add up all eigenvalues left out": {"add_up": np.array},
        "keep the largest in magnitude, also negative ones": {"order": float},
        "the division by ‖G‖_F is missing": {"errors": np.sqrt},
        "‖G − G_k‖_F is not ‖G‖_F − ‖G_k‖_F": {"errors": lambda left: 1 - np.sqrt(1 - left / left[0])},
    },
    atol=0.1,
)
def check_smallest_rank(
    G, tol, *, order=abs, term=np.square, add_up=np.cumsum, errors=relative_root, is_small=np.less_equal
):
    """Check the least k with ‖G − G_k‖_F ≤ tol ‖G‖_F; G may be indefinite."""
    left_out = add_up(term(np.array(sorted(np.linalg.eigvalsh(G), key=order))))[::-1]
    return int(np.argmax(is_small(errors(np.append(left_out, 0)), tol)))


def change_truncated(G, k, change):
    """Change the eigenvalues of G_k."""
    lam, U = linalg.eigh(rank_trunc(G, k, "eigh"))
    return (U * change(lam)) @ U.T


@function_check(
    "the nearest positive semi-definite matrix of rank at most k",
    "the matrix",
    [(SMALL - np.eye(2), 1), (np.diag([1.0, -3.0]), 1)]
    + [(G - np.eye(len(G)), k) for G in INDEFINITE for k in (1, len(G) // 2, len(G) - 1)],
    {
        "this is G_k, which keeps negative eigenvalues": lambda G, k: rank_trunc(G, k, "eigh"),
        "clip first, then truncate": lambda G, k: change_truncated(G, k, lambda lam: np.maximum(lam, 0)),
        "an SVD loses the signs: these are magnitudes": lambda G, k: change_truncated(G, k, np.abs),
        "the rank is above k": lambda G, k: check_nearest_psd.right(G, len(G)),
        "these are the k smallest eigenvalues: eigh sorts in ascending order": {"order": 1},
    },
)
def check_nearest_psd(G, k, *, order=-1):
    """Check the positive semi-definite matrix of rank at most k that is nearest to an indefinite G."""
    Z = check_features.right(G, k, order=order)
    return Z @ Z.T


@self_check("clipped: {:.3g} away, nearest: {:.3g}")
def check_clipped(G):
    """Check a G for which clipping G₁ is 1.3 times as far from G as the nearest kernel matrix of rank 1."""
    n = (*expect_real("G", G).shape, 0)[0]  # a number has no rows
    expect(2 <= n <= 5, f"G should have two to five rows, got {n}.")
    G = expect_numbers("G", G, (n, n)).astype(float)
    expect(np.allclose(G, G.T), "G should be symmetric.")
    hint = "G₁ should keep a negative eigenvalue, hardly larger than the positive one"
    large, second = np.sort(np.abs(np.linalg.eigvalsh(G)))[:-3:-1]
    expect(second < (1 - 1e-9) * large or large == 0, "G₁ should be unique, got two largest |λᵢ|.", hint)
    clipped = np.linalg.norm(G - change_truncated(G, 1, lambda lam: np.maximum(lam, 0)))
    nearest = np.linalg.norm(G - check_nearest_psd.right(G, 1))
    sentence = f"Clipping should be 1.3 times as far away, got {clipped:.3g} against {nearest:.3g}."
    expect(clipped >= 1.3 * nearest and clipped > 1e-6, sentence, hint)
    return clipped, nearest


@function_check(
    "the effective dimension",
    "d_eff(λ)",
    [(G, lam) for G in FULL_RANK for lam in (1.0, 0.1, 1e-3)],
    {
        "the shift is nλ, not λ": {"shift": lambda G: 1},
        "the shift is nλ, not 2nλ": {"shift": lambda G: 2 * len(G)},
        "this is n − d_eff(λ)": lambda G, lam: len(G) - check_effective_dimension.right(G, lam),
        "this is d_eff(λ)/n": lambda G, lam: check_effective_dimension.right(G, lam) / len(G),
        "do not square the terms": {"power": 2},
        "this counts the eigenvalues above nλ": lambda G, lam: np.sum(np.linalg.eigvalsh(G) > len(G) * lam),
    },
)
def check_effective_dimension(G, lam, *, shift=len, power=1):
    """Check d_eff(λ) = Σᵢ λᵢ/(λᵢ + nλ)."""
    values = np.linalg.eigvalsh(G)
    return np.sum((values / (values + shift(G) * lam)) ** power)


@number_check("the rank of 500 letters to 5%")
def check_letters_rank():
    """Check the least rank at which the Gram matrix of 500 letters, γ = 1/16, has an error of at most 5%."""
    G = Gaussian(1 / 16)(letters(500))
    errors, lam = truncation_errors(G), np.linalg.eigvalsh(G)[::-1]
    right = np.argmax(errors <= 0.05)
    return right, {
        "k counts eigenpairs, from 1 on": right - 1,
        "a smaller rank is enough": right + 1,
        "the norm is a square root: this is 5% of its square": np.argmax(errors**2 <= 0.05),
        "this leaves 5% of the trace, not of the norm": np.argmax(np.cumsum(lam) >= 0.95 * lam.sum()) + 1,
    }


__all__ = public_names(globals(), "letters")
