"""Kernel methods in 250 lines: the main algorithms, from their formulas.

The rows of X and Y are observations, κ is a kernel, Gᵢⱼ = κ(xᵢ, xⱼ), and λ
is the weight in (1/2n)‖y − f‖² + (λ/2)‖f‖². Nothing is validated or cut
into blocks. The other modules of kernlib compute the same, faster and
safer, and are tested against these. ``python plain.py`` runs an example.
"""

from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.linalg import norm
from numpy.random import Generator as Rng
from numpy.typing import NDArray as Array
from scipy import linalg

__all__ = [
    "add_up", "conjugate_gradients", "count_pairs", "dual_ridge", "falkon", "gaussian",
    "gaussian_frequencies", "gram", "kernel_pca", "leave_one_out", "nystrom_blocks", "nystrom_features",
    "pair_features", "phase_features", "pivoted_cholesky", "primal_ridge", "project", "rank_truncation",
    "solve_sums", "subsequence_table",
]  # fmt: skip

# Chapter 1: kernels and their Gram matrices


def gram(kernel: Callable, X: Array, Y: Array) -> Array:
    """Evaluate κ on all pairs of rows, for any function of two rows."""
    return np.array([[kernel(x, y) for y in Y] for x in X])


def gaussian(X: Array, Y: Array, gamma: float) -> Array:
    """Compute the Gram matrix of κ(x, y) = exp(−γ‖x − y‖²)."""
    return np.exp(-gamma * ((X[:, None] - Y) ** 2).sum(axis=2))


# Chapter 3: ridge regression in its two forms


def dual_ridge(G: Array, y: Array, lam: float) -> Array:
    """Solve for α = (G + nλI)⁻¹y, n numbers; f(x) = Σᵢ αᵢ κ(x, xᵢ)."""
    n = len(y)
    return linalg.solve(G + n * lam * np.eye(n), y, assume_a="pos")


def primal_ridge(Phi: Array, y: Array, lam: float) -> Array:
    """Solve for w = (ΦᵀΦ + nλI)⁻¹Φᵀy = Φᵀα, p numbers; f(x) = wᵀφ(x)."""
    n, p = Phi.shape
    A = Phi.T @ Phi + n * lam * np.eye(p)
    return linalg.solve(A, Phi.T @ y, assume_a="pos")


def leave_one_out(G: Array, y: Array, lam: float) -> Array:
    """Compute yᵢ − f₋ᵢ(xᵢ) = αᵢ / [(G + nλI)⁻¹]ᵢᵢ; f₋ᵢ has the same nλ."""
    n = len(y)
    inverse = linalg.inv(G + n * lam * np.eye(n))
    return inverse @ y / np.diag(inverse)


def conjugate_gradients(
    multiply: Callable,
    y: Array,
    tol: float,
    precondition: Callable = lambda r: r,
) -> Array:
    """Solve Aα = y, given multiply(v) = Av, until ‖r‖ ≤ tol‖y‖."""
    alpha, r = np.zeros_like(y), y
    d = z = precondition(r)
    while norm(r) > tol * norm(y):
        Ad, rz = multiply(d), r @ z
        step = rz / (d @ Ad)
        alpha, r = alpha + step * d, r - step * Ad
        z = precondition(r)
        d = z + (r @ z) / rz * d
    return alpha


# Chapter 4: the best matrix of rank k


def rank_truncation(G: Array, k: int) -> Array:
    """Compute G_k = Σ_{i≤k} λᵢuᵢuᵢᵀ, with the largest |λᵢ| first."""
    eigenvalues, U = linalg.eigh(G)
    top = np.argsort(-np.abs(eigenvalues))[:k]
    return (U[:, top] * eigenvalues[top]) @ U[:, top].T


# Chapter 5: random Fourier features


def gaussian_frequencies(p: int, m: int, gamma: float, rng: Rng) -> Array:
    """Draw m columns ω ~ 𝒩(0, 2γI), the law of the Gaussian kernel."""
    return rng.normal(scale=sqrt(2 * gamma), size=(p, m))


