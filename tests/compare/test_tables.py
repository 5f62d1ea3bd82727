"""A table's columns are told apart, what cannot be used is named, and its rows are cut fairly."""

import re

import numpy as np
import pytest

from kernlib.compare.tables import as_table, preparation, split_rows

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=(60, 3))
TOWNS = RNG.choice(["Lyon", "Kazan", "Delft"], 60)
YES = np.where(NUMBERS[:, 0] > 0, "yes", "no")


def mixed():
    """A number, a town, a column of one value."""
    X = np.empty((60, 3), dtype=object)
    X[:, 0], X[:, 1], X[:, 2] = NUMBERS[:, 0], TOWNS, "same"
    return X


def holed(value, column=1):
    X = mixed()
    X[5, column] = value
    return X


def test_numbers_are_standardized_and_each_category_gets_a_column():
    table = as_table(mixed(), YES)
    assert (table.numbers, table.categories, table.width, table.task) == ([0], [1], 4, "classification")
    assert table.notes == ["Constant, and left out: 2."]
    Z = preparation(table).fit_transform(table.X)
    assert np.allclose(Z[:, 0], (NUMBERS[:, 0] - NUMBERS[:, 0].mean()) / NUMBERS[:, 0].std())
    assert np.array_equal(Z[:, 1:], TOWNS[:, None] == np.unique(TOWNS))


@pytest.mark.parametrize("hole", [None, np.nan])
def test_missing_values_are_named_and_filled(hole):
    table = as_table(holed(hole, 0), YES)
    assert "Missing, and filled with the median: 0 (1)." in table.notes
    Z = preparation(table).fit_transform(table.X)
    assert Z[5, 0] == pytest.approx(np.median(np.delete(Z[:, 0], 5)))
    table = as_table(holed(hole), YES)
    assert "Missing, and a category of its own: 1 (1)." in table.notes
    assert preparation(table).fit_transform(table.X).shape == (60, 5)


def test_rare_categories_share_a_column_and_new_ones_are_no_error():
    X = np.array([[f"town {i % 70}"] for i in range(200)], dtype=object)
    table = as_table(X, np.arange(200) % 2)
    assert "More than 50 categories, of which the rare ones are joined: 0 (70)." in table.notes
    fitted = preparation(table).fit(X)
    assert fitted.transform([["never seen"]]).shape == (1, table.width) == (1, 50)


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (YES, "classification"),
        (YES == "yes", "classification"),
        (np.arange(60) % 3, "classification"),
        (np.arange(60) % 3 + 0.5, "regression"),
        (np.arange(60), "regression"),
    ],
)
def test_texts_truths_and_few_integers_are_classes(y, task):
    assert as_table(NUMBERS, y).task == task


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        (holed(7), YES, "texts and others in column 1"),
        (holed(np.inf, 0), YES, "X must be below 1e+100 or missing, got inf in column 0"),
        (
            np.full((60, 2), np.datetime64("2026-11-22")),
            YES,
            "got datetime64[D] in column 0: make it a number",
        ),
        (np.ones((60, 2)), YES, "X must have a column that is not constant"),
        (NUMBERS[:, 0], YES, "X must be 2-D"),
        (NUMBERS[:5], YES[:5], "X must have 8 rows and a column at least"),
        (NUMBERS, YES[:5], "y must have shape (60,)"),
        (NUMBERS, np.where(YES == "yes", np.nan, 1), "missing values, the first in row"),
        (NUMBERS, np.ones(60), "y must have two different values at least, got 1.0 alone"),
        (NUMBERS, np.arange(60).astype(str), "y must have two rows a class at least, got 60 classes"),
        (NUMBERS, "target", "y is the name of a column, 'target', but X has no names"),
        ("table.xls", "target", "X must be a file .csv, .csv.gz or .parquet, got table.xls"),
    ],
)
def test_what_cannot_be_used_is_named(X, y, sentence):
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        as_table(X, y)


def test_the_test_rows_have_the_classes_shares_and_the_first_rows_have_all_classes():
    y = np.repeat([0, 1, 2], [900, 90, 10])
    first, second = split_rows(y, "classification", 250, 0)
    assert sorted([*first, *second]) == list(range(1000))
    assert abs(np.bincount(y[second]) - np.array([225, 22.5, 2.5])).max() < 1
    assert set(y[first[:3]]) == {0, 1, 2}


@pytest.mark.parametrize("y", [[0] * 9 + [1], list("abcde") * 2, [0, 0, 1, 1, 2, 2, 3, 3, 3, 4]])
def test_of_ten_rows_each_class_has_one_to_train_on(y):
    for seed in range(20):
        first, second = split_rows(np.array(y), "classification", 3, seed)
        assert len(second) == 3 and sorted([*first, *second]) == list(range(10))
        assert set(np.array(y)[first]) == set(y)


def test_a_data_frame_and_its_files_are_one_table(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": NUMBERS[:, 0], "town": TOWNS, "out": YES})
    frame.loc[3, "a"], frame.loc[4, "town"] = np.nan, None
    frame.to_csv(tmp_path / "table.csv", index=False)
    tables = [as_table(frame, "out"), as_table(tmp_path / "table.csv", "out")]
    tables.append(as_table(frame[["a", "town"]], frame["out"]))
    for table in tables:
        assert (table.numbers, table.categories) == (["a"], ["town"])
        assert [re.search(r": (.*)\.", note)[1] for note in table.notes] == ["a (1)", "town (1)"]
        assert np.allclose(
            preparation(table).fit_transform(table.X), preparation(tables[0]).fit_transform(tables[0].X)
        )
    with pytest.raises(ValueError, match="y must be a column of X, a, town, out, got 'price'"):
        as_table(frame, "price")
