"""The lab's rows: ijcnn1 or the shirts, and what is published of both."""

import bz2
import hashlib
import os

import numpy as np
import pytest

from kernlib.book.datasets import files, lab, load_ijcnn1, load_lab, load_shirts
from kernlib.book.datasets.files import DataFile

REAL_FILES = lab.IJCNN1
REAL_FOLDER = os.environ.get("KERNLIB_DATA")
ROWS = {"ijcnn1": "1 2:1 11:0.5 22:-0.25\n-1 3:1 22:1\n", "ijcnn1.t": "-1 1:1\n1 2:1 11:0.125\n1 4:1\n"}


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder named by KERNLIB_DATA that holds a made-up pair of files without an address."""
    made_up = [DataFile(name, hashlib.sha256(rows.encode()).hexdigest()) for name, rows in ROWS.items()]
    monkeypatch.setattr(lab, "IJCNN1", made_up)
    monkeypatch.setenv("KERNLIB_DATA", str(tmp_path))
    for name, rows in ROWS.items():
        (tmp_path / f"{name}.bz2").write_bytes(bz2.compress(rows.encode()))
    return tmp_path


def test_ijcnn1_has_the_rows_of_its_files_in_their_order(folder):
    data = load_ijcnn1()
    assert data.source == "LIBSVM's files, from the folder named by KERNLIB_DATA"
    for part, rows in zip((data.train, data.test), ROWS.values(), strict=True):
        for x, y, line in zip(part.X, part.y, rows.splitlines(), strict=True):
            entries = "".join(f" {i + 1}:{x[i]:g}" for i in np.flatnonzero(x))
            assert f"{y}{entries}" == line and len(x) == 22


def test_a_missing_file_is_one_sentence_with_what_was_tried_and_what_to_do(folder):
    (folder / "ijcnn1.t.bz2").unlink()
    with pytest.raises(OSError) as caught:
        load_ijcnn1()
    assert str(caught.value) == (
        f"ijcnn1.t was not found in any of these places: the folder {folder} named by KERNLIB_DATA (no such "
        "file); set KERNLIB_DATA to a folder that holds ijcnn1.bz2 and ijcnn1.t.bz2, or unset it and connect "
        "to the network, or use load_shirts(), which needs neither"
    )


def test_the_lab_takes_ijcnn1_if_its_folder_is_named_and_otherwise_the_shirts(folder, monkeypatch):
    assert load_lab().name == "ijcnn1"
    monkeypatch.delenv("KERNLIB_DATA")
    monkeypatch.setattr(lab, "fetch", None)  # neither the cache nor the network is asked
    assert load_lab().name == "shirts"


def test_ijcnn1_is_documented_and_has_two_addresses_for_each_file():
    readme = (files.ROOT / "data" / "README.md").read_text(encoding="utf-8")
    assert all(file.sha256 in readme for file in REAL_FILES)
    urls = [url for file in REAL_FILES for url in file.urls]
    assert len(set(urls)) == 4 and all(url.startswith("https://") and url.endswith(".bz2") for url in urls)


@pytest.fixture(scope="module")
def real():
    """The real rows from the folder that KERNLIB_DATA named when the tests began."""
    if not REAL_FOLDER:
        pytest.skip("ijcnn1 is missing: name a folder with ijcnn1.bz2 and ijcnn1.t.bz2 in KERNLIB_DATA")
    return load_ijcnn1()


def test_ijcnn1_has_its_published_shape_labels_range_and_columns(real):
    assert real.train.X.shape == (49_990, 22) and real.test.X.shape == (91_701, 22)
    assert round(100 * np.mean(real.train.y == 1), 2) == 9.71
    assert round(100 * np.mean(real.test.y == 1), 2) == 9.50
    assert min(part.X.min() for part in (real.train, real.test)) == -1.321543
    assert max(part.X.max() for part in (real.train, real.test)) == 1.312081
    for X, _ in (real.train, real.test):
        phase, window = X[:, :10], X[:, 12:]
        assert set(np.unique(phase)) == {0, 1} and np.all(phase.sum(axis=1) == 1)
        assert np.mean(np.all(window[1:, :-1] == window[:-1, 1:], axis=1)) > 0.999
        assert len({row.tobytes() for row in X}) == len(X)


@pytest.fixture(scope="module")
def shirts():
    return load_shirts()


def test_shirts_are_as_many_as_the_labs_rows_and_one_in_ten(shirts):
    assert shirts.train.X.shape == (20_000, 22) and shirts.test.X.shape == (40_000, 22)
    for X, y in (shirts.train, shirts.test):
        assert X.dtype == np.float64 and X.flags.c_contiguous and set(np.unique(y)) == {-1, 1}
    assert sum(np.count_nonzero(y == 1) for _, y in (shirts.train, shirts.test)) == 6_000
    X = np.concatenate([shirts.train.X, shirts.test.X])
    assert (X.min(axis=0) == 0).all() and (X.max(axis=0) == 255).all()
    assert len({row.tobytes() for row in X}) == 60_000


def test_the_shirts_file_is_read_digit_by_digit(shirts):
    lines = bz2.decompress((files.ROOT / "data" / "shirts.txt.bz2").read_bytes()).decode().splitlines()
    for i, (part, row) in {
        0: (shirts.train, 0),
        19_999: (shirts.train, -1),
        20_000: (shirts.test, 0),
    }.items():
        levels = [int(lines[i][j : j + 2], 16) for j in range(1, 45, 2)]
        assert part.X[row].tolist() == levels and part.y[row] == {"+": 1, "-": -1}[lines[i][0]]
