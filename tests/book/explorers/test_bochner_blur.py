"""The blurred weights, against the transform of the product that they are the density of, and by hand."""

import numpy as np
import pytest

from kernlib.book.explorers.bochner_blur import (
    BLUR,
    DELTA,
    OMEGA,
    PLACES,
    blurred,
    mixture,
    product,
    spectrum,
    summary,
)
from kernlib.kernels import radial_transform

CAP, _, TENT, WAVE = PLACES.values()


@pytest.mark.parametrize("eps", [0.2, 2])
@pytest.mark.parametrize("weights", PLACES.values())
def test_the_density_is_the_transform_of_the_product(weights, eps):
    far = np.sqrt(80 / eps)  # where the Gaussian is e⁻⁴⁰

    def on_the_unit_interval(r):
        return mixture(weights, far * r) * np.exp(-eps * (far * r) ** 2 / 2)

    transform = far * radial_transform(on_the_unit_interval, far * np.abs(OMEGA[::10]), 1) / (2 * np.pi)
    assert blurred(weights, eps)[::10] == pytest.approx(transform, abs=1e-12)


def test_the_weights_of_cap_and_tent_are_their_fourier_coefficients():
    for weights, bump in ((CAP, lambda r: 1 - r**2), (TENT, lambda r: 1 - r)):
        omega, heights = np.transpose(weights)
        assert heights == pytest.approx(radial_transform(bump, omega, 1) / np.pi, abs=5e-4)


def test_the_wave_is_a_cosine_and_the_product_is_below_it():
    assert mixture(WAVE, DELTA) == pytest.approx(np.cos(2 * DELTA), abs=1e-15)
    lines = product(WAVE, 1.0)
    assert (np.abs(lines["product"].y) <= np.abs(lines["q(δ)"].y)).all()


def test_what_is_shaded_lies_between_the_density_and_zero():
    for weights in PLACES.values():
        p = spectrum(weights, 0.2)["blurred density, scaled to the largest weight"]
        assert np.abs(p.y).max() == pytest.approx(max(abs(weight) for _, weight in weights))
        assert (p.low == np.minimum(p.y, 0)).all() and not np.any(p.high)
    flat = spectrum([(at, 0) for at, _ in CAP], 0.2)["blurred density, scaled to the largest weight"]
    assert not np.any(flat.y)


@pytest.mark.parametrize("eps", [0.1, 5])
def test_the_readout_names_the_function_whose_eigenvalue_it_gives_and_zero_without_a_sign(eps):
    found = summary([(0, -0.4), *CAP[1:]], eps)
    assert "lowest at ω = 0." in found and "eigenvalue of q's Gram matrix is −10.00" in found


def test_the_first_state_is_the_one_that_the_question_is_about():
    assert [at for at, weight in BLUR.defaults["weights"] if weight < 0] == [6]
