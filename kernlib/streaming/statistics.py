"""The sums over the data that ridge regression on features needs.

Chapter: Beyond one machine.
"""

from collections import deque
from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse
from sklearn.utils import assert_all_finite, gen_batches
from tqdm import tqdm

from kernlib.blocks import one_blas_thread, workers
from kernlib.low_rank import shifted_solve
from kernlib.validation import as_matrix, as_targets, check_positive

__all__ = ["RidgeStatistics", "ridge_statistics"]

ROWS = 8192  # of a slice: enough that its c × c product outweighs adding it up


@dataclass(frozen=True, eq=False)
class RidgeStatistics:
    """
    What ridge regression needs of n rows: n, ZᵀZ = Σ zᵢzᵢᵀ and Zᵀy = Σ yᵢzᵢ, where zᵢ = φ̂(xᵢ).

    All three are sums over the rows, so those of two parts of the data add up to those of the whole:
    ``first + second``.

    Parameters
    ----------
    n : int
        Number of rows.
    gram : ndarray of shape (c, c)
        ZᵀZ, in float64.
    moment : ndarray of shape (c,) or (c, q)
        Zᵀy, in float64, a column for each output.

    Raises
    ------
    ValueError
        From ``first + second``, if they differ in c or q.

    Notes
    -----
    O(c² + cq) memory, whatever n. Source: Chu et al. (2006). Chapter: Beyond one machine.
    """

    n: int
    gram: np.ndarray
    moment: np.ndarray

    def __add__(self, other):
        if not isinstance(other, RidgeStatistics):
            return NotImplemented
        if self.moment.shape != other.moment.shape:
            raise ValueError(
                f"all parts must have the same features and outputs, got Zᵀy of shape {self.moment.shape} "
                f"and {other.moment.shape}."
            )
        return RidgeStatistics(self.n + other.n, self.gram + other.gram, self.moment + other.moment)

    def solve(self, *, lam):
        """
        Compute w = (ZᵀZ + nλI)⁻¹Zᵀy, the weights of f(x) = wᵀφ̂(x).

        Parameters
        ----------
        lam : float
            λ > 0; scikit-learn's Ridge calls nλ alpha.

        Returns
        -------
        ndarray of shape (c,) or (c, q)
            w, in float64.

        Raises
        ------
        TypeError, ValueError
            If λ is not a positive number.

        Notes
        -----
        O(c³), for every λ anew, without the data. Where nλ is lost in the rounding of a singular ZᵀZ, the
        part of w in its kernel is left out, as in `kernlib.ridge.primal_ridge`.
        """
        check_positive("lam", lam)
        shift = self.n * lam
        rounding = len(self.gram) * np.finfo(np.float64).eps * linalg.norm(self.gram)
        halfway = self.gram.copy()
        halfway[np.diag_indices_from(halfway)] += shift / 2 - rounding
        try:  # if even this is positive, no rounding error brings an eigenvalue of ZᵀZ + nλI near zero
            linalg.cholesky(halfway, overwrite_a=True, check_finite=False)
        except linalg.LinAlgError:
            eigenvalues, U = linalg.eigh(self.gram, driver="evd")
            # none is negative but for rounding: the lowest tells how large the errors are, in float32 too
            kept = eigenvalues > 2 * max(-eigenvalues[0], rounding)
            return (U[:, kept] / (eigenvalues[kept] + shift)) @ (U[:, kept].T @ self.moment)
        return shifted_solve(self.gram, self.moment, shift)


def ridge_statistics(features, X, y, *, verbose=False):
    """
    Compute n, ZᵀZ and Zᵀy for the rows zᵢ = φ̂(xᵢ), without ever holding Z.

    Parameters
    ----------
    features : transformer
        A fitted `FourierFeatures`, `NystromFeatures` or scikit-learn transformer; φ̂ is its `transform`.
    X : array_like of shape (n, p)
        Rows are observations. An array that is read from a file as it is sliced, such as ``np.memmap``,
        never comes into the memory whole.
    y : array_like of shape (n,) or (n, q)
        Targets, a column for each output; may come from a file too.
    verbose : bool
        Whether to show the progress of a run of more than two seconds.

    Returns
    -------
    RidgeStatistics
        The same, to the last bit, on any number of cores.

    Raises
    ------
    TypeError, ValueError
        If X is not a finite matrix with the columns that the features know, y does not fit it, or the
        features are no finite dense array.

    Notes
    -----
    O(nc²) operations beside the features. Memory: for each core O(c²), and Z for 8,192 rows. A slice's
    products are in the dtype of the features, the sums of the slices in float64. So features in float32
    give ZᵀZ to 10⁻⁸ or 10⁻⁷ of its norm, which a λ near that part of κ(x, x) feels: for one so small, let the
    features be in float64. Source: Chu et al. (2006). Chapter: Beyond one machine.
    """
    X, y = as_block((X, y))
    return add_up(features, row_slices(X, y), n=X.shape[0], verbose=verbose)


def add_up(features, slices, total=None, *, n=None, verbose=False):
    """
    Add the statistics of slices of rows to a total.

    Parameters
    ----------
    features : transformer
        Fitted.
    slices : iterable of tuple
        X, y and the end of their names, from `row_slices`.
    total : RidgeStatistics, optional
        Where to begin.
    n : int, optional
        Number of all rows, where it is known: shown with the progress.
    verbose : bool
        Whether to show the progress of a run of more than two seconds.

    Returns
    -------
    RidgeStatistics
        The total.
    """

    def add(part):
        nonlocal total
        total = part if total is None else total + part

    in_order(lambda piece: slice_statistics(features, *piece), slices, add, n=n, verbose=verbose)
    return total


