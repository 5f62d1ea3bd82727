"""The recommendation is the fastest machine near the best, with its reason."""

import numpy as np
import pytest

from kernlib.compare.machines import Run
from kernlib.compare.result import Forecast, Rung, recommend, rungs_of

FORECAST = Forecast(20_000, 3_200_000_000, 20.0, "")
EXACT = Rung("exact", 20_000, 0.943, 0.943, 0.943, 8.0, 16.0, True)
LINEAR = Rung("linear", 22, 0.898, 0.898, 0.898, 0.3, 0.1, True)


def nystrom(c, score, seconds):
    return Rung("Nyström", c, score, score, score, 0.75 * seconds, 0.25 * seconds, True)


@pytest.mark.parametrize(
    ("rungs", "size", "sentence"),
    [
        (
            [LINEAR, EXACT, nystrom(400, 0.938, 0.3), nystrom(800, 0.9411, 0.6), nystrom(1600, 0.9429, 2.0)],
            800,
            "Nyström, c = 800: within 0.002 of the best, 40 times faster than exact.",
        ),
        (
            [LINEAR, nystrom(800, 0.930, 0.6), EXACT],
            20_000,
            "the exact machine: the best score, 0.943, and none within 0.002 of it is noticeably faster.",
        ),
        (
            [LINEAR, EXACT._replace(size=5000, score=0.930), nystrom(800, 0.930, 4.0)],
            800,
            "Nyström, c = 800: as good as the best, 6 times faster than the exact machine on 5,000 rows.",
        ),
        (
            [LINEAR._replace(score=0.942), EXACT],
            22,
            "the linear machine: within 0.001 of the best, 60 times faster than exact; a kernel does not pay "
            "here.",
        ),
    ],
)
def test_the_fastest_within_a_standard_error_of_the_best_is_recommended(rungs, size, sentence):
    chosen, told = recommend(rungs, 0.002, FORECAST, 0.5)
    assert (chosen.size, told) == (size, sentence)


def test_times_that_nobody_notices_do_not_decide():
    chosen, _ = recommend([nystrom(16, 0.940, 0.001), nystrom(32, 0.941, 0.09)], 0.01, FORECAST, 0.5)
    assert chosen.size == 32


def test_a_score_that_a_constant_reaches_is_said_to_be_chance():
    told = recommend([LINEAR._replace(score=0.903)], 0.002, FORECAST, 0.900)[1]
    assert told.endswith("but none beats the constant guess, 0.900, by more than chance.")


def test_the_runs_of_one_machine_at_one_size_are_one_line():
    runs = [
        Run("Nyström", 16, seed, score, 0.1, 0.1, score < 1) for seed, score in enumerate((0.7, 0.9, 1.0))
    ]
    one, two = rungs_of([*runs, Run("linear", 3, 0, 0.5, 0.1, 0.2)])
    assert (one.machine, one.seconds) == ("linear", pytest.approx(0.3))
    assert two[:5] == ("Nyström", 16, pytest.approx(np.mean([0.7, 0.9, 1.0])), 0.7, 1.0) and not two.converged
