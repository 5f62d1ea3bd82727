"""The explorer of two scales computes the leave-one-out error of the best λ, as refits do."""

import numpy as np
import pytest

from kernlib.book.explorers.your_data_scales import (
    GAMMAS,
    LAMS,
    SCALES,
    SHOWN,
    Table,
    best_on_diagonal,
    diagonal_best,
    kernel,
)


@pytest.mark.parametrize("gammas", [(0.1, 0.1), (1.0, 0.01), (10.0, 10.0)])
def test_the_error_is_that_of_refits_without_each_row(gammas):
    table = Table(1)
    G, n = kernel(*gammas)(table.X), len(table.X)
    y = table.target - table.target.mean()
    errors = []
    for total in LAMS:
        gaps = []
        for i in range(0, n, 10):
            kept = np.arange(n) != i
            alpha = np.linalg.solve(G[np.ix_(kept, kept)] + total * np.eye(n - 1), y[kept])
            gaps.append((y[i] - G[i, kept] @ alpha) ** 2)
        errors.append(gaps)
    error, alpha = table.fit(*gammas)
    nearest = min(range(len(LAMS)), key=lambda k: np.abs((G + LAMS[k] * np.eye(n)) @ alpha - y).max())
    residuals = alpha / np.diag(np.linalg.inv(G + LAMS[nearest] * np.eye(n)))
    assert np.allclose(residuals[::10] ** 2, errors[nearest], rtol=1e-5, atol=1e-9)
    assert error == pytest.approx(np.mean(residuals**2), rel=1e-5)


def test_the_first_picture_is_the_best_single_scale():
    assert SCALES.defaults == {"hour": diagonal_best(), "other": diagonal_best()}
    best = best_on_diagonal(SHOWN)
    assert SHOWN.error(best, best) == min(SHOWN.error(gamma, gamma) for gamma in GAMMAS) > 0.4


def test_the_columns_are_standardized():
    assert np.abs(SHOWN.X.mean(axis=0)).max() < 1e-12
    assert np.abs(SHOWN.X.std(axis=0) - 1).max() < 1e-12
