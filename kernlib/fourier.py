"""Random Fourier features: c columns whose inner products are, on average, the kernel.

Bochner's theorem writes a translation-invariant kernel as q(x − x′) = q(0) E cos ωᵀ(x − x′). Since
cos(a − b) = cos a cos b + sin a sin b, draws of ω give features; with a uniform phase b, √2cos(ωᵀx +
b) does so too.

Chapter: Random Fourier features.
"""

import math

import numpy as np
from scipy.stats import qmc
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from kernlib.blocks import for_row_blocks
from kernlib.kernels import Gaussian, as_kernel
from kernlib.validation import as_generator, as_matrix, check_choice, check_count, shown, validate_rows

__all__ = ["FourierFeatures", "random_features"]

ANGLE_TOLERANCE = 1e-4  # in radians, of a float32 angle


class FourierFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """
    Map x to φ̂(x) ∈ ℝᶜ with E φ̂(x)ᵀφ̂(x′) = κ(x, x′), for a translation-invariant kernel.

    "cos-sin": φ̂(x) = √(2q(0)/c) (cos Ωᵀx, sin Ωᵀx), with c/2 frequencies; its variance is
    (1/c)[1 + q(2δ) − 2q(δ)²] where q(0) = 1. An odd c adds one column of the other form.

    "cos-phase": φ̂(x) = √(2q(0)/c) cos(Ωᵀx + b), with c frequencies and b uniform on [0, 2π]; its variance is
    (1/c)[1 + ½q(2δ) − q(δ)²].

    Parameters
    ----------
    kernel : Kernel or str, optional
        Translation invariant, as `kernlib.kernels.as_kernel` takes it; the Gaussian with γ = 1/p where it
        is not given.
    n_components : int
        c ≥ 1, the number of columns.
    form : {"cos-sin", "cos-phase"}
        Which of the two maps.
    sampling : {"iid", "orthogonal", "qmc"}
        Frequencies drawn independently; in orthogonal blocks of p, for an isotropic law; or through
        the kernel's spectral map from a scrambled Sobol sequence.
    random_state : None, int, Generator or RandomState
        Where the draws come from.
    dtype : {None, float32, float64}
        Of the features; that of the data where it is None.

    Attributes
    ----------
    kernel_ : Kernel
        The kernel that the features stand for.
    frequencies_ : ndarray of shape (p, m)
        Ω, in radians per unit of x; m = c for "cos-phase", ⌈c/2⌉ for "cos-sin".
    phases_ : ndarray
        b, of the c columns of "cos-phase", or of the one that closes an odd "cos-sin".
    origin_ : ndarray of shape (p,)
        m, a point amidst the rows, from which angles are computed.
    n_features_in_ : int
        p.
    feature_names_in_ : ndarray of shape (p,)
        Names of the inputs, where the data had any.

    Notes
    -----
    Drawing costs O(pm), transforming n rows O(npm), in time; neither needs the Gram matrix.

    Angles are computed as Ωᵀ(x − m) + (Ωᵀm + b mod 2π): where all rows lie far from 0, nothing is lost of
    their differences. Rounding moves an angle by at most (p + 5)u(‖ω‖‖x − m‖ + 2π), with u = 6·10⁻⁸ in
    float32 and 10⁻¹⁶ in float64. Where this is above 10⁻⁴ in float32, the angle is computed in float64 and
    rounded within one turn; so features are right to 10⁻⁴√(2q(0)/c), as long as float64 is.

    Source: Rahimi and Recht (2007); for the variances, Sutherland and Schneider (2015); for orthogonal draws,
    Yu et al. (2016). Chapter: Random Fourier features.
    """

    def __init__(
        self,
        kernel=None,
        *,
        n_components=300,
        form="cos-sin",
        sampling="iid",
        random_state=None,
        dtype=None,
    ):
        self.kernel = kernel
        self.n_components = n_components
        self.form = form
        self.sampling = sampling
        self.random_state = random_state
        self.dtype = dtype

    def fit(self, X, y=None):
        """
        Draw the frequencies; of X, only the number of columns matters, and for rounding where it lies.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Rows are observations.
        y : None
            Ignored.

        Returns
        -------
        FourierFeatures
            The estimator itself.

        Raises
        ------
        TypeError, ValueError
            If X or a parameter is not as described, the kernel has no spectral law, or orthogonal
            draws are asked of one that isn't isotropic.
        """
        X = validate_rows(self, X)
        c = check_count("n_components", self.n_components, 1)
        check_choice("form", self.form, ("cos-sin", "cos-phase"))
        check_choice("sampling", self.sampling, ("iid", "orthogonal", "qmc"))
        if self.dtype is not None and np.dtype(self.dtype) not in (np.float32, np.float64):
            raise ValueError(f"dtype must be None, float32 or float64, got {shown(self.dtype)}.")
        p = X.shape[1]
        kernel = as_kernel(self.kernel, p)
        if self.sampling == "orthogonal" and not kernel.isotropic:
            raise ValueError(
                f"orthogonal sampling needs a spectral law that is the same in every direction, and that of "
                f"{kernel} is not: use sampling='iid' or 'qmc'."
            )
        m = c if self.form == "cos-phase" else c - c // 2
        d = kernel.spectral_dim(p)
        rng = as_generator(self.random_state)
        U = sobol_points(m, d + 1, rng) if self.sampling == "qmc" else rng.random((m, d + 1))
        U = np.maximum(U, 2.0**-54)  # a quantile at 0 would be −∞
        self.frequencies_ = kernel.spectral_map(U[:, :d], p)
        if self.sampling == "orthogonal":
            self.frequencies_ = orthogonal_directions(self.frequencies_, rng)
        self.phases_ = 2 * np.pi * U[c // 2 if self.form == "cos-sin" else 0 :, d]
        self.origin_ = amidst(X)
        self.kernel_ = kernel
        return self

    def transform(self, X):
        """
        Compute Z, whose rows are φ̂(xᵢ).

        Parameters
        ----------
        X : array_like of shape (n, p)
            Rows are observations.

        Returns
        -------
        ndarray of shape (n, c)
            For "cos-sin", all cosines, then all sines.

        Raises
        ------
        TypeError, ValueError
            If X is not a finite matrix with the p columns of `fit`, or its angles overflow.
        """
        check_is_fitted(self)
        X = validate_rows(self, X, reset=False)
        X = X.astype(X.dtype if self.dtype is None else self.dtype, copy=False)
        self.kernel_.check(X)
        waves = self.waves_for(X)
        with np.errstate(over="ignore"):  # infinite in float32, a frequency is taken in float64
            rounded, lengths = waves.astype(X.dtype), np.linalg.norm(self.frequencies_, axis=0)
        Z = np.empty((len(X), self._n_features_out), dtype=X.dtype)
        m = waves.shape[1]
        scale = math.sqrt(2 / Z.shape[1]) * math.sqrt(self.kernel_.amplitude)

        def fill(rows):
            angles = angles_of(X[rows], self.origin_, waves, rounded, lengths)
            write_waves(angles, Z[rows, :m], Z[rows, m:])
            Z[rows] *= scale

        for_row_blocks(fill, len(X), m)
        return Z

    def waves_for(self, X):
        """Stack Ω on the angles at m, within half a turn of 0, as long as no angle of X overflows."""
        reach = np.abs(self.origin_).max() + max(float(X.max()), -float(X.min()))
        with np.errstate(over="ignore", invalid="ignore"):
            largest = reach * np.abs(self.frequencies_).sum(axis=0).max()
        if not np.isfinite(largest):
            raise ValueError(
                f"X must be small enough for angles with the frequencies of {self.kernel_} to be finite, got "
                f"entries up to {reach:.3g}."
            )
        turns = self.origin_ @ self.frequencies_ / (2 * np.pi)
        turns[len(turns) - len(self.phases_) :] += self.phases_ / (2 * np.pi)
        return np.vstack([self.frequencies_, 2 * np.pi * (turns - np.rint(turns))])

    @property
    def _n_features_out(self):
        """Number of columns, for `get_feature_names_out`."""
        return 2 * self.frequencies_.shape[1] - len(self.phases_)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def random_features(X_train, X_test, *, c, gamma, random_state=None):
    """
    Compute the lab's algorithm 1: Z = √(2/c) cos(XΩ + b) for the Gaussian kernel, same Ω and b for both sets.

    Parameters
    ----------
    X_train, X_test : array_like of shape (n1, p) and (n2, p)
        Rows are observations.
    c : int
        Number of features, c ≥ 1.
    gamma : float
        γ > 0 of exp(−γ‖x − x′‖²); the entries of Ω are drawn from 𝒩(0, 2γ).
    random_state : None, int, Generator or RandomState
        Where the draws come from.

    Returns
    -------
    Z_train : ndarray of shape (n1, c)
        Features of the training rows.
    Z_test : ndarray of shape (n2, c)
        Features of the test rows.

    Raises
    ------
    TypeError, ValueError
        If an array is not a finite matrix, they differ in p, c < 1, or γ is not positive.

    Notes
    -----
    O((n1 + n2)pc). Source: Rahimi and Recht (2007), algorithm 1. Chapter: The large-scale lab, question 4.
    """
    X_train, X_test = as_matrix(X_train, "X_train"), as_matrix(X_test, "X_test")
    c = check_count("c", c, 1)
    features = FourierFeatures(
        Gaussian(gamma), n_components=c, form="cos-phase", random_state=random_state
    ).fit(X_train)
    return features.transform(X_train), features.transform(X_test)


def amidst(X):
    """Give the medians of at most 1000 rows, as numbers that float32 holds, too."""
    rows = np.sort(X[:: len(X) // 1000 + 1], axis=0)
    largest = np.finfo(np.float32).max
    return np.clip(rows[(len(rows) - 1) // 2], -largest, largest).astype(np.float32).astype(np.float64)


def angles_of(X, origin, waves, rounded, lengths):
    """
    Compute the angles Ωᵀ(x − m) + b, in the dtype of X to 10⁻⁴ if that is float32.

    Parameters
    ----------
    X : ndarray of shape (n, p)
        Rows are observations.
    origin : ndarray of shape (p,)
        m, which float32 holds exactly.
    waves : ndarray of shape (p + 1, m)
        Ω on top of the angles b at m.
    rounded : ndarray of shape (p + 1, m)
        The same in the dtype of X.
    lengths : ndarray of shape (m,)
        Of the frequencies.

    Returns
    -------
    ndarray of shape (n, m)
        In radians; within half a turn of 0 where float32 was not enough.
    """
    p = X.shape[1]
    D = np.ones((len(X), p + 1), X.dtype)
    with np.errstate(over="ignore", invalid="ignore"):  # in float32, then float64 is taken
        np.subtract(X, origin.astype(X.dtype), out=D[:, :p])
        angles = D @ rounded
        if X.dtype == np.float64:
            return angles
        reach = math.sqrt(np.einsum("ij,ij->i", D, D).max())
        bound = (p + 5) * np.finfo(np.float32).eps / 2 * (lengths * reach + 2 * np.pi)
    wide = ~(bound <= ANGLE_TOLERANCE)  # NaN, too
    if wide.any():
        columns = (
            slice(None) if wide.mean() > 0.2 else wide
        )  # to pick columns takes longer than to compute them
        turns = np.column_stack([X - origin, np.ones(len(X))]) @ (waves[:, columns] / (2 * np.pi))
        turns -= np.rint(turns)  # whole turns leave without rounding
        turns *= 2 * np.pi
        angles[:, columns] = turns
    return angles


def write_waves(angles, cosines, sines):
    """
    Compute the cosines of all angles and the sines of the first columns.

    Parameters
    ----------
    angles : ndarray of shape (n, m)
        In radians; overwritten.
    cosines : ndarray of shape (n, m)
        Where they go.
    sines : ndarray of shape (n, k)
        Where those of the first k ≤ m columns go.

    Notes
    -----
    numpy's float64 cosine takes 15 ns a number where its float32 one and its tangent use vector instructions
    and take less than 1; with t = tan(a/2), cos a = (1 − t²)/(1 + t²) and sin a = 2t/(1 + t²), exact to
    4·10⁻¹⁶.
    """
    if angles.dtype == np.float32:
        np.cos(angles, out=cosines)
        np.sin(angles[:, : sines.shape[1]], out=sines)
        return
    angles *= 0.5
    t = np.tan(angles, out=angles)
    np.multiply(t, t, out=cosines)
    over = 2 / (1 + cosines)
    np.multiply(t[:, : sines.shape[1]], over[:, : sines.shape[1]], out=sines)
    np.subtract(over, 1, out=cosines)


def sobol_points(m, d, rng):
    """
    Give the first m points of a scrambled Sobol sequence, each of them uniform on the unit cube.

    Parameters
    ----------
    m, d : int
        Number of points, and their dimension.
    rng : Generator
        Draws the scrambling.

    Returns
    -------
    ndarray of shape (m, d)
        Numbers in [0, 1).

    Raises
    ------
    ValueError
        If d is beyond the tables of the sequence.
    """
    if d > qmc.Sobol.MAXDIM:
        raise ValueError(
            f"sampling='qmc' needs a Sobol sequence in {d} dimensions, but the longest known has "
            f"{qmc.Sobol.MAXDIM}: use 'iid'."
        )
    return qmc.Sobol(d, rng=rng).random_base2(int(m - 1).bit_length())[:m]


def orthogonal_directions(frequencies, rng):
    """
    Turn the directions of the frequencies into orthonormal ones, p at a time, and keep the lengths.

    Parameters
    ----------
    frequencies : ndarray of shape (p, m)
        Independent draws from an isotropic law.
    rng : Generator
        Draws the rotations.

    Returns
    -------
    ndarray of shape (p, m)
        Each column follows the same law as before.
    """
    p, m = frequencies.shape
    Q, R = np.linalg.qr(rng.normal(size=(-(-m // p), p, p)))
    Q *= np.sign(np.diagonal(R, axis1=1, axis2=2))[:, None, :]  # without this, Q is not uniform
    return np.hstack(Q)[:, :m] * np.linalg.norm(frequencies, axis=0)
