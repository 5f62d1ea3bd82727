"""The loaders against every kind of damage, and the facts of the data they load.

Damage is done to a small made-up pair of files, served on 127.0.0.1: no test touches the user's cache or
leaves the machine.
"""

import bz2
import errno
import hashlib
import os
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

import kernlib.datasets.tables as datasets
from kernlib.datasets import files, load_ijcnn1, load_letters, places
from kernlib.datasets.files import RawFile

REAL_FILES = datasets.IJCNN1
REAL_FOLDER = os.environ.get("KERNLIB_DATA")


def made_up_rows(n, seed):
    values = np.random.default_rng(seed).normal(size=(n, 2))
    return "".join(
        f"{(-1) ** i} {i % 10 + 1}:1 11:{a:.6f} 22:{b:.6f}\n" for i, (a, b) in enumerate(values)
    ).encode()


CONTENT = {"ijcnn1": made_up_rows(50, seed=1), "ijcnn1.t": made_up_rows(70, seed=2)}
PACKED = {name: bz2.compress(content) for name, content in CONTENT.items()}
TRAIN = PACKED["ijcnn1"]
DAMAGED = {
    "truncated": TRAIN[: len(TRAIN) // 2],
    "one byte short": TRAIN[:-1],
    "flipped byte": TRAIN[:100] + bytes([TRAIN[100] ^ 1]) + TRAIN[101:],
    "flipped checksum": TRAIN[:-3] + bytes([TRAIN[-3] ^ 1]) + TRAIN[-2:],
    "empty": b"",
    "other content": PACKED["ijcnn1.t"],
    "one row less": bz2.compress(CONTENT["ijcnn1"][: CONTENT["ijcnn1"][:-1].rindex(b"\n") + 1]),
    "one feature index changed": bz2.compress(CONTENT["ijcnn1"].replace(b"11:", b"12:", 1)),
    "no bzip2 at all": b"<html>Please log in to the campus network</html>",
    "only the first bytes of bzip2": b"BZh9",
}
each_damage = pytest.mark.parametrize("damaged", DAMAGED.values(), ids=DAMAGED)
# every place has the same check, so that beyond the first place few kinds of damage tell all
SOME = ["truncated", "other content", "no bzip2 at all"]
some_damage = pytest.mark.parametrize("damaged", [DAMAGED[name] for name in SOME], ids=SOME)


class Server(ThreadingHTTPServer):
    """Answers with ``files[path]``, breaks off after ``stop_after`` bytes, and remembers what was asked.

    The answers of ``slow`` paths, head or body, come byte by byte, none of them late enough for a time-out.
    """

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files, self.asked, self.stop_after, self.slow = {}, [], {}, {}

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
            self.wfile.write(body[: self.server.stop_after.get(self.path)])

    def trickle(self, text):
        for byte in text[:20]:
            time.sleep(0.1)
            self.wfile.write(bytes([byte]))

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with Server() as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def silent_address():
    """An address that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/ijcnn1.bz2"


@pytest.fixture
def dead_address():
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    return f"http://127.0.0.1:{port}/ijcnn1.bz2"


def table(*, train=(), test=()):
    rows = {name: content.count(b"\n") for name, content in CONTENT.items()}
    digest = {name: hashlib.sha256(content).hexdigest() for name, content in CONTENT.items()}
    urls = {"ijcnn1": tuple(train), "ijcnn1.t": tuple(test)}
    return tuple(RawFile(name, rows[name], len(CONTENT[name]), digest[name], urls[name]) for name in CONTENT)


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    """An empty cache, no folder, and the made-up pair with no address: every test starts from here."""
    monkeypatch.delenv("KERNLIB_DATA", raising=False)
    monkeypatch.setenv("KERNLIB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(datasets, "IJCNN1", table())
    return tmp_path / "cache"


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A folder named by KERNLIB_DATA with both files, intact."""
    folder = tmp_path / "mine"
    fill(folder)
    monkeypatch.setenv("KERNLIB_DATA", str(folder))
    return folder


@pytest.fixture
def online(monkeypatch, server):
    """Two addresses per file, as in the real table; both answer."""
    server.files = {f"/{place}/{name}.bz2": PACKED[name] for place in ("first", "second") for name in PACKED}
    urls = {
        name: [server.address(f"/{place}/{name}.bz2") for place in ("first", "second")] for name in PACKED
    }
    monkeypatch.setattr(datasets, "IJCNN1", table(train=urls["ijcnn1"], test=urls["ijcnn1.t"]))
    return server


def fill(folder):
    folder.mkdir(parents=True)
    for name, packed in PACKED.items():
        (folder / f"{name}.bz2").write_bytes(packed)


def files_in(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


WHOLE_CACHE = {f"{name}.bz2": packed for name, packed in PACKED.items()}


def assert_made_up(data):
    assert data.train.X.shape == (50, 22) and data.test.X.shape == (70, 22)
    first = CONTENT["ijcnn1"].split(b"\n")[0].split()
    assert data.train.y[0] == int(first[0])
    assert data.train.X[0, 10] == float(first[2].removeprefix(b"11:"))


def refusal(**kwargs):
    """The message with which load_ijcnn1 refuses: always one line."""
    with pytest.raises(OSError) as caught:
        load_ijcnn1(**kwargs)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# The result


def test_a_part_is_both_named_and_unpacked(folder):
    data = load_ijcnn1()
    X, y = data.train
    assert X is data.train.X and y is data.train.y


def test_arrays_are_ready_for_the_kernels(folder):
    for data in (load_ijcnn1(), load_letters()):
        for X, y in (data.train, data.test):
            assert (
                X.dtype == np.float64
                and X.flags.c_contiguous
                and X.shape == (len(y), len(data.feature_names))
            )
            assert y.dtype.kind == "i" and set(y) == {-1, 1} == set(data.target_names)


def test_repr_is_short_and_the_same_on_every_machine(folder):
    assert repr(load_ijcnn1()) == "Dataset('ijcnn1', train=(50, 22), test=(70, 22))"
    assert repr(load_letters()) == "Dataset('letters', train=(16000, 16), test=(4000, 16))"


def test_a_data_set_cannot_be_changed_by_accident():
    with pytest.raises(AttributeError):
        load_letters().source = "elsewhere"


# A folder of the user's


def test_folder_comes_before_cache_and_network(folder, online, cache):
    data = load_ijcnn1()
    assert_made_up(data)
    assert data.source == "LIBSVM's files, from the folder named by KERNLIB_DATA"
    assert not online.asked and not files_in(cache)


def test_folder_may_hold_the_files_unpacked(folder):
    for name, content in CONTENT.items():
        (folder / f"{name}.bz2").unlink()
        (folder / name).write_bytes(content)
    assert_made_up(load_ijcnn1())


def test_relative_folder_starts_at_the_project_when_not_found_here(monkeypatch, tmp_path):
    fill(tmp_path / "project" / "mine")
    (tmp_path / "project" / "chapters").mkdir()
    monkeypatch.setattr(places, "ROOT", tmp_path / "project")
    monkeypatch.setenv("KERNLIB_DATA", "mine")
    monkeypatch.chdir(tmp_path / "project" / "chapters")
    assert_made_up(load_ijcnn1())


@pytest.mark.parametrize("name", ["ijcnn1.bz2", "ijcnn1.t.bz2"])
def test_a_file_missing_from_the_folder_is_taken_from_the_next_place(folder, online, name):
    (folder / name).unlink()
    data = load_ijcnn1()
    assert_made_up(data)
    assert set(data.source.removeprefix("LIBSVM's files, from ").split(" and ")) == {
        "the folder named by KERNLIB_DATA",
        "127.0.0.1",
    }
    assert online.asked == [f"/first/{name}"]


@pytest.mark.parametrize("name", ["ijcnn1.bz2", "ijcnn1.t.bz2"])
def test_a_file_missing_everywhere_is_named(folder, name):
    (folder / name).unlink()
    message = refusal()
    assert message.startswith(
        f"{name.removesuffix('.bz2')} is in none of its places: the folder {folder} named"
    )
    for way_out in ("KERNLIB_DATA", "connect", "fallback=True"):
        assert way_out in message


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("nowhere", "no such file"),
        ("~nobody-of-this-name", "no such file"),
        ("mine/ijcnn1.bz2", "a file: name the folder that holds it"),
    ],
)
def test_a_folder_that_is_none_is_named_with_its_fault(folder, monkeypatch, name, fault):
    monkeypatch.chdir(folder.parent)
    monkeypatch.setenv("KERNLIB_DATA", name)
    assert f"the folder {name} named by KERNLIB_DATA ({fault})" in refusal()
    assert load_ijcnn1(fallback=True).name == "letters"