def phase_features(X: Array, frequencies: Array, phases: Array) -> Array:
    """Compute √(2/c) cos(XΩ + b) for c phases b uniform on [0, 2π]."""
    return sqrt(2 / len(phases)) * np.cos(X @ frequencies + phases)


def pair_features(X: Array, frequencies: Array) -> Array:
    """Compute √(2/c) (cos XΩ, sin XΩ) for c/2 frequencies."""
    angles = X @ frequencies
    Z = np.hstack([np.cos(angles), np.sin(angles)])
    return sqrt(2 / Z.shape[1]) * Z


# Chapter 6: Nyström's approximation


def nystrom_blocks(G: Array, c: int) -> Array:
    """Stack W^{1/2} on K₂₁W^{−1/2}; the landmarks are the first c rows."""
    W, K21 = G[:c, :c], G[c:, :c]
    root = linalg.sqrtm(W).real
    return np.vstack([root, linalg.solve(root, K21.T, assume_a="sym").T])


def nystrom_features(C: Array, W: Array, k: int) -> Array:
    """Compute C V_k Σ_k^{−1/2}; C holds κ(x, landmarks) for any rows x."""
    sigma, V = linalg.eigh(W)
    sigma, V = sigma[::-1][:k], V[:, ::-1][:, :k]
    kept = sigma > len(W) * np.finfo(sigma.dtype).eps * sigma[0]  # not rounding
    return C @ (V[:, kept] / np.sqrt(sigma[kept]))


def pivoted_cholesky(G: Array, c: int, rng: Rng) -> tuple[Array, Array]:
    """Draw c landmarks with probability ∝ Gᵢᵢ − ‖Fᵢ‖²; then G ≈ FFᵀ."""
    F, left, pivots = np.zeros((len(G), c)), np.diag(G).copy(), []
    for k in range(c):
        i = rng.choice(len(G), p=left / left.sum())
        column = G[:, i] - F[:, :k] @ F[i, :k]
        F[:, k] = column / sqrt(column[i])
        left = np.maximum(left - F[:, k] ** 2, 0)
        pivots.append(i)
    return np.array(pivots), F


def falkon(C: Array, W: Array, y: Array, lam: float, tol: float) -> Array:
    """Solve (CᵀC + nλW)a = Cᵀy by conjugate gradients for β, a = Bβ."""
    n, c = C.shape
    T = linalg.cholesky(W)  # W = TᵀT
    A = linalg.cholesky(T @ T.T / c + lam * np.eye(c))  # landmarks only
    B = linalg.inv(A @ T) / sqrt(n)

    def multiply(beta: Array) -> Array:
        a = B @ beta
        return B.T @ (C.T @ (C @ a) + n * lam * W @ a)

    return B @ conjugate_gradients(multiply, B.T @ (C.T @ y), tol)


# Chapter 8: kernel PCA


def kernel_pca(G: Array, k: int) -> tuple[Array, Array]:
    """Compute αⱼ = vⱼ/√λⱼ from HGH = VΛVᵀ; uⱼ = Σᵢ αⱼᵢ (φ(xᵢ) − φ̄)."""
    n = len(G)
    H = np.eye(n) - 1 / n
    eigenvalues, V = linalg.eigh(H @ G @ H)
    eigenvalues, V = eigenvalues[::-1][:k], V[:, ::-1][:, :k]
    return V / np.sqrt(eigenvalues), eigenvalues


def project(K: Array, G: Array, alpha: Array) -> Array:
    """Compute (K − 1ḡᵀ)Hα for new rows x, with K = κ(x, xᵢ), ḡ = G1/n."""
    return (K - G.mean(axis=0)) @ alpha  # HGHα = λα with λ > 0, so Hα = α


# Chapter 9: the all-subsequences kernel


def count_pairs(s: Sequence, t: Sequence, weight: float = 1) -> float:
    """Use κ(ε, t) = 1, κ(sa, t) = κ(s, t) + μ Σ_{tⱼ = a} κ(s, t[1:j−1])."""
    if not s:
        return 1
    *shorter, a = s
    before = [t[:j] for j in range(len(t)) if t[j] == a]
    matches = sum(count_pairs(shorter, part, weight) for part in before)
    return count_pairs(shorter, t, weight) + weight * matches


