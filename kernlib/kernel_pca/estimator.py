"""Kernel PCA as an estimator: projections on the first components, and back.

Chapter: Kernel PCA.
"""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from kernlib.kernel_pca.centring import top_eigenpairs_centered
from kernlib.kernel_pca.pre_images import ascend_to_pre_images
from kernlib.kernels import Gaussian, as_kernel
from kernlib.kernels.choice import is_precomputed
from kernlib.numerics.psd import as_symmetric
from kernlib.numerics.validation import KeepsFloat32, as_generator, check_count, check_positive, validate_rows

__all__ = ["KernelPCA"]

AT_ONCE = 2048  # rows whose pre-images are sought together


class KernelPCA(KeepsFloat32, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """
    Map x to its projections Σᵢ αⱼᵢ (κ(xᵢ, x) − ḡᵢ) on the first components of the centred features.

    With HGH = VΛVᵀ, component j is Σᵢ αⱼᵢ (φ(xᵢ) − φ̄) with αⱼ = λⱼ^{−1/2} vⱼ, of length one. Only λⱼ above
    a cut of √n ε ‖G‖_F count: a component beyond the numerical rank is a column of zeros, never noise divided
    by nearly nothing.

    Parameters
    ----------
    kernel : Kernel or str, optional
        What `kernlib.kernels.as_kernel` takes; the Gaussian with γ = 1/p where it is not given; with
        "precomputed", `fit` takes G in place of X, `transform` the rows κ(x, xᵢ) of new points.
    n_components : int
        k, the number of columns. Beyond the n rows there are, it is n, with a warning.
    random_state : None, int, Generator or RandomState
        Start of the iteration for large n, which decides the last digits only.

    Attributes
    ----------
    kernel_ : Kernel or "precomputed"
        The kernel in use.
    X_fit_ : ndarray of shape (n, p)
        The training rows; not where the kernel is "precomputed", as nothing asks for G again.
    dual_coef_ : ndarray of shape (n, k)
        αⱼ in column j; the entry of vⱼ that is largest in size is positive.
    eigenvalues_ : ndarray of shape (k,)
        λⱼ of HGH, largest first; zero below the cut.
    explained_variance_ : ndarray of shape (k,)
        λⱼ/n, the variance of projection j over the training rows.
    explained_variance_ratio_ : ndarray of shape (k,)
        λⱼ/tr(HGH), its share of the variance in feature space.
    rank_ : int
        How many components were kept; the columns behind them are zero.
    column_means_ : ndarray of shape (n,)
        ḡ, the means of the columns of G.

    Notes
    -----
    Fitting costs O(n²p) for G, and O(n³), or for n > 10k O(kn²) by Lanczos iteration on v ↦ H(G(Hv)),
    with HGH never formed unless the iteration breaks off; transforming m rows costs O(mnp + mnk). Where n is
    too large for G, PCA of approximate features is kernel PCA of their kernel, in O(nc) memory:
    ``make_pipeline(NystromFeatures(kernel, n_components=c), PCA(k))``, or `FourierFeatures` in its place.
    Source: Schölkopf, Smola and Müller (1998). Chapter: Kernel PCA.
    """

    def __init__(self, kernel=None, *, n_components=2, random_state=None):
        self.kernel = kernel
        self.n_components = n_components
        self.random_state = random_state

    def fit(self, X, y=None):
        """Decompose the centred Gram matrix of the rows."""
        X = validate_rows(self, X)
        n, p = X.shape
        self.kernel_ = as_kernel(self.kernel, p, precomputed=True)
        k = check_count("n_components", self.n_components, 1)
        rng = as_generator(self.random_state)
        if k > n:
            warnings.warn(f"n_components is {k}, but X has {n} rows: {n} columns it is.", stacklevel=2)
        if is_precomputed(self.kernel_):
            G = as_symmetric(X, "X")
        else:
            G, self.X_fit_ = self.kernel_.gram(X), X.copy()  # the caller may change theirs
        means = G.mean(axis=1, dtype=np.float64)
        variance = np.trace(G, dtype=np.float64) - n * means.mean()  # tr(HGH)
        lam, V = top_eigenpairs_centered(G, min(k, n), rng)
        # rounding errors follow the norm of G, not that of HGH, which is far smaller where φ̄ is large
        cut = np.sqrt(n) * np.finfo(G.dtype).eps * np.linalg.norm(G)
        self.rank_ = int(np.sum(lam > cut))
        lam[self.rank_ :] = 0
        alpha = np.zeros_like(V)
        alpha[:, : self.rank_] = V[:, : self.rank_] / np.sqrt(lam[: self.rank_])
        alpha -= alpha.mean(axis=0)  # Hα = α but for rounding, which H takes away here once for all new rows
        self.dual_coef_, self.eigenvalues_ = alpha.astype(X.dtype), lam.astype(X.dtype)
        self.explained_variance_ = (lam / n).astype(X.dtype)
        self.explained_variance_ratio_ = (lam / variance if self.rank_ else lam).astype(X.dtype)
        self.column_means_ = means.astype(X.dtype)
        return self

    def transform(self, X):
        """Compute Z = (K − 1ḡᵀ)Hα with K = κ(X, X_fit): the projections on component j are its column j."""
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        alpha = self.dual_coef_  # (K − 1ḡᵀ)Hα is Kα − 1ḡᵀα: the columns of α sum to zero
        Z = X @ alpha if is_precomputed(self.kernel_) else self.kernel_.matmul(X, self.X_fit_, alpha)
        return Z - self.column_means_ @ alpha

    def fit_transform(self, X, y=None):
        """Compute √λⱼ vⱼ, the projections of the training rows, without a second Gram matrix."""
        self.fit(X)
        return self.dual_coef_ * self.eigenvalues_

    def denoise(self, X, *, max_iter=200, tol=1e-6):
        """
        Compute pre-images: the points z whose φ(z) come nearest to Pφ(x), the projection on the components.

        Pφ(x) = φ̄ + Σⱼ zⱼ uⱼ = Σᵢ wᵢ φ(xᵢ), with wᵢ = 1/n + Σⱼ αⱼᵢ zⱼ. For the Gaussian kernel, ‖φ(z) −
        Pφ(x)‖² is least where S(z) = Σᵢ wᵢ κ(z, xᵢ) is largest, and there z = Σᵢ wᵢ κ(z, xᵢ) xᵢ / S(z).

        Parameters
        ----------
        X : array_like of shape (m, p)
            Rows are observations.
        max_iter : int
            Steps at most; a warning says how many rows needed more.
        tol : float
            A row is done when its step is shorter than this part of the kernel's width 1/√(2γ).

        Returns
        -------
        ndarray of shape (m, p)
            One point for each row; never farther from Pφ(x) in feature space than x itself.

        Raises
        ------
        TypeError
            If the kernel is not Gaussian.

        Notes
        -----
        The iteration starts at x and stays there where S(x) ≤ 0, far from all training rows. It finds a local
        maximum; a step that lowers S, which a negative wᵢ can cause, is halved. O(mnp) a step, in
        float64. Source: Mika et al. (1998). Chapter: Kernel PCA.
        """
        check_is_fitted(self)
        if not isinstance(self.kernel_, Gaussian):
            raise TypeError(f"denoise iterates a formula of the Gaussian kernel, got {self.kernel_!r}.")
        max_iter, tol = check_count("max_iter", max_iter, 1), check_positive("tol", tol)
        projections = self.transform(X)
        X = validate_rows(self, X, reset=False)
        points, n = self.X_fit_.astype(np.float64), len(self.X_fit_)
        denoised, running = np.empty_like(X), 0
        for rows in gen_batches(len(X), AT_ONCE):
            weights = 1 / n + projections[rows].astype(np.float64) @ self.dual_coef_.T
            start = X[rows].astype(np.float64)
            denoised[rows], more = ascend_to_pre_images(self.kernel_, points, weights, start, max_iter, tol)
            running += more
        if running:
            warnings.warn(
                f"{running} of {len(X)} rows still moved after max_iter={max_iter} steps.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return denoised

    @property
    def _n_features_out(self):
        """Number of columns, for `get_feature_names_out`."""
        return self.dual_coef_.shape[1]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = is_precomputed(self.kernel)
        return tags
