"""The explorer of the best of many models shows the exact law of the best score."""

from itertools import product

import numpy as np
import pytest

from kernlib.book.explorers import your_data_best as many


def counted(k, together, apart):
    """The law of the best of k, from all ways in which the models can answer."""
    law = np.zeros(together + apart + 1)
    right = many.TRUTH, 1 - many.TRUTH
    for rows in product((1, 0), repeat=together + k * apart):
        best = max(sum(rows[together + i * apart : together + (i + 1) * apart]) for i in range(k))
        law[sum(rows[:together]) + best] += np.prod([right[0] if row else right[1] for row in rows])
    return law


@pytest.mark.parametrize(("k", "together", "apart"), [(1, 0, 4), (3, 0, 3), (2, 2, 3), (3, 1, 3), (2, 4, 0)])
def test_the_law_is_that_counted_over_all_answers(k, together, apart):
    m = together + apart
    expected = counted(k, together, apart)
    assert np.abs(many.best_law(k, m, together / m) - expected).max() < 1e-12


@pytest.mark.parametrize("m", many.ROWS)
@pytest.mark.parametrize("agree", many.SHARED)
def test_a_single_model_is_right_on_average_and_the_best_of_more_is_higher(m, agree):
    found = [many.excess(k, m, many.SHARED[agree]) for k in many.MODELS]
    assert abs(found[0]) < 1e-12
    assert min(np.diff(found)) > 0
