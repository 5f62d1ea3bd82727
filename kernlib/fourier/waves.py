"""Angles Ωᵀx + b, their cosines and sines: right wherever the rows are, and fast."""

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["column_medians", "compute_angles", "write_waves"]

ANGLE_TOLERANCE = 1e-4  # of an angle in float32, in radians


def column_medians(X: NDArray) -> NDArray:
    """Compute the median of each column of at most 1000 rows, rounded to a number that float32 holds too."""
    rows = np.sort(X[:: len(X) // 1000 + 1], axis=0)
    largest = np.finfo(np.float32).max
    return np.clip(rows[(len(rows) - 1) // 2], -largest, largest).astype(np.float32).astype(np.float64)


def compute_angles(X: NDArray, origin: NDArray, waves: NDArray, rounded: NDArray, norms: NDArray) -> NDArray:
    """Compute the angles Ωᵀ(x − m) + b in the dtype of X, to 10⁻⁴ in float32; `waves` is Ω on top of b."""
    p = X.shape[1]
    D = np.ones((len(X), p + 1), X.dtype)
    with np.errstate(over="ignore", invalid="ignore"):  # float64 is taken for what overflows in float32
        np.subtract(X, origin.astype(X.dtype), out=D[:, :p])
        angles = D @ rounded
        if X.dtype == np.float64:
            return angles
        reach = math.sqrt(np.einsum("ij,ij->i", D, D).max())
        bound = (p + 5) * np.finfo(np.float32).eps / 2 * (norms * reach + 2 * np.pi)
    wide = ~(bound <= ANGLE_TOLERANCE)  # NaN, too
    if wide.any():
        # picking many columns takes longer than computing all of them
        columns = slice(None) if wide.mean() > 0.2 else wide
        turns = np.column_stack([X - origin, np.ones(len(X))]) @ (waves[:, columns] / (2 * np.pi))
        turns -= np.rint(turns)  # removes whole turns without rounding
        turns *= 2 * np.pi
        angles[:, columns] = turns
    return angles


def write_waves(angles: NDArray, cosines: NDArray, sines: NDArray) -> None:
    """Write the cosines of all angles (n, m) and the sines of the first k columns; the angles are lost.

    numpy's cosine takes 15 ns a number in float64; by vector instructions, for float32 or the tangent, less
    than 1. With t = tan(a/2), cos a = (1 − t²)/(1 + t²) and sin a = 2t/(1 + t²), exact to 4·10⁻¹⁶.
    """
    k = sines.shape[1]
    if angles.dtype == np.float32:
        np.cos(angles, out=cosines)
        np.sin(angles[:, :k], out=sines)
        return
    angles *= 0.5
    t = np.tan(angles, out=angles)
    np.multiply(t, t, out=cosines)
    over = 2 / (1 + cosines)
    np.multiply(t[:, :k], over[:, :k], out=sines)
    np.subtract(over, 1, out=cosines)
