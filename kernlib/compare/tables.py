"""Read a table, and check its columns and targets."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernlib.compare.kinds import NOTES, columns, find_missing, holds_number, look_at
from kernlib.numerics.validation import as_array, describe

__all__ = ["FEWEST", "Table", "align", "as_table", "read_file"]

CLASSES = 50  # as many different integers in y, at most, are classes
SMALLEST, LARGEST = 1e-30, 1e30  # of the targets, which boosted trees hold in float32
FEWEST = 8  # rows, of which two are kept for the test


@dataclass(frozen=True, eq=False)
class Table:
    """Inputs and targets, the columns of each kind, and what was noticed."""

    X: Any
    y: NDArray
    task: str
    numbers: list
    dates: list
    categories: list
    notes: list


def as_table(X: Any, y: Any, task: str = "auto") -> Table:
    """Look at every column once, and note what is left out, filled in or converted."""
    X, y, notes = read(X, y)
    if task == "auto" and str(getattr(y, "dtype", "")) == "category":
        task = "classification"
    y = as_labels(y, len(X))
    looks = {key: look_at(key, column) for key, column in columns(X)}
    kinds = {
        kind: [key for key, (found, _) in looks.items() if found == kind]
        for kind in ("constant", "number", "date", "category")
    }
    if len(kinds["constant"]) == len(looks):
        raise ValueError(f"X must have a column that is not constant, got {len(looks)} constant ones.")
    for remark, note in NOTES.items():
        found = {key: remarks[remark] for key, (_, remarks) in looks.items() if remarks.get(remark)}
        names = (
            key if what is True else f"{key} ({what if isinstance(what, str) else f'{what:,}'})"
            for key, what in found.items()
        )
        notes += [f"{note}: {named(names)}."] * bool(found)
    y, found_task = as_task(y, task)
    if task == "auto" and found_task == "classification" and y.dtype.kind in "iuf":
        notes.append(
            f"y has {len(np.unique(y))} different values, taken as classes; task='regression' changes that."
        )
    return Table(X, y, found_task, kinds["number"], kinds["date"], kinds["category"], notes)


def read(X, y):
    """Return X and y as arrays or data frames, read from a file or taken from a column, and notes."""
    X, notes = read_file(X), []
    if hasattr(X, "iloc"):
        if not hasattr(X, "columns"):
            raise ValueError("X must be 2-D, got a Series: pass X.to_frame().")
        if getattr(X.columns, "nlevels", 1) > 1:
            raise ValueError("X must have one name for each column, got a MultiIndex: flatten its names.")
        if len({isinstance(name, str) for name in X.columns}) > 1:
            raise ValueError("X must have names of one type, got texts and others: take columns.astype(str).")
        if not X.columns.is_unique:
            raise ValueError("X must have columns of different names, got the same one twice.")
        if X.columns.tolist() != list(range(X.shape[1])) and not isinstance(X.columns[0], str):
            notes.append("The names of X's columns are not texts: its columns are counted from 0.")
    if isinstance(y, str):
        if not hasattr(X, "columns"):
            raise TypeError(f"y is the name of a column, {y!r}, but X has no names, being {describe(X)}.")
        if y not in X.columns:
            raise ValueError(f"y must be a column of X, {named(X.columns)}, got {y!r}.")
        X, y = X.drop(columns=y), X[y]
    aligned = align(y, X, "y")
    if aligned is not y:
        y = aligned
        notes.append("y is in another order than X, and was aligned by its index.")
    if not hasattr(X, "iloc"):
        X = as_array(X, "X")
        if X.ndim != 2:
            raise ValueError(f"X must be 2-D, one row an observation, got shape {X.shape}.")
    if len(X) < FEWEST or X.shape[1] == 0:
        raise ValueError(f"X must have {FEWEST} rows and a column at least, got shape {tuple(X.shape)}.")
    return X, y, notes


def align(values: Any, X: Any, name: str) -> Any:
    """Bring values with an index into the order of X, or raise an error; return others as they are."""
    if not (hasattr(X, "iloc") and hasattr(values, "iloc")) or values.index.equals(X.index):
        return values
    index = values.index
    if not (index.is_unique and X.index.is_unique and len(index) == len(X) and X.index.isin(index).all()):
        found = f"got another: to go by position, pass {name}.to_numpy()."
        raise ValueError(f"{name} must have the index of X, {found}")
    return values.loc[X.index]


def read_file(X: Any) -> Any:
    """Read a CSV or parquet file by pandas; return anything else as it is."""
    if not isinstance(X, str | Path):
        return X
    path = Path(X)
    readers = {".csv": "read_csv", ".gz": "read_csv", ".parquet": "read_parquet"}
    suffix = path.suffix.lower()
    if suffix not in readers:
        raise ValueError(f"X must be a file .csv, .csv.gz or .parquet, got {path.name}.")
    try:
        import pandas
    except ImportError:
        raise ImportError(
            f"X is a file, {path.name}, which pandas reads: pip install 'kernlib[tables]'."
        ) from None
    return getattr(pandas, readers[suffix])(path)


def as_labels(y, n):
    """Convert y to an array of n values, none of them missing."""
    if hasattr(y, "iloc") and hasattr(y, "columns") and y.shape[1] == 1:
        y = y.iloc[:, 0]
    missing = find_missing(y) if hasattr(y, "isna") else None
    y = as_array(y, "y")
    if y.shape != (n,):
        raise ValueError(f"y must have shape ({n},), one value for each row of X, got {y.shape}.")
    missing = find_missing(y) if missing is None else missing
    if missing.any():
        raise ValueError(
            f"y must be complete, got {missing.sum()} missing values, the first in row {missing.argmax()}: "
            "leave these rows out."
        )
    if y.dtype.kind == "O":
        kinds = set(map(type, y))
        if kinds <= {bool, int, float, str}:
            return np.array(y.tolist())
        if all(issubclass(kind, Real | Decimal) for kind in kinds):
            return y.astype(float)
        if other := next((kind for kind in kinds if not issubclass(kind, Real | Decimal | str)), None):
            raise TypeError(f"y must hold numbers or texts, got {other.__name__}: convert it by astype(str).")
    return y


def as_task(y, task):
    """Return y and its task: texts, truth values and few different integers are classes."""
    if task not in ("auto", "classification", "regression"):
        raise ValueError(f"task must be 'auto', 'classification' or 'regression', got {describe(task)}.")
    if y.dtype.kind in "mM":
        raise TypeError(f"y must hold numbers or classes, got {y.dtype}.")
    try:
        values = np.unique(y)
    except TypeError:
        raise TypeError("y must hold values of one kind, got some that cannot be compared.") from None
    if len(values) < 2:
        raise ValueError(f"y must have two different values at least, got {values[0]} alone.")
    numeric = y.dtype.kind in "iuf"
    if task == "regression" and not (numeric or y.dtype.kind == "b"):
        raise TypeError(f"y must hold numbers for a regression, got {describe(y.tolist()[0])}.")
    auto = task == "auto"
    if auto:
        few = len(values) <= max(2, min(CLASSES, len(y) // 3))
        is_class = not numeric or (few and np.all(values == np.rint(values)))
        task = "classification" if is_class else "regression"
    if task == "classification":
        if 2 * len(values) > len(y):
            found = f"{len(values)} classes in {len(y)} rows"
            advice = "" if numeric else ": if y holds texts of numbers, convert it by astype(float)"
            raise ValueError(f"y must have two rows a class at least, got {found}{advice}.")
        if auto and y.dtype.kind == "U" and len(values) > CLASSES and all(map(holds_number, values)):
            found = f"texts of {len(values):,} different numbers"
            raise TypeError(
                f"y must hold numbers or classes, got {found}: convert it by astype(float), or pass "
                "task='classification'."
            )
        return y, task
    y = y.astype(float)
    if not np.isfinite(y).all():
        raise ValueError(f"y must be finite, got infinity in row {np.isinf(y).argmax()}.")
    if np.abs(y).max() > LARGEST or np.ptp(y) < SMALLEST:
        raise ValueError(
            f"y must be at most {LARGEST:g} and vary by {SMALLEST:g} at least, got values from "
            f"{y.min():.3g} to {y.max():.3g}: choose another unit."
        )
    return y, task


def named(keys: Iterable) -> str:
    """List a few columns by name."""
    keys = list(map(str, keys))
    return ", ".join(keys[:5]) + (f" and {len(keys) - 5} more" if len(keys) > 5 else "")
