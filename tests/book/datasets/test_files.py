"""Files are known by their content, whatever their damage; those that kernlib carries are as documented."""

import bz2
import hashlib
import tracemalloc

import numpy as np
import pytest

from kernlib.book.datasets import (
    files,
    images,
    load_fashion,
    load_letters,
    load_splice,
    load_surnames,
    sequences,
    tables,
)
from kernlib.book.datasets.files import ROOT, RawFile, embedded, read, unpack

CONTENT = b"".join(
    b"%d %r\n" % (i % 2, x) for i, x in enumerate(np.random.default_rng(0).random(50).tolist())
)
SHA256 = hashlib.sha256(CONTENT).hexdigest()
FILE = RawFile("rows.csv", 50, len(CONTENT), SHA256)
PACKED = bz2.compress(CONTENT)
DAMAGED = {
    "truncated": PACKED[: len(PACKED) // 2],
    "one byte short": PACKED[:-1],
    "flipped byte": PACKED[:100] + bytes([PACKED[100] ^ 1]) + PACKED[101:],
    "flipped checksum": PACKED[:-3] + bytes([PACKED[-3] ^ 1]) + PACKED[-2:],
    "empty": b"",
    "one row less": bz2.compress(CONTENT[: CONTENT[:-1].rindex(b"\n") + 1]),
    "one digit changed": bz2.compress(CONTENT.replace(b"1 0", b"1 1", 1)),
    "unpacked, the last byte changed": CONTENT[:-1] + b" ",
    "too long": bz2.compress(CONTENT + b"0"),
    "no bzip2 at all": b"<html>Please log in to the campus network</html>",
    "only the first bytes of bzip2": b"BZh9",
}


def sentence_on(data):
    try:
        return f"accepted: {unpack(data, FILE, 'here')}"
    except OSError as error:
        return str(error)


def test_damage_is_one_sentence_with_what_was_expected_and_found():
    expected = f"here is damaged: expected 50 rows of sha256 {SHA256}, found "
    sentences = {kind: sentence_on(data) for kind, data in DAMAGED.items()}
    assert {k: s for k, s in sentences.items() if not s.startswith(expected) or "\n" in s} == {}


def test_other_rows_are_told_by_number_and_hash():
    other = b"1\n2\n"
    with pytest.raises(OSError, match=f"found 2 rows of sha256 {hashlib.sha256(other).hexdigest()}$"):
        unpack(bz2.compress(other), FILE, "here")
    with pytest.raises(OSError, match="expected 51 rows"):  # the number is checked beside the hash
        unpack(PACKED, FILE._replace(rows=51), "here")


def test_content_is_accepted_however_it_is_packed():
    for data in (CONTENT, PACKED, bz2.compress(CONTENT, 1) + bz2.compress(b"")):
        assert unpack(data, FILE, "here") == CONTENT


def test_no_flipped_bit_ever_changes_the_content():
    refused, positions = 0, range(0, len(PACKED), 7)
    for position in positions:
        try:
            content = unpack(
                PACKED[:position] + bytes([PACKED[position] ^ 16]) + PACKED[position + 1 :], FILE, "here"
            )
        except OSError:
            refused += 1
        else:  # a few bits of bzip2 carry nothing
            assert content == CONTENT
    assert refused > 0.9 * len(positions)


@pytest.mark.parametrize("data", [bz2.compress(bytes(10**8)), bytes(10**8)], ids=["bomb", "long"])
def test_a_file_that_is_too_long_is_refused_before_it_is_read_to_its_end(tmp_path, data):
    (tmp_path / "file").write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(OSError, match=f"found more than {len(CONTENT):,} bytes"):
            unpack(read(tmp_path / "file", FILE), FILE, "here")
        assert tracemalloc.get_traced_memory()[1] < 10**7  # bzip2 itself takes 4 MB
    finally:
        tracemalloc.stop()


def test_the_bound_of_a_file_has_room_for_what_cannot_be_packed():
    """bzip2's promise for what it cannot make shorter."""
    for size in (0, 1, 1_000, 10**6):
        noise = np.random.default_rng(0).bytes(size)
        assert len(bz2.compress(noise)) <= RawFile("noise", 0, size, "").longest


# What kernlib carries

CARRIED = {  # the file, who loads it, the script that made it, the most bytes that it may have
    "letters": (tables.LETTERS, load_letters, "make_letters.py", 300_000),
    "fashion": (images.FASHION, load_fashion, "make_fashion.py", 400_000),
    "splice": (sequences.SPLICE, load_splice, "make_sequences.py", 100_000),
    "surnames": (sequences.SURNAMES, load_surnames, "make_sequences.py", 100_000),
}


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """A clone and an installed package that are empty."""
    monkeypatch.setattr(files, "ROOT", tmp_path / "clone")
    monkeypatch.setattr(files, "__file__", str(tmp_path / "kernlib" / "datasets" / "files.py"))
    for folder in ("clone/data", "kernlib/data"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


@pytest.mark.parametrize(("file", "load", "script", "most"), CARRIED.values(), ids=CARRIED)
def test_a_committed_file_is_small_and_as_documented(file, load, script, most):
    packed = (ROOT / "data" / f"{file.name}.bz2").read_bytes()
    assert len(packed) < most
    assert len(bz2.decompress(packed)) == file.size
    readme = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    digest = hashlib.sha256(packed).hexdigest()
    for size, sha256 in ((len(packed), digest), (file.size, file.sha256)):
        assert f"{size:,} bytes, sha256 `{sha256}`" in readme
    assert f"{file.rows:,}" in readme
    assert f'"{file.sha256}"' in (ROOT / "data" / script).read_text(encoding="utf-8")


@pytest.mark.parametrize(("file", "load", "script", "most"), CARRIED.values(), ids=CARRIED)
def test_every_loader_refuses_a_changed_byte_and_names_the_remedy(file, load, script, most, elsewhere):
    content = bytearray(bz2.decompress((ROOT / "data" / f"{file.name}.bz2").read_bytes()))
    content[-2] ^= 1
    (elsewhere / "clone" / "data" / f"{file.name}.bz2").write_bytes(bz2.compress(content))
    sentence = (
        rf"{file.name}.bz2 is damaged: expected {file.rows:,} rows .*; run git checkout data, or install"
    )
    with pytest.raises(OSError, match=sentence):
        load()


def test_a_file_is_found_in_an_installed_package_too_and_missing_in_one_sentence(elsewhere):
    with pytest.raises(
        FileNotFoundError,
        match=r"rows.csv.bz2 is missing: expected it in the folder data .*; run git checkout",
    ):
        embedded(FILE)
    (elsewhere / "kernlib" / "data" / "rows.csv.bz2").write_bytes(PACKED)
    assert embedded(FILE) == CONTENT