def slice_statistics(features, X, y, where=""):
    """
    Compute n, ZᵀZ and Zᵀy for a slice of the rows, all of it held at once.

    Parameters
    ----------
    features : transformer
        Fitted.
    X : array_like of shape (n, p)
        Rows are observations.
    y : array_like of shape (n,) or (n, q)
        Targets.
    where : str
        What a sentence of complaint says after "X" or "y".

    Returns
    -------
    RidgeStatistics
        Those of the slice.
    """
    Z = transform_rows(features, X, f"X{where}")
    y = np.asarray(y)
    assert_all_finite(y, input_name=f"y{where}")
    y = as_targets(y, len(Z)).astype(Z.dtype, copy=False)
    gram, moment = ((Z.T @ A).astype(np.float64, copy=False) for A in (Z, y))
    if not (np.isfinite(gram.diagonal()).all() and np.isfinite(moment).all()):
        raise ValueError(f"the features of X{where} must be finite, and their squares, got NaN or infinity.")
    return RidgeStatistics(len(Z), gram, moment)


def transform_rows(features, X, name="X"):
    """
    Compute Z for some rows, with one sentence where they are no finite matrix.

    Parameters
    ----------
    features : transformer
        Fitted.
    X : array_like of shape (n, p)
        Rows are observations.
    name : str
        What to call them in the sentence.

    Returns
    -------
    ndarray of shape (n, c)
        In float32 or float64.
    """
    checked = as_matrix(X, name)
    # a data frame as it is: it has names, which the features may check
    Z = features.transform(X if hasattr(X, "iloc") else checked)
    if sparse.issparse(Z):
        raise TypeError("features must give dense arrays, got a sparse one.")
    Z = np.asarray(Z)
    return Z if Z.dtype == np.float32 else Z.astype(np.float64, copy=False)


def in_order(job, items, use, *, n=None, verbose=False):
    """
    Call use(job(item)) for each item: the jobs in threads, and their results used in order.

    Parameters
    ----------
    job : callable
        Takes an item.
    items : iterable
        Each stands for a slice of rows; drawn from as needed, in the caller's thread.
    use : callable
        Takes what the job gives; called in the caller's thread.
    n : int, optional
        Number of rows, where it is known.
    verbose : bool
        Whether to show the progress of a run of more than two seconds.

    Notes
    -----
    BLAS is held to one thread: its own, which wait for work by spinning, would take the cores from ours.
    """
    total = None if n is None else -(-n // ROWS)
    ahead = deque()
    items = tqdm(items, total=total, unit="slice", delay=2, disable=not verbose)
    with one_blas_thread() as count:
        if count == 1:
            for item in items:
                use(job(item))
            return
        with workers(count) as pool:
            for item in items:
                ahead.append(pool.submit(job, item))
                if len(ahead) > count:  # no more than that, or the results of a long run would pile up
                    use(ahead.popleft().result())
            while ahead:
                use(ahead.popleft().result())


def as_block(block, where=""):
    """
    Give X and y of a block as things that have a shape and give rows by slicing, in the memory or not.

    Parameters
    ----------
    block : tuple
        X, of shape (n, p), and y, of shape (n,) or (n, q).
    where : str
        What a sentence of complaint says after "X" or "y".

    Returns
    -------
    X : array_like of shape (n, p)
        Itself where it has a shape.
    y : array_like of shape (n,) or (n, q)
        Likewise.
    """
    if not (isinstance(block, tuple | list) and len(block) == 2):
        raise TypeError(f"each block must be a pair (X, y), got {type(block).__name__}{where}.")
    X, y = (A if hasattr(A, "shape") else np.asarray(A) for A in block)
    if sparse.issparse(X):
        as_matrix(X, f"X{where}")  # has a sentence for it
    if len(X.shape) != 2:
        raise ValueError(f"X{where} must be 2-D, one row an observation, got shape {tuple(X.shape)}.")
    n = X.shape[0]
    if n == 0:
        raise ValueError(f"X{where} must have at least one row, got shape {tuple(X.shape)}.")
    if len(y.shape) not in (1, 2) or y.shape[0] != n:
        raise ValueError(f"y{where} must have shape ({n},) or ({n}, q), got {tuple(y.shape)}.")
    return X, y


def row_slices(*arrays, where="", copy=False):
    """
    Cut arrays into slices of `ROWS` rows.

    Parameters
    ----------
    *arrays : array_like of shape (n, ...)
        Each has a shape.
    where : str
        What a sentence of complaint says after the array's name.
    copy : bool
        Whether the caller may change an array once the last of its slices is out.

    Yields
    ------
    tuple
        A slice of each array, and what a sentence says after its name: which rows, and `where`.
    """
    n = arrays[0].shape[0]
    for rows in gen_batches(n, ROWS):
        pieces = [take(A, rows) for A in arrays]
        if copy:
            pieces = [piece.copy() if isinstance(piece, np.ndarray) else piece for piece in pieces]
        yield *pieces, where if n <= ROWS else f"[{rows.start}:{rows.stop}]{where}"


def take(A, rows):
    """
    Give some rows of an array or a data frame.

    Parameters
    ----------
    A : array_like
        Has a shape.
    rows : slice
        Which.

    Returns
    -------
    array_like
        Those rows.
    """
    return A.iloc[rows] if hasattr(A, "iloc") else A[rows]
