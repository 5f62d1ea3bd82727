"""What solvers ask of a positive semi-definite matrix: the inverse root, against the pseudo-inverse."""

import numpy as np
import pytest

from kernlib.low_rank import rank_trunc
from kernlib.psd import inverse_root


def symmetric(eigenvalues):
    """A symmetric matrix with these eigenvalues and random eigenvectors."""
    n = len(eigenvalues)
    Q = np.linalg.qr(np.random.default_rng(0).normal(size=(n, n)))[0]
    G = (Q * np.asarray(eigenvalues, dtype=float)) @ Q.T
    return (G + G.T) / 2


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
