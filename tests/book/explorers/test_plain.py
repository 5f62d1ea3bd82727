"""The three ways to c columns: what the calls in the readout compute, against kernlib's own classes."""

import numpy as np
import pytest

from kernlib import plain as functions
from kernlib.book.explorers import plain
from kernlib.book.explorers.duality_steps import data
from kernlib.low_rank import truncation_errors


@pytest.fixture
def G():
    X, _ = data()
    return functions.gaussian(X, X, plain.GAMMA)


@pytest.mark.parametrize("c", plain.COLUMNS)
def test_rank_truncation_leaves_the_tail_and_the_others_more(c, G):
    assert plain.matrix_error("rank truncation", c) == pytest.approx(truncation_errors(G)[c])
    for way in ("Nyström", "random features"):
        for seed in range(plain.DRAWS):
            assert plain.matrix_error(way, c, seed) > plain.matrix_error("rank truncation", c)


def test_the_landmarks_and_frequencies_of_a_smaller_c_are_the_first_of_a_larger_one(G):
    X, _ = data()
    few, many = (plain.features("random features", c)(X) for c in (4, 16))
    np.testing.assert_allclose(2 * few[:, :2], 4 * many[:, :2])  # the root of c divides both
    landmarks, _ = plain.draw(0)
    for c in plain.COLUMNS:
        Z = plain.features("Nyström", c)
        exact = functions.gaussian(landmarks[:c], X, plain.GAMMA)
        np.testing.assert_allclose(Z(landmarks[:c]) @ Z(X).T, exact, atol=1e-6)
