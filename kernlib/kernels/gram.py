"""Gram matrices, and products with them, from a kernel's formula: block by block, in threads.

Chapter: Kernels.
"""

import numpy as np

from kernlib.numerics.blocks import BLOCK, count_threads, matrix_blocks, run_in_threads, slices
from kernlib.numerics.validation import describe

__all__ = ["GramMatrices"]


class GramMatrices:
    """
    What follows from ``values`` and ``diagonal``, for arrays of finite floats that were validated already.

    The same object twice, as X and Y, gives an exactly symmetric matrix, computed by half.
    """

    def values(self, X, Y):
        """Give a new array of all κ(xᵢ, yⱼ): the kernel's formula, on parts that fit the cache."""
        raise NotImplementedError(f"{type(self).__name__} must define values(X, Y), its formula.")

    def prepare(self, Y, dtype):
        """Give Y as ``values`` may take it where many X of one dtype follow: what they share is done once."""
        return Y

    def diagonal(self, X):
        """Give κ(xᵢ, xᵢ) for each row, in the dtype of X."""
        raise NotImplementedError(f"{type(self).__name__} must define diagonal(X), of all κ(x, x).")

    def gram(self, X, Y, out=None):
        """Compute the Gram matrix (n, m) of all κ(xᵢ, yⱼ), into `out` where it is given."""
        same = self.check_both(X, Y)
        shape, dtype = (len(X), len(Y)), np.result_type(X, Y)
        G = np.empty(shape, dtype) if out is None else as_output(out, shape, dtype, X, Y)

        def fill(block):
            rows, columns = block
            left = X[rows]
            if same and rows == columns:
                G[rows, rows] = self.values(left, left)
                return
            G[rows, columns] = self.values(left, Y[columns])
            if same:
                G[columns, rows] = G[rows, columns].T

        run_in_threads(fill, matrix_blocks(len(X), None if same else len(Y)))
        return G

    def matmul(self, X, Y, B):
        """
        Compute κ(X, Y) B for B of shape (m,) or (m, q), without ever holding κ(X, Y).

        Each block's product is in the dtype of X and Y, their sum in that of all three. O(nm(p + q))
        operations, and the memory of the result and of Y.
        """
        self.check_both(X, Y)
        dtype = np.result_type(X, Y)
        part = B.astype(dtype, copy=False)
        blocks = [(columns, self.prepare(Y[columns], dtype)) for columns in slices(len(Y), BLOCK)]
        products = np.empty((len(X), *B.shape[1:]), np.result_type(part, B))

        def add_up(rows):
            for columns, block in blocks:
                product = self.values(X[rows], block) @ part[columns]
                if columns.start == 0:
                    products[rows] = product
                else:
                    products[rows] += product

        run_in_threads(add_up, slices(len(X), BLOCK))
        return products

    def gram_product(self, X, B):
        """
        Compute G B for G = κ(X, X): as `matmul`, but only half of G is computed.

        O(n²(p + q)) operations, and the memory of X, and of the result for each core.
        """
        self.check(X)
        part = B.astype(X.dtype, copy=False)
        blocks = slices(len(X), BLOCK)
        right = [self.prepare(X[rows], X.dtype) for rows in blocks]
        sums = np.zeros((min(count_threads(), len(blocks)), *B.shape), np.result_type(part, B))

        def add_up(thread):  # into a sum of its own, as a block's mirror adds to rows that others work on
            for i in range(thread, len(blocks), len(sums)):
                rows, left = blocks[i], X[blocks[i]]
                sums[thread, rows] += self.values(left, left) @ part[rows]
                for columns, block in zip(blocks[i + 1 :], right[i + 1 :], strict=True):
                    block = self.values(left, block)
                    sums[thread, rows] += block @ part[columns]
                    sums[thread, columns] += block.T @ part[rows]

        run_in_threads(add_up, range(len(sums)))
        return sums.sum(axis=0)

    def check(self, X, name="X"):
        """
        Refuse data that the kernel is not made for; most take any whose κ(x, x) is finite.

        No other entry can overflow then: κ(x, x′)² ≤ κ(x, x) κ(x′, x′).
        """
        with np.errstate(over="ignore", invalid="ignore"):
            finite = np.isfinite(self.diagonal(X))
        if not finite.all():
            raise ValueError(
                f"{name} must be small enough for {self}, got κ(x, x) beyond the range of {X.dtype} in row "
                f"{finite.argmin()}."
            )

    def check_both(self, X, Y):
        """Check X and Y, once if they are the same object, and tell whether they are."""
        self.check(X)
        if Y is not X:
            self.check(Y, "Y")
        return Y is X


def as_output(out, shape, dtype, *inputs):
    """Give `out`, and refuse what is no array of this shape and dtype, or cannot be written without harm."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array of shape {shape} and dtype {dtype}, got {describe(out)}.")
    if out.shape != shape or out.dtype != dtype:
        raise ValueError(
            f"out must have shape {shape} and dtype {dtype}, as G has, got {out.shape} and {out.dtype}."
        )
    if not out.flags.writeable or any(np.may_share_memory(out, given) for given in inputs):
        raise ValueError("out must be an array that can be written and shares no memory with X or Y.")
    return out
