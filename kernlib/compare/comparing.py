"""The lab's question, asked of any table within a budget of seconds and bytes.

Chapter: Your own data.
"""

import os
from collections.abc import Callable
from typing import Any

from kernlib.compare.choice import as_family
from kernlib.compare.climb import Budget
from kernlib.compare.machines import SCORES
from kernlib.compare.result import Comparison
from kernlib.compare.tables import as_table
from kernlib.compare.trial import Trial
from kernlib.kernels import Kernel
from kernlib.numerics.validation import check_choice, check_count, check_positive

__all__ = ["compare"]

UNKNOWN = 2 * 10**9  # bytes, where nothing tells how many are free


def compare(
    X: Any,
    y: Any,
    *,
    kernel: str | Kernel | Callable[[float], Kernel] = "rbf",
    budget: float = 60,
    memory: float | None = None,
    task: str = "auto",
    scoring: str | None = None,
    seeds: int = 3,
    random_state: int = 0,
    verbose: bool = True,
) -> Comparison:
    """
    Compare the exact machine, random features, Nyström and no kernel at all on a table, within a budget.

    Parameters
    ----------
    X : array_like of shape (n, p), DataFrame, str or Path
        The table: numbers, and texts, which become a column for each category; missing values are filled in.
        Or the name of a file, .csv or .parquet, which pandas reads.
    y : array_like of shape (n,) or str
        Targets: classes or numbers. Or the name of the column of X that holds them.
    kernel : {"rbf", "laplacian"}, callable or Kernel
        A family, of which γ is chosen; a function from γ to a kernel; or a kernel that stays as it is.
    budget : float
        Seconds for everything; a fit whose forecast does not fit what is left is not begun.
    memory : float, optional
        Bytes that may be taken beside the table itself; half of what is free where it is not given.
    task : {"auto", "classification", "regression"}
        By "auto", texts and few different integers in y are classes.
    scoring : {"accuracy", "balanced_accuracy", "r2"}, optional
        Accuracy of classes, R² of numbers, where it is not given.
    seeds : int
        How many draws of random features and landmarks.
    random_state : int
        Of the split into training and test rows, and the first of the seeds.
    verbose : bool
        Whether to print forecast and notes, and to show progress on a terminal or in a notebook.

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
    A quarter of the rows, 20,000 at most, are kept for the test. γ and C are chosen by cross-validation on a
    part of the others, in a third of the budget; λ is 1/(nC). The exact machine runs on rows that double,
    the approximations with a c that doubles. The machine recommended is the fastest within one standard error
    of the best score. Source: Rahimi and Recht (2007); Williams and Seeger (2001). Chapter: Your own data.
    """
    limits = Budget(check_positive("budget", budget), as_memory(memory))
    first = check_count("random_state", random_state, 0)
    draws = range(first, first + check_count("seeds", seeds, 1))
    family = as_family(kernel)
    table = as_table(X, y, task)
    scoring = as_scoring(scoring, table.task)
    trial = Trial(table, scoring, limits, first, verbose)
    forecast = trial.forecast(*family)
    trial.say(forecast.text, *table.notes)
    with trial.progress():
        kernel, C, C_squared = trial.choose(*family)
        if limits.left > 0:
            trial.climb(kernel, C, C_squared, draws)
        trial.at_least_one()
    return trial.result(forecast)


def as_memory(memory):
    """Give the bytes that may be taken: half of what is free, and of what a notebook server allows."""
    if memory is not None:
        return check_positive("memory", memory)
    try:
        from psutil import virtual_memory
    except ImportError:
        return UNKNOWN
    return min(virtual_memory().available, float(os.environ.get("MEM_LIMIT", "inf"))) / 2


def as_scoring(scoring, task):
    """Give the score by its name, one that fits the task."""
    names = [name for name in SCORES if (name == "r2") == (task == "regression")]
    if scoring is not None:
        check_choice("scoring", scoring, names)
    return scoring or names[0]
