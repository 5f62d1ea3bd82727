"""Nyström's features as a scikit-learn transformer, and the lab's function."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kernlib.kernels import Gaussian, as_kernel
from kernlib.kernels.choice import KernelLike
from kernlib.numerics.blocks import BLOCK, run_in_threads, slices
from kernlib.numerics.estimators import Transformer, all_or_nothing, validate_rows
from kernlib.numerics.psd import inverse_root, noise_level, triangular_inverse_root
from kernlib.numerics.rows import as_two_sets, check_columns
from kernlib.numerics.validation import Seed, as_matrix, check_choice, check_count, check_seed, warn
from kernlib.nystrom.landmarks import LANDMARK_RULES, select_landmarks

__all__ = ["NystromFeatures", "nystrom"]

PANEL = 64  # columns: narrower panels skip more zeros, wider ones multiply faster


@dataclass(eq=False, repr=False)
class NystromFeatures(Transformer):
    """Map x to φ̂(x) = κ(x, landmarks) M, with MMᵀ = W⁺ on the landmarks, or W_k⁺ for a rank k.

    On the training rows, ZZᵀ = C W⁺ Cᵀ. Without a rank, M = L^{−T} from W = LLᵀ is triangular, which is the
    fastest. A rank requires eigenvalues: M = V_k Σ_k^{−1/2} with W_k = V_k Σ_k V_kᵀ. For k = c the two kinds
    of features differ by a rotation. Columns beyond the numerical rank of W are zeros.

    Fitting costs O(c²p) plus the choice of landmarks, and ⅔c³ operations without a rank, about 9c³ with one;
    transforming n rows O(ncp + nck), half of the second term without a rank. Source: Williams and Seeger
    (2001); Fine and Scheinberg (2001) for the triangular root. Chapter: Nyström.

    Parameters
    ----------
    kernel : Kernel or str, optional
        κ, as `kernlib.kernels.as_kernel` takes it; by default the Gaussian kernel with γ = 1/p.
    n_components : int
        c, the number of landmarks, and without `rank` of columns. Of fewer rows, all are, with a warning.
    rank : int, optional
        k ≤ c, the number of columns, in the order of W's eigenvalues, largest first.
    landmarks : str or array_like of shape (c, p)
        A rule of `select_landmarks`, or the points themselves, whose number is then c.
    random_state : None, int, Generator or RandomState
        Source of the random draws.

    Attributes
    ----------
    kernel_, components_ : Kernel, ndarray of shape (c, p)
        κ and the landmarks.
    component_indices_ : ndarray of shape (c,) or None
        Their rows in the training data; None if they are not rows of it.
    normalization_ : ndarray of shape (k, c)
        Mᵀ, so that Z = κ(X, landmarks) normalization_ᵀ.
    pivots_ : ndarray of shape (``rank_``,) or None
        Without `rank`: the landmarks in use, each the farthest from the span of those before it. The first j
        columns are the features of the first j of them alone.
    rank_ : int
        Number of columns that are not zero; they come first.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlib import Gaussian, NystromFeatures
    >>> X = np.linspace(0, 6, 200)[:, None]
    >>> Z = NystromFeatures(Gaussian(gamma=1.0), n_components=20, random_state=0).fit_transform(X)
    >>> bool(np.abs(Z @ Z.T - Gaussian(gamma=1.0)(X)).max() < 0.01)
    True
    """

    kernel: KernelLike = None
    _: KW_ONLY
    n_components: int = 500
    rank: int | None = None
    landmarks: str | ArrayLike = "uniform"
    random_state: Seed = None

    @all_or_nothing
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Choose the landmarks among the rows of X, of shape (n, p), and compute a root of W⁺."""
        X = validate_rows(self, X)
        self._choose_landmarks(X)
        self._compute_root(X.dtype)
        return self

    def _compute_root(self, dtype):
        """Compute a root of W⁺ for the landmarks; `dtype` is that of the rows."""
        k = None if self.rank is None else min(self.rank, len(self.components_))
        points = self.components_.astype(np.float64)
        W = self.kernel_.gram(points)
        noise = noise_level(len(W), dtype)
        self.pivots_: NDArray | None = None
        if k is None:
            self.pivots_, root = triangular_inverse_root(W, rtol=noise)
            self.rank_, M = len(root), np.zeros_like(W)
            M[self.pivots_, : self.rank_] = root
        else:
            M, self.rank_ = inverse_root(W, k, atol=noise * W.diagonal().max())
        self.normalization_ = M.T.astype(dtype)
        self._n_features_out = len(self.normalization_)  # for `get_feature_names_out`

    def _choose_landmarks(self, X):
        """Choose the kernel and the landmarks for rows that are checked, and check the parameters."""
        n, p = X.shape
        self.kernel_ = as_kernel(self.kernel, p)
        c = check_count("n_components", self.n_components, 1)
        check_seed(self.random_state)
        if isinstance(self.landmarks, str):
            check_choice("landmarks", self.landmarks, LANDMARK_RULES)
            if c > n:
                warn(f"n_components is {c}, but X has {n} rows: all are landmarks.")
            self.components_, self.component_indices_ = select_landmarks(
                X, min(c, n), method=self.landmarks, kernel=self.kernel_, random_state=self.random_state
            )
        else:
            points = as_matrix(self.landmarks, "landmarks").copy()  # the caller may change theirs
            check_columns("landmarks", points.shape[1], p, "X")
            c, self.components_, self.component_indices_ = len(points), points, None
        if self.rank is not None:
            check_count("rank", self.rank, 1, c, "the number of landmarks")

    def transform(self, X: ArrayLike) -> NDArray:
        """Compute Z, of shape (n, k), whose rows are φ̂(xᵢ)."""
        X = validate_rows(self, X, reset=False)
        if self.pivots_ is None:
            return self.kernel_.matmul(X, self.components_, self.normalization_.T)
        points, root = self.components_[self.pivots_], self.normalization_[: self.rank_, self.pivots_].T
        return triangular_product(self.kernel_, X, points, root, len(self.normalization_))


