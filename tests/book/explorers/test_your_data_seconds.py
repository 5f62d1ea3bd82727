"""The explorer of a comparison shows the fits within the seconds, and recommends as the comparison does."""

import math

import numpy as np
import pytest

from kernlib.book.explore.marks import Line
from kernlib.book.explorers.your_data_seconds import best_fits, clock, score_against_seconds
from kernlib.compare.result import Comparison
from kernlib.compare.rungs import Forecast, Rung, recommend

ROWS = 400  # for the test
FITS = [  # model, size, rows, score, seconds
    ("linear", 500, 500, 0.6, 0.004),
    ("linear", 1000, 1000, 0.65, 0.011),
    ("boosted trees", 25, 500, 0.68, 0.02),
    ("boosted trees", 50, 500, 0.74, 0.03),
    ("boosted trees", 50, 1000, 0.73, 0.5),
    ("boosted trees", 100, 1000, 0.8, 2.3),
    ("exact", 250, 250, 0.62, 0.1),
    ("Nyström", 16, 1000, 0.66, 0.09),
    ("Nyström", 32, 1000, 0.7, 0.19),
    ("average", 2, 1000, 0.805, 2.6),
]


def comparison(fits=FITS, scoring="accuracy"):
    table = [
        Rung(model, size, rows, score, score - 0.01, score + 0.01, 1, 0.9 * seconds, 0.1 * seconds)
        for model, size, rows, score, seconds in fits
    ]
    rng = np.random.default_rng(0)
    influences = [np.where(rng.random(ROWS) < rung.score, 1, 0) - rung.score for rung in table]
    forecast = Forecast(1000, 8_000_000, 1.0, "")
    chosen, why = recommend(table, influences, forecast, 0.5)
    parts = dict.fromkeys(Comparison.__dataclass_fields__)
    given = {"table": table, "forecast": forecast, "chosen": chosen, "recommendation": why}
    scores = {"scoring": scoring, "baseline": 0.5, "influences": influences, "guess": 0.0}
    return Comparison(**parts | given | scores)


def test_the_stops_are_round_numbers_around_all_fits():
    assert clock(0.004, 0.011) == (0.004, 0.005, 0.006, 0.008, 0.01, 0.012)
    for first, last in ((1, 1), (0.0093, 0.021), (0.1, 99), (3.1, 3.2)):
        stops = clock(first, last)
        assert stops[0] >= first and stops[-1] >= last
        assert not [stop for stop in stops[:-1] if stop >= last]
        assert stops[0] < 1.5 * first and stops[-1] < 1.5 * last


def test_each_stop_shows_the_fits_within_it_and_the_recommended_one():
    found = comparison()
    explorer = score_against_seconds(found)
    picture, table, text = explorer.panels
    (slider,) = explorer.controls
    for t in slider.stops:
        within = [rung for rung in found.table if rung.seconds <= t]
        chosen, why = found.within(t)
        series = picture.compute(t)
        assert series["recommended"][:2] == ([chosen.seconds], [chosen.score])
        for name, what in series.items():
            if isinstance(what, Line):
                scores = [rung.score for rung in within if rung.model == name]
                assert list(what.y) == scores + scores[-1:] and list(what.x[-1:]) == [t] * len(scores[-1:])
        cells = table.compute(t)
        (row,) = {row for row, _ in cells.lit}
        assert cells.rows[row] == chosen.model
        assert why in text.compute(t)
    assert found.within(slider.stops[-1]) == (found.chosen, found.recommendation)


def test_a_curve_leaves_out_a_fit_that_took_longer_than_a_larger_one():
    found = comparison([("linear", 20, 20, 0.6, 0.004), ("linear", 40, 40, 0.65, 0.003)])
    picture, *_ = score_against_seconds(found).panels
    line = picture.compute(0.004)["linear"]
    assert (list(line.x), list(line.y)) == ([0.003, 0.004], [0.65, 0.65])


def test_of_each_model_the_best_fit_with_the_most_rows_counts():
    found = comparison()
    assert best_fits(found, 0.05)["boosted trees"].score == 0.74
    assert best_fits(found, 1)["boosted trees"].score == 0.73  # on all rows, though not as good
    assert set(best_fits(found, math.inf)) == {rung.model for rung in found.table}


def test_the_answer_is_what_a_tenth_of_the_seconds_loses():
    question = score_against_seconds(comparison()).predict
    assert question.at == {"t": 0.25}
    assert question.answer == "more than 0.05"  # 0.805 − 0.74
    assert "took 2.6 s" in question.question and "0.25 s" in question.question
    assert question.reason.startswith("0.065 lower") and "500 rows" in question.reason


def test_one_fit_is_enough_and_fewer_seconds_than_it_took_are_too_few():
    found = comparison([("linear", 40, 40, 0.45, 0.0031)], "r2")
    explorer = score_against_seconds(found)
    assert explorer.frames({})[1]["values"] == [["", "40", "0.450"]]
    with pytest.raises(ValueError, match=r"those of the fastest fit, 0\.0031 s, got 0\.003"):
        found.within(0.003)
