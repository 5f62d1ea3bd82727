"""Self-checks of the exercises on the representer theorem and duality.

Chapter: Representer theorem and duality.
"""

import tracemalloc

import numpy as np

from kernlib.duality import Duality, Logistic, Squared
from kernlib.exercises import expect, expect_numbers, hint, self_check
from kernlib.kernels import Gaussian, Linear
from kernlib.ridge import dual_ridge, primal_ridge

__all__ = [
    "check_certified_alpha",
    "check_dual_value",
    "check_hinge_conjugate",
    "check_leave_one_out",
    "check_ridge",
    "check_weighted_ridge",
]

LAM = 0.03


@self_check
def check_hinge_conjugate(function):
    """
    Check ℓ*(y, v) = sup_u uv − ℓ(y, u) of the hinge loss ℓ(y, u) = max(0, 1 − yu), and its domain.

    Parameters
    ----------
    function : callable
        Called as ``function(y, v)`` with two arrays of shape (m,), y of ±1; gives ℓ*, infinite outside its
        domain.
    """
    v = np.tile(np.linspace(-1.5, 1.5, 13), 2)
    y = np.repeat([-1.0, 1.0], 13)
    with np.errstate(all="ignore"):
        found = np.asarray(function(y, v), dtype=np.float64)
    expect(found.shape == v.shape, f"ℓ* should have shape {v.shape}, got {found.shape}.")
    expect(not np.isnan(found).any(), "ℓ* should be a number or infinity, got NaN.")
    s = -y * v
    inside = (s >= 0) & (s <= 1)
    expect(
        np.isfinite(found[inside]).all(),
        "ℓ* should be finite where −yv is in [0, 1], got infinity. Hint: is the sign of yv right?",
    )
    expect(
        (found[~inside] == np.inf).all(),
        "ℓ* should be +∞ where −yv is outside [0, 1], got another value. Hint: there uv − ℓ grows without "
        "end.",
    )
    right = np.where(inside, y * v, 0)
    mistakes = {
        "the sign of yv is lost": -right,
        "this is the supremum of −ℓ alone, without uv": np.zeros(26),
        "this is the conjugate of the logistic loss": Logistic().conjugate_each(y, np.where(inside, v, 0)),
    }
    values = np.where(inside, found, 0)
    worst = np.abs(values - right).argmax()
    expect(
        np.allclose(values, right, rtol=0, atol=1e-9),
        f"ℓ*({y[worst]:g}, {v[worst]:g}) should be {right[worst]:g}, got {values[worst]:.3g}."
        + hint(values, mistakes, atol=1e-9),
    )
    print("✓ hinge: ℓ* = yv where −yv is in [0, 1], infinite elsewhere")


@self_check
def check_dual_value(function):
    """
    Check D(α) for the squared loss, with its constant.

    Parameters
    ----------
    function : callable
        Called as ``function(G, y, alpha, lam)``; gives the number D(α).
    """
    rng = np.random.default_rng(0)
    for n, p in ((7, 2), (20, 5), (30, 1)):
        X, y, alpha = rng.normal(size=(n, p)), rng.normal(size=n), rng.normal(size=n)
        G = Gaussian(0.5)(X)
        right = Duality(G, y, lam=LAM, loss=Squared()).dual(alpha)
        quadratic, slack = alpha @ G @ alpha, y - n * LAM * alpha
        mistakes = {
            "the constant ‖y‖²/(2n) is missing, so D will not meet P": right - y @ y / (2 * n),
            "this is the primal value P(α)": Duality(G, y, lam=LAM, loss=Squared()).primal(alpha),
            "the quadratic term enters with a minus": right + LAM * quadratic,
            "the slopes are nλα, not λα": -np.sum((y - LAM * alpha) ** 2 - y**2) / (2 * n)
            - LAM / 2 * quadratic,
            "the term (λ/2)αᵀGα lacks its ½": right - LAM / 2 * quadratic,
            "this is −D(α): (D) is to be maximised": -right,
            "the mean over the n observations is missing": -np.sum(slack**2 - y**2) / 2 - LAM / 2 * quadratic,
        }
        found = function(G, y, alpha, LAM)
        expect_numbers("D(α)", found, ())
        expect(
            np.isclose(found, right, rtol=1e-9, atol=1e-9),
            f"With n = {n}, D(α) should be {right:.3g}, got {found:.3g}." + hint(found, mistakes, atol=1e-9),
        )
    print("✓ dual value: D(α) with its constant, at arbitrary α")


