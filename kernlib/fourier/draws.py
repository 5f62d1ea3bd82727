"""Draws of frequencies that are not independent: low discrepancy, and orthogonal directions."""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import qmc

__all__ = ["orthogonal_directions", "sobol_points"]


def sobol_points(m: int, d: int, rng: np.random.Generator) -> NDArray:
    """Return the first m points (m, d) of a scrambled Sobol sequence, each of them uniform on [0, 1)ᵈ."""
    if d > qmc.Sobol.MAXDIM:
        raise ValueError(
            f"sampling='qmc' needs a Sobol sequence in {d} dimensions, but the longest known has "
            f"{qmc.Sobol.MAXDIM}: use 'iid'."
        )
    return qmc.Sobol(d, rng=rng).random_base2(int(m - 1).bit_length())[:m]


def orthogonal_directions(frequencies: NDArray, rng: np.random.Generator) -> NDArray:
    """Make the directions of independent isotropic frequencies (p, m) orthonormal, p at a time."""
    p, m = frequencies.shape
    Q, R = np.linalg.qr(rng.normal(size=(-(-m // p), p, p)))
    Q *= np.sign(np.diagonal(R, axis1=1, axis2=2))[:, None, :]  # otherwise Q is not uniform
    return np.hstack(list(Q))[:, :m] * np.linalg.norm(frequencies, axis=0)
