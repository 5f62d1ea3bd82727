"""The self-checks of Beyond one machine: right answers pass, usual mistakes get their hint."""

import numpy as np
import pytest

from kernlib.exercises import beyond
from kernlib.streaming import RidgeStatistics


def merge(parts):
    while len(parts) > 1:
        parts = [sum(parts[i + 1 : i + 2], start=parts[i]) for i in range(0, len(parts), 2)]
    return parts[0]


def rows_for(c, p, share):
    return int(np.ceil((c**2 + c) / (share * (p + 1))))


def forget(total, part):
    if part.n >= total.n:
        raise ValueError("nothing would be left")
    return RidgeStatistics(total.n - part.n, total.gram - part.gram, total.moment - part.moment)


def test_right_answers_pass(capsys):
    beyond.check_merge(merge)
    beyond.check_rows_for(rows_for)
    beyond.check_forget(forget)
    assert capsys.readouterr().out.count("✓") == 3


@pytest.mark.parametrize(
    ("check", "answer", "sentence"),
    [
        (beyond.check_merge, lambda parts: sum(parts[1:], start=parts[0]), "Hint: add neighbours in pairs"),
        (beyond.check_merge, lambda parts: merge(parts[:-1] or parts), "should count 10 rows, got 5"),
        (beyond.check_merge, lambda parts: None, "should return a result, got None"),
        (beyond.check_rows_for, lambda c, p, s: int(np.ceil((c**2 + c) / (s * p))), "targets travel"),
        (beyond.check_rows_for, lambda c, p, s: int(np.ceil(c**2 / (s * (p + 1)))), "has c numbers too"),
        (beyond.check_rows_for, lambda c, p, s: int((c**2 + c) / (s * (p + 1))), "round up"),
        (beyond.check_rows_for, lambda c, p, s: 0, r"should be 481, got 0\.$"),
        (
            beyond.check_forget,
            lambda t, p: RidgeStatistics(t.n - p.n, t.gram, t.moment - p.moment),
            "gram of all its rows",
        ),
        (
            beyond.check_forget,
            lambda t, p: RidgeStatistics(t.n - p.n, t.gram - p.gram, t.moment - p.moment),
            "should refuse 5 rows of 5",
        ),
    ],
)
def test_usual_mistakes_are_told(check, answer, sentence):
    with pytest.raises(AssertionError, match=sentence):
        check(answer)
