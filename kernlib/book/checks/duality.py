"""Self-checks of the exercises on the representer theorem and duality.

Chapter: Representer theorem and duality.
"""

import tracemalloc

import numpy as np

from kernlib.book.checks import labels, letters
from kernlib.book.checks._check import function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_numbers
from kernlib.book.checks._refits import CENTERED, TWICE, by_formula, residuals_of_refits
from kernlib.duality import Duality, Logistic, Squared
from kernlib.kernels import Gaussian, Linear
from kernlib.ridge import dual_ridge, primal_ridge, ridge_path

LAM = 0.03
rng = np.random.default_rng(0)
CONJUGATE_AT = np.repeat([-1.0, 1.0], 13), np.tile(np.linspace(-1.5, 1.5, 13), 2)


@function_check(
    "hinge: ℓ* = yv where −yv is in [0, 1], infinite elsewhere",
    "ℓ*(y, v)",
    [*zip(*(np.split(part, 13) for part in CONJUGATE_AT), strict=True), CONJUGATE_AT],
    {
        "the sign of yv is lost": {"value": lambda y, v: -y * v},
        "this is the supremum of −ℓ alone, without uv": {"value": lambda y, v: 0},
        "this is the conjugate of the logistic loss": Logistic().pointwise_conjugate,
        "ℓ* is finite where −yv is in [0, 1], not where yv is": {"sign": 1},
        "−yv should be in [0, 1], not −v": (
            lambda y, v: np.where((v >= -1) & (v <= 0), y * v, np.inf),
            lambda y, v: np.where((v >= -1) & (v <= 0), v, np.inf),
        ),
        "ℓ* is finite at the ends, too: the interval is closed": (
            lambda y, v: np.where((-y * v > 0) & (-y * v < 1), y * v, np.inf),
            lambda y, v: np.where((-y * v > 0) & (-y * v <= 1), y * v, np.inf),
            lambda y, v: np.where((-y * v >= 0) & (-y * v < 1), y * v, np.inf),
        ),
        "where −yv is outside [0, 1], uv − ℓ is unbounded": ({"outside": 0}, lambda y, v: y * v),
    },
)
def check_hinge_conjugate(y, v, *, value=np.multiply, sign=-1, outside=np.inf):
    """Check ℓ*(y, v) = sup_u uv − ℓ(y, u) of the hinge loss ℓ(y, u) = max(0, 1 − yu), and its domain."""
    s = sign * y * v
    return np.where((s >= 0) & (s <= 1), value(y, v), outside)


def primal_value(G, y, alpha, lam):
    """Compute P(α) for the squared loss."""
    return Duality(G, y, lam=lam, loss=Squared()).primal(alpha)


@function_check(
    "dual value: D(α) with its constant, at arbitrary α",
    "D(α)",
    [(np.array([[2.0]]), np.array([3.0]), np.array([1.0]), 0.5)]
    + [(Gaussian(0.5)(rng.normal(size=(n, 2))), *rng.normal(size=(2, n)), LAM) for n in (2, 7, 30)],
    {
        "the constant ‖y‖²/(2n) is missing, so D will not meet P": {"constant": 0},
        "this is the primal value P(α)": primal_value,
        "the quadratic term has a minus sign": {"quadratic": -0.5},
        "the quadratic term is missing": {"quadratic": 0},
        "the slopes are nλα, not λα": {"slope": 1},
        "the slopes are nλα, not α": lambda G, y, a, lam: check_dual_value.right(G, y, a, lam, slope=1 / lam),
        "the term (λ/2)αᵀGα lacks its ½": {"quadratic": 1},
        "this is −D(α): (D) is a maximization": lambda *case: -check_dual_value.right(*case),
        "take the mean over the n observations, not the sum": {"divisor": 2},
    },
)
def check_dual_value(G, y, alpha, lam, *, slope=None, constant=1, quadratic=0.5, divisor=None):
    """Check D(α) for the squared loss, with its constant."""
    slack = y - lam * (slope or len(y)) * alpha
    return (constant * y @ y - slack @ slack) / (divisor or 2 * len(y)) - quadratic * lam * alpha @ G @ alpha