@each_damage
def test_damage_in_the_folder_is_an_error_and_the_file_is_left_alone(folder, online, damaged):
    (folder / "ijcnn1.bz2").write_bytes(damaged)
    before = files_in(folder)
    message = refusal()
    assert (
        f"{folder / 'ijcnn1.bz2'} is damaged: expected 50 rows of sha256 {table()[0].sha256}, found"
        in message
    )
    assert files_in(folder) == before and not online.asked


def test_no_flipped_bit_ever_changes_a_number(folder):
    intact = load_ijcnn1().train
    refused, positions = 0, range(0, len(TRAIN), 7)
    for position in positions:
        flipped = TRAIN[:position] + bytes([TRAIN[position] ^ 16]) + TRAIN[position + 1 :]
        (folder / "ijcnn1.bz2").write_bytes(flipped)
        try:
            X, y = load_ijcnn1().train
        except OSError:
            refused += 1
        else:  # a few bits of bzip2 carry nothing
            assert np.array_equal(X, intact.X) and np.array_equal(y, intact.y)
    assert refused > 0.9 * len(positions)


def test_a_damaged_test_file_is_an_error_too(folder):
    (folder / "ijcnn1.t.bz2").write_bytes(TRAIN)
    assert (
        f"expected 70 rows of sha256 {table()[1].sha256}, found 50 rows of sha256 {table()[0].sha256}"
        in refusal()
    )


