"""What all solvers ask of a positive semi-definite matrix that is one up to rounding.

Chapters: Representer theorem and duality; Nyström; Kernel PCA.
"""

from contextlib import nullcontext

import numpy as np
from scipy import linalg
from scipy.linalg import lapack

from kernlib.numerics.blocks import one_blas_thread
from kernlib.numerics.validation import as_matrix, check_count, check_positive

__all__ = ["EXACT_TO", "as_symmetric", "inverse_root", "psd_eigh", "shifted_solve", "triangular_inverse_root"]

# how far off the entries of a Gram matrix may be, in parts of the largest
EXACT_TO = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 1e-5}
REFINED_FROM = 2000  # rows; for fewer, what float32 saves is less than what the residuals take
ALONE_UP_TO = 1000  # rows; for more, threads of BLAS save more than they wait for each other


def as_symmetric(G, name="G"):
    """Give G as an array of floats; refuse by name what isn't finite, square and symmetric up to rounding."""
    G = as_matrix(G, name)
    if G.shape[0] != G.shape[1]:
        raise ValueError(f"{name} must be square, got shape {G.shape}.")
    if not np.array_equal(G, G.T):
        gap, largest = np.abs(G - G.T).max(), np.abs(G).max()
        if gap > 100 * np.finfo(G.dtype).eps * len(G) * largest:
            raise ValueError(
                f"{name} must be symmetric, got entries that differ from their mirror by {gap:.3g}."
            )
    return G


def psd_eigh(G, exact_to=None):
    """
    Decompose a Gram matrix, G = UΛUᵀ: eigenvalues in ascending order, zero where they are so up to rounding.

    An eigenvalue that is negative beyond what `exact_to`, the errors of the entries in parts of the largest,
    explain is refused: no kernel gave this matrix. Errors of size e move no eigenvalue by more than ne, so
    the lowest tells how large they are at least: what lies no farther above zero than that one below counts
    as zero, too.
    """
    exact_to = EXACT_TO[G.dtype] if exact_to is None else exact_to
    # the default driver loses digits where eigenvalues cluster
    eigenvalues, U = linalg.eigh(G.astype(np.float64, copy=False), driver="evd")
    largest = np.abs(eigenvalues).max()
    if eigenvalues[0] < -len(G) * exact_to * largest:
        raise ValueError(
            f"G must be positive semi-definite, as the Gram matrix of a kernel is, got the eigenvalue "
            f"{eigenvalues[0]:.3g}."
        )
    cut = max(len(G) * np.finfo(np.float64).eps * largest, -2 * eigenvalues[0])
    return np.where(eigenvalues > cut, eigenvalues, 0), U


def shifted_solve(A, B, shift, exact_to=None):
    """
    Compute (A + shift I)⁻¹B for a positive semi-definite A and a positive shift.

    Where the shift is lost in the rounding of a singular A, the part of the solution in Ker A is left out:
    it would be B's rounding errors, or B itself, divided by nearly nothing. B is in float64; `exact_to` are
    the errors of A's entries, as in `psd_eigh`.

    One Cholesky decomposition, of a large A in float32 where the shift allows it (`refined_solve`); two, the
    first as a test, where the shift is no larger than what the errors of A's entries can move an eigenvalue
    by; and an eigendecomposition where A fails the test.
    """
    exact_to = EXACT_TO[A.dtype] if exact_to is None else exact_to
    A = A.astype(np.float64, copy=False)
    in_doubt = shift <= 4 * len(A) * exact_to * A.diagonal().max()  # no entry of a Gram matrix is larger
    if len(A) >= REFINED_FROM and not in_doubt:
        try:
            return refined_solve(A, B, shift)
        except linalg.LinAlgError:
            pass  # so it takes float64

    def factor(shift):
        shifted = A.T.copy(order="F")  # in the order that LAPACK factors in place
        shifted[np.diag_indices_from(shifted)] += shift
        return linalg.cho_factor(shifted, lower=True, overwrite_a=True)

    try:
        if in_doubt:
            # if even this is positive, no rounding error brings an eigenvalue of A + shift I near zero
            factor(shift / 2 - len(A) * np.finfo(np.float64).eps * linalg.norm(A))
        return linalg.cho_solve(factor(shift), B)
    except linalg.LinAlgError:
        eigenvalues, U = psd_eigh(A, exact_to)
        kept = eigenvalues > 2 * len(A) * np.finfo(np.float64).eps * linalg.norm(A)
        return (U[:, kept] / (eigenvalues[kept] + shift)) @ (U[:, kept].T @ B)


