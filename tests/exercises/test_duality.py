"""The self-checks on duality let right answers pass and tell each usual wrong one what is wrong with it."""

import numpy as np
import pytest

from kernlib.duality import Duality, Logistic, Squared
from kernlib.exercises import duality
from kernlib.ridge import dual_ridge, primal_ridge, ridge_path


def hinge(y, v):
    s = -y * v
    return np.where((s >= 0) & (s <= 1), y * v, np.inf)


def dual_value(G, y, alpha, lam):
    n = len(y)
    return (y @ y - np.sum((y - n * lam * alpha) ** 2)) / (2 * n) - lam / 2 * alpha @ G @ alpha


def primal_value(G, y, alpha, lam):
    return Duality(G, y, lam=lam, loss=Squared()).primal(alpha)


def descend(G, y, lam, tol):
    """Gradient steps on the weights of a factor of G, with the gap as the judge."""
    problem = Duality(G, y, lam=lam, loss=Logistic())
    step, u = 1 / (lam + np.linalg.norm(G, 2) / (4 * len(y))), np.zeros(len(y))
    beta = np.zeros(len(y))
    for _ in range(20_000):
        alpha = -problem.loss.gradient(y, u) / lam
        if problem.gap(alpha) <= tol:
            return alpha
        beta = beta + step * lam * (alpha - beta)
        u = G @ beta
    raise AssertionError


def ridge(Phi, y, lam):
    n, p = Phi.shape
    if n < p:
        return Phi.T @ np.linalg.solve(Phi @ Phi.T + n * lam * np.eye(n), y)
    return np.linalg.solve(Phi.T @ Phi + n * lam * np.eye(p), Phi.T @ y)


def leave_one_out(G, y, lam):
    inverse = np.linalg.inv(G + len(y) * lam * np.eye(len(y)))
    return inverse @ y / np.diag(inverse)


def refits_with_lam(G, y, lam):
    n = len(y)
    inverse = np.linalg.inv(G + (n - 1) * lam * np.eye(n))
    return inverse @ y / np.diag(inverse)


def weighted(G, y, a, lam, power=-1.0, shift=None):
    n = len(y)
    return np.linalg.solve(G + (n * lam if shift is None else shift) * np.diag(a**power), y)


def in_kernel(G):
    """A vector that G sends to zero, where there is one."""
    eigenvalues, U = np.linalg.eigh(G)
    return U[:, 0] * (abs(eigenvalues[0]) < 1e-10)


RIGHT = {
    "hinge": lambda: duality.check_hinge_conjugate(hinge),
    "hinge as a list": lambda: duality.check_hinge_conjugate(lambda y, v: list(hinge(y, v))),
    "dual value": lambda: duality.check_dual_value(dual_value),
    "kernlib's dual value": lambda: duality.check_dual_value(
        lambda G, y, alpha, lam: Duality(G, y, lam=lam, loss=Squared()).dual(alpha)
    ),
    "descent to the gap": lambda: duality.check_certified_alpha(descend),
    "ridge": lambda: duality.check_ridge(ridge),
    "leave-one-out": lambda: duality.check_leave_one_out(leave_one_out),
    "kernlib's leave-one-out": lambda: duality.check_leave_one_out(
        lambda G, y, lam: ridge_path(G, y, lams=[lam]).loo_residuals[0]
    ),
    "weights": lambda: duality.check_weighted_ridge(weighted),
    "weights by the primal": lambda: duality.check_weighted_ridge(
        lambda G, y, a, lam: (
            np.sqrt(a) * dual_ridge(np.sqrt(a)[:, None] * G * np.sqrt(a), np.sqrt(a) * y, lam=lam)
        )
    ),
}


@pytest.mark.parametrize("case", RIGHT)
def test_a_right_answer_passes_with_one_line(case, capsys):
    RIGHT[case]()
    printed = capsys.readouterr().out
    assert printed.startswith("✓ ") and printed.count("\n") == 1


def conjugate(function):
    return lambda: duality.check_hinge_conjugate(function)


def value(function):
    return lambda: duality.check_dual_value(function)


def gap(function):
    return lambda: duality.check_certified_alpha(function)


def weights(function):
    return lambda: duality.check_ridge(function)


def loo(function):
    return lambda: duality.check_leave_one_out(function)


def weighting(function):
    return lambda: duality.check_weighted_ridge(function)


