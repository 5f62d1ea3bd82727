"""Self-checks of the exercises on kernel PCA.

They ask for what holds whatever the data: inner products from the training mean, projections that no sign
changes, distances, and points that come nearer to a projection.

Chapter: Kernel PCA.
"""

import numpy as np

from kernlib.book.checks import expect, expect_number, expect_numbers, expect_right, self_check
from kernlib.book.checks._letters import letters
from kernlib.book.checks._maps import check_no_map, check_place, check_preimage
from kernlib.kernel_pca import KernelPCA, center_gram
from kernlib.kernels import Gaussian

__all__ = [
    "check_centred",
    "check_letters_share",
    "check_no_map",
    "check_place",
    "check_preimage",
    "check_project",
    "letters",
]


@self_check
def check_centred(function):
    """
    Check that a row is centred by the training means, for one new point, for many, and for the data.

    Parameters
    ----------
    function : callable
        Called as ``function(K, G)``; gives an array of the shape of K.
    """
    rng, cases = np.random.default_rng(0), []
    small = np.array([[1.0], [2.0]])
    for Phi, new in ((small, np.array([[4.0]])), (small, small)):
        cases.append((new @ Phi.T, Phi @ Phi.T))
    for p in (1, 2, 5):
        Phi = rng.normal(size=(20, p)) + 1
        Phi[0] += 5  # nothing is symmetric
        cases += [(new @ Phi.T, Phi @ Phi.T) for new in (rng.normal(size=(6, p)) + 2, Phi)]

    def right(K, G):
        rows = K - G.mean(axis=0)
        return rows - rows.mean(axis=1, keepdims=True)

    mistakes = {
        "the column means are those of the new rows, not of the training rows": lambda K, G: right(K, K),
        "only the training means are subtracted; what is left has row means": lambda K, G: K - G.mean(axis=0),
        "the training means are missing": lambda K, G: K - K.mean(axis=1, keepdims=True),
        "the mean of all entries belongs to the training matrix": lambda K, G: (
            K - G.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
        ),
        "the mean of all entries is to be added again": lambda K, G: (
            K - G.mean(axis=0) - K.mean(axis=1, keepdims=True)
        ),
        "one number was subtracted; each row and each column has its mean": lambda K, G: K - G.mean(),
    }
    expect_right("the centred rows", function, right, cases, mistakes)
    print("✓ rows measured from the training mean, for old points and new")


@self_check
def check_project(function):
    """
    Check projections of new points, up to the sign of each column, and zeros beyond the rank.

    Parameters
    ----------
    function : callable
        Called as ``function(G, K, k)``; gives an array of shape (m, k).
    """
    rng, cases = np.random.default_rng(0), [(np.diag([0.0, 4.0]), np.array([[0.0, 6.0]]), 1)]
    for p in (1, 2, 5):
        X, new = rng.normal(size=(25, p)) + 1, rng.normal(size=(7, p))
        X[:, 0] *= 2
        kernel = Gaussian(0.5 / p)
        cases.append((kernel(X), kernel(new, X), 3))

    def projected(G, K, k, *, power=0.0, rows=None):
        pca = KernelPCA("precomputed", n_components=k).fit(G)
        Z = pca.transform(K) if rows is None else (K - rows(K)) @ pca.dual_coef_
        return Z * pca.eigenvalues_**power

    def right(G, K, k):
        return projected(G, K, k)

    def uncentred(G, K, k):
        lam, V = np.linalg.eigh(G)
        return K @ (V[:, ::-1][:, :k] / np.sqrt(lam[::-1][:k]))

    mistakes = {
        "v is not divided by the root of its eigenvalue": lambda *case: projected(*case, power=0.5),
        "v is divided by the eigenvalue, not by its root": lambda *case: projected(*case, power=-0.5),
        "the rows of K are not centred": lambda *case: projected(*case, rows=lambda K: 0),
        "the rows of K are centred by their own means": lambda *case: projected(
            *case, rows=lambda K: K.mean(axis=0)
        ),
        "G is not centred": uncentred,
        "the eigenvalues should fall": lambda *case: right(*case)[:, ::-1],
    }
    expect_right("the projections", function, right, cases, mistakes, view=np.abs, seen="|projections|")
    for p in (1, 2, 5):
        X, new = rng.normal(size=(25, p)) + 1, rng.normal(size=(7, p))
        found = function(X @ X.T, new @ X.T, p + 2)  # HGH has rank p
        expect_numbers("The projections", found, (7, p + 2))
        expect(
            np.all(found[:, p:] == 0),
            f"With {p} features only {p} components have a positive eigenvalue; columns behind them should "
            "be zeros. Hint: rounding leaves eigenvalues of either sign where they should be zero.",
        )
    print("✓ projections of new points, and zeros beyond the rank")


@self_check
def check_letters_share(share):
    """
    Check the share of the variance that five components hold of 500 letters, with γ = 1/16.

    Parameters
    ----------
    share : float
        Of tr HGH, for the rows `letters(500)`.
    """
    G = Gaussian(1 / 16)(letters(500))
    lam, raw = (np.linalg.eigvalsh(M)[::-1] for M in (center_gram(G), G))
    right = lam[:5].sum() / lam.sum()
    mistakes = {
        "G is not centred": raw[:5].sum() / raw.sum(),
        "the trace is that of HGH, not of G": lam[:5].sum() / raw.sum(),
        "eigenvalues are variances: do not square them": np.sum(lam[:5] ** 2) / np.sum(lam**2),
        "that is what five components leave": 1 - right,
        "five components are asked for, not the first": lam[0] / lam.sum(),
    }
    expect_number("The share should be that of five centred components", share, right, mistakes)
    print("✓ the share of five components of 500 letters")
