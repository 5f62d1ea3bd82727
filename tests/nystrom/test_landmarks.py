"""Each rule for landmarks against its definition."""

import math
from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from kernlib.kernels import Gaussian, Linear, Polynomial
from kernlib.nystrom import landmarks
from kernlib.nystrom.landmarks import LANDMARK_RULES, leverage_scores, select_landmarks


def make_clusters(n=600, p=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(8, p))[rng.integers(8, size=n)] * 4 + rng.normal(size=(n, p)) * 0.5


def nystrom_error(X, kernel, points):
    G, C, W = kernel(X), kernel(X, points), kernel(points)
    return np.linalg.norm(G - C @ np.linalg.pinv(W, rcond=1e-12, hermitian=True) @ C.T) / np.linalg.norm(G)


@pytest.mark.parametrize("c", [1, 7, 60])
@pytest.mark.parametrize("rule", LANDMARK_RULES)
def test_c_landmarks_come_back_different_rows_where_they_must_be(rule, c):
    X = make_clusters(60)
    points, indices = select_landmarks(X, c, method=rule, random_state=0)
    assert points.shape == (c, 5) and np.isfinite(points).all()
    if rule == "kmeans":
        assert indices is None
        return
    np.testing.assert_array_equal(points, X[indices])
    if rule != "uniform-replace":
        assert len(np.unique(indices)) == c


@pytest.mark.parametrize("rule", ["uniform", "uniform-replace"])
def test_uniform_rows_have_equal_probabilities(rule):
    X, rng = make_clusters(10), np.random.default_rng(0)
    draws = [select_landmarks(X, 3, method=rule, random_state=rng).indices for _ in range(4000)]
    frequency = np.bincount(np.ravel(draws), minlength=10) / 4000
    assert np.abs(frequency - 0.3).max() < 4.5 * math.sqrt(0.3 / 4000)


@pytest.mark.parametrize("seed", range(5))
def test_each_kmedoid_is_nearest_to_its_cluster_and_each_kmean_is_its_mean(seed, monkeypatch):
    monkeypatch.setattr(landmarks, "SWEEPS", 100)  # until convergence
    X = make_clusters(48, p=2)
    medoids = select_landmarks(X, 6, method="kmedoids", random_state=seed).indices
    means = select_landmarks(X, 6, method="kmeans", random_state=seed).points
    for j in range(6):
        members = np.flatnonzero(cdist(X, X[medoids]).argmin(axis=1) == j)
        assert medoids[j] == members[cdist(X[members], X[members]).sum(axis=0).argmin()]
        members = np.flatnonzero(cdist(X, means).argmin(axis=1) == j)
        np.testing.assert_allclose(means[j], X[members].mean(axis=0), rtol=1e-12)


@pytest.mark.parametrize("rule", ["kmeans", "kmedoids"])
def test_clusters_are_those_of_a_sample_of_all_rows(rule, monkeypatch):
    monkeypatch.setattr(landmarks, "SAMPLE", 50)
    X = np.arange(1000.0)[:, None]
    points, indices = select_landmarks(X, 10, method=rule, random_state=0)
    assert points.min() < 200 and points.max() > 800  # (4/5)⁵⁰ = 10⁻⁵ is the chance that no row is there
    if rule == "kmedoids":
        np.testing.assert_array_equal(points, X[indices])


def test_leverage_scores_are_exact_if_the_pilot_holds_all_rows(monkeypatch):
    X, c, kernel = make_clusters(40), 20, Gaussian(0.1)
    G = kernel(X)
    rho = np.linalg.eigvalsh(G)[:-c].sum() / c
    exact = np.diag(G @ np.linalg.inv(G + rho * np.eye(40)))
    for block in (5000, 7):
        monkeypatch.setattr(landmarks, "BLOCK_ROWS", block)
        scores = leverage_scores(X, c, kernel, np.random.default_rng(0))
        np.testing.assert_allclose(scores, exact, rtol=1e-6)


def test_leverage_scores_of_float32_rows_are_computed_in_float64():
    X, kernel = make_clusters(100).astype(np.float32), Polynomial(2, 1.0)
    single, double = (
        leverage_scores(A, 10, kernel, np.random.default_rng(0)) for A in (X, X.astype(np.float64))
    )
    np.testing.assert_array_equal(single, double)


def test_leverage_scores_from_a_pilot_are_largest_for_isolated_points():
    X = np.concatenate([make_clusters(500)[:, :2] * 0.1, [[9.0, 9.0], [-9.0, 9.0]]])
    scores = leverage_scores(X, 20, Gaussian(1.0), np.random.default_rng(0))
    assert scores[-2:].min() > 5 * np.median(scores[:-2])


def test_leverage_draws_enough_rows_if_most_have_no_leverage():
    X = np.zeros((40, 3))
    X[[3, 30]] = np.eye(3)[:2]
    indices = select_landmarks(X, 5, method="leverage", kernel=Linear(), random_state=0).indices
    assert len(np.unique(indices)) == 5 and {3, 30} <= set(indices)


def test_rpcholesky_draws_pivots_with_the_right_probabilities():
    # for three pivots of four points: P(i) = Gᵢᵢ/tr G, then the same with what i leaves, G − GᵢGᵢᵀ/Gᵢᵢ
    X, kernel = np.array([[1.0, 0.0], [0.5, 1.5], [1.2, -0.3], [0.1, 0.4]]), Gaussian(0.3)
    rng, draws = np.random.default_rng(0), 3000
    counts = dict.fromkeys(permutations(range(4), 3), 0)
    for _ in range(draws):
        chosen = select_landmarks(X, 3, method="rpcholesky", kernel=kernel, random_state=rng)
        counts[tuple(chosen.indices)] += 1
    for pivots, count in counts.items():
        left, probability = kernel(X), 1.0
        for i in pivots:
            probability *= left[i, i] / np.trace(left)
            left = left - np.outer(left[i], left[i]) / left[i, i]
        assert abs(count / draws - probability) < 4.5 * math.sqrt(probability / draws)


def test_rpcholesky_appends_other_rows_if_the_rank_is_exhausted():
    X = make_clusters(50, p=3)
    _, indices = select_landmarks(X, 20, method="rpcholesky", kernel=Linear(), random_state=0)
    assert len(np.unique(indices)) == 20
    assert np.linalg.matrix_rank(X[indices[:3]]) == 3


def test_rpcholesky_finds_a_small_row_among_many_in_float32():
    X = np.tile(np.float32([1, 0]), (20_000, 1))
    X[7] = 0, 0.03  # what is left of its κ(x, x) is below 20,000 ε, and far above 2 ε
    assert 7 in select_landmarks(X, 2, method="rpcholesky", kernel=Linear(), random_state=0).indices


@pytest.mark.parametrize("rule", ["kmeans", "leverage", "rpcholesky"])
def test_informed_landmarks_lower_the_error_on_clusters_of_unequal_sizes(rule):
    rng = np.random.default_rng(1)
    sizes = [400, 100, 40, 20, 10, 5, 3, 2]
    centers = rng.normal(size=(8, 5)) * 4
    X = np.concatenate([m + 0.5 * rng.normal(size=(s, 5)) for m, s in zip(centers, sizes, strict=True)])
    kernel = Gaussian(0.05)

    def median_error(rule):
        chosen = (select_landmarks(X, 30, method=rule, kernel=kernel, random_state=s) for s in range(9))
        return np.median([nystrom_error(X, kernel, landmarks.points) for landmarks in chosen])

    assert median_error(rule) < median_error("uniform")
