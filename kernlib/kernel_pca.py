"""Kernel PCA: principal components in feature space, from the centred Gram matrix alone.

Chapter: Kernel PCA.
"""

import warnings

import numpy as np
from scipy import linalg
from scipy.linalg import get_blas_funcs
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted

from kernlib.kernels import Gaussian, as_kernel
from kernlib.psd import as_symmetric
from kernlib.validation import as_generator, as_matrix, check_count, check_positive, validate_rows

__all__ = ["KernelPCA", "center_gram", "center_rows"]

BLOCK = 2048  # rows whose pre-images are sought at once
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


class KernelPCA(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
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
    n_features_in_ : int
        p.
    feature_names_in_ : ndarray of shape (p,)
        Names of the inputs, where the data had any.

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
        """
        Decompose the centred Gram matrix of the rows.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Rows are observations; G itself, (n, n), where the kernel is "precomputed".
        y : None
            Ignored.

        Returns
        -------
        KernelPCA
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If X or a parameter is not as described.
        """
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
            G, self.X_fit_ = self.kernel_.gram(X, X), X.copy()  # the caller may change theirs
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
        """
        Compute Z, whose column j holds the projections on component j: Z = (K − 1ḡᵀ)Hα.

        Parameters
        ----------
        X : array_like of shape (m, p)
            Rows are observations; K, (m, n), where the kernel is "precomputed".

        Returns
        -------
        ndarray of shape (m, k)
            For the training rows, √λⱼ vⱼ in column j.

        Raises
        ------
        TypeError, ValueError
            If X is not a finite matrix with the p columns of `fit`.
        """
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        alpha = self.dual_coef_  # (K − 1ḡᵀ)Hα is Kα − 1ḡᵀα: the columns of α sum to zero
        Z = X @ alpha if is_precomputed(self.kernel_) else self.kernel_.matmul(X, self.X_fit_, alpha)
        return Z - self.column_means_ @ alpha

    def fit_transform(self, X, y=None):
        """
        Compute √λⱼ vⱼ, the projections of the training rows, without a second Gram matrix.

        Parameters
        ----------
        X : array_like of shape (n, p)
            As in `fit`.
        y : None
            Ignored.

        Returns
        -------
        ndarray of shape (n, k)
            What `transform` gives for X, up to rounding.
        """
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
        ValueError
            If X is not a finite matrix with the p columns of `fit`.

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
        for rows in gen_batches(len(X), BLOCK):
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
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        tags.input_tags.pairwise = is_precomputed(self.kernel)
        return tags


def is_precomputed(kernel):
    """
    Tell whether the caller brings Gram matrices in place of data.

    Parameters
    ----------
    kernel : object
        The estimator's parameter.

    Returns
    -------
    bool
        True for the string "precomputed".
    """
    return isinstance(kernel, str) and kernel == "precomputed"


def top_eigenpairs_centered(G, k, rng):
    """
    Compute the k largest eigenvalues of HGH, and their eigenvectors.

    Parameters
    ----------
    G : ndarray of shape (n, n)
        Symmetric, not centred.
    k : int
        At most n.
    rng : Generator
        Draws the start of the iteration.

    Returns
    -------
    lam : ndarray of shape (k,)
        Largest first.
    V : ndarray of shape (n, k)
        Orthonormal columns; the entry that is largest in size is positive.
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


def ascend_to_pre_images(kernel, points, weights, start, max_iter, tol):
    """
    Iterate z ← Σᵢ wᵢ κ(z, xᵢ) xᵢ / S(z), S(z) = Σᵢ wᵢ κ(z, xᵢ), for many rows at once; S never falls.

    Parameters
    ----------
    kernel : Gaussian
        κ.
    points : ndarray of shape (n, p)
        The xᵢ.
    weights : ndarray of shape (m, n)
        The wᵢ of each row.
    start : ndarray of shape (m, p)
        Where each row begins.
    max_iter : int
        Steps at most.
    tol : float
        Length of the step, in widths of the kernel, below which a row is done.

    Returns
    -------
    Z : ndarray of shape (m, p)
        The best point of each row.
    running : int
        How many rows still moved at the end.
    """
    Z, candidate, nearness = start.copy(), start.copy(), np.zeros(len(start))
    shortest = tol / np.sqrt(2 * kernel.gamma)
    rows = np.arange(len(start))
    for _ in range(max_iter):
        terms = weights[rows] * kernel.gram(candidate[rows], points)
        S = terms.sum(axis=1)
        nearer = S > nearness[rows]
        up, down = rows[nearer], rows[~nearer]
        Z[up], nearness[up] = candidate[up], S[nearer]
        candidate[up] = terms[nearer] @ points / S[nearer, None]
        candidate[down] = (Z[down] + candidate[down]) / 2  # S grows in this direction: the step was too long
        rows = rows[np.linalg.norm(candidate[rows] - Z[rows], axis=1) > shortest]
        if not len(rows):
            break
    return Z, len(rows)
