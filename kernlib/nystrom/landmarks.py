"""Rules for choosing landmarks, the points that Nyström's approximation is built on."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from sklearn.cluster import KMeans

from kernlib.kernels import Kernel, as_kernel
from kernlib.kernels.choice import KernelLike
from kernlib.numerics.blocks import one_blas_thread, slices
from kernlib.numerics.psd import psd_eigh
from kernlib.numerics.validation import Seed, as_generator, as_matrix, check_choice, check_count

__all__ = ["LANDMARK_RULES", "Landmarks", "leverage_scores", "select_landmarks"]

SAMPLE = 5000  # rows that k-means and k-medoids use at most; more move the landmarks little
BLOCK_ROWS = 5000  # rows whose kernel block leverage scores hold at once
SWEEPS = 5  # of k-means and k-medoids: the first few bring nearly all of the gain


class Landmarks(NamedTuple):
    """Landmarks, of shape (c, p), and their row numbers in the data, or None if they are not rows of it."""

    points: NDArray
    indices: NDArray | None


def select_landmarks(
    X: ArrayLike, c: int, *, method: str = "uniform", kernel: KernelLike = None, random_state: Seed = None
) -> Landmarks:
    """Choose c landmarks for the rows of X.

    Time: O(c) for uniform; O(cp) for each of at most 5,000 rows for k-means and k-medoids; O(nc²) for
    leverage and rpcholesky, the latter with O(nc) memory. Source: Kumar, Mohri and Talwalkar (2012) for
    uniform; Zhang, Tsang and Kwok (2008) for k-means; Musco and Musco (2017) for leverage scores; Chen,
    Epperly, Tropp and Webber (2023) for rpcholesky. Chapter: Nyström.

    Parameters
    ----------
    X : array_like of shape (n, p)
        Rows are observations.
    c : int
        Number of landmarks, from 1 to n.
    method : {"uniform", "uniform-replace", "kmeans", "kmedoids", "leverage", "rpcholesky"}
        "uniform": c rows without replacement. "uniform-replace": with replacement, as in the lab. "kmeans":
        centers of clusters, which are not rows of X. "kmedoids": rows at the centers of clusters. "leverage":
        rows drawn with probability proportional to their approximate ridge leverage scores. "rpcholesky": the
        pivots of a randomly pivoted Cholesky decomposition of G.
    kernel : Kernel or str, optional
        κ for "leverage" and "rpcholesky", as `kernlib.kernels.as_kernel` takes it.
    random_state : None, int, Generator or RandomState
        Source of the random draws.

    Returns
    -------
    Landmarks
        ``points`` of shape (c, p), and ``indices`` of shape (c,), or None for "kmeans".
    """
    X = as_matrix(X)
    c = check_count("c", c, 1, len(X), "the number of rows")
    check_choice("method", method, LANDMARK_RULES)
    chosen = LANDMARK_RULES[method](X, c, as_kernel(kernel, X.shape[1]), as_generator(random_state))
    return Landmarks(chosen, None) if chosen.ndim == 2 else Landmarks(X[chosen], chosen)


def kmeans(X, c, kernel, rng):
    """Compute cluster centers by a few steps of Lloyd's algorithm on a sample of the rows."""
    sample = X[draw_sample(X, c, rng)]
    exponent = np.frexp(np.abs(sample).max())[1]  # in units of 2 to this power, no square overflows
    lloyd = KMeans(c, init="random", n_init=1, max_iter=SWEEPS, random_state=int(rng.integers(2**31)))
    with one_blas_thread():  # KMeans limits BLAS too, and would then undo what other threads have set
        return np.ldexp(lloyd.fit(np.ldexp(sample, -exponent)).cluster_centers_, exponent)


