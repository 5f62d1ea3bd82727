"""Ridge regression on Nyström's features."""

from dataclasses import KW_ONLY, dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin, clone

from kernlib.kernels.choice import KernelLike
from kernlib.numerics.blocks import slices
from kernlib.numerics.conjugate_gradients import units_of
from kernlib.numerics.estimators import all_or_nothing, exceeds_float32, validate_ridge, validate_rows
from kernlib.numerics.normal_equations import ridge_statistics
from kernlib.numerics.progress import progress_bar
from kernlib.numerics.psd import EXACT_TO
from kernlib.numerics.regularization import candidates, choose_lam, keep_weighted, merge_copies, several
from kernlib.numerics.validation import Seed, describe
from kernlib.nystrom.falkon import falkon, is_cheaper
from kernlib.nystrom.features import NystromFeatures

__all__ = ["NystromRidge"]

BLOCK_ROWS = 4096  # rows whose features leave-one-out holds at once
SAMPLE = 1000  # landmarks, at most, with which "cg" chooses λ


@dataclass(eq=False, repr=False)
class NystromRidge(MultiOutputMixin, RegressorMixin, BaseEstimator):
    """Minimize (1/2n) Σ (yᵢ − b − f(xᵢ))² + (λ/2)‖f‖² over f(x) = Σⱼ aⱼ κ(x, zⱼ), with c landmarks zⱼ.

    On the features Z = CM of `NystromFeatures` this is ridge regression; without the intercept b,
    w = (ZᵀZ + nλI)⁻¹Zᵀy, and with it, Z is centered. With a = Mw, a prediction needs only κ(x, landmarks).
    With weights of the observations, their sum takes the place of n.

    The residual of the fit without observation i is (yᵢ − f(xᵢ))/(1 − hᵢ) with hᵢ = zᵢᵀ(ZᵀZ + nλI)⁻¹zᵢ; that
    fit has the same nλ. With all n rows as landmarks, f is that of the exact `kernlib.ridge.KernelRidge`.
    Fitting costs O(ncp + nck + nk² + c³), L values of λ O(nk(k + L)) more; predicting m rows O(mcp). Memory:
    O(c²), and Z for 8,192 rows, for each core. "cg" costs O(c³) once, O(ncp) for each of about 30 steps, and
    the memory of three c × c matrices. Source: Williams and Seeger (2001); Rudi, Camoriano and Rosasco
    (2015); Rudi, Carratino and Rosasco (2017) for "cg"; Allen (1974) for the residuals. Chapter: Nyström.

    Parameters
    ----------
    kernel, n_components, rank, landmarks : optional
        As in `NystromFeatures`.
    lam : "auto", float or array_like of shape (L,)
        λ > 0; or several values, as in `kernlib.ridge.KernelRidge`, whose leave-one-out errors "cg" compares
        with at most 1,000 of the landmarks. "auto" tries λ as in `KernelRidge`.
    fit_intercept : bool
        Whether there is a b; without it b = 0.
    solver : {"auto", "direct", "cg"}
        "direct" adds up ZᵀZ and decomposes it. "cg" is Falkon's algorithm: conjugate gradients, each step of
        which computes C block by block; it takes no rank. "auto" is "cg" without a rank where that is
        expected to cost less: from c = 30(p + 90) landmarks on.
    tol : float
        The relative residual at which "cg" stops. For λ ≥ 10⁻⁵ κ(x, x), predictions err by about tol ‖y‖/√n;
        for smaller λ by more: up to 20 times that at 10⁻⁶, and 1,000 times at 10⁻¹⁰. Below, take "direct".
    random_state, verbose : optional
        As in `NystromFeatures` and `kernlib.ridge.KernelRidge`.

    Attributes
    ----------
    kernel_, components_, component_indices_, rank_
        As in `NystromFeatures`.
    landmark_coef_, intercept_ : ndarray of shape (c,) or (c, q), and float or ndarray of shape (q,)
        a, in the dtype of X, or float64 for a y too large for float32, computed in float64; and b.
    lam_, lams_, loo_errors_ : float, and ndarray of shape (L,)
        As in `kernlib.ridge.KernelRidge`, with fixed landmarks.
    residual_, n_iter_ : float, int
        The relative residual that "cg" reached, the largest over the outputs, and after how many steps.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlib import NystromRidge, Gaussian
    >>> X = np.linspace(0, 6, 200)[:, None]
    >>> model = NystromRidge(Gaussian(gamma=1.0), n_components=20, random_state=0).fit(X, np.sin(X[:, 0]))
    >>> model.predict([[0.5]]).round(2)  # sin 0.5 = 0.479
    array([0.48])
    """

    kernel: KernelLike = None
    _: KW_ONLY
    n_components: int = 500
    rank: int | None = None
    landmarks: str | ArrayLike = "uniform"
    lam: str | float | ArrayLike = "auto"
    fit_intercept: bool = True
    solver: str = "auto"
    tol: float = 1e-4
    random_state: Seed = None
    verbose: bool = True

    @all_or_nothing
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Choose landmarks, compute a and b from X (n, p), y (n,) or (n, q); weight 0 leaves a row out."""
        X, y, weights = validate_ridge(self, X, y, sample_weight)
        kept = np.arange(len(X)) if weights is None else np.flatnonzero(weights)
        X, y, weights = keep_weighted(X, y, weights)
        X = X.astype(np.float64) if exceeds_float32(y) else X
        self.lam_ = float(candidates(self.lam)[0])  # or the best of several, below
        if self.solver == "cg" and self.rank is not None:
            raise ValueError(f"rank must be None for solver='cg', got {describe(self.rank)}.")
        shared = {name: getattr(self, name) for name in NystromFeatures().get_params()}
        features = NystromFeatures(**shared)
        features._choose_landmarks(X)
        cheaper = self.rank is None and is_cheaper(len(X), len(features.components_), X.shape[1])
        by_steps = self.solver == "cg" or (self.solver == "auto" and cheaper)
        a, b = (self._fit_by_steps if by_steps else self._fit_directly)(features, X, y, weights)
        self.landmark_coef_, self.intercept_ = a.astype(X.dtype, copy=False), b.astype(X.dtype)[()]
        self.kernel_ = features.kernel_
        self.components_, rows = features.components_, features.component_indices_
        self.component_indices_ = None if rows is None else kept[rows]
        return self

    def _fit_directly(self, features, X, y, weights):
        """Compute a and b from ZᵀZ and Zᵀy, and λ by leave-one-out if there are several."""
        features._compute_root(X.dtype)
        # the other columns are zeros; of rank 0, one of them is left
        features.normalization_ = features.normalization_[: max(1, features.rank_)]
        self.rank_, intercept = features.rank_, bool(self.fit_intercept)
        unit = min(1.0, units_of(y).max())  # in which small squares stay in range
        statistics = ridge_statistics(
            features, X, y / unit, constant=intercept, sample_weight=weights, verbose=self.verbose
        )
        if several(self.lam):
            self.lams_ = candidates(self.lam, *statistics.mean_squares(intercept))
            rows, sums = merge_copies(X, y, weights)
            errors = leave_one_out(
                features, X[rows], y[rows] / unit, sums, statistics, self.lams_, intercept, self.verbose
            )
            self.lam_, self.loo_errors_ = choose_lam(self.lams_, errors), errors * unit**2
        w, b = statistics.coefficients(self.lam_, intercept)
        if intercept:
            statistics.warn_if_far()
        return features.normalization_.T @ w * unit, b * unit

    def _fit_by_steps(self, features, X, y, weights):
        """Compute a and b by `falkon`, and λ with some of the landmarks if there are several."""
        landmarks, rows = features.components_, features.component_indices_
        if several(self.lam):
            some = landmarks[:: -(-len(landmarks) // SAMPLE)]  # which may be in an order
            fewer = clone(self).set_params(landmarks=some, solver="direct").fit(X, y, weights)
            self.lam_, self.lams_, self.loo_errors_ = fewer.lam_, fewer.lams_, fewer.loo_errors_
        weights = np.ones(len(X)) if weights is None else weights
        of_landmarks = np.ones(len(landmarks)) if rows is None else weights[rows]
        a, b, residuals, self.rank_ = falkon(
            X, y.reshape(len(y), -1), landmarks, features.kernel_, lam=self.lam_, tol=self.tol,
            weights=weights, landmark_weights=of_landmarks, fit_intercept=bool(self.fit_intercept),
            verbose=self.verbose,
        )  # fmt: skip
        self.residual_, self.n_iter_ = residuals[-1], len(residuals) - 1
        return a.reshape(-1, *y.shape[1:]), b.reshape(y.shape[1:])

    def predict(self, X: ArrayLike) -> NDArray:
        """Compute Σⱼ aⱼ κ(x, zⱼ) + b, of shape (m,) or (m, q), for the m rows of X."""
        X = validate_rows(self, X, reset=False)
        return self.kernel_.matmul(X, self.components_, self.landmark_coef_) + self.intercept_


def leave_one_out(features, X, y, weights, statistics, lams, intercept, verbose):
    """Compute the mean squares of the leave-one-out residuals, with fixed landmarks, for all λ in one pass.

    With ZᵀZ = VSVᵀ, f(xᵢ) = zᵢᵀV(S + nλI)⁻¹VᵀZᵀy and hᵢ = Σⱼ (zᵢᵀV)ⱼ²/(sⱼ + nλ). With an intercept, zᵢ and yᵢ
    are centered, and hᵢ is 1/n larger; a weight multiplies hᵢ. A 1 − hᵢ lost in rounding gives infinity.
    """
    n, y, means = len(X), y.reshape(len(X), -1), (0.0, 0.0)
    if intercept:
        statistics, means = statistics.centered()
    V, inverse, coef = statistics.solve_path(lams, EXACT_TO[X.dtype])
    squares, noise = np.zeros(len(lams)), len(V) * np.finfo(X.dtype).eps
    weights = np.ones(n) if weights is None else weights
    for rows in progress_bar(slices(n, BLOCK_ROWS), desc="leave-one-out", unit="block", verbose=verbose):
        rotated, s = (features.transform(X[rows]) - means[0]) @ V, weights[rows, None]
        fitted = (rotated @ coef).reshape(len(rotated), len(lams), -1)
        left_out = (1 - s * (rotated**2 @ inverse + intercept / statistics.n))[:, :, None]
        errors = (y[rows] - means[1])[:, None, :] - fitted
        residuals = np.divide(errors, left_out, where=left_out > noise, out=np.full_like(fitted, np.inf))
        squares += np.sum(s[:, :, None] * residuals**2, axis=(0, 2))
    return squares / (statistics.n * y.shape[1])
