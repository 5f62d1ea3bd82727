"""Which model suits a table, within a budget of seconds and bytes."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from kernlib.compare.choice import as_family
from kernlib.compare.climb import Budget
from kernlib.compare.kinds import dates_of, find_missing, kind_of, numbers_of
from kernlib.compare.result import Comparison
from kernlib.compare.scores import SCORES
from kernlib.compare.splits import splits
from kernlib.compare.tables import align, as_table, read_file
from kernlib.compare.trial import Trial
from kernlib.kernels import Kernel
from kernlib.numerics.validation import check_choice, check_count, check_instance, check_positive

__all__ = ["compare"]

UNKNOWN = 2 * 10**9  # bytes, if it is not known how many are free


def compare(
    X: Any,
    y: Any,
    *,
    kernel: str | Kernel | Callable[[float], Kernel] = "rbf",
    budget: float = 60,
    memory: float | None = None,
    task: str = "auto",
    scoring: str | None = None,
    groups: Any = None,
    time: Any = None,
    cv: int | None = None,
    refit: bool = True,
    seeds: int = 3,
    random_state: int = 0,
    verbose: bool = True,
) -> Comparison:
    """Compare exact kernel ridge regression, random features and Nyström with a linear model and trees.

    Parameters
    ----------
    X : array_like of shape (n, p), DataFrame, str or Path
        The table: numbers, texts, categories, dates, with missing values. Or the name of a file, .csv or
        .parquet, which pandas reads.
    y : array_like of shape (n,) or str
        Targets: classes or numbers; a Series is aligned with X by its index. Or the name of a column of X.
    kernel : {"rbf", "laplacian"}, callable or Kernel
        A family, of which γ is chosen; a function from γ to a kernel; or a kernel that stays as it is.
    budget : float
        Seconds for everything; a fit is begun only if its forecast fits the time that is left.
    memory : float, optional
        Bytes that may be used beside the table itself; by default half of what is free.
    task : {"auto", "classification", "regression"}
        By "auto", texts, the dtype category and few different integers in y are classes.
    scoring : {"accuracy", "balanced_accuracy", "roc_auc", "log_loss", "r2"}, optional
        By default accuracy for classes, R² for numbers. "balanced_accuracy" gives each class the same
        weight, and chooses the threshold on training rows. "log_loss" is its negative.
    groups : array_like of shape (n,) or str, optional
        Rows of one group are either all test rows or all training rows. As the name of a column of X, that
        column is not used as an input.
    time : array_like of shape (n,) or str, optional
        The test rows are the latest; rows of one time are all test rows or all training rows. Numbers, dates,
        texts of either, or ordered categories; may be the name of a column of X, which stays an input.
    cv : int, optional
        Number of folds, of which each in turn has the test rows; by default 5 for fewer than 2,000 rows and
        at least 5 of each class, otherwise, and with `groups` or `time`, 1, a single split.
    refit : bool
        Whether to fit the recommended model to all rows in the end, if it had all training rows.
    seeds : int
        How many draws of random features and landmarks, if they take little time.
    random_state : int
        Of the split into training and test rows, and the first of the seeds.
    verbose : bool
        Whether to print the forecast and notes, and to show progress on a terminal or in a notebook.

    Returns
    -------
    Comparison
        With ``table``, ``plot()``, ``recommendation``, a fitted ``pipeline`` and its ``code()``.

    Raises
    ------
    TypeError, ValueError
        If the table or an argument is not as described; the sentence names the column.
    ImportError
        If X is a file and pandas is not installed.

    Notes
    -----
    Libraries use one thread each. What fits the budget depends on the computer, so two calls may differ. Test
    rows are at most 700 for each second, but 1,000, and 30 of each class, if there are so many. Medians,
    scales and categories are those of at most 4,000 training rows; a category that they lack is treated like
    a rare one. γ and λ are chosen by leave-one-out on part of the training rows; with "rbf", each column then
    gets its own γ if that predicts other training rows better. The exact model is fitted to rows that double
    in number, the approximations with a c that doubles, trees with rows and steps that grow, until more steps
    score less; kernels, trees and the linear model have equal shares of the time. The best of each kind are
    averaged, if they are within two standard errors of the best of all. Recommended is the best model, or the
    average if it is as close to it, unless a model that is ten times faster is within one standard error of
    the best. Errors are those of differences on the same test rows.
    Source: Rahimi and Recht (2007); Williams and Seeger (2001); Rifkin and Lippert (2007). Chapter: Your own
    data.
    """
    limits = Budget(check_positive("budget", budget), as_memory(memory))
    first = check_count("random_state", random_state, 0, 2**32 - 1)
    check_instance("refit", refit, bool, "True")
    draws = range(first, first + check_count("seeds", seeds, 1))
    family = as_family(kernel)
    X = read_file(X)
    time, apart = as_column(X, "time", time), as_column(X, "groups", groups)
    table = as_table(X.drop(columns=groups) if isinstance(groups, str) else X, y, task)
    scoring = SCORES[table.task][0] if scoring is None else scoring
    check_choice("scoring", scoring, SCORES[table.task])
    pairs = splits(table.y, table.task, first, groups=apart, time=time, cv=cv)
    with threadpool_limits(1):
        trial = Trial(table, pairs, scoring, limits, draws, refit, verbose)
        with trial.progress():
            trial.choose(*family)
            trial.make_ladders()
            trial.climb()
            return trial.result()


def as_memory(memory):
    """Return the bytes that may be used: half of what is free, or of what a notebook server allows."""
    if memory is not None:
        return check_positive("memory", memory)
    try:
        from psutil import virtual_memory
    except ImportError:
        return UNKNOWN
    return min(virtual_memory().available, float(os.environ.get("MEM_LIMIT", "inf"))) / 2


def as_column(X, name, values):
    """Return groups or times as an array, taken from X if they are the name of its column."""
    if values is None:
        return None
    if isinstance(values, str):
        if values not in getattr(X, "columns", ()):
            raise ValueError(f"{name} must be a column of X or an array, got {values!r}.")
        values = X[values]
    values = align(values, X, name)
    array = check_complete(np.asarray(values), name, len(X))
    # Among texts of numbers, "nan" is a missing one.
    return check_complete(as_times(values, array), name, len(X)) if name == "time" else array


def check_complete(array, name, n):
    """Raise an error unless there is a value for each of n rows."""
    fits = array.shape == (n,)
    if not fits or find_missing(array).any():
        found = f"{find_missing(array).sum()} missing values" if fits else f"shape {array.shape}"
        raise ValueError(f"{name} must have a value for each row of X, got {found}.")
    return array


def as_times(values, array):
    """Return times that can be put in order: numbers or dates, also from texts, or codes of categories."""
    if getattr(getattr(values, "dtype", None), "ordered", False):
        return np.asarray(getattr(values, "cat", values).codes)
    if array.dtype.kind in "biufmM":
        return array
    kind, _ = kind_of("time", array, array)
    if kind == "category":
        found = f"texts such as {str(array[0])!r}"
        raise ValueError(f"time must hold numbers, dates or ordered categories, got {found}.")
    return numbers_of(array) if kind == "number" else dates_of(array)
