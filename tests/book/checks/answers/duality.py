"""Answers to the exercises on the representer theorem and duality."""

import numpy as np

from kernlib.duality import Duality, Logistic, Squared
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


def inside(change):
    """A conjugate of the hinge loss with other values in its right domain."""
    return lambda y, v: np.where(np.isinf(hinge(y, v)), np.inf, change(y, v))


def dual_by_loss(G, y, alpha, lam):
    return Duality(G, y, lam=lam, loss=Squared()).dual(alpha)


def weighted_by_scaling(G, y, a, lam):
    root = np.sqrt(a)
    return root * dual_ridge(root[:, None] * G * root, root * y, lam=lam)


RIGHT = {
    "check_hinge_conjugate": [hinge, lambda y, v: list(hinge(y, v))],
    "check_dual_value": [dual_value, dual_by_loss],
    "check_certified_alpha": [descend],
    "check_ridge": [ridge],
    "check_leave_one_out": [
        leave_one_out,
        lambda G, y, lam: ridge_path(G, y, lams=[lam]).loo_residuals[0],
    ],
    "check_weighted_ridge": [weighted, weighted_by_scaling],
    "check_best_lam": [1e-3],
    "check_undamped": [1e-3, 0.01],
}

WRONG = {
    "check_hinge_conjugate": {
        "sign of yv is lost": inside(lambda y, v: -y * v),
        "should be finite where −yv is in": lambda y, v: np.where((y * v >= 0) & (y * v <= 1), y * v, np.inf),
        "uv − ℓ grows without end": lambda y, v: y * v,
        "supremum of −ℓ alone": inside(lambda y, v: 0),
        "conjugate of the logistic loss": inside(Logistic().pointwise_conjugate),
        "got NaN": lambda y, v: hinge(y, v) * np.nan,
        r"shape \(26,\), got \(\)": lambda y, v: np.mean(hinge(y, v)),
    },
    "check_dual_value": {
        "constant .* is missing, so D will not meet P": lambda G, y, alpha, lam: (
            dual_value(G, y, alpha, lam) - y @ y / (2 * len(y))
        ),
        "primal value": primal_value,
        "to be maximised": lambda *given: -dual_value(*given),
        "enters with a minus": lambda G, y, alpha, lam: (
            dual_value(G, y, alpha, lam) + lam * alpha @ G @ alpha
        ),
        "lacks its ½": lambda G, y, alpha, lam: dual_value(G, y, alpha, lam) - lam / 2 * alpha @ G @ alpha,
        "the slopes are nλα, not λα": lambda G, y, alpha, lam: (
            (y @ y - np.sum((y - lam * alpha) ** 2)) / (2 * len(y)) - lam / 2 * alpha @ G @ alpha
        ),
        "mean over the n observations": lambda G, y, alpha, lam: (
            (y @ y - np.sum((y - len(y) * lam * alpha) ** 2)) / 2 - lam / 2 * alpha @ G @ alpha
        ),
        r"shape \(\), got \(1,\)": lambda G, y, alpha, lam: alpha,
    },
    "check_certified_alpha": {
        r"should be in \[0, 1\], got": lambda *given: -descend(*given),
        "the gap should be at most 0.01, got 2": lambda G, y, lam, tol: y / (2 * len(y) * lam),
        "at most 0.01, got 0.": lambda G, y, lam, tol: descend(G, y, lam, 10 * tol),
    },
    "check_ridge": {
        "α is not yet w": lambda Phi, y, lam: (
            dual_ridge(Phi @ Phi.T, y, lam=lam) if len(y) < Phi.shape[1] else ridge(Phi, y, lam)
        ),
        "shift is nλ, not λ": lambda Phi, y, lam: ridge(Phi, y, lam / len(y)),
        "shift is nλ, not pλ": lambda Phi, y, lam: ridge(Phi, y, lam * Phi.shape[1] / len(y)),
        "there is no ridge": lambda Phi, y, lam: np.linalg.pinv(Phi) @ y,
        "n = 3 and p = 600, no 600": lambda Phi, y, lam: primal_ridge(Phi, y, lam=lam),
        "n = 600 and p = 3, no 600": lambda Phi, y, lam: Phi.T @ dual_ridge(Phi @ Phi.T, y, lam=lam),
    },
    "check_leave_one_out": {
        "keep λ, not nλ": refits_with_lam,
        "residuals on the data": lambda G, y, lam: y - G @ dual_ridge(G, y, lam=lam),
        "not the residual": lambda G, y, lam: y - leave_one_out(G, y, lam),
        "these are f₋ᵢ": lambda *given: -leave_one_out(*given),
        "these are squares": lambda *given: leave_one_out(*given) ** 2,
        "shift is nλ, not λ": lambda G, y, lam: leave_one_out(G, y, lam / len(y)),
        "not multiplied": lambda G, y, lam: (
            dual_ridge(G, y, lam=lam) * np.diag(np.linalg.inv(G + len(y) * lam * np.eye(len(y))))
        ),
        "that of the inverse": lambda G, y, lam: dual_ridge(G, y, lam=lam) / (np.diag(G) + len(y) * lam),
        r"shape \(2,\), got \(\)": lambda *given: np.mean(leave_one_out(*given) ** 2),
    },
    "check_weighted_ridge": {
        "weights are ignored": lambda G, y, a, lam: dual_ridge(G, y, lam=lam),
        "where their inverses belong": lambda *given: weighted(*given, power=1.0),
        "square roots": lambda *given: weighted(*given, power=-0.5),
        "the shift is nλ/aᵢ": lambda G, y, a, lam: weighted(G, y, a, lam, shift=lam),
        r"solves \(P\), but not \(D\)": lambda G, y, a, lam: weighted(G, y, a, lam) + in_kernel(G),
    },
    "check_best_lam": {"always that of the least λ": 1e-8, r"got 0\.1\.$": 0.1},
    "check_undamped": {"a whole step is too long": 0.1, "at least 1e-06": 0},
}
