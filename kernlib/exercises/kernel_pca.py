"""Self-checks of the exercises on kernel PCA.

They ask for what holds whatever the data: inner products from the training mean, projections that no sign
changes, distances, and points that come nearer to a projection.

Chapter: Kernel PCA.
"""

import numpy as np
from scipy.spatial.distance import cdist

from kernlib.exercises import expect, expect_numbers, hint, self_check
from kernlib.kernel_pca import KernelPCA
from kernlib.kernels import Gaussian

__all__ = ["check_centred", "check_place", "check_preimage", "check_project"]

CLOSE = 1e-8  # rounding leaves 1e-12 of numbers of size one; a mistake changes them by far more


@self_check
def check_centred(function):
    """
    Check that a row is centred by the training means, for one new point, for many, and for the data.

    Parameters
    ----------
    function : callable
        Called as ``function(K, G)``; gives an array of the shape of K.
    """
    rng = np.random.default_rng(0)
    for p in (1, 2, 5):
        Phi = rng.normal(size=(20, p)) + 1
        Phi[0] += 5  # nothing is symmetric
        for new in (rng.normal(size=(6, p)) + 2, rng.normal(size=(1, p)), Phi):
            G, K = Phi @ Phi.T, new @ Phi.T
            Psi = Phi - Phi.mean(axis=0)
            right = (new - Phi.mean(axis=0)) @ Psi.T
            found = function(K, G)
            expect_numbers("The result", found, K.shape)
            rows = K - K.mean(axis=0)
            mistakes = {
                "the column means are those of the new rows, not of the training rows": rows
                - rows.mean(axis=1, keepdims=True),
                "only the training means were subtracted; what is left has row means": K - G.mean(axis=0),
                "the training means are missing": K - K.mean(axis=1, keepdims=True),
                "the mean of all entries belongs to the training matrix": K
                - G.mean(axis=0)
                - K.mean(axis=1, keepdims=True)
                + K.mean(),
            }
            expect(
                np.allclose(found, right, rtol=0, atol=CLOSE),
                "The result should hold the inner products of points measured from the training mean."
                + hint(found, mistakes, atol=CLOSE),
            )
    print("✓ exercise 1: rows measured from the training mean, for old points and new")


