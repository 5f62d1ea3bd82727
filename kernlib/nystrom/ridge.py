"""Ridge regression on the functions that c landmarks span.

Chapter: Nyström.
"""

from types import SimpleNamespace

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from kernlib.duality import representer
from kernlib.numerics.blocks import slices
from kernlib.numerics.normal_equations import ridge_statistics
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.psd import EXACT_TO, psd_eigh
from kernlib.numerics.validation import as_targets, validate_rows
from kernlib.nystrom.features import NystromFeatures
from kernlib.ridge.choice import as_lams, least_error

__all__ = ["NystromRidge"]

HELD = 4096  # rows whose features leave-one-out holds at once


class NystromRidge(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """
    Minimise (1/2n) Σ (yᵢ − f(xᵢ))² + (λ/2)‖f‖² over f(x) = Σⱼ aⱼ κ(x, zⱼ), with c landmarks zⱼ.

    On the features Z = CM of `NystromFeatures` this is ridge regression: w = (ZᵀZ + nλI)⁻¹Zᵀy. The linear
    map goes into the weights, a = Mw, so that a prediction needs κ(x, landmarks) alone. There is no
    intercept, and all observations weigh the same (no `sample_weight`): centre y where its mean matters.

    Parameters
    ----------
    kernel : Kernel or str, optional
        What `kernlib.kernels.as_kernel` takes; the Gaussian with γ = 1/p where it is not given.
    n_components : int
        c, the number of landmarks; all n rows where there are fewer, with a warning.
    rank : int, optional
        k ≤ c, the directions kept of W; c where it is not given.
    landmarks : str or array_like of shape (c, p)
        A rule of `select_landmarks`, or the points themselves.
    lam : float or array_like of shape (L,)
        λ > 0, the book's; or several values, of which the one with the least mean square of the leave-one-out
        residuals is taken; the largest, with a warning, where no mean square is finite.
    random_state : None, int, Generator or RandomState
        Where the landmarks' draws come from.
    verbose : bool
        Whether to show the progress of a pass over the data that takes more than two seconds, on a terminal
        or in a notebook.

    Attributes
    ----------
    kernel_ : Kernel
        κ.
    components_ : ndarray of shape (c, p)
        The landmarks.
    component_indices_ : ndarray of shape (c,) or None
        Which training rows they are; None for points that are no rows.
    landmark_coef_ : ndarray of shape (c,) or (c, q)
        a, in the dtype of X; computed in float64.
    rank_ : int
        How many directions of W were kept.
    lam_ : float
        λ.
    loo_errors_ : ndarray of shape (L,)
        Mean squares of the leave-one-out residuals, where `lam` is an array; infinite for a λ so small that
        some fit leaves its observation no freedom beyond rounding.
    n_features_in_ : int
        p.
    feature_names_in_ : ndarray of shape (p,)
        Names of the inputs, where the data had any.

    Notes
    -----
    With the landmarks held fixed, the residual of the fit without observation i is (yᵢ − f(xᵢ))/(1 − hᵢ),
    hᵢ = zᵢᵀ(ZᵀZ + nλI)⁻¹zᵢ; that fit keeps the number nλ. With all n rows as landmarks, f is that of the
    exact `kernlib.ridge.KernelRidge`. The equations (CᵀC + nλW)a = Cᵀy have the same solution without M, but
    rounding of CᵀC, which grows by ‖M‖² on its way to ZᵀZ, loses it where λ is small: those for w lose no
    more than Z itself does. Fitting costs O(ncp + nck + nk² + c³), L values of λ O(nk(k + L)) more;
    predicting m rows O(mcp), less than their features would. Memory: O(c²), and Z for 8,192 rows, for each
    core. Source: Williams and Seeger (2001); Rudi, Camoriano and Rosasco (2015); Allen (1974) for the
    residuals. Chapter: Nyström.
    """

    def __init__(
        self,
        kernel=None,
        *,
        n_components=500,
        rank=None,
        landmarks="uniform",
        lam=0.01,
        random_state=None,
        verbose=True,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.rank = rank
        self.landmarks = landmarks
        self.lam = lam
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y):
        """Choose the landmarks and compute a from X, of shape (n, p), and y, of shape (n,) or (n, q)."""
        X = validate_rows(self, X, y)
        y = as_targets(y, len(X))
        lams, several = as_lams(self.lam)
        features = NystromFeatures(
            self.kernel,
            n_components=self.n_components,
            rank=self.rank,
            landmarks=self.landmarks,
            random_state=self.random_state,
        ).fit(X)
        kept = SimpleNamespace(transform=lambda rows: features.transform(rows)[:, : features.rank_])
        statistics = ridge_statistics(kept, X, y, verbose=self.verbose)
        self.lam_ = float(lams[0])
        if several:
            self.loo_errors_ = leave_one_out(kept, X, y, statistics, lams, self.verbose)
            self.lam_ = least_error(lams, self.loo_errors_)
        w = statistics.solve(lam=self.lam_)
        self.landmark_coef_ = (features.normalization_[: features.rank_].T @ w).astype(X.dtype, copy=False)
        self.kernel_, self.rank_ = features.kernel_, features.rank_
        self.components_, self.component_indices_ = features.components_, features.component_indices_
        return self

    def predict(self, X):
        """Compute f(x) = Σⱼ aⱼ κ(x, zⱼ), of shape (m,) or (m, q), for the m rows of X."""
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        return representer(self.kernel_, X, self.components_, self.landmark_coef_)


def leave_one_out(features, X, y, statistics, lams, verbose):
    """
    Compute the mean squares of the leave-one-out residuals, landmarks held fixed, for many λ in one pass.

    With ZᵀZ = VSVᵀ, f(xᵢ) = zᵢᵀV(S + nλI)⁻¹VᵀZᵀy and hᵢ = Σⱼ (zᵢᵀV)ⱼ²/(sⱼ + nλ). One mean for each λ, over
    observations and outputs; infinite where 1 − hᵢ is lost in rounding.
    """
    n, y = len(X), y.reshape(len(X), -1)
    S, V = psd_eigh(statistics.gram, EXACT_TO[X.dtype])
    inverse = np.where(S[:, None] > 0, 1 / (S[:, None] + n * lams), 0)
    moment = V.T @ statistics.moment.reshape(len(V), -1)
    weights = (inverse[:, :, None] * moment[:, None, :]).reshape(len(V), -1)  # a column for each λ and output
    squares, noise = np.zeros(len(lams)), len(V) * np.finfo(X.dtype).eps
    for rows in progress_bar(slices(n, HELD), desc="leave-one-out", unit="slice", verbose=verbose):
        rotated = features.transform(X[rows]) @ V
        fitted = (rotated @ weights).reshape(len(rotated), len(lams), -1)
        left_out = (1 - rotated**2 @ inverse)[:, :, None]
        residuals = np.divide(
            y[rows, None, :] - fitted, left_out, where=left_out > noise, out=np.full_like(fitted, np.inf)
        )
        squares += np.sum(residuals**2, axis=(0, 2))
    return squares / y.size
