"""The linear algebra that explorers use in the page, where matrices are nearly singular or worse.

For other matrices, `test_explorers.py` compares all that is computed in the page with Python.
"""

import numpy as np
import pytest
from scipy import linalg
from v8 import Script

from kernlib import plain
from kernlib.book.explore.marks import show

TOLERANCE = 1e-10


@pytest.fixture(scope="module")
def script():
    return Script()


@pytest.fixture(params=["random", "nearly singular"])
def points(request):
    """Points of the plane: random ones, or random ones of which some lie 10⁻⁶ apart."""
    X = np.random.default_rng(0).normal(size=(24, 2))
    if request.param == "nearly singular":
        X[12:] = X[:12] + 1e-6
    return X


def difference(found, expected):
    """The largest difference, relative to the largest expected number."""
    assert np.shape(found) == np.shape(expected)
    return np.abs(np.subtract(found, expected)).max() / np.abs(expected).max()


def test_the_page_writes_numbers_as_python_does(script):
    for value in (0, -3, 0.031622, 123456, 12345.678, -1.5e-7, 1e-6, -1e-6, 1.1e-6, 0.0001):
        assert script.call("show", value) == show(value)


def test_a_matrix_that_is_not_positive_definite_has_no_factor_and_no_solution(script):
    assert script.call("numeric.cholesky", [[1, 1], [1, 1]]) is None
    assert script.call("numeric.solve", [[1, 2], [2, 1]], [1, 1]) is None


def test_eigenvalues_and_projections_on_eigenvectors_are_those_of_lapack(script, points):
    G = plain.gaussian(points, points, 0.7)
    found = script.call("numeric.eigh", G)
    values, vectors = np.array(found["values"]), np.array(found["vectors"])
    assert difference(values, linalg.eigvalsh(G)) < TOLERANCE
    assert difference(vectors @ vectors.T, np.eye(24)) < TOLERANCE
    for k in (1, 3, 24):
        assert (
            difference((vectors * values)[:, -k:] @ vectors[:, -k:].T, plain.rank_truncation(G, k))
            < TOLERANCE
        )


def test_eigenvalues_of_matrices_with_equal_and_zero_ones_are_exact(script):
    for A in (np.zeros((3, 3)), np.eye(4), np.ones((5, 5)), np.diag([3.0, -1.0, 2.0])):
        assert np.abs(np.subtract(script.call("numeric.eigh", A)["values"], linalg.eigvalsh(A))).max() < 1e-14


def test_partial_cholesky_is_the_plain_one_and_skips_a_pivot_of_which_nothing_is_left(script, points):
    G = plain.gaussian(points, points, 0.7)
    pivots, F = plain.pivoted_cholesky(G, 9, np.random.default_rng(2))
    twice = [*pivots.tolist(), int(pivots[0])]
    call = (
        "((G, pivots) => numeric.partialCholesky((i) => [...G[i]], G.map((row, i) => row[i]), pivots, 1e-6))"
    )
    found = script.call(call, G, twice)
    assert difference(np.transpose(found["columns"]), F) < TOLERANCE
    assert np.abs(np.subtract(found["left"], np.diag(G - F @ F.T))).max() < TOLERANCE
