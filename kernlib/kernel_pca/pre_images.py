"""Pre-images: points of the space of the data whose features come nearest to a point of feature space.

Chapter: Kernel PCA.
"""

import numpy as np

__all__ = ["ascend_to_pre_images"]


def ascend_to_pre_images(kernel, points, weights, start, max_iter, tol):
    """
    Iterate z ← Σᵢ wᵢ κ(z, xᵢ) xᵢ / S(z), S(z) = Σᵢ wᵢ κ(z, xᵢ), for many rows at once; S never falls.

    The kernel is Gaussian, the xᵢ are the `points` (n, p); each row z has weights w of its own, (m, n), and a
    start, (m, p), and is done when its step is shorter than `tol` widths of the kernel. Gives the best point
    of each row, and how many rows still moved after `max_iter` steps. Source: Mika et al. (1998).
    """
    Z, candidate, nearness = start.copy(), start.copy(), np.zeros(len(start))
    shortest = tol / np.sqrt(2 * kernel.gamma)
    rows = np.arange(len(start))
    for _ in range(max_iter):
        terms = weights[rows] * kernel.gram(candidate[rows], points)
        S = terms.sum(axis=1)
        nearer = S > nearness[rows]
        up, down = rows[nearer], rows[~nearer]
        Z[up], nearness[up] = candidate[up], S[nearer]
        candidate[up] = terms[nearer] @ points / S[nearer, None]
        candidate[down] = (Z[down] + candidate[down]) / 2  # S grows in this direction: the step was too long
        rows = rows[np.linalg.norm(candidate[rows] - Z[rows], axis=1) > shortest]
        if not len(rows):
            break
    return Z, len(rows)
