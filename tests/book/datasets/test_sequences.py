"""The loaders of strings: published facts and no duplicates."""

import bz2
from collections import Counter

import numpy as np
import pytest

from kernlib.book.datasets import files, load_splice, load_surnames

LOADERS = {"splice.csv": load_splice, "surnames.csv": load_surnames}
each_file = pytest.mark.parametrize("name", LOADERS)


def lines(name):
    packed = (files.ROOT / "data" / f"{name}.bz2").read_bytes()
    return bz2.decompress(packed).decode("ascii").splitlines()


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
    labels = Counter(string for _, string in {(label, string) for label, string in rows})
    assert Counter(labels.values()) == {1: 3000, 2: 1}  # how many labels a string comes under


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


def test_repr_is_short_and_the_same_on_every_machine():
    assert repr(load_splice()) == "Sequences('splice', n=3000, labels=acceptor, donor, neither)"


def test_a_data_set_cannot_be_changed_by_accident():
    with pytest.raises(AttributeError):
        load_surnames().source = "elsewhere"
