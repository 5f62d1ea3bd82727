"""What tests of several folders share."""

import pytest

import kernlib.rows
from kernlib.blocks import BLAS


@pytest.fixture
def short_slices(monkeypatch):
    """Cut rows as a large file is cut, at a size that a test can afford."""
    monkeypatch.setattr(kernlib.rows, "SLICE", 16)


@pytest.fixture
def rounding():
    """How far apart two runs of one call may be: only MKL's rounding hangs on where arrays lie in memory."""
    return 1e-10 if any(library.internal_api == "mkl" for library in BLAS.libraries) else 0
