"""Kernel PCA as a scikit-learn estimator: projections on the first components, and back."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from kernlib.kernel_pca.centering import top_eigenpairs_centered
from kernlib.kernels import Gaussian, as_kernel
from kernlib.kernels.choice import KernelLike, TakesGram, is_precomputed
from kernlib.numerics.blocks import slices
from kernlib.numerics.estimators import Transformer, all_or_nothing, validate_rows
from kernlib.numerics.validation import Seed, as_generator, check_count, check_positive, warn

__all__ = ["KernelPCA", "ascend_to_pre_images"]

BLOCK_ROWS = 2048  # rows whose pre-images are computed together


@dataclass(eq=False, repr=False)
class KernelPCA(TakesGram, Transformer):
    """Map x to its projections Σᵢ αⱼᵢ (κ(xᵢ, x) − ḡᵢ) on the first components of the centered features.

    With HGH = VΛVᵀ, component j is Σᵢ αⱼᵢ (φ(xᵢ) − φ̄) with αⱼ = λⱼ^{−1/2} vⱼ, of length one. A λⱼ up to
    √n ε ‖G‖_F counts as zero: components beyond the numerical rank are columns of zeros.

    Fitting costs O(n²p) for G, plus O(n³), or for n > 10k O(kn²) by Lanczos iteration with v ↦ H(G(Hv)),
    without HGH in memory unless the iteration breaks down. Transforming m rows costs O(mnp + mnk). If G is
    too large, PCA of approximate features takes O(nc) memory: ``make_pipeline(NystromFeatures(kernel), PCA(
    k))``. Source: Schölkopf, Smola and Müller (1998). Chapter: Kernel PCA.

    Parameters
    ----------
    kernel : Kernel or str, optional
        κ, as `kernlib.kernels.as_kernel` takes it; by default the Gaussian kernel with γ = 1/p. With
        "precomputed", `fit` takes G instead of X, and `transform` the rows κ(x, xᵢ) of new points.
    n_components : int
        k, the number of columns; if X has only n < k rows, n columns, with a warning.
    random_state : None, int, Generator or RandomState
        Start of the iteration for large n, which affects only the last digits.

    Attributes
    ----------
    kernel_, X_fit_ : Kernel or Precomputed, ndarray of shape (n, p) or None
        κ and the training rows, or None if the kernel is "precomputed".
    dual_coef_ : ndarray of shape (n, k)
        αⱼ in column j; the entry of vⱼ of largest magnitude is positive.
    eigenvalues_, rank_ : ndarray of shape (k,), int
        λⱼ of HGH, largest first, zero below the cut; and how many are not zero.
    explained_variance_, explained_variance_ratio_ : ndarrays of shape (k,)
        λⱼ/n, the variance of projection j over the training rows, and λⱼ/tr(HGH), its share of the total.
    column_means_ : ndarray of shape (n,)
        ḡ, the means of the columns of G.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlib import Gaussian, KernelPCA
    >>> X = np.linspace(0, 6, 200)[:, None]
    >>> KernelPCA(Gaussian(gamma=1.0), n_components=3).fit_transform(X).shape
    (200, 3)
    """

    kernel: KernelLike = None
    _: KW_ONLY
    n_components: int = 2
    random_state: Seed = None

    @all_or_nothing
    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Decompose the centered Gram matrix of the rows of X, of shape (n, p)."""
        X = validate_rows(self, X)
        n, p = X.shape
        self.kernel_ = as_kernel(self.kernel, p, precomputed=True)
        k = check_count("n_components", self.n_components, 1)
        if k > n:
            warn(f"n_components is {k}, but X has {n} rows: there are {n} columns.")
        G = self.kernel_.gram(X)
        self.X_fit_ = None if is_precomputed(self.kernel) else X.copy()  # as the caller may change X
        means = G.mean(axis=1, dtype=np.float64)
        variance = np.trace(G, dtype=np.float64) - n * means.mean()  # tr(HGH)
        lam, V = top_eigenpairs_centered(G, min(k, n), as_generator(self.random_state))
        # rounding errors are proportional to the norm of G, which exceeds that of HGH by far if φ̄ is large
        size = max(G.max(), -G.min()) or 1  # in units of which no square overflows
        squares = sum(np.sum((G[rows] / size) ** 2, dtype=np.float64) for rows in slices(n, BLOCK_ROWS))
        cut = np.sqrt(n * squares) * np.finfo(G.dtype).eps * size
        self.rank_ = int(np.sum(lam > cut))
        if not self.rank_:
            warn("No component exceeds the rounding errors of κ(x, x): are the rows equal, or far from 0?")
        lam[self.rank_ :] = 0
        alpha = np.divide(V, np.sqrt(lam), out=np.zeros_like(V), where=lam > 0)
        alpha -= alpha.mean(axis=0)  # Hα is α up to rounding; with exactly Hα, new rows need no centering
        self.dual_coef_, self.eigenvalues_ = alpha.astype(X.dtype), lam.astype(X.dtype)
        self.explained_variance_ = (lam / n).astype(X.dtype)
        self.explained_variance_ratio_ = (lam / variance if self.rank_ else lam).astype(X.dtype)
        self.column_means_ = means.astype(X.dtype)
        self._n_features_out = len(lam)  # for `get_feature_names_out`
        return self

    def transform(self, X: ArrayLike) -> NDArray:
        """Compute Z = (K − 1ḡᵀ)Hα with K = κ(X, X_fit), of shape (m, k): column j projects on component j."""
        X = validate_rows(self, X, reset=False)
        alpha = self.dual_coef_  # its columns sum to zero, so (K − 1ḡᵀ)Hα is Kα − 1ḡᵀα
        return self.kernel_.matmul(X, self.X_fit_, alpha) - self.column_means_ @ alpha

    def fit_transform(self, X: ArrayLike, y: object = None) -> NDArray:
        """Compute √λⱼ vⱼ, the projections of the training rows, without a second Gram matrix."""
        self.fit(X)
        return self.dual_coef_ * self.eigenvalues_

    def denoise(self, X: ArrayLike, *, max_iter: int = 200, tol: float = 1e-6) -> NDArray:
        """Compute pre-images of m rows x: z with φ(z) nearest to Pφ(x), the projection on the components.

        Pφ(x) = φ̄ + Σⱼ zⱼ uⱼ = Σᵢ wᵢ φ(xᵢ), with wᵢ = 1/n + Σⱼ αⱼᵢ zⱼ. For the Gaussian kernel, the only one
        here, ‖φ(z) − Pφ(x)‖² is least where S(z) = Σᵢ wᵢ κ(z, xᵢ) is largest: z = Σᵢ wᵢ κ(z, xᵢ) xᵢ / S(z).
        The iteration starts at x, stays there if S(x) ≤ 0, and finds a local maximum; a step that decreases S
        is halved. It ends when the step of a row is shorter than the fraction tol of the kernel's width
        1/√(2γ); a warning reports how many rows need more than max_iter steps. No φ(z) is
        farther from Pφ(x) than φ(x). O(mnp) a step. Source: Mika et al. (1998). Chapter: Kernel PCA.
        """
        check_is_fitted(self)
        if self.X_fit_ is None or not isinstance(self.kernel_, Gaussian):
            raise TypeError(f"denoise requires a Gaussian kernel, got {self.kernel!r}.")
        max_iter, tol = check_count("max_iter", max_iter, 1), check_positive("tol", tol)
        projections = self.transform(X)
        X = validate_rows(self, X, reset=False)
        points, n = self.X_fit_.astype(np.float64), len(self.X_fit_)
        denoised, unfinished = np.empty_like(X), 0
        for rows in slices(len(X), BLOCK_ROWS):
            weights = 1 / n + projections[rows].astype(np.float64) @ self.dual_coef_.T
            start = X[rows].astype(np.float64)
            denoised[rows], more = ascend_to_pre_images(self.kernel_, points, weights, start, max_iter, tol)
            unfinished += more
        if unfinished:
            message = f"{unfinished} of {len(X)} rows had not converged after max_iter={max_iter} steps."
            warn(message, ConvergenceWarning)
        return denoised


def ascend_to_pre_images(
    kernel: Gaussian, points: NDArray, weights: NDArray, start: NDArray, max_iter: int, tol: float
) -> tuple[NDArray, int]:
    """Iterate z ← Σᵢ wᵢ κ(z, xᵢ) xᵢ / S(z) for many z at once; return them, and how many did not converge."""
    best, candidates, best_S = start.copy(), start.copy(), np.zeros(len(start))
    widths = 1 / np.sqrt(2 * np.asarray(kernel.gamma))
    rows = np.arange(len(start))
    for _ in range(max_iter):
        terms = weights[rows] * kernel.gram(candidates[rows], points)
        S = terms.sum(axis=1)
        better = S > best_S[rows]
        up, down = rows[better], rows[~better]
        best[up], best_S[up] = candidates[up], S[better]
        candidates[up] = terms[better] @ points / S[better, None]
        candidates[down] = (best[down] + candidates[down]) / 2  # S increases this way: the step was too long
        rows = rows[np.linalg.norm((candidates[rows] - best[rows]) / widths, axis=1) > tol]
        if not len(rows):
            break
    return best, len(rows)
