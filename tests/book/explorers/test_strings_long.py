"""The lengths that make up the kernel: against kernels of one length and against the weighted kernel."""

import numpy as np
import pytest

from kernlib.book.explorers import strings_long
from kernlib.strings import all_subsequences, gap_weighted


def test_the_counts_by_length_are_the_fixed_length_kernels_and_add_up_to_the_weighted_one():
    s, t = strings_long.draw_strings(15)[:2].tolist()
    found = strings_long.common_by_length(15)
    assert found.tolist() == [1, *(gap_weighted(s, t, length=k, decay=1) for k in range(1, 16))]
    whole = all_subsequences(s, t, weight=0.2)
    assert strings_long.length_shares(0.2, 15)[3] == pytest.approx(0.2**3 * found[3] / whole)


def test_the_middle_half_leaves_a_quarter_on_each_side():
    for mu in strings_long.WEIGHTS:
        low, high = strings_long.middle_half(mu, 60)
        shares = strings_long.length_shares(mu, 60)
        assert shares[:low].sum() < 0.25 <= shares[: low + 1].sum()
        assert shares[:high].sum() < 0.75 <= shares[: high + 1].sum()


def test_the_words_are_the_curves_and_the_answer_is_the_top_of_the_hump():
    middle = strings_long.similarity_over_length(0.2)["this μ"].y[strings_long.LENGTHS.index(60)]
    assert f"such a pair is {middle:.2f}" in strings_long.summary(0.2, 60)
    assert "lengths from 9 to 12" in strings_long.summary(0.2, 60)
    assert abs(np.argmax(strings_long.length_shares(1, 60)) - 20) <= 2
