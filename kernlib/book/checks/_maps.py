"""The checks of chapter 8 on points: from distances, and before a projection."""

import numpy as np
from scipy.spatial.distance import cdist

from kernlib.book.checks import expect, expect_numbers, expect_real, expect_right, self_check
from kernlib.kernel_pca import center_gram

__all__ = ["check_no_map", "check_place", "check_preimage"]


@self_check
def check_place(function):
    """
    Check points made from squared distances: the distances, the mean, and the best map in too few dimensions.

    Parameters
    ----------
    function : callable
        Called as ``function(D, k)``; gives an array of shape (n, k).
    """
    rng = np.random.default_rng(0)
    cases = [(np.array([[0.0, 4.0], [4.0, 0.0]]), 1)]
    for p in (1, 2, 5):
        X = rng.normal(size=(15, p)) * np.arange(1, p + 1)
        cases.append((cdist(X, X, "sqeuclidean"), p))
    few = np.diag([3.0, 2, 1, 0.5])  # in too few dimensions the largest eigenvalues count
    cases.append((cdist(few, few, "sqeuclidean"), 2))
    spare = [(D, k + 2) for D, k in cases[1:-1]]

    def placed(D, k, *, factor=-0.5, root=0.5, order=slice(None, None, -1), centre=center_gram):
        lam, V = np.linalg.eigh(factor * centre(D))
        return V[:, order][:, :k] * np.maximum(lam[order][:k], 0) ** root

    def right(D, k):
        return placed(D, k)

    mistakes = {
        "the factor one half is missing": lambda D, k: placed(D, k, factor=-1),
        "the half was taken twice": lambda D, k: placed(D, k, factor=-0.25),
        "the rows of V should be scaled by the roots of the eigenvalues": lambda D, k: placed(D, k, root=0),
        "scale by the roots of the eigenvalues, not by the eigenvalues": lambda D, k: placed(D, k, root=1),
        "D is not centred": lambda D, k: placed(D, k, centre=np.array),
        "D holds squares already": lambda D, k: placed(D**2, k),
        "eigh sorts upwards: keep the largest eigenvalues": lambda D, k: placed(D, k, order=slice(None)),
    }
    view = lambda X: cdist(X, X, "sqeuclidean")  # noqa: E731  a map may be turned
    expect_right("the points", function, right, cases, mistakes, view=view, seen="their squared distances")
    expect_right("the points", function, right, spare, {}, view=view, seen="their squared distances")
    for D, k in cases + spare:
        off = np.abs(np.mean(function(D, k), axis=0)).max()
        expect(off < 1e-6, f"With n = {len(D)} the points should have mean zero, got {off:.2g}.")
    line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0))) ** 3
    expect_numbers("Where there is no map, the points", function(line, 3), (3, 3))
    print("✓ a map with the right distances, mean zero, and finite where there is none")


@self_check
def check_no_map(D):
    """
    Check squared distances of a metric that belong to no points of a Euclidean space.

    Parameters
    ----------
    D : array_like of shape (n, n)
        For three to six objects.
    """
    n = (*expect_real("D", D).shape, 0)[0]  # a number has no rows
    expect(3 <= n <= 6, f"D should have three to six rows, got {n}.")
    expect_numbers("D", D, (n, n))
    D = np.asarray(D, dtype=float)
    expect(np.allclose(D, D.T) and np.allclose(np.diag(D), 0), "D should be symmetric, with zeros across.")
    expect(D[~np.eye(n, dtype=bool)].min() > 0, "Different objects should have a positive distance.")
    d = np.sqrt(D)
    detour = (d[:, None, :] + d[None, :, :]).min(axis=2)
    expect(
        (d <= detour + 1e-9).all(),
        f"√D should be a metric, but a detour is shorter by {np.max(d - detour):.3g}. Hint: D holds squares.",
    )
    lam = np.linalg.eigvalsh(-0.5 * center_gram(D))
    expect(
        lam[0] < -0.01 * lam[-1],
        f"−HDH/2 should have an eigenvalue below -0.01 of the largest, got {lam[0] / lam[-1]:.2g}. Hint: "
        + ("three points of a metric always fit into a plane" if n == 3 else "three in a row leave no room")
        + ".",
    )
    print(f"✓ a metric with an eigenvalue of {lam[0]:.3g}: no Euclidean space has these points")


@self_check
def check_preimage(function):
    """
    Check the fixed-point iteration: one step, S never falling, and a fixed point after many.

    Parameters
    ----------
    function : callable
        Called as ``function(z, X, w, gamma, steps)``; gives an array of shape (p,).
    """
    rng = np.random.default_rng(0)
    cases = [(np.array([0.5]), np.array([[0.0], [1.0]]), np.array([1.0, 2.0]), 1.0, 1)]
    for p in (1, 2, 5):
        X, w, z = rng.normal(size=(20, p)), rng.uniform(0.1, 1, size=20), rng.normal(size=p)
        cases.append((z, X, w, 0.4 / p, 1))

    def terms(z, X, w, gamma):
        return w * np.exp(-gamma * np.sum((X - z) ** 2, axis=1))

    def mean(weights, X):
        return weights @ X / weights.sum()

    def right(z, X, w, gamma, steps):
        for _ in range(steps):
            z = mean(terms(z, X, w, gamma), X)
        return z

    mistakes = {
        "the denominator is missing": lambda z, X, w, gamma, steps: terms(z, X, w, gamma) @ X,
        "the kernel values are missing: w alone is not the weight": lambda z, X, w, gamma, steps: mean(w, X),
        "the weights w are missing": lambda z, X, w, gamma, steps: mean(terms(z, X, 1, gamma), X),
        "z does not move": lambda z, X, w, gamma, steps: z,
        "the step was halved where S rises": lambda *case: (case[0] + right(*case)) / 2,
    }
    expect_right("z after one step", function, right, cases, mistakes)
    for z, X, w, gamma, _ in cases:
        end = function(z, X, w, gamma, 500)
        off = np.abs(mean(terms(end, X, w, gamma), X) - end).max()
        expect(off < 1e-6, f"After 500 steps z should be a fixed point, and T moves it by {off:.2g}.")
    X, w, z = np.array([[0.0], [1.0]]), np.array([1, -0.9]), np.array([0.3])
    nearness = lambda point: terms(point, X, w, 1.0).sum()  # noqa: E731
    for steps in (1, 2, 5):
        found = function(z, X, w, 1.0, steps)
        expect(
            nearness(found) >= nearness(z) - 1e-12,
            f"With X = [0, 1] and w = [1, -0.9], S fell from {nearness(z):.3f} to {nearness(found):.3f} in "
            f"{steps} steps from z = 0.3. Hint: halve a step that lowers S.",
        )
    expect(not np.allclose(found, z), "With a negative weight z should still move, by a shorter step.")
    print("✓ one step, a fixed point, and S never falls")
