"""What tests of several folders share."""

import pytest
from threadpoolctl import threadpool_limits

import kernlib.numerics.blocks
import kernlib.numerics.rows


@pytest.fixture
def short_slices(monkeypatch):
    """Cut rows as a large file is cut, at a size that a test can afford."""
    monkeypatch.setattr(kernlib.numerics.rows, "SLICE", 16)


@pytest.fixture
def two_threads(monkeypatch):
    """Work in two threads, however many cores there are: each holds parts of its own."""
    monkeypatch.setattr(kernlib.numerics.blocks, "CORES", 2)
    with threadpool_limits(2, user_api="blas"):
        yield
