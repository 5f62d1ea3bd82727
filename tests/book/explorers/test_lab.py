"""The lab's explorer shows what the lab measured, and its record is of the lab's size."""

import numpy as np
import pytest

from benchmarks.lab import with_own_columns
from kernlib.book.explorers.lab import (
    CONSTANT,
    EXACT,
    LIMIT,
    METHODS,
    PRICES,
    best_at_price,
    price_of_a_second,
    read_record,
    synthesis,
)
from kernlib.kernels import Gaussian


def made_up(seed):
    rng = np.random.default_rng(seed)
    machines = {name: rng.uniform(0.1, 0.9, 5) for name in EXACT}
    sweep = {name: rng.uniform(0.1, 0.9, (3, 3, 5)) for name in METHODS}
    return {"c": [20, 70, 120], "machines": machines, "sweep": sweep}


def test_the_labs_explorer_shows_what_was_measured():
    record = {"one": made_up(0), "other": made_up(1)}
    scores, times, said = synthesis(record).frames({"data": "other", "c": 70, "score": "balanced accuracy"})
    runs, machine = record["other"]["sweep"]["random features"], record["other"]["machines"]["Gaussian SVM"]
    line = scores["series"][0]
    assert line["y"][1] == pytest.approx(np.median(runs[1, :, 4]), rel=1e-3)
    assert line["low"][1] == pytest.approx(runs[1, :, 4].min(), rel=1e-3)
    assert times["series"][0]["high"][2] == pytest.approx(runs[2, :, :3].sum(axis=1).max(), rel=1e-3)
    assert times["series"][2]["y"] == pytest.approx(3 * [machine[:3].sum()], rel=1e-3)
    assert said.startswith("other, c = 70, balanced accuracy.") and f"{np.median(runs[1, :, 4]):.3f}" in said


def test_the_best_at_a_price_is_the_largest_of_score_less_cost():
    found = made_up(0)
    del found["machines"][LIMIT]  # not in this explorer
    for price in PRICES:
        name, c, seconds, score = best_at_price(found, price)
        values = [50] + [100 * run[4] - price * run[:3].sum() for run in found["machines"].values()]
        for runs in found["sweep"].values():
            seconds_at, score_at = np.median(runs[..., :3].sum(axis=2), 1), np.median(runs[..., 4], 1)
            values += list(100 * score_at - price * seconds_at)
        assert score - price * seconds == pytest.approx(max(values))
        assert (c is None) == (name in (CONSTANT, *EXACT))
    curves, steps, said = price_of_a_second({"one": found}).frames({"price": 100, "data": "one"})
    equal = next(series for series in curves["series"] if series["label"] == "equally good")
    name, c, seconds, score = best_at_price(found, 100)
    assert equal["y"][5] == pytest.approx(score + 100 * (equal["x"][5] - seconds), rel=1e-3)
    assert name in said
    for i, price in ((0, 0.03), (120, np.sqrt(3)), (240, 100)):
        values = [series["y"][i] for series in steps["series"][:3] if series["y"][i] is not None]
        name, _, _, score = best_at_price(found, price)
        assert values == ([] if name in (CONSTANT, "linear SVM") else [pytest.approx(score, rel=1e-3)])


def test_the_answer_to_the_question_is_that_of_the_record():
    found = read_record()["shirts"]
    scores = np.median(np.array(found["sweep"]["Nyström, k = c − 10"])[..., 4], 1)
    limit = found["machines"][LIMIT][4]
    assert found["c"][3] == 170 and (scores[3] - 0.5) / (limit - 0.5) == pytest.approx(0.75, abs=0.005)
    question = synthesis(read_record()).predict
    assert question.answer == "about three quarters" in question.options
    numbers = (
        "0.699 in 1.4 s",
        "has 0.765",
        "75% of the gain",
        "c = 570 it keeps 91%",
        "0.724 at C = 1",
        "0.779",
    )
    assert all(number in question.reason for number in numbers)


def test_the_stated_leads_are_those_of_the_record():
    found = read_record()["shirts"]["losses"]["scores"]
    best = {}
    for name, runs in found.items():
        held_out, tested = np.moveaxis(np.array(runs), -1, 0)
        best[name] = tested[range(3), held_out.argmax(axis=1)]
    for features, ends in {"Nyström": (0.0, 0.03), "random features": (0.01, 0.04)}.items():
        names = [name for name in best if name.startswith(features)]
        leads = [best[f"kernel, {name.partition(', ')[2]}"] - best[name] for name in names]
        assert (round(float(np.min(leads)), 2), round(float(np.max(leads)), 2)) == ends


def test_the_record_is_of_the_whole_sweep_of_both_data_sets():
    record = read_record()
    assert list(record) == ["shirts", "ijcnn1"]
    for found in record.values():
        assert found["c"] == list(range(20, 600, 50)) and found["versions"]["scikit-learn"]
        assert {name: np.shape(runs) for name, runs in found["sweep"].items()} == {
            name: (12, 3, 5) for name in METHODS
        }


@pytest.mark.parametrize("C", [0.1, 1, 10])
def test_a_column_of_its_own_for_each_row_gives_the_machine_of_squared_slacks(C):
    """The kernel on such rows is a multiple of G + I/(2C), and of κ on new ones."""
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(40, 3)), rng.normal(size=(7, 3))
    kernel, a = Gaussian(0.3), 2 * C / (2 * C + 1)
    own_A, own_B = (Z.toarray() for Z in with_own_columns(A, B, 0.3, C))
    np.testing.assert_allclose(kernel(own_A), a * (kernel(A) + np.eye(40) / (2 * C)), atol=1e-14)
    np.testing.assert_allclose(kernel(own_B, own_A), a * kernel(B, A), atol=1e-14)
