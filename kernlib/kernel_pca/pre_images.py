"""Pre-images: points of the data space whose features are nearest to a given point of feature space."""

import numpy as np
from numpy.typing import NDArray

from kernlib.kernels import Gaussian

__all__ = ["ascend_to_pre_images"]


def ascend_to_pre_images(
    kernel: Gaussian, points: NDArray, weights: NDArray, start: NDArray, max_iter: int, tol: float
) -> tuple[NDArray, int]:
    """
    Iterate z ← Σᵢ wᵢ κ(z, xᵢ) xᵢ / S(z) for many z at once; S(z) = Σᵢ wᵢ κ(z, xᵢ) never decreases.

    Returned are the best z for each row of `start` (m, p) and of `weights` (m, n), and how many had not
    converged. Source: Mika et al. (1998).
    """
    best, candidates, best_S = start.copy(), start.copy(), np.zeros(len(start))
    widths = 1 / np.sqrt(2 * np.asarray(kernel.gamma))
    rows = np.arange(len(start))
    for _ in range(max_iter):
        terms = weights[rows] * kernel.gram(candidates[rows], points)
        S = terms.sum(axis=1)
        better = S > best_S[rows]
        up, down = rows[better], rows[~better]
        best[up], best_S[up] = candidates[up], S[better]
        candidates[up] = terms[better] @ points / S[better, None]
        candidates[down] = (best[down] + candidates[down]) / 2  # S increases this way: the step was too long
        rows = rows[np.linalg.norm((candidates[rows] - best[rows]) / widths, axis=1) > tol]
        if not len(rows):
            break
    return best, len(rows)
