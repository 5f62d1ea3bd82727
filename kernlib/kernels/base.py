"""What every kernel can do, and the algebra: sums, products and positive multiples of kernels are kernels.

Chapters: Kernels; Bochner's theorem.
"""

import numbers
from dataclasses import dataclass

import numpy as np
from sklearn.gaussian_process.kernels import Kernel as ScikitLearnKernel

from kernlib.kernels.gram import GramMatrices
from kernlib.kernels.spectral import SpectralLaw
from kernlib.numerics.validation import as_matrix, check_positive, describe

__all__ = ["Kernel", "Product", "Scaled", "Sum"]


class Kernel(GramMatrices, SpectralLaw):
    """
    A symmetric function κ(x, x′) whose Gram matrices Gᵢⱼ = κ(xᵢ, xⱼ) are positive semi-definite.

    A new kernel gives ``values``, its formula for the rows of two arrays, and ``diagonal``; a
    translation-invariant one also ``spectral_map``. Kernels add and multiply, a positive number scales
    them, and they serve as ``kernel=`` in scikit-learn's SVC, KernelRidge, KernelPCA and Nystroem, one call
    for the whole matrix. Chapter: Kernels.
    """

    __array_ufunc__ = None  # so that np.float64(2) * kernel comes to __rmul__, not to an array of objects

    def __call__(self, X, Y=None, *, out=None):
        """
        Compute the Gram matrix G, Gᵢⱼ = κ(xᵢ, yⱼ).

        Parameters
        ----------
        X : array_like of shape (n, p)
            Rows are observations.
        Y : array_like of shape (m, p), optional
            X itself where it is not given; G is then exactly symmetric.
        out : ndarray of shape (n, m), optional
            Where to write G, of its dtype. A loop over γ that gives the same array each time saves the
            operating system's work for new memory, which can take as long as G.

        Returns
        -------
        ndarray of shape (n, m)
            float32 if X and Y are, otherwise float64; `out` where it is given.

        Raises
        ------
        TypeError, ValueError
            If an array is sparse, not 2-D, empty or not finite, if X and Y differ in p, or if `out` is not an
            array of G's shape and dtype apart from X and Y.

        Notes
        -----
        O(nmp) operations, and nm numbers of memory unless `out` is given.
        """
        X = as_matrix(X)
        Y = X if Y is None else as_matrix(Y, "Y")
        if X.shape[1] != Y.shape[1]:
            raise ValueError(f"X and Y must have as many columns each, got {X.shape[1]} and {Y.shape[1]}.")
        return self.gram(X, Y, out)

    def diag(self, X):
        """
        Compute κ(xᵢ, xᵢ) for each row, without the matrix around it.

        Parameters
        ----------
        X : array_like of shape (n, p)
            As for the matrix.

        Returns
        -------
        ndarray of shape (n,)
            The diagonal of ``kernel(X)``.
        """
        X = as_matrix(X)
        self.check(X)
        return self.diagonal(X)

    def __sklearn_clone__(self):
        """Give the kernel itself, as nothing can change it."""
        return self

    @property
    def requires_vector_input(self):
        """Refuse scikit-learn's Gaussian processes, which ask for this first, for gradients later."""
        raise TypeError(
            f"kernel must be one of sklearn.gaussian_process.kernels, which a Gaussian process can fit, got "
            f"{self!r}: with its parameters fixed, the mean of a Gaussian process is KernelRidge's f."
        )

    def __add__(self, other):
        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other):
        if isinstance(other, numbers.Real):
            return Scaled(self, other)
        return Product(self, other) if isinstance(other, Kernel) else NotImplemented

    __rmul__ = __mul__


def check_kernel(name, kernel):
    """Refuse what is no kernel, of those that a new one is made of."""
    if not isinstance(kernel, Kernel):
        raise TypeError(f"{name} must be a Kernel such as Gaussian(0.5), got {describe(kernel)}.")


