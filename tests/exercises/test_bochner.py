"""The self-checks on Bochner's theorem pass right answers and tell each usual wrong one what is wrong."""

import numpy as np
import pytest

from kernlib.exercises import bochner


def test_three_points_half_apart_pass(capsys):
    bochner.check_witness([0, 0.5, 1])
    bochner.check_witness(np.array([2.0, 1.0, 1.5]))
    assert capsys.readouterr().out.startswith("✓ exercise 1")


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([0, 0.5], "never has one"),
        ([0, 0.2, 0.4], "just too far apart"),
        ([0, 0.5, 2.0], "kernel value 0"),
        (np.arange(25) / 4, "two or three points, got 25"),
        ([0, np.nan, 1], "finite"),
    ],
)
def test_points_that_show_nothing_are_refused(points, sentence):
    with pytest.raises(AssertionError, match=sentence):
        bochner.check_witness(points)


@pytest.mark.parametrize(
    "draw",
    [
        lambda n, rng: rng.choice([0, np.pi / 2], n),
        lambda n, rng: rng.choice([-np.pi / 4, np.pi / 4], n),
        lambda n, rng: np.full(n, np.pi / 4),
    ],
    ids=["a quarter turn", "both signs", "one phase"],
)
def test_laws_without_second_harmonic_pass(draw, capsys):
    bochner.check_phases(draw)
    assert "✓ exercise 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("draw", "sentence"),
    [
        (lambda n, rng: np.zeros(n), r"got 1.00.*q\(x − x′\) \+ 1.00"),
        (lambda n, rng: rng.choice([0, np.pi], n), r"\+ 1.00 q\(x \+ x′\)"),
        (lambda n, rng: np.full(n, np.pi / 2), r"− 1.00 q\(x \+ x′\)"),
        (lambda n, rng: rng.uniform(0, 2 * np.pi, n), "at most two"),
        (lambda n, rng: rng.choice([0, np.pi / 2], 3), "shape"),
    ],
    ids=["no phase", "half a turn", "sines", "uniform", "too few"],
)
def test_other_phases_are_refused(draw, sentence):
    with pytest.raises(AssertionError, match=sentence):
        bochner.check_phases(draw)


def mixture(scale=lambda s, p: np.sqrt(2 * s), each=False, mean=None):
    """The rational quadratic law, with one of its parts to be replaced."""

    def sample(n, p, *, a, gamma, rng):
        s = rng.gamma(a, 1 / a if mean == 1 else 1, size=(p if each else 1, n))
        return rng.normal(size=(p, n)) * scale(gamma * s, p)

    return sample


def test_the_mixture_of_gaussians_passes(capsys):
    bochner.check_rational_quadratic(mixture())
    assert "✓ exercise 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("sample", "sentence"),
    [
        (mixture(each=True), "one s for all coordinates"),
        (mixture(mean=1), "mean a, not 1"),
        (mixture(scale=lambda s, p: np.sqrt(s)), "half their variance"),
        (mixture(scale=lambda s, p: np.sqrt(4 * s)), "twice their variance"),
        (
            lambda n, p, *, a, gamma, rng: rng.normal(size=(p, n)) * np.sqrt(2 * gamma),
            "s seems to be missing",
        ),
        (lambda n, p, *, a, gamma, rng: rng.normal(size=(n, p)), "shape"),
        (lambda n, p, *, a, gamma, rng: np.full((p, n), np.nan), "finite"),
    ],
    ids=["one s each", "mean one", "half", "twice", "no s", "transposed", "NaN"],
)
def test_other_laws_are_refused(sample, sentence):
    with pytest.raises(AssertionError, match=sentence):
        bochner.check_rational_quadratic(sample)


def needed(variance=lambda q: (1 - q**2) ** 2 / 2, power=2, rounded=np.ceil):
    return lambda gamma, r, eps: rounded(variance(np.exp(-gamma * r**2)) / eps**power)


@pytest.mark.parametrize("rounded", [np.ceil, np.floor, float], ids=["up", "down", "not at all"])
def test_the_number_of_draws_passes_however_it_is_rounded(rounded, capsys):
    bochner.check_draws_needed(needed(rounded=rounded))
    assert "✓ exercise 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (needed(lambda q: (1 + q**4) / 2), "not subtracted"),
        (needed(lambda q: 1 + q**4 / 2 - q**2), "phase features"),
        (needed(power=1), "by its square"),
        (needed(lambda q: (1 - q**2) / 2), "fourth power"),
        (lambda gamma, r, eps: 7, "draws, got 7"),
    ],
    ids=["second moment", "phases", "no square", "q squared", "constant"],
)
def test_other_numbers_of_draws_are_refused(function, sentence):
    with pytest.raises(AssertionError, match=sentence):
        bochner.check_draws_needed(function)
