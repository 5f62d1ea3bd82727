"""Where progress is shown, and where not."""

import io
import sys

import pytest

from kernlib.numerics.progress import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Notebook(io.StringIO):
    __module__ = "ipykernel.iostream"


@pytest.mark.parametrize("verbose", [True, False])
@pytest.mark.parametrize("stream", [Terminal, Notebook, io.StringIO])
def test_progress_is_shown_on_a_terminal_or_in_a_notebook_where_it_is_wanted(stream, verbose, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stream())
    with progress_bar(range(3), verbose=verbose) as bar:
        assert bool(bar.disable) == (stream is io.StringIO or not verbose)
        assert list(bar) == [0, 1, 2]
    assert sys.stderr.getvalue() == ""  # as it took less than two seconds
