"""Answers to the exercises on the representer theorem and duality."""

import numpy as np

from kernlib.duality import Duality, Logistic, Squared
from kernlib.ridge import dual_ridge, primal_ridge


def ignore_tol(G, y, lam, tol):
    """Step on the coefficients a fixed number of times."""
    problem = Duality(G, y, lam=lam, loss=Logistic())
    step, beta = lam / (lam + np.linalg.norm(G, 2) / (4 * len(y))), np.zeros(len(y))
    for _ in range(20_000):
        alpha = -problem.loss.gradient(y, G @ beta) / lam
        beta = beta + step * (alpha - beta)
    return alpha


def another_solution(G, y, a, lam):
    """Solve the equations of the weighted problem, and add a vector that G sends to zero, if there is one."""
    eigenvalues, U = np.linalg.eigh(G)
    alpha = np.linalg.solve(G + len(y) * lam * np.diag(1 / a), y)
    return alpha + U[:, 0] * (abs(eigenvalues[0]) < 1e-10)


def leave_pairs_out(G, y, lam):
    """Solve with the 2×2 blocks of the inverse."""
    inverse = np.linalg.inv(G + len(y) * lam * np.eye(len(y)))
    pairs = np.arange(len(y)).reshape(-1, 2)
    return np.concatenate([np.linalg.solve(inverse[np.ix_(i, i)], inverse[i] @ y) for i in pairs])


RIGHT = {
    "check_dual_value": [lambda G, y, alpha, lam: Duality(G, y, lam=lam, loss=Squared()).dual(alpha)],
    "check_leave_pairs_out": [leave_pairs_out],
    "check_best_lam": [1e-3],
    "check_undamped": [1e-3, 0.01],
}

WRONG = {
    "check_hinge_conjugate": {
        r"should be \[inf, inf\], got \[nan, nan\]\.$": lambda y, v: y * v * np.nan,
        r"should be finite, got NaN or infinity\. Hint: ℓ\* is finite at the ends": lambda y, v: np.where(
            (0 < -y * v) & (-y * v < 1), y * v, np.inf
        ),
    },
    "check_certified_alpha": {
        r"should be in \[0, 1\], got": lambda G, y, lam, tol: -y,
        "the gap should be at most 0.01, got 2": lambda G, y, lam, tol: y / (2 * len(y) * lam),
        r"same α\. Hint: is tol used\?": ignore_tol,
    },
    "check_ridge": {
        "n = 3 and p = 600, no 600": lambda Phi, y, lam: primal_ridge(Phi, y, lam=lam),
        "n = 600 and p = 3, no 600": lambda Phi, y, lam: Phi.T @ dual_ridge(Phi @ Phi.T, y, lam=lam),
    },
    "check_weighted_ridge": {r"of many α, one solves \(D\)": another_solution},
    "check_undamped": {"a full step is too long": 0.1, "at least 1e-06": 0},
}
