"""The features of Rahimi and Recht, and the lab's function. Chapter: Random Fourier features."""

import math
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import qmc

from kernlib.fourier.waves import column_medians, compute_angles, write_waves
from kernlib.kernels import Gaussian, Kernel, as_kernel
from kernlib.numerics.blocks import CACHE, run_in_threads, slices
from kernlib.numerics.estimators import Transformer, all_or_nothing, validate_rows
from kernlib.numerics.rows import as_two_sets
from kernlib.numerics.validation import Seed, as_generator, check_choice, check_count

__all__ = ["FourierFeatures", "random_features"]


@dataclass(eq=False, repr=False)
class FourierFeatures(Transformer):
    """Map x to φ̂(x) ∈ ℝᶜ with E φ̂(x)ᵀφ̂(x′) = κ(x, x′), for a translation-invariant kernel.

    "cos-sin": φ̂(x) = √(2q(0)/c) (cos Ωᵀx, sin Ωᵀx), with c/2 frequencies; for q(0) = 1, the variance is
    (1/c)[1 + q(2δ) − 2q(δ)²]. An odd c adds one column of the other form. "cos-phase": φ̂(x) = √(2q(0)/c)
    cos(Ωᵀx + b), with c frequencies and b uniform on [0, 2π]; the variance is (1/c)[1 + ½q(2δ) − q(δ)²].

    Drawing costs O(pm), transforming n rows O(npm). Angles are computed as Ωᵀ(x − m) + (Ωᵀm + b mod 2π), in
    float64 where rounding in float32 could move them by more than 10⁻⁴. Source: Rahimi and Recht (2007);
    Sutherland and Schneider (2015); Yu et al. (2016) for orthogonal draws. Chapter: Random Fourier features.

    Parameters
    ----------
    kernel : Kernel or str, optional
        Translation invariant, as `kernlib.kernels.as_kernel` takes it; by default the Gaussian with γ = 1/p.
    n_components : int
        c ≥ 1, the number of columns.
    form : {"cos-sin", "cos-phase"}
        Which of the two maps.
    sampling : {"iid", "orthogonal", "qmc"}
        Frequencies drawn independently; in orthogonal blocks of p, for isotropic laws; or by Sobol points.
    random_state : None, int, Generator or RandomState
        The source of the random numbers.

    Attributes
    ----------
    kernel_, frequencies_ : Kernel, ndarray of shape (p, m)
        κ, and Ω, in radians per unit of x; m = c for "cos-phase", ⌈c/2⌉ for "cos-sin".
    phases_ : ndarray
        b, of the c columns of "cos-phase", or of the last one of an odd "cos-sin".
    origin_ : ndarray of shape (p,)
        m, the medians of the columns of X, from which angles are computed.

    Examples
    --------
    >>> import numpy as np
    >>> from kernlib import FourierFeatures, Gaussian
    >>> X = np.linspace(0, 6, 200)[:, None]
    >>> Z = FourierFeatures(Gaussian(gamma=1.0), n_components=2000, random_state=0).fit_transform(X)
    >>> bool(np.abs(Z @ Z.T - Gaussian(gamma=1.0)(X)).max() < 0.2)
    True
    """

    kernel: Kernel | str | None = None
    _: KW_ONLY
    n_components: int = 300
    form: Literal["cos-sin", "cos-phase"] = "cos-sin"
    sampling: Literal["iid", "orthogonal", "qmc"] = "iid"
    random_state: Seed = None

    @all_or_nothing
    def fit(self, X: ArrayLike, y: Any = None) -> "FourierFeatures":
        """Draw the frequencies; of X, only the number of columns matters, and for rounding their medians."""
        X = validate_rows(self, X)
        c = check_count("n_components", self.n_components, 1)
        check_choice("form", self.form, ("cos-sin", "cos-phase"))
        check_choice("sampling", self.sampling, ("iid", "orthogonal", "qmc"))
        p = X.shape[1]
        kernel = as_kernel(self.kernel, p)
        if self.sampling == "orthogonal" and not kernel.isotropic:
            law = f"a spectral law that is the same in every direction, and that of {kernel} is not"
            raise ValueError(f"orthogonal sampling needs {law}: use sampling='iid' or 'qmc'.")
        m = c if self.form == "cos-phase" else c - c // 2
        d = kernel.spectral_dim(p)
        rng = as_generator(self.random_state)
        if self.sampling == "qmc":
            if d >= (most := qmc.Sobol.MAXDIM):
                raise ValueError(f"sampling='qmc' has at most {most} dimensions, not {d + 1}: use 'iid'.")
            U = qmc.Sobol(d + 1, rng=rng).random_base2((m - 1).bit_length())[:m]
        else:
            U = rng.random((m, d + 1))
        U = np.maximum(U, 2.0**-54)  # a quantile at 0 would be −∞
        self.frequencies_ = kernel.spectral_map(U[:, :d], p)
        if self.sampling == "orthogonal":
            self.frequencies_ = orthogonal_directions(self.frequencies_, rng)
        self.phases_ = 2 * np.pi * U[c // 2 if self.form == "cos-sin" else 0 :, d]
        self.origin_ = column_medians(X)
        self.kernel_, self._n_features_out = kernel, c  # the latter for `get_feature_names_out`
        return self

    def transform(self, X: ArrayLike) -> NDArray:
        """Compute Z, whose rows are φ̂(xᵢ); for "cos-sin", all cosines, then all sines."""
        X = validate_rows(self, X, reset=False)
        self.kernel_.check(X)
        waves = self.stack_waves(X)
        with np.errstate(over="ignore"):  # angles of a frequency beyond float32 are computed in float64
            rounded, lengths = waves.astype(X.dtype), np.linalg.norm(self.frequencies_, axis=0)
        Z = np.empty((len(X), self._n_features_out), dtype=X.dtype)
        m = waves.shape[1]
        scale = math.sqrt(2 / Z.shape[1]) * math.sqrt(self.kernel_.amplitude)

        def fill(rows):
            angles = compute_angles(X[rows], self.origin_, waves, rounded, lengths)
            write_waves(angles, Z[rows, :m], Z[rows, m:])
            Z[rows] *= scale

        run_in_threads(fill, slices(len(X), max(1, CACHE // m)))
        return Z

    def stack_waves(self, X: NDArray) -> NDArray:
        """Stack Ω on the angles at m, within half a turn of 0; raise an error if an angle of X overflows."""
        reach = np.abs(self.origin_).max() + max(float(X.max()), -float(X.min()))
        with np.errstate(over="ignore", invalid="ignore"):
            largest = reach * np.abs(self.frequencies_).sum(axis=0).max()
        if not np.isfinite(largest):
            raise ValueError(f"X must be small enough for finite angles, got entries up to {reach:.3g}.")
        turns = self.origin_ @ self.frequencies_ / (2 * np.pi)
        turns[len(turns) - len(self.phases_) :] += self.phases_ / (2 * np.pi)
        return np.vstack([self.frequencies_, 2 * np.pi * (turns - np.rint(turns))])


def orthogonal_directions(frequencies: NDArray, rng: np.random.Generator) -> NDArray:
    """Make the directions of independent isotropic frequencies (p, m) orthonormal, p at a time."""
    p, m = frequencies.shape
    Q, R = np.linalg.qr(rng.normal(size=(-(-m // p), p, p)))
    Q *= np.sign(np.diagonal(R, axis1=1, axis2=2))[:, None, :]  # otherwise Q is not uniform
    return np.hstack(list(Q))[:, :m] * np.linalg.norm(frequencies, axis=0)


def random_features(
    X_train: ArrayLike, X_test: ArrayLike, *, c: int, gamma: float, random_state: Seed = None
) -> tuple[NDArray, NDArray]:
    """Compute the lab's algorithm 1: Z = √(2/c) cos(XΩ + b) for the Gaussian kernel, for two sets of rows.

    O((n1 + n2)pc). Source: Rahimi and Recht (2007), algorithm 1. Chapter: The large-scale lab, question 4.

    Parameters
    ----------
    X_train, X_test : array_like of shape (n1, p) and (n2, p)
        Rows are observations.
    c, gamma : int, float
        Number of features, and γ > 0 of exp(−γ‖x − x′‖²); the entries of Ω are drawn from 𝒩(0, 2γ).
    random_state : None, int, Generator or RandomState
        The source of the random numbers.

    Returns
    -------
    Z_train, Z_test : ndarray of shape (n1, c) and (n2, c)
        Features of the training and of the test rows.
    """
    X_train, X_test = as_two_sets(X_train, X_test)
    c, kernel = check_count("c", c, 1), Gaussian(gamma)
    features = FourierFeatures(kernel, n_components=c, form="cos-phase", random_state=random_state)
    return features.fit_transform(X_train), features.transform(X_test)
