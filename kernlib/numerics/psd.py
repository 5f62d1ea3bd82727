"""Solve with, decompose and invert a matrix that is positive semi-definite up to rounding."""

from contextlib import nullcontext

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray
from scipy import linalg
from scipy.linalg import lapack

from kernlib.numerics.blocks import one_blas_thread
from kernlib.numerics.conjugate_gradients import units_of
from kernlib.numerics.validation import as_matrix, check_count, check_positive

__all__ = [
    "EXACT_TO", "as_symmetric", "inverse_root", "noise_level", "pivoted_cholesky", "psd_eigh",
    "shifted_solve", "triangular_inverse_root",
]  # fmt: skip

# the errors of the entries of a Gram matrix, as parts of the largest entry
EXACT_TO = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-5}
EPS = np.finfo(np.float64).eps
REFINED_FROM = 2000  # rows; below, float32 saves less time than the residuals take
ALONE_UP_TO = 1000  # rows; above, the threads of BLAS save more time than they wait for each other


def as_symmetric(G: ArrayLike, name: str = "G") -> NDArray:
    """Convert G to a finite square array of floats, symmetric up to rounding; raise an error if it is not."""
    G = as_matrix(G, name)
    if G.shape[0] != G.shape[1]:
        raise ValueError(f"{name} must be square, got shape {G.shape}.")
    if not np.array_equal(G, G.T):
        gap, largest = np.abs(G - G.T).max(), np.abs(G).max()
        if gap > 100 * np.finfo(G.dtype).eps * len(G) * largest:
            raise ValueError(f"{name} must be symmetric, got entries that differ from G.T by {gap:.3g}.")
    return G


def psd_eigh(G: NDArray, exact_to: float | None = None, size: float = 0.0) -> tuple[NDArray, NDArray]:
    """Decompose G = UΛUᵀ; eigenvalues ascend, and are zero or more.

    G is exact to a part of its largest entry, or of `size`, which that entry had before G was centered.
    """
    exact_to = EXACT_TO[G.dtype] if exact_to is None else exact_to
    # the default driver loses digits where eigenvalues cluster
    eigenvalues, U = linalg.eigh(G.astype(np.float64, copy=False), driver="evd")
    largest = max(np.abs(eigenvalues).max(), size)
    # if the entries have errors of size e, an eigenvalue is off by at most ne
    if eigenvalues[0] < -len(G) * exact_to * largest:
        raise ValueError(f"G must be positive semi-definite, got the eigenvalue {eigenvalues[0]:.3g}.")
    # the lowest eigenvalue shows how large the errors are at least
    cut = max(len(G) * EPS * largest, -2 * eigenvalues[0])
    return np.where(eigenvalues > cut, eigenvalues, 0), U


def shifted_solve(
    A: NDArray, B: NDArray, shift: float, exact_to: float | None = None, size: float = 0.0
) -> NDArray:
    """Compute (A + shift I)⁻¹B for a Gram matrix A by a Cholesky decomposition, for a large A in float32.

    If errors of A's entries could cancel the shift, a decomposition with half of it comes first as a test. If
    A fails it, an eigendecomposition leaves out the part of the solution in Ker A, which would be rounding
    errors of B, or B itself, divided by almost zero. `size` is as in `psd_eigh`.
    """
    exact_to = EXACT_TO[A.dtype] if exact_to is None else exact_to
    A = A.astype(np.float64, copy=False)
    entry = max(A.diagonal().max(), size)  # the largest one of a Gram matrix
    in_doubt = shift <= 4 * len(A) * exact_to * entry
    if len(A) >= REFINED_FROM and not in_doubt:
        try:
            return refined_solve(A, B, shift)
        except linalg.LinAlgError:
            pass  # float64 will do

    def factor(shift):
        shifted = A.T.copy(order="F")  # the order that LAPACK factors in place
        shifted[np.diag_indices_from(shifted)] += shift
        return linalg.cho_factor(shifted, lower=True, overwrite_a=True)

    try:
        if in_doubt:
            # if even this is positive definite, no rounding error brings an eigenvalue of A + shift I near 0
            factor(shift / 2 - len(A) * EPS * max(linalg.norm(A, "fro"), size))
        return linalg.cho_solve(factor(shift), B)
    except linalg.LinAlgError:
        eigenvalues, U = psd_eigh(A, exact_to, size)
        kept = eigenvalues > 2 * len(A) * EPS * max(linalg.norm(A, "fro"), size)
        return (U[:, kept] / (eigenvalues[kept] + shift)) @ (U[:, kept].T @ B)


