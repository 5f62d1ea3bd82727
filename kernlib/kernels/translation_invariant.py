"""Kernels κ(x, x′) = q(x − x′), each with the law of its frequencies, as Bochner's theorem has it.

Chapters: Kernels; Bochner's theorem.
"""

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist
from scipy.special import gammaincinv, gammaln, kve, ndtri, xlogy

from kernlib.kernels.base import Kernel
from kernlib.validation import as_matrix, check_positive

__all__ = ["Gaussian", "Laplace", "Matern", "TranslationInvariant"]


def exponents(X, Y, gamma):
    """
    Compute −γ‖x − y‖² for all pairs of rows, as −γ‖x‖² − γ‖y‖² + 2γxᵀy, with one matrix product.

    Parameters
    ----------
    X, Y : ndarray of shape (n, p) and (m, p)
        Rows are observations.
    gamma : float
        γ > 0.

    Returns
    -------
    ndarray of shape (n, m)
        Never positive; exactly symmetric, with a diagonal of zeros, if Y is X.

    Notes
    -----
    The three terms cancel where the data lie far from the origin; so the mean goes first, which no
    distance sees.
    """
    same, centre = Y is X, Y.mean(axis=0)
    X, Y = X - centre, Y - centre
    x2, y2 = (np.einsum("ij,ij->i", A, A) for A in (X, Y))
    left = np.column_stack([2 * gamma * X, -gamma * x2, np.ones_like(x2)])
    right = np.column_stack([Y, np.ones_like(y2), -gamma * y2])
    E = left @ right.T
    if same:
        E = np.minimum(E, E.T)
        np.fill_diagonal(E, 0)
    return np.minimum(E, 0, out=E)


class TranslationInvariant(Kernel):
    """
    κ(x, x′) = q(x − x′) with q continuous and q(0) = 1.

    Notes
    -----
    Chapter: Bochner's theorem.
    """

    amplitude = 1.0

    def diag(self, X):
        X = as_matrix(X)
        return np.ones(len(X), dtype=X.dtype)

    def spectral_dim(self, p):
        return p


@dataclass(frozen=True)
class Gaussian(TranslationInvariant):
    """
    κ(x, x′) = exp(−γ‖x − x′‖₂²), with the spectral law 𝒩(0, 2γI).

    Parameters
    ----------
    gamma : float
        γ > 0, in one over squared units of x; 1/(2σ²) where others write σ.

    Notes
    -----
    Chapters: Kernels; Bochner's theorem.
    """

    gamma: float = 1.0
    isotropic = True

    def __post_init__(self):
        check_positive("gamma", self.gamma)

    def tile(self, X, Y):
        G = exponents(X, Y, float(self.gamma))
        return np.exp(G, out=G)

    def spectral_map(self, U, p):
        return np.sqrt(2 * self.gamma) * ndtri(U.T)


@dataclass(frozen=True)
class Laplace(TranslationInvariant):
    """
    κ(x, x′) = exp(−γ‖x − x′‖₁), with independent Cauchy frequencies of density γ/(π(γ² + ω²)).

    The distance is the L1 norm, as in scikit-learn's ``laplacian_kernel``; others call the L2 version
    by this name, which is ``Matern(nu=0.5)`` here.

    Parameters
    ----------
    gamma : float
        γ > 0, in one over units of x.

    Notes
    -----
    Chapters: Kernels; Bochner's theorem.
    """

    gamma: float = 1.0

    def __post_init__(self):
        check_positive("gamma", self.gamma)

    def tile(self, X, Y):
        G = cdist(X, Y, "cityblock").astype(np.result_type(X, Y), copy=False)
        G *= -self.gamma
        return np.exp(G, out=G)

    def spectral_map(self, U, p):
        return self.gamma * np.tan(np.pi * (U.T - 0.5))


@dataclass(frozen=True)
class Matern(TranslationInvariant):
    """
    κ(x, x′) = 2^{1−ν}/Γ(ν) rᵛ K_ν(r) with r = √(2ν) ‖x − x′‖₂/ℓ: exp(−‖x − x′‖₂/ℓ) at ν = ½, Gaussian
    as ν → ∞.

    Its spectral law is the multivariate t with 2ν degrees of freedom and scale 1/ℓ: one χ² for all
    coordinates of a frequency, not one for each.

    Parameters
    ----------
    nu : float
        ν > 0, the smoothness; at most 50, where the Gaussian takes over.
    length_scale : float
        ℓ > 0, in units of x.

    Notes
    -----
    ν = ½, 3/2 and 5/2 have closed forms; any other calls the Bessel function K_ν, which is far slower.
    Source: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006), section 4.2.1.
    Chapter: Bochner's theorem.
    """

    nu: float = 1.5
    length_scale: float = 1.0
    isotropic = True

    def __post_init__(self):
        check_positive("nu", self.nu)
        if self.nu > 50:  # K_ν overflows; and the two kernels differ by less than 1/ν
            raise ValueError(
                f"nu must be at most 50, got {self.nu}: use Gaussian(1 / (2 * length_scale**2))."
            )
        check_positive("length_scale", self.length_scale)

    def tile(self, X, Y):
        r = cdist(X, Y) * (np.sqrt(2 * self.nu) / self.length_scale)
        if self.nu == 0.5:
            G = np.exp(-r)
        elif self.nu == 1.5:
            G = (1 + r) * np.exp(-r)
        elif self.nu == 2.5:
            G = (1 + r + r**2 / 3) * np.exp(-r)
        else:
            G = np.ones_like(r)  # q(0) = 1, where the formula reads 0 · ∞
            apart = r > 0
            s = r[apart]
            log_q = (
                (1 - self.nu) * np.log(2) - gammaln(self.nu) + xlogy(self.nu, s) + np.log(kve(self.nu, s)) - s
            )
            G[apart] = np.exp(np.minimum(log_q, 0))
        return G.astype(np.result_type(X, Y), copy=False)

    def spectral_dim(self, p):
        return p + 1

    def spectral_map(self, U, p):
        chi2 = 2 * gammaincinv(self.nu, U[:, p])
        chi2 = np.maximum(chi2, 1e-28)  # a frequency beyond 1e14 is noise already, and must not overflow
        return ndtri(U[:, :p].T) * np.sqrt(2 * self.nu / chi2) / self.length_scale
