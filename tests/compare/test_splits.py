"""Test rows have the classes in their shares, and nothing in common with the training rows."""

from itertools import chain

import numpy as np
import pytest

from kernlib.compare.splits import split_rows, splits


def test_the_test_rows_have_the_classes_shares_and_the_first_rows_have_all_classes():
    y = np.repeat([0, 1, 2], [900, 90, 10])
    first, second = split_rows(y, "classification", 250, 0)
    assert sorted([*first, *second]) == list(range(1000))
    assert abs(np.bincount(y[second]) - np.array([225, 22.5, 2.5])).max() < 1
    assert set(y[first[:3]]) == {0, 1, 2}


@pytest.mark.parametrize("y", [[0] * 9 + [1], list("abcde") * 2, [0, 0, 1, 1, 2, 2, 3, 3, 3, 4]])
def test_of_ten_rows_each_class_has_one_to_train_on(y):
    for seed in range(20):
        first, second = split_rows(np.array(y), "classification", 3, seed)
        assert len(second) == 3 and sorted([*first, *second]) == list(range(10))
        assert set(np.array(y)[first]) == set(y)


def test_a_group_is_on_one_side():
    groups, y = np.repeat(np.arange(40), 20), np.arange(800) % 2
    (train, test), *others = splits(y, "classification", 0, groups=groups)
    assert not set(groups[train]) & set(groups[test]) and len(test) == 200 and not others


@pytest.mark.parametrize(
    ("kwargs", "sentence"),
    [
        ({"groups": np.arange(800) % 3}, "groups must have at least 4 different values, got 3"),
        ({"time": np.arange(800)}, "y must have two different values in the training rows of each split"),
        (
            {"time": np.zeros(800)},
            "time must change near row 600 of 800 in order, for a cut there, got 1 diff",
        ),
        (
            {"time": np.arange(800) // 200, "cv": 4},
            "change near row 160, 320, 480, 640 of 800 in order, for a cut there, got 4",
        ),
        ({"time": np.arange(800), "groups": np.arange(800)}, "groups and time must not both be given"),
    ],
)
def test_a_split_that_is_not_possible_is_named(kwargs, sentence):
    with pytest.raises(ValueError, match=sentence):
        splits(np.arange(800) > 700, "classification", 0, **kwargs)


def test_a_class_with_fewer_rows_than_folds_is_named_or_split_by_groups_alone():
    y = np.arange(12) % 4
    sentence = r"cv must be between 1 and 3 \(the rows of the largest class\), got 6"
    with pytest.raises(ValueError, match=sentence):
        splits(y, "classification", 0, cv=6)
    ((train, test),) = splits(y, "classification", 0, groups=np.arange(12))
    assert len(test) == 3 and sorted([*train, *test]) == list(range(12))


def test_the_latest_rows_are_the_test_rows():
    time = np.random.default_rng(0).permutation(800)
    ((train, test),) = splits(time.astype(float), "regression", 0, time=time)
    assert time[train].max() < time[test].min() and len(test) == 200
    assert (np.diff(time[train]) < 0).any() and (np.diff(time[test]) < 0).any()  # shuffled


@pytest.mark.parametrize(("times", "cv", "number"), [(2, None, 1), (30, None, 1), (30, 3, 3)])
def test_rows_of_one_time_are_on_one_side(times, cv, number):
    time = np.random.default_rng(0).integers(times, size=800)
    pairs = splits(np.arange(800.0), "regression", 0, time=time, cv=cv)
    assert len(pairs) == number
    for train, test in pairs:
        assert time[train].max() < time[test].min()
        assert sorted([*train, *test]) == np.flatnonzero(time <= time[test].max()).tolist()


@pytest.mark.parametrize("how", [{}, {"groups": np.arange(100_000) // 9}, {"time": np.arange(100_000)}])
def test_no_more_than_20000_rows_are_test_rows(how):
    ((train, test),) = splits(np.arange(100_000.0), "regression", 0, **how)
    assert len(test) == 20_000 and not set(train) & set(test)


@pytest.mark.parametrize(("n", "cv", "number"), [(1999, None, 5), (2000, None, 1), (2000, 3, 3), (99, 1, 1)])
def test_fewer_than_2000_rows_are_test_rows_in_turn(n, cv, number):
    pairs = splits(np.arange(n) % 2, "classification", 0, cv=cv)
    tests = np.concatenate([test for _, test in pairs])
    assert len(pairs) == number and (number == 1 or sorted(tests) == list(range(n)))
    assert all(len(np.union1d(*pair)) == n for pair in pairs)


@pytest.mark.parametrize("task", ["regression", "classification"])
@pytest.mark.parametrize("how", ["once", "cv", "groups", "time"])
def test_a_seed_gives_the_same_rows_in_the_same_order_and_another_seed_others(task, how):
    y = np.arange(600) % 3
    others = {"groups": np.arange(600) // 5, "time": np.arange(600)}
    kwargs = {"cv": 4} | {how: others[how]} if how in others else {"cv": 4} if how == "cv" else {}
    first, again, other = (splits(y, task, seed, **kwargs) for seed in (1, 1, 2))
    assert all(map(np.array_equal, chain(*first), chain(*again)))
    for one, two in zip(first, other, strict=True):
        assert not np.array_equal(one[0], two[0])
        assert (set(one[1]) == set(two[1])) == (how == "time")
        assert not np.array_equal(one[1], two[1])