def refined_solve(A, B, shift):
    """Compute (A + shift I)⁻¹B by one Cholesky decomposition in float32, and residuals R in float64.

    A step X + (LLᵀ)⁻¹R reduces the error by a factor of about shift/(ε₃₂‖A‖), until ‖R‖ ≤ √n ε‖A‖‖X‖;
    LinAlgError is raised if float32 is too coarse for that. Source: Higham (2002), section 12.2.
    """
    norm = linalg.norm(A, "fro")
    if not shift > np.finfo(np.float32).eps * norm:
        raise linalg.LinAlgError("float32 has too few digits for this shift.")
    scale = A.diagonal().max() + shift  # which may be beyond float32
    low = np.divide(A.T, scale, out=np.empty(A.shape, np.float32, order="F"), casting="same_kind")
    low[np.diag_indices_from(low)] += shift / scale
    factor = linalg.cho_factor(low, lower=True, overwrite_a=True, check_finite=False)

    def step(R, size):
        unit = (R / np.where(size > 0, size, 1)).astype(np.float32)
        return linalg.cho_solve(factor, unit, check_finite=False).astype(np.float64) * (size / scale)

    units = units_of(B)
    X, R, size = np.zeros_like(B), B / units, linalg.norm(B / units, axis=0)
    while True:
        X, before = X + step(R, size), size
        R = B / units - A @ X - shift * X
        size = linalg.norm(R, axis=0)
        small = size <= np.sqrt(len(A)) * EPS * norm * linalg.norm(X, axis=0)
        if np.all(small):
            return (X + step(R, size)) * units
        if not np.all(small | (size <= before / 2)):
            raise linalg.LinAlgError("a step in float32 does not halve the residual.")


def noise_level(c: int, dtype: DTypeLike) -> float:
    """Return the part of max κ(x, x) up to which an eigenvalue or pivot σ of W, c × c in float64, is noise.

    A row of C in a dtype with rounding error ε is off by up to √c ε max κ, whose square is divided by σ; to
    cut at σ takes up to σ from ‖φ̂(z)‖² at a landmark z. At √c ε max κ the two are equal. W is exact to cε₆₄.
    """
    return float(max(np.sqrt(c) * np.finfo(dtype).eps, c * EPS))


def inverse_root(
    W: ArrayLike, rank: int | None = None, *, rtol: float | None = None, atol: float = 0.0
) -> tuple[NDArray, int]:
    """Compute M = V_k Σ_k^{−1/2} from the k largest eigenvalues of W; MMᵀ is the pseudo-inverse of W_k.

    O(c³). Chapter: Nyström.

    Parameters
    ----------
    W : array_like of shape (c, c)
        Symmetric positive semi-definite.
    rank : int, optional
        k, at most c; c by default.
    rtol, atol : float, optional
        An eigenvalue counts as zero if it is at most atol, or rtol, by default cε, times the largest.

    Returns
    -------
    M : ndarray of shape (c, k)
        In float64; its columns beyond the numerical rank of W are zero.
    kept : int
        How many columns are not zero.
    """
    W = as_symmetric(W, "W").astype(np.float64, copy=False)
    c = len(W)
    rank = c if rank is None else check_count("rank", rank, 1, c, "the size of W")
    rtol = c * EPS if rtol is None else check_positive("rtol", rtol, or_zero=True)
    sigma, V = linalg.eigh(W, driver="evd")  # all of them: faster than the drivers that can leave some out
    sigma, V = sigma[: -rank - 1 : -1], V[:, : -rank - 1 : -1]
    kept = int(np.sum(sigma > max(rtol * sigma[0], check_positive("atol", atol, or_zero=True))))
    M = np.zeros((c, rank))
    M[:, :kept] = V[:, :kept] / np.sqrt(sigma[:kept])
    return M, kept


def triangular_inverse_root(W: NDArray, *, rtol: float | None = None) -> tuple[NDArray, NDArray]:
    """Compute the r pivots of PᵀWP = LLᵀ, a Cholesky decomposition, in order, and L^{−T}, upper triangular.

    MMᵀ = W_r^{−1} if M has the rows of L^{−T} at the pivots and zeros elsewhere. What is left when a pivot is
    at most rtol times the largest κ(z, z), by default cε, counts as zero. It takes ⅔c³ operations, all
    eigenvectors about 9c³. Source: Higham (2002), section 10.3. Chapter: Nyström.
    """
    with one_blas_thread() if len(W) <= ALONE_UP_TO else nullcontext():
        L, pivots = pivoted_cholesky(W, len(W) * EPS if rtol is None else rtol)
        r = L.shape[1]
        # a W of zeros has no pivot, and LAPACK inverts no empty matrix
        inverse = lapack.dtrtri(L[:r], lower=1)[0] if r else L[:0]
    return pivots[:r], inverse.T


def pivoted_cholesky(W: NDArray, rtol: float) -> tuple[NDArray, NDArray]:
    """Compute L, of shape (c, r), and the order P of the rows in PᵀWP ≈ LLᵀ, as `triangular_inverse_root`."""
    # the transpose of a symmetric matrix is in LAPACK's order
    L, pivots, r, _ = lapack.dpstrf(W.T, tol=rtol * W.diagonal().max(), lower=1)
    return np.tril(L[:, :r]), pivots - 1  # LAPACK leaves the other triangle undefined