def test_damage_in_an_unpacked_file_is_an_error(folder):
    (folder / "ijcnn1.bz2").unlink()
    (folder / "ijcnn1").write_bytes(CONTENT["ijcnn1"][:-1] + b" ")
    assert f"{folder / 'ijcnn1'} is damaged" in refusal()


def test_the_number_of_rows_is_checked_as_well(folder, monkeypatch):
    train, test = table()
    monkeypatch.setattr(datasets, "IJCNN1", (train._replace(rows=51), test))
    assert "expected 51 rows" in refusal()


# The network


def test_download_fills_the_cache_and_says_so(online, cache, capfd):
    data = load_ijcnn1()
    assert_made_up(data)
    assert data.source == "LIBSVM's files, from 127.0.0.1"
    assert online.asked == ["/first/ijcnn1.bz2", "/first/ijcnn1.t.bz2"]
    assert files_in(cache) == WHOLE_CACHE
    out, err = capfd.readouterr()
    assert [line.split(" (")[0] for line in out.splitlines()] == [
        "downloaded ijcnn1.bz2",
        "downloaded ijcnn1.t.bz2",
    ]
    assert not err


@some_damage
def test_a_damaged_download_is_refused_and_the_second_address_asked(online, cache, damaged):
    online.files["/first/ijcnn1.bz2"] = damaged
    assert_made_up(load_ijcnn1())
    assert online.asked == ["/first/ijcnn1.bz2", "/second/ijcnn1.bz2", "/first/ijcnn1.t.bz2"]
    assert files_in(cache) == WHOLE_CACHE


@some_damage
def test_damage_at_both_addresses_leaves_nothing_behind(online, cache, damaged):
    online.files["/first/ijcnn1.bz2"] = online.files["/second/ijcnn1.bz2"] = damaged
    message = refusal()
    assert message.count(f"damaged: expected 50 rows of sha256 {table()[0].sha256}, found") == 2
    assert not files_in(cache)


