"""Self-checks of the exercises on kernel PCA.

They check what holds whatever the data: inner products from the training mean, projections up to signs,
distances, and points that come nearer to a projection.

Chapter: Kernel PCA.
"""

import numpy as np
from scipy.spatial.distance import cdist

from kernlib.book.checks import letters
from kernlib.book.checks._check import function_check, number_check, public_names, self_check
from kernlib.book.checks._compare import expect, expect_numbers, expect_real
from kernlib.kernel_pca import center_gram
from kernlib.kernels import Gaussian

normal = np.random.default_rng(0).normal
CENTERING = [(np.array([[4.0, 8.0]]), np.array([[1.0, 2.0], [2.0, 4.0]]))]
for p in (1, 2, 5):
    Phi = normal(size=(20, p)) + 1
    Phi[0] += 5  # nothing is symmetric
    CENTERING += [(new @ Phi.T, Phi @ Phi.T) for new in (normal(size=(6, p)) + 2, Phi)]


@function_check(
    "rows measured from the training mean, for old points and new",
    "the centered rows",
    CENTERING,
    {
        "subtract the column means of the training rows": lambda K, G: check_centered.right(K, K),
        "after the training means, subtract the means of the rows": lambda K, G: K - G.mean(axis=0),
        "the training means are missing": lambda K, G: K - K.mean(axis=1, keepdims=True),
        "add the mean of all entries of G, not of K": {"added": lambda K, G: K.mean()},
        "add the mean of all entries": {"added": lambda K, G: 0},
        "subtract the mean of each row and column, not one number": lambda K, G: K - G.mean(),
    },
)
def check_centered(K, G, *, added=lambda K, G: G.mean()):
    """Check that a row is centered by the training means, for one new point, for many, and for the data."""
    return K - G.mean(axis=0) - K.mean(axis=1, keepdims=True) + added(K, G)


PROJECTING = [(np.diag([0.0, 4.0]), np.array([[0.0, 6.0]]), 1)]
for p in (1, 2, 5):
    X, kernel = normal(size=(25, p)) * [2, 1, 1, 1, 1][:p] + 1, Gaussian(0.5 / p)
    PROJECTING.append((kernel(X), kernel(normal(size=(7, p)) + 1, X), 3))
UNCENTERED = {"rows": lambda K, G: K}


def has_zeros_beyond_the_rank(function):
    """Expect columns of zeros for components without a positive eigenvalue."""
    draw = np.random.default_rng(0).normal
    for p in (1, 2, 5):
        X, new = draw(size=(25, p)) + 1, draw(size=(7, p))
        found = expect_numbers("The projections", function(X @ X.T, new @ X.T, p + 2), (7, p + 2))
        sentence = f"HGH has rank {p} here, so the columns of the projections from {p} on should be zeros."
        hint = "rounding gives eigenvalues of either sign where they should be zero"
        expect(not found[:, p:].any(), sentence, hint)


@function_check(
    "projections of new points, and zeros beyond the rank",
    "the projections",
    PROJECTING,
    {
        "divide v by the square root of its eigenvalue": {"power": 0},
        "divide v by the square root of its eigenvalue, not by the eigenvalue": {"power": -1},
        "center the rows of K": UNCENTERED,
        "center the rows of K by the training means": {"rows": lambda K, G: K - K.mean(axis=0)},
        "center G": UNCENTERED | {"columns": lambda K, G: K},
        "order the eigenvalues from the largest to the smallest": {"order": -1},
    },
    has_zeros_beyond_the_rank,
    view=("|projections|", np.abs),
)
def check_project(G, K, k, *, power=-0.5, rows=check_centered.right, columns=check_centered.right, order=1):
    """Check projections of new points, up to the sign of each column, and zeros beyond the rank."""
    lam, V = (A[..., ::-1] for A in np.linalg.eigh(columns(G, G)))
    return (rows(K, G) @ (V[:, :k] * lam[:k] ** power))[:, ::order]


@number_check("the share of five components of 500 letters")
def check_letters_share():
    """Check the share of tr HGH that five components hold for 500 letters, with γ = 1/16."""
    G = Gaussian(1 / 16)(letters(500))
    lam, raw = (np.linalg.eigvalsh(M)[::-1] for M in (center_gram(G), G))
    right = lam[:5].sum() / lam.sum()
    return right, {
        "center G": raw[:5].sum() / raw.sum(),
        "divide by the trace of HGH, not of G": lam[:5].sum() / raw.sum(),
        "eigenvalues are variances: do not square them": np.sum(lam[:5] ** 2) / np.sum(lam**2),
        "that is what five components leave": 1 - right,
        "take five components, not the first alone": lam[0] / lam.sum(),
    }


def squared_distances(X):
    """Compute the squared distances, which no rotation changes."""
    return cdist(X, X, "sqeuclidean")


SQUARES = "their squared distances", squared_distances
FITTING = [(squared_distances(normal(size=(15, p)) * np.arange(1, p + 1)), p) for p in (1, 2, 5)]
SPARE = [(D, p + 2) for D, p in FITTING]
FEW = squared_distances(np.diag([3.0, 2, 1, 0.5])), 2  # the largest eigenvalues count


def has_mean_zero(function):
    """Expect points with mean zero, from the positive eigenvalues if no points have these distances."""
    for D, k in [*FITTING, FEW, *SPARE]:
        off = np.abs(np.mean(function(D, k), axis=0)).max()
        expect(off < 1e-4, f"With n = {len(D)} the points should have mean zero, got {off:.2g}.")
    line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0))) ** 3
    found = expect_numbers("If no points have these distances, the points", function(line, 3), (3, 3))
    off = np.abs(squared_distances(found) - squared_distances(check_place.right(line, 3))).max()
    start = "If no points have these distances, only positive eigenvalues should count"
    got = f"but a squared distance is off by {off:.2g}"
    expect(off < 1e-4, f"{start}, {got}.", "set negative ones to zero: an SVD loses their signs")


