"""Distances between all pairs of rows, and Gaussians of them, right for any finite data.

‖x − y‖² = ‖x‖² + ‖y‖² − 2xᵀy costs one matrix product, but its terms cancel where rows lie far from the
centre and close together. So the product comes with a bound on its rounding, and what the bound does not
vouch for is computed from the differences x − y.

X and Y are finite arrays of shape (n, p) and (m, p); if they are one object, results are exactly symmetric.
Chapter: Kernels.
"""

import math

import numpy as np
from scipy.spatial.distance import cdist, pdist, squareform

from kernlib.numerics.blocks import slices

__all__ = ["Centred", "distances", "gaussians", "rescaled"]

# 1e-5 and 1e-12, less exp's rounding
TOLERANCE = {np.dtype(np.float32): 2.0**-17, np.dtype(np.float64): 2.0**-40}
PART = 64  # columns of a product at once; a block is added up for each part
STRIP = 126  # rows of a block that are mirrored at once


class Centred:
    """
    Rows y as one side of many products: their centre, the norms ‖b‖ of b = √γ(y − centre), made in float64,
    and the factor [b, 1, −‖b‖²] in a dtype.
    """

    def __init__(self, Y, gamma, dtype):
        self.rows, self.gamma, self.dtype, self.root = Y, gamma, dtype, math.sqrt(gamma)
        with np.errstate(over="ignore", invalid="ignore"):
            self.centre = Y.mean(axis=0, dtype=np.float64)
            B, squares, self.norms = self.move(Y)
            self.factor = side_by_side(B, 1, -squares, dtype)
            self.longest = self.norms.max()

    def move(self, X):
        """Give a = √γ(x − centre) for all rows x, ‖a‖² and ‖a‖."""
        A = X - self.centre
        A *= self.root
        squares = np.einsum("ij,ij->i", A, A)
        return A, squares, np.sqrt(squares)


def side_by_side(A, first, second, dtype):
    """Give [A, first, second] in a dtype."""
    n, p = A.shape
    factor = np.empty((n, p + 2), dtype)
    factor[:, :p], factor[:, p], factor[:, p + 1] = A, first, second
    return factor


def gaussians(X, Y, gamma):
    """
    Compute exp(−γ‖x − y‖²) for all pairs of rows, each to 1e-12, or to 1e-5 in float32; at most 1.

    By a product in the dtype of the data; the rows and columns that this leaves in doubt, in float64; what is
    still in doubt, by its distances. Y may be `Centred` before, for many blocks.
    """
    if not isinstance(Y, Centred):
        Y = Centred(Y, gamma, np.result_type(X, Y))
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is in doubt, or far
        G = within(TOLERANCE[Y.dtype], X, Y)
    if Y.rows is X:
        np.fill_diagonal(G, 1)
    return G


def within(tolerance, X, Y):
    """exp(−γ‖x − y‖²), off the diagonal: by a product, then what it leaves in doubt."""
    G, rows, columns = by_product(X, Y, tolerance)
    if rows.any():
        left = X[rows]
        right = left if Y.rows is X else Y.rows[columns]
        if Y.dtype == np.float64:
            again = np.exp(-(distances(left, right, "euclidean", Y.root) ** 2))
        else:
            again = within(tolerance, left, Centred(right, Y.gamma, np.dtype(np.float64)))
        G[np.ix_(rows, columns)] = again
    return G


def by_product(X, Y, tolerance):
    """
    Give exp(−γ‖x − y‖²) by one product in Y's dtype, and the rows and the columns where it may be wrong.

    An entry that errs by more than `tolerance` lies where two such meet. If Y's are X, the diagonal is zero.

    Of a = √γ(x − centre) and b = √γ(y − centre), made in float64, the product gives 2aᵀb − ‖a‖² − ‖b‖². Its
    error is at most ε(‖a‖ + ‖b‖)², where to first order ε = (r + 2)u + (p + 4)2⁻⁵³: r roundings of the
    dtype's unit u in a sum of p + 2 products, whatever its order, and at most two in what it is given;
    before, in float64, p in the norms, 4 where a and b are moved and 2 in √γ. A sum in parts has fewer
    roundings. An exponent that is off by e ≤ 1 changes its exponential g by at most g e(1 + e).
    Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), section 3.1.
    """
    A, squares, a = Y.move(X)
    b, dtype, (n, p) = Y.norms, Y.dtype, X.shape
    parts = slices(p + 2, PART)
    roundings = parts[0].stop + len(parts) - 1
    epsilon = ((roundings + 2) * np.finfo(dtype).eps + (p + 4) * np.finfo(np.float64).eps) / 2
    worst = epsilon * (a.max() + Y.longest) ** 2
    if not worst < 1:  # NaN, too
        return np.empty((n, len(b)), dtype), np.ones(n, bool), np.ones(len(b), bool)
    A *= 2
    left, right = side_by_side(A, -squares, 1, dtype), Y.factor
    G = left[:, parts[0]] @ right[:, parts[0]].T
    for part in parts[1:]:
        G += left[:, part] @ right[:, part].T
    if Y.rows is X:
        for rows in slices(len(G), STRIP):  # a mirror in place, which needs no second block
            G[rows.stop :, rows] = G[rows, rows.stop :].T
            G[rows, rows] = np.minimum(G[rows, rows], G[rows, rows].T)
        np.fill_diagonal(G, -np.inf)  # of these there is no doubt
    np.exp(G, out=G)
    highest = G.max(axis=1)
    if highest.max() > 1:
        np.minimum(G, 1, out=G)
    allowed = tolerance / (epsilon * (1 + worst))
    rows = highest * (a + Y.longest) ** 2 > allowed
    doubt = G[rows] * np.add.outer(a[rows], b) ** 2 > allowed
    rows[rows] = doubt.any(axis=1)
    return G, rows, doubt.any(axis=0)


def distances(X, Y, metric, scale):
    """Compute scale · ‖x − y‖ in float64, "euclidean" or "cityblock"; never NaN. The scale is positive."""
    left = X.astype(np.float64, copy=False)
    right = left if Y is X else Y.astype(np.float64, copy=False)
    left, right, scale = rescaled(left, right, scale)
    D = squareform(pdist(left, metric)) if Y is X else cdist(left, right, metric)
    with np.errstate(over="ignore"):
        D *= scale
    return D


def rescaled(X, Y, scale):
    """
    Give hX, hY and scale/h with h a power of two, so that their distances in units of 1/scale don't overflow.

    X and Y are of one dtype; hX and hY are not rounded, but for what is too small to matter. scale/h is from
    1 to 2 unless hX would come near the largest number.
    """
    limits = np.finfo(X.dtype)
    largest = max(np.abs(X).max(), np.abs(Y).max())
    power = min(math.frexp(scale)[1] - 1, limits.maxexp - 24 - math.frexp(largest)[1])
    h = np.float64(math.ldexp(1, power))
    hX = (h * X).astype(X.dtype, copy=False)
    hY = hX if Y is X else (h * Y).astype(Y.dtype, copy=False)
    return hX, hY, min(scale / float(h), float(limits.max))  # ∞ · 0 would be NaN
