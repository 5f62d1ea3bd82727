"""What every kernel can do: Gram matrices, products with them, frequencies, and the operators + and *."""

import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.gaussian_process.kernels import Kernel as ScikitLearnKernel

from kernlib.numerics.blocks import BLOCK, CACHE, matrix_blocks, run_in_threads, slices, sum_in_threads
from kernlib.numerics.parameters import Parameters
from kernlib.numerics.validation import Seed, as_generator, as_matrix, check_count, check_output

__all__ = ["Kernel"]


class Kernel(Parameters):
    """A symmetric function κ(x, x′) whose Gram matrices Gᵢⱼ = κ(xᵢ, xⱼ) are positive semi-definite.

    A new kernel defines ``values``, its formula, and ``diagonal``; a translation-invariant one also
    ``spectral_map``. Kernels can be added and multiplied with each other and with positive numbers, and serve
    as ``kernel=`` in scikit-learn, whose searches find their parameters: ``GridSearchCV(SVC(
    kernel=Gaussian(1.0)), {"kernel__gamma": [0.1, 1.0]})``. Chapter: Kernels.
    """

    __array_ufunc__ = None  # so that np.float64(2) * kernel calls __rmul__ and gives no array of objects

    def values(self, X: NDArray, Y: Any = None) -> NDArray:
        """Compute all κ(xᵢ, yⱼ) as a new array: X passed ``check``, and Y is what ``prepare`` returned.

        Without Y it is X itself, and the values must be exactly symmetric.
        """
        raise NotImplementedError(f"{type(self).__name__} must define values(X, Y=None), its formula.")

    def diagonal(self, X: NDArray) -> NDArray:
        """Compute κ(xᵢ, xᵢ) for each row, in the dtype of X."""
        raise NotImplementedError(f"{type(self).__name__} must define diagonal(X), of all κ(x, x).")

    def prepare(self, Y: NDArray) -> Any:
        """Do the work that ``values(X, Y)`` can share between many X; return Y as ``values`` takes it."""
        return Y

    def __call__(self, X: ArrayLike, Y: ArrayLike | None = None, *, out: NDArray | None = None) -> NDArray:
        """Compute the Gram matrix Gᵢⱼ = κ(xᵢ, yⱼ), in O(nmp) operations.

        Parameters
        ----------
        X, Y : array_like of shape (n, p) and (m, p)
            Rows are observations; without Y, it is X, and G is exactly symmetric.
        out : ndarray of shape (n, m), optional
            Where to write G, of its dtype: a loop over γ then saves the time that new memory takes.

        Returns
        -------
        ndarray of shape (n, m)
            G, in float32 if X and Y are, otherwise in float64.
        """
        if Y is None or Y is X:  # scikit-learn passes X twice where it means one matrix
            return self.gram(as_matrix(X), out=out)
        X, Y = as_matrix(X), as_matrix(Y, "Y")
        if X.shape[1] != Y.shape[1]:
            raise ValueError(f"X and Y must have as many columns each, got {X.shape[1]} and {Y.shape[1]}.")
        return self.gram(X, Y, out)

    def diag(self, X: ArrayLike) -> NDArray:
        """Compute κ(xᵢ, xᵢ) for the n rows of X: the diagonal, of shape (n,), of ``kernel(X)``."""
        X = as_matrix(X)
        self.check(X)
        return self.diagonal(X)

    def gram(self, X: NDArray, Y: NDArray | None = None, out: NDArray | None = None) -> NDArray:
        """Compute all κ(xᵢ, yⱼ) block by block, in threads; without Y, all κ(xᵢ, xⱼ), exactly symmetric."""
        X, right = self.check_both(X, X if Y is None else Y)
        shape = (len(X), len(right))
        G = np.empty(shape, X.dtype) if out is None else check_output(out, shape, X, right)
        if Y is not None and G.size <= CACHE:  # which takes less time than threads to start
            G[:] = self.values(X, self.prepare(right))
            return G
        first = 1 if Y is None else 0  # the first rows meet only themselves
        prepared = {part.start: self.prepare(right[part]) for part in slices(len(right), BLOCK)[first:]}

        def fill(block):
            rows, columns = block
            if Y is None and rows == columns:
                G[rows, rows] = self.values(X[rows])
                return
            G[rows, columns] = self.values(X[rows], prepared[columns.start])
            if Y is None:
                G[columns, rows] = G[rows, columns].T

        run_in_threads(fill, matrix_blocks(len(X), None if Y is None else len(Y)))
        return G

    def matmul(self, X: NDArray, Y: NDArray, B: NDArray) -> NDArray:
        """Compute κ(X, Y) B for B of shape (m,) or (m, q), in O(nm(p + q)), without ever holding κ(X, Y)."""
        X, Y = self.check_both(X, Y)
        part = B.astype(X.dtype, copy=False)
        blocks = [(columns, self.prepare(Y[columns])) for columns in slices(len(Y), BLOCK)]
        product = np.zeros((len(X), *B.shape[1:]), np.result_type(part, B))

        def add_up(rows):
            for columns, right in blocks:
                product[rows] += self.values(X[rows], right) @ part[columns]

        run_in_threads(add_up, slices(len(X), BLOCK))
        return product

    def gram_product(self, X: NDArray, B: NDArray) -> NDArray:
        """Compute κ(X, X) B as `matmul` does, but from half of κ(X, X), with a result for each core."""
        self.check(X)
        part = B.astype(X.dtype, copy=False)
        blocks = [(rows, self.prepare(X[rows])) for rows in slices(len(X), BLOCK)]

        def add(i, total):  # a block and its mirror add to different rows
            rows = blocks[i][0]
            total[rows] += self.values(X[rows]) @ part[rows]
            for columns, right in blocks[i + 1 :]:
                block = self.values(X[rows], right)
                total[rows] += block @ part[columns]
                total[columns] += block.T @ part[rows]

        return sum_in_threads(add, range(len(blocks)), B.shape, np.result_type(part, B))

    def check(self, X: NDArray, name: str = "X") -> None:
        """Raise an error for data outside the domain of the kernel, or for an infinite κ(x, x)."""
        for part in self.parts:
            part.check(X, name)
        with np.errstate(over="ignore", invalid="ignore"):
            finite = np.isfinite(self.diagonal(X))  # then all are, as κ(x, x′)² ≤ κ(x, x) κ(x′, x′)
        if not finite.all():
            found = f"κ(x, x) beyond the range of {X.dtype} in row {finite.argmin()}"
            raise ValueError(f"{name} must be small enough for {self}, got {found}.")

    def check_both(self, X: NDArray, Y: NDArray) -> tuple[NDArray, NDArray]:
        """Check X and Y, and return both in their common dtype."""
        X, Y = (A.astype(np.result_type(X, Y), copy=False) for A in (X, Y))  # X is Y still, if it was
        self.check(X)
        if Y is not X:
            self.check(Y, "Y")
        return X, Y

    @property
    def isotropic(self) -> bool:
        """Whether the law of the frequencies is the same in every direction."""
        return bool(self.parts) and all(part.isotropic for part in self.parts)

    @property
    def parts(self) -> list["Kernel"]:
        """The kernels of which this one is a sum, a product or a multiple."""
        return [value for value in vars(self).values() if isinstance(value, Kernel)]

    @property
    def amplitude(self) -> float:
        """The mass q(0) of the spectral measure."""
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def spectral_dim(self, p: int) -> int:
        """Count the uniform numbers that one frequency in p dimensions takes: p, or more."""
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def spectral_map(self, U: NDArray, p: int) -> NDArray:
        """Map U of shape (n, spectral_dim(p)), uniform between 0 and 1, to n frequencies (p, n)."""
        raise TypeError(f"{self} has no spectral law: it is not translation invariant.")

    def sample_frequencies(self, n: int, p: int, rng: Seed = None) -> NDArray:
        """Draw ω₁, …, ωₙ independently from the spectral law: κ(x, x′) = q(0) E cos ωᵀ(x − x′).

        Returned is Ω, of shape (p, n) for inputs of dimension p, in radians per unit of x. Without such a
        law, which takes translation invariance, TypeError. Chapter: Bochner's theorem.
        """
        n, p = check_count("n", n, 1), check_count("p", p, 1)
        U = as_generator(rng, "rng").random((n, self.spectral_dim(p)))
        return self.spectral_map(np.maximum(U, 2.0**-54), p)  # a quantile at 0 would be −∞

    def __add__(self, other):
        from kernlib.kernels.algebra import Sum  # which needs this module first

        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other):
        from kernlib.kernels.algebra import Product, Scaled

        if isinstance(other, numbers.Real):
            return Scaled(self, other)
        return Product(self, other) if isinstance(other, Kernel) else NotImplemented

    __rmul__ = __mul__

    @property
    def requires_vector_input(self) -> bool:
        """Raise an error in scikit-learn's Gaussian processes, which read this first and need gradients."""
        advice = "with its parameters fixed, the mean of a Gaussian process is KernelRidge's f"
        raise TypeError(f"kernel must be one of sklearn.gaussian_process.kernels, got {self!r}: {advice}.")


# scikit-learn calls a kernel once for the whole matrix only if it is one of its own class; it calls any
# other function once for each pair of rows.
ScikitLearnKernel.register(Kernel)
