"""A table as it comes: read, its columns told apart, its rows cut in two, its numbers put on one scale.

Chapter: Your own data.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from kernlib.numerics.validation import as_array, describe

__all__ = ["FEWEST", "Table", "as_table", "preparation", "split_rows"]

LEVELS = 50  # of a category that get a column each; rarer ones share one
CLASSES = 50  # as many different integers in y, at most, are classes
LARGEST = 1e100  # of which the square is finite
FEWEST = 8  # rows, of which two are kept for the test


@dataclass(frozen=True, eq=False)
class Table:
    """Inputs and targets, which columns are numbers and which categories, and what was noticed."""

    X: object
    y: np.ndarray
    task: str
    numbers: list
    categories: list
    incomplete: bool  # whether a number is missing
    width: int  # columns, once the categories have theirs
    notes: list


def as_table(X: Any, y: Any, task: str = "auto") -> Table:
    """Look at every column once, and say in sentences what is left out, filled in or refused."""
    X, y = read(X, y)
    y = as_labels(y, len(X))
    kinds = {key: look_at(key, column) for key, column in columns(X)}
    left_out = [key for key, (kind, _, _) in kinds.items() if kind == "constant"]
    if len(left_out) == len(kinds):
        raise ValueError(f"X must have a column that is not constant, got {len(kinds)} constant ones.")
    of = {kind: [key for key in kinds if kinds[key][0] == kind] for kind in ("number", "category")}
    holes = {kind: {key: kinds[key][1] for key in of[kind] if kinds[key][1]} for kind in of}
    notes = [
        f"Constant, and left out: {named(left_out)}." if left_out else "",
        f"Missing, and filled with the median: {counted(holes['number'])}." if holes["number"] else "",
        f"Missing, and a category of its own: {counted(holes['category'])}." if holes["category"] else "",
    ]
    wide = {key: kinds[key][2] for key in of["category"] if kinds[key][2] > LEVELS}
    if wide:
        notes.append(f"More than {LEVELS} categories, of which the rare ones are joined: {counted(wide)}.")
    found = as_task(y, task)
    if found == "regression":
        y = np.asarray(y, dtype=float)
        if not np.isfinite(y).all():
            raise ValueError(f"y must be finite, got infinity in row {np.isinf(y).argmax()}.")
    elif 2 * len(np.unique(y)) > len(y):
        raise ValueError(
            f"y must have two rows a class at least, got {len(np.unique(y))} classes in {len(y)} rows."
        )
    elif task == "auto" and y.dtype.kind in "iuf":
        notes.append(
            f"y has {len(np.unique(y))} different values: classes. task='regression' says otherwise."
        )
    notes = [note for note in notes if note]
    width = len(of["number"]) + sum(min(kinds[key][2], LEVELS) for key in of["category"])
    return Table(X, y, found, of["number"], of["category"], bool(holes["number"]), width, notes)


def read(X, y):
    """Give X and y as arrays or data frames: from a file, and y from a column of X, where they say so."""
    if isinstance(X, str | Path):
        X = read_file(Path(X))
    if isinstance(y, str):
        if not hasattr(X, "columns"):
            raise TypeError(f"y is the name of a column, {y!r}, but X has no names, being {describe(X)}.")
        if y not in X.columns:
            raise ValueError(f"y must be a column of X, {named(X.columns)}, got {y!r}.")
        X, y = X.drop(columns=y), X[y]
    if not hasattr(X, "iloc"):
        X = as_array(X, "X")
        if X.ndim != 2:
            raise ValueError(f"X must be 2-D, one row an observation, got shape {X.shape}.")
    if len(X) < FEWEST or X.shape[1] == 0:
        raise ValueError(f"X must have {FEWEST} rows and a column at least, got shape {tuple(X.shape)}.")
    return X, y


def read_file(path):
    """Read a CSV or parquet file by pandas."""
    readers = {".csv": "read_csv", ".gz": "read_csv", ".parquet": "read_parquet"}
    if path.suffix not in readers:
        raise ValueError(f"X must be a file .csv, .csv.gz or .parquet, got {path.name}.")
    try:
        import pandas
    except ImportError:
        raise ImportError(
            f"X is a file, {path.name}, which pandas reads: pip install 'kernlib[tables]'."
        ) from None
    return getattr(pandas, readers[path.suffix])(path)


def as_labels(y, n):
    """Give y as n values of which none is missing."""
    missing = np.asarray(y.isna()) if hasattr(y, "isna") else None
    y = as_array(y, "y")
    if y.shape != (n,):
        raise ValueError(f"y must have shape ({n},), one value for each row of X, got {y.shape}.")
    missing = is_missing(y) if missing is None else missing
    if missing.any():
        raise ValueError(
            f"y must be complete, got {missing.sum()} missing values, the first in row {missing.argmax()}: "
            "leave these rows out."
        )
    return y


def as_task(y, task):
    """Tell classes from numbers: texts and truths are classes, and so are a few different integers."""
    if task not in ("auto", "classification", "regression"):
        raise ValueError(f"task must be 'auto', 'classification' or 'regression', got {describe(task)}.")
    try:
        values = np.unique(y)
    except TypeError:
        raise TypeError("y must hold values of one kind, got some that cannot be compared.") from None
    if len(values) < 2:
        raise ValueError(f"y must have two different values at least, got {values[0]} alone.")
    numeric = y.dtype.kind in "iuf"
    if task == "regression" and not (numeric or y.dtype.kind == "b"):
        raise TypeError(f"y must hold numbers for a regression, got {describe(y[0])}.")
    if task != "auto":
        return task
    few = len(values) <= max(2, min(CLASSES, len(y) // 3))
    return "classification" if not numeric or (few and np.all(values == np.rint(values))) else "regression"


def columns(X):
    """Give each column with the key by which a ColumnTransformer finds it."""
    if hasattr(X, "iloc"):
        if len(set(X.columns)) < X.shape[1]:
            raise ValueError("X must have columns of different names, got the same one twice.")
        return [(name, X[name]) for name in X.columns]
    return [(j, X[:, j]) for j in range(X.shape[1])]


def look_at(key, column):
    """Tell what kind of column it is, how many of its values are missing, and how many categories it has."""
    kind = column.dtype.kind
    if kind in "mMc":
        raise TypeError(
            f"X must hold numbers and texts, got {column.dtype} in column {key}: make it a number."
        )
    missing = np.asarray(column.isna()) if hasattr(column, "isna") else is_missing(column)
    present = np.asarray(column[~missing])
    kinds = {kind_of(value) for value in present} if kind == "O" else {str if kind in "UTS" else float}
    if str in kinds and len(kinds) > 1:
        raise TypeError(f"X must hold one kind of value in a column, got texts and others in column {key}.")
    is_number = kinds <= {float}
    if is_number:
        present = present.astype(float, copy=False)
        largest = np.abs(present).max(initial=0)
        if not largest < LARGEST:
            raise ValueError(f"X must be below {LARGEST:g} or missing, got {largest:g} in column {key}.")
        levels = len({present.min(), present.max()}) if len(present) else 0
    else:
        levels = len(set(present))
        if "NAType" in {type(value).__name__ for value in np.asarray(column[missing], dtype=object)}:
            raise TypeError(f"X must mark a missing text by None or NaN, got pandas.NA in column {key}.")
    constant = levels == 0 or (levels == 1 and (is_number or not missing.any()))
    return "constant" if constant else "number" if is_number else "category", int(missing.sum()), levels


def kind_of(value):
    """Tell a number from a text, and from anything else."""
    if isinstance(value, int | float | np.number | np.bool_):
        return float
    return str if isinstance(value, str) else type(value)


def is_missing(values):
    """Tell which values of an array are None or not a number."""
    if values.dtype.kind == "f":
        return np.isnan(values)
    if values.dtype.kind == "O":
        return np.array([value is None or value != value for value in values], dtype=bool)
    return np.zeros(values.shape, dtype=bool)


def named(keys):
    """Name a few columns."""
    keys = list(map(str, keys))
    return ", ".join(keys[:5]) + (f" and {len(keys) - 5} more" if len(keys) > 5 else "")


def counted(counts):
    """Name a few columns, each with a number."""
    return named(f"{key} ({count:,})" for key, count in counts.items())


def preparation(table: Table) -> ColumnTransformer:
    """Build the transformer to a matrix of numbers: standardized, a column of 0 and 1 for each category."""
    scale = StandardScaler()
    parts = []
    if table.numbers:
        fill = make_pipeline(SimpleImputer(strategy="median"), scale) if table.incomplete else scale
        parts.append(("numbers", fill, table.numbers))
    if table.categories:
        one_hot = OneHotEncoder(
            handle_unknown="infrequent_if_exist", max_categories=LEVELS, sparse_output=False
        )
        parts.append(("categories", one_hot, table.categories))
    return ColumnTransformer(parts)


def split_rows(y: NDArray, task: str, size: int, random_state: int) -> tuple[NDArray, NDArray]:
    """
    Cut the rows in two, `size` of them in the second part, in which the classes have their shares.

    The first part is shuffled and begins with a row of each class, so that its first rows are a sample. Where
    a class has one row, or there are more classes than rows to give them, the second part is drawn from the
    other rows.
    """
    rows = np.arange(len(y))
    if task == "regression":
        return train_test_split(rows, test_size=size, random_state=random_state)
    classes, ahead, counts = np.unique(y, return_index=True, return_counts=True)
    if counts.min() > 1 and len(classes) <= min(size, len(y) - size):
        first, second = train_test_split(rows, test_size=size, stratify=y, random_state=random_state)
        _, ahead = np.unique(y[first], return_index=True)
        return np.append(first[ahead], np.delete(first, ahead)), second
    first, second = train_test_split(np.delete(rows, ahead), test_size=size, random_state=random_state)
    return np.append(ahead, first), second