WRONG = {
    "hinge, −yv": (
        conjugate(lambda y, v: np.where(np.isinf(hinge(y, v)), np.inf, -y * v)),
        "sign of yv is lost",
    ),
    "hinge, the other domain": (
        conjugate(lambda y, v: np.where((y * v >= 0) & (y * v <= 1), y * v, np.inf)),
        "should be finite where −yv is in",
    ),
    "hinge, no domain": (conjugate(lambda y, v: y * v), "uv − ℓ grows without end"),
    "hinge, −∞ outside": (
        conjugate(lambda y, v: np.where(np.isinf(hinge(y, v)), -np.inf, y * v)),
        "should be",
    ),
    "hinge, zero": (
        conjugate(lambda y, v: np.where(np.isinf(hinge(y, v)), np.inf, 0)),
        "supremum of −ℓ alone",
    ),
    "hinge, logistic": (
        conjugate(lambda y, v: np.where(np.isinf(hinge(y, v)), np.inf, Logistic().conjugate_each(y, v))),
        "conjugate of the logistic loss",
    ),
    "hinge, NaN": (conjugate(lambda y, v: hinge(y, v) * np.nan), "got NaN"),
    "hinge, a mean": (conjugate(lambda y, v: np.mean(hinge(y, v))), r"shape \(26,\), got \(\)"),
    "constant dropped": (
        value(lambda G, y, alpha, lam: dual_value(G, y, alpha, lam) - y @ y / (2 * len(y))),
        "constant .* is missing, so D will not meet P",
    ),
    "primal value": (value(primal_value), "primal value"),
    "wrong sign": (value(lambda *given: -dual_value(*given)), "to be maximised"),
    "plus": (
        value(lambda G, y, alpha, lam: dual_value(G, y, alpha, lam) + lam * alpha @ G @ alpha),
        "enters with a minus",
    ),
    "half lost": (
        value(lambda G, y, alpha, lam: dual_value(G, y, alpha, lam) - lam / 2 * alpha @ G @ alpha),
        "lacks its ½",
    ),
    "n lost": (
        value(
            lambda G, y, alpha, lam: (
                (y @ y - np.sum((y - lam * alpha) ** 2)) / (2 * len(y)) - lam / 2 * alpha @ G @ alpha
            )
        ),
        "the slopes are nλα, not λα",
    ),
    "mean lost": (
        value(
            lambda G, y, alpha, lam: (
                (y @ y - np.sum((y - len(y) * lam * alpha) ** 2)) / 2 - lam / 2 * alpha @ G @ alpha
            )
        ),
        "mean over the n observations",
    ),
    "a vector": (value(lambda G, y, alpha, lam: alpha), r"shape \(\), got \(7,\)"),
    "outside the domain": (
        gap(lambda G, y, lam, tol: -descend(G, y, lam, tol)),
        r"should be in \[0, 1\], got",
    ),
    "too early": (gap(lambda G, y, lam, tol: y / (2 * len(y) * lam)), "the gap should be at most .*, got"),
    "tol read loosely": (gap(lambda G, y, lam, tol: descend(G, y, lam, 10 * tol)), "stop when it says so"),
    "α for w": (
        weights(
            lambda Phi, y, lam: dual_ridge(Phi @ Phi.T, y, lam=lam) if len(y) == 4 else ridge(Phi, y, lam)
        ),
        "α is not yet w",
    ),
    "λ for nλ": (weights(lambda Phi, y, lam: ridge(Phi, y, lam / len(y))), "shift is nλ, not λ"),
    "pλ for nλ": (
        weights(lambda Phi, y, lam: ridge(Phi, y, lam * Phi.shape[1] / len(y))),
        "shift is nλ, not pλ",
    ),
    "no ridge": (weights(lambda Phi, y, lam: np.linalg.pinv(Phi) @ y), "there is no ridge"),
    "always p×p": (weights(lambda Phi, y, lam: primal_ridge(Phi, y, lam=lam)), "n = 3 and p = 1500, no 1500"),
    "always n×n": (
        weights(lambda Phi, y, lam: Phi.T @ dual_ridge(Phi @ Phi.T, y, lam=lam)),
        "n = 1500 and p = 3, no 1500",
    ),
    "λ kept": (loo(refits_with_lam), "keep λ, not nλ"),
    "training residuals": (loo(lambda G, y, lam: y - G @ dual_ridge(G, y, lam=lam)), "residuals on the data"),
    "predictions": (loo(lambda G, y, lam: y - leave_one_out(G, y, lam)), "not the residual"),
    "the other sign": (loo(lambda G, y, lam: -leave_one_out(G, y, lam)), "these are f₋ᵢ"),
    "squares": (loo(lambda G, y, lam: leave_one_out(G, y, lam) ** 2), "these are squares"),
    "λ in the shift": (loo(lambda G, y, lam: leave_one_out(G, y, lam / len(y))), "shift is nλ, not λ"),
    "multiplied": (
        loo(
            lambda G, y, lam: (
                dual_ridge(G, y, lam=lam) * np.diag(np.linalg.inv(G + len(y) * lam * np.eye(len(y))))
            )
        ),
        "not multiplied",
    ),
    "diagonal of G + nλI": (
        loo(lambda G, y, lam: dual_ridge(G, y, lam=lam) / (np.diag(G) + len(y) * lam)),
        "that of the inverse",
    ),
    "a mean square": (loo(lambda G, y, lam: np.mean(leave_one_out(G, y, lam) ** 2)), r"got \(\)"),
    "weights ignored": (weighting(lambda G, y, a, lam: dual_ridge(G, y, lam=lam)), "weights are ignored"),
    "weights upside down": (
        weighting(lambda G, y, a, lam: weighted(G, y, a, lam, 1.0)),
        "where their inverses belong",
    ),
    "roots of weights": (weighting(lambda G, y, a, lam: weighted(G, y, a, lam, -0.5)), "square roots"),
    "λ/a": (weighting(lambda G, y, a, lam: weighted(G, y, a, lam, shift=lam)), "the shift is nλ/aᵢ"),
    "a solution of (P) alone": (
        weighting(lambda G, y, a, lam: weighted(G, y, a, lam) + in_kernel(G)),
        r"solves \(P\), but not \(D\)",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_answer_gets_the_sentence_that_fits(case, capsys):
    call, sentence = WRONG[case]
    with pytest.raises(AssertionError, match=sentence) as caught:
        call()
    assert "\n" not in str(caught.value) and capsys.readouterr().out == ""


def test_the_hinge_conjugate_is_the_supremum_over_a_fine_grid():
    u = np.linspace(-50, 50, 4001)
    for y in (-1.0, 1.0):
        for s in (0.0, 0.3, 1.0):
            brute = np.max(u * (-y * s) - np.maximum(0, 1 - y * u))
            assert hinge(np.array([y]), np.array([-y * s]))[0] == pytest.approx(
                brute, abs=1e-12
            )  # the corner is on the grid
