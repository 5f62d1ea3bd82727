"""The matrices of the checks are so small that threads would only wait for each other."""

import pytest

from kernlib.numerics.blocks import one_blas_thread


@pytest.fixture(autouse=True)
def one_thread():
    with one_blas_thread():
        yield
