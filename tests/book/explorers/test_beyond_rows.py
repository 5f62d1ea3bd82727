"""The fit from sums, against ridge regression on the rows themselves."""

import numpy as np
import pytest

from kernlib.book.explorers import beyond_rows
from kernlib.ridge import primal_ridge

SOME = ((0,), (2, 7), (1, 4, 11), tuple(range(12)))


@pytest.mark.parametrize("rows", SOME)
def test_the_slope_is_that_of_ridge_regression_on_the_rows_read(rows):
    z, y = beyond_rows.POINTS[list(rows)].T.astype(float)
    w = primal_ridge(z[:, None], y, lam=beyond_rows.LAM).item()
    line = beyond_rows.fit(rows)["fit of the rows read"]
    np.testing.assert_allclose(line.y, w * line.x, rtol=1e-12)
    assert f"= {w:.2f}. " in beyond_rows.summary(rows)


@pytest.mark.parametrize("rows", SOME)
def test_the_objective_is_that_of_the_rows_and_least_at_the_slope(rows):
    z, y = beyond_rows.POINTS[list(rows)].T
    curve, lowest = beyond_rows.valley(rows).values()
    by_rows = [np.mean((y - v * z) ** 2) / 2 + beyond_rows.LAM / 2 * v**2 for v in curve.x]
    np.testing.assert_allclose(curve.y, by_rows, rtol=1e-12)
    assert (curve.y >= lowest.y[0]).all()


def test_the_question_has_one_right_answer():
    sums = {pair: beyond_rows.sums(pair) for pair in ((2, 7), (3, 6), (3, 7))}
    assert sums[2, 7][:3] == sums[3, 6][:3] != sums[3, 7][:3]
    assert sums[2, 7][3] != sums[3, 6][3]
    points = [tuple(beyond_rows.POINTS[i]) for i in (2, 7, 3, 6)]
    assert points == [(2, 1), (4, 5), (2, 3), (4, 4)]


def test_without_rows_there_is_nothing_to_fit_and_all_can_be_read():
    assert beyond_rows.summary(()).startswith("No row")
    assert beyond_rows.weights(()) == [1] * 12
    assert beyond_rows.weights((0, 3)) == [0, 1, 1, 0, *[1] * 8]
