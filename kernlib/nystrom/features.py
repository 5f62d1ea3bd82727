"""The features that Nyström's approximation gives, and the lab's function.

Chapter: Nyström.
"""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kernlib.kernels import Gaussian, as_kernel
from kernlib.numerics.blocks import BLOCK, run_in_threads, slices
from kernlib.numerics.psd import inverse_root, triangular_inverse_root
from kernlib.numerics.rows import check_columns
from kernlib.numerics.validation import (
    KeepsFloat32,
    as_matrix,
    check_choice,
    check_count,
    check_seed,
    validate_rows,
)
from kernlib.nystrom.landmarks import LANDMARK_RULES, select_landmarks

__all__ = ["NystromFeatures", "nystrom"]

PANEL = 64  # columns: narrower panels skip more of what is zero, wider ones multiply at a better rate


class NystromFeatures(KeepsFloat32, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """
    Map x to φ̂(x) = κ(x, landmarks) M, with MMᵀ = W⁺ on the landmarks, or W_k⁺ for a rank k.

    On the training rows, ZZᵀ = C W⁺ Cᵀ. Without a rank M is triangular, M = L^{−T} with W = LLᵀ, which is the
    cheapest to compute and to multiply with; a rank asks for eigenvalues, and M = V_k Σ_k^{−1/2} with
    W_k = V_k Σ_k V_kᵀ. For k = c the features of both differ by a rotation. What is zero in W up to a
    relative cut counts as zero, so duplicated landmarks or a k beyond the numerical rank of W give columns
    of zeros, never noise divided by nearly nothing.

    Parameters
    ----------
    kernel : Kernel or str, optional
        What `kernlib.kernels.as_kernel` takes; the Gaussian with γ = 1/p where it is not given.
    n_components : int
        c, the number of landmarks; without `rank`, also the number of columns. Beyond the n rows there are,
        all n become landmarks, with a warning.
    rank : int, optional
        k ≤ c, the number of columns, which then follow W's eigenvalues, largest first; where it is not given,
        c columns that follow the landmarks, in the order `pivots_`.
    landmarks : str or array_like of shape (c, p)
        A rule of `select_landmarks`, or the points themselves, which then say what c is.
    random_state : None, int, Generator or RandomState
        Where the draws come from.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel that the features stand for.
    components_ : ndarray of shape (c, p)
        The landmarks.
    component_indices_ : ndarray of shape (c,) or None
        Which training rows they are; None for points that are no rows.
    normalization_ : ndarray of shape (k, c)
        Mᵀ, so that Z = κ(X, landmarks) normalization_ᵀ.
    pivots_ : ndarray of shape (r,) or None
        Without a rank: the landmarks that are used, each the farthest from the span of those before it. The
        first j columns are the features of the first j of them alone.
    rank_ : int
        How many directions were kept; the columns behind them are zero.
    n_features_in_ : int
        p.
    feature_names_in_ : ndarray of shape (p,)
        Names of the inputs, where the data had any.

    Notes
    -----
    Fitting costs O(c²p + c³) beside the choice of landmarks, c³ being ⅔c³ operations without a rank and about
    9c³ with one; transforming n rows O(ncp + nck), and half of the second term without a rank, with O(c)
    memory for each row held. Source: Williams and Seeger (2001); Drineas and Mahoney (2005); Fine and
    Scheinberg (2001) for the triangular root. Chapter: Nyström.
    """

    def __init__(self, kernel=None, *, n_components=500, rank=None, landmarks="uniform", random_state=None):
        self.kernel = kernel
        self.n_components = n_components
        self.rank = rank
        self.landmarks = landmarks
        self.random_state = random_state

    def fit(self, X, y=None):
        """Choose the landmarks among the rows of X, of shape (n, p), and compute a root of W⁺."""
        X = validate_rows(self, X)
        n, p = X.shape
        self.kernel_ = as_kernel(self.kernel, p)
        c, k = check_count("n_components", self.n_components, 1), self.rank
        check_seed(self.random_state)
        if isinstance(self.landmarks, str):
            check_choice("landmarks", self.landmarks, LANDMARK_RULES)
            if c > n:
                warnings.warn(
                    f"n_components is {c}, but X has {n} rows: all {n} are landmarks.", stacklevel=2
                )
            self.components_, self.component_indices_ = select_landmarks(
                X, min(c, n), method=self.landmarks, kernel=self.kernel_, random_state=self.random_state
            )
        else:
            # a copy, as the caller may change theirs
            self.components_, self.component_indices_ = as_matrix(self.landmarks, "landmarks").copy(), None
            c = len(self.components_)
            if self.components_.shape[1] != p:
                raise ValueError(
                    f"landmarks must have the {p} columns of X, got {self.components_.shape[1]}."
                )
        if k is not None:
            k = min(check_count("rank", k, 1, c, "the number of landmarks"), len(self.components_))
        points = self.components_.astype(np.float64)
        W = self.kernel_.gram(points)
        # the kernel block C is only as exact as the data's dtype, so that is where W must end
        cut = len(W) * np.finfo(X.dtype).eps
        if k is None:
            self.pivots_, root = triangular_inverse_root(W, rtol=cut)
            self.rank_, M = len(root), np.zeros_like(W)
            M[self.pivots_, : self.rank_] = root
        else:
            M, self.rank_ = inverse_root(W, k, rtol=cut)
            self.pivots_ = None
        self.normalization_ = M.T.astype(X.dtype)
        return self

    def transform(self, X):
        """Compute Z, of shape (n, k), whose rows are φ̂(xᵢ)."""
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        if self.pivots_ is None:
            return self.kernel_.matmul(X, self.components_, self.normalization_.T)
        root = self.normalization_[: self.rank_, self.pivots_].T
        return triangular_product(
            self.kernel_, X, self.components_[self.pivots_], root, len(self.normalization_)
        )

    @property
    def _n_features_out(self):
        """Number of columns, for `get_feature_names_out`."""
        return len(self.normalization_)


def triangular_product(kernel, X, Y, R, width):
    """
    Compute κ(X, Y) R for an upper triangular R, followed by zeros up to `width` columns.

    A block of κ(X, Y) is multiplied while it is in the cache, with what of R is not zero, `PANEL` columns
    at a time.
    """
    X, Y = kernel.check_both(X, Y)
    R = R.astype(X.dtype, copy=False)
    Z, points = np.zeros((len(X), width), X.dtype), kernel.prepare(Y)

    def multiply(rows):
        block = kernel.values(X[rows], points)
        for columns in slices(len(R), PANEL):
            np.matmul(block[:, : columns.stop], R[: columns.stop, columns], out=Z[rows, columns])

    if len(Y):
        run_in_threads(multiply, slices(len(X), max(1, BLOCK**2 // len(Y))))
    return Z


def nystrom(X_train, X_test, *, c, k, gamma, random_state=None):
    """
    Compute the lab's algorithm 2: Z = C V_k Σ_k^{−1/2} for the Gaussian kernel, landmarks drawn with
    replacement.

    Parameters
    ----------
    X_train, X_test : array_like of shape (n1, p) and (n2, p)
        Rows are observations; the landmarks are rows of X_train.
    c : int
        Number of columns of G, from 1 to n1.
    k : int
        Rank kept, from 1 to c.
    gamma : float
        γ > 0 of exp(−γ‖x − x′‖²).
    random_state : None, int, Generator or RandomState
        Where the draws come from.

    Returns
    -------
    Z_train : ndarray of shape (n1, k)
        Features of the training rows; columns beyond the numerical rank of W are zero.
    Z_test : ndarray of shape (n2, k)
        Features of the test rows.

    Raises
    ------
    TypeError, ValueError
        If an array is not a finite matrix, they differ in p, c > n1, k > c, or γ is not positive.

    Notes
    -----
    O(c³ + (n1 + n2)(cp + ck)). Source: Williams and Seeger (2001). Chapter: The large-scale lab, question 6.
    """
    X_train, X_test = as_matrix(X_train, "X_train"), as_matrix(X_test, "X_test")
    check_columns("X_test", X_test.shape[1], X_train.shape[1], "X_train")
    c = check_count("c", c, 1, len(X_train), "the number of training rows")
    k = check_count("k", k, 1, c, "c, the number of columns")
    features = NystromFeatures(
        Gaussian(gamma), n_components=c, rank=k, landmarks="uniform-replace", random_state=random_state
    ).fit(X_train)
    return features.transform(X_train), features.transform(X_test)
