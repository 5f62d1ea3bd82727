"""Distances between all pairs of rows, and Gaussians of them, right for any finite data.

‖x − y‖² = ‖x‖² + ‖y‖² − 2xᵀy costs one matrix product, but its terms cancel for close rows far from 0.
So the product has a bound on its rounding error, and entries in doubt are computed again from x − y.

X and Y are finite arrays of shape (n, p) and (m, p), of one dtype; without Y, it is X itself, and results are
exactly symmetric. γ and other scales are positive numbers, or have one for each of the p columns: then
γ‖x − y‖² stands for Σⱼ γⱼ(xⱼ − yⱼ)². Chapter: Kernels.
"""

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy.spatial.distance import cdist, pdist, squareform

from kernlib.numerics.blocks import slices

__all__ = ["Centered", "distances", "gaussians", "rescale"]

# 1e-5 and 1e-12, less the rounding error of exp
TOLERANCE = {np.dtype(np.float32): 2.0**-17, np.dtype(np.float64): 2.0**-40}
PART = 64  # columns multiplied at once, as the bound grows with the length of the sums
STRIP = 126  # rows mirrored at once


class Centered:
    """Rows y as one side of many products: their center c, ‖b‖ for b = √γ(y − c), and [b, 1, −‖b‖²]."""

    def __init__(self, Y: NDArray, gamma: ArrayLike, dtype: DTypeLike) -> None:
        self.rows, self.gamma, self.dtype, self.root = Y, gamma, np.dtype(dtype), np.sqrt(gamma)
        with np.errstate(over="ignore", invalid="ignore"):
            self.center = Y.mean(axis=0, dtype=np.float64)
            B, squares, self.norms = self.center_and_scale(Y)
            self.factor = np.column_stack([B, np.ones(len(B)), -squares]).astype(self.dtype, copy=False)
            self.longest = self.norms.max()

    def center_and_scale(self, X: NDArray) -> tuple[NDArray, NDArray, NDArray]:
        """Compute a = √γ(x − c) for all rows x, ‖a‖² and ‖a‖."""
        A = X - self.center
        A *= self.root
        squares = np.einsum("ij,ij->i", A, A)
        return A, squares, np.sqrt(squares)


def gaussians(X: NDArray, Y: Centered | None, gamma: ArrayLike) -> NDArray:
    """Compute exp(−γ‖x − y‖²) for all pairs of rows, each to 1e-12, or to 1e-5 in float32; at most 1."""
    right = Centered(X, gamma, X.dtype) if Y is None else Y
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows may be wrong, or is far
        G = gaussians_to_tolerance(X, right, TOLERANCE[right.dtype], symmetric=Y is None)
    if Y is None:
        np.fill_diagonal(G, 1)
    return G


def gaussians_to_tolerance(X, Y, tolerance, symmetric):
    """Compute exp(−γ‖x − y‖²) off the diagonal: by a product, and in doubt by one in float64 or distances."""
    G, rows, columns = expand_product(X, Y, tolerance, symmetric)
    if rows.any():
        left, right = X[rows], Y.rows[columns]
        if Y.dtype == np.float64:
            again = np.exp(-(distances(left, None if symmetric else right, "euclidean", Y.root) ** 2))
        else:
            again = gaussians_to_tolerance(left, Centered(right, Y.gamma, np.float64), tolerance, symmetric)
        G[np.ix_(rows, columns)] = again
    return G


def expand_product(X, Y, tolerance, symmetric):
    """Compute exp(−γ‖x − y‖²) by one product in Y's dtype, and the rows and columns in which it may be wrong.

    The exponent 2aᵀb − ‖a‖² − ‖b‖² is off by at most e = ε(‖a‖ + ‖b‖)², where to first order
    ε = (r + 2)u + (p + 4)2⁻⁵³: r roundings of the dtype's unit u in the sum of p + 2 products, fewer if it
    has parts, and two in the factors; before, in float64, p in the norms, 4 in a and b and 2 in √γ. If e ≤ 1,
    that changes the exponential g by at most g e(1 + e). Source: Higham (2002), section 3.1.
    """
    A, squares, a = Y.center_and_scale(X)
    b, dtype, (n, p) = Y.norms, Y.dtype, X.shape
    parts = slices(p + 2, PART)
    roundings = parts[0].stop + len(parts) - 1
    epsilon = ((roundings + 2) * np.finfo(dtype).eps + (p + 4) * np.finfo(np.float64).eps) / 2
    worst = epsilon * (a.max() + Y.longest) ** 2
    if not worst < 1:  # NaN, too
        return np.empty((n, len(b)), dtype), np.ones(n, bool), np.ones(len(b), bool)
    A *= 2
    left, right = np.column_stack([A, -squares, np.ones(n)]).astype(dtype, copy=False), Y.factor
    G = left[:, parts[0]] @ right[:, parts[0]].T
    for part in parts[1:]:
        G += left[:, part] @ right[:, part].T
    if symmetric:
        for rows in slices(n, STRIP):  # in place, as a second block would leave the cache
            G[rows.stop :, rows] = G[rows, rows.stop :].T
            G[rows, rows] = np.minimum(G[rows, rows], G[rows, rows].T)
        np.fill_diagonal(G, -np.inf)  # its values are known
    np.exp(G, out=G)
    highest = G.max(axis=1)
    if highest.max() > 1:
        np.minimum(G, 1, out=G)
    allowed = tolerance / (epsilon * (1 + worst))
    rows = highest * (a + Y.longest) ** 2 > allowed
    doubt = G[rows] * np.add.outer(a[rows], b) ** 2 > allowed
    rows[rows] = doubt.any(axis=1)
    return G, rows, doubt.any(axis=0)


def distances(X: NDArray, Y: NDArray | None, metric: str, scale: ArrayLike) -> NDArray:
    """Compute scale · ‖x − y‖ in float64, never NaN; with a scale for each column, of scaled differences."""
    left, right, scale = rescale(X, Y, scale, np.float64)
    weights = {}
    with np.errstate(over="ignore"):
        if np.ndim(scale):
            squares = np.minimum(scale**2, np.finfo(np.float64).max)  # ∞ · 0 would be NaN
            weights["w"], scale = squares if metric == "euclidean" else scale, 1
        D = squareform(pdist(left, metric, **weights)) if Y is None else cdist(left, right, metric, **weights)
        D *= scale
    return D


def rescale(X: NDArray, Y: NDArray | None, scale: ArrayLike, dtype: DTypeLike) -> tuple[NDArray, ...]:
    """Return hX, hY and scale/h, for a power of two h for which distances in units of 1/h don't overflow."""
    limits = np.finfo(dtype)
    axis = 0 if np.ndim(scale) else None
    largest = np.maximum(np.abs(X).max(axis), 0 if Y is None else np.abs(Y).max(axis))
    # scale/h is between 1 and 2 unless hX would be too large
    power = np.minimum(np.frexp(scale)[1] - 1, limits.maxexp - 24 - np.frexp(largest)[1])
    h = np.ldexp(1.0, power)
    hX = (h * X).astype(dtype, copy=False)
    hY = hX if Y is None else (h * Y).astype(dtype, copy=False)
    with np.errstate(over="ignore"):
        return hX, hY, np.minimum(scale / h, limits.max)  # ∞ · 0 would be NaN
