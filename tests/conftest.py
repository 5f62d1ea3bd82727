"""What tests of several folders share."""

import pytest
from joblib import cpu_count

import kernlib.rows


@pytest.fixture
def short_slices(monkeypatch):
    """Cut rows as a large file is cut, at a size that a test can afford."""
    monkeypatch.setattr(kernlib.rows, "SLICE", 16)


def pytest_xdist_auto_num_workers(config):
    """Take two workers a core: half of the time tests wait for a browser, a kernel or a build."""
    return 2 * cpu_count()
