"""The kind of each column is found, and what cannot be used is named."""

import datetime
import re
from decimal import Decimal

import numpy as np
import pytest

from kernlib.compare.columns import levels_of, origins, preparation
from kernlib.compare.tables import as_table

pandas = pytest.importorskip("pandas")

RNG = np.random.default_rng(0)
NUMBERS = RNG.normal(size=(60, 3))
TOWNS = RNG.choice(["Lyon", "Kazan", "Delft"], 60)
YES = np.where(NUMBERS[:, 0] > 0, "yes", "no")


def mixed():
    """A number, a town, a column of one value."""
    X = np.empty((60, 3), dtype=object)
    X[:, 0], X[:, 1], X[:, 2] = NUMBERS[:, 0], TOWNS, "same"
    return X


def prepared(table):
    return preparation(table.numbers, table.dates, table.categories).fit(table.X)


def holed(value, column=1):
    X = mixed()
    X[5, column] = value
    return X


def test_numbers_are_standardized_and_each_category_gets_a_column():
    table = as_table(mixed(), YES)
    assert (table.numbers, table.categories, table.task) == ([0], [1], "classification")
    assert table.notes == ["Constant or empty, and left out: 2."]
    fitted = prepared(table)
    Z = fitted.transform(table.X)
    assert levels_of(fitted) == (3,)
    assert np.allclose(Z[:, 0], (NUMBERS[:, 0] - NUMBERS[:, 0].mean()) / NUMBERS[:, 0].std())
    assert np.array_equal(Z[:, 1:], TOWNS[:, None] == np.unique(TOWNS))


@pytest.mark.parametrize("hole", [None, np.nan, pandas.NA, pandas.NaT])
def test_missing_values_are_named_and_filled(hole):
    table = as_table(holed(hole, 0), YES)
    assert "Missing, and filled with the median: 0 (1)." in table.notes
    Z = prepared(table).transform(table.X)
    assert Z[5, 0] == pytest.approx(np.median(np.delete(Z[:, 0], 5)))
    table = as_table(holed(hole), YES)
    assert "Missing, and a category of its own: 1 (1)." in table.notes
    assert prepared(table).transform(table.X).shape == (60, 5)


def test_rare_categories_share_a_column_and_new_ones_are_no_error():
    X = np.array([[f"town {i % 70}"] for i in range(200)], dtype=object)
    table = as_table(X, np.arange(200) % 2)
    assert "More than 50 categories, of which the rare ones are joined: 0 (70)." in table.notes
    fitted = prepared(table)
    assert fitted.transform([["never seen"]]).shape == (1, 50)


