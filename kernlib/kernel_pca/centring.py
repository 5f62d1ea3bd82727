"""The centred Gram matrix HGH, its rows for new points, and its largest eigenvalues.

Chapter: Kernel PCA.
"""

import numpy as np
from scipy import linalg
from scipy.linalg import get_blas_funcs
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from kernlib.numerics.psd import as_symmetric
from kernlib.numerics.validation import as_matrix

__all__ = ["center_gram", "center_rows", "top_eigenpairs_centered"]

OPERATOR_FROM = 500  # rows; decomposing a smaller matrix whole is quick, and needs no iteration to converge


def center_gram(G):
    """
    Compute HGH with H = I − 11ᵀ/n, the Gram matrix of φ(xᵢ) − φ̄: Gᵢⱼ − ḡᵢ − ḡⱼ + ḡ.

    Parameters
    ----------
    G : array_like of shape (n, n)
        Symmetric; ḡᵢ are the means of its columns, ḡ that of all entries.

    Returns
    -------
    ndarray of shape (n, n)
        Exactly symmetric if G is; in G's dtype.

    Raises
    ------
    TypeError, ValueError
        If G is not a finite symmetric matrix.

    Notes
    -----
    O(n²). Source: Schölkopf, Smola and Müller (1998). Chapter: Kernel PCA.
    """
    G = as_symmetric(G)
    means = G.mean(axis=1, dtype=np.float64)  # of rows, as of columns, but summed pairwise, to the last digit
    return (G - (np.add.outer(means, means) - means.mean())).astype(G.dtype, copy=False)


def center_rows(K, G):
    """
    Compute (K − 1ḡᵀ)H, the inner products of φ(x) − φ̄ with φ(xᵢ) − φ̄, where φ̄ is the *training* mean.

    Parameters
    ----------
    K : array_like of shape (m, n)
        κ(x, xᵢ) for m new points x and the n training points xᵢ.
    G : array_like of shape (n, n)
        The training points' Gram matrix, not centred; ḡ are the means of its columns.

    Returns
    -------
    ndarray of shape (m, n)
        ``center_gram(G)`` where K is G itself; in the dtype of K and G.

    Raises
    ------
    TypeError, ValueError
        If G is not a finite symmetric matrix, or K not a finite one with as many columns.

    Notes
    -----
    O(mn + n²). Source: Schölkopf, Smola and Müller (1998). Chapter: Kernel PCA.
    """
    K, G = as_matrix(K, "K"), as_symmetric(G)
    if K.shape[1] != len(G):
        raise ValueError(f"K must have one column for each of the {len(G)} rows of G, got {K.shape[1]}.")
    rows = K - G.mean(axis=1, dtype=np.float64)
    rows -= rows.mean(axis=1, keepdims=True)
    return rows.astype(np.result_type(K, G), copy=False)


def top_eigenpairs_centered(G, k, rng):
    """
    Compute the k largest eigenvalues of HGH from G, largest first, and their eigenvectors (n, k).

    In each of these, the entry that is largest in size is positive. `rng` draws the start of the iteration.
    """
    n = len(G)
    whole = n <= max(10 * k, OPERATOR_FROM)
    if not whole:
        symv = get_blas_funcs("symv", (G,))  # reads one half of G, and shares the iteration's own BLAS
        half = np.asfortranarray(G.T)

        def centered(v):  # H(G(Hv)); the product in G's dtype, which is what G is exact to
            u = symv(1.0, half, v - v.mean(), lower=True).astype(np.float64)
            return u - u.mean()

        HGH, start = LinearOperator((n, n), matvec=centered, dtype=np.float64), rng.normal(size=n)
        try:
            lam, V = eigsh(HGH, k, which="LA", v0=centered(start), tol=np.finfo(G.dtype).eps)
        except ArpackError:  # the iteration can break off where the rank is below k
            whole = True
    if whole:
        lam, V = linalg.eigh(center_gram(G.astype(np.float64)), subset_by_index=[n - k, n - 1])
    order = np.argsort(-lam)
    lam, V = lam[order], V[:, order]
    V *= np.sign(V[np.abs(V).argmax(axis=0), np.arange(k)])
    return lam, V
