"""Steps that keep several races from their floors, each on its own: what `because` times."""

import numpy as np
from scipy import linalg

from benchmarks.races.inputs import P, normal
from kernlib.fourier.waves import write_waves
from kernlib.numerics.blocks import BLOCK, matrix_blocks, run_in_threads, slices

HELD, IN_CACHE = 8192, 2**17  # rows of features at once, and numbers of one of their temporaries
SIDE, STRIP = 128, 12  # strings of a block at most, and columns of its tables at once


def factors(n, m, dtype):
    """Return factors of P + 2 columns, as for blocks of the Gaussian, whose product is negative exponents."""
    return -np.abs(normal(n, dtype, P + 2)) / (P + 2), np.abs(normal(m, dtype, P + 2, 1))


def kernel_values(left, right):
    """Return exponentials of a product of two factors, and the largest of each row, as a bound requires."""
    E = left @ right.T
    return np.exp(E, out=E), E.max(axis=1)


def kernel_blocks(n, m, dtype):
    """Compute κ(X, Y), n × m, in blocks, and the product of each with a vector."""
    A, B = factors(n, m, dtype)
    v, out = normal(m, dtype, 1, 2), np.zeros((n, 1), A.dtype)

    def job(rows):
        for columns in slices(m, BLOCK):
            out[rows] += kernel_values(A[rows], B[columns])[0] @ v[columns]

    return lambda: run_in_threads(job, slices(n, BLOCK))


def symmetric_blocks(n, times, dtype):
    """Compute half of the blocks of G, so many times, and multiply each and its transpose by a vector."""
    A, B = factors(n, n, dtype)
    v, sums = normal(n, dtype, 1, 2), np.zeros((2, n, 1), A.dtype)

    def job(block):
        rows, columns = block
        values, _ = kernel_values(A[rows], B[columns])
        sums[0, rows], sums[1, columns] = values @ v[columns], values.T @ v[rows]

    return lambda: run_in_threads(job, [block for _ in range(times) for block in matrix_blocks(n)])


def held_blocks(n, dtype):
    """Compute half of the blocks of G, and copy each twice into held memory."""
    A, B = factors(n, n, dtype)
    G = np.empty((n, n), A.dtype)

    def job(block):
        rows, columns = block
        G[rows, columns], _ = kernel_values(A[rows], B[columns])
        G[columns, rows] = G[rows, columns].T

    return lambda: run_in_threads(job, matrix_blocks(n))


def triangular_products(n, c, dtype):
    """Multiply C (n, c) by a triangular R in blocks of rows and panels of 64 columns, without R's zeros."""
    C, R = normal(n, dtype, c), np.triu(normal(c, dtype, c, 1))

    def job(rows):
        for columns in slices(c, 64):
            C[rows, : columns.stop] @ R[: columns.stop, columns]

    return lambda: run_in_threads(job, slices(n, BLOCK**2 // c))


def sums_of_waves(n, m, dtype):
    """Compute XΩ for n rows and m frequencies, its waves Z in blocks that fit the cache, and ZᵀZ."""
    X, frequencies = normal(n, dtype), normal(P, dtype, m, 1)

    def job(rows):
        Z = np.empty((rows.stop - rows.start, 2 * m), X.dtype)
        for part in slices(len(Z), IN_CACHE // m):
            write_waves(X[rows][part] @ frequencies, Z[part, :m], Z[part, m:])
        return Z.T @ Z

    return lambda: run_in_threads(job, slices(n, HELD))


def sums_of_cells(n, length, dtype):
    """Do a look-up, a product and two sums for each cell of the tables of half of the pairs of n strings."""
    parts = np.array_split(np.arange(n), -(-n // SIDE))
    symbols = np.random.default_rng(0).integers(4, size=(length, n))

    def job(block):
        down, across = block
        shape = len(across), len(down)
        left, above = np.zeros((length, *shape)), np.ones((STRIP, *shape))
        match, values = np.empty(shape), np.zeros((4, len(down)))  # nothing matches, so nothing overflows
        for columns in slices(length, STRIP):
            for of_row in left:
                for j, row_above in zip(range(columns.start, columns.stop), above, strict=False):
                    values.take(symbols[j, across], axis=0, out=match, mode="clip")
                    np.multiply(match, row_above, out=match)
                    np.add(row_above, of_row, out=row_above)
                    np.add(of_row, match, out=of_row)

    return lambda: run_in_threads(job, [(a, b) for i, a in enumerate(parts) for b in parts[i:]])


def eigenvalues(n, dtype):
    """Compute the eigenvalues of a symmetric matrix by LAPACK, without its eigenvectors."""
    A = normal(n, dtype, n)
    S = A + A.T
    return lambda: linalg.eigvalsh(S, check_finite=False)