@pytest.mark.parametrize(
    ("y", "task"),
    [
        (YES, "classification"),
        (YES == "yes", "classification"),
        (np.arange(60) % 3, "classification"),
        (np.arange(60) % 3 + 0.5, "regression"),
        (np.arange(60) // 2, "regression"),
        (pandas.Series(np.tile([1.5, 2.5], 30)).astype("category"), "classification"),
        *((np.array(list(map(kind, NUMBERS[:, 1])), object), "regression") for kind in (Decimal, np.float64)),
    ],
)
def test_texts_truths_few_integers_and_the_dtype_category_are_classes(y, task):
    assert as_table(NUMBERS, y).task == task


@pytest.mark.parametrize(
    ("X", "y", "sentence"),
    [
        (holed(7), YES, "texts and others in column 1"),
        (holed(np.inf, 0), YES, "X must be below 1e+100 or missing, got inf in column 0"),
        (holed(Decimal("1.5"), 0), YES, "X must hold numbers, texts or dates, got Decimal in column 0"),
        (holed([1, 2], 0), YES, "got list in column 0: convert the column"),
        (pandas.DataFrame({"a": pandas.period_range("2026", periods=60)}), YES, "got Period in column a"),
        (pandas.Series(NUMBERS[:, 0]), YES, "X must be 2-D, got a Series: pass X.to_frame()"),
        (pandas.DataFrame({("a", "b"): NUMBERS[:, 0]}), YES, "got a MultiIndex: flatten its names"),
        (pandas.DataFrame(NUMBERS, columns=["a", 1, 2.5]), YES, "names of one type, got texts and others"),
        (NUMBERS, 1e200 * NUMBERS[:, 0], "y must be at most 1e+30 and vary by 1e-30 at least"),
        (NUMBERS, 1e-200 * NUMBERS[:, 0], "choose another unit"),
        (
            NUMBERS,
            np.full(60, np.datetime64("2026-11-22")),
            "y must hold numbers or classes, got datetime64[D]",
        ),
        (
            pandas.DataFrame(NUMBERS),
            pandas.Series(YES, index=range(5, 65)),
            "y must have the index of X, got another: to go by position, pass y.to_numpy()",
        ),
        (NUMBERS, pandas.cut(NUMBERS[:, 0], 3), "y must hold numbers or texts, got Interval"),
        (np.ones((60, 2)), YES, "X must have a column that is not constant"),
        (NUMBERS[:5], YES[:5], "X must have 8 rows and a column at least"),
        (NUMBERS, YES[:5], "y must have shape (60,)"),
        (NUMBERS, np.where(YES == "yes", np.nan, 1), "missing values, the first in row"),
        (NUMBERS, np.ones(60), "y must have two different values at least, got 1.0 alone"),
        (NUMBERS, np.arange(60).astype(str), "y must have two rows a class at least, got 60 classes"),
        (
            NUMBERS,
            NUMBERS[:, 1].astype(str),
            "got 60 classes in 60 rows: if y holds texts of numbers, convert it by astype(float)",
        ),
        (NUMBERS, "target", "y is the name of a column, 'target', but X has no names"),
        ("table.xls", "target", "X must be a file .csv, .csv.gz or .parquet, got table.xls"),
    ],
)
def test_what_cannot_be_used_is_named(X, y, sentence):
    with pytest.raises((TypeError, ValueError), match=re.escape(sentence)):
        as_table(X, y)


def test_a_data_frame_and_its_files_are_one_table(tmp_path):
    frame = pandas.DataFrame({"a": NUMBERS[:, 0], "town": TOWNS, "out": YES})
    frame.loc[3, "a"], frame.loc[4, "town"] = np.nan, None
    frame.to_csv(tmp_path / "table.csv", index=False)
    tables = [as_table(frame, "out"), as_table(tmp_path / "table.csv", "out")]
    tables.append(as_table(frame[["a", "town"]], frame["out"]))
    for table in tables:
        assert (table.numbers, table.categories) == (["a"], ["town"])
        assert [re.search(r": (.*)\.", note)[1] for note in table.notes] == ["a (1)", "town (1)"]
        assert np.allclose(prepared(table).transform(table.X), prepared(tables[0]).transform(tables[0].X))
    with pytest.raises(ValueError, match="y must be a column of X, a, town, out, got 'price'"):
        as_table(frame, "price")


def look(values, y=YES):
    """Look at a table of one column."""
    return as_table(pandas.DataFrame({"a": values, "b": NUMBERS[:, 1]}), y)


def test_the_dtype_category_makes_categories_of_integers():
    codes = np.arange(60) % 3
    table = look(pandas.Series(codes).astype("category"))
    assert table.categories == ["a"]
    assert np.array_equal(prepared(table).transform(table.X)[:, 1:], codes[:, None] == np.arange(3))
    assert "use the dtype category for codes: a." in look(codes).notes[0]


def test_texts_that_hold_numbers_are_numbers_and_a_note_says_so():
    table = look([f"{number:.3f}" for number in NUMBERS[:, 0]])
    assert table.numbers == ["a", "b"] and table.notes == ["Texts that hold numbers, taken as numbers: a."]
    Z = prepared(table).transform(table.X)
    assert np.corrcoef(Z[:, 0], NUMBERS[:, 0])[0, 1] > 0.999
    table = look(["nan", *(f"{number:.3f}" for number in NUMBERS[1:, 0])])
    assert table.numbers == ["a", "b"] and "Missing, and filled with the median: a (1)." in table.notes


@pytest.mark.parametrize("kind", ["times", "Paris", "texts", "texts of Moscow", "objects", "a zone for some"])
def test_dates_become_days_day_of_the_year_weekday_and_hour(kind):
    times = pandas.date_range("2026-11-23 12:00", periods=60, freq="31h").to_series(index=range(60))
    objects = [one.to_pydatetime() for one in times]
    later = times + pandas.Timedelta("3h")
    values = {
        "times": times,
        "Paris": times.dt.tz_localize("UTC").dt.tz_convert("Europe/Paris"),
        "texts": times.dt.strftime("%Y/%m/%dT%H:%MZ"),
        "texts of Moscow": later.dt.strftime("%Y-%m-%d %H:%M+03:00"),
        "objects": pandas.Series(objects, dtype=object),
        "a zone for some": pandas.Series(
            [objects[0], *(one.replace(tzinfo=datetime.UTC) for one in objects[1:])], dtype=object
        ),
    }
    table = look(values[kind])
    assert table.dates == ["a"] and table.notes[0].startswith("Dates, expanded to")
    fitted = prepared(table)
    parts = fitted.named_transformers_["dates"][0].transform(table.X[["a"]])
    day = (datetime.date(2026, 11, 23) - datetime.date(1970, 1, 1)).days
    assert parts[0].tolist() == [day, 326, 0, 12] and parts[1].tolist() == [day + 1, 327, 1, 19]  # a Monday
    assert origins(fitted) == ["b", "a", "a", "a", "a"] and levels_of(fitted) == ()


@pytest.mark.parametrize("hole", [None, np.nan, pandas.NA])
def test_holes_that_come_later_are_filled(hole):
    frame = pandas.DataFrame(
        {"a": NUMBERS[:, 0], "town": TOWNS, "when": pandas.date_range("2026", periods=60)}
    )
    table = as_table(frame, YES)
    later = pandas.DataFrame({"a": [hole], "town": [hole], "when": [pandas.NaT]}, dtype=object)
    Z = prepared(table).transform(later)
    assert np.isfinite(Z).all() and (Z[0, -3:] == 0).all()


def test_texts_of_numbers_but_for_a_few_are_categories_and_a_note_names_one_of_them():
    texts = [f"{number:.3f}" if i % 10 else "?" for i, number in enumerate(NUMBERS[:, 0])]
    table = look(texts)
    assert table.categories == ["a"] and any(note.endswith("for numbers: a ('?').") for note in table.notes)
    assert not any("most of which" in note for note in look(TOWNS).notes)


def test_a_later_value_of_another_kind_is_named_with_its_column():
    frame = pandas.DataFrame({"a": NUMBERS[:, 0], "when": pandas.date_range("2026", periods=60).astype(str)})
    prepare = prepared(as_table(frame, YES))
    for column, value, kind in (("a", "?", "numbers"), ("when", "nonsense", "dates")):
        with pytest.raises(
            ValueError, match=f"X must hold {kind}, as in the compared table, in column {column}"
        ):
            prepare.transform(frame.astype(object).assign(**{column: value}))


def test_a_value_that_is_there_or_not_is_no_constant():
    values = pandas.Series([True, pandas.NA] * 30, dtype="boolean")
    table = look(values)
    assert table.categories == ["a"]
    assert np.array_equal(prepared(table).transform(table.X)[:, 1], np.tile([1, 0], 30))


def test_y_is_aligned_with_x_by_its_index():
    frame, y = pandas.DataFrame(NUMBERS, columns=list("abc")), pandas.Series(NUMBERS[:, 0])
    table = as_table(frame, y.sample(frac=1, random_state=0))
    assert np.array_equal(table.y, y) and "was aligned by its index" in table.notes[0]


@pytest.mark.parametrize("dtype", ["Int64", "string", "category", "boolean"])
def test_the_dtypes_of_pandas_make_targets(dtype):
    codes = np.arange(60) % 2
    y = pandas.Series(codes.astype(str) if dtype == "string" else codes).astype(dtype)
    assert len(np.unique(as_table(NUMBERS, y).y)) == 2