def subsequence_table(s: Sequence, t: Sequence, weight: float = 1) -> list:
    """Fill DP(i, j) = κ(s[1:i], t[1:j]) by rows, with a running sum P."""
    table: list[list[float]] = [[1] * (len(t) + 1)]
    for a in s:
        above = table[-1]
        row: list[float] = [1]
        P: float = 0
        for j, b in enumerate(t):
            P += weight * above[j] if a == b else 0
            row.append(above[j + 1] + P)
        table.append(row)
    return table


# Chapter 11: beyond one machine


def add_up(blocks: Iterable, features: Callable) -> tuple[int, Any, Any]:
    """Compute n, ZᵀZ and Zᵀy in one pass over blocks (X, y)."""
    n, gram_sum, moment = 0, 0, 0
    for X, y in blocks:
        Z = features(X)
        n, gram_sum, moment = n + len(y), gram_sum + Z.T @ Z, moment + Z.T @ y
    return n, gram_sum, moment


def solve_sums(n: int, gram_sum: Array, moment: Array, lam: float) -> Array:
    """Solve for w = (ZᵀZ + nλI)⁻¹Zᵀy, for any λ, without the data."""
    A = gram_sum + n * lam * np.eye(len(moment))
    return linalg.solve(A, moment, assume_a="pos")


def demo() -> None:
    """Run the algorithms on 200 points in the plane, and check what the theorems say should agree."""
    rng = np.random.default_rng(0)
    X, gamma, lam, c = rng.normal(size=(200, 2)), 0.5, 1e-3, 40
    y, G = np.sin(2 * X[:, 0]) + 0.1 * rng.normal(size=200), gaussian(X, X, gamma)
    refit = dual_ridge(G[1:, 1:], y[1:], 200 / 199 * lam)  # with the same nλ
    solution = conjugate_gradients(lambda v: G @ v + 200 * lam * v, y, 1e-10)
    frequencies, phases = gaussian_frequencies(2, 4000, gamma, rng), rng.uniform(0, 2 * np.pi, 4000)
    P, Z = phase_features(X, frequencies, phases), pair_features(X, frequencies)
    few = pair_features(X, frequencies[:, :20])
    w, sums = primal_ridge(few, y, lam), add_up([(few[:90], y[:90]), (few[90:], y[90:])], lambda rows: rows)
    pivots, F = pivoted_cholesky(G, c, rng)
    N, B = nystrom_features(G[:, pivots], G[np.ix_(pivots, pivots)], c), nystrom_blocks(G, 5)
    a, v = falkon(G[:, :5], G[:5, :5], y, lam, 1e-10), primal_ridge(B, y, lam)
    components, eigenvalues = kernel_pca(G, 3)
    checks = {
        "leave-one-out is a refit": np.isclose(leave_one_out(G, y, lam)[0], y[0] - G[0, 1:] @ refit),
        "conjugate gradients find α": np.allclose(solution, dual_ridge(G, y, lam), atol=1e-6),
        "the primal weights are Zᵀα": np.allclose(w, few.T @ dual_ridge(few @ few.T, y, lam)),
        "sums over blocks give the same weights": np.allclose(w, solve_sums(*sums, lam)),
        "random features average to κ": max(abs(P @ P.T - G).max(), abs(Z @ Z.T - G).max()) < 0.1,
        "pivoted Cholesky is Nyström on its pivots": np.allclose(N @ N.T, F @ F.T, atol=1e-6),
        "Nyström is exact on its landmarks": np.allclose((B @ B.T)[:, :5], G[:, :5]),
        "no matrix of rank c is nearer than G_c": norm(G - rank_truncation(G, c)) <= norm(G - N @ N.T),
        "Falkon is ridge regression on Nyström's features": np.allclose(G[:, :5] @ a, B @ v, atol=1e-6),
        "projections have variance λ/n": np.allclose(project(G, G, components).var(0) * 200, eigenvalues),
        "κ(aaa, aaa) = C(6, 3)": count_pairs("aaa", "aaa") == subsequence_table("aaa", "aaa")[3][3] == 20,
    }
    print(*("✓✗"[not holds] + " " + statement for statement, holds in checks.items()), sep="\n")


if __name__ == "__main__":
    demo()
