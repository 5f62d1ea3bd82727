"""A scale for each column, by gradient steps on the leave-one-out error."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from kernlib.kernels import Gaussian, Kernel
from kernlib.ridge import RidgePath, ridge_path

__all__ = ["descend", "loo_and_gradient", "loo_path"]

RANGE = (-7.0, 4.0)  # how far the logarithm of a scale moves
ITERATIONS = 60


def descend(start: NDArray, X: NDArray, Y: NDArray, clock: Callable[[], float], deadline: float) -> NDArray:
    """Lower the leave-one-out error from log γ₁, …, log γₚ, log nλ, until the deadline."""
    last, begun = start, clock()

    def stop_late(theta):
        nonlocal last
        last = theta
        if clock() + (clock() - begun) / 5 > deadline:
            raise StopIteration

    bounds = [(x + RANGE[0], x + RANGE[1]) for x in start]
    options = {"bounds": bounds, "options": {"maxiter": ITERATIONS, "ftol": 1e-4}}  # of L-BFGS-B
    minimize(loo_and_gradient, start, (X, Y), jac=True, callback=stop_late, **options)
    return last


def loo_path(kernel: Kernel, lams: Any, X: NDArray, Y: NDArray, weights: NDArray | None) -> RidgePath:
    """Fit ridge regression for each λ, with the leave-one-out residuals."""
    return ridge_path(kernel.gram(X), Y, lams=lams, fit_intercept=True, sample_weight=weights)


def loo_and_gradient(theta: NDArray, X: NDArray, Y: NDArray) -> tuple[float, NDArray]:
    """Compute the mean squared leave-one-out residual and its gradient by log γ₁, …, log γₚ, log nλ.

    With A = (G + nλI)⁻¹ and a its diagonal, the residuals are r = AY/a. The derivative of their mean square
    by an entry of G is in W; that of Gᵢₖ by log γⱼ is −γⱼ(xᵢⱼ − xₖⱼ)²Gᵢₖ. The sums are products of matrices.
    """
    gamma, ridge, m = np.exp(theta[:-1]), np.exp(theta[-1]), len(X)
    G = Gaussian(tuple(gamma)).gram(X)
    A = np.linalg.inv(G + ridge * np.eye(m))
    a = np.diagonal(A)[:, None]
    alpha = A @ Y
    r = alpha / a
    W = ((A * ((r**2).sum(axis=1) / a[:, 0])) @ A - alpha @ (A @ (r / a)).T) * (2 / m)
    M = (W + W.T) / 2 * G
    by_scale = -2 * gamma * (M.sum(axis=1) @ X**2 - np.einsum("ij,ij->j", X, M @ X))
    return float((r**2).sum() / m), np.append(by_scale, ridge * np.trace(W))
