"""Which model is the best on which of 27 tables, and what the others lose against it.

The explorer computes no model. It shows the scores that `benchmarks/your_data.py` recorded.
"""

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any

from kernlib.book.explore import Bars, Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider

__all__ = ["EXPLORER", "MODELS", "PEERS", "are_level", "losses", "read_record", "shorten"]

RECORD = Path(__file__).with_name("your_data.json")  # from benchmarks/your_data.json by `shorten`
MODELS = {
    "compare": "compare",
    "boosted trees": "tree",
    "forest": "forest",
    "linear model": "linear",
    "kernel search": "kernel",
}
PEERS = tuple(MODELS)[1:]  # those of scikit-learn, each by itself
SMALL = 1000  # rows
SCORES = {"accuracy": "accuracy", "balanced_accuracy": "balanced accuracy", "r2": "R²"}
KEPT = "table", "rows", "scoring", "scores", "error"
TOP = 0.3  # of the axis of losses
WORST = 4  # tables of the largest losses that are named


def shorten(record: dict[str, Any]) -> dict[str, list]:
    """Keep the scores of the benchmark's record for each budget, in the order of the tables' rows."""
    tables = {
        budget: sorted(found["tables"], key=lambda one: one["rows"]) for budget, found in record.items()
    }
    return {budget: [{key: one[key] for key in KEPT} for one in found] for budget, found in tables.items()}


@cache
def read_record() -> dict[str, list]:
    """Read the scores of each table, by budget."""
    return json.loads(RECORD.read_text(encoding="utf-8"))


def losses(model: str, budget: str, among: Collection[str] = tuple(MODELS)) -> list[float]:
    """Compute by how much a model is below the best score `among` these models, for each table."""
    rivals = [MODELS[name] for name in among]
    return [
        max(map(one["scores"].get, rivals)) - one["scores"][MODELS[model]] for one in read_record()[budget]
    ]


def are_level(model: str, budget: str, among: Collection[str] = tuple(MODELS)) -> list[bool]:
    """Say for each table whether a model is within the standard error of `compare`'s score of that best."""
    found = zip(losses(model, budget, among), read_record()[budget], strict=True)
    return [loss <= one["error"] for loss, one in found]


@Plot.panel(
    "Scores on one table",
    y="accuracy, balanced accuracy or R²",
    names=("compare", "trees", "forest", "linear", "kernel"),
)
def scores_of_table(table, budget):
    """The scores of five models on the chosen table as points, the best in another color, and a line one
    standard error below it.
    """
    one = read_record()[budget][table - 1]
    found = [one["scores"][key] for key in MODELS.values()]
    best, ends = max(found), (-0.5, len(MODELS) - 0.5)
    winners = [i for i, score in enumerate(found) if score == best]
    return {
        f"score on {one['table']}": Dots(range(len(found)), found, "large"),
        "best": Dots(winners, [best] * len(winners), "large"),
        "best less one standard error": Line(ends, [best - one["error"]] * 2, style="reference"),
    }


@Plot.panel(
    "What one model loses", x="table, by rows", y="score below the best", ylim=(0, TOP), cursor="table"
)
def losses_of_model(model, budget):
    """For each table a bar: by how much the chosen model is below the best of the five at the chosen budget.
    A small point shows the same at the other budget, a large one at the top a loss that is beyond the axis. A
    dotted line separates the tables with fewer than 1,000 rows.
    """
    found = losses(model, budget)
    (other,) = set(read_record()) - {budget}
    tables = range(1, len(found) + 1)
    small = sum(one["rows"] < SMALL for one in read_record()[budget])
    series = {
        f"at {budget}": Bars(tables, found),
        f"at {other}": Dots(tables, losses(model, other)),
        f"{SMALL:,} rows": Line((small + 0.5, small + 0.5), (0, TOP), style="dotted"),
    }
    beyond = [table for table, loss in zip(tables, found, strict=True) if loss > TOP]
    if beyond:
        series[f"more than {TOP}"] = Dots(beyond, [0.97 * TOP] * len(beyond), "large")
    return series


def summary(model, table, budget):
    """Describe a table and its winner, and the losses of the model over all tables."""
    tables, found = read_record()[budget], losses(model, budget)
    one = tables[table - 1]
    best = max(one["scores"].values())
    winners = [name for name, key in MODELS.items() if one["scores"][key] == best]
    worst = sorted(range(len(found)), key=found.__getitem__, reverse=True)[:WORST]
    named = ", ".join(f"{tables[i]['table']} {found[i]:.2f}" for i in worst)
    return (
        f"{one['table']}, {one['rows']:,} rows, scored by {SCORES[one['scoring']]}: the best is {best:.2f}, "
        f"by {' and '.join(winners)}. Loss of {model}: {found[table - 1]:.2f}. "
        f"Over all tables, {model}: the best on {found.count(0)} of {len(found)}, "
        f"within one standard error of the best on {sum(are_level(model, budget))}. "
        f"Largest losses: {named}."
    )


EXPLORER = Explorer(
    title="Which model for which table?",
    name="your-data",
    hint="Play the tables: which model has the best score?",
    controls=(
        Choice("model", tuple(MODELS), "model", "boosted trees"),
        Slider("table", tuple(range(1, len(read_record()["30 s"]) + 1)), "table, by rows", 19, play=1),
        Choice("budget", tuple(read_record()), "budget of compare and of the search", "30 s"),
    ),
    panels=(scores_of_table, losses_of_model, Readout(summary)),
    predict=Predict(
        "You fit boosted trees with their default settings to 27 tables. On how many of them do the trees "
        "score within one standard error of the best of five models, of which compare is one?",
        options=("on fewer than ten", "on about half", "on more than twenty"),
        answer="on fewer than ten",
        reason="On seven, and on ten if compare is left out. On most of the others compare or the kernel "
        "search led on the rows held out. The trees lose more than 0.05 on eleven tables. Seven of these "
        "have at most 506 rows. The default settings are made for larger tables: tuned trees may lose less.",
    ),
)


if __name__ == "__main__":  # python -m kernlib.book.explorers.your_data, after a new run of the benchmark
    source = Path(__file__).parents[3] / "benchmarks" / "your_data.json"
    RECORD.write_text(json.dumps(shorten(json.loads(source.read_text(encoding="utf-8"))), indent=1) + "\n")
