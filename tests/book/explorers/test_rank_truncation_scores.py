"""Ridge regression on truncated matrices of letters: against models that are fitted to them."""

import numpy as np
import pytest

from kernlib.book.datasets import load_letters
from kernlib.book.explorers import rank_truncation_scores as scores
from kernlib.kernels import Gaussian
from kernlib.low_rank import rank_trunc
from kernlib.plain import dual_ridge


@pytest.fixture(scope="module")
def task():
    data = load_letters()
    rows = np.random.default_rng(0).permutation(len(data.train.X))[:1500]
    center, scale = data.train.X.mean(axis=0), data.train.X.std(axis=0)
    X, X_test = (data.train.X[rows] - center) / scale, (data.test.X - center) / scale
    return Gaussian(1 / 16)(X), data.train.y[rows], Gaussian(1 / 16)(X_test, X), data.test.y


def test_the_error_at_rank_k_is_that_of_the_truncated_matrix(task):
    G = task[0]
    for k in (5, 60):
        error = np.linalg.norm(G - rank_trunc(G, k, "eigsh", random_state=0)) / np.linalg.norm(G)
        assert scores.matrix_error()[k] == pytest.approx(error)


def test_all_eigenpairs_classify_as_ridge_regression_does(task):
    G, y, K_test, y_test = task
    for mu in (0.1, 10.0):
        right = np.sign(K_test @ dual_ridge(G, y, mu / len(y))) == y_test
        assert scores.accuracy(mu)[-1] == pytest.approx(right.mean(), abs=2 / len(y_test))
        assert scores.points_lost(1500, mu) == 0


def test_rank_k_gives_the_model_on_k_features(task):
    G, y, K_test, y_test = task
    lam, U = np.linalg.eigh(G)
    lam, U = lam[::-1][:60], U[:, ::-1][:, :60]
    Z, Z_test = U * np.sqrt(lam), K_test @ U / np.sqrt(lam)
    w = np.linalg.solve(Z.T @ Z + np.eye(60), Z.T @ y)
    assert scores.accuracy(1.0)[59] == pytest.approx(np.mean(np.sign(Z_test @ w) == y_test), abs=2 / 4000)
    f = G @ dual_ridge(G, y, 1 / len(y))
    change = np.linalg.norm(f - Z @ w) / np.linalg.norm(y)
    assert scores.fitted_change(1.0)[60] == pytest.approx(change)


def test_the_effective_dimension_is_a_trace(task):
    G = task[0]
    trace = np.trace(np.linalg.solve(G + 10 * np.eye(1500), G))
    assert scores.dimension(10.0) == pytest.approx(trace)


def test_the_words_and_the_answer_are_those_of_the_runs():
    assert scores.points_lost(233, 0.1) > 3 and scores.SCORES.predict.answer.startswith("more than 3")
    words = scores.summary(233, 0.1)
    assert "effective dimension is 552" in words and "the fitted values by 28% of ‖y‖" in words
    assert "4.95 percentage points less than with all eigenpairs" in words
    assert scores.summary(1500, 0.1).endswith("The accuracy is 0.902, as with all eigenpairs.")
