"""The recommendation is the best model, or one near it that is much faster, with its reason."""

import numpy as np
import pytest

from kernlib.compare.rungs import Forecast, Run, Rung, recommend, rungs_of

FORECAST = Forecast(20_000, 3_200_000_000, 20.0, "")
EXACT = Rung("exact", 20_000, 20_000, 0.943, 0.943, 0.943, 1, 8.0, 16.0)
LINEAR = Rung("linear", 20_000, 20_000, 0.898, 0.898, 0.898, 1, 0.3, 0.1)
TREE = Rung("boosted trees", 100, 20_000, 0.930, 0.930, 0.930, 1, 0.5, 0.5)
NEAR, TOP = "and no model as good is ten times faster; ", "the best score, 0.930, "


def nystrom(c, score, seconds):
    return Rung("Nyström", c, 20_000, score, score, score, 3, 0.75 * seconds, 0.25 * seconds)


WEAK = nystrom(64, 0.62, 1.0)


def recommend_within(error, rungs, baseline=0.5):
    """Recommend among models whose scores differ by this error; that of each alone is the same."""
    influences = [np.zeros(100) for _ in rungs]
    for i, influence in enumerate(influences):
        influence[i] = 100 * error / np.sqrt(2)
    return recommend(rungs, influences, FORECAST, baseline)


RECOMMENDED = {  # why the last of a row is recommended
    "Nyström, c = 800: within 0.002 of the best, 40 times faster than the exact model.": [
        *(LINEAR, EXACT, nystrom(400, 0.938, 0.3), nystrom(1600, 0.9429, 2.0), nystrom(800, 0.9411, 0.6))
    ],
    "Nyström, c = 800: as good as the best, 12 times faster than the exact model on 5,000 rows.": [
        *(LINEAR, EXACT._replace(size=5000, rows=5000, score=0.930), nystrom(800, 0.930, 2.0))
    ],
    "the linear model: within 0.001 of the best, 60 times faster than the exact model; a kernel does not pay "
    "here.": [EXACT, LINEAR._replace(score=0.942)],
    f"boosted trees, 100 steps: {TOP}{NEAR}no model with a kernel was fitted within the budget.": [
        LINEAR,
        TREE,
    ],
    f"boosted trees, 100 steps: {TOP}{NEAR}trees win here by 0.31: keep your booster.": [WEAK, TREE],
    f"a forest with 5 rows a leaf: {TOP}{NEAR}trees win here by 0.31: keep your forest.": [
        *(WEAK, TREE._replace(model="forest", size=5))
    ],
    f"the average of 2 models: the best score, 0.940, {NEAR}alone, boosted trees, 100 steps has 0.930.": [
        *(WEAK._replace(score=0.92), TREE, TREE._replace(model="average", size=2, score=0.940))
    ],
    f"Nyström, c = 64: the best score, 0.940, {NEAR}boosted trees reached only 5,000 rows, others 20,000: "
    "try more seconds.": [TREE._replace(rows=5000), WEAK._replace(score=0.94)],
}


@pytest.mark.parametrize("sentence", RECOMMENDED)
def test_the_best_is_recommended_or_one_within_a_standard_error_that_is_ten_times_faster(sentence):
    rungs = RECOMMENDED[sentence]
    assert recommend_within(0.002, rungs) == (rungs[-1], sentence)


def test_models_that_err_on_the_same_rows_differ_by_more_than_their_own_errors_say():
    right = np.random.default_rng(0).random(1000) < 0.9
    influence = right - right.mean()
    rungs = [nystrom(16, 0.895, 0.2), nystrom(32, 0.900, 0.9)]
    assert recommend(rungs, [influence, influence], FORECAST, 0.5)[0].size == 32


@pytest.mark.parametrize(("errors", "size"), [(0.9, 800), (1.1, 400)])
def test_one_standard_error_counts_not_two(errors, size):
    rungs = [nystrom(400, 0.90, 0.3), nystrom(800, 0.91, 3.9)]
    assert recommend_within(errors * 0.01, rungs)[0].size == size


@pytest.mark.parametrize(("seconds", "size"), [(2.9, 800), (3.1, 400)])
def test_for_less_than_ten_times_nobody_gives_up_a_better_score(seconds, size):
    assert recommend_within(0.01, [nystrom(400, 0.909, 0.3), nystrom(800, 0.91, seconds)])[0].size == size


def test_times_that_nobody_notices_do_not_decide():
    assert recommend_within(0.01, [nystrom(16, 0.940, 0.001), nystrom(32, 0.941, 0.09)])[0].size == 32


@pytest.mark.parametrize(("rows", "model"), [(20_000, "average"), (5000, "boosted trees")])
def test_an_average_that_is_not_refitted_must_be_the_best(rows, model):
    mean = TREE._replace(model="average", size=2, score=0.929, rows=rows)
    assert recommend_within(0.002, [TREE, mean])[0].model == model
    assert recommend_within(0.002, [TREE, mean._replace(score=0.931)])[0].model == "average"


@pytest.mark.parametrize(("errors", "model"), [(1.9, "average"), (2.1, "boosted trees")])
def test_an_average_within_two_standard_errors_is_preferred(errors, model):
    mean = TREE._replace(model="average", size=2, score=TREE.score - errors * 0.01)
    assert recommend_within(0.01, [TREE, mean])[0].model == model


def test_a_score_that_a_constant_reaches_is_reported_as_chance():
    sentence = recommend_within(0.002, [LINEAR._replace(score=0.902)], 0.900)[1]
    assert sentence.startswith(
        "none beats the constant guess, 0.900, by more than chance; if you need a model, the linear model: "
    )


def test_the_constant_guess_is_compared_on_the_same_rows():
    rows = np.arange(1000)
    found, guess = (np.where(rows < right, 1.0, 0.0) for right in (820, 800))
    model, influences = LINEAR._replace(score=0.82), [found - 0.82]
    # 0.82 has an error of 0.012, the lead one of 0.0044
    for on_guess, words in ((0.0, "none beats the constant guess"), (guess - 0.8, "the linear model")):
        assert recommend([model], influences, FORECAST, 0.8, on_guess)[1].startswith(words)


def test_the_runs_of_one_model_at_one_size_are_one_line():
    runs = [
        Run("Nyström", 16, 9, seed, score, 0.1, 0.1, np.full(2, score))
        for seed, score in enumerate((0.7, 0.9, 1.0))
    ]
    (one, two), influences = rungs_of([*runs, Run("linear", 3, 3, 0, 0.5, 0.1, 0.2, np.zeros(2))])
    assert (one.model, one.seconds, one.draws) == ("linear", pytest.approx(0.3), 1)
    assert two[:7] == ("Nyström", 16, 9, pytest.approx(2.6 / 3), 0.7, 1.0, 3)
    assert influences[1] == pytest.approx(2.6 / 3)
