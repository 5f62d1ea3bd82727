"""Answers to the exercises on the representer theorem and duality."""

import numpy as np

from kernlib.duality import Duality, Logistic, Squared
from kernlib.ridge import dual_ridge, primal_ridge, ridge_path


def hinge(y, v):
    s = -y * v
    return np.where((s >= 0) & (s <= 1), y * v, np.inf)


def descend(G, y, lam, tol, steps=None):
    """Step on the coefficients until the gap is small, or a fixed number of times."""
    problem = Duality(G, y, lam=lam, loss=Logistic())
    step, beta = lam / (lam + np.linalg.norm(G, 2) / (4 * len(y))), np.zeros(len(y))
    for taken in range(20_000):
        alpha = -problem.loss.gradient(y, G @ beta) / lam
        if taken == steps or (steps is None and problem.gap(alpha) <= tol):
            break
        beta = beta + step * (alpha - beta)
    return alpha


def weighted(G, y, a, lam, dtype=float):
    A = (G + len(y) * lam * np.diag(1 / a)).astype(dtype)
    return np.linalg.solve(A, y.astype(dtype))


def in_kernel(G):
    """Give a vector that G sends to zero, if there is one."""
    eigenvalues, U = np.linalg.eigh(G)
    return U[:, 0] * (abs(eigenvalues[0]) < 1e-10)


def weighted_by_scaling(G, y, a, lam):
    root = np.sqrt(a)
    return root * dual_ridge(root[:, None] * G * root, root * y, lam=lam)


RIGHT = {
    "check_hinge_conjugate": [lambda y, v: list(hinge(y, v))],
    "check_dual_value": [lambda G, y, alpha, lam: Duality(G, y, lam=lam, loss=Squared()).dual(alpha)],
    "check_leave_one_out": [lambda G, y, lam: ridge_path(G, y, lams=[lam]).loo_residuals[0]],
    "check_weighted_ridge": [weighted_by_scaling, lambda *case: weighted(*case, np.float32)],
    "check_best_lam": [1e-3],
    "check_undamped": [1e-3, 0.01],
}

WRONG = {
    "check_hinge_conjugate": {
        r"should be \[inf, inf\], got \[nan, nan\]\.$": lambda y, v: hinge(y, v) * np.nan
    },
    "check_certified_alpha": {
        r"should be in \[0, 1\], got": lambda *given: -descend(*given),
        "the gap should be at most 0.01, got 2": lambda G, y, lam, tol: y / (2 * len(y) * lam),
        "at most 0.01, got 0.": lambda G, y, lam, tol: descend(G, y, lam, 10 * tol),
        r"same α\. Hint: is tol used\?": lambda *given: descend(*given, steps=19_999),
    },
    "check_ridge": {
        "n = 3 and p = 600, no 600": lambda Phi, y, lam: primal_ridge(Phi, y, lam=lam),
        "n = 600 and p = 3, no 600": lambda Phi, y, lam: Phi.T @ dual_ridge(Phi @ Phi.T, y, lam=lam),
    },
    "check_weighted_ridge": {
        r"of many α, one solves \(D\)": lambda G, y, a, lam: weighted(G, y, a, lam) + in_kernel(G)
    },
    "check_undamped": {"a full step is too long": 0.1, "at least 1e-06": 0},
}