@self_check("gap: α is in the domain of (D), and its gap is at most tol")
def check_certified_alpha(function):
    """Check an α whose duality gap is at most tol, for the logistic loss, and that tol ends the steps."""
    rng = np.random.default_rng(0)
    for n, p in ((15, 1), (40, 3)):
        X, y = rng.normal(size=(n, p)), rng.choice([-1.0, 1.0], size=n)
        problem, alphas = Duality(Gaussian(0.5)(X), y, lam=LAM, loss=Logistic()), []
        for tol in (1e-2, 1e-5, 1e-8):
            alphas.append(expect_numbers("α", function(problem.G, y, LAM, tol), (n,)))
            gap, s = problem.gap(alphas[-1]), n * LAM * y * alphas[-1]
            sentence = f"Each nλyᵢαᵢ should be in [0, 1], got {s[np.abs(s - 0.5).argmax()]:.3g}."
            expect(np.isfinite(gap), sentence, "α = −∇g(u)/λ is in the domain whatever u is")
            sentence = f"With n = {n} the gap should be at most {tol:g}, got {gap:.2g}."
            expect(gap <= tol, sentence, "compute P(α) − D(α), and stop when it is at most tol")
        expect(
            not np.array_equal(alphas[0], alphas[-1]),
            f"With n = {n} the steps should stop when the gap is at most tol, but tol = 0.01 and tol = 1e-08 "
            "give the same α.",
            "is tol used?",
        )


@self_check("without damping the gap stays above 0.01 at λ = {:.3g}")
def check_undamped(lam):
    """Check a λ ≥ 10⁻⁶ for which undamped steps β ← α(β) never come near the solution, on 40 letters."""
    expect_numbers("λ", lam, ())
    lam = float(lam)
    expect(lam >= 1e-6, f"λ should be at least 1e-06, got {lam:.3g}.")
    problem = Duality(Gaussian(1 / 16)(letters(40)), labels(40), lam=lam, loss=Logistic())
    beta, gaps = np.zeros(40), []
    for _ in range(300):
        beta = -problem.loss.gradient(problem.y, problem.G @ beta) / lam
        gaps.append(problem.gap(beta))
    least, step = min(zip(gaps[200:], range(201, 301), strict=True))
    sentence = f"With λ = {lam:.3g} the gap should stay above 0.01, and is {least:.1e} after {step} steps."
    expect(least > 0.01, sentence, "a full step is too long if λ is small compared with λ₁(G)/(4n)")
    return (lam,)


def draw_weighted(kernel, p):
    """Draw a problem of 15 observations with weights."""
    return kernel(rng.normal(size=(15, p))), rng.normal(size=15), rng.uniform(0.2, 3, 15), LAM


@function_check(
    "weights: α solves (D), singular G or not",
    "α",
    [draw_weighted(Gaussian(0.5), 3)],
    {
        "the weights are ignored": {"power": 0},
        "use the inverses of the weights": {"power": 1},
        "use the weights, not their square roots": {"power": -0.5},
        "the shift is nλ/aᵢ, not λ/aᵢ": {"shift": 1},
        "n is the number of rows, not the sum of the weights": lambda G, y, a, lam: np.linalg.solve(
            G + a.sum() * lam * np.diag(1 / a), y
        ),
        "this solves the problem of √a Φ and √a y: multiply by √a": lambda G, y, a, lam: (
            check_weighted_ridge.right(G, y, a, lam) / np.sqrt(a)
        ),
        TWICE: {"shift": 30},
        CENTERED: {"center": 1},
    },
    again={"cases": [draw_weighted(Linear(), 2)], "otherwise": "G is singular: of many α, one solves (D)"},
)
def check_weighted_ridge(G, y, a, lam, *, power=-1, shift=15, center=0):
    """Check the α of (D) for the weighted squared loss (1/2n) Σ aᵢ(yᵢ − uᵢ)², also for a singular G."""
    return np.linalg.solve(G + shift * lam * np.diag(a**power), y - center * y.mean())


def dual_coefficients(Phi, y, lam):
    """Compute the α with w = Φᵀα."""
    return dual_ridge(Phi @ Phi.T, y, lam=lam)


def stays_small(function):
    """Expect that the larger of ΦᵀΦ and ΦΦᵀ is never formed."""
    for n, p in ((3, 600), (600, 3)):
        Phi, y = np.random.default_rng(0).normal(size=(n, p)), np.arange(float(n))
        tracemalloc.start()
        try:
            function(Phi, y, LAM)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        square = f"{max(n, p)}×{max(n, p)}"
        sentence = f"With n = {n} and p = {p}, no {square} matrix is needed, but one was formed."
        expect(peak < 8 * max(n, p) ** 2 / 2, sentence, "compare n and p")


