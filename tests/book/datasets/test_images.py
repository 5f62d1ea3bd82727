"""The images: what they hold, digit by digit."""

import bz2

import numpy as np
import pytest

from kernlib.book.datasets import files, load_fashion

PACKED = files.ROOT / "data" / "fashion.txt.bz2"


@pytest.fixture(scope="module")
def data():
    return load_fashion()


def test_images_are_ready_to_use(data):
    assert data.images.shape == (2_000, 28, 28)
    assert data.images.dtype == np.float64 and data.images.flags.c_contiguous
    assert data.y.shape == (2_000,) and data.y.dtype.kind == "i"
    assert repr(data) == "Images('Fashion-MNIST', (2000, 28, 28), labels=10)"


def test_every_kind_comes_as_often(data):
    assert len(data.target_names) == len(set(data.target_names)) == 10
    np.testing.assert_array_equal(np.bincount(data.y), np.full(10, 200))


def test_pixels_are_sixteen_levels_from_black_to_white(data):
    np.testing.assert_array_equal(np.unique(data.images), np.arange(16) / 15)
    corners = data.images[:, [0, 0, -1, -1], [0, -1, 0, -1]]
    assert np.mean(corners == 0) > 0.9  # the background is black


def test_no_image_comes_twice(data):
    assert len({image.tobytes() for image in data.images}) == 2_000


def test_pixels_stand_in_rows_from_the_top(data):
    """Soles are below: a shoe's lower half is brighter, and trousers are two legs with a gap between them."""
    of = {name: data.images[data.y == label] for label, name in enumerate(data.target_names)}
    for shoe in ("sneaker", "ankle boot"):
        assert of[shoe][:, 14:].mean() > of[shoe][:, :14].mean()
    legs = of["trouser"][:, 20:].mean(axis=(0, 1))
    assert legs[14] < 0.7 * min(legs[:14].max(), legs[15:].max())


def test_the_file_is_read_digit_by_digit(data):
    lines = bz2.decompress(PACKED.read_bytes()).decode().splitlines()
    for i in (0, 1_234, 1_999):
        label, *pixels = (int(digit, 16) for digit in lines[i])
        assert data.y[i] == label
        np.testing.assert_allclose(15 * data.images[i].ravel(), pixels, atol=1e-12)
