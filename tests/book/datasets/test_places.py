"""A file that kernlib doesn't carry: in the user's folder, the cache, the network, with the faults of each.

The file is made up and served on 127.0.0.1: no test touches the user's cache or leaves the machine.
"""

import bz2
import errno
import hashlib
import socket
import threading
import time
import tracemalloc
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from kernlib.book.datasets import places
from kernlib.book.datasets.files import RawFile
from kernlib.book.datasets.places import find

CONTENT = b"".join(b"%d\n" % i for i in range(100))
PACKED = bz2.compress(CONTENT)
HALF = PACKED[: len(PACKED) // 2]
FILE = RawFile("rows", 100, len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
NAME = "rows.bz2"


class Server(ThreadingHTTPServer):
    """Answers with ``files[path]``, breaks off after ``stop_after`` bytes, and remembers what was asked.

    The answers of ``slow`` paths, head or body, come byte by byte, none of them late enough for a time-out.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.asked, self.stop_after, self.slow = {}, [], None, {}

    def address(self, path):
        return f"http://127.0.0.1:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        if self.path not in self.server.files:
            return self.send_error(404)
        body, slow = self.server.files[self.path], self.server.slow.get(self.path)
        self.send_response(200)
        if slow == "head":
            self.flush_headers()
            self.trickle(b"Server: slow")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if slow == "body":
            self.trickle(body)
        with suppress(ConnectionError):  # it may be too much for the other side
            self.wfile.write(body[: self.server.stop_after])

    def trickle(self, text):
        for byte in text[:20]:
            time.sleep(0.1)
            self.wfile.write(bytes([byte]))

    def log_message(self, *args):
        pass


@pytest.fixture
def online():
    """Two addresses of the file; both answer."""
    with Server() as server:
        server.files = {"/first": PACKED, "/second": PACKED}
        server.file = FILE._replace(urls=(server.address("/first"), server.address("/second")))
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """An empty cache, and no folder: every test starts from here."""
    monkeypatch.delenv("KERNLIB_DATA", raising=False)
    monkeypatch.setenv("KERNLIB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return tmp_path / "cache"


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder named by KERNLIB_DATA with the file, intact."""
    folder = tmp_path / "mine"
    fill(folder)
    monkeypatch.setenv("KERNLIB_DATA", str(folder))
    return folder


def fill(folder, packed=PACKED):
    folder.mkdir(parents=True)
    (folder / NAME).write_bytes(packed)


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def refusal(file):
    """The message with which a file is refused: always one line."""
    with pytest.raises(OSError) as caught:
        find(file)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def refused(path, *args, **kwargs):
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


# A folder of the user's


def test_the_folder_comes_before_cache_and_network(folder, online, cache):
    assert find(online.file) == (CONTENT, "the folder named by KERNLIB_DATA")
    assert not online.asked and not files_in(cache)


def test_the_folder_may_hold_the_file_unpacked(folder):
    (folder / NAME).unlink()
    (folder / "rows").write_bytes(CONTENT)
    assert find(FILE)[0] == CONTENT


def test_a_relative_folder_starts_at_the_project_when_not_found_here(monkeypatch, tmp_path):
    fill(tmp_path / "project" / "mine")
    (tmp_path / "project" / "chapters").mkdir()
    monkeypatch.setattr(places, "ROOT", tmp_path / "project")
    monkeypatch.setenv("KERNLIB_DATA", "mine")
    monkeypatch.chdir(tmp_path / "project" / "chapters")
    assert find(FILE)[0] == CONTENT


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("nowhere", "no such file"),
        ("~nobody-of-this-name", "no such file"),
        (f"mine/{NAME}", "a file: name the folder that holds it"),
    ],
)
def test_a_folder_without_the_file_is_named_with_its_fault_and_the_next_place_asked(
    folder, online, monkeypatch, name, fault
):
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("KERNLIB_DATA", name)
    assert refusal(FILE) == (
        f"rows is in none of its places: the folder {name} named by KERNLIB_DATA ({fault}), "
        "kernlib's cache (no such file)"
    )
    assert find(online.file) == (CONTENT, "127.0.0.1")


def test_damage_in_the_folder_is_an_error_and_the_file_is_left_alone(folder, online):
    (folder / NAME).write_bytes(HALF)
    assert f"{folder / NAME} is damaged: expected 100 rows" in refusal(online.file)
    assert files_in(folder) == {NAME: HALF} and not online.asked


# The network


def test_a_download_fills_the_cache_and_says_so(online, cache, capfd):
    assert find(online.file) == (CONTENT, "127.0.0.1")
    assert online.asked == ["/first"] and files_in(cache) == {NAME: PACKED}
    out, err = capfd.readouterr()
    assert out == "downloaded rows.bz2 (0.0 MB) from 127.0.0.1 into kernlib's cache\n" and not err


def test_a_damaged_download_sends_to_the_second_address(online, cache):
    online.files["/first"] = b"<html>Please log in to the campus network</html>"
    assert find(online.file)[0] == CONTENT
    assert online.asked == ["/first", "/second"] and files_in(cache) == {NAME: PACKED}


