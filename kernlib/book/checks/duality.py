"""Self-checks of the exercises on the representer theorem and duality.

Chapter: Representer theorem and duality.
"""

from functools import partial

import numpy as np

from kernlib.book.checks import expect, expect_numbers, expect_real, expect_right, hint, self_check
from kernlib.book.checks._letters import labels, letters
from kernlib.book.checks._ridge import check_best_lam, check_leave_one_out, check_ridge
from kernlib.duality import Duality, Logistic, Squared
from kernlib.kernels import Gaussian, Linear
from kernlib.ridge import dual_ridge

__all__ = [
    "check_best_lam",
    "check_certified_alpha",
    "check_dual_value",
    "check_hinge_conjugate",
    "check_leave_one_out",
    "check_ridge",
    "check_undamped",
    "check_weighted_ridge",
    "labels",
    "letters",
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
        found = expect_real("ℓ*", function(y, v)).astype(np.float64)
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
        "this is the conjugate of the logistic loss": Logistic().pointwise_conjugate(
            y, np.where(inside, v, 0)
        ),
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
    cases = [(np.array([[2.0]]), np.array([3.0]), np.array([1.0]), 0.5)]
    for n, p in ((2, 1), (7, 2), (30, 1)):
        X, y, alpha = rng.normal(size=(n, p)), rng.normal(size=n), rng.normal(size=n)
        cases.append((Gaussian(0.5)(X), y, alpha, LAM))

    def value(G, y, alpha, lam, *, slopes=None, constant=1, quadratic=0.5, mean=True):
        n = len(y)
        slack = y - (n * lam if slopes is None else slopes(lam)) * alpha
        terms = constant * y @ y - slack @ slack
        return terms / (2 * n if mean else 2) - quadratic * lam * alpha @ G @ alpha

    def right(G, y, alpha, lam):
        return value(G, y, alpha, lam)

    mistakes = {
        "the constant ‖y‖²/(2n) is missing, so D will not meet P": partial(value, constant=0),
        "this is the primal value P(α)": lambda G, y, alpha, lam: Duality(
            G, y, lam=lam, loss=Squared()
        ).primal(alpha),
        "the quadratic term enters with a minus": partial(value, quadratic=-0.5),
        "the quadratic term is missing": partial(value, quadratic=0),
        "the slopes are nλα, not λα": partial(value, slopes=lambda lam: lam),
        "the slopes are nλα, not α": partial(value, slopes=lambda lam: 1),
        "the term (λ/2)αᵀGα lacks its ½": partial(value, quadratic=1),
        "this is −D(α): (D) is to be maximised": lambda *case: -value(*case),
        "the mean over the n observations is missing": partial(value, mean=False),
    }
    expect_right("D(α)", function, right, cases, mistakes)
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
def check_undamped(lam):
    """
    Check a λ for which undamped steps β ← α(β) never come near the solution, on 40 letters.

    Parameters
    ----------
    lam : float
        At least 10⁻⁶.
    """
    expect_numbers("λ", lam, ())
    expect(lam >= 1e-6, f"λ should be at least 1e-06, got {lam:.3g}.")
    problem = Duality(Gaussian(1 / 16)(letters(40)), labels(40), lam=float(lam), loss=Logistic())
    beta, gaps = np.zeros(40), []
    for _ in range(300):
        beta = -problem.loss.gradient(problem.y, problem.G @ beta) / lam
        gaps.append(problem.gap(beta))
    least = min(gaps[200:])
    expect(
        least > 0.01,
        f"With λ = {float(lam):.3g} the gap should stay above 0.01, and is {least:.1e} after "
        f"{gaps.index(least) + 1} steps. Hint: a whole step is too long where λ is small beside λ₁(G)/(4n).",
    )
    print(f"✓ without damping the gap stays above 0.01 at λ = {float(lam):.3g}")


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