@pytest.mark.parametrize("part", [0, 200, len(TRAIN) - 1])
def test_a_download_that_stops_half_way_leaves_nothing_behind(online, cache, part):
    online.stop_after = {"/first/ijcnn1.bz2": part, "/second/ijcnn1.bz2": part}
    refusal()
    assert not files_in(cache)
    online.stop_after = {}
    assert_made_up(load_ijcnn1())
    assert files_in(cache) == WHOLE_CACHE


def test_content_compressed_apart_is_accepted(online, cache):
    online.files["/first/ijcnn1.bz2"] = other = bz2.compress(CONTENT["ijcnn1"], 1) + bz2.compress(b"")
    assert other != TRAIN
    assert_made_up(load_ijcnn1())
    assert online.asked == ["/first/ijcnn1.bz2", "/first/ijcnn1.t.bz2"]
    assert files_in(cache)["ijcnn1.bz2"] == other


def test_a_page_that_is_gone_sends_to_the_second_address(online):
    del online.files["/first/ijcnn1.bz2"]
    assert_made_up(load_ijcnn1())


def test_a_dead_address_sends_to_the_second(online, dead_address, monkeypatch):
    train, test = datasets.IJCNN1
    monkeypatch.setattr(datasets, "IJCNN1", (train._replace(urls=(dead_address, train.urls[1])), test))
    assert_made_up(load_ijcnn1())
    assert online.asked == ["/second/ijcnn1.bz2", "/first/ijcnn1.t.bz2"]


def test_dead_addresses_give_one_sentence_with_what_was_tried_and_the_ways_out(
    cache, dead_address, monkeypatch
):
    monkeypatch.setattr(datasets, "IJCNN1", table(train=[dead_address, dead_address]))
    assert refusal() == (
        "ijcnn1 is in none of its places: kernlib's cache (no such file), 127.0.0.1 (ConnectionError), "
        "127.0.0.1 (ConnectionError); let KERNLIB_DATA name a folder with ijcnn1.bz2 and ijcnn1.t.bz2, "
        "or leave it unset and connect to the network, or pass fallback=True for the embedded Letter data"
    )
    assert not cache.exists()


def test_an_address_that_hangs_is_given_up(silent_address, monkeypatch):
    monkeypatch.setattr(places, "TIMEOUT", (0.2, 0.2))
    monkeypatch.setattr(datasets, "IJCNN1", table(train=[silent_address]))
    assert "127.0.0.1 (ReadTimeout)" in refusal()


def test_nobody_waits_longer_than_ten_seconds_for_a_byte_and_a_minute_for_all():
    assert max(places.TIMEOUT) <= 10 and places.DEADLINE <= 60


# The cache


def test_cache_hit_asks_nobody(online, cache):
    load_ijcnn1()
    online.asked.clear()
    data = load_ijcnn1()
    assert_made_up(data)
    assert data.source == "LIBSVM's files, from kernlib's cache" and not online.asked


def test_cache_is_poochs_folder_unless_named(monkeypatch, tmp_path):
    monkeypatch.delenv("KERNLIB_CACHE")
    fill(tmp_path / "system" / "kernlib")
    monkeypatch.setattr(places.pooch, "os_cache", lambda project: tmp_path / "system" / project)
    assert load_ijcnn1().source == "LIBSVM's files, from kernlib's cache"


@some_damage
def test_a_damaged_cache_is_repaired(online, cache, damaged):
    fill(cache)
    (cache / "ijcnn1.bz2").write_bytes(damaged)
    assert_made_up(load_ijcnn1())
    assert online.asked == ["/first/ijcnn1.bz2"]
    assert files_in(cache) == WHOLE_CACHE


@some_damage
def test_a_damaged_cache_that_cannot_be_repaired_is_emptied(cache, damaged):
    fill(cache)
    (cache / "ijcnn1.bz2").write_bytes(damaged)
    assert "kernlib's cache (damaged, now removed)" in refusal()
    assert files_in(cache).keys() == {"ijcnn1.t.bz2"}


def full_disk(path, packed):
    with open(path, "wb") as file:
        file.write(packed[:10])
    raise OSError("No space left on device")