def kmedoids(X, c, kernel, rng):
    """Move each medoid a few times to the member of its cluster with the smallest sum of distances to it."""
    rows = draw_sample(X, c, rng)
    sample, medoids = np.ldexp(X[rows], -np.frexp(np.abs(X[rows]).max())[1]), np.arange(c)
    for _ in range(SWEEPS):
        nearest = cdist(sample, sample[medoids]).argmin(axis=1)
        for j in range(c):
            members = np.flatnonzero(nearest == j)
            if len(members):
                medoids[j] = members[cdist(sample[members], sample[members]).sum(axis=0).argmin()]
    return rows[medoids]


def draw_sample(X, c, rng):
    """Draw `SAMPLE` different rows, in random order: all n if there are fewer, c if that is more."""
    return rng.choice(len(X), min(len(X), max(SAMPLE, c)), replace=False)


def draw_by_leverage(X, c, kernel, rng):
    """Draw c different rows with probabilities proportional to their leverage scores."""
    scores = leverage_scores(X, c, kernel, rng)
    return rng.choice(len(X), c, replace=False, p=scores / scores.sum())


def leverage_scores(X: NDArray, c: int, kernel: Kernel, rng: np.random.Generator) -> NDArray:
    """Approximate the ridge leverage scores ℓᵢ = [G(G + ρI)⁻¹]ᵢᵢ from 2c uniform pilot rows.

    ρ is 1/c times the sum of all but the c largest eigenvalues of G. In ℓᵢ = [G − G(G + ρI)⁻¹G]ᵢᵢ/ρ, the
    blocks C and W of the pilot rows, a share s of all rows, give G(G + ρI)⁻¹G ≈ C(W + sρI)⁻¹Cᵀ.
    """
    n = len(X)
    pilot = X[rng.choice(n, min(n, 2 * c), replace=False)].astype(np.float64)
    W, share = kernel.gram(pilot), len(pilot) / n
    eigenvalues, V = psd_eigh(W)
    tail = eigenvalues[: len(pilot) - c].sum() / share
    rho = max(tail / c, 1e-10 * np.trace(W) / share, np.finfo(float).tiny)
    whiten = V / np.sqrt(eigenvalues + share * rho)  # a root of V(Λ + sρ)⁻¹Vᵀ stays real despite rounding
    scores = np.empty(n)
    for rows in slices(n, BLOCK_ROWS):
        block = X[rows].astype(np.float64)
        explained = kernel.gram(block, pilot) @ whiten
        scores[rows] = (kernel.diag(block) - np.sum(explained**2, axis=1)) / rho
    return scores.clip(1e-12, 1)  # a positive probability for every row


def rpcholesky(X, c, kernel, rng):
    """Draw each pivot i with probability proportional to what the earlier pivots leave of Gᵢᵢ."""
    F = np.zeros((c, len(X)))
    rows = kernel.prepare(X)
    left = kernel.diag(X).astype(np.float64)
    exhausted = c * np.finfo(X.dtype).eps * left.max()  # c subtractions, each rounded
    pivots = []
    while len(pivots) < c and left.any():
        i = rng.choice(len(X), p=left / left.sum())
        k = len(pivots)
        row = kernel.values(X[i : i + 1], rows)[0] - F[:k, i] @ F[:k]
        F[k] = row / np.sqrt(left[i])  # left[i] equals row[i] up to rounding, but is positive
        left -= F[k] ** 2
        left[i] = 0
        left[left < exhausted] = 0  # rounding errors are not pivots
        pivots.append(i)
    rest = np.setdiff1d(np.arange(len(X)), pivots)  # beyond the rank of G, any other row adds nothing
    return np.concatenate([pivots, rng.permutation(rest)[: c - len(pivots)]]).astype(int)


LANDMARK_RULES: dict[str, Callable[..., NDArray]] = {
    "uniform": lambda X, c, kernel, rng: rng.choice(len(X), c, replace=False),
    "uniform-replace": lambda X, c, kernel, rng: rng.integers(len(X), size=c),
    "kmeans": kmeans,
    "kmedoids": kmedoids,
    "leverage": draw_by_leverage,
    "rpcholesky": rpcholesky,
}
