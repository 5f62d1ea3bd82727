"""Letter Recognition is the published table."""

import bz2

import numpy as np
import pytest

from kernlib.book.datasets import files, load_letters


@pytest.fixture(scope="module")
def letters():
    return load_letters()


def test_arrays_are_ready_for_the_kernels(letters):
    for part in (letters.train, letters.test):
        X, y = part
        assert X is part.X and y is part.y
        assert X.dtype == np.float64 and X.flags.c_contiguous
        assert y.dtype.kind == "i" and set(y) == {-1, 1}
    assert repr(letters) == "Dataset('letters', train=(16000, 16), test=(4000, 16))"


def test_letters_are_the_published_table(letters):
    X = np.vstack([letters.train.X, letters.test.X])
    assert np.array_equal(np.unique(X), np.arange(16))
    assert np.array_equal(X[0], [2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8])  # a T, as in UCI's file
    assert letters.train.y[0] == -1
    assert len({row.tobytes() for row in X}) == 20_000 - 1_332


def test_letters_are_balanced_and_divided_after_the_thirteenth(letters):
    compressed = (files.ROOT / "data" / "letters.csv.bz2").read_bytes()
    names = [line[:1].decode() for line in bz2.decompress(compressed).splitlines()]
    y = np.concatenate([letters.train.y, letters.test.y])
    assert np.array_equal(y, [1 if letter in "ABCDEFGHIJKLM" else -1 for letter in names])
    assert abs(letters.train.y.mean()) < 0.02 and abs(letters.test.y.mean()) < 0.02
