"""The record of 200 draws of landmarks, and its errors."""

import numpy as np
import pytest

from kernlib.book.explorers import nystrom, nystrom_draws

C_K = [(c, k) for c in nystrom_draws.C_STOPS for k in nystrom_draws.K_STOPS]


@pytest.mark.parametrize("rule", nystrom_draws.RULES)
def test_the_record_has_the_landmarks_that_the_rule_draws(rule):
    for c, gamma, draw in ((4, 0.5, 1), (24, 2.0, 10), (32, 0.1, 3)):
        found = nystrom_draws.choose_landmarks(c, gamma, rule, draw - 1)
        np.testing.assert_array_equal(nystrom.landmarks_of(c, gamma, rule, draw), found)


def test_the_record_has_the_quantiles_of_200_draws():
    draws = nystrom_draws.errors_of_draws(8, 0.5, "uniform")
    assert len(draws) == 200
    for k, column in ((4, 3), (8, 7), (32, 7)):
        expected = np.quantile(draws[:, column], (0.1, 0.5, 0.9))
        assert nystrom.quantiles(k, 0.5, "uniform")[:, 1] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("rule", nystrom_draws.RULES)
def test_errors_fall_with_c_and_k_and_stay_above_the_best(rule):
    for gamma in nystrom_draws.GAMMAS:
        medians = np.array([nystrom.quantiles(k, gamma, rule)[1] for k in nystrom_draws.K_STOPS])
        assert (np.diff(medians, axis=0) <= 0).all() and (np.diff(medians[-1]) < 0).all()
        for (c, k), median in zip(C_K, medians.T.flat, strict=True):
            # four significant digits
            assert median >= nystrom_draws.best_errors("Gaussian", gamma)[min(c, k)] * (1 - 1e-3)
