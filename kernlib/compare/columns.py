"""Tell the columns of a table apart, and convert each kind to numbers.

Chapter: Your own data.
"""

import warnings
from collections import Counter
from collections.abc import Hashable, Iterator
from datetime import UTC, date
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

__all__ = [
    "NOTES", "as_numbers", "as_texts", "columns", "dates_of", "expand_dates", "find_missing", "holds_number",
    "join_indicators", "kind_of", "levels_of", "look_at", "numbers_of", "origins", "preparation",
]  # fmt: skip

LEVELS = 50  # of a category that get a column each; rarer ones share one
LARGEST = 1e100  # its square is finite
CODES = 20  # an integer column with at most so many values may hold codes
COPIED = 32  # columns of an array
DATE_PARTS = ("days", "day_of_year", "day_of_week", "hour")


NOTES = {  # what may be remarked of columns
    "constant": "Constant or empty, and left out",
    "filled": "Missing, and filled with the median",
    "own": "Missing, and a category of its own",
    "wide": f"More than {LEVELS} categories, of which the rare ones are joined",
    "nearly": "Texts most of which hold numbers, taken as categories; make the others missing for numbers",
    "text": "Texts that hold numbers, taken as numbers",
    "date": "Dates, expanded to days, day of the year, day of the week and hour",
    "codes": "Few different integers, taken as numbers; use the dtype category for codes",
}


def columns(X: Any) -> Iterator[tuple[Hashable, Any]]:
    """Go through the columns of a data frame or an array, each with the key by which scikit-learn selects it.

    A name that is no text is none of scikit-learn's: there, too, the key is the position. Of an array, some
    columns at a time are copied: it takes long to read one whose numbers are far apart in memory.
    """
    if hasattr(X, "iloc"):
        for j, name in enumerate(X.columns):
            yield name if isinstance(name, str) else j, X.iloc[:, j]
    else:
        for start in range(0, X.shape[1], COPIED):
            copied = np.ascontiguousarray(X[:, start : start + COPIED].T)
            yield from enumerate(copied, start)


def look_at(key: Hashable, column: Any) -> tuple[str, dict[str, Any]]:
    """Return the kind of a column and what `NOTES` remark of it: true, a number or an example."""
    missing = find_missing(column)
    holes, present = int(missing.sum()), np.asarray(column[~missing])
    if len(present) == 0:
        return "constant", {"constant": True}
    kind, is_text = kind_of(key, column, present)
    if kind == "number":
        numbers = numbers_of(present)
        there = ~np.isnan(numbers)  # the text "nan" is read as a missing value
        numbers, holes = numbers[there], holes + int(np.sum(~there))
        largest = np.abs(numbers).max(initial=0)
        if not largest < LARGEST:
            raise ValueError(f"X must be below {LARGEST:g} or missing, got {largest:g} in column {key}.")
        if len(numbers) and numbers.min() < numbers.max():
            codes = present.dtype.kind in "iu" and len(np.unique(present)) <= CODES
            return "number", {"filled": holes, "text": is_text, "codes": codes}
    values = dict.fromkeys(present.tolist())
    levels = len(set(map(text_of, values)) if kind == "category" else values)
    if levels == 1 and not holes:
        return "constant", {"constant": True}
    if kind == "date" and levels > 1:
        return "date", {"filled": holes, "date": True}
    remarks: dict[str, Any] = {"own": holes, "wide": levels * (levels > LEVELS)}
    if kind == "category" and str(column.dtype) != "category":  # texts
        others = [value for value in values if not holds_number(value)]
        remarks["nearly"] = repr(others[0]) if 2 * len(others) < levels else ""
    return "category", remarks  # also if one value is there or not


def kind_of(key: Hashable, column: Any, present: NDArray) -> tuple[str, bool]:
    """Return "number", "date" or "category", and whether texts are read as one of the first two."""
    kind = column.dtype.kind
    if str(column.dtype) == "category":
        return "category", False
    if kind in "biufmM":
        return "date" if kind == "M" else "number", False
    types = set(map(type, present.tolist())) if kind == "O" else ()
    kinds = {kind_of_type(one) for one in types} or {str if kind in "UT" else column.dtype}
    if kinds == {str}:
        for name, read in (("number", numbers_of), ("date", dates_of)):
            try:
                read(present)
                return name, True
            except ValueError:
                pass
        return "category", False
    if len(kinds) > 1 and str in kinds:
        raise TypeError(f"X must hold one kind of value in a column, got texts and others in column {key}.")
    if len(kinds) == 1 and kinds <= {float, date}:
        return "number" if kinds == {float} else "date", False
    found = next(one for one in kinds if one not in (float, date))
    raise TypeError(
        f"X must hold numbers, texts or dates, got {getattr(found, '__name__', found)} in column {key}: "
        "convert the column."
    )


def holds_number(value: str) -> bool:
    """Return whether a text holds a number."""
    try:
        float(value)
    except ValueError:
        return False
    return True


def kind_of_type(one):
    """Return float for a type of numbers, str for texts, date for days or times, and otherwise the type."""
    if issubclass(one, int | float | np.number | np.bool_):
        return float
    return next((kind for kind in (str, date) if issubclass(one, kind)), one)


def find_missing(values: Any) -> NDArray:
    """Mark None, NaN, NaT and pandas.NA in a column."""
    if hasattr(values, "isna"):
        return np.asarray(values.isna())
    if values.dtype.kind == "O":
        return np.array([is_missing(value) for value in values], dtype=bool)
    return values != values