def test_damage_at_both_addresses_leaves_nothing_behind(online, cache):
    online.files["/first"] = online.files["/second"] = HALF
    assert refusal(online.file).count(f"damaged: expected 100 rows of sha256 {FILE.sha256}, found") == 2
    assert not files_in(cache)


def test_a_download_that_stops_half_way_leaves_nothing_behind(online, cache):
    for online.stop_after in (0, len(PACKED) // 2, len(PACKED) - 1):
        refusal(online.file)
        assert not files_in(cache)


def test_dead_addresses_are_named_with_their_faults_and_send_to_the_next(online, cache):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    dead = FILE._replace(urls=(f"http://127.0.0.1:{port}/", online.address("/gone")))
    assert refusal(dead) == (
        "rows is in none of its places: kernlib's cache (no such file), 127.0.0.1 (ConnectionError), "
        "127.0.0.1 (HTTPError)"
    )
    assert not cache.exists()
    assert find(dead._replace(urls=(*dead.urls, online.address("/second"))))[0] == CONTENT


def test_an_address_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(places, "TIMEOUT", (0.2, 0.2))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        assert "127.0.0.1 (ReadTimeout)" in refusal(FILE._replace(urls=(url,)))


def test_nobody_waits_longer_than_ten_seconds_for_a_byte_and_a_minute_for_all():
    assert max(places.TIMEOUT) <= 10 and places.DEADLINE <= 60


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_that_trickles_is_given_up(online, part, monkeypatch):
    monkeypatch.setattr(places, "DEADLINE", 0.5)
    online.slow = {"/first": part}
    assert "127.0.0.1 (longer than 0.5 seconds)" in refusal(online.file._replace(urls=online.file.urls[:1]))


def test_an_answer_that_is_too_long_is_refused_before_it_is_read_to_its_end(online):
    online.files["/first"] = bytes(10**8)
    tracemalloc.start()
    try:
        assert find(online.file)[0] == CONTENT
        assert tracemalloc.get_traced_memory()[1] < 10**7
    finally:
        tracemalloc.stop()
    assert online.asked == ["/first", "/second"]


# The cache


def test_what_is_cached_asks_nobody(online, cache):
    fill(cache)
    assert find(online.file) == (CONTENT, "kernlib's cache")
    assert not online.asked


def test_the_cache_is_poochs_folder_unless_named(monkeypatch, tmp_path):
    monkeypatch.delenv("KERNLIB_CACHE")
    fill(tmp_path / "system" / "kernlib")
    monkeypatch.setattr(places.pooch, "os_cache", lambda project: tmp_path / "system" / project)
    assert find(FILE) == (CONTENT, "kernlib's cache")


def test_a_damaged_cache_is_emptied_and_filled_again(online, cache):
    fill(cache, HALF)
    assert "kernlib's cache (damaged, now removed)" in refusal(FILE)
    assert not files_in(cache)
    (cache / NAME).write_bytes(HALF)
    assert find(online.file) == (CONTENT, "127.0.0.1")
    assert files_in(cache) == {NAME: PACKED}


def test_a_damaged_file_in_a_read_only_cache_is_downloaded(online, cache, monkeypatch):
    fill(cache, HALF)
    for change in ("unlink", "write_bytes"):
        monkeypatch.setattr(Path, change, refused)
    assert find(online.file)[0] == CONTENT
    assert refusal(FILE).endswith("kernlib's cache (damaged)")


def test_a_cached_file_that_cannot_be_read_is_downloaded(online, cache, monkeypatch):
    fill(cache)
    monkeypatch.setattr(Path, "open", refused)
    assert find(online.file) == (CONTENT, "127.0.0.1")


def full_disk(path, packed):
    with open(path, "wb") as file:
        file.write(packed[:10])
    raise OSError("No space left on device")


@pytest.mark.parametrize("fault", ["full disk", "read only", "a file in its place", "nobody's home"])
def test_a_verified_download_is_used_where_the_cache_cannot_be_written(
    online, cache, monkeypatch, capsys, fault
):
    if fault == "full disk":
        monkeypatch.setattr(Path, "write_bytes", full_disk)
    elif fault == "read only":
        monkeypatch.setattr(Path, "write_bytes", refused)
    elif fault == "a file in its place":
        cache.touch()
    else:
        monkeypatch.setenv("KERNLIB_CACHE", "~nobody-of-this-name/cache")
    assert find(online.file)[0] == CONTENT
    (line,) = capsys.readouterr().out.splitlines()
    assert "from 127.0.0.1 for this time only: kernlib's cache can't be written (" in line
    assert cache.is_file() or not files_in(cache)


def test_two_loaders_at_once_both_fill_the_cache(online, cache, monkeypatch, capsys):
    met, write_bytes = threading.Barrier(2, timeout=60), Path.write_bytes

    def write_together(path, packed):
        met.wait()
        write_bytes(path, packed)
        met.wait()  # what one has written, the other's move must not take away

    monkeypatch.setattr(Path, "write_bytes", write_together)
    loaders = [threading.Thread(target=find, args=(online.file,)) for _ in range(2)]
    for loader in loaders:
        loader.start()
    for loader in loaders:
        loader.join()
    assert files_in(cache) == {NAME: PACKED}
    assert capsys.readouterr().out.count("into kernlib's cache") == 2
