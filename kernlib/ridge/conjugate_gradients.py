"""Exact kernel ridge regression by conjugate gradients."""

import math
import warnings
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg
from sklearn.exceptions import ConvergenceWarning

from kernlib.kernels.choice import KernelLike, as_kernel
from kernlib.numerics.conjugate_gradients import conjugate_steps, relative_norm
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.psd import EXACT_TO
from kernlib.numerics.regularization import as_weights
from kernlib.numerics.validation import Seed, as_generator, as_matrix, as_targets, check_count, check_positive
from kernlib.ridge.direct import WeightedProblem

__all__ = ["ConjugateRidge", "conjugate_ridge"]


class ConjugateRidge(NamedTuple):
    """The solution from `conjugate_ridge`.

    Parameters
    ----------
    dual_coef, residuals : ndarray of shape (n,) or (n, q), and (steps + 1,)
        α, and ‖y − (G + nλI)α‖/‖y‖ at the start and after each step, the largest over the outputs.
    intercept : ndarray of shape () or (q,)
        b, zero if there is none.
    """

    dual_coef: NDArray
    residuals: NDArray
    intercept: NDArray


def conjugate_ridge(
    X: ArrayLike,
    y: ArrayLike,
    *,
    kernel: KernelLike,
    lam: float,
    c: int | None = None,
    tol: float = 1e-6,
    max_iter: int = 1000,
    random_state: Seed = None,
    fit_intercept: bool = False,
    sample_weight: ArrayLike | None = None,
    verbose: bool = True,
) -> ConjugateRidge:
    """Compute α = (G + nλI)⁻¹y by conjugate gradients, with the entries of G computed as they are needed.

    The preconditioner is the inverse of P = ZZᵀ + nλI, where ZZᵀ is a Nyström approximation of G: P⁻¹v = (v −
    Z(ZᵀZ + nλI)⁻¹Zᵀv)/(nλ). Each step costs O(n²p), computing half of G; the preconditioner O(nc(p + c))
    once; memory is O(n(p + c)). Everything is in float64. If rounding errors prevent a smaller residual, the
    best α so far is returned, with the warning. Source: Hestenes and Stiefel (1952); Frangella, Tropp and
    Udell (2023) for the preconditioner. Chapter: Nyström.

    Parameters
    ----------
    X, y : array_like of shape (n, p) and (n,) or (n, q)
        Observations, and targets, a column for each output.
    kernel : Kernel, str or None
        κ, as `kernlib.kernels.as_kernel` takes it.
    lam : float
        λ > 0; scikit-learn's KernelRidge calls nλ alpha.
    c : int, optional
        Number of landmarks, from 1 to n; by default 10√n. With more landmarks there are fewer steps.
    tol : float
        Stop when the residual r = y − (G + nλI)α of each output is at most tol‖y‖. The duality gap P(α) −
        D(α) is ‖r‖²/(2n), so it is then at most tol² times P(0).
    max_iter : int
        Maximal number of steps; if they do not suffice, a warning reports the residual.
    random_state : None, int, Generator or RandomState
        Draws the landmarks, which affect the number of steps.
    fit_intercept, sample_weight : optional
        As in `ridge_path`; the residuals are then those of the equations of `WeightedProblem`.
    verbose : bool
        Whether to show progress after two seconds, on a terminal or in a notebook.

    Returns
    -------
    ConjugateRidge
        α in float64, the residuals, and b.
    """
    X = as_matrix(X).astype(np.float64, copy=False)
    n = len(X)
    y = as_targets(y, n)
    kernel = as_kernel(kernel, X.shape[1])
    lam, tol = check_positive("lam", lam), check_positive("tol", tol)
    max_iter = check_count("max_iter", max_iter, 1)
    c = check_count("c", min(n, math.ceil(10 * math.sqrt(n))) if c is None else c, 1, n, "the number of rows")
    problem = WeightedProblem(y, as_weights(sample_weight, n), fit_intercept)
    targets, shift = problem.targets, problem.total * lam
    zeros = np.zeros_like(targets)

    def product(v):
        return problem.scale(kernel.gram_product(X, problem.scale(v)))

    def multiply(v):
        return problem.project(product(v)) + shift * v

    form = "conjugate gradients: step {n_fmt}, {elapsed}{postfix}"
    with progress_bar(bar_format=form, verbose=verbose) as bar:
        precondition = make_preconditioner(X, kernel, problem, shift, c, random_state)
        steps = conjugate_steps(multiply, zeros, targets, precondition)
        alpha, residuals, restarted_at = zeros, [relative_norm(targets, targets)], np.inf
        best = residuals[0], zeros
        while residuals[-1] > tol and len(residuals) <= max_iter:
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
        warnings.warn(message, ConvergenceWarning, stacklevel=2)
    intercept = problem.mean
    if fit_intercept:
        intercept = intercept - (problem.root.T @ product(alpha))[0] / problem.total
    return ConjugateRidge(
        problem.scale(alpha).reshape(y.shape), np.array(residuals), intercept.reshape(y.shape[1:])
    )


def make_preconditioner(X, kernel, problem, shift, c, random_state):
    """Return v ↦ nλM⁻¹v with M = ZZᵀ + nλI, where Z is κ(X, landmarks)R⁻¹, projected, and RᵀR = W + δI."""
    landmarks = X[as_generator(random_state).choice(len(X), c, replace=False)]
    W = kernel.gram(landmarks)
    W[np.diag_indices(c)] += 2 * c * EXACT_TO[W.dtype] * W.diagonal().max() + np.finfo(W.dtype).tiny
    C = problem.project(problem.scale(kernel.gram(X, landmarks)))
    Zt = linalg.solve_triangular(linalg.cholesky(W), C.T, trans="T", overwrite_b=True, check_finite=False)
    A = Zt @ Zt.T
    A[np.diag_indices(c)] += shift
    factor = linalg.cho_factor(A)
    return lambda v: v - Zt.T @ linalg.cho_solve(factor, Zt @ v)
