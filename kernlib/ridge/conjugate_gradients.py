"""Exact kernel ridge regression by conjugate gradients."""

import math
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from sklearn.exceptions import ConvergenceWarning

from kernlib.kernels import Kernel
from kernlib.numerics.conjugate_gradients import conjugate_steps, relative_norm, units_of
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.psd import EXACT_TO
from kernlib.numerics.validation import Seed, as_generator, warn
from kernlib.ridge.direct import WeightedProblem

__all__ = ["conjugate_ridge"]

MAX_STEPS = 1000
LANDMARKS = 10  # of the preconditioner, times √n


def conjugate_ridge(
    X: NDArray, kernel: Kernel, problem: WeightedProblem, *, lam: float, tol: float,
    random_state: Seed = None, verbose: bool = True,
) -> tuple[NDArray, NDArray, NDArray]:  # fmt: skip
    """Compute α = (G + nλI)⁻¹y by conjugate gradients, with the entries of G computed as they are needed.

    The preconditioner is the inverse of P = ZZᵀ + nλI, where ZZᵀ is a Nyström approximation of G with c =
    10√n random landmarks: P⁻¹v = (v − Z(ZᵀZ + nλI)⁻¹Zᵀv)/(nλ). It costs O(nc(p + c)), and each step O(n²p);
    memory is O(n(p + c)). Everything is in float64. Source: Hestenes and Stiefel (1952); Frangella, Tropp and
    Udell (2023) for the preconditioner. Chapter: Nyström.

    The steps stop when the residual r = y − (G + nλI)α of each output is at most tol‖y‖. The duality gap
    P(α) − D(α) is ‖r‖²/(2n), so it is then at most tol² times P(0). If rounding errors prevent a smaller
    residual, or 1,000 steps do not suffice, the best α so far is returned, with a warning. Returned are α and
    b, as from `WeightedProblem.solve`, and ‖r‖/‖y‖ at the start and after each step, the largest over the
    outputs; with weights or an intercept, that of the equations of `WeightedProblem`.
    """
    n, shift, units = len(X), problem.total * lam, units_of(problem.targets)
    targets = problem.targets / units
    zeros = np.zeros_like(targets)

    def product(v):
        return problem.scale(kernel.gram_product(X, problem.scale(v)))

    def multiply(v):
        return problem.project(product(v)) + shift * v

    form = "conjugate gradients: step {n_fmt}, {elapsed}{postfix}"
    with progress_bar(bar_format=form, verbose=verbose) as bar:
        c = min(n, math.ceil(LANDMARKS * math.sqrt(n)))
        precondition = make_preconditioner(X, kernel, problem, shift, c, random_state)
        steps = conjugate_steps(multiply, zeros, targets, precondition)
        alpha, residuals, restarted_at = zeros, [relative_norm(targets, targets)], np.inf
        best = residuals[0], zeros
        while residuals[-1] > tol and len(residuals) <= MAX_STEPS:
            alpha, r = next(steps)
            residuals.append(relative_norm(r, targets))
            bar.set_postfix_str(f"residual {residuals[-1]:.1e}, to reach {tol:.0e}", refresh=False)
            bar.update()
            if residuals[-1] <= tol:  # by the recursion, which drifts: compute it, and restart there
                r = targets - multiply(alpha)
                residuals[-1] = relative_norm(r, targets)
                if residuals[-1] > restarted_at / 2:
                    break  # rounding errors prevent a smaller residual
                restarted_at = residuals[-1]
                steps = conjugate_steps(multiply, alpha, r, precondition)
            best = min(best, (residuals[-1], alpha), key=itemgetter(0))
    if residuals[-1] > tol:
        computed = relative_norm(targets - multiply(best[1]), targets), best[1]
        residuals[-1], alpha = min((residuals[0], zeros), computed, key=itemgetter(0))
        message = f"The residual is {residuals[-1]:.2g} of ‖y‖ after {len(residuals) - 1} steps, not {tol:g}."
        warn(message, ConvergenceWarning)
    alpha, b = alpha * units, problem.mean
    if problem.fit_intercept:
        b = b - (problem.root.T @ product(alpha))[0] / problem.total
    return problem.scale(alpha).reshape(problem.shape), b.reshape(problem.shape[1:]), np.array(residuals)


def make_preconditioner(X, kernel, problem, shift, c, random_state):
    """Return v ↦ nλM⁻¹v with M = ZZᵀ + nλI, where Z is κ(X, landmarks)R⁻¹, projected, and RᵀR = W + δI."""
    landmarks = X[as_generator(random_state).choice(len(X), c, replace=False)]
    W = kernel.gram(landmarks)
    W[np.diag_indices(c)] += 2 * c * EXACT_TO[W.dtype] * W.diagonal().max() + np.finfo(W.dtype).tiny
    C = problem.project(problem.scale(kernel.gram(X, landmarks)))
    Zt = linalg.solve_triangular(linalg.cholesky(W), C.T, trans="T", overwrite_b=True, check_finite=False)
    A = Zt @ Zt.T
    A[np.diag_indices(c)] += max(shift, c * np.finfo(np.float64).eps * np.trace(A))  # in spite of rounding
    factor = linalg.cho_factor(A)
    return lambda v: v - Zt.T @ linalg.cho_solve(factor, Zt @ v)
