import numpy as np
import pytest

from kernlib.book.claims import claim


def test_a_claim_prints_one_line_with_the_cases_that_were_checked(capsys):
    with claim("squares are not negative", over="5 numbers") as holds:
        for x in range(5):
            holds(x**2 >= 0)
    with claim("one and one is two") as holds:
        holds(np.array([1, 1]) + 1 == 2)
    assert capsys.readouterr().out == "✓ holds in 5 cases: 5 numbers\n✓ holds\n"


@pytest.mark.parametrize(
    "cases, message",
    [
        ([True, False], "case 2 of the check that it holds"),
        ([np.array([True, False])], "case 1 of the check that it holds"),
        ([], "nothing was checked of the statement that it holds"),
        ([0.5], "needs something true or false"),
        ([np.array([], bool)], "needs something true or false"),
        ([None], "needs something true or false"),
    ],
)
def test_a_claim_that_fails_or_checks_nothing_shows_no_tick(cases, message, capsys):
    with pytest.raises(AssertionError, match=message), claim("it holds") as holds:
        for case in cases:
            holds(case)
    assert not capsys.readouterr().out


def test_an_error_in_a_check_is_not_hidden(capsys):
    with pytest.raises(ZeroDivisionError), claim("it holds") as holds:
        holds(True)
        holds(1 / 0 > 0)
    assert not capsys.readouterr().out


def test_a_claim_about_all_rows_is_not_decided_on_fewer(capsys, monkeypatch):
    monkeypatch.setenv("KERNLIB_ROWS", "100")
    with claim("it holds", all_rows=True) as holds:
        holds(False)
    assert capsys.readouterr().out.startswith("not checked here")
    with pytest.raises(AssertionError), claim("it holds") as holds:
        holds(False)
    monkeypatch.setenv("KERNLIB_ROWS", "")
    with pytest.raises(AssertionError), claim("it holds", all_rows=True) as holds:
        holds(False)
