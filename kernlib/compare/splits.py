"""Split the rows of a table into training and test rows."""

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold, train_test_split

from kernlib.numerics.validation import check_count

__all__ = ["FOLDS", "split_rows", "splits"]

SMALL, FOLDS = 2000, 5  # folds of a table of fewer rows
TEST_SHARE, TEST_ROWS = 4, 20_000  # one row in so many is a test row; at most so many of them


def splits(
    y: NDArray,
    task: str,
    random_state: int,
    *,
    groups: NDArray | None = None,
    time: NDArray | None = None,
    cv: int | None = None,
) -> list[tuple[NDArray, NDArray]]:
    """Split the rows into training and test rows, `cv` times, as `compare` describes it.

    Without `cv` one row in four is a test row, 20,000 at most. Training rows begin with one of each class.
    """
    n, rng = len(y), np.random.default_rng(random_state)
    classes = task == "classification"
    if cv is not None:
        check_count("cv", cv, 1, n)
    elif groups is None and time is None and n < SMALL:
        cv = FOLDS if not classes or np.unique(y, return_counts=True)[1].min() >= FOLDS else 1
    folds = 1 if cv is None else cv
    once = folds == 1
    if groups is not None and time is not None:
        raise ValueError("groups and time must not both be given.")
    if time is not None:
        pairs = split_by_time(time, folds)
    elif groups is None and once:
        return [split_rows(y, task, min(TEST_ROWS, -(-n // TEST_SHARE)), random_state)]
    else:
        number = TEST_SHARE if once else folds
        if groups is not None and (found := len(np.unique(groups))) < number:
            raise ValueError(f"groups must have at least {number} different values, got {found}.")
        largest = int(np.unique(y, return_counts=True)[1].max()) if classes else n
        if cv is not None:
            check_count("cv", cv, 1, largest, "the rows of the largest class")
        kinds = (KFold, StratifiedKFold) if groups is None else (GroupKFold, StratifiedGroupKFold)
        kind = kinds[classes and number <= largest](number, shuffle=True, random_state=random_state)
        pairs = list(kind.split(y, y, groups))[:folds]
    if any(len(np.unique(y[train])) < 2 for train, _ in pairs):
        raise ValueError("y must have two different values in the training rows of each split, got one.")
    pairs = [(begin_with_each_class(rng.permutation(train), y, task), test) for train, test in pairs]
    return [(train, rng.permutation(test)[: TEST_ROWS if once else n]) for train, test in pairs]


def split_by_time(time, folds):
    """Let each of `folds` splits end later, where a new time begins; its training rows came before."""
    n, order = len(time), np.argsort(time, kind="stable")
    starts = 1 + np.flatnonzero(time[order[1:]] != time[order[:-1]])
    size = min(n // TEST_SHARE, TEST_ROWS) if folds == 1 else n // (folds + 1)
    wanted = n - size * np.arange(folds, 0, -1)
    cuts = [starts[np.abs(starts - place).argmin()] for place in wanted if len(starts)]
    if len(set(cuts)) < folds:
        places, found = ", ".join(f"{place:,}" for place in wanted), f"{1 + len(starts)} different values"
        raise ValueError(
            f"time must change near row {places} of {n:,} in order, for a cut there, got {found}."
        )
    return [(order[:cut], order[cut:end]) for cut, end in zip(cuts, (*cuts[1:], n), strict=True)]


def begin_with_each_class(rows, y, task):
    """Move a row of each class to the front."""
    if task == "regression":
        return rows
    ahead = np.unique(y[rows], return_index=True)[1]
    return np.append(rows[ahead], np.delete(rows, ahead))


def split_rows(y: NDArray, task: str, size: int, random_state: int) -> tuple[NDArray, NDArray]:
    """Draw `size` test rows in which the classes have their shares, and shuffle the others.

    If a class has too few rows for that, the test rows are drawn from all but one row of each class.
    """
    rows = np.arange(len(y))
    if task == "regression":
        return train_test_split(rows, test_size=size, random_state=random_state)
    classes, ahead, counts = np.unique(y, return_index=True, return_counts=True)
    if counts.min() > 1 and len(classes) <= min(size, len(y) - size):
        first, second = train_test_split(rows, test_size=size, stratify=y, random_state=random_state)
        return begin_with_each_class(first, y, task), second
    first, second = train_test_split(np.delete(rows, ahead), test_size=size, random_state=random_state)
    return np.append(ahead, first), second
