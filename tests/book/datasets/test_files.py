"""A file is known by its content. Those to fetch are made up here and served on 127.0.0.1."""

import bz2
import hashlib
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest

from kernlib.book.datasets import files, flights, images, lab, sequences, tables
from kernlib.book.datasets.files import ROOT, DataFile, check_content, fetch, read_embedded

CONTENT = "".join(f"{x}\n" for x in np.random.default_rng(0).random(50)).encode()
COMPRESSED = bz2.compress(CONTENT)
FILE = DataFile("rows", hashlib.sha256(CONTENT).hexdigest())
DAMAGED = {
    "truncated": COMPRESSED[: len(COMPRESSED) // 2],
    "one digit changed": bz2.compress(CONTENT.replace(b"1", b"2", 1)),
    "a login page": b"<html>Please log in to the campus network</html>",
}


@pytest.mark.parametrize("data", DAMAGED.values(), ids=DAMAGED)
def test_damage_is_described_in_one_sentence(data):
    with pytest.raises(OSError, match=r"^here is damaged: (bzip2 cannot|expected content of sha256) .*$"):
        check_content(data, FILE, "here")


EMBEDDED = {  # the file, its loader, the script that made it
    "letters": (tables.LETTERS, tables.load_letters, "make_letters.py"),
    "flights": (flights.FLIGHTS, flights.load_flights, "make_flights.py"),
    "fashion": (images.FASHION, images.load_fashion, "make_fashion.py"),
    "shirts": (lab.SHIRTS, lab.load_shirts, "make_shirts.py"),
    "splice": (sequences.SPLICE, sequences.load_splice, "make_sequences.py"),
    "surnames": (sequences.SURNAMES, sequences.load_surnames, "make_sequences.py"),
}
each_embedded = pytest.mark.parametrize(("file", "load", "script"), EMBEDDED.values(), ids=EMBEDDED)


@pytest.fixture
def empty_folders(monkeypatch, tmp_path):
    """A clone and an installed package whose data folders are empty."""
    monkeypatch.setattr(files, "ROOT", tmp_path / "clone")
    monkeypatch.setattr(files, "__file__", str(tmp_path / "wheel" / "datasets" / "files.py"))
    for folder in ("clone", "wheel"):
        (tmp_path / folder / "data").mkdir(parents=True)
    return tmp_path


@each_embedded
def test_an_embedded_file_is_small_and_as_documented(file, load, script):
    compressed = (ROOT / "data" / f"{file.name}.bz2").read_bytes()
    assert len(compressed) < 1_500_000
    readme = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    for content in (compressed, bz2.decompress(compressed)):
        assert f"{len(content):,} bytes, sha256 `{hashlib.sha256(content).hexdigest()}`" in readme
    assert f'"{file.sha256}"' in (ROOT / "data" / script).read_text(encoding="utf-8")


@each_embedded
def test_a_loader_rejects_a_changed_byte_and_names_the_remedy(file, load, script, empty_folders):
    content = bytearray(bz2.decompress((ROOT / "data" / f"{file.name}.bz2").read_bytes()))
    content[-2] ^= 1
    (empty_folders / "clone" / "data" / f"{file.name}.bz2").write_bytes(bz2.compress(content))
    with pytest.raises(OSError, match=rf"{file.name}.bz2 is damaged: .*; run git checkout data, or install"):
        load()


def test_an_embedded_file_is_found_in_a_wheel_too(empty_folders):
    with pytest.raises(FileNotFoundError, match=r"rows\.bz2 is not in the folder data of kernlib; run git"):
        read_embedded(FILE)
    (empty_folders / "wheel" / "data" / "rows.bz2").write_bytes(COMPRESSED)
    assert read_embedded(FILE) == CONTENT


@pytest.fixture
def served(monkeypatch, tmp_path):
    """A file with two addresses that both serve it, an empty cache, and no folder named by KERNLIB_DATA."""
    monkeypatch.delenv("KERNLIB_DATA", raising=False)
    monkeypatch.setenv("KERNLIB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path / "site")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        for name in ("first", "second"):
            (tmp_path / "site" / name).write_bytes(COMPRESSED)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        yield FILE._replace(urls=(f"{address}/first", f"{address}/second"))
        server.shutdown()


@pytest.fixture
def folder(served, monkeypatch, tmp_path):
    """A folder named by KERNLIB_DATA that holds the file."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "rows.bz2").write_bytes(COMPRESSED)
    monkeypatch.setenv("KERNLIB_DATA", str(tmp_path / "mine"))
    return tmp_path / "mine"


def test_the_users_folder_comes_before_cache_and_network(folder, served):
    assert fetch(served) == (CONTENT, "the folder named by KERNLIB_DATA")
    (folder / "rows.bz2").unlink()
    (folder / "rows").write_bytes(CONTENT)
    assert fetch(served) == (CONTENT, "the folder named by KERNLIB_DATA")
    assert not (folder.parent / "cache").exists()


def test_a_damaged_file_in_the_users_folder_is_an_error_and_is_left_alone(folder, served):
    (folder / "rows.bz2").write_bytes(b"")
    with pytest.raises(OSError, match=r"rows\.bz2 is damaged: expected content"):
        fetch(served)
    assert (folder / "rows.bz2").read_bytes() == b""


@pytest.mark.parametrize("name", ["nowhere", "~nobody-of-this-name", "mine/rows.bz2"])
def test_a_folder_without_the_file_is_passed_over_and_named(name, folder, served, monkeypatch):
    monkeypatch.setenv("KERNLIB_DATA", name)
    assert fetch(served) == (CONTENT, "127.0.0.1")
    with pytest.raises(OSError, match=rf"the folder {name} named by KERNLIB_DATA \(no such file\)$"):
        fetch(FILE)


def test_a_download_fills_the_cache_which_is_used_unless_it_is_damaged(served, tmp_path):
    for place in ("127.0.0.1", "kernlib's cache"):
        assert fetch(served) == (CONTENT, place)
    (tmp_path / "cache" / "rows").write_bytes(b"0.1\n")
    assert fetch(served) == (CONTENT, "127.0.0.1")
    assert (tmp_path / "cache" / "rows").read_bytes() == CONTENT


def test_a_damaged_download_is_not_kept_and_the_second_address_is_tried(served, tmp_path):
    (tmp_path / "site" / "first").write_bytes(DAMAGED["truncated"])
    second = (tmp_path / "site" / "second").rename(tmp_path / "second")
    with pytest.raises(OSError, match=r"^rows was not .*: 127.* \(its answer is dam.*\), 127.* \(HTTPErr.*$"):
        fetch(served)
    assert not list((tmp_path / "cache").iterdir())
    second.rename(tmp_path / "site" / "second")
    assert fetch(served)[0] == CONTENT
