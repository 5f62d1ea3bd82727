"""Ridge regression on Nyström's features."""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from kernlib.duality import representer
from kernlib.kernels.choice import KernelLike
from kernlib.numerics.blocks import slices
from kernlib.numerics.normal_equations import ridge_statistics
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.psd import EXACT_TO, psd_eigh
from kernlib.numerics.validation import Seed, as_grid, as_targets, validate_rows
from kernlib.nystrom.features import NystromFeatures
from kernlib.ridge.direct import choose_lam

__all__ = ["NystromRidge"]

BLOCK_ROWS = 4096  # rows whose features leave-one-out holds at once


class NystromRidge(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """
    Minimize (1/2n) Σ (yᵢ − f(xᵢ))² + (λ/2)‖f‖² over f(x) = Σⱼ aⱼ κ(x, zⱼ), with c landmarks zⱼ.

    On the features Z = CM of `NystromFeatures` this is ridge regression, w = (ZᵀZ + nλI)⁻¹Zᵀy. With a = Mw, a
    prediction needs only κ(x, landmarks). There is no intercept, so center y if its mean matters. All
    observations have the same weight (there is no `sample_weight`).

    Parameters
    ----------
    kernel, n_components, rank, landmarks : optional
        As in `NystromFeatures`.
    lam : float or array_like of shape (L,)
        λ > 0; or several values, of which the one with the smallest leave-one-out error is used, or, with a
        warning, the largest if no error is finite.
    random_state : None, int, Generator or RandomState
        Source of the random draws of landmarks.
    verbose : bool
        Whether to show progress after two seconds, on a terminal or in a notebook.

    Attributes
    ----------
    kernel_, components_, component_indices_, rank_
        As in `NystromFeatures`.
    landmark_coef_ : ndarray of shape (c,) or (c, q)
        a, in the dtype of X; computed in float64.
    lam_ : float
        λ.
    loo_errors_ : ndarray of shape (L,)
        Mean squares of the leave-one-out residuals, if `lam` is an array; infinite for a λ so small that some
        observation determines its own fit up to rounding.

    Notes
    -----
    With fixed landmarks, the residual of the fit without observation i is (yᵢ − f(xᵢ))/(1 − hᵢ), where
    hᵢ = zᵢᵀ(ZᵀZ + nλI)⁻¹zᵢ; that fit has the same nλ. With all n rows as landmarks, f is that of the exact
    `kernlib.ridge.KernelRidge`. The equations (CᵀC + nλW)a = Cᵀy have the same solution without M, but
    rounding errors in CᵀC, amplified by ‖M‖² in ZᵀZ, would dominate for small λ. Fitting costs
    O(ncp + nck + nk² + c³), L values of λ O(nk(k + L)) more; predicting m rows O(mcp), less than computing
    their features. Memory: O(c²), and Z for 8,192 rows, for each core. Source: Williams and Seeger (2001);
    Rudi, Camoriano and Rosasco (2015); Allen (1974) for the residuals. Chapter: Nyström.
    """

    def __init__(
        self,
        kernel: KernelLike = None,
        *,
        n_components: int = 500,
        rank: int | None = None,
        landmarks: str | ArrayLike = "uniform",
        lam: float | ArrayLike = 0.01,
        random_state: Seed = None,
        verbose: bool = True,
    ) -> None:
        self.kernel = kernel
        self.n_components = n_components
        self.rank = rank
        self.landmarks = landmarks
        self.lam = lam
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Choose the landmarks and compute a from X, of shape (n, p), and y, of shape (n,) or (n, q)."""
        X = validate_rows(self, X, y)
        y = as_targets(y, len(X))
        lams = as_grid(self.lam, "lam", or_number=True)
        features = NystromFeatures(
            self.kernel,
            n_components=self.n_components,
            rank=self.rank,
            landmarks=self.landmarks,
            random_state=self.random_state,
        ).fit(X)
        # the other columns are zeros; of rank 0, one of them is left
        features.normalization_ = features.normalization_[: max(1, features.rank_)]
        statistics = ridge_statistics(features, X, y, verbose=self.verbose)
        self.lam_ = float(lams[0])
        if np.ndim(self.lam) > 0:
            self.loo_errors_ = leave_one_out(features, X, y, statistics, lams, self.verbose)
            self.lam_ = choose_lam(lams, self.loo_errors_)
        w = statistics.solve(lam=self.lam_)
        self.landmark_coef_ = (features.normalization_.T @ w).astype(X.dtype, copy=False)
        self.kernel_, self.rank_ = features.kernel_, features.rank_
        self.components_, self.component_indices_ = features.components_, features.component_indices_
        return self

    def predict(self, X: ArrayLike) -> NDArray:
        """Compute f(x) = Σⱼ aⱼ κ(x, zⱼ), of shape (m,) or (m, q), for the m rows of X."""
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        return representer(self.kernel_, X, self.components_, self.landmark_coef_)


def leave_one_out(features, X, y, statistics, lams, verbose):
    """
    Compute the mean squares of the leave-one-out residuals, with fixed landmarks, for all λ in one pass.

    With ZᵀZ = VSVᵀ, f(xᵢ) = zᵢᵀV(S + nλI)⁻¹VᵀZᵀy and hᵢ = Σⱼ (zᵢᵀV)ⱼ²/(sⱼ + nλ). Each mean is over
    observations and outputs; it is infinite if a 1 − hᵢ is lost in rounding.
    """
    n, y = len(X), y.reshape(len(X), -1)
    S, V = psd_eigh(statistics.gram, EXACT_TO[X.dtype])
    inverse = np.where(S[:, None] > 0, 1 / (S[:, None] + n * lams), 0)
    moment = V.T @ statistics.moment.reshape(len(V), -1)
    weights = (inverse[:, :, None] * moment[:, None, :]).reshape(len(V), -1)  # a column for each λ and output
    squares, noise = np.zeros(len(lams)), len(V) * np.finfo(X.dtype).eps
    for rows in progress_bar(slices(n, BLOCK_ROWS), desc="leave-one-out", unit="block", verbose=verbose):
        rotated = features.transform(X[rows]) @ V
        fitted = (rotated @ weights).reshape(len(rotated), len(lams), -1)
        left_out = (1 - rotated**2 @ inverse)[:, :, None]
        residuals = np.divide(
            y[rows, None, :] - fitted, left_out, where=left_out > noise, out=np.full_like(fitted, np.inf)
        )
        squares += np.sum(residuals**2, axis=(0, 2))
    return squares / y.size
