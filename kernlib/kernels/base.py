"""What every kernel can do, and the algebra: sums, products and positive multiples of kernels are kernels.

Chapters: Kernels; Bochner's theorem.
"""

import numbers
from dataclasses import dataclass

import numpy as np
from sklearn.gaussian_process.kernels import Kernel as ScikitLearnKernel
from sklearn.utils import gen_batches

from kernlib.blocks import TILE, in_threads, threads, tiles
from kernlib.validation import as_generator, as_matrix, check_count, check_positive

__all__ = ["Kernel", "Product", "Scaled", "Sum"]


class Kernel:
    """
    A symmetric function κ(x, x′) whose Gram matrices Gᵢⱼ = κ(xᵢ, xⱼ) are positive semi-definite.

    A new kernel gives ``tile`` and ``diagonal``; a translation-invariant one also ``spectral_map``.
    Kernels add and multiply, a positive number scales them, and they serve as ``kernel=`` in
    scikit-learn's SVC, KernelRidge, KernelPCA and Nystroem, one call for the whole matrix.

    Notes
    -----
    Chapter: Kernels.
    """

    isotropic = False  # whether the spectral law is the same in every direction
    __array_ufunc__ = None  # so that np.float64(2) * kernel comes to __rmul__, not to an array of objects

    def __call__(self, X, Y=None):
        """
        Compute the Gram matrix G, Gᵢⱼ = κ(xᵢ, yⱼ).

        Parameters
        ----------
        X : array_like of shape (n, p)
            Rows are observations.
        Y : array_like of shape (m, p), optional
            X itself where it is not given; G is then exactly symmetric.

        Returns
        -------
        ndarray of shape (n, m)
            float32 if X and Y are, otherwise float64.

        Raises
        ------
        TypeError, ValueError
            If an array is sparse, not 2-D, empty or not finite, or if the two differ in p.

        Notes
        -----
        O(nmp) operations and nm numbers of memory.
        """
        X = as_matrix(X)
        Y = X if Y is None else as_matrix(Y, "Y")
        if X.shape[1] != Y.shape[1]:
            raise ValueError(f"X and Y must have as many columns each, got {X.shape[1]} and {Y.shape[1]}.")
        return self.gram(X, Y)

    def gram(self, X, Y):
        """
        Compute the Gram matrix of arrays that were checked already, tile by tile, in threads.

        Parameters
        ----------
        X, Y : ndarray of shape (n, p) and (m, p)
            Finite floats; the same object twice gives an exactly symmetric matrix, computed by half.

        Returns
        -------
        ndarray of shape (n, m)
            The matrix of all κ(xᵢ, yⱼ).
        """
        same = self.check_both(X, Y)
        G = np.empty((len(X), len(Y)), np.result_type(X, Y))

        def fill(tile):
            rows, columns = tile
            left = X[rows]
            if same and rows == columns:
                G[rows, rows] = self.tile(left, left)
                return
            G[rows, columns] = self.tile(left, Y[columns])
            if same:
                G[columns, rows] = G[rows, columns].T

        in_threads(fill, tiles(len(X), None if same else len(Y)))
        return G

    def matmul(self, X, Y, B):
        """
        Compute κ(X, Y) B for arrays that were checked already, without ever holding κ(X, Y).

        Parameters
        ----------
        X, Y : ndarray of shape (n, p) and (m, p)
            Finite floats.
        B : ndarray of shape (m,) or (m, q)
            What to multiply by.

        Returns
        -------
        ndarray of shape (n,) or (n, q)
            Each tile's product in the dtype of X and Y; their sum in that of all three.

        Notes
        -----
        O(nm(p + q)) operations, and the memory of the result.
        """
        self.check_both(X, Y)
        part = B.astype(np.result_type(X, Y), copy=False)
        products = np.empty((len(X), *B.shape[1:]), np.result_type(part, B))

        def add_up(rows):
            for columns in gen_batches(len(Y), TILE):
                product = self.tile(X[rows], Y[columns]) @ part[columns]
                if columns.start == 0:
                    products[rows] = product
                else:
                    products[rows] += product

        in_threads(add_up, gen_batches(len(X), TILE))
        return products

    def gram_product(self, X, B):
        """
        Compute G B for the Gram matrix G of an array that was checked; half of G is computed, none held.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Finite floats.
        B : ndarray of shape (n,) or (n, q)
            What to multiply by.

        Returns
        -------
        ndarray of shape (n,) or (n, q)
            Each tile's product in the dtype of X, their sum in that of both.

        Notes
        -----
        O(n²(p + q)) operations, and the memory of the result for each core.
        """
        self.check(X)
        part = B.astype(X.dtype, copy=False)
        blocks = list(gen_batches(len(X), TILE))
        sums = np.zeros((min(threads(), len(blocks)), *B.shape), np.result_type(part, B))

        def add_up(thread):  # into a sum of its own, as a tile's mirror adds to rows that others work on
            for i in range(thread, len(blocks), len(sums)):
                rows, left = blocks[i], X[blocks[i]]
                sums[thread, rows] += self.tile(left, left) @ part[rows]
                for columns in blocks[i + 1 :]:
                    tile = self.tile(left, X[columns])
                    sums[thread, rows] += tile @ part[columns]
                    sums[thread, columns] += tile.T @ part[rows]

        in_threads(add_up, range(len(sums)))
        return sums.sum(axis=0)

    def tile(self, X, Y):
        """
        Compute a part of a Gram matrix that fits the cache: the kernel's formula.

        Parameters
        ----------
        X, Y : ndarray of shape (n, p) and (m, p)
            Finite floats that `check` took; the same object twice gives an exactly symmetric matrix.

        Returns
        -------
        ndarray of shape (n, m)
            A new array of all κ(xᵢ, yⱼ).
        """
        raise NotImplementedError

    def check(self, X, name="X"):
        """
        Refuse data that the kernel is not made for; most take any whose κ(x, x) is finite.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Finite floats.
        name : str
            What to call it in the sentence.

        Raises
        ------
        ValueError
            If some κ(x, x) overflows. No other entry can: κ(x, x′)² ≤ κ(x, x) κ(x′, x′).
        """
        with np.errstate(over="ignore", invalid="ignore"):
            finite = np.isfinite(self.diagonal(X))
        if not finite.all():
            raise ValueError(
                f"{name} must be small enough for {self}, got κ(x, x) beyond the range of {X.dtype} in row "
                f"{finite.argmin()}."
            )

    def check_both(self, X, Y):
        """
        Check X and Y, once if they are the same.

        Parameters
        ----------
        X, Y : ndarray of shape (n, p) and (m, p)
            Finite floats.

        Returns
        -------
        bool
            Whether they are the same object.
        """
        self.check(X)
        if Y is not X:
            self.check(Y, "Y")
        return Y is X

    def diag(self, X):
        """
        Compute κ(xᵢ, xᵢ) for each row, without the matrix around it.

        Parameters
        ----------
        X : array_like of shape (n, p)
            Rows are observations.

        Returns
        -------
        ndarray of shape (n,)
            The diagonal of ``kernel(X)``.

        Raises
        ------
        TypeError, ValueError
            As for the whole matrix.
        """
        X = as_matrix(X)
        self.check(X)
        return self.diagonal(X)

    def diagonal(self, X):
        """
        Compute κ(xᵢ, xᵢ) for each row of an array that is finite.

        Parameters
        ----------
        X : ndarray of shape (n, p)
            Finite floats.

        Returns
        -------
        ndarray of shape (n,)
            In the dtype of X.
        """
        raise NotImplementedError

    @property
    def amplitude(self):
        """q(0), the mass of a translation-invariant kernel's spectral measure."""
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def spectral_dim(self, p):
        """
        Count the uniform numbers that one frequency is made of.

        Parameters
        ----------
        p : int
            Dimension of the inputs.

        Returns
        -------
        int
            p for the Gaussian and Laplace kernels; other laws need more.
        """
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def spectral_map(self, U, p):
        """
        Turn uniform numbers into frequencies that follow the spectral law.

        Parameters
        ----------
        U : ndarray of shape (n, spectral_dim(p))
            Strictly between 0 and 1, pseudo-random or quasi-random.
        p : int
            Dimension of the inputs.

        Returns
        -------
        ndarray of shape (p, n)
            One frequency a column, in radians per unit of x.
        """
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def sample_frequencies(self, n, p, rng=None):
        """
        Draw ω₁, …, ωₙ independently from the spectral law: κ(x, x′) = q(0) E cos ωᵀ(x − x′).

        Parameters
        ----------
        n, p : int
            How many frequencies, and the dimension of the inputs.
        rng : None, int, Generator or RandomState
            Where the draws come from.

        Returns
        -------
        ndarray of shape (p, n)
            Ω, one frequency a column, in radians per unit of x.

        Raises
        ------
        TypeError
            If the kernel is not translation invariant.

        Notes
        -----
        Chapter: Bochner's theorem.
        """
        n, p = check_count("n", n, 1), check_count("p", p, 1)
        U = as_generator(rng).random((n, self.spectral_dim(p)))
        return self.spectral_map(np.maximum(U, 2.0**-54), p)  # a quantile at 0 would be −∞

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


