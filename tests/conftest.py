"""What tests of several folders share."""

import pytest
from threadpoolctl import threadpool_limits

import kernlib.numerics.blocks
import kernlib.numerics.rows


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    """Let BLAS use one thread, as on a busy machine several spend most of the time waiting for each other."""
    with threadpool_limits(1, user_api="blas"):
        yield


@pytest.fixture
def short_slices(monkeypatch):
    """Cut rows into slices as short as a test can afford."""
    monkeypatch.setattr(kernlib.numerics.rows, "SLICE", 16)


@pytest.fixture
def two_threads(monkeypatch):
    """Work in two threads on any number of cores."""
    monkeypatch.setattr(kernlib.numerics.blocks, "CORES", 2)
    with threadpool_limits(2, user_api="blas"):
        yield
