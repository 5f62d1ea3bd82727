"""Exact kernel ridge regression for n too large for G: conjugate gradients, preconditioned by Nyström.

Chapter: Nyström.
"""

import math
import warnings
from typing import NamedTuple

import numpy as np
from scipy import linalg
from sklearn.exceptions import ConvergenceWarning

from kernlib.kernels import as_kernel
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.psd import EXACT_TO
from kernlib.numerics.validation import as_generator, as_matrix, as_targets, check_count, check_positive

__all__ = ["ConjugateRidge", "conjugate_ridge", "conjugate_steps"]


class ConjugateRidge(NamedTuple):
    """
    What `conjugate_ridge` gives.

    Parameters
    ----------
    dual_coef : ndarray of shape (n,) or (n, q)
        α.
    residuals : ndarray of shape (steps + 1,)
        ‖y − (G + nλI)α‖/‖y‖ at the start and after each step, of the output where it is largest.
    """

    dual_coef: np.ndarray
    residuals: np.ndarray


def conjugate_ridge(X, y, *, kernel, lam, c=None, tol=1e-6, max_iter=1000, random_state=None, verbose=True):
    """
    Compute α = (G + nλI)⁻¹y by conjugate gradients, with the rows of G computed as they are needed.

    The preconditioner is Nyström's approximation with its ridge, P = ZZᵀ + nλI, whose inverse is
    P⁻¹v = (v − Z(ZᵀZ + nλI)⁻¹Zᵀv)/(nλ). Z is held, of c columns; G never.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Rows are observations.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output.
    kernel : Kernel or str
        κ, as `kernlib.kernels.as_kernel` takes it.
    lam : float
        λ > 0; scikit-learn's KernelRidge calls nλ alpha.
    c : int, optional
        Number of landmarks, from 1 to n; 10√n where it is not given. More of them take fewer steps.
    tol : float
        When to stop: the residual r = y − (G + nλI)α of each output is at most tol‖y‖. The duality gap
        P(α) − D(α) is ‖r‖²/(2n), so it is then at most tol² times P(0).
    max_iter : int
        The most steps; if they do not suffice, a warning says what residual is left.
    random_state : None, int, Generator or RandomState
        Draws the landmarks, which decide the number of steps, and not α.
    verbose : bool
        Whether to show progress, from the third second on, on a terminal or in a notebook.

    Returns
    -------
    ConjugateRidge
        α in float64, and the residuals.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described.

    Notes
    -----
    O(n²p) for each step, half of G being computed, and O(nc(p + c)) once; memory O(n(p + c)). All in
    float64. The recursion's residual drifts, so the last one is computed from α; where rounding lets it fall
    no further, the steps end, with the warning, and α is the best that was met. Source: Hestenes and Stiefel
    (1952); for the preconditioner, Frangella, Tropp and Udell (2023). Chapter: Nyström.
    """
    X = as_matrix(X).astype(np.float64, copy=False)
    n = len(X)
    y = as_targets(y, n)
    kernel = as_kernel(kernel, X.shape[1])
    lam, tol = check_positive("lam", lam), check_positive("tol", tol)
    max_iter = check_count("max_iter", max_iter, 1)
    c = check_count("c", min(n, math.ceil(10 * math.sqrt(n))) if c is None else c, 1, n, "the number of rows")
    targets = y.reshape(n, -1)
    size, shift = np.linalg.norm(targets, axis=0), n * lam

    def multiply(v):
        return kernel.gram_product(X, v) + shift * v

    form = "conjugate gradients: step {n_fmt}, {elapsed}{postfix}"
    with progress_bar(bar_format=form, verbose=verbose) as bar:
        precondition = nystrom_inverse(X, kernel, shift, c, random_state)
        alpha, r = np.zeros_like(targets), targets
        history, checked = [largest(r, size)], np.inf
        nearest, least = alpha, history[0]
        steps = conjugate_steps(multiply, alpha, r, precondition)
        while history[-1] > tol and len(history) <= max_iter:
            alpha, r = next(steps)
            history.append(largest(r, size))
            bar.set_postfix_str(f"residual {history[-1]:.1e}, to reach {tol:.0e}", refresh=False)
            bar.update()
            if history[-1] <= tol:  # of the recursion, which drifts: what counts is the residual itself
                r = targets - multiply(alpha)
                history[-1] = largest(r, size)
                if history[-1] > checked / 2:
                    break  # as far as rounding errors allow
                checked = history[-1]
                steps = conjugate_steps(multiply, alpha, r, precondition)
            if history[-1] < least:
                nearest, least = alpha, history[-1]
    if history[-1] > tol:
        alpha, history[-1] = nearest, largest(targets - multiply(nearest), size)
        if history[-1] > history[0]:  # where rounding rules, steps may all lead away
            alpha, history[-1] = np.zeros_like(targets), history[0]
        warnings.warn(
            f"The residual is {history[-1]:.2g} of ‖y‖ after {len(history) - 1} steps, not {tol:g}.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return ConjugateRidge(alpha.reshape(y.shape), np.array(history))


def conjugate_steps(multiply, alpha, r, precondition):
    """Yield α and its residual r after each step of conjugate gradients from α, for A = `multiply`."""
    d = z = precondition(r)
    rho = np.sum(r * z, axis=0)
    while True:
        Ad = multiply(d)
        step = divide(rho, np.sum(d * Ad, axis=0))
        alpha, r = alpha + step * d, r - step * Ad
        yield alpha, r
        z, old = precondition(r), rho
        rho = np.sum(r * z, axis=0)
        d = z + divide(rho, old) * d


def nystrom_inverse(X, kernel, shift, c, random_state):
    """
    Give the function v ↦ nλP⁻¹v, P = ZZᵀ + nλI, with Nyström's features Z = κ(X, landmarks)R⁻¹; v is (n, q).

    RᵀR = W + δI, the landmarks' Gram matrix and a shift by more than its rounding, which a preconditioner can
    bear. The factor nλ changes no step of conjugate gradients.
    """
    landmarks = X[as_generator(random_state).choice(len(X), c, replace=False)]
    W = kernel.gram(landmarks)
    W[np.diag_indices(c)] += 2 * c * EXACT_TO[W.dtype] * W.diagonal().max() + np.finfo(W.dtype).tiny
    C = kernel.gram(X, landmarks)
    Zt = linalg.solve_triangular(linalg.cholesky(W), C.T, trans="T", overwrite_b=True, check_finite=False)
    A = Zt @ Zt.T
    A[np.diag_indices(c)] += shift
    factor = linalg.cho_factor(A)
    return lambda v: v - Zt.T @ linalg.cho_solve(factor, Zt @ v)


def largest(r, size):
    """Compute the largest of the ratios ‖rⱼ‖/‖yⱼ‖ of the outputs' residuals; 0 for a target of zeros."""
    return float(divide(np.linalg.norm(r, axis=0), size).max())


def divide(a, b):
    """Compute a/b, and 0 where b is 0: an output that is solved already needs no further step."""
    return np.divide(a, b, out=np.zeros_like(a), where=b != 0)
