"""Inverse roots of positive semi-definite matrices against the pseudo-inverse, and solutions in float32."""

import numpy as np
import pytest
from samples import symmetric

from kernlib.low_rank import rank_trunc
from kernlib.numerics import psd
from kernlib.numerics.psd import inverse_root, shifted_solve, triangular_inverse_root


@pytest.mark.parametrize("rank", [1, 3, np.uint8(8)])
def test_the_inverse_root_squares_to_the_pseudo_inverse_of_the_truncation(rank):
    W = symmetric([4, 3, 2, 1, 0.5, 0, 0, 0])
    M, kept = inverse_root(W, rank)
    assert M.shape == (8, rank) and kept == min(rank, 5)
    assert (M[:, kept:] == 0).all()
    np.testing.assert_allclose(M @ M.T, np.linalg.pinv(rank_trunc(W, rank), rcond=1e-10), atol=1e-10)
    np.testing.assert_allclose(M.T @ W @ M, np.diag(np.arange(rank) < kept), atol=1e-12)


@pytest.mark.parametrize(
    "call, sentence",
    [
        (lambda G: inverse_root(G, 6), r"rank must be between 1 and 5 \(the size of W\), got 6"),
        (lambda G: inverse_root(G[:2]), "W must be square"),
    ],
)
def test_bad_input_gets_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(symmetric(range(1, 6)))


def test_only_rounding_errors_may_make_a_matrix_unsymmetric():
    W = symmetric(range(1, 6))
    W[0, 1] += 1e-13
    inverse_root(W)
    W[0, 1] += 1e-4
    with pytest.raises(ValueError, match=r"W must be symmetric, got .* by 0\.0001"):
        inverse_root(W)


@pytest.mark.parametrize("scale", [1, 1e-300, 1e300])
def test_the_triangular_root_is_a_root_of_the_pseudo_inverse_whatever_the_rank(scale):
    A = np.random.default_rng(0).normal(size=(12, 5))
    W = scale * (A @ A.T)
    W[7], W[:, 7] = W[3], W[:, 3]
    W[7, 7] = W[3, 3]  # the same landmark twice
    pivots, M = triangular_inverse_root(W)
    assert M.shape == (5, 5) and (np.tril(M, -1) == 0).all()
    assert len(set(pivots)) == 5 and pivots[0] == W.diagonal().argmax()
    # of rank five, so that any five independent columns say all
    Z = W[:, pivots] @ M
    np.testing.assert_allclose(Z @ Z.T, W, atol=1e-12 * scale)


def test_a_matrix_of_zeros_has_a_root_without_columns(capfd):
    pivots, M = triangular_inverse_root(np.zeros((3, 3)))
    assert len(pivots) == 0 and M.shape == (0, 0)
    assert capfd.readouterr() == ("", "")  # nothing from LAPACK


@pytest.mark.parametrize("rtol", [1e-12, 1e-6, 1e-3])
def test_a_cut_of_pivots_leaves_out_at_most_that_part_of_any_entry(rtol):
    x = np.linspace(-2, 2, 60)
    W = np.exp(-((x[:, None] - x) ** 2))  # eigenvalues fall exponentially
    pivots, M = triangular_inverse_root(W, rtol=rtol)
    left = W - (W[:, pivots] @ M) @ (W[:, pivots] @ M).T
    assert len(pivots) < 40
    assert np.abs(left).max() < rtol + 60 * np.finfo(float).eps * np.linalg.norm(M, 2)
    if len(pivots) > 1:  # one fewer leaves out more
        fewer = W[:, pivots[:-1]] @ M[:-1, :-1]
        assert (W - fewer @ fewer.T).max() > rtol


@pytest.fixture
def factored_in(monkeypatch):
    """Refine solutions of any size, and list the dtypes of the matrices that Cholesky decomposes."""
    dtypes, cho_factor = [], psd.linalg.cho_factor

    def noted(A, **options):
        dtypes.append(A.dtype)
        return cho_factor(A, **options)

    monkeypatch.setattr(psd, "REFINED_FROM", 1)
    monkeypatch.setattr(psd.linalg, "cho_factor", noted)
    return dtypes


def backward_error(A, B, X, shift):
    """‖B − (A + shift I)X‖/(‖A‖‖X‖), the residual in more digits than float64 has; no X of zeros."""
    A, B, X = (M.astype(np.longdouble) for M in (A, B, X))
    residual = np.linalg.norm(B - A @ X - np.longdouble(shift) * X, axis=0)
    return np.max(residual / (np.linalg.norm(A) * np.linalg.norm(X, axis=0)))


@pytest.mark.parametrize("scale", [1e-100, 1, 1e100])  # float32 ends at 1e38
@pytest.mark.parametrize("shift", [1e-6, 1e-3, 1])
def test_a_decomposition_in_float32_solves_as_well_as_one_in_float64(factored_in, shift, scale):
    A, shift = scale * symmetric(np.logspace(0, -12, 80)), scale * shift
    B = np.random.default_rng(1).normal(size=(80, 3)) * [1, 1e-200, 1e160]
    X = shifted_solve(A, B, shift)
    assert factored_in == [np.float32]
    assert backward_error(A, B, X, shift) < np.sqrt(80) * np.finfo(float).eps
    with_zeros = shifted_solve(A, B * [1, 0, 0], shift)
    np.testing.assert_array_equal(with_zeros[:, 1:], 0)
    np.testing.assert_allclose(with_zeros[:, 0], X[:, 0], rtol=1e-6)


@pytest.mark.parametrize("lowest", [1e-6, -1e-3 * (1 - 1e-6)])
def test_where_float32_has_too_few_digits_float64_decomposes(factored_in, lowest):
    """The shift is below float32's rounding; or an eigenvalue leaves little of it, which no norm shows."""
    shift = 1e-9 if lowest > 0 else 1e-3
    A = symmetric([*np.linspace(1, 2, 79), lowest])
    B = np.random.default_rng(1).normal(size=80)
    X = shifted_solve(A, B, shift)
    assert factored_in[-1] == np.float64
    assert backward_error(A, B, X, shift) < np.sqrt(80) * np.finfo(float).eps
