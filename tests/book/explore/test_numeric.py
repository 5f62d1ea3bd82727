"""The linear algebra that explorers use in the page gives what `kernlib.plain` gives."""

import numpy as np
import pytest
from scipy import linalg
from v8 import Script

from kernlib import kernels, plain

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


@pytest.fixture
def labels():
    return np.repeat([1.0, -1.0], 12)


def difference(found, expected):
    """The largest difference, relative to the largest expected number."""
    assert np.shape(found) == np.shape(expected)
    return np.abs(np.subtract(found, expected)).max() / np.abs(expected).max()


@pytest.mark.parametrize(
    ("name", "parameters", "kernel"),
    [
        ("gaussian", [0.7], kernels.Gaussian(0.7)),
        ("laplace", [0.7], kernels.Laplace(0.7)),
        ("linear", [], kernels.Linear()),
        ("polynomial", [3, 0.5], kernels.Polynomial(3, 0.5)),
    ],
)
def test_gram_matrices_are_those_of_the_kernels(script, points, name, parameters, kernel):
    found = script.call(f"numeric.{name}", points, points[:5], *parameters)
    assert difference(found, kernel(points, points[:5])) < TOLERANCE


def test_ridge_coefficients_are_the_plain_ones(script, points, labels):
    G = plain.gaussian(points, points, 0.7)  # with nλ = 0.0024 its condition number is below 10⁴
    expected = plain.dual_ridge(G, labels, 1e-4)
    assert difference(script.call("numeric.dualRidge", G, labels, 1e-4), expected) < TOLERANCE


def test_a_cholesky_factor_and_its_triangular_solves_are_those_of_lapack(script, points, labels):
    A = plain.gaussian(points, points, 0.7) + 1e-3 * np.eye(24)
    L = linalg.cholesky(A, lower=True)
    assert difference(script.call("numeric.cholesky", A), L) < TOLERANCE
    forward = linalg.solve_triangular(L, labels, lower=True)
    assert difference(script.call("numeric.solveLower", L, labels), forward) < TOLERANCE
    backward = linalg.solve_triangular(L.T, labels)
    assert difference(script.call("numeric.solveUpper", L, labels), backward) < TOLERANCE


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


def test_random_features_are_the_plain_ones(script, points):
    rng = np.random.default_rng(1)
    frequencies = plain.gaussian_frequencies(2, 8, 0.7, rng)
    phases = rng.uniform(0, 2 * np.pi, size=8)
    found = script.call("numeric.phaseFeatures", points, frequencies, phases)
    assert difference(found, plain.phase_features(points, frequencies, phases)) < TOLERANCE
    found = script.call("numeric.pairFeatures", points, frequencies)
    assert difference(found, plain.pair_features(points, frequencies)) < TOLERANCE


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
