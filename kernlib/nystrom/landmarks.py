"""Six rules for choosing the points that Nyström's approximation is built on.

Chapter: Nyström.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans

from kernlib.kernels import as_kernel
from kernlib.numerics.blocks import one_blas_thread, slices
from kernlib.numerics.psd import psd_eigh
from kernlib.numerics.validation import as_generator, as_matrix, check_choice, check_count

__all__ = ["LANDMARK_RULES", "Landmarks", "select_landmarks"]

POOL = 5000  # rows that k-means and k-medoids look at: more cost time and move the landmarks little
HELD = 5000  # rows whose kernel block leverage scores hold at once
SWEEPS = 5  # of k-means and k-medoids: the first few bring nearly all of the gain


class Landmarks(NamedTuple):
    """
    Points to measure the others from.

    Parameters
    ----------
    points : ndarray of shape (c, p)
        The landmarks.
    indices : ndarray of shape (c,) or None
        Which rows they are; None where they are no rows of the data.
    """

    points: np.ndarray
    indices: np.ndarray | None


def select_landmarks(X, c, *, method="uniform", kernel=None, random_state=None):
    """
    Choose c landmarks for the rows of X.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Rows are observations.
    c : int
        Number of landmarks, from 1 to n.
    method : {"uniform", "uniform-replace", "kmeans", "kmedoids", "leverage", "rpcholesky"}
        "uniform": c rows without replacement. "uniform-replace": with, as in the lab. "kmeans": centres of
        clusters, which are no rows of X. "kmedoids": rows at the centres of clusters. "leverage": rows drawn
        with probability in proportion to their approximate ridge leverage scores. "rpcholesky": the
        pivots of a randomly pivoted Cholesky decomposition of G.
    kernel : Kernel or str, optional
        For "leverage" and "rpcholesky", as `kernlib.kernels.as_kernel` takes it; the Gaussian with γ = 1/p
        where it is not given.
    random_state : None, int, Generator or RandomState
        Where the draws come from.

    Returns
    -------
    Landmarks
        ``points`` of shape (c, p), and ``indices`` of shape (c,), or None for "kmeans".

    Raises
    ------
    TypeError, ValueError
        If X is not a finite matrix, c not an integer from 1 to n, or the method unknown.

    Notes
    -----
    Time: uniform, O(c); k-means and k-medoids, O(cp) for each of at most 5,000 rows; leverage and rpcholesky,
    O(nc²), the latter with O(nc) memory. Source: Kumar, Mohri and Talwalkar (2012) for uniform; Zhang,
    Tsang and Kwok (2008) for k-means; Musco and Musco (2017) for leverage scores; Chen, Epperly, Tropp
    and Webber (2023) for rpcholesky. Chapter: Nyström.
    """
    X = as_matrix(X)
    c = check_count("c", c, 1, len(X), "the number of rows")
    check_choice("method", method, LANDMARK_RULES)
    kernel = as_kernel(kernel, X.shape[1])
    chosen = LANDMARK_RULES[method](X, c, kernel, as_generator(random_state))
    return Landmarks(chosen, None) if chosen.ndim == 2 else Landmarks(X[chosen], chosen)


def uniform(X, c, kernel, rng):
    """Choose c different rows, all equally likely."""
    return rng.choice(len(X), c, replace=False)


def uniform_replace(X, c, kernel, rng):
    """Choose c rows that may repeat, all equally likely."""
    return rng.integers(len(X), size=c)


def kmeans(X, c, kernel, rng):
    """Give the centres that a few steps of Lloyd's algorithm reach."""
    pool = rng.choice(len(X), min(len(X), max(POOL, c)), replace=False)
    lloyd = KMeans(c, init="random", n_init=1, max_iter=SWEEPS, random_state=int(rng.integers(2**31)))
    power = np.frexp(np.abs(X[pool]).max())[1]  # in a unit of 2 to this power no square overflows
    with one_blas_thread():  # which KMeans wants too: by itself it sets back what others meanwhile had set
        return np.ldexp(lloyd.fit(np.ldexp(X[pool], -power)).cluster_centers_, power)


def kmedoids(X, c, kernel, rng):
    """Move each medoid to the member of its cluster that is nearest to all others, a few times."""
    pool = rng.choice(len(X), min(len(X), max(POOL, c)), replace=False)
    P, medoids = X[pool], np.arange(c)
    for _ in range(SWEEPS):
        nearest = cdist(P, P[medoids]).argmin(axis=1)
        for j in range(c):
            members = np.flatnonzero(nearest == j)
            if len(members):
                medoids[j] = members[cdist(P[members], P[members]).sum(axis=0).argmin()]
    return pool[medoids]


def leverage(X, c, kernel, rng):
    """Draw c different rows with probability in proportion to their leverage scores."""
    scores = leverage_scores(X, c, kernel, rng)
    return rng.choice(len(X), c, replace=False, p=scores / scores.sum())


def leverage_scores(X, c, kernel, rng):
    """
    Approximate the ridge leverage scores ℓᵢ = [G(G + ρI)⁻¹]ᵢᵢ from 2c uniform pilot rows.

    ρ is the sum of G's eigenvalues beyond the c largest, over c. In the form ℓᵢ = [G − G(G + ρI)⁻¹G]ᵢᵢ/ρ,
    with C and W the blocks of the pilot rows, a share s of all, G(G + ρI)⁻¹G ≈ C(W + sρI)⁻¹Cᵀ. Exact for
    2c ≥ n.
    """
    n = len(X)
    pilot = X[rng.choice(n, min(n, 2 * c), replace=False)].astype(np.float64)
    W, share = kernel.gram(pilot), len(pilot) / n
    eigenvalues, V = psd_eigh(W)
    tail = eigenvalues[: len(pilot) - c].sum() / share
    rho = max(tail / c, 1e-10 * np.trace(W) / share, np.finfo(float).tiny)
    whiten = V / np.sqrt(eigenvalues + share * rho)  # as V(Λ + sρ)⁻¹Vᵀ, which no rounding makes indefinite
    scores = np.empty(n)
    for rows in slices(n, HELD):
        block = X[rows].astype(np.float64)
        explained = kernel.gram(block, pilot) @ whiten
        scores[rows] = (kernel.diag(block) - np.sum(explained**2, axis=1)) / rho
    return scores.clip(1e-12, 1)


def rpcholesky(X, c, kernel, rng):
    """Pivot on row i with probability in proportion to what the rows before leave of Gᵢᵢ."""
    F = np.zeros((len(X), c))
    left = kernel.diag(X).astype(np.float64)
    exhausted = len(X) * np.finfo(X.dtype).eps * left.max()
    pivots = []
    while len(pivots) < c and left.any():
        i = rng.choice(len(X), p=left / left.sum())
        k = len(pivots)
        column = kernel.gram(X, X[i : i + 1])[:, 0] - F[:, :k] @ F[i, :k]
        F[:, k] = column / np.sqrt(left[i])  # column[i] but for rounding, and positive for certain
        left -= F[:, k] ** 2
        left[i] = 0
        left[left < exhausted] = 0  # rounding noise is no pivot
        pivots.append(i)
    rest = np.setdiff1d(np.arange(len(X)), pivots)  # G has no rank left: any other row adds nothing
    return np.concatenate([pivots, rng.permutation(rest)[: c - len(pivots)]]).astype(int)


LANDMARK_RULES = {
    "uniform": uniform,
    "uniform-replace": uniform_replace,
    "kmeans": kmeans,
    "kmedoids": kmedoids,
    "leverage": leverage,
    "rpcholesky": rpcholesky,
}
