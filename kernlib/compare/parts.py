"""Training and test rows as numbers, with the kernel chosen on the former."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import TransformerMixin
from sklearn.utils import gen_batches
from sklearn.utils.class_weight import compute_sample_weight

from kernlib.compare.choice import Chooser
from kernlib.compare.climb import Budget, in_bytes
from kernlib.compare.columns import preparation
from kernlib.compare.models import indicators, memory_of
from kernlib.compare.splits import FOLDS
from kernlib.compare.tables import FEWEST, Table
from kernlib.numerics.regularization import row_keys
from kernlib.numerics.rows import take_rows

__all__ = ["Part", "prepare_parts", "prepared"]

PILOT, PILOT_TEST = 2000, 1000  # training and test rows whose preparation is timed
LEARNING = 4000  # rows from which the preparation learns medians, scales and categories, at most
LEARNED, FEWEST_LEARNED = 10**6, 500  # numbers in these rows, at most, unless there are so few rows
PREPARING = 0.15  # of the budget
TEST_RATE = 700  # test rows for each second of the budget: predictions of more take longer than fits
UNEQUAL = 1.1  # times as many training rows in one split as in another are reported
RARE = 30  # test rows of the rarest class, if there are so many, whatever their predictions take
AT_ONCE, SLICE = 10**6, (1000, 8000)  # numbers that are prepared at once; the least and the most rows
COPIES = 0.05  # of the test rows are reported
COMPARED = 32  # columns, at most
PREPARED = 40  # bytes for a number of the table during its preparation; 8 later


@dataclass
class Part:
    """Training and test rows of a table, prepared by what the training rows teach."""

    prepare: TransformerMixin
    train: tuple[NDArray, NDArray]
    test: tuple[NDArray, NDArray]
    test_rows: NDArray
    choice: Any = None  # a Choice, once it is made

    @classmethod
    def of(cls, table: Table, train: NDArray, test: NDArray) -> "Part":
        """Prepare some rows; the kernel is chosen later."""
        prepare = preparation(table.numbers, table.dates, table.categories)
        some = first_rows(table, train, LEARNING)
        prepare.set_output(transform="default").fit(take_rows(table.X, some))
        rows = prepared(prepare, table, train)
        standardize_far_columns(prepare, rows[0])
        return cls(prepare, rows, prepared(prepare, table, test), test)

    @property
    def nbytes(self) -> int:
        """Bytes of the prepared rows."""
        return self.train[0].nbytes + self.test[0].nbytes

    def chooser(self, classes: NDArray, balanced: bool, budget: Budget) -> Chooser:
        """Return what chooses kernel and λ on the training rows; `classes` are empty for a regression."""
        X, y = self.train
        Y = indicators(y, classes) if len(classes) else ((y - y.mean()) / y.std())[:, None]
        weights = compute_sample_weight("balanced", y) if balanced else None
        return Chooser(X, Y, weights, budget.clock, np.inf, budget.memory - self.nbytes)


def first_rows(table: Table, rows: NDArray, most: int) -> NDArray:
    """Return the first of some rows, `most` or fewer if they are wide."""
    return rows[: min(most, max(FEWEST_LEARNED, LEARNED // table.X.shape[1]))]


def prepared(prepare: TransformerMixin, table: Table, rows: NDArray) -> tuple[NDArray, NDArray]:
    """Return some rows as numbers, with their targets; a slice at a time, to use the same memory again."""
    size = int(np.clip(AT_ONCE // table.X.shape[1], *SLICE))
    slices = (prepare.transform(take_rows(table.X, rows[some])) for some in gen_batches(len(rows), size))
    first = np.asarray(next(slices))
    X = np.empty((len(rows), first.shape[1]))
    X[: len(first)] = first
    for i, one in enumerate(slices, 1):
        X[i * size : (i + 1) * size] = one
    return X, table.y[rows]


def standardize_far_columns(prepare: TransformerMixin, X: NDArray) -> None:
    """Standardize anew, by all rows X, those columns of them whose scale was learned from too few.

    No number in n rows is farther than √n standard deviations from their mean.
    """
    start = 0
    for name in ("numbers", "dates"):  # the first columns of X
        if name in prepare.named_transformers_:
            scaler = prepare.named_transformers_[name][-1]
            part = X[:, start : start + len(scaler.scale_)]
            start += len(scaler.scale_)
            far = np.maximum(part.max(axis=0), -part.min(axis=0)) > np.sqrt(len(X))
            mean, spread = part[:, far].mean(axis=0), part[:, far].std(axis=0)
            scaler.mean_[far] += scaler.scale_[far] * mean
            scaler.scale_[far] *= spread
            part[:, far] = (part[:, far] - mean) / spread


def prepare_parts(
    table: Table, pairs: Sequence[tuple[NDArray, NDArray]], budget: Budget
) -> tuple[list[Part], list[str]]:
    """Prepare the rows of each split, as many as budget and memory allow, with notes if there are more."""
    train, test = pairs[0]
    some = first_rows(table, train, PILOT)
    start = budget.clock()
    pilot = Part.of(table, some, test[:1])
    whole, start = budget.clock() - start, budget.clock()
    prepared(pilot.prepare, table, some)
    each = (budget.clock() - start) / len(some)
    splits = int(PREPARING * budget.seconds / max(whole, 1e-9))
    used = pairs[: max(1, splits, min(FOLDS, 2 * splits))]
    affordable = int(PREPARING * budget.seconds / max(each, 1e-9)) // len(used)
    wanted, p = min(len(train) for train, _ in pairs), pilot.train[0].shape[1]
    soon = max(TEST_RATE * budget.seconds, rows_for_rare_class(table)) / len(used)
    tests = min(max(len(test) for _, test in used), max(PILOT_TEST, min(affordable // 4, int(soon))))
    rows = min(wanted, max(PILOT, affordable - tests))
    while PREPARED * (rows + tests) * p + memory_of("Nyström", rows, min(rows, 16), p) > budget.memory:
        if (rows := rows // 2) < FEWEST:
            raise ValueError(f"memory must be larger: {in_bytes(budget.memory)} hold no model.")
    parts = [Part.of(table, train[:rows], test[:tests]) for train, test in used]
    counts = (
        (wanted, rows, "training rows"),
        (sum(len(test) for _, test in used), sum(len(part.test_rows) for part in parts), "test rows"),
        (len(pairs), len(used), "splits"),
    )
    notes = [
        f"Of {all_of:,} {what}, {some:,} are used: more are beyond the budget."
        for all_of, some, what in counts
        if some < all_of
    ]
    if (most := max(len(train) for train, _ in used)) > UNEQUAL * wanted:
        sizes = f"{wanted:,}, the largest {most:,}"
        notes.append(f"All models have {rows:,} training rows: the smallest split has {sizes}.")
    return parts, notes + note_copies(parts[0])


def rows_for_rare_class(table):
    """Return among how many rows the rarest class has about thirty; 0 for a regression."""
    if table.task == "regression":
        return 0.0
    return RARE * len(table.y) / np.unique(table.y, return_counts=True)[1].min()


def note_copies(part):
    """Note if many test rows are copies of training rows; of wide tables, some columns are compared."""
    (X, y), (X_test, y_test) = part.train, part.test
    _, codes = np.unique(np.concatenate([y, y_test]), return_inverse=True)
    some = slice(None, None, -(-X.shape[1] // COMPARED))
    train, test = np.split(row_keys(np.vstack([X[:, some], X_test[:, some]]), codes), [len(y)])
    copies = int(np.isin(test, train).sum())
    if copies <= COPIES * len(test):
        return []
    return [
        f"Of {len(test):,} test rows, {copies:,} equal a training row. If rows were entered twice, the "
        "scores are too high for new rows: with groups=, copies stay on one side."
    ]
