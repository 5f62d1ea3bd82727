"""The table of the all-subsequences kernel, cell by cell, against the recurrence."""

import numpy as np
import pytest

from kernlib.book.explorers import strings
from kernlib.plain import subsequence_table
from kernlib.strings import all_subsequences


def test_the_table_is_filled_cell_by_cell_to_the_kernel():
    assert strings.table("gatta", "cata", 0).marked is None
    filled = [
        sum(cell not in (None, "?") for row in strings.table("gatta", "cata", step).values for cell in row)
        for step in range(26)
    ]
    assert filled == [min(10 + step, 30) for step in range(26)]
    assert strings.table("gatta", "cata", 25).values[-1][-1] == 14
    cosine = 14 / np.sqrt(all_subsequences("gatta", "gatta") * all_subsequences("cata", "cata"))
    assert f"κ(gatta, cata) = 14, normalized {cosine:.3f}" in strings.summary("gatta", "cata", 25)


def test_the_bars_add_up_to_the_marked_cell():
    assert strings.common("aaaa", "aaaa", 25)[""].y == [1, 16, 36, 16, 1]
    assert "By length: 1 + 16 + 36 + 16 + 1." in strings.summary("aaaa", "aaaa", 25)
    for s, t in (("gatta", "cata"), ("aaaa", "aaaa"), ("tag", "gatta")):
        for step in range(len(s) * len(t) + 1):
            values, _, _, marked, _ = strings.table(s, t, step)
            row, column = marked or (0, 0)
            assert sum(strings.by_length(s, t, step)) == values[row][column], (s, t, step)


@pytest.mark.parametrize(("s", "t"), [("", "cata"), ("gatta", ""), ("", "")])
def test_the_empty_string_shares_the_empty_subsequence_alone(s, t):
    assert "= 1, normalized" in strings.summary(s, t, 5)
    assert strings.common(s, t, 5)[""].y == [1]
    assert strings.table(s, t, 5).marked is None


each_pair = pytest.mark.parametrize(("s", "t"), [("gatta", "cata"), ("aaaa", "aaaa"), ("tag", "gatta")])


@each_pair
def test_the_colored_cells_add_up_to_the_marked_one(s, t):
    full = subsequence_table(s, t)
    for step in range(1, len(s) * len(t) + 1):
        cells = strings.table(s, t, step)
        row, column = cells.marked
        assert sum(full[i][j] for i, j in cells.lit) == full[row][column], step


@each_pair
def test_each_cell_is_asked_for_with_two_wrong_answers(s, t):
    full = subsequence_table(s, t)
    for step in range(len(s) * len(t)):
        i, j = strings.place(t, step + 1)
        _, right, wrong = strings.next_cell(s, t, step)
        assert right == full[i][j] and len(wrong) == 2 and right not in wrong, step
        assert strings.table(s, t, step).values[i][j] == "?"
    assert strings.next_cell(s, t, len(s) * len(t))[1:] == (None, {})


def test_the_sentence_adds_up_the_colored_cells_and_names_the_kernel_at_the_end():
    assert "Cell (5, 4): 14 = 7 + 1 + 6, the colored cells." in strings.summary("gatta", "cata", 20)
    assert "κ" not in strings.summary("gatta", "cata", 19)
    assert strings.summary("gatta", "cata", 0).startswith("Row 0 and column 0")