def refused(path, *args, **kwargs):
    raise PermissionError(errno.EACCES, "Permission denied", str(path))


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
    assert_made_up(load_ijcnn1(fallback=True))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("from 127.0.0.1 for this time only: kernlib's cache can't be written (" in li for li in lines)
    assert cache.is_file() or not files_in(cache)


def test_a_cached_file_that_cannot_be_read_is_downloaded(online, cache, monkeypatch):
    fill(cache)
    monkeypatch.setattr(Path, "open", refused)
    assert load_ijcnn1().source == "LIBSVM's files, from 127.0.0.1"


def test_a_damaged_file_in_a_read_only_cache_is_downloaded(online, cache, monkeypatch):
    fill(cache)
    (cache / "ijcnn1.bz2").write_bytes(DAMAGED["truncated"])
    for change in ("unlink", "write_bytes"):
        monkeypatch.setattr(Path, change, refused)
    assert_made_up(load_ijcnn1())
    monkeypatch.setattr(datasets, "IJCNN1", table())
    assert "kernlib's cache (damaged);" in refusal()


# Input without end

BOMB = bz2.compress(bytes(10**8))


@contextmanager
def memory_of_less_than(most):
    """Fail if the block held more bytes at a time."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < most


@pytest.mark.parametrize(
    ("name", "data"),
    [("ijcnn1.bz2", BOMB), ("ijcnn1.bz2", bytes(10**8)), ("ijcnn1", bytes(10**8))],
    ids=["bomb", "long", "long and unpacked"],
)
def test_a_file_that_is_too_long_is_refused_before_it_is_read_to_its_end(folder, name, data):
    (folder / "ijcnn1.bz2").unlink()
    (folder / name).write_bytes(data)
    with memory_of_less_than(10**7):  # bzip2 itself takes 4 MB
        assert f"found more than {len(CONTENT['ijcnn1']):,} bytes" in refusal()


@pytest.mark.parametrize("body", [BOMB, bytes(10**8)], ids=["bomb", "long"])
def test_an_answer_that_is_too_long_is_refused_before_it_is_read_to_its_end(online, body):
    online.files["/first/ijcnn1.bz2"] = online.files["/second/ijcnn1.bz2"] = body
    with memory_of_less_than(10**7):
        assert refusal().count("more than") == 2


@pytest.mark.parametrize("part", ["head", "body"])
def test_an_answer_that_trickles_is_given_up(online, cache, part, monkeypatch):
    monkeypatch.setattr(places, "DEADLINE", 0.5)
    online.slow = {"/first/ijcnn1.bz2": part}
    assert_made_up(load_ijcnn1())
    assert online.asked[:2] == ["/first/ijcnn1.bz2", "/second/ijcnn1.bz2"]
    monkeypatch.setattr(datasets, "IJCNN1", table(train=[online.address("/first/ijcnn1.bz2")]))
    (cache / "ijcnn1.bz2").unlink()
    assert "127.0.0.1 (longer than 0.5 seconds)" in refusal()


def test_the_bound_of_a_file_has_room_for_what_cannot_be_packed():
    """bzip2's promise for what it cannot make shorter."""
    for size in (0, 1, 1_000, 10**6):
        noise = np.random.default_rng(0).bytes(size)
        assert len(bz2.compress(noise)) <= RawFile("noise", 0, size, "").longest


# The fallback


def test_fallback_prints_one_line_and_gives_letters_that_say_so(dead_address, monkeypatch, capfd):
    monkeypatch.setattr(datasets, "IJCNN1", table(train=[dead_address]))
    data = load_ijcnn1(fallback=True)
    assert data.name == "letters" and data.train.X.shape == (16_000, 16)
    assert data.source == "UCI Letter Recognition, embedded in kernlib, in place of ijcnn1"
    out, err = capfd.readouterr()
    assert out == (
        "The embedded Letter data takes the place of ijcnn1: ijcnn1 is in none of its places: "
        "kernlib's cache (no such file), 127.0.0.1 (ConnectionError).\n"
    )
    assert not err


def test_fallback_names_the_damage_in_the_folder(folder, capsys):
    (folder / "ijcnn1.bz2").write_bytes(b"")
    assert load_ijcnn1(fallback=True).name == "letters"
    assert f"{folder / 'ijcnn1.bz2'} is damaged" in capsys.readouterr().out


