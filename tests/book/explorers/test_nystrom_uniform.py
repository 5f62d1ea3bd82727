"""What uniform landmarks miss on a circle: against the Gram matrix and the theorem."""

import numpy as np
import pytest

from kernlib.book.explorers import nystrom_uniform as uniform

SPECTRA = [values["spectrum"] for values in uniform.PRESETS.values()]


@pytest.mark.parametrize("spectrum", SPECTRA, ids=uniform.PRESETS)
def test_the_losses_are_those_of_a_matrix_with_this_spectrum(spectrum):
    n, tau = uniform.N, uniform.eigenvalues(spectrum)
    angles = 2 * np.pi * np.arange(n) / n
    apart = angles[:, None] - angles
    G = sum(share * np.cos((j + 1) // 2 * apart) for j, share in enumerate(tau))
    np.testing.assert_allclose(np.linalg.eigvalsh(G)[::-1] / n, np.sort(tau)[::-1], atol=1e-12)
    np.testing.assert_allclose(np.diag(G), 1)
    for draw, c in ((0, 5), (9, 12)):
        rows = uniform.LANDMARKS[draw][:c]
        missed = 1 - np.trace(G[:, rows] @ np.linalg.pinv(G[np.ix_(rows, rows)], 1e-12) @ G[rows]) / n
        assert uniform.losses_of_draws(spectrum)[draw, c - 1] == pytest.approx(missed, abs=1e-6)


@pytest.mark.parametrize("spectrum", SPECTRA, ids=uniform.PRESETS)
def test_the_bound_is_exact_for_one_landmark_and_nothing_is_below_the_best(spectrum):
    runs = uniform.losses_of_draws(spectrum)
    np.testing.assert_allclose(runs[:, 0], uniform.most_lost(spectrum)[0])
    assert (runs >= uniform.least_lost(spectrum) - 1e-12).all()


def test_what_is_shaded_is_below_the_spectrum_and_above_one_part_of_the_trace():
    spectrum, line = uniform.directions(SPECTRA[0], 16).values()
    level = np.log10(np.sum(10 ** np.repeat(spectrum.y, [1, *[2] * 47, 1])) / 16)
    assert line.y == pytest.approx((level, level))
    np.testing.assert_allclose(spectrum.low, np.minimum(spectrum.y, level))
    np.testing.assert_allclose(spectrum.high, spectrum.y)
