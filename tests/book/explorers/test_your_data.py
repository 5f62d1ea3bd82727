"""The explorer of recorded tables shows the benchmark's record."""

import json
from pathlib import Path

from kernlib.book.explorers import your_data

RECORD = Path(__file__).parents[3] / "benchmarks" / "your_data.json"


def test_the_scores_are_those_of_the_record_of_the_benchmark():
    # after a new run of the benchmark: python -m kernlib.book.explorers.your_data
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    assert your_data.read_record() == your_data.shorten(record)


def test_the_best_of_a_table_are_drawn_on_top_and_the_line_is_one_standard_error_below():
    for number, one in enumerate(your_data.read_record()["6 s"], 1):
        series = your_data.scores_of_table(number, "6 s")
        best = max(one["scores"].values())
        assert set(series["best"].y) == {best}
        assert series["best less one standard error"].y == [best - one["error"]] * 2
        score = series[f"score on {one['table']}"]
        assert list(score.y) == [one["scores"][key] for key in your_data.MODELS.values()]
        where = dict(zip(score.x, score.y, strict=True))
        assert all(where[x] == best for x in series["best"].x)


def test_a_model_is_level_with_the_best_within_the_error_of_the_table():
    for budget, tables in your_data.read_record().items():
        for model, key in your_data.MODELS.items():
            for one, level in zip(tables, your_data.are_level(model, budget), strict=True):
                assert level == (one["scores"][key] + one["error"] >= max(one["scores"].values()))


def test_the_best_among_the_peers_is_never_that_of_compare():
    for budget, tables in your_data.read_record().items():
        for model in your_data.PEERS:
            found = your_data.are_level(model, budget, your_data.PEERS)
            for one, level in zip(tables, found, strict=True):
                others = [score for name, score in one["scores"].items() if name != "compare"]
                assert level == (max(others) - one["scores"][your_data.MODELS[model]] <= one["error"])
