"""What tests of several folders share."""

import pytest

import kernlib.rows


@pytest.fixture
def short_slices(monkeypatch):
    """Cut rows as a large file is cut, at a size that a test can afford."""
    monkeypatch.setattr(kernlib.rows, "SLICE", 16)
