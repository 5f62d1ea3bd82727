"""Centering against the moments of its cloud, and the best threshold on a component."""

from itertools import product

import numpy as np
import pytest

from kernlib.book.explorers import kernel_pca
from kernlib.book.explorers.kernel_pca import ACROSS, COVARIANCE, LONG, toward

MEANS = [distance * toward(angle) for distance, angle in product([0, 0.5, 1, 1.7, 4], [0, 45, 70, 90])]


def test_the_best_split_is_that_of_the_column_in_which_the_halves_are_apart():
    Z = np.array([[0, 3], [1, 4], [1, 1], [0, 2.0]])
    assert kernel_pca.best_split(Z) == (2, 1.0)
    assert kernel_pca.best_split(Z[:, :1]) == (1, 0.5)  # equal numbers are not split


def test_the_cloud_has_its_covariance_and_its_mean():
    np.testing.assert_allclose(np.array([LONG, ACROSS]) @ COVARIANCE, [LONG, 0.04 * ACROSS], atol=1e-12)
    for mean in MEANS:
        X = kernel_pca.cloud(mean)
        np.testing.assert_allclose(np.cov(X.T, bias=True), COVARIANCE, atol=1e-12)
        np.testing.assert_allclose(X.mean(axis=0), mean, atol=1e-12)


def test_the_uncentered_component_is_that_of_the_points_themselves():
    for mean in MEANS:
        X = kernel_pca.cloud(mean)
        u = np.linalg.svd(X)[2][0]
        assert abs(kernel_pca.uncentered(mean) @ u) == pytest.approx(1)
        share = np.var(X @ u) / np.var(X @ LONG)
        assert kernel_pca.caught(mean) == pytest.approx(share)
    np.testing.assert_allclose(kernel_pca.caught(MEANS), [kernel_pca.caught(mean) for mean in MEANS])


def test_the_cloud_is_the_same_whatever_signs_a_library_gives_to_eigenvectors(monkeypatch):
    X, svd = kernel_pca.offsets(), np.linalg.svd

    def mirrored(A, **options):
        U, s, Vt = svd(A, **options)
        return -U, s, -Vt

    monkeypatch.setattr(np.linalg, "svd", mirrored)
    assert kernel_pca.offsets() == pytest.approx(X, abs=1e-12)


def test_the_component_turns_from_the_cloud_to_the_mean():
    angles = [kernel_pca.uncentered(distance * toward(70)) @ LONG for distance in (0, 0.5, 1, 1.7, 4)]
    assert np.all(np.diff(angles) < 0)
    words = kernel_pca.turned(((0.0, 0.0),))
    assert "by 0°" in words and "100%" in words
    assert abs(kernel_pca.uncentered(4 * toward(70)) @ toward(70)) > 0.99


def test_the_words_say_where_the_mean_is():
    assert "distance 1.5, at 70° to" in kernel_pca.turned((tuple(1.5 * toward(70)),))
    assert "distance 2, at 20° to" in kernel_pca.turned((tuple(2 * toward(-160)),))


def test_the_curve_is_at_the_mean_what_the_plane_is_there():
    for mean in MEANS[4:]:
        shown = kernel_pca.shares((tuple(mean),))
        assert shown["this mean"].y == pytest.approx([kernel_pca.caught(mean)])
        line = shown["without centering"]
        assert np.interp(shown["this mean"].x, line.x, line.y) == pytest.approx(
            shown["this mean"].y, abs=0.02
        )


def test_the_uncentered_line_passes_through_the_origin_and_the_centered_one_through_the_mean():
    mean = 2 * toward(70)
    shown = kernel_pca.directions((tuple(mean),))
    assert np.mean(shown["without centering"].x) == pytest.approx(0)
    line = shown["with centering"]
    np.testing.assert_allclose([np.mean(line.x), np.mean(line.y)], mean)
