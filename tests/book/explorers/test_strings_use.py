"""The record of accuracy against length and alignment: what it holds, and that its numbers come back."""

import numpy as np
import pytest

from kernlib.book.explorers import strings_use
from kernlib.book.explorers.strings_use import LENGTHS, REPEATS, SHIFTS, STYLES, WHOLE, read_record


def test_the_record_has_every_state_of_the_explorer_and_the_whole_strings():
    states = {f"{length} {shift}" for length in LENGTHS for shift in SHIFTS} | {f"{WHOLE} 0"}
    assert read_record().keys() == states
    for runs in read_record().values():
        assert runs.keys() == STYLES.keys() and {len(found) for found in runs.values()} == {REPEATS}
        assert all(0.5 < accuracy < 1 for found in runs.values() for accuracy in found)


def test_the_record_of_other_draws_has_two_repeats_of_each_method():
    assert len(strings_use.read_draws()) == len(strings_use.DRAWS)
    for draw in strings_use.read_draws():
        assert draw.keys() == {"whole", "shifted"}
        for runs in draw.values():
            assert runs.keys() == STYLES.keys() and {len(found) for found in runs.values()} == {2}
            assert all(0.5 < accuracy < 1 for found in runs.values() for accuracy in found)


def test_a_shifted_window_stays_in_its_string_and_an_aligned_one_in_its_middle():
    S = ["".join(chr(48 + i) for i in range(WHOLE))] * 200
    assert set(strings_use.windows(S, 20, 0, 0)) == {S[0][20:40]}
    cut = strings_use.windows(S, 40, 10, 0)
    assert {len(s) for s in cut} == {40} and {S[0].index(s) for s in cut} == set(range(21))


def test_the_recorded_accuracy_comes_back():
    S, y = strings_use.draw_stretches()
    T = np.array([list(s) for s in strings_use.windows(S, 20, 5, 1)])
    folds = strings_use.family_folds(S, y, 1)
    one_hot = {"linear": (T[:, None] == T[None]).mean(axis=2)}
    found = strings_use.nested(one_hot, y, folds)[0].mean()
    recorded = read_record()["20 5"]["position, one-hot"][1]
    assert found == pytest.approx(recorded, abs=5 / 500)  # five strings may change sides by rounding


def test_a_rule_on_one_letter_takes_the_more_frequent_class():
    S, y = strings_use.draw_stretches()
    T = strings_use.windows(S, 20, 2, 0)
    found = strings_use.accuracies_by_position(20, 2)
    for j in (0, 10, 19):
        right = sum(
            max(
                sum(t[j] == letter and label == kind for t, label in zip(T, y, strict=True))
                for kind in set(y)
            )
            for letter in "ACGT"
        )
        assert found[j] == pytest.approx(right / len(S))
    bars = strings_use.by_position(20, 2)
    assert (bars.y == found).all() and (bars.low == 0.5).all()
