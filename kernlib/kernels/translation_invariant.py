"""Kernels κ(x, x′) = q(x − x′), each with the law of its frequencies, as Bochner's theorem has it."""

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaincinv, gammaln, kve, ndtri, xlogy

from kernlib.kernels.base import Kernel
from kernlib.kernels.distances import Centered, distances, gaussians
from kernlib.numerics.validation import as_grid, check_positive

__all__ = ["Gaussian", "Laplace", "Matern", "TranslationInvariant"]

FAR = 1000.0  # exp(−1000) is 0 in float64, whatever power of 1000 below ν ≤ 50 multiplies it


class TranslationInvariant(Kernel):
    """κ(x, x′) = q(x − x′) with q continuous and q(0) = 1. Chapter: Bochner's theorem."""

    amplitude = 1.0

    def diagonal(self, X: NDArray) -> NDArray:
        return np.ones(len(X), X.dtype)

    def check(self, X: NDArray, name: str = "X") -> None:
        self.spectral_dim(X.shape[1])  # counts the scales, too
        super().check(X, name)

    def spectral_dim(self, p: int) -> int:
        for name in ("gamma", "length_scale"):
            if (shape := np.shape(getattr(self, name, 1.0))) not in ((), (p,)):
                raise ValueError(f"{name} must have one number for each of the {p} columns, got {shape[0]}.")
        return p


@dataclass(frozen=True)
class Gaussian(TranslationInvariant):
    """κ(x, x′) = exp(−γ‖x − x′‖₂²), with the spectral law 𝒩(0, 2γI). Chapters: Kernels; Bochner's theorem.

    With one γⱼ for each column, κ(x, x′) = exp(−Σⱼ γⱼ(xⱼ − x′ⱼ)²), and the law is 𝒩(0, 2 diag(γ₁, …, γₚ)).

    Parameters
    ----------
    gamma : float or array_like of shape (p,)
        γ > 0, in one over squared units of x; 1/(2σ²) in terms of the standard deviation σ.
    """

    gamma: float | Sequence[float] = 1.0

    def __post_init__(self):
        object.__setattr__(self, "gamma", as_scale("gamma", self.gamma))

    @property
    def isotropic(self) -> bool:
        return np.ndim(self.gamma) == 0

    def values(self, X: NDArray, Y: Centered | None = None) -> NDArray:
        return gaussians(X, Y, self.gamma)

    def prepare(self, Y: NDArray) -> Centered:
        return Centered(Y, self.gamma, Y.dtype)

    def spectral_map(self, U: NDArray, p: int) -> NDArray:
        return 2 * np.sqrt(np.reshape(self.gamma, (-1, 1)) / 2) * ndtri(U.T)


@dataclass(frozen=True)
class Laplace(TranslationInvariant):
    """κ(x, x′) = exp(−γ‖x − x′‖₁), with independent Cauchy frequencies of density γ/(π(γ² + ω²)).

    With one γⱼ for each column, κ(x, x′) = exp(−Σⱼ γⱼ|xⱼ − x′ⱼ|), and γⱼ stands in the density of ωⱼ. The
    norm is L1, as in scikit-learn's ``laplacian_kernel``; for that of the L2 norm see ``Matern(nu=0.5)``.
    Chapters: Kernels; Bochner's theorem.

    Parameters
    ----------
    gamma : float or array_like of shape (p,)
        γ > 0, in one over units of x.
    """

    gamma: float | Sequence[float] = 1.0

    def __post_init__(self):
        object.__setattr__(self, "gamma", as_scale("gamma", self.gamma))

    def values(self, X: NDArray, Y: NDArray | None = None) -> NDArray:
        r = distances(X, Y, "cityblock", self.gamma)
        with np.errstate(over="ignore"):  # exp(−∞) = 0
            G = np.negative(r, out=r).astype(X.dtype, copy=False)
        return np.exp(G, out=G)

    def spectral_map(self, U: NDArray, p: int) -> NDArray:
        return np.reshape(self.gamma, (-1, 1)) * np.tan(np.pi * (U.T - 0.5))


