"""Nyström ridge regression with many landmarks, by preconditioned conjugate gradients: Falkon."""

from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from sklearn.exceptions import ConvergenceWarning

from kernlib.kernels import Kernel
from kernlib.numerics.blocks import BLOCK, slices, sum_in_threads
from kernlib.numerics.conjugate_gradients import conjugate_steps, relative_norm, units_of
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.psd import noise_level, pivoted_cholesky
from kernlib.numerics.validation import warn

__all__ = ["falkon", "is_cheaper"]

EPS = np.finfo(np.float64).eps
MAX_STEPS = 500
STEPS = 30  # that are expected; λ from 10⁻⁴ to 10⁻⁶ took 9 to 55 steps to a residual of 10⁻⁴
ENTRY = 90  # multiplications of matrices in the time that a step needs for a kernel value, besides p for each


def is_cheaper(n: int, c: int, p: int) -> bool:
    """Return whether the steps of `falkon` are expected to cost less than the nc² of a direct solution."""
    return STEPS * n * c * (p + ENTRY) < n * c**2


def falkon(
    X: NDArray, y: NDArray, landmarks: NDArray, kernel: Kernel, *, lam: float, tol: float, weights: NDArray,
    landmark_weights: NDArray, fit_intercept: bool, verbose: bool,
) -> tuple[NDArray, NDArray, list[float], int]:  # fmt: skip
    """Solve (CᵀSC + sλW)a = CᵀSy for C = κ(X, landmarks), never held: each step is a pass over the rows.

    S is the diagonal matrix of the weights, with sum s, and y has shape (n, q). With an intercept, C and y
    are centered. If W = LLᵀ and a = L^{−T}w, these are s times the equations (ZᵀSZ/s + λI)w = ZᵀSy/s of ridge
    regression on the features Z = CL^{−T}. On the landmarks, a sample of the rows, Z is L, so the matrix is
    close to RᵀR = LᵀDL + λI, where D holds their weights, divided by their sum, and conjugate gradients solve
    for β = Rw. They stop when the residual of each output is at most tol times the right-hand side. Returned
    are a, b, the residual after each step, and the numerical rank of W.
    """
    total, units = weights.sum(), units_of(y)
    y = y / units
    kept, L, R = factor_landmarks(kernel, landmarks, landmark_weights, X.dtype, lam, fit_intercept)
    rank, y_mean = len(kept), weights @ y / total * fit_intercept
    if rank == 0:
        kernel.check(X)
        return np.zeros((len(landmarks), y.shape[1])), y_mean * units, [0.0], 0
    X, points = kernel.check_both(X, landmarks[kept])
    right = kernel.prepare(points)

    def from_landmarks(v, w=0.0):
        """Compute R^{−T}(L⁻¹v + w)."""
        v = linalg.solve_triangular(L, v, lower=True, check_finite=False)
        return linalg.solve_triangular(R, v + w, trans="T", check_finite=False)

    def to_landmarks(beta):
        """Compute a = L^{−T}w and w = R⁻¹β."""
        w = linalg.solve_triangular(R, beta, check_finite=False)
        return linalg.solve_triangular(L, w, lower=True, trans="T", check_finite=False), w

    def right_hand_sides(rows, C):
        return weights[rows, None] * np.column_stack([y[rows] - y_mean, np.ones(len(C))])

    sides = multiply_blocks(kernel, X, right, right_hand_sides, (rank, y.shape[1] + 1)) / total
    means = sides[:, -1] * fit_intercept  # of C's columns
    target = from_landmarks(sides[:, :-1])

    def multiply(beta):
        a, w = to_landmarks(beta)

        def weigh(rows, C):
            return weights[rows, None] * (C @ a - means @ a)

        return from_landmarks(multiply_blocks(kernel, X, right, weigh, a.shape) / total, lam * w)

    beta, residuals = np.zeros_like(target), [relative_norm(target, target)]
    steps, best = conjugate_steps(multiply, beta, target, lambda r: r), (residuals[0], beta)
    form = "conjugate gradients: step {n_fmt}, {elapsed}{postfix}"
    with progress_bar(bar_format=form, verbose=verbose) as bar:
        while residuals[-1] > tol and len(residuals) <= MAX_STEPS:
            beta, r = next(steps)
            residuals.append(relative_norm(r, target))
            best = min(best, (residuals[-1], beta), key=itemgetter(0))
            bar.set_postfix_str(f"residual {residuals[-1]:.1e}, to reach {tol:.0e}", refresh=False)
            bar.update()
    residuals[-1], beta = best
    if residuals[-1] > tol:
        reached = f"The relative residual is {residuals[-1]:.2g} after {MAX_STEPS} steps, not {tol:g}"
        advice = "use a larger lam, or solver='direct'."
        warn(f"{reached}: {advice}", ConvergenceWarning)
    coef = np.zeros((len(landmarks), y.shape[1]))
    coef[kept] = to_landmarks(beta)[0]
    return coef * units, (y_mean - means @ coef[kept]) * units, residuals, rank


def factor_landmarks(kernel, landmarks, weights, dtype, lam, fit_intercept):
    """Compute which landmarks are independent up to the accuracy of C, and L and R of `falkon`."""
    points = landmarks.astype(np.float64)
    Z, pivots = pivoted_cholesky(kernel.gram(points), noise_level(len(points), dtype))
    share, rank = weights[pivots, None] / weights.sum(), Z.shape[1]
    L = Z[:rank].copy(order="F")
    if fit_intercept:
        Z -= share.T @ Z
    Z *= np.sqrt(share)
    A = Z.T @ Z
    A[np.diag_indices(rank)] += max(lam, rank * EPS * np.trace(A))  # positive definite in spite of rounding
    return pivots[:rank], L, linalg.cholesky(A.T, overwrite_a=True)


def multiply_blocks(kernel, X, right, weigh, shape):
    """Compute Cᵀ weigh(rows, C), of a shape (c, q), from blocks of C in the dtype of X; sums are float64."""
    blocks = slices(len(X), max(1, BLOCK**2 // shape[0]))

    def add(rows, total):
        C = kernel.values(X[rows], right).astype(np.float64, copy=False)
        total += C.T @ weigh(rows, C)

    return sum_in_threads(add, blocks, shape)
