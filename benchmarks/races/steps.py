"""Steps that keep several races from their floors, each alone: what `because` times."""

import numpy as np

from benchmarks.races.inputs import P, normal
from kernlib.blocks import TILE, in_threads, slices, tiles

__all__ = ["held_tiles", "kernel_tiles", "triangular_products"]


def factors(n, m, dtype):
    """Factors of P + 2 columns, as the Gaussian's tiles have, with a product of negative exponents."""
    return -np.abs(normal(n, dtype, P + 2)) / (P + 2), np.abs(normal(m, dtype, P + 2, 1))


def kernel_values(left, right):
    """Exponentials of a product of two factors, in place, and the largest of each row, as a bound needs."""
    E = left @ right.T
    return np.exp(E, out=E), E.max(axis=1)


def kernel_tiles(n, m, dtype):
    """Tiles of κ(X, Y), n × m, and the product of each with a vector."""
    A, B = factors(n, m, dtype)
    v, out = normal(m, dtype, 1, 2), np.zeros((n, 1), A.dtype)

    def job(rows):
        for columns in slices(m, TILE):
            out[rows] += kernel_values(A[rows], B[columns])[0] @ v[columns]

    return lambda: in_threads(job, slices(n, TILE))


def held_tiles(n, dtype):
    """Half of the tiles of G, and two copies of each into held memory."""
    A, B = factors(n, n, dtype)
    G = np.empty((n, n), A.dtype)

    def job(tile):
        rows, columns = tile
        values, _ = kernel_values(A[rows], B[columns])
        G[rows, columns] = values
        G[columns, rows] = values.T

    return lambda: in_threads(job, tiles(n))


def triangular_products(n, c, dtype):
    """CR for C of n × c and a triangular R: blocks of rows, by panels of 64 columns without R's zeros."""
    C, R = normal(n, dtype, c), np.triu(normal(c, dtype, c, 1))

    def job(rows):
        for columns in slices(c, 64):
            C[rows, : columns.stop] @ R[: columns.stop, columns]

    return lambda: in_threads(job, slices(n, TILE**2 // c))
