"""Centering against the moments of its cloud, and the best threshold on a component."""

from itertools import product

import numpy as np
import pytest

from kernlib.book.explorers import kernel_pca
from kernlib.book.explorers.kernel_pca import ACROSS, ANGLES, LONG, toward

DISTANCES = [0, 0.5, 1, 1.7, 4]


def test_the_best_split_is_that_of_the_column_in_which_the_halves_are_apart():
    Z = np.array([[0, 3], [1, 4], [1, 1], [0, 2.0]])
    assert kernel_pca.best_split(Z) == (2, 1.0)
    assert kernel_pca.best_split(Z[:, :1]) == (1, 0.5)  # equal numbers are not split


def test_the_cloud_has_its_covariance_and_its_mean():
    expected = np.outer(LONG, LONG) + 0.04 * np.outer(ACROSS, ACROSS)
    for distance, angle in product(DISTANCES, ANGLES):
        X = kernel_pca.cloud(distance, angle)
        np.testing.assert_allclose(np.cov(X.T, bias=True), expected, atol=1e-12)
        np.testing.assert_allclose(X.mean(axis=0), distance * toward(angle), atol=1e-12)


def test_the_uncentered_component_is_that_of_covariance_plus_mean():
    covariance = np.outer(LONG, LONG) + 0.04 * np.outer(ACROSS, ACROSS)
    for distance, angle in product(DISTANCES, ANGLES):
        moment = covariance + distance**2 * np.outer(toward(angle), toward(angle))
        uncentered, centered = kernel_pca.first_components(distance, angle)
        assert abs(uncentered @ np.linalg.eigh(moment)[1][:, -1]) == pytest.approx(1)
        assert abs(centered @ LONG) == pytest.approx(1)


def test_the_cloud_is_the_same_whatever_signs_a_library_gives_to_eigenvectors(monkeypatch):
    X, svd = kernel_pca.cloud(0.5), np.linalg.svd

    def mirrored(A, **options):
        U, s, Vt = svd(A, **options)
        return -U, s, -Vt

    monkeypatch.setattr(np.linalg, "svd", mirrored)
    assert kernel_pca.cloud(0.5) == pytest.approx(X, abs=1e-12)


def test_the_component_turns_from_the_cloud_to_the_mean():
    angles = [kernel_pca.first_components(distance)[0] @ LONG for distance in DISTANCES]
    assert np.all(np.diff(angles) < 0)
    assert "by 0°" in kernel_pca.turned(0, 70) and "100%" in kernel_pca.turned(0, 70)
    assert abs(kernel_pca.first_components(4)[0] @ toward(70)) > 0.99


def test_the_uncentered_line_passes_through_the_origin_and_the_centered_one_through_the_mean():
    shown = kernel_pca.directions(2, 70)
    assert np.mean(shown["uncentered"].x) == pytest.approx(0)
    np.testing.assert_allclose([np.mean(shown["centered"].x), np.mean(shown["centered"].y)], 2 * toward(70))
