"""Cross-validation finds what is best where it is known, and ends with its rows, its time and its memory."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from kernlib.compare.choice import Chooser, as_family, with_neighbors
from kernlib.kernels import Gaussian, Laplace, Matern

X = np.random.default_rng(0).normal(size=(2000, 3))
Y = X[:, 0]


class Planted(BaseEstimator):
    """A machine that needs no fit; `score` knows where the best one is."""

    def __init__(self, rows=0, gamma=0.0, C=0.0):
        self.rows, self.gamma, self.C = rows, gamma, C

    def fit(self, X, y):
        return self


def score(machine, X, y):
    return -(np.log(machine.gamma / 0.3) ** 2) - np.log(machine.C / 20) ** 2


def chooser(X=X, Y=Y, *, task="regression", deadline=np.inf, memory=np.inf):
    return Chooser(task, X, Y, score, deadline, memory, 0)


def race(chooser, built):
    def build(rows, gamma, C):
        built.append(rows)
        return Planted(rows, gamma, C)

    return chooser.race(build, ([1.0, 0.25, 4.0], [10.0, 1.0, 100.0]), (4, 10), (1.0, 1.0))


def test_rounds_on_more_rows_come_nearer_to_the_best():
    built = []
    found = race(chooser(), built)
    assert list(dict.fromkeys(built)) == [200, 400, 800, 1600, 2000] and found.rows == 2000
    # within half of half a step
    assert abs(np.log(found.values[0] / 0.3)) <= np.log(4) / 4 + 0.01
    assert abs(np.log(found.values[1] / 20)) <= np.log(10) / 4 + 0.01


def test_a_best_that_moves_as_rows_grow_is_followed():
    def moving(machine, X, y):
        return -(np.log(machine.gamma * 400 / machine.rows) ** 2) - np.log(machine.C / 10) ** 2

    found = race(Chooser("regression", X, Y, moving, np.inf, np.inf, 0), [])
    assert 2 <= found.values[0] <= 8  # 1 on 400 rows, 5 on all 2,000


def test_fits_as_long_on_twice_the_rows_are_not_taken_for_four_times_as_long(monkeypatch):
    def scores(self, machines, rows, folds):
        return np.arange(len(machines)), 1.0

    monkeypatch.setattr(Chooser, "scores", scores)
    forecasts = []
    monkeypatch.setattr(Chooser, "refuses", lambda self, rows, forecast: forecasts.append(forecast))
    race(chooser(), [])
    fits = 3 * 7  # folds times the best three with four neighbors, at most
    assert 3 * fits < forecasts[0] <= 4 * fits and all(0 < one <= 2 * fits for one in forecasts[1:])


def test_a_deadline_ends_the_choice_with_what_was_tried():
    found = race(chooser(deadline=-np.inf), [])
    assert found.values == (1.0, 10.0) and found.rows == 200


def test_no_round_takes_a_gram_matrix_beyond_the_memory():
    built = []
    race(chooser(memory=16 * 800**2), built)  # G and its factor
    assert max(built) == 800


def test_neighbors_are_half_a_step_away_and_no_point_comes_twice():
    grid = ([1.0, 4.0], [1.0, 10.0])
    beside = [(0.5, 1.0), (2.0, 1.0), (1.0, 0.316), (1.0, 3.16)]
    assert with_neighbors([(1.0, 1.0)], grid, (4, 10)) == [(1.0, 1.0), *beside]
    assert with_neighbors([(1.0, 3.16), (1.0, 10.0)], ([1.0], grid[1]), (4, 10)) == [
        (1.0, 3.16),
        (1.0, 10.0),  # not 9.99 as well
        (1.0, 0.999),
    ]


@pytest.mark.parametrize(("y", "number"), [([0] * 30 + [1], 2), ([0, 0, 1, 1], 0), ([0, 1] * 9, 3)])
def test_each_fold_has_two_classes_to_train_on(y, number):
    folds = chooser(X[: len(y)], np.array(y), task="classification").folds(len(y))
    assert len(folds) == number
    assert all(len(set(np.array(y)[train])) == 2 for train, _ in folds)


def test_too_few_rows_leave_the_default():
    y = np.array([0, 0, 1, 1])
    found = race(chooser(X[:4], y, task="classification"), [])
    assert (found.values, found.rows) == ((1.0, 1.0), 0)


def test_a_kernel_is_a_family_a_function_or_itself():
    assert as_family("rbf")[0](0.5) == Gaussian(0.5) and as_family("laplacian")[0](2) == Laplace(2)
    family, free = as_family(lambda gamma: Matern(1.5, gamma**-0.5))
    assert free and family(4.0) == Matern(1.5, 0.5)
    family, free = as_family(Gaussian(3.0))
    assert not free and family(1.0) == Gaussian(3.0)
    for wrong in ("sigmoid", 3, None):
        with pytest.raises(TypeError, match="kernel must be 'rbf' or 'laplacian'"):
            as_family(wrong)
    with pytest.raises(TypeError, match="kernel, a function, must give a kernel"):
        as_family(np.exp)


def test_ridge_on_features_keeps_the_c_of_the_exact_machine():
    kept = chooser().weight(Gaussian(), 3.0)
    assert (kept.values, kept.rows) == ((3.0,), 0)
    assert np.isnan([kept.score, kept.seconds]).all()  # nothing was fitted