def is_missing(value):
    """Return whether a value stands for a missing one."""
    named = type(value).__name__ in ("NoneType", "NAType", "NaTType")
    return named or (isinstance(value, float | np.floating | np.datetime64) and bool(value != value))


def as_numbers(X: Any) -> NDArray:
    """Convert numbers, texts of numbers and durations (in seconds) to float64, and missing values to NaN."""
    if isinstance(X, np.ndarray) and X.dtype.kind in "biuf":
        return X.astype(np.float64)
    return np.column_stack([fill_present(key, column, numbers_of, np.nan) for key, column in columns(X)])


def expand_dates(X: Any) -> NDArray:
    """Convert each date to four numbers: days since 1970, day of the year, day of the week, hour."""
    parts = []
    for key, column in columns(X):
        times = fill_present(key, column, dates_of, np.datetime64("NaT", "s"))
        days = times.astype("datetime64[D]")
        number = np.where(np.isnat(days), np.nan, days.astype(float))
        year_day = (days - days.astype("datetime64[Y]").astype("datetime64[D]")) / np.timedelta64(1, "D")
        parts += [number, year_day, (number + 3) % 7, (times - days) / np.timedelta64(1, "h")]
    return np.column_stack(parts)


def name_dates(_, names):
    """Name the four numbers of each date."""
    return np.array([f"{name}_{part}" for name in names for part in DATE_PARTS], dtype=object)


def as_texts(X: Any) -> NDArray:
    """Convert categories to texts, and missing values to None."""
    return np.column_stack([fill_present(key, column, texts_of, None) for key, column in columns(X)])


def fill_present(key, column, convert, missing):
    """Convert the values that are there; put `missing` in place of the others."""
    gone = find_missing(column)
    filled = np.full(len(gone), missing)
    if not gone.all():
        try:
            filled[~gone] = convert(np.asarray(column[~gone]))
        except (TypeError, ValueError) as error:
            kind = "dates" if convert is dates_of else "numbers"
            raise ValueError(
                f"X must hold {kind}, as in the compared table, in column {key}: {error}."
            ) from None
    return filled


def numbers_of(values: NDArray) -> NDArray:
    """Convert values to float64."""
    if values.dtype.kind == "m":
        return values / np.timedelta64(1, "s")
    return values.astype(np.float64)


def dates_of(values: NDArray) -> NDArray:
    """Convert dates, or texts such as 2026-11-23 or 2026/11/23T12:00Z, to seconds in UTC."""
    if values.dtype.kind == "O" and isinstance(values[0], str):
        if not all(len(value) >= 8 and value[0].isdigit() for value in values):
            raise ValueError("not dates")
        values = np.array([value.replace("/", "-").removesuffix("Z") for value in values])
    elif values.dtype.kind == "O":
        values = np.array([in_utc(value) for value in values], "datetime64[s]")
    with warnings.catch_warnings():  # that the result, in UTC, does not show the zones of texts
        warnings.filterwarnings("ignore", "no explicit representation of timezones")
        return values.astype("datetime64[s]")


def in_utc(value):
    """Convert a time to UTC, which one without a zone is taken to be in."""
    return value.astimezone(UTC).replace(tzinfo=None) if getattr(value, "tzinfo", None) else value


def texts_of(values):
    """Convert values to texts; 3 and 3.0 become the same one."""
    names = {value: text_of(value) for value in set(values.tolist())}
    return np.array([names[value] for value in values.tolist()], dtype=object)


def text_of(value):
    """Convert one value to a text."""
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)


def preparation(numbers: list, dates: list, categories: list) -> ColumnTransformer:
    """Build the transformer to a matrix of numbers: standardized, a column of 0 and 1 for each category."""
    one_hot = OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=LEVELS, sparse_output=False)
    fill = (SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    parts = (
        ("numbers", (FunctionTransformer(as_numbers, feature_names_out="one-to-one"), *fill), numbers),
        ("dates", (FunctionTransformer(expand_dates, feature_names_out=name_dates), *fill), dates),
        ("categories", (FunctionTransformer(as_texts, feature_names_out="one-to-one"), one_hot), categories),
    )
    return ColumnTransformer([(name, make_pipeline(*steps), keys) for name, steps, keys in parts if keys])


def origins(prepare: ColumnTransformer) -> list[str]:
    """Return, for each column that a fitted preparation makes, the name of the column that it came from."""
    levels, names = levels_of(prepare), []
    for name, _, keys in prepare.transformers_:
        if name != "remainder":
            counts = (
                levels if name == "categories" else [len(DATE_PARTS) if name == "dates" else 1] * len(keys)
            )
            names += [str(key) for key, count in zip(keys, counts, strict=True) for _ in range(count)]
    return names


def levels_of(prepare: ColumnTransformer) -> tuple[int, ...]:
    """Count the columns that a fitted preparation makes of each category; they come last."""
    if "categories" not in prepare.named_transformers_:
        return ()
    one_hot = prepare.named_transformers_["categories"][-1]
    made = one_hot.get_feature_names_out([str(j) for j in range(one_hot.n_features_in_)])
    return tuple(Counter(name.split("_")[0] for name in made).values())


def join_indicators(X: NDArray, levels: tuple[int, ...]) -> NDArray:
    """Put one column of codes in place of the columns of 0 and 1 of each category, which come last."""
    starts = X.shape[1] - sum(levels) + np.cumsum((0, *levels[:-1]))
    numbers, *blocks = np.split(X, starts, axis=1)
    return np.column_stack([numbers, *(block.argmax(axis=1) for block in blocks)])
