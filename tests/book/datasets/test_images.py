"""The images of clothing: what they hold, digit by digit."""

import bz2

import numpy as np
import pytest

from kernlib.book.datasets import files, load_fashion


@pytest.fixture(scope="module")
def data():
    return load_fashion()


def test_images_are_ready_to_use(data):
    assert data.images.dtype == np.float64 and data.images.flags.c_contiguous
    assert data.y.dtype.kind == "i" and repr(data) == "Images((2000, 28, 28), labels=10)"
    np.testing.assert_array_equal(np.unique(data.images), np.arange(16) / 15)


def test_the_file_is_read_digit_by_digit(data):
    lines = bz2.decompress((files.ROOT / "data" / "fashion.txt.bz2").read_bytes()).decode().splitlines()
    for i in (0, 1_234, 1_999):
        label, *pixels = (int(digit, 16) for digit in lines[i])
        assert data.y[i] == label
        np.testing.assert_allclose(15 * data.images[i].ravel(), pixels, atol=1e-12)
