"""The explorer inside a row of the all-subsequences table: its numbers against the table's."""

import gzip

import numpy as np
import pytest

from kernlib.explore.page import page_html
from kernlib.explorers import strings
from kernlib.strings import all_subsequences, subsequence_table


@pytest.mark.parametrize(("s", "t"), [("gatta", "cata"), ("aaaa", "aaaa"), ("tag", "gatta"), ("ab", "ba")])
def test_the_row_adds_up_to_the_table(s, t):
    full = subsequence_table(s, t)
    for step in range(1, len(s) * len(t) + 1):
        i, last = strings.place(t, step)
        corner, match, P, above, row = strings.running(s, t, step).values
        assert corner == full[i - 1][:-1] and above == full[i - 1][1:]
        assert match == ["yes" if b == s[i - 1] else "no" for b in t]
        assert (
            row[:last]
            == [a + p for a, p in zip(above[:last], P[:last], strict=True)]
            == full[i][1 : last + 1]
        )
        assert set(P[last:]) | set(row[last:]) <= {None}
        assert strings.running(s, t, step).marked == (4, last - 1)


def test_the_running_sum_is_the_sum_of_the_recurrence():
    full = subsequence_table("gatta", "cata")
    for i in range(1, 6):
        anew = [
            sum(full[i - 1][k - 1] for k in range(1, j + 1) if "cata"[k - 1] == "gatta"[i - 1])
            for j in range(5)
        ]
        assert strings.row_sums("gatta", "cata", i) == anew


def test_the_sentence_says_whether_the_letters_match():
    assert "14 = 7 from above + 7; P(4) = P(3) + DP(4, 3) = 1 + 6" in strings.summary("gatta", "cata", 20)
    assert "is not s[1] = g" in strings.summary("gatta", "cata", 1)


def test_work_is_linear_or_a_sum_of_triangles():
    anew, once = strings.work("gatta", "cata").values()
    assert once.y[-1] == 20 and anew.y[-1] == 5 * (1 + 2 + 3 + 4)
    assert (np.diff(once.y) == 1).all()


@pytest.mark.parametrize(("s", "t"), [("", "cata"), ("gatta", ""), ("", "")])
def test_empty_strings_leave_the_row_empty(s, t):
    assert strings.running(s, t, 5).marked is None
    strings.RUNNING_SUM.frames({"s": s, "t": t, "step": 5})
    assert all_subsequences(s, t) == 1


def test_the_page_of_the_row_stays_light():
    assert len(gzip.compress(page_html(strings.RUNNING_SUM).encode())) <= 60_000