@dataclass(frozen=True)
class Matern(TranslationInvariant):
    """κ(x, x′) = 2^{1−ν}/Γ(ν) rᵛ K_ν(r) with r = √(2ν) ‖x − x′‖₂/ℓ: exp(−r) at ν = ½, Gaussian as ν → ∞.

    Its spectral law is the multivariate t with 2ν degrees of freedom and scale 1/ℓ: one χ² variable for all
    coordinates of a frequency, not one for each. With one ℓⱼ for each column, r² = 2ν Σⱼ (xⱼ − x′ⱼ)²/ℓⱼ²,
    and ωⱼ has the scale 1/ℓⱼ. ν = ½, 3/2 and 5/2 have closed forms; any other needs the Bessel function K_ν,
    which is far slower. Source: Rasmussen and Williams, Gaussian Processes for Machine Learning (2006),
    section 4.2.1. Chapter: Bochner's theorem.

    Parameters
    ----------
    nu : float
        ν > 0, the smoothness; at most 50, beyond which the Gaussian is as good.
    length_scale : float or array_like of shape (p,)
        ℓ > 0, in units of x.
    """

    nu: float = 1.5
    length_scale: float | Sequence[float] = 1.0

    def __post_init__(self):
        object.__setattr__(self, "nu", check_positive("nu", self.nu))
        if self.nu > 50:  # K_ν overflows; and the two kernels differ by less than 1/ν
            raise ValueError(f"nu must be at most 50, got {self.nu:g}: use Gaussian(0.5 / length_scale**2).")
        object.__setattr__(self, "length_scale", as_scale("length_scale", self.length_scale))

    @property
    def isotropic(self) -> bool:
        return np.ndim(self.length_scale) == 0

    def values(self, X: NDArray, Y: NDArray | None = None) -> NDArray:
        with np.errstate(over="ignore"):
            scale = math.sqrt(2 * self.nu) / np.asarray(self.length_scale)
        r = distances(X, Y, "euclidean", scale)
        r = np.minimum(r, FAR, out=r)
        if self.nu == 0.5:
            G = np.exp(-r)
        elif self.nu == 1.5:
            G = (1 + r) * np.exp(-r)
        elif self.nu == 2.5:
            G = (1 + r + r**2 / 3) * np.exp(-r)
        else:
            G = np.ones_like(r)  # q(0) = 1, for which the formula gives 0 · ∞
            apart = r > 0
            G[apart] = bessel_form(self.nu, r[apart])
        return G.astype(X.dtype, copy=False)

    def spectral_dim(self, p: int) -> int:
        return super().spectral_dim(p) + 1

    def spectral_map(self, U: NDArray, p: int) -> NDArray:
        chi2 = 2 * gammaincinv(self.nu, U[:, p])
        chi2 = np.maximum(chi2, 1e-28)  # a frequency above 1e14 is noise anyway, and must not overflow
        return ndtri(U[:, :p].T) * np.sqrt(2 * self.nu / chi2) / np.reshape(self.length_scale, (-1, 1))


def bessel_form(nu, r):
    """Compute 2^{1−ν}/Γ(ν) rᵛ K_ν(r) for 0 < r ≤ 1000; by its series for r so small that K_ν overflows."""
    log_k = np.log(kve(nu, r))
    log_q = (1 - nu) * np.log(2) - gammaln(nu) + xlogy(nu, r) + log_k - r
    near_0 = -(r**2) / (4 * nu)  # for 4(ν − 1), which at such ν and r is the same to 1e-13
    return np.exp(np.minimum(np.where(np.isinf(log_k), near_0, log_q), 0))


def as_scale(name: str, value: ArrayLike) -> float | tuple[float, ...]:
    """Convert a positive number to a float, or a list of them, one for each column, to a tuple."""
    scales = as_grid(value, name, or_number=True).tolist()
    return scales[0] if isinstance(value, numbers.Real) else tuple(scales)