# scikit-learn calls a kernel once for a whole matrix only where it takes it for one of its own; any
# other callable it calls for each pair of rows.
ScikitLearnKernel.register(Kernel)


@dataclass(frozen=True)
class Sum(Kernel):
    """
    κ₁ + κ₂, whose features are those of both side by side; written ``k1 + k2``.

    A frequency comes from κ₁'s law with probability q₁(0)/q(0), otherwise from κ₂'s.

    Parameters
    ----------
    left, right : Kernel
        κ₁ and κ₂.

    Notes
    -----
    Chapter: Kernels.
    """

    left: Kernel
    right: Kernel

    def tile(self, X, Y):
        return self.left.tile(X, Y) + self.right.tile(X, Y)

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

    A frequency is the sum of two, drawn independently from the two laws.

    Parameters
    ----------
    left, right : Kernel
        κ₁ and κ₂.

    Notes
    -----
    Chapter: Kernels.
    """

    left: Kernel
    right: Kernel

    def tile(self, X, Y):
        return self.left.tile(X, Y) * self.right.tile(X, Y)

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
    a κ, whose features are those of κ times √a and whose spectral law is that of κ; written ``a * k``.

    Parameters
    ----------
    kernel : Kernel
        κ.
    scale : float
        a > 0; a negative one gives no kernel.

    Notes
    -----
    Chapter: Kernels.
    """

    kernel: Kernel
    scale: float

    def __post_init__(self):
        object.__setattr__(self, "scale", check_positive("scale", self.scale))

    def tile(self, X, Y):
        return self.scale * self.kernel.tile(X, Y)

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
