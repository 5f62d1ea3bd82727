"""The weight λ of a ridge problem, given or chosen, and the weights of its observations."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlib.numerics.validation import as_grid, as_vector, describe, warn

__all__ = [
    "as_weights", "candidates", "choose_lam", "keep_weighted", "merge_copies", "observation_keys", "row_keys",
    "several", "warn_if_far",
]  # fmt: skip

EPS = np.finfo(np.float64).eps
FEW = 0.1  # different rows in a table of which x takes few values
MIXER = np.uint64(0x9E3779B97F4A7C15)  # odd, so that different numbers stay different modulo 2⁶⁴
SMALLEST, LARGEST, STEP = -10, 1, 0.5  # logarithms of the values of λ for "auto", as parts of κ(x, x)


def several(lam: Any) -> bool:
    """Return whether λ is chosen among several values."""
    return isinstance(lam, str) or np.ndim(lam) > 0


def candidates(lam: Any, size: float = 1.0, varying: float | None = None) -> NDArray:
    """List the values of λ to try, or raise an error.

    "auto" goes in steps of √10 from 10 times `size`, the mean of κ(x, x), down to 10⁻¹⁰ times `varying`, what
    an intercept leaves of it: the mean square of the distances from the mean in feature space.
    """
    if not isinstance(lam, str):
        return as_grid(lam, "lam", or_number=True)
    if lam != "auto":
        raise TypeError(f"lam must be 'auto', a positive number or a list of them, got {describe(lam)}.")
    if not size > 0:
        size = varying = 1.0
    least = max(size if varying is None else varying, EPS * size)
    below = STEP * np.floor(np.log10(size / least) / STEP)
    return size * 10.0 ** np.arange(SMALLEST - below, LARGEST + STEP / 2, STEP)


def choose_lam(lams: NDArray, errors: NDArray) -> float:
    """Return the λ of the smallest estimated error; the largest λ, with a warning, if none is finite."""
    finite = np.isfinite(errors)
    if finite.any():
        return float(lams[np.argmin(np.where(finite, errors, np.inf))])
    warn(
        "No value of lam has a finite validation error, because some observation determines its own fit up "
        f"to rounding, errors overflow, or rows are too few: the largest lam, {lams.max():g}, is used."
    )
    return float(lams.max())


def warn_if_far(size: float, left: float) -> None:
    """Warn where an intercept has so little `left` of the size of κ(x, x) that rounding errors reach it."""
    if abs(left) < 1e5 * EPS * size:
        warn(
            "Without their mean, features are so small that rounding errors may spoil the fit: are the rows "
            "equal, or far from 0? Then subtract the columns' means first, as StandardScaler does."
        )


def as_weights(s: Any, n: int, name: str = "sample_weight", *, of_part: bool = False) -> NDArray | None:
    """Convert weights of n rows to float64, zero or positive; only weights `of_part` of them may all be 0."""
    if s is None:
        return None
    weights = as_vector(np.full(n, s) if np.isscalar(s) else s, n, name)
    if weights.min() < 0 or (weights.max() == 0 and not of_part):
        found = "a negative weight" if weights.min() < 0 else "zeros only"
        raise ValueError(f"{name} must be zero or positive, and not all zero, got {found}.")
    return weights


def keep_weighted(X: NDArray, y: NDArray, weights: NDArray | None) -> tuple[NDArray, NDArray, NDArray | None]:
    """Leave out the rows of weight zero."""
    if weights is None or weights.min() > 0:
        return X, y, weights
    kept = weights > 0
    return X[kept], y[kept], weights[kept]


def row_keys(X: NDArray, y: NDArray) -> NDArray:
    """Hash each row's entries to 64 bits; so what follows depends on neither order nor blocks."""
    entries = np.ascontiguousarray(np.column_stack([X, y]), np.float64) + 0.0  # −0 becomes 0
    bits = entries.view(np.uint64)
    factors = np.random.default_rng(0).integers(2**63, size=bits.shape[1], dtype=np.uint64)
    mixed = (bits ^ (bits >> 32)) * (2 * factors + 1)  # modulo 2⁶⁴
    keys = np.bitwise_xor.reduce(mixed ^ (mixed >> 29), axis=1)
    return keys ^ (keys >> 32)


def observation_keys(X: NDArray, y: NDArray, first: int = 0) -> NDArray:
    """Hash each observation to 64 bits, copies of one to the same number; X and y begin with row `first`.

    Equal rows are copies, as from a join or a bootstrap, unless their x has several y, or nine rows of ten
    repeat another: then x takes few values, and each row is an observation of its own.
    """
    keys, n = row_keys(X, y), len(X)
    _, rows, copy, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    if len(rows) == n:
        return keys
    _, x = np.unique(row_keys(X, y.reshape(n, -1)[:, :0]), return_inverse=True)
    own = (np.bincount(x[rows])[x] > 1) | (len(rows) < FEW * n)
    number = np.empty(n, np.uint64)  # of each row among its copies
    number[np.argsort(copy, kind="stable")] = np.arange(n) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.where(own, keys + (number + np.uint64(first)) * MIXER, keys)


def merge_copies(X: NDArray, y: NDArray, weights: NDArray | None) -> tuple[NDArray, NDArray | None]:
    """Number one of each set of equal observations, to be left out together, and add up their weights."""
    _, rows, copies = np.unique(observation_keys(X, y), return_index=True, return_inverse=True)
    if len(rows) == len(X):
        return np.arange(len(X)), weights
    return rows, np.bincount(copies, weights)