@function_check(
    "ridge: one w by both routes, and never the larger matrix",
    "w",
    [(np.array([[1.0], [2.0]]), np.array([1.0, 1.0]), 0.5), (np.array([[1.0, 2.0]]), np.array([3.0]), 0.5)]
    + [(rng.normal(size=(n, p)), rng.normal(size=n), LAM) for n, p in ((30, 4), (4, 30), (12, 12))],
    {
        "the shift is nλ, not λ": {"shift": lambda n, p: 1},
        TWICE: {"shift": lambda n, p: 2 * n},
        "the shift is nλ, not pλ": {"shift": lambda n, p: p},
        "the shift is nλ by both routes, not min(n, p)λ": {"shift": min},
        CENTERED: {"center": 1},
        "the shift nλ is missing": lambda Phi, y, lam: np.linalg.pinv(Phi) @ y,
        "this is α; w is Φᵀα": (dual_coefficients, {"wide": dual_coefficients}),
        "these are the fitted values Φw": lambda Phi, y, lam: Phi @ check_ridge.right(Phi, y, lam),
    },
    stays_small,
)
def check_ridge(Phi, y, lam, *, shift=lambda n, p: n, center=0, wide=None):
    """Check w = (ΦᵀΦ + nλI)⁻¹Φᵀy, by n×n if n < p and by p×p otherwise."""
    if wide and len(y) < Phi.shape[1]:
        return wide(Phi, y, lam)
    return primal_ridge(Phi, y - center * y.mean(), lam=lam * shift(*Phi.shape) / len(y))


def pair_halves(G, y, lam):
    """Pair row i with row i + n/2."""
    order = np.arange(len(y)).reshape(2, -1).T.ravel()
    residuals = np.empty(len(y))
    residuals[order] = residuals_of_refits(G[np.ix_(order, order)], y[order], lam, size=2)
    return residuals


def pair_products(G, y, lam):
    """Multiply by the 2×2 blocks of the inverse, where a system should be solved."""
    inverse = np.linalg.inv(G + len(y) * lam * np.eye(len(y)))
    pairs = np.arange(len(y)).reshape(-1, 2)
    return np.concatenate([inverse[np.ix_(i, i)] @ inverse[i] @ y for i in pairs])


@function_check(
    "leave pairs out: the residuals of n/2 refits that keep nλ",
    "the residuals",
    [
        (Gaussian(0.5)(rng.normal(size=(n, p))), rng.normal(size=n), LAM)
        for n, p in ((4, 1), (12, 1), (24, 5))
    ],
    {
        "leave out both rows of a pair, not one": {"size": 1},
        "the rows 0 and 1 are a pair, not 0 and n/2": pair_halves,
        "solve with the 2×2 block of the inverse, do not multiply by it": pair_products,
        "the refits keep the number nλ, not (n − 2)λ": {"shift": lambda n: n - 2},
        "these are the residuals on the data": by_formula(lambda a, v, d, shift: shift * a),
        "these are the predictions, not the residuals": lambda *case: (
            case[1] - check_leave_pairs_out.right(*case)
        ),
        "the sign is wrong: subtract the predictions from y": lambda *case: (
            -check_leave_pairs_out.right(*case)
        ),
        "these are squares": lambda *case: check_leave_pairs_out.right(*case) ** 2,
        "these are the dual coefficients α": by_formula(lambda a, v, d, shift: a),
        "the shift is nλ, not λ": {"shift": lambda n: 1},
        TWICE: {"shift": lambda n: 2 * n},
        CENTERED: {"center": 1},
    },
)
def check_leave_pairs_out(G, y, lam, *, size=2, shift=lambda n: n, center=0):
    """Check the residuals of fits without rows 2k and 2k + 1 against refits that keep the number nλ."""
    return residuals_of_refits(G, y, lam, size=size, shift=shift, center=center)


@number_check("the λ that leaving out pairs chooses for 300 letters, each twice")
def check_best_lam():
    """Check the λ of 10⁻¹, …, 10⁻⁸ with the least error of left-out pairs, each a letter and its copy."""
    grid = 10.0 ** -np.arange(1, 9)
    # with nλ kept, leaving out a letter and its copy leaves out a letter of 300
    residuals = ridge_path(Gaussian(1 / 16)(letters(300)), labels(300), lams=grid).loo_residuals
    mistakes = {"with a copy in the fit, or the row itself, the smallest λ has the least error": grid[-1]}
    return grid[np.mean(residuals**2, axis=1).argmin()], mistakes


__all__ = public_names(globals(), "labels", "letters")
