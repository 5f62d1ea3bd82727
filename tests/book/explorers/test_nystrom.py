"""Nyström's errors, the record of 200 draws, and what the explorer shows of it: against formulas."""

import numpy as np
import pytest

from kernlib.book.explorers import nystrom, nystrom_draws

C_K = [(c, k) for c in nystrom_draws.C_STOPS for k in nystrom_draws.K_STOPS]


def product(points, k, gamma):
    """G, and C W_k⁺ Cᵀ from the k largest eigenvalues of W."""
    X = nystrom_draws.data()
    G, C, W = (
        np.exp(-gamma * ((A[:, None] - B) ** 2).sum(-1)) for A, B in ((X, X), (X, points), (points, points))
    )
    sigma, V = (A[..., -k:] for A in np.linalg.eigh(W))
    return G, C @ (V / sigma) @ V.T @ C.T


@pytest.mark.parametrize("k", [8, 2])
@pytest.mark.parametrize("rule", nystrom_draws.RULES)
def test_rank_k_is_that_of_the_pseudo_inverse(rule, k):
    G, G_hat = product(nystrom.landmarks_of(8, 0.5, rule, 1), k, 0.5)
    expected = np.linalg.norm(G - G_hat) / np.linalg.norm(G)
    assert nystrom.error_of_draw(8, k, 0.5, rule, 1) == pytest.approx(expected, rel=1e-6)
    assert nystrom_draws.errors(8, 0.5, rule, 0)[k - 1] == pytest.approx(expected, rel=1e-6)
    shown = np.ix_(nystrom.SHOWN, nystrom.SHOWN)
    np.testing.assert_allclose(nystrom.approximation(8, k, 0.5, rule, 1), G_hat[shown], atol=1e-8)
    np.testing.assert_allclose(nystrom.truth(0.5), G[shown])


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


def test_the_record_counts_the_draws_that_find_the_small_group():
    for rule, c, gamma in (("uniform", 4, 0.5), ("leverage scores", 4, 2.0)):
        found = [nystrom_draws.finds_small_group(c, gamma, rule, seed) for seed in range(200)]
        assert nystrom.finds(c, gamma, rule) == sum(found)


@pytest.mark.parametrize("rule", nystrom_draws.RULES)
def test_errors_fall_with_c_and_k_and_stay_above_the_best(rule):
    for gamma in nystrom_draws.GAMMAS:
        medians = np.array([nystrom.quantiles(k, gamma, rule)[1] for k in nystrom_draws.K_STOPS])
        assert (np.diff(medians, axis=0) <= 0).all() and (np.diff(medians[-1]) < 0).all()
        for (c, k), median in zip(C_K, medians.T.flat, strict=True):
            # four significant digits
            assert median >= nystrom_draws.best_errors("Gaussian", gamma)[min(c, k)] * (1 - 1e-3)


def test_the_uniform_draw_of_the_first_picture_misses_the_small_group():
    values = nystrom.EXPLORER.defaults
    assert "have 3, 1 and 0 landmarks" in nystrom.summary(**values)
    assert not nystrom_draws.finds_small_group(4, 0.5, "uniform", 0)


def test_the_plot_and_the_readout_show_one_draw():
    values = {"c": 12, "k": 8, "gamma": 2.0, "rule": "k-means", "draw": 3}
    series, words = nystrom.error_over_c(**values), nystrom.summary(**values)
    assert f"relative error {series['this draw'].y[0]:.3g} in draw 3" in words
    assert f"the least possible is {series['least possible'].y[2]:.2g}." in words
    band = series["k-means"]
    assert f"median {band.y[2]:.3g}, the middle 80% from {band.low[2]:.3g} to {band.high[2]:.3g}" in words
    assert [name for name, line in series.items() if getattr(line, "low", None) is not None] == ["k-means"]