def test_fallback_is_not_taken_when_ijcnn1_is_there(folder, capsys):
    assert load_ijcnn1(fallback=True).name == "ijcnn1"
    assert not capsys.readouterr().out


def test_fallback_is_by_name_and_yes_or_no():
    with pytest.raises(TypeError):
        load_ijcnn1(True)
    with pytest.raises(TypeError, match=r"^fallback must be True or False, got 'no'\.$"):
        load_ijcnn1(fallback="no")


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


def test_every_real_file_has_two_addresses_of_its_own():
    urls = [url for file in REAL_FILES for url in file.urls]
    assert len(set(urls)) == 4 and all(url.startswith("https://") and url.endswith(".bz2") for url in urls)


# Letters


def test_letters_are_the_published_table():
    train, test = load_letters().train, load_letters().test
    assert train.X.shape == (16_000, 16) and test.X.shape == (4_000, 16)
    X = np.vstack([train.X, test.X])
    assert np.array_equal(np.unique(X), np.arange(16))
    assert np.array_equal(X[0], [2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8])  # a T, as in UCI's file
    assert train.y[0] == -1
    assert len({row.tobytes() for row in X}) == 20_000 - 1_332


def test_letters_are_balanced_and_split_after_the_thirteenth():
    data = load_letters()
    packed = (files.ROOT / "data" / "letters.csv.bz2").read_bytes()
    letters = [line[:1].decode() for line in bz2.decompress(packed).splitlines()]
    counts = {letter: letters.count(letter) for letter in sorted(set(letters))}
    assert "".join(counts) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ" and sum(counts.values()) == 20_000
    assert min(counts.values()) == 734 and max(counts.values()) == 813
    y = np.concatenate([data.train.y, data.test.y])
    assert np.array_equal(y, [1 if letter in "ABCDEFGHIJKLM" else -1 for letter in letters])
    assert abs(data.train.y.mean()) < 0.02 and abs(data.test.y.mean()) < 0.02


def test_committed_letters_are_small_and_as_documented():
    packed = (files.ROOT / "data" / "letters.csv.bz2").read_bytes()
    readme = (files.ROOT / "data" / "README.md").read_text(encoding="utf-8")
    assert len(packed) < 300_000
    for fact in (f"{len(packed):,} bytes", hashlib.sha256(packed).hexdigest(), datasets.LETTERS.sha256):
        assert fact in readme
    for file in REAL_FILES:
        assert all(fact in readme for fact in (file.sha256, f"{file.rows:,}", f"{file.size:,}"))


def test_damaged_letters_are_refused(monkeypatch, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "letters.csv.bz2").write_bytes(TRAIN)
    monkeypatch.setattr(files, "ROOT", tmp_path)
    with pytest.raises(OSError, match=r"letters.csv.bz2 is damaged: .*; run git checkout data, or install"):
        load_letters()


def test_missing_letters_are_one_clear_sentence(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(files, "__file__", str(tmp_path / "kernlib" / "datasets" / "files.py"))
    with pytest.raises(
        FileNotFoundError, match=r"letters.csv.bz2 is missing: expected it in the folder data"
    ):
        load_letters()


def test_letters_are_found_in_an_installed_package_too(monkeypatch, tmp_path):
    packed = (files.ROOT / "data" / "letters.csv.bz2").read_bytes()
    (tmp_path / "kernlib" / "data").mkdir(parents=True)
    (tmp_path / "kernlib" / "data" / "letters.csv.bz2").write_bytes(packed)
    monkeypatch.setattr(files, "ROOT", tmp_path)
    monkeypatch.setattr(files, "__file__", str(tmp_path / "kernlib" / "datasets" / "files.py"))
    assert load_letters().train.X.shape == (16_000, 16)


def test_loading_data_needs_neither_plots_nor_widgets():
    code = "import sys, kernlib.datasets; print({'matplotlib', 'ipywidgets', 'anywidget'} & set(sys.modules))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        == "set()\n"
    )