def refined_solve(A, B, shift):
    """
    Compute (A + shift I)⁻¹B by one Cholesky decomposition in float32, and residuals R in float64.

    A step X + (LLᵀ)⁻¹R makes the error smaller by a factor of the order of shift/(ε₃₂‖A‖), as float32's ε₃₂
    is what LLᵀ is off by. The step after ‖R‖ ≤ √n ε‖A‖‖X‖, in Frobenius's norm and for each column of B, is
    the last: there X is the solution for a matrix that differs from A by rounding, as Cholesky's in float64
    is. Where the shift is below ε₃₂‖A‖, Cholesky's decomposition breaks down, or a step does not halve R:
    LinAlgError.

    Source: Higham, Accuracy and Stability of Numerical Algorithms (2002), section 12.2; the criterion is that
    of LAPACK's dsposv.
    """
    norm, eps = linalg.norm(A), np.finfo(np.float64).eps
    if not shift > np.finfo(np.float32).eps * norm:
        raise linalg.LinAlgError("float32 has too few digits for this shift.")
    scale = A.diagonal().max() + shift  # of which float32 may have no number
    low = np.divide(A.T, scale, out=np.empty(A.shape, np.float32, order="F"), casting="same_kind")
    low[np.diag_indices_from(low)] += shift / scale
    factor = linalg.cho_factor(low, lower=True, overwrite_a=True, check_finite=False)

    def step(R, size):
        unit = (R / np.where(size > 0, size, 1)).astype(np.float32)
        return linalg.cho_solve(factor, unit, check_finite=False).astype(np.float64) * (size / scale)

    X, R, size = np.zeros_like(B), B, linalg.norm(B, axis=0)
    while True:
        X, before = X + step(R, size), size
        R = B - A @ X - shift * X
        size = linalg.norm(R, axis=0)
        small = size <= np.sqrt(len(A)) * eps * norm * linalg.norm(X, axis=0)
        if np.all(small):
            return X + step(R, size)
        if not np.all(small | (size <= before / 2)):
            raise linalg.LinAlgError("float32's decomposition does not halve the residual.")


def inverse_root(W, rank=None, *, rtol=None):
    """
    Compute M = V_k Σ_k^{−1/2} from the k largest eigenvalues of W, so that MMᵀ is the pseudo-inverse of W_k.

    An eigenvalue at or below rtol times the largest counts as zero: its column would be rounding noise
    divided by nearly nothing.

    Parameters
    ----------
    W : ndarray of shape (c, c)
        Symmetric positive semi-definite.
    rank : int, optional
        k, at most c; c where it is not given.
    rtol : float, optional
        Relative cut; c times float64's ε where it is not given.

    Returns
    -------
    M : ndarray of shape (c, k)
        In float64; its columns beyond the numerical rank of W are zero.
    kept : int
        How many columns are not.

    Raises
    ------
    TypeError, ValueError
        If W is not a finite symmetric matrix, or the rank not between 1 and c.

    Notes
    -----
    O(c³). Chapter: Nyström.
    """
    W = as_symmetric(W, "W").astype(np.float64, copy=False)
    c = len(W)
    rank = c if rank is None else check_count("rank", rank, 1, c, "the size of W")
    rtol = c * np.finfo(np.float64).eps if rtol is None else check_positive("rtol", rtol, or_zero=True)
    sigma, V = linalg.eigh(W, driver="evd")  # all of them: faster than the drivers that can leave some out
    sigma, V = sigma[: -rank - 1 : -1], V[:, : -rank - 1 : -1]
    kept = int(np.sum(sigma > max(rtol * sigma[0], 0)))
    M = np.zeros((c, rank))
    M[:, :kept] = V[:, :kept] / np.sqrt(sigma[:kept])
    return M, kept


def triangular_inverse_root(W, *, rtol=None):
    """
    Compute L^{−T} from PᵀWP = LLᵀ, Cholesky's decomposition of W whose pivot is always the largest left.

    For the r pivots, MMᵀ = W_r^{−1}, where M has the rows of L^{−T} at the pivots and zero elsewhere. So
    CMMᵀCᵀ is Nyström's matrix, as with `inverse_root`, up to what the cuts leave out.

    A pivot is what the landmarks before it leave of a landmark's κ(z, z). At or below rtol times the largest
    κ(z, z) all that is left counts as zero, and W misses at most that much of any entry. With rtol = cε this
    is the error that entries and rounding explain, for ε the precision of the kernel values that M is
    multiplied with. Their errors, of ε each, grow by ‖M‖√r, about √(r/cε): what features may be off by is of
    the order of √ε, as it is with a cut of eigenvalues.

    Parameters
    ----------
    W : ndarray of shape (c, c)
        A Gram matrix.
    rtol : float, optional
        Relative cut; c times float64's ε where it is not given.

    Returns
    -------
    pivots : ndarray of shape (r,)
        Rows of W in the order in which they were chosen.
    M : ndarray of shape (r, r)
        L^{−T}, upper triangular, in float64.

    Notes
    -----
    c³/3 operations for each of the decomposition and the inverse; all eigenvectors take about 9c³. Source:
    Higham, Accuracy and Stability of Numerical Algorithms (2002), section 10.3. Chapter: Nyström.
    """
    rtol = len(W) * np.finfo(np.float64).eps if rtol is None else rtol
    with one_blas_thread() if len(W) <= ALONE_UP_TO else nullcontext():
        # the transpose of a symmetric matrix is in LAPACK's order
        L, pivots, r, _ = lapack.dpstrf(W.T, tol=rtol * W.diagonal().max(), lower=1)
        inverse, _ = lapack.dtrtri(L[:r, :r], lower=1, overwrite_c=1)
    return pivots[:r] - 1, np.triu(inverse.T)  # what LAPACK leaves beside the triangle is none of it
