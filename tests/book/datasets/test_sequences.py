"""The strings: published facts, and no duplicates."""

import bz2
from collections import Counter

import pytest

from kernlib.book.datasets import files, load_splice, load_surnames

LOADERS = {"splice.csv": load_splice, "surnames.csv": load_surnames}


def read_rows(name):
    compressed = (files.ROOT / "data" / f"{name}.bz2").read_bytes()
    return [tuple(line.split(",")) for line in bz2.decompress(compressed).decode("ascii").splitlines()]


@pytest.mark.parametrize("name", LOADERS)
def test_strings_are_loaded_with_their_labels_and_once_each(name):
    data = LOADERS[name]()
    assert data.strings.shape == data.y.shape and data.strings.dtype.kind == data.y.dtype.kind == "U"
    assert "embedded in kernlib" in data.source
    assert set(zip(data.y.tolist(), data.strings.tolist(), strict=True)) <= set(read_rows(name))
    assert len(set(data.strings)) == len(data.strings)


def test_splice_junctions_are_the_published_table_without_the_string_that_has_two_labels():
    data, rows = load_splice(), read_rows("splice.csv")
    assert Counter(label for label, _ in rows) == {"neither": 1654, "donor": 767, "acceptor": 765}
    assert all(len(string) == 60 and set(string) <= set("ACGT") for string in data.strings)
    assert Counter(data.y.tolist()) == {"neither": 1652, "donor": 679, "acceptor": 669}
    (ambiguous,) = (string for string, n in Counter(string for _, string in set(rows)).items() if n == 2)
    assert data.strings.tolist() == list(dict.fromkeys(s for _, s in rows if s != ambiguous))
    assert repr(data) == "Sequences(n=3000, labels=acceptor, donor, neither)"
