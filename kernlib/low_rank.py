"""The best approximation of rank k, and the errors of low-rank approximations. Chapter: Rank truncation."""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg
from scipy.sparse.linalg import eigsh, svds
from sklearn.utils.extmath import randomized_range_finder

from kernlib.numerics.psd import as_symmetric
from kernlib.numerics.validation import Seed, as_generator, as_matrix, check_choice, check_count

__all__ = ["rank_trunc", "relative_error", "truncation_errors"]

Method = Literal["fast", "slow", "eigh", "eigsh", "randomized"]


def rank_trunc(G: ArrayLike, k: int, method: Method = "fast", *, random_state: Seed = None) -> NDArray:
    """Compute G_k, the symmetric matrix of rank at most k that is nearest to G in the Frobenius norm.

    With G = UΛUᵀ and the eigenvalues in the order of their magnitudes (G may be indefinite), G_k = Σ_{i≤k}
    λᵢuᵢuᵢᵀ and ‖G − G_k‖_F = √(Σ_{i>k} λᵢ²). O(n³) for "slow" and "eigh", O(kn²) for the others. Source:
    Eckart and Young (1936); for "randomized", Halko, Martinsson and Tropp (2011). Chapter: Rank truncation.

    Parameters
    ----------
    G : array_like of shape (n, n)
        Symmetric.
    k : int
        The rank, from 0 to n.
    method : {"fast", "slow", "eigh", "eigsh", "randomized"}
        "fast" and "slow" are the lab's, ``scipy.sparse.linalg.svds`` and ``scipy.linalg.svd``; "eigh" and
        "eigsh" use the symmetry as well, which matters if λ_k = −λ_{k+1}; "randomized" projects on the range
        of G applied to k + 10 random vectors, and comes near to G_k without reaching it.
    random_state : None, int, Generator or RandomState
        The start of "fast" and "eigsh", which affects only their last digits; the draws of "randomized".

    Returns
    -------
    ndarray of shape (n, n)
        G_k, in G's dtype; computed in float64.
    """
    G = as_symmetric(G)
    n = len(G)
    k = check_count("k", k, 0, n, "the size of G")
    check_choice("method", method, get_args(Method))
    if k in (0, n) or not G.any():
        return G.copy() if k else np.zeros_like(G)
    scale = np.ldexp(1.0, np.frexp(np.abs(G).max())[1])  # near 1, no square of an entry overflows
    A, rng = G.astype(np.float64, copy=False) / scale, as_generator(random_state)
    if method == "fast":
        U, s, Vt = svds(A, k, v0=rng.normal(size=n))
    elif method == "slow":
        U, s, Vt = linalg.svd(A)
    else:
        if method == "eigh":
            s, U = linalg.eigh(A)
        elif method == "eigsh":
            s, U = eigsh(A, k, which="LM", v0=rng.normal(size=n))
        else:
            seed = int(rng.integers(2**31))
            Q = randomized_range_finder(A, size=min(k + 10, n), n_iter=4, random_state=seed)
            s, V = linalg.eigh(Q.T @ A @ Q)
            U = Q @ V
        Vt = U.T
    top = np.argsort(-np.abs(s))[:k]
    Gk = (U[:, top] * s[top]) @ Vt[top] * scale
    return Gk.astype(G.dtype, copy=False)


def truncation_errors(G: ArrayLike) -> NDArray:
    """Compute ‖G − G_k‖_F / ‖G‖_F = √(Σ_{i>k} λᵢ²) / √(Σᵢ λᵢ²) for every k, without any G_k.

    One O(n³) decomposition for all k. Source: Eckart and Young (1936). Chapter: Rank truncation.

    Parameters
    ----------
    G : array_like of shape (n, n)
        Symmetric, not zero.

    Returns
    -------
    ndarray of shape (n + 1,)
        The relative errors for k = 0, …, n: from 1 down to 0.
    """
    G = as_symmetric(G).astype(np.float64, copy=False)
    if not G.any():
        raise ValueError("G must not be zero: a relative error needs a norm to divide by.")
    eigenvalues = linalg.eigvalsh(G)
    squares = np.sort((eigenvalues / np.abs(eigenvalues).max()) ** 2)
    tails = np.concatenate([[0], np.cumsum(squares)])[::-1]
    return np.sqrt(tails / tails[0])


def relative_error(Z: ArrayLike, G: ArrayLike) -> float:
    """Compute ‖ZZᵀ − G‖_F / ‖G‖_F, the error of features. Chapters: Random Fourier features; Nyström.

    Parameters
    ----------
    Z, G : array_like of shape (n, c) and (n, n)
        Features, in rows, and the Gram matrix, not zero.

    Returns
    -------
    float
        The relative error.
    """
    Z, G = (as_matrix(A, name).astype(np.float64, copy=False) for A, name in ((Z, "Z"), (G, "G")))
    if G.shape != (len(Z), len(Z)):
        raise ValueError(f"G must have shape ({len(Z)}, {len(Z)}), as Z has {len(Z)} rows, got {G.shape}.")
    if not G.any():
        raise ValueError("G must not be zero: a relative error needs a norm to divide by.")
    scale = np.ldexp(1.0, np.frexp(np.abs(G).max())[1] // 2)  # in units of its square, squares stay in range
    root, whole = Z / scale, G / scale / scale
    return float(np.linalg.norm(root @ root.T - whole) / np.linalg.norm(whole))
