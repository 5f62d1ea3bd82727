"""The self-checks of random Fourier features let right answers pass and tell each wrong one its mistake."""

import math

import numpy as np
import pytest

from kernlib.exercises import fourier


def pairs(scale=lambda gamma: np.sqrt(2 * gamma), factor=lambda c: np.sqrt(2 / c), redraw=False, seeded=True):
    """The (cos, sin) map, with one of its parts to be replaced."""

    def function(X_train, X_test, *, c, gamma, random_state):
        rng = np.random.default_rng(random_state if seeded else 0)

        def draw():
            return rng.normal(scale=scale(gamma), size=(X_train.shape[1], c // 2))

        first = draw()
        second = draw() if redraw else first
        return tuple(
            factor(c) * np.hstack([np.cos(X @ W), np.sin(X @ W)])
            for X, W in ((X_train, first), (X_test, second))
        )

    return function


@pytest.mark.parametrize("form", [tuple, lambda sets: [Z.tolist() for Z in sets]], ids=["arrays", "lists"])
def test_pairs_pass(form, capsys):
    fourier.check_pairs(lambda *sets, **options: form(pairs()(*sets, **options)))
    assert "✓ exercise 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (pairs(scale=np.sqrt), "half their variance"),
        (pairs(scale=lambda gamma: 2 * np.sqrt(gamma)), "twice their variance"),
        (pairs(scale=lambda gamma: 2 * gamma), "not a standard deviation"),
        (pairs(factor=lambda c: np.sqrt(1 / c)), "√\\(1/m\\)"),
        (pairs(factor=lambda c: np.sqrt(4 / c)), "c counts columns"),
        (pairs(redraw=True), "same Ω"),
        (pairs(seeded=False), "Another random_state"),
    ],
)
def test_wrong_pairs_are_told(wrong, sentence):
    with pytest.raises(AssertionError, match=sentence):
        fourier.check_pairs(wrong)


def columns(n, *, error, chance):
    return 2 * math.ceil(2 * math.log(n**2 / chance) / error**2)


def test_the_least_columns_pass(capsys):
    fourier.check_columns(columns)
    assert "✓ exercise 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (lambda n, error, chance: columns(n, error=error, chance=chance) // 2, "number of frequencies"),
        (lambda n, error, chance: 2 * columns(n, error=error, chance=chance), "phase map"),
        (lambda n, error, chance: math.ceil(4 * math.log(n / chance) / error**2), "n², not n"),
        (lambda n, error, chance: columns(n, error=error, chance=chance) + 2, "The least even c"),
        (lambda n, error, chance: columns(n, error=error, chance=chance) - 1, "The least even c"),
    ],
)
def test_wrong_columns_are_told(wrong, sentence):
    with pytest.raises(AssertionError, match=sentence):
        fourier.check_columns(wrong)


def cauchy(scale=lambda gamma: gamma, seeded=True):
    def function(p, m, *, gamma, random_state):
        rng = np.random.default_rng(random_state if seeded else 0)
        return scale(gamma) * rng.standard_cauchy(size=(p, m))

    return function


def normal(p, m, *, gamma, random_state):
    return np.random.default_rng(random_state).normal(scale=np.sqrt(2 * gamma), size=(p, m))


def multivariate(p, m, *, gamma, random_state):
    rng = np.random.default_rng(random_state)
    return gamma * rng.normal(size=(p, m)) / np.abs(rng.normal(size=m))


def test_cauchy_frequencies_pass(capsys):
    fourier.check_laplace(cauchy())
    assert "✓ exercise 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (normal, "the Gaussian's law"),
        (cauchy(lambda gamma: 1.0), "seems to be 1\\."),
        (cauchy(lambda gamma: 1 / gamma), "seems to be 1/γ"),
        (cauchy(lambda gamma: np.sqrt(2 * gamma)), "√\\(2γ\\)"),
        (multivariate, "Euclidean distance"),
        (cauchy(seeded=False), "Another random_state"),
        (lambda p, m, gamma, random_state: cauchy()(m, p, gamma=gamma, random_state=0), "shape"),
    ],
)
def test_wrong_laplace_frequencies_are_told(wrong, sentence):
    with pytest.raises(AssertionError, match=sentence):
        fourier.check_laplace(wrong)


def orthogonal(lengths=None, signs=True, block=None, seeded=True):
    """Orthogonal frequencies, with one of their parts to be replaced."""

    def function(p, m, *, gamma, random_state):
        rng = np.random.default_rng(random_state if seeded else 0)
        blocks = []
        for _ in range(-(-m // p)):
            Q, R = np.linalg.qr(rng.normal(size=(p, p)))
            blocks.append(Q * np.sign(np.diag(R)) if signs else Q)
        Q = np.hstack(blocks)[:, :m]
        drawn = rng.normal(size=(p, m))
        size = np.linalg.norm(drawn, axis=0) if lengths is None else lengths(drawn)
        return np.sqrt(2 * gamma) * (drawn if block else Q * size)

    return function


def test_orthogonal_frequencies_pass(capsys):
    fourier.check_orthogonal(orthogonal())
    assert "✓ exercise 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    "wrong, sentence",
    [
        (orthogonal(block=True), "should be orthogonal"),
        (orthogonal(lengths=lambda drawn: np.sqrt(len(drawn))), "draw the lengths"),
        (orthogonal(lengths=lambda drawn: np.linalg.norm(drawn, axis=0) * 1.1), "2γp"),
        (orthogonal(seeded=False), "Another random_state"),
    ],
)
def test_wrong_orthogonal_frequencies_are_told(wrong, sentence):
    with pytest.raises(AssertionError, match=sentence):
        fourier.check_orthogonal(wrong)


def test_a_rotation_that_prefers_the_axes_is_told():
    def axes(p, m, *, gamma, random_state):
        drawn = np.random.default_rng(random_state).normal(size=(p, m))
        Q = np.hstack([np.eye(p)] * (-(-m // p)))[:, :m]
        return np.sqrt(2 * gamma) * Q * np.linalg.norm(drawn, axis=0)

    with pytest.raises(AssertionError, match="along each axis"):
        fourier.check_orthogonal(axes)
