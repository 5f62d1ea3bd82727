"""The bounds on the error of random features, against the formulas that they solve."""

import numpy as np
import pytest

from kernlib.fourier import entropy_error, uniform_error


@pytest.mark.parametrize("constant", [2**8, 66])
@pytest.mark.parametrize("p", [1, 2, 5, 22])
def test_the_uniform_error_solves_the_bound_for_the_chance(p, constant):
    error = uniform_error(300, p, 14.0, constant, 0.1)
    bound = constant * (14 / error) ** 2 * np.exp(-300 * error**2 / (8 * (p + 2)))
    assert bound == pytest.approx(0.1, rel=1e-6)


def test_the_entropy_error_by_hand():
    p, sigma, diameter, m = 22, 2**0.5, 10, 150
    h = (
        32 * (2 * p * np.log(21)) ** 0.5
        + 32 * (2 * p * np.log(sigma + 1)) ** 0.5
        + 16 * (2 * p / np.log(21)) ** 0.5
    )
    expected = (h + (2 * np.log(4)) ** 0.5) / m**0.5
    assert entropy_error(300, p, sigma, diameter, 0.25) == pytest.approx(expected)


@pytest.mark.parametrize(
    "error, wrong, sentence",
    [
        (uniform_error, {"c": 0}, "c must be positive and finite, got 0"),
        (uniform_error, {"spread": 0.0}, r"spread must be positive and finite, got 0\.0"),
        (entropy_error, {"diameter": -1.0}, r"diameter must be positive and finite, got -1\.0"),
        (entropy_error, {"chance": 1.0}, r"chance must be below 1, got 1\.0"),
    ],
)
def test_a_bound_without_meaning_is_refused_by_its_arguments_name(error, wrong, sentence):
    right = {"spread": 1.0, "constant": 66} if error is uniform_error else {"sigma": 1.0, "diameter": 1.0}
    with pytest.raises(ValueError, match=sentence):
        error(**{"c": 300, "p": 2} | right | wrong)
