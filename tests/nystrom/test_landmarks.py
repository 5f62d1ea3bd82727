"""Each rule for landmarks against what defines it."""

import math
from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from kernlib.kernels import Gaussian, Linear
from kernlib.nystrom.landmarks import LANDMARK_RULES, leverage_scores, select_landmarks


def clustered(n=600, p=5, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(8, p))[rng.integers(8, size=n)] * 4 + rng.normal(size=(n, p)) * 0.5


def nystrom_error(X, kernel, landmarks):
    G, C, W = kernel(X), kernel(X, landmarks), kernel(landmarks)
    return np.linalg.norm(G - C @ np.linalg.pinv(W, rcond=1e-12, hermitian=True) @ C.T) / np.linalg.norm(G)


@pytest.mark.parametrize("c", [1, 7, 60])
@pytest.mark.parametrize("rule", LANDMARK_RULES)
def test_c_landmarks_come_back_different_rows_where_they_must_be(rule, c):
    X = clustered(60)
    points, indices = select_landmarks(X, c, method=rule, random_state=0)
    assert points.shape == (c, 5) and np.isfinite(points).all()
    if rule == "kmeans":
        assert indices is None
        return
    np.testing.assert_array_equal(points, X[indices])
    if rule != "uniform-replace":
        assert len(np.unique(indices)) == c


def test_uniform_rows_are_equally_likely():
    X, rng = clustered(10), np.random.default_rng(0)
    for rule in ("uniform", "uniform-replace"):
        draws = [select_landmarks(X, 3, method=rule, random_state=rng).indices for _ in range(4000)]
        frequency = np.bincount(np.ravel(draws), minlength=10) / 4000
        assert np.abs(frequency - 0.3).max() < 4.5 * math.sqrt(0.3 / 4000)


def test_leverage_scores_are_exact_where_the_pilot_holds_all_rows():
    X, c, kernel = clustered(40), 20, Gaussian(0.1)
    G = kernel(X)
    rho = np.linalg.eigvalsh(G)[:-c].sum() / c
    exact = np.diag(G @ np.linalg.inv(G + rho * np.eye(40)))
    np.testing.assert_allclose(leverage_scores(X, c, kernel, np.random.default_rng(0)), exact, rtol=1e-6)


def test_leverage_scores_from_a_pilot_find_the_lonely_points():
    X = np.concatenate([clustered(500)[:, :2] * 0.1, [[9.0, 9.0], [-9.0, 9.0]]])
    scores = leverage_scores(X, 20, Gaussian(1.0), np.random.default_rng(0))
    assert scores[-2:].min() > 5 * np.median(scores[:-2])


def test_rpcholesky_pivots_follow_their_law():
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


def test_rpcholesky_goes_on_where_the_rank_is_exhausted():
    X = clustered(50, p=3)
    _, indices = select_landmarks(X, 20, method="rpcholesky", kernel=Linear(), random_state=0)
    assert len(np.unique(indices)) == 20
    assert np.linalg.matrix_rank(X[indices[:3]]) == 3


def test_kmedoids_and_kmeans_stand_nearer_to_the_data_than_uniform_rows():
    X = clustered()
    rng = np.random.default_rng(0)

    def distance(rule):
        return np.mean(
            [
                cdist(X, select_landmarks(X, 20, method=rule, random_state=rng).points).min(axis=1).mean()
                for _ in range(5)
            ]
        )

    assert max(distance("kmedoids"), distance("kmeans")) < 0.95 * distance("uniform")


@pytest.mark.parametrize("rule", ["kmeans", "leverage", "rpcholesky"])
def test_informed_landmarks_lower_the_error_on_uneven_clusters(rule):
    rng = np.random.default_rng(1)
    sizes = [400, 100, 40, 20, 10, 5, 3, 2]
    centres = rng.normal(size=(8, 5)) * 4
    X = np.concatenate([m + 0.5 * rng.normal(size=(s, 5)) for m, s in zip(centres, sizes, strict=True)])
    kernel = Gaussian(0.05)

    def error(rule):
        return np.median(
            [
                nystrom_error(
                    X, kernel, select_landmarks(X, 30, method=rule, kernel=kernel, random_state=s).points
                )
                for s in range(9)
            ]
        )

    assert error(rule) < error("uniform")


@pytest.mark.parametrize("rule", LANDMARK_RULES)
@pytest.mark.filterwarnings("ignore:Number of distinct clusters")
def test_identical_rows_are_no_obstacle(rule):
    X = np.ones((30, 3))
    assert (select_landmarks(X, 5, method=rule, random_state=0).points == 1).all()


@pytest.mark.parametrize(
    "call, error, sentence",
    [
        (
            lambda X: select_landmarks(X, 31),
            ValueError,
            r"c must be between 1 and 30 \(the number of rows\), got 31",
        ),
        (lambda X: select_landmarks(X, 0), ValueError, "c must be between 1 and 30, got 0"),
        (
            lambda X: select_landmarks(X, 3, method="best"),
            ValueError,
            "method must be one of 'uniform'.* got 'best'",
        ),
        (lambda X: select_landmarks(X[:0], 3), ValueError, "at least one row and one column"),
        (lambda X: select_landmarks(X, 3, random_state="a"), TypeError, "random_state must be None, an int"),
    ],
)
def test_bad_input_gets_one_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call(clustered(30))