@function_check(
    "a map with the right distances, mean zero, and finite where there is none",
    "the points",
    [(np.array([[0.0, 4.0], [4.0, 0.0]]), 1), *FITTING, FEW],
    {
        "the factor ½ is missing": {"factor": -1},
        "the factor is ½, not ¼": {"factor": -0.25},
        "scale the columns of V by the square roots of the eigenvalues": {"root": 0},
        "scale by the square roots of the eigenvalues, not by the eigenvalues": {"root": 1},
        "center D": {"center": np.array},
        "D holds squares already": lambda D, k: check_place.right(D**2, k),
        "eigh sorts in ascending order: keep the largest eigenvalues": {"order": 1},
    },
    has_mean_zero,
    view=SQUARES,
    again={"cases": SPARE},
)
def check_place(D, k, *, factor=-0.5, root=0.5, order=-1, center=center_gram):
    """Check points made from squared distances: the distances, the mean, the best map in few dimensions."""
    lam, V = (A[..., ::order] for A in np.linalg.eigh(factor * center(D)))
    return V[:, :k] * np.maximum(lam[:k], 0) ** root


def shortest_detour(d):
    """Compute by how much a way through a third object is shorter, at most."""
    return np.max(d - (d[:, None, :] + d[None, :, :]).min(axis=2))


@self_check("a metric with an eigenvalue of {:.3g}: no Euclidean space has these points")
def check_no_map(D):
    """Check squared distances of a metric on three to six objects that no Euclidean points have."""
    n = (*expect_real("D", D).shape, 0)[0]  # a number has no rows
    expect(3 <= n <= 6, f"D should have three to six rows, got {n}.")
    D = expect_numbers("D", D, (n, n)).astype(float)
    is_symmetric = np.allclose(D, D.T) and np.allclose(D.diagonal(), 0)
    expect(is_symmetric, "D should be symmetric, with zeros on the diagonal.")
    expect(D[~np.eye(n, dtype=bool)].min() > 0, "Different objects should have a positive distance.")
    saved = shortest_detour(np.sqrt(D))
    sentence = f"√D should be a metric, but a detour is shorter by {saved:.3g}."
    expect(saved <= 1e-9, sentence, "D holds squares")
    lam, of_squares = (np.linalg.eigvalsh(-0.5 * center_gram(A)) for A in (D, D**2))
    share = lam[0] / lam[-1]
    sentence = f"−HDH/2 should have an eigenvalue below -0.01 of the largest, got {share:.2g}."
    hint = "three points of a metric always fit into a plane" if n == 3 else "put three objects on a line"
    if shortest_detour(D) <= 1e-9 and of_squares[0] < -0.01 * of_squares[-1]:
        hint = "D holds squares: square these distances"
    expect(share < -0.01, sentence, hint)
    return (lam[0],)


def terms(z, X, w, gamma):
    """Compute the terms of S(z)."""
    return w * np.exp(-gamma * np.sum((X - z) ** 2, axis=1))


STEPS = [(np.array([0.5]), np.array([[0.0], [1.0]]), np.array([1.0, 2.0]), 1.0, 1)]
for p in (1, 2, 5):
    STEPS.append((normal(size=p), normal(size=(20, p)), normal(size=20) ** 2 + 0.1, 0.4 / p, 1))


def never_lowers(function):
    """Expect a fixed point after many steps, and an S that never falls, with a negative weight either."""
    for z, X, w, gamma, _ in STEPS:
        end = function(z, X, w, gamma, 500)
        off = np.abs(check_preimage.right(end, X, w, gamma, 1) - end).max()
        expect(off < 1e-6, f"After 500 steps z should be a fixed point, but T moves it by {off:.2g}.")
    X, w, z = np.array([[0.0], [1.0]]), np.array([1, -0.9]), np.array([0.3])
    for steps in (1, 2, 5):
        found = function(z, X, w, 1.0, steps)
        before, after = terms(z, X, w, 1.0).sum(), terms(found, X, w, 1.0).sum()
        start = f"With X = [0, 1], w = [1, -0.9], gamma = 1 and z = 0.3, {steps} steps should not lower S"
        expect(after >= before - 1e-12, f"{start} = {before:.3f}, got {after:.3f}.", "halve a step that does")
    expect(not np.allclose(found, z), "With a negative weight z should still move, by a shorter step.")


@function_check(
    "one step, a fixed point, and S never falls",
    "z after one step",
    STEPS,
    {
        "the denominator is missing": {"divide": False},
        "the kernel values are missing: w alone is not the weight": {"weigh": lambda z, X, w, gamma: w},
        "the weights w are missing": {"weigh": lambda z, X, w, gamma: terms(z, X, 1, gamma)},
        "z does not move": lambda z, X, w, gamma, steps: z,
        "halve a step only if it lowers S": lambda z, *case: (z + check_preimage.right(z, *case)) / 2,
    },
    never_lowers,
)
def check_preimage(z, X, w, gamma, steps, *, weigh=terms, divide=True):
    """Check the fixed-point iteration: one step, S never falling, and a fixed point after many."""
    weights = weigh(z, X, w, gamma)
    return weights @ X / (weights.sum() if divide else 1)


__all__ = public_names(globals(), "letters")
