"""The checks of chapter 10 on pictures and on power means."""

import numpy as np

from kernlib.book.checks import expect, expect_number, expect_numbers, expect_real, self_check
from kernlib.book.datasets import load_fashion
from kernlib.kernels import AdditiveChiSquared

__all__ = ["check_pictures_error", "check_power_mean", "pictures", "sampled"]


@self_check
def check_power_mean(points):
    """
    Check two or three positive numbers that give the power mean M_r, r = 1/10, a negative eigenvalue.

    Parameters
    ----------
    points : array_like of shape (n,)
        With M_r(x, y) = ((xʳ + yʳ)/2)^(1/r).
    """
    n = expect_real("points", points).size
    expect(n in (2, 3), f"Give two or three points, got {n}.")
    expect_numbers("points", points, (n,))
    x = np.asarray(points, dtype=float)
    expect((x > 0).all(), f"The points should be positive, got {x.min():.3g}.")
    lam = np.linalg.eigvalsh(((x[:, None] ** 0.1 + x**0.1) / 2) ** 10)[0]
    suspicion = "equal points see one number only" if np.ptp(x) == 0 else "take them further apart"
    expect(
        lam < -0.01,
        f"The smallest eigenvalue should be below -0.01, got {lam:.3g}. Hint: {suspicion}.",
    )
    print(f"✓ an eigenvalue of {lam:.3g}: even r = 1/10 gives no kernel")


def pictures(n):
    """
    Give the first n pictures as histograms: where their grey is, in 196 bins of 2 × 2 pixels.

    Parameters
    ----------
    n : int
        How many, at most 2,000.

    Returns
    -------
    ndarray of shape (n, 196)
        Rows of sum 1.
    """
    H = load_fashion().images[:n].reshape(n, 14, 2, 14, 2).sum(axis=(2, 4)).reshape(n, -1)
    return H / H.sum(axis=1, keepdims=True)


@self_check
def check_pictures_error(error):
    """
    Check ‖ZZᵀ − G‖_F/‖G‖_F of the map with m = 1 and L = 0.8, for 100 pictures and the additive χ² kernel.

    Parameters
    ----------
    error : float
        For the rows `pictures(100)`.
    """
    H = pictures(100)
    G, Z = AdditiveChiSquared()(H, H), sampled(H, 1, 0.8)
    norm = np.linalg.norm
    right = norm(Z @ Z.T - G) / norm(G)
    mistakes = {
        "the division by ‖G‖_F is missing": norm(Z @ Z.T - G),
        "these are squares": right**2,
        "that is m = 2": norm((A := sampled(H, 2, 0.8)) @ A.T - G) / norm(G),
        "that is m = 0": norm((A := sampled(H, 0, 0.8)) @ A.T - G) / norm(G),
        "that is L = 0.5": norm((A := sampled(H, 1, 0.5)) @ A.T - G) / norm(G),
    }
    expect_number("The error should be that of three columns a bin on 100 pictures", error, right, mistakes)
    print("✓ the error of three columns a bin on 100 pictures")


def sampled(X, m, L, *, two=2, zero=1, rate=np.pi, interval=True, weigh=np.sqrt, root=np.sqrt):
    """The explicit map, with parts to be replaced by mistakes; an empty bin gives zeros."""
    log, front = np.log(np.where(X > 0, X, 1)), np.where(X > 0, root(X), 0)
    columns = []
    for j in range(m + 1):
        size = weigh((two if j else zero) * (L if interval else 1) / np.cosh(rate * j * L))
        columns += [front * size * np.cos(j * L * log)] + [front * size * np.sin(j * L * log)] * (j > 0)
    return np.hstack(columns)
