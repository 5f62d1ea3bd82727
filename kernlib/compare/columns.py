"""Convert the columns of a table to numbers, each kind in its way."""

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

from kernlib.compare.kinds import LEVELS, columns, dates_of, find_missing, numbers_of, text_of

__all__ = ["as_numbers", "as_texts", "expand_dates", "join_indicators", "levels_of", "origins", "preparation"]

DATE_PARTS = ("days", "day_of_year", "day_of_week", "hour")


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


def texts_of(values):
    """Convert values to texts; 3 and 3.0 become the same one."""
    names = {value: text_of(value) for value in set(values.tolist())}
    return np.array([names[value] for value in values.tolist()], dtype=object)


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
            each = len(DATE_PARTS) if name == "dates" else 1
            counts = levels if name == "categories" else [each] * len(keys)
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