def triangular_product(kernel, X, Y, R, width):
    """Compute κ(X, Y) R for an upper triangular R, block by block, and append columns of zeros to `width`."""
    if len(Y) == 0:
        kernel.check(X)
        return np.zeros((len(X), width), np.result_type(X, Y))
    X, Y = kernel.check_both(X, Y)
    R = R.astype(X.dtype, copy=False)
    Z, points = np.zeros((len(X), width), X.dtype), kernel.prepare(Y)

    def multiply(rows):
        block = kernel.values(X[rows], points)
        for columns in slices(len(R), PANEL):
            np.matmul(block[:, : columns.stop], R[: columns.stop, columns], out=Z[rows, columns])

    run_in_threads(multiply, slices(len(X), max(1, BLOCK**2 // len(Y))))
    return Z


def nystrom(
    X_train: ArrayLike, X_test: ArrayLike, *, c: int, k: int, gamma: float, random_state: Seed = None
) -> tuple[NDArray, NDArray]:
    """Compute the lab's Algorithm 2, Z = C V_k Σ_k^{−1/2}, for the Gaussian kernel.

    O(c³ + (n1 + n2)(cp + ck)). Source: Williams and Seeger (2001). Chapter: The large-scale lab, question 6.

    Parameters
    ----------
    X_train, X_test : array_like of shape (n1, p) and (n2, p)
        Rows are observations; the landmarks are rows of X_train, drawn with replacement.
    c, k, gamma : int, int, float
        Number of columns of G, from 1 to n1; rank, from 1 to c; γ > 0 in exp(−γ‖x − x′‖²).
    random_state : None, int, Generator or RandomState
        Source of the random draws.

    Returns
    -------
    Z_train, Z_test : ndarray of shape (n1, k) and (n2, k)
        Features of the training and of the test rows; columns beyond the numerical rank of W are zero.
    """
    X_train, X_test = as_two_sets(X_train, X_test)
    c = check_count("c", c, 1, len(X_train), "the number of training rows")
    k = check_count("k", k, 1, c, "c, the number of columns")
    features = NystromFeatures(
        Gaussian(gamma), n_components=c, rank=k, landmarks="uniform-replace", random_state=random_state
    )
    return features.fit_transform(X_train), features.transform(X_test)
