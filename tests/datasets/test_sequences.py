"""The loaders of strings: published facts, no duplicates, and no file taken on trust."""

import bz2
import hashlib
from collections import Counter

import numpy as np
import pytest

from kernlib.datasets import files, load_splice, load_surnames, sequences

LOADERS = {"splice.csv": load_splice, "surnames.csv": load_surnames}
FILES = {file.name: file for file in (sequences.SPLICE, sequences.SURNAMES)}
each_file = pytest.mark.parametrize("name", LOADERS)


def packed(name):
    return (files.ROOT / "data" / f"{name}.bz2").read_bytes()


def lines(name):
    return bz2.decompress(packed(name)).decode("ascii").splitlines()


@each_file
def test_strings_and_labels_go_together_and_say_where_they_came_from(name):
    data = LOADERS[name]()
    assert data.strings.shape == data.y.shape and data.strings.dtype.kind == data.y.dtype.kind == "U"
    assert "embedded in kernlib" in data.source and "Licence:" in data.description
    written = set(lines(name))
    assert all(f"{label},{string}" in written for label, string in zip(data.y, data.strings, strict=True))


@each_file
def test_no_string_occurs_twice(name):
    strings = LOADERS[name]().strings
    assert len(set(strings)) == len(strings)


def test_splice_junctions_are_the_published_table():
    rows = [line.split(",") for line in lines("splice.csv")]
    assert Counter(label for label, _ in rows) == {"neither": 1654, "donor": 767, "acceptor": 765}
    assert all(len(string) == 60 and set(string) <= set("ACGT") for _, string in rows)
    distinct = {string: {label for label, s in rows if s == string} for string in {s for _, s in rows}}
    assert len(distinct) == 3001 and sum(len(labels) == 2 for labels in distinct.values()) == 1


def test_splice_junctions_are_loaded_without_duplicates_and_contradictions():
    data = load_splice()
    assert Counter(data.y.tolist()) == {"neither": 1652, "donor": 679, "acceptor": 669}
    both = {
        s
        for s, times in Counter(s for _, s in {tuple(r.split(",")) for r in lines("splice.csv")}).items()
        if times == 2
    }
    assert len(both) == 1 and not both & set(data.strings)
    first = dict.fromkeys(s for _, s in (r.split(",") for r in lines("splice.csv")) if s not in both)
    assert data.strings.tolist() == list(first)


def test_the_letters_of_dna_are_decoded_as_biology_has_them():
    """Nearly every intron starts with GT and ends with AG."""
    data = load_splice()
    donors, acceptors = (data.strings[data.y == label] for label in ("donor", "acceptor"))
    assert np.mean([s[30:32] == "GT" for s in donors]) > 0.98
    assert np.mean([s[28:30] == "AG" for s in acceptors]) > 0.98
    neither = data.strings[data.y == "neither"]
    assert np.mean([s[30:32] == "GT" for s in neither]) < 0.15


def test_surnames_are_seven_languages_in_plain_letters():
    data = load_surnames()
    assert Counter(data.y.tolist()) == {
        "English": 400,
        "Finnish": 397,
        "French": 336,
        "German": 367,
        "Italian": 400,
        "Polish": 400,
        "Spanish": 400,
    }
    assert all(s.isascii() and s.isalpha() and s.islower() for s in data.strings)
    assert {len(s) for s in data.strings} == set(range(3, 15))


def test_surnames_look_like_their_languages():
    data = load_surnames()
    share = {y: np.mean([s.endswith("nen") for s in data.strings[data.y == y]]) for y in np.unique(data.y)}
    assert share["Finnish"] > 0.3 > 0.02 > max(v for y, v in share.items() if y != "Finnish")


@each_file
def test_the_committed_file_is_small_and_as_documented(name):
    readme = (files.ROOT / "data" / "README.md").read_text(encoding="utf-8")
    content = bz2.decompress(packed(name))
    assert len(packed(name)) < 100_000
    for fact in (
        f"{len(packed(name)):,} bytes, sha256 `{hashlib.sha256(packed(name)).hexdigest()}`",
        f"{len(content):,} bytes, sha256 `{FILES[name].sha256}`",
        f"{FILES[name].rows:,}",
    ):
        assert fact in readme


@each_file
def test_the_script_that_made_it_knows_its_hash(name):
    script = (files.ROOT / "data" / "make_sequences.py").read_text(encoding="utf-8")
    assert f'"{name}": "{FILES[name].sha256}"' in script


@each_file
def test_a_changed_letter_is_refused(name, monkeypatch, tmp_path):
    content = bz2.decompress(packed(name))
    (tmp_path / "data").mkdir()
    changed = content[:-2] + (b"A" if content[-2:-1] != b"A" else b"C") + content[-1:]
    (tmp_path / "data" / f"{name}.bz2").write_bytes(bz2.compress(changed))
    monkeypatch.setattr(files, "ROOT", tmp_path)
    with pytest.raises(OSError, match=f"{name}.bz2 is damaged: expected {FILES[name].rows:,} rows"):
        LOADERS[name]()


def test_repr_is_short_and_the_same_on_every_machine():
    assert repr(load_splice()) == "Sequences('splice', n=3000, labels=acceptor, donor, neither)"


def test_a_data_set_cannot_be_changed_by_accident():
    with pytest.raises(AttributeError):
        load_surnames().source = "elsewhere"
