"""KERNLIB_ROWS limits the rows that a page loads."""

import pytest

from kernlib.book.datasets import load_letters, load_shirts


def test_a_loader_keeps_as_many_rows_as_allowed_and_says_so(monkeypatch, capsys):
    monkeypatch.setenv("KERNLIB_ROWS", "100")
    few = load_shirts()
    assert (len(few.train.X), len(few.test.y)) == (100, 100)
    assert capsys.readouterr().out.count("KERNLIB_ROWS") == 2
    monkeypatch.setenv("KERNLIB_ROWS", "")
    assert (load_shirts().train.X[:100] == few.train.X).all() and not capsys.readouterr().out


@pytest.mark.parametrize("value", ["0", "many", "-3", "1.5"])
def test_a_limit_that_is_not_a_positive_integer_raises_an_error(value, monkeypatch):
    monkeypatch.setenv("KERNLIB_ROWS", value)
    with pytest.raises(ValueError, match="KERNLIB_ROWS must be a whole number"):
        load_letters()
