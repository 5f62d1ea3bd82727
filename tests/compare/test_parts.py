"""Rows are prepared, and kernels chosen, within their parts of the budget."""

import itertools

import numpy as np
import pytest

from kernlib.compare.climb import Budget
from kernlib.compare.parts import LEARNING, Part, prepare_parts
from kernlib.compare.splits import splits
from kernlib.compare.tables import as_table

RNG = np.random.default_rng(0)
TABLE = as_table(RNG.normal(size=(20_000, 2)), RNG.normal(size=20_000))


@pytest.mark.parametrize(("memory", "rows"), [(1e9, 4500), (3.6e6, 2250)])
def test_as_many_rows_are_prepared_as_time_and_memory_allow(memory, rows):
    ticks = itertools.count()  # a second for 2,000 rows: 3 of 20 s for 6,000, a quarter of them test rows
    budget = Budget(20, memory, lambda: float(next(ticks)))
    (part,), notes = prepare_parts(TABLE, splits(TABLE.y, "regression", 0), budget)
    assert (len(part.train[1]), len(part.test[1])) == (rows, 1500)
    used = ("15,000 training", rows), ("5,000 test", 1500)
    assert notes == [f"Of {what} rows, {some:,} are used: more are beyond the budget." for what, some in used]
    assert part.train[0][:LEARNING].mean(axis=0) == pytest.approx(0)


@pytest.mark.parametrize(("seconds", "tests"), [(1, 1000), (2, 1400), (6, 4200), (10, 5000)])
def test_few_seconds_have_few_test_rows(seconds, tests):
    (part,), notes = prepare_parts(TABLE, splits(TABLE.y, "regression", 0), Budget(seconds, 1e9, lambda: 0.0))
    assert (len(part.train[1]), len(part.test[1])) == (15_000, tests)
    assert notes == [f"Of 5,000 test rows, {tests:,} are used: more are beyond the budget."] * (tests < 5000)


def test_a_rare_class_keeps_thirty_test_rows():
    table = as_table(TABLE.X, np.arange(20_000) % 200 == 0)
    pairs = splits(table.y, "classification", 0)
    (part,), _ = prepare_parts(table, pairs, Budget(1, 1e9, lambda: 0.0))
    assert len(part.test[1]) == 5000 and part.test[1].sum() == 25  # all that there are
    table = as_table(TABLE.X, np.arange(20_000) % 10 == 0)
    (part,), _ = prepare_parts(table, pairs, Budget(1, 1e9, lambda: 0.0))
    assert len(part.test[1]) == 1000


def test_rows_are_prepared_in_slices_as_all_at_once():
    X = [[f"level {i % 3}", str(i), f"20{i % 90 + 10}-11-23"] for i in range(20_000)]
    table = as_table(np.array(X), np.arange(20_000.0))  # slices of 8,192
    rows = RNG.permutation(20_000)
    part = Part.of(table, rows, rows[:1])
    assert np.array_equal(part.train[0], part.prepare.transform(table.X[rows]))
    assert np.array_equal(part.train[1], rows)


def test_rows_have_weights_if_classes_are_balanced():
    table = as_table(TABLE.X[:200], np.arange(200) % 4 == 0)
    part, budget = Part.of(table, np.arange(200), np.arange(1)), Budget(100, 1e9, lambda: 0.0)
    assert part.chooser(np.arange(2), False, budget).weights is None
    chooser = part.chooser(np.arange(2), True, budget)
    assert np.sum(chooser.weights[chooser.Y[:, 0] > 0]) == pytest.approx(100)


def test_values_that_the_first_rows_lack_are_learned_from_all_rows():
    (train, _), *_ = splits(TABLE.y, "regression", 0)
    spikes = np.zeros(len(TABLE.y))
    spikes[train[[LEARNING + 1, LEARNING + 5]]] = 1e9
    table = as_table(np.column_stack([TABLE.X, spikes]), TABLE.y)
    part = Part.of(table, train, train)
    X, _ = part.train
    assert X[:, -1].mean() == pytest.approx(0) and X[:, -1].std() == pytest.approx(1)
    assert part.test[0] == pytest.approx(X, rel=1e-9, abs=1e-9)  # so does what is transformed later
    first = X[:LEARNING, :-1]  # the other columns keep what these rows taught
    assert first.mean(axis=0) == pytest.approx(0) and first.std(axis=0) == pytest.approx(1)


def test_splits_of_unequal_size_and_copies_on_both_sides_are_told():
    time = np.arange(600)
    pairs = splits(TABLE.y[:600], "regression", 0, time=time, cv=5)
    _, notes = prepare_parts(as_table(TABLE.X[:600], TABLE.y[:600]), pairs, Budget(100, 1e9, lambda: 0.0))
    assert notes == ["All models have 100 training rows: the smallest split has 100, the largest 500."]
    table = as_table(np.repeat(TABLE.X[:400], 2, axis=0), np.repeat(TABLE.y[:400], 2))
    pairs = splits(table.y, "regression", 0, cv=1)
    _, notes = prepare_parts(table, pairs, Budget(100, 1e9, lambda: 0.0))
    twice = np.isin(pairs[0][1] // 2, pairs[0][0] // 2).sum()
    assert len(notes) == 1 and f"Of 200 test rows, {twice} equal a training row." in notes[0]


@pytest.mark.parametrize(("seconds", "number"), [(1e-9, 1), (8, 2), (20, 5), (80, 12), (1e6, 50)])
def test_of_many_splits_those_are_used_that_the_budget_allows(seconds, number):  # 0.15 s each; twice for 5
    table, ticks = as_table(TABLE.X[:1000], TABLE.y[:1000]), itertools.count()
    pairs = splits(table.y, "regression", 0, cv=50)
    parts, notes = prepare_parts(table, pairs, Budget(seconds, 1e9, lambda: float(next(ticks))))
    assert len(parts) == number
    told = [f"Of 50 splits, {number} are used: more are beyond the budget."]
    assert notes == told * (number < 50)
