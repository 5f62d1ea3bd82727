"""Draws of frequencies that are not independent: low discrepancy, and orthogonal directions.

Chapter: Random Fourier features.
"""

import numpy as np
from scipy.stats import qmc

__all__ = ["orthogonal_directions", "sobol_points"]


def sobol_points(m, d, rng):
    """Give the first m points of a scrambled Sobol sequence (m, d), each of them uniform on [0, 1)ᵈ."""
    if d > qmc.Sobol.MAXDIM:
        raise ValueError(
            f"sampling='qmc' needs a Sobol sequence in {d} dimensions, but the longest known has "
            f"{qmc.Sobol.MAXDIM}: use 'iid'."
        )
    return qmc.Sobol(d, rng=rng).random_base2(int(m - 1).bit_length())[:m]


def orthogonal_directions(frequencies, rng):
    """
    Turn the directions of the frequencies (p, m) into orthonormal ones, p at a time, and keep the lengths.

    If they are independent draws from an isotropic law, each column follows the same law as before.
    """
    p, m = frequencies.shape
    Q, R = np.linalg.qr(rng.normal(size=(-(-m // p), p, p)))
    Q *= np.sign(np.diagonal(R, axis1=1, axis2=2))[:, None, :]  # without this, Q is not uniform
    return np.hstack(Q)[:, :m] * np.linalg.norm(frequencies, axis=0)
