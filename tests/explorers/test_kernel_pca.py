"""The explorer of centring, against the moments that its cloud has by construction."""

import numpy as np
import pytest

from kernlib.explorers import kernel_pca
from kernlib.explorers.kernel_pca import ACROSS, LONG, TOWARDS

DISTANCES = [0, 0.5, 1, 1.7, 4]


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_cloud_has_its_covariance_and_its_mean(distance):
    X = kernel_pca.cloud(distance)
    expected = np.outer(LONG, LONG) + 0.04 * np.outer(ACROSS, ACROSS)
    np.testing.assert_allclose(np.cov(X.T, bias=True), expected, atol=1e-12)
    np.testing.assert_allclose(X.mean(axis=0), distance * TOWARDS, atol=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_uncentred_component_is_that_of_covariance_plus_mean(distance):
    moment = np.outer(LONG, LONG) + 0.04 * np.outer(ACROSS, ACROSS)
    moment += distance**2 * np.outer(TOWARDS, TOWARDS)
    uncentred, centred = kernel_pca.first_components(distance)
    assert abs(uncentred @ np.linalg.eigh(moment)[1][:, -1]) == pytest.approx(1)
    assert abs(centred @ LONG) == pytest.approx(1)


def test_the_component_turns_from_the_cloud_to_the_mean():
    angles = [kernel_pca.first_components(distance)[0] @ LONG for distance in DISTANCES]
    assert np.all(np.diff(angles) < 0)
    assert "by 0°" in kernel_pca.turned(0) and "100 %" in kernel_pca.turned(0)
    assert abs(kernel_pca.first_components(4)[0] @ TOWARDS) > 0.99


def test_the_uncentred_line_passes_through_the_origin_and_the_centred_one_through_the_mean():
    shown = kernel_pca.directions(2)
    assert np.mean(shown["uncentred"].x) == pytest.approx(0)
    np.testing.assert_allclose([np.mean(shown["centred"].x), np.mean(shown["centred"].y)], 2 * TOWARDS)


def test_the_cloud_is_the_same_whatever_signs_a_library_gives_to_eigenvectors(monkeypatch):
    X, svd = kernel_pca.cloud(0.5), np.linalg.svd

    def mirrored(A, **options):
        U, s, Vt = svd(A, **options)
        return -U, s, -Vt

    monkeypatch.setattr(np.linalg, "svd", mirrored)
    assert kernel_pca.cloud(0.5) == pytest.approx(X, abs=1e-12)
