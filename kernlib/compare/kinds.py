"""Tell the columns of a table apart: numbers, dates and categories, and what may be remarked of each."""

import warnings
from collections.abc import Hashable, Iterator
from datetime import UTC, date
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    *("LEVELS", "NOTES", "columns", "dates_of", "find_missing", "holds_number", "kind_of", "look_at"),
    *("numbers_of", "text_of"),
]

LEVELS = 50  # of a category that get a column each; rarer ones share one
LARGEST = 1e100  # its square is finite
CODES = 20  # an integer column with at most so many values may hold codes
COPIED = 32  # columns of an array

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


def text_of(value: Any) -> str:
    """Convert one value to a text."""
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value) if is_whole else value)
