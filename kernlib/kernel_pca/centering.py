"""The centered Gram matrix HGH, its rows for new points, and its largest eigenvalues."""

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg
from scipy.linalg import get_blas_funcs
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from kernlib.numerics.psd import as_symmetric
from kernlib.numerics.rows import check_columns
from kernlib.numerics.validation import as_matrix

__all__ = ["center_gram", "center_rows", "top_eigenpairs_centered"]

OPERATOR_FROM = 500  # rows; a full decomposition of a smaller matrix is fast, and always converges


def center_gram(G: ArrayLike) -> NDArray:
    """Compute HGH with H = I − 11ᵀ/n, the Gram matrix of φ(xᵢ) − φ̄: Gᵢⱼ − ḡᵢ − ḡⱼ + ḡ.

    O(n²). Source: Schölkopf, Smola and Müller (1998). Chapter: Kernel PCA.

    Parameters
    ----------
    G : array_like of shape (n, n)
        Symmetric; ḡᵢ are the means of its columns, ḡ is the mean of all entries.

    Returns
    -------
    ndarray of shape (n, n)
        Exactly symmetric if G is; in G's dtype.
    """
    G = as_symmetric(G)
    means = G.mean(axis=1, dtype=np.float64)  # of rows: they equal those of columns, and are more accurate
    return (G - (np.add.outer(means, means) - means.mean())).astype(G.dtype, copy=False)


def center_rows(K: ArrayLike, G: ArrayLike) -> NDArray:
    """Compute (K − 1ḡᵀ)H, the inner products of φ(x) − φ̄ with φ(xᵢ) − φ̄, where φ̄ is the *training* mean.

    O(mn + n²). Source: Schölkopf, Smola and Müller (1998). Chapter: Kernel PCA.

    Parameters
    ----------
    K, G : array_like of shape (m, n) and (n, n)
        κ(x, xᵢ) for m new points x, and the Gram matrix of the xᵢ, not centered, with ḡ as column means.

    Returns
    -------
    ndarray of shape (m, n)
        ``center_gram(G)`` if K is G itself; in the dtype of K and G.
    """
    K, G = as_matrix(K, "K"), as_symmetric(G)
    check_columns("K", K.shape[1], len(G), "G")
    rows = K - G.mean(axis=1, dtype=np.float64)
    rows -= rows.mean(axis=1, keepdims=True)
    return rows.astype(np.result_type(K, G), copy=False)


def top_eigenpairs_centered(G: NDArray, k: int, rng: np.random.Generator) -> tuple[NDArray, NDArray]:
    """Compute the k largest eigenvalues of HGH from G, largest first, and their eigenvectors (n, k)."""
    n = len(G)
    whole = n <= max(10 * k, OPERATOR_FROM)
    if not whole:
        symv = get_blas_funcs("symv", (G,))  # reads only half of G, and uses the same BLAS as the iteration
        half = np.asfortranarray(G.T)

        def multiply(v):  # H(G(Hv)); the product is in G's dtype, which is how accurate G is
            u = symv(1.0, half, v - v.mean(), lower=True).astype(np.float64)
            return u - u.mean()

        HGH = LinearOperator((n, n), matvec=multiply, dtype=np.float64)
        try:
            lam, V = eigsh(HGH, k, which="LA", v0=multiply(rng.normal(size=n)), tol=np.finfo(G.dtype).eps)
        except ArpackError:  # the iteration can break down if the rank is below k
            whole = True
    if whole:
        centered = center_gram(G.astype(np.float64))
        part = [n - k, n - 1] if 5 * k <= n else None  # computing more than a fifth is slower than all
        lam, V = linalg.eigh(centered, subset_by_index=part)
        if len(lam) < k:  # LAPACK can miss some of many equal eigenvalues, but not if it computes all
            lam, V = linalg.eigh(centered, driver="evd")
    order = np.argsort(-lam)[:k]
    lam, V = lam[order], V[:, order]
    V *= np.sign(V[np.abs(V).argmax(axis=0), np.arange(k)])
    return lam, V
