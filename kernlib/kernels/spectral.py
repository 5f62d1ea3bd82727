"""The Fourier transform of a radial function, which decides in which dimensions it is a kernel."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gamma as gamma_function
from scipy.special import hyp0f1

__all__ = ["radial_transform"]


def radial_transform(q: Callable[[NDArray], NDArray], omega: ArrayLike, p: int) -> NDArray:
    """Compute q̂(ω) = ∫ q(‖δ‖) exp(−iωᵀδ) dδ over ℝᵖ for a q that is zero beyond ‖δ‖ = 1.

    Averaged over the directions of δ, the wave is ₀F₁(p/2; −‖ω‖²r²/4): cos z for p = 1, J₀(z) for p = 2 and
    sin z/z for p = 3, where z = ‖ω‖r. An integral over r remains. The Gauss–Legendre rule with 200 nodes is
    exact to rounding for ‖ω‖ up to 100 and a smooth q. O(200m). Chapter: Bochner's theorem.

    Parameters
    ----------
    q : callable
        Maps an array of distances between 0 and 1 to an array of values.
    omega, p : array_like of shape (m,), int
        The lengths ‖ω‖ and the dimension.

    Returns
    -------
    ndarray of shape (m,)
        The values q̂(ω); κ(x, x′) = q(‖x − x′‖) is a kernel if none is negative.
    """
    nodes, weights = np.polynomial.legendre.leggauss(200)
    r = (nodes + 1) / 2
    sphere = 2 * np.pi ** (p / 2) / gamma_function(p / 2)
    waves = hyp0f1(p / 2, -((np.outer(np.asarray(omega), r) / 2) ** 2))
    return sphere * waves @ (weights / 2 * q(r) * r ** (p - 1))
