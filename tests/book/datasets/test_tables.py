"""The tables: a pair of files makes ijcnn1, the lab takes it or the shirts, and all hold what is published.

What may happen to a file on its way is tested in test_files.py and test_places.py.
"""

import bz2
import hashlib
import os

import numpy as np
import pytest

import kernlib.book.datasets.tables as datasets
from kernlib.book.datasets import files, load_ijcnn1, load_lab, load_letters
from kernlib.book.datasets.files import RawFile

REAL_FILES = datasets.IJCNN1
REAL_FOLDER = os.environ.get("KERNLIB_DATA")


def made_up_rows(n, seed):
    values = np.random.default_rng(seed).normal(size=(n, 2))
    return "".join(
        f"{(-1) ** i} {i % 10 + 1}:1 11:{a:.6f} 22:{b:.6f}\n" for i, (a, b) in enumerate(values)
    ).encode()


CONTENT = {"ijcnn1": made_up_rows(50, seed=1), "ijcnn1.t": made_up_rows(70, seed=2)}
MADE_UP = tuple(
    RawFile(name, content.count(b"\n"), len(content), hashlib.sha256(content).hexdigest())
    for name, content in CONTENT.items()
)


@pytest.fixture(autouse=True)
def nowhere(monkeypatch, tmp_path):
    """An empty cache, no folder, and a made-up pair with no address: every test starts from here."""
    monkeypatch.delenv("KERNLIB_DATA", raising=False)
    monkeypatch.setenv("KERNLIB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(datasets, "IJCNN1", MADE_UP)


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder named by KERNLIB_DATA with both files, intact."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, content in CONTENT.items():
        (folder / f"{name}.bz2").write_bytes(bz2.compress(content))
    monkeypatch.setenv("KERNLIB_DATA", str(folder))
    return folder


@pytest.fixture(scope="module")
def letters():
    return load_letters()


def refusal():
    """The message with which load_ijcnn1 refuses: always one line."""
    with pytest.raises(OSError) as caught:
        load_ijcnn1()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_arrays_are_ready_for_the_kernels(folder, letters):
    for data in (load_ijcnn1(), letters):
        for part in (data.train, data.test):
            X, y = part
            assert X is part.X and y is part.y
            assert X.dtype == np.float64 and X.flags.c_contiguous
            assert X.shape == (len(y), len(data.feature_names))
            assert y.dtype.kind == "i" and set(y) == {-1, 1} == set(data.target_names)


def test_the_rows_are_those_of_the_files_in_their_order(folder):
    data = load_ijcnn1()
    for part, content in zip((data.train, data.test), CONTENT.values(), strict=True):
        for x, y, line in zip(part.X, part.y, content.decode().splitlines(), strict=True):
            label, *entries = line.split()
            assert y == int(label)
            expected = np.zeros(22)
            for column, value in (entry.split(":") for entry in entries):
                expected[int(column) - 1] = float(value)
            np.testing.assert_array_equal(x, expected)


def test_repr_is_short_and_the_same_on_every_machine(folder, letters):
    assert repr(load_ijcnn1()) == "Dataset('ijcnn1', train=(50, 22), test=(70, 22))"
    assert repr(letters) == "Dataset('letters', train=(16000, 16), test=(4000, 16))"


def test_a_data_set_cannot_be_changed_by_accident(letters):
    with pytest.raises(AttributeError):
        letters.source = "elsewhere"


def test_the_source_names_the_places_of_both_files(folder, tmp_path):
    assert load_ijcnn1().source == "LIBSVM's files, from the folder named by KERNLIB_DATA"
    (tmp_path / "cache").mkdir()
    (folder / "ijcnn1.t.bz2").rename(tmp_path / "cache" / "ijcnn1.t.bz2")
    places = "the folder named by KERNLIB_DATA and kernlib's cache"
    assert load_ijcnn1().source == f"LIBSVM's files, from {places}"


@pytest.mark.parametrize("name", ["ijcnn1", "ijcnn1.t"])
def test_a_file_missing_everywhere_is_one_sentence_with_what_was_tried_and_the_ways_out(folder, name):
    (folder / f"{name}.bz2").unlink()
    assert refusal() == (
        f"{name} is in none of its places: the folder {folder} named by KERNLIB_DATA (no such file), "
        "kernlib's cache (no such file); let KERNLIB_DATA name a folder with ijcnn1.bz2 and ijcnn1.t.bz2, "
        "or leave it unset and connect to the network, or take load_shirts(), which come with kernlib"
    )


def test_each_file_is_held_to_its_own_hash(folder):
    (folder / "ijcnn1.t.bz2").write_bytes(bz2.compress(CONTENT["ijcnn1"]))
    assert (
        f"expected 70 rows of sha256 {MADE_UP[1].sha256}, found 50 rows of sha256 {MADE_UP[0].sha256}"
        in refusal()
    )


def test_the_lab_runs_on_ijcnn1_where_its_folder_is_named_and_on_the_shirts_elsewhere(folder, monkeypatch):
    assert load_lab().name == "ijcnn1"
    (folder / "ijcnn1.bz2").write_bytes(b"")
    with pytest.raises(OSError, match=r"ijcnn1\.bz2 is damaged"):
        load_lab()
    monkeypatch.delenv("KERNLIB_DATA")
    monkeypatch.setattr(datasets, "find", None)  # neither the cache nor the network is asked
    assert load_lab().name == "shirts"


# The real ijcnn1


@pytest.fixture(scope="module")
def real():
    """The true rows from the folder that KERNLIB_DATA named when the tests began."""
    if not REAL_FOLDER:
        pytest.skip("set KERNLIB_DATA to a folder with ijcnn1.bz2 and ijcnn1.t.bz2 to test the real rows")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KERNLIB_DATA", REAL_FOLDER)
        patch.setenv("KERNLIB_CACHE", os.devnull)
        patch.setattr(datasets, "IJCNN1", tuple(file._replace(urls=()) for file in REAL_FILES))
        return load_ijcnn1()


def test_ijcnn1_has_its_published_shape_and_labels(real):
    assert real.train.X.shape == (49_990, 22) and real.test.X.shape == (91_701, 22)
    assert round(100 * np.mean(real.train.y == 1), 2) == 9.71
    assert round(100 * np.mean(real.test.y == 1), 2) == 9.50


def test_ijcnn1_has_its_published_range_and_no_duplicates(real):
    assert min(part.X.min() for part in (real.train, real.test)) == -1.321543
    assert max(part.X.max() for part in (real.train, real.test)) == 1.312081
    for X, _ in (real.train, real.test):
        assert len({row.tobytes() for row in X}) == len(X)


def test_ijcnn1_columns_are_what_their_names_say(real):
    for X, _ in (real.train, real.test):
        phase, window = X[:, :10], X[:, 12:]
        assert set(np.unique(phase)) == {0, 1} and np.all(phase.sum(axis=1) == 1)
        assert np.mean(np.all(window[1:, :-1] == window[:-1, 1:], axis=1)) > 0.999
    assert real.feature_names[0] == "phase_1" and real.feature_names[12] == "window_1"


def test_every_real_file_is_documented_and_has_two_addresses_of_its_own():
    readme = (files.ROOT / "data" / "README.md").read_text(encoding="utf-8")
    for file in REAL_FILES:
        assert all(fact in readme for fact in (file.sha256, f"{file.rows:,}", f"{file.size:,}"))
    urls = [url for file in REAL_FILES for url in file.urls]
    assert len(set(urls)) == 4 and all(url.startswith("https://") and url.endswith(".bz2") for url in urls)


# Letters


def test_letters_are_the_published_table(letters):
    train, test = letters.train, letters.test
    assert train.X.shape == (16_000, 16) and test.X.shape == (4_000, 16)
    X = np.vstack([train.X, test.X])
    assert np.array_equal(np.unique(X), np.arange(16))
    assert np.array_equal(X[0], [2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8])  # a T, as in UCI's file
    assert train.y[0] == -1
    assert len({row.tobytes() for row in X}) == 20_000 - 1_332


def test_letters_are_balanced_and_split_after_the_thirteenth(letters):
    packed = (files.ROOT / "data" / "letters.csv.bz2").read_bytes()
    names = [line[:1].decode() for line in bz2.decompress(packed).splitlines()]
    counts = {letter: names.count(letter) for letter in sorted(set(names))}
    assert "".join(counts) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ" and sum(counts.values()) == 20_000
    assert min(counts.values()) == 734 and max(counts.values()) == 813
    y = np.concatenate([letters.train.y, letters.test.y])
    assert np.array_equal(y, [1 if letter in "ABCDEFGHIJKLM" else -1 for letter in names])
    assert abs(letters.train.y.mean()) < 0.02 and abs(letters.test.y.mean()) < 0.02