@self_check
def check_certified_alpha(function):
    """
    Check an α whose duality gap is at most tol, for the logistic loss.

    Parameters
    ----------
    function : callable
        Called as ``function(G, y, lam, tol)`` with y of ±1; gives α.
    """
    rng = np.random.default_rng(0)
    for n, p in ((15, 1), (40, 3)):
        X, y = rng.normal(size=(n, p)), rng.choice([-1.0, 1.0], size=n)
        problem = Duality(Gaussian(0.5)(X), y, lam=LAM, loss=Logistic())
        for tol in (1e-2, 1e-5):
            alpha = function(problem.G, y, LAM, tol)
            expect_numbers("α", alpha, (n,))
            gap = problem.gap(alpha)
            s = n * LAM * y * np.asarray(alpha)
            expect(
                np.isfinite(gap),
                f"Each nλyᵢαᵢ should be in [0, 1], got {s[np.abs(s - 0.5).argmax()]:.3g}. Hint: α = −∇g(u)/λ "
                "is in the domain whatever u is.",
            )
            expect(
                gap <= tol,
                f"With n = {n} the gap should be at most {tol:g}, got {gap:.2g}. Hint: measure P(α) − D(α), "
                "and stop when it says so.",
            )
    print("✓ gap: α is in the domain of (D), and its gap is at most tol")


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
    for n, p in ((30, 4), (4, 30), (12, 12)):
        Phi, y = rng.normal(size=(n, p)), rng.normal(size=n)
        w = function(Phi, y, LAM)
        right = primal_ridge(Phi, y, lam=LAM)
        if n < p and np.shape(w) == (n,):
            raise AssertionError(f"w should have shape ({p},), got ({n},). Hint: α is not yet w = Φᵀα.")
        expect_numbers("w", w, (p,))
        mistakes = {
            "the shift is nλ, not λ": primal_ridge(Phi, y, lam=LAM / n),
            "the shift is nλ, not pλ": primal_ridge(Phi, y, lam=LAM * p / n),
            "there is no ridge": np.linalg.pinv(Phi) @ y,
        }
        expect(
            np.allclose(w, right, rtol=0, atol=1e-8),
            f"With n = {n} and p = {p}, w is wrong by up to {np.abs(w - right).max():.2g}."
            + hint(w, mistakes, atol=1e-8),
        )
    for n, p in ((3, 1500), (1500, 3)):
        Phi, y = rng.normal(size=(n, p)), rng.normal(size=n)
        tracemalloc.start()
        function(Phi, y, LAM)
        peak = tracemalloc.get_traced_memory()[1]
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
    for n, p in ((12, 1), (25, 5)):
        X, y = rng.normal(size=(n, p)), rng.normal(size=n)
        G = Gaussian(0.5)(X)
        alpha = dual_ridge(G, y, lam=LAM)
        right = _refits(G, y, n * LAM)
        leverage = np.diag(np.linalg.solve(G + LAM * np.eye(n), G))
        mistakes = {
            "these are the refits that keep λ, not nλ": _refits(G, y, (n - 1) * LAM),
            "these are the residuals on the data": y - G @ alpha,
            "this is f₋ᵢ(xᵢ), not the residual": y - right,
            "these are f₋ᵢ(xᵢ) − yᵢ": -right,
            "these are squares": right**2,
            "the shift is nλ, not λ": (y - G @ dual_ridge(G, y, lam=LAM / n)) / (1 - leverage),
            "αᵢ is divided by the entry of (G + nλI)⁻¹, not multiplied": right
            * np.diag(np.linalg.inv(G + n * LAM * np.eye(n))) ** 2,
            "the diagonal is that of the inverse, not of G + nλI": alpha / np.diag(G + n * LAM * np.eye(n)),
        }
        found = function(G, y, LAM)
        expect_numbers("The residuals", found, (n,))
        worst = np.abs(np.asarray(found) - right).argmax()
        expect(
            np.allclose(found, right, rtol=0, atol=1e-8),
            f"With n = {n}, the residual {worst} should be {right[worst]:.3g}, got {found[worst]:.3g}."
            + hint(found, mistakes, atol=1e-8),
        )
    print("✓ leave-one-out: the residuals of n refits that keep nλ")


@self_check
def check_weighted_ridge(function):
    """
    Check the α of (D) for the weighted squared loss (1/2n) Σ aᵢ(yᵢ − uᵢ)², on singular Gram matrices too.

    Parameters
    ----------
    function : callable
        Called as ``function(G, y, a, lam)`` with weights a > 0; gives α.
    """
    rng = np.random.default_rng(0)
    for kernel, p in ((Gaussian(0.5), 3), (Linear(), 2)):
        n = 15
        X, y, a = rng.normal(size=(n, p)), rng.normal(size=n), rng.uniform(0.2, 3, n)
        G = kernel(X)
        right = np.linalg.solve(G + n * LAM * np.diag(1 / a), y)
        mistakes = {
            "the weights are ignored": dual_ridge(G, y, lam=LAM),
            "the weights stand where their inverses belong": np.linalg.solve(G + n * LAM * np.diag(a), y),
            "the weights are square roots": np.linalg.solve(G + n * LAM * np.diag(a**-0.5), y),
            "the shift is nλ/aᵢ, not λ/aᵢ": np.linalg.solve(G + LAM * np.diag(1 / a), y),
        }
        found = function(G, y, a, LAM)
        expect_numbers("α", found, (n,))
        same = np.allclose(G @ found, G @ right, rtol=0, atol=1e-8)
        suspicion = hint(found, mistakes, atol=1e-8) or (
            " Hint: it predicts the same, so it solves (P), but not (D)." if same else ""
        )
        expect(
            np.allclose(found, right, rtol=0, atol=1e-8),
            f"With p = {p}, α is wrong by up to {np.abs(found - right).max():.2g}." + suspicion,
        )
    print("✓ weights: α solves (D), singular G or not")


def _refits(G, y, shift):
    """The residual at each observation of the ridge fit to the others, with this shift."""
    residuals = np.empty(len(y))
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        alpha = np.linalg.solve(G[np.ix_(rest, rest)] + shift * np.eye(len(y) - 1), y[rest])
        residuals[i] = y[i] - G[i, rest] @ alpha
    return residuals
