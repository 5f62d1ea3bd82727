"""The shirts: the file digit by digit, and the facts that the lab's story rests on."""

import bz2

import numpy as np
import pytest

from kernlib.book.datasets import files, load_shirts


@pytest.fixture(scope="module")
def data():
    return load_shirts()


def test_rows_are_ready_to_use(data):
    assert data.train.X.shape == (20_000, 22) and data.test.X.shape == (40_000, 22)
    for X, y in (data.train, data.test):
        assert X.dtype == np.float64 and X.flags.c_contiguous and set(np.unique(y)) == {-1, 1}
    assert sum(np.count_nonzero(y == 1) for _, y in (data.train, data.test)) == 6_000
    assert len(data.feature_names) == 22
    X = np.concatenate([data.train.X, data.test.X])
    assert (X.min(axis=0) == 0).all() and (X.max(axis=0) == 255).all()
    assert len({row.tobytes() for row in X}) == 60_000


def test_the_file_is_read_digit_by_digit(data):
    lines = bz2.decompress((files.ROOT / "data" / "shirts.txt.bz2").read_bytes()).decode().splitlines()
    for i, (part, row) in {0: (data.train, 0), 19_999: (data.train, -1), 20_000: (data.test, 0)}.items():
        levels = [int(lines[i][j : j + 2], 16) for j in range(1, 45, 2)]
        assert part.X[row].tolist() == levels and part.y[row] == {"+": 1, "-": -1}[lines[i][0]]


def test_features_are_principal_components(data):
    """They are uncorrelated, but for the rounding to 256 levels."""
    X = np.concatenate([data.train.X, data.test.X])
    correlations = np.corrcoef(X.T) - np.eye(22)
    assert np.abs(correlations).max() < 1e-3