# scikit-learn calls a kernel once for a whole matrix only where it takes it for one of its own; any
# other callable it calls for each pair of rows.
ScikitLearnKernel.register(Kernel)


@dataclass(frozen=True)
class Sum(Kernel):
    """
    κ₁ + κ₂, whose features are those of both side by side; written ``k1 + k2``.

    A frequency comes from κ₁'s law with probability q₁(0)/q(0), otherwise from κ₂'s. Chapter: Kernels.

    Parameters
    ----------
    left, right : Kernel
        κ₁ and κ₂.
    """

    left: Kernel
    right: Kernel

    def __post_init__(self):
        check_kernel("left", self.left)
        check_kernel("right", self.right)

    def values(self, X, Y):
        return self.left.values(X, Y) + self.right.values(X, Y)

    def check(self, X, name="X"):
        self.left.check(X, name)
        self.right.check(X, name)
        super().check(X, name)

    def diagonal(self, X):
        return self.left.diagonal(X) + self.right.diagonal(X)

    @property
    def amplitude(self):
        return self.left.amplitude + self.right.amplitude

    @property
    def isotropic(self):
        return self.left.isotropic and self.right.isotropic

    def spectral_dim(self, p):
        return 1 + max(self.left.spectral_dim(p), self.right.spectral_dim(p))

    def spectral_map(self, U, p):
        left, right = (k.spectral_map(U[:, 1 : 1 + k.spectral_dim(p)], p) for k in (self.left, self.right))
        return np.where(U[:, 0] < self.left.amplitude / self.amplitude, left, right)


@dataclass(frozen=True)
class Product(Kernel):
    """
    κ₁ κ₂, whose features are all products of one feature of each; written ``k1 * k2``.

    A frequency is the sum of two, drawn independently from the two laws. Chapter: Kernels.

    Parameters
    ----------
    left, right : Kernel
        κ₁ and κ₂.
    """

    left: Kernel
    right: Kernel

    def __post_init__(self):
        check_kernel("left", self.left)
        check_kernel("right", self.right)

    def values(self, X, Y):
        return self.left.values(X, Y) * self.right.values(X, Y)

    def check(self, X, name="X"):
        self.left.check(X, name)
        self.right.check(X, name)
        super().check(X, name)

    def diagonal(self, X):
        return self.left.diagonal(X) * self.right.diagonal(X)

    @property
    def amplitude(self):
        return self.left.amplitude * self.right.amplitude

    @property
    def isotropic(self):
        return self.left.isotropic and self.right.isotropic

    def spectral_dim(self, p):
        return self.left.spectral_dim(p) + self.right.spectral_dim(p)

    def spectral_map(self, U, p):
        first = self.left.spectral_dim(p)
        return self.left.spectral_map(U[:, :first], p) + self.right.spectral_map(U[:, first:], p)


@dataclass(frozen=True)
class Scaled(Kernel):
    """
    a κ, with the features of κ times √a and the spectral law of κ; written ``a * k``. Chapter: Kernels.

    Parameters
    ----------
    kernel : Kernel
        κ.
    scale : float
        a > 0; a negative one gives no kernel.
    """

    kernel: Kernel
    scale: float

    def __post_init__(self):
        check_kernel("kernel", self.kernel)
        object.__setattr__(self, "scale", check_positive("scale", self.scale))

    def values(self, X, Y):
        return self.scale * self.kernel.values(X, Y)

    def prepare(self, Y, dtype):
        return self.kernel.prepare(Y, dtype)

    def check(self, X, name="X"):
        self.kernel.check(X, name)
        super().check(X, name)

    def diagonal(self, X):
        return self.scale * self.kernel.diagonal(X)

    @property
    def amplitude(self):
        return self.scale * self.kernel.amplitude

    @property
    def isotropic(self):
        return self.kernel.isotropic

    def spectral_dim(self, p):
        return self.kernel.spectral_dim(p)

    def spectral_map(self, U, p):
        return self.kernel.spectral_map(U, p)