@self_check
def check_project(function):
    """
    Check projections of new points, up to the sign of each column, and zeros beyond the rank.

    Parameters
    ----------
    function : callable
        Called as ``function(G, K, k)``; gives an array of shape (m, k).
    """
    rng = np.random.default_rng(0)
    for p in (1, 2, 5):
        X, new = rng.normal(size=(25, p)) + 1, rng.normal(size=(7, p))
        X[:, 0] *= 2
        kernel = Gaussian(0.5 / p)
        G, K = kernel(X), kernel(new, X)
        right = KernelPCA("precomputed", n_components=3).fit(G)
        Z, lam = right.transform(K), right.eigenvalues_
        found = function(G, K, 3)
        expect_numbers("The projections", found, (7, 3))
        mistakes = {
            "v is not divided by the root of its eigenvalue": np.abs(Z) * np.sqrt(lam),
            "v is divided by the eigenvalue, not by its root": np.abs(Z) / np.sqrt(lam),
            "the rows of K are not centred": np.abs(K @ right.dual_coef_),
            "the rows of K are centred by their own means": np.abs((K - K.mean(axis=0)) @ right.dual_coef_),
            "G is not centred": np.abs(_uncentred(G, K, 3)),
            "the eigenvalues should fall": np.abs(Z[:, ::-1]),
        }
        expect(
            np.allclose(np.abs(found), np.abs(Z), rtol=0, atol=CLOSE),
            "The projections should be (K − 1ḡᵀ)Hα, up to the sign of each column."
            + hint(np.abs(found), mistakes, atol=CLOSE),
        )
        found = function(X @ X.T, new @ X.T, p + 2)  # HGH has rank p
        expect_numbers("The projections", found, (7, p + 2))
        expect(
            np.all(found[:, p:] == 0),
            f"With {p} features only {p} components have a positive eigenvalue; columns behind them should "
            "be zeros. Hint: rounding leaves eigenvalues of either sign where they should be zero.",
        )
        size = np.linalg.norm((new - X.mean(axis=0)), axis=1)
        expect(
            np.allclose(np.linalg.norm(found, axis=1), size, rtol=0, atol=CLOSE),
            "With the linear kernel all components together should keep each point's distance to the mean.",
        )
    print("✓ exercise 2: projections of new points, and zeros beyond the rank")


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
    for p in (1, 2, 5):
        X = rng.normal(size=(15, p)) * np.arange(1, p + 1)
        D = cdist(X, X, "sqeuclidean")
        for k in (p, p + 2):
            found = function(D, k)
            expect_numbers("The points", found, (15, k))
            distances = cdist(found, found, "sqeuclidean")
            mistakes = {"the factor one half is missing": 2 * D, "the half was taken twice": D / 2}
            mistakes["the rows of V should be scaled by the roots of the eigenvalues"] = _distances_of_v(D, k)
            expect(
                np.allclose(distances, D, rtol=0, atol=1e-6),
                "The points should have the squared distances D." + hint(distances, mistakes, atol=1e-6),
            )
            expect(
                np.abs(found.mean(axis=0)).max() < 1e-6,
                "The points should have mean zero.",
            )
    X = np.diag([3.0, 2, 1, 0.5])  # too few dimensions: the largest eigenvalues count
    D = cdist(X, X, "sqeuclidean")
    B = (X - X.mean(axis=0)) @ (X - X.mean(axis=0)).T
    best = np.sort(np.linalg.eigvalsh(B))[::-1][:2]
    found = np.asarray(function(D, 2))
    expect(
        np.allclose(np.sort(np.sum(found**2, axis=0))[::-1], best, atol=1e-6),
        "In two dimensions the columns should belong to the two largest eigenvalues of −HDH/2.",
    )
    line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0))) ** 3
    expect_numbers("The points", function(line, 3), (3, 3))
    print("✓ exercise 3: a map with the right distances, mean zero, and finite where there is none")


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
    for p in (1, 2, 5):
        X, gamma = rng.normal(size=(20, p)), 0.4 / p
        w, z = rng.uniform(0.1, 1, size=20), rng.normal(size=p)
        terms = w * np.exp(-gamma * np.sum((X - z) ** 2, axis=1))
        right = terms @ X / terms.sum()
        found = function(z, X, w, gamma, 1)
        expect_numbers("The point", found, (p,))
        mistakes = {
            "the denominator is missing": terms @ X,
            "the kernel values are missing: w alone is not the weight": w @ X / w.sum(),
            "the weights w are missing": (terms / w) @ X / (terms / w).sum(),
            "z does not move": z,
        }
        expect(
            np.allclose(found, right, rtol=0, atol=CLOSE),
            "One step with positive weights should be z ← Σwᵢκ(z, xᵢ)xᵢ / Σwᵢκ(z, xᵢ)."
            + hint(found, mistakes, atol=CLOSE),
        )
        end = function(z, X, w, gamma, 500)
        terms = w * np.exp(-gamma * np.sum((X - end) ** 2, axis=1))
        expect(
            np.allclose(terms @ X / terms.sum(), end, rtol=0, atol=1e-6),
            "After 500 steps z should be a fixed point.",
        )
    X, w, z = np.array([[0.0], [1.0]]), np.array([1, -0.9]), np.array([0.3])

    def nearness(point):
        return w @ np.exp(-np.sum((X - point) ** 2, axis=1))

    for steps in (1, 2, 5):
        found = function(z, X, w, 1.0, steps)
        expect(
            nearness(found) >= nearness(z) - 1e-12,
            "With a negative weight S fell. Hint: halve a step that lowers S.",
        )
    expect(not np.allclose(found, z), "With a negative weight z should still move, by a shorter step.")
    print("✓ exercise 4: one step, a fixed point, and S never falls")


def _uncentred(G, K, k):
    """Projections on the first k eigenvectors of G itself."""
    lam, V = np.linalg.eigh(G)
    return K @ (V[:, ::-1][:, :k] / np.sqrt(lam[::-1][:k]))


def _distances_of_v(D, k):
    """Squared distances of the rows of V, not scaled."""
    H = np.eye(len(D)) - 1 / len(D)
    V = np.linalg.eigh(-0.5 * H @ D @ H)[1][:, ::-1][:, :k]
    return cdist(V, V, "sqeuclidean")
