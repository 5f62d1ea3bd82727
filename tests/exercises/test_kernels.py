"""The self-checks on kernels pass right answers and tell each usual wrong one what is wrong."""

import itertools
import math

import numpy as np
import pytest

from kernlib.exercises import kernels


def test_any_two_distinct_points_pass(capsys):
    kernels.check_witness([1, 2])
    kernels.check_witness(np.array([3.0, 0.5, 2.0]))
    assert capsys.readouterr().out.startswith("✓ exercise 1")


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([1.0], "two or three points, got 1"),
        ([1, 2, 3, 4], "got 4"),
        ([1, 1], "equal points"),
        ([1, 1.001], "further apart"),
        ([-1, 2], "positive"),
        ([np.nan, 1], "finite"),
    ],
)
def test_points_that_show_nothing_are_refused(points, sentence):
    with pytest.raises(AssertionError, match=sentence):
        kernels.check_witness(points)


def monomials(weight=math.sqrt, constant=np.sqrt, choose=itertools.combinations_with_replacement):
    """The right features, with one part to be replaced."""

    def function(X, r, c0):
        X = np.column_stack([X, np.full(len(X), constant(c0))])
        columns = []
        for chosen in choose(range(X.shape[1]), r):
            powers = np.bincount(chosen, minlength=X.shape[1])
            ways = math.factorial(r) / math.prod(math.factorial(int(a)) for a in powers)
            columns.append(weight(ways) * np.prod(X[:, chosen], axis=1))
        return np.column_stack(columns)

    return function


def ordered(p, r):
    return itertools.product(p, repeat=r)


def test_weighted_monomials_pass(capsys):
    kernels.check_monomials(monomials())
    assert "✓ exercise 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (monomials(weight=lambda w: 1.0), "weights are missing"),
        (monomials(constant=lambda c0: c0), "by its root"),
        (monomials(constant=lambda c0: 1.0), "1 always"),
        (monomials(weight=lambda w: w), "an entry of"),
        (monomials(weight=lambda w: 1.0, choose=ordered), "one monomial"),
        (lambda X, r, c0: monomials()(X, r, c0)[:, :-1], "constant"),
        (lambda X, r, c0: monomials()(X[:, 1:], r, c0), "degrees below r"),
        (lambda X, r, c0: X[:, 0], "columns, got None"),
        (lambda X, r, c0: np.nan * monomials()(X, r, c0), "finite"),
    ],
    ids=[
        "no weights",
        "no root of c0",
        "one",
        "no root",
        "ordered",
        "no constant",
        "one r",
        "a vector",
        "NaN",
    ],
)
def test_other_features_are_refused(function, sentence):
    with pytest.raises(AssertionError, match=sentence):
        kernels.check_monomials(function)


def test_distances_from_kernel_values_pass(capsys):
    kernels.check_distances(lambda G, K, diag: diag - 2 * K.mean(axis=1) + G.mean())
    assert "✓ exercise 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda G, K, diag: np.sqrt(diag - 2 * K.mean(axis=1) + G.mean()), "not their squares"),
        (lambda G, K, diag: diag - K.mean(axis=1) + G.mean(), "factor 2"),
        (lambda G, K, diag: diag - 2 * K.mean(axis=1) + np.diag(G).mean(), "all entries of G"),
        (lambda G, K, diag: diag - 2 * K.mean(axis=1), "norm of the mean is missing"),
        (lambda G, K, diag: K.mean(axis=0), "shape"),
        (lambda G, K, diag: 0 * diag, "away"),
    ],
    ids=["root", "factor", "trace", "no norm", "transposed", "zero"],
)
def test_other_distances_are_refused(function, sentence):
    with pytest.raises(AssertionError, match=sentence):
        kernels.check_distances(function)


def test_the_largest_n_passes(capsys):
    kernels.check_largest_n(lambda memory, itemsize: math.isqrt(int(memory) // itemsize))
    kernels.check_largest_n(lambda memory, itemsize: int(np.sqrt(memory / itemsize)))
    assert "✓ exercise 4" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        (lambda memory, itemsize: int(np.sqrt(memory)), "itemsize bytes"),
        (lambda memory, itemsize: memory // itemsize, "n² numbers"),
        (lambda memory, itemsize: np.sqrt(memory / itemsize), "integer"),
        (lambda memory, itemsize: math.isqrt(int(memory) // 8), "n should be"),
    ],
    ids=["bytes", "no root", "float", "always 8"],
)
def test_other_sizes_are_refused(function, sentence):
    with pytest.raises(AssertionError, match=sentence):
        kernels.check_largest_n(function)
