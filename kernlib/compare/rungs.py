"""The models of a comparison in a table, and which of them is recommended."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernlib.compare.scores import standard_error

__all__ = [
    *("CLOSE", "KERNELS", "NOTICED", "STYLES", "TREES", "Forecast", "Run", "Rung", "curve_of"),
    *("describe_rung", "recommend", "rungs_of", "with_most_rows"),
]

NOTICED = 0.1  # seconds
CLOSE = 2  # standard errors: models as near to the best are averaged, and their average is preferred
FASTER = 10  # times: for less, nobody gives up a better score
STYLES = {  # of the models in the plot, and their order in the table
    "linear": "C3-D",
    "boosted trees": "C4-v",
    "forest": "C5-<",
    "exact": "C0-s",
    "random features": "C1--o",
    "Nyström": "C2-^",
    "average": "C6-*",
}
TREES = {"boosted trees": "booster", "forest": "forest"}
KERNELS = ("exact", "random features", "Nyström")


class Forecast(NamedTuple):
    """What the exact model takes, forecast before it is fitted to all training rows.

    Parameters
    ----------
    rows : int
        n, the training rows.
    gram_bytes : int
        8n².
    seconds : float
        Of a fit on all of them; nan if the Gram matrix does not fit, or no time was left to find out.
    text : str
        The same as a sentence.
    """

    rows: int
    gram_bytes: int
    seconds: float
    text: str


class Run(NamedTuple):
    """One fitted model: as in `Rung`, with the draw's seed and the influence of each test row."""

    model: str
    size: int
    rows: int
    seed: int
    score: float
    fit_seconds: float
    predict_seconds: float
    influence: NDArray


class Rung(NamedTuple):
    """A model at one size, over its draws.

    Parameters
    ----------
    model : str
        "linear", "boosted trees", "forest", "exact", "random features", "Nyström" or "average".
    size : int
        c; of "boosted trees" the steps, of "forest" the rows of a leaf, of "exact" and "linear" the rows, and
        of "average" the number of models.
    rows : int
        The training rows that it was fitted to.
    score, lowest, highest : float
        Mean over the draws, and their range.
    draws : int
        How many there are; more than one only of features, if they take little time.
    fit_seconds, predict_seconds : float
        Means; of all folds together.
    """

    model: str
    size: int
    rows: int
    score: float
    lowest: float
    highest: float
    draws: int
    fit_seconds: float
    predict_seconds: float

    @property
    def seconds(self) -> float:
        """Fit and prediction together."""
        return self.fit_seconds + self.predict_seconds


def rungs_of(runs: Iterable[Run]) -> tuple[list[Rung], list[NDArray]]:
    """Combine the runs of one model at one size, and sort by model, rows and size; also their influences."""
    groups: dict[tuple[str, int, int], list[Run]] = {}
    for run in runs:
        groups.setdefault(run[:3], []).append(run)
    rungs, influences = [], []
    for key in sorted(groups, key=lambda key: (list(STYLES).index(key[0]), key[2], key[1])):
        group = groups[key]
        scores, fits, predictions = (
            [getattr(run, name) for run in group] for name in ("score", "fit_seconds", "predict_seconds")
        )
        reach: Any = map(float, (np.mean(scores), min(scores), max(scores)))
        means: Any = map(float, (np.mean(fits), np.mean(predictions)))
        rungs.append(Rung._make([*key, *reach, len(group), *means]))
        influences.append(np.mean([run.influence for run in group], axis=0))
    return rungs, influences


def recommend(
    rungs: Sequence[Rung],
    influences: Sequence[NDArray],
    forecast: Forecast,
    baseline: float,
    guess: NDArray | float = 0.0,
) -> tuple[Rung, str]:
    """Choose the best model, or the fastest of those within a standard error of it if it is ten times faster.

    Of each model only those with the most rows count. An average within two standard errors of the best is
    preferred to it, since the best of many scores is too high, if no member has fewer rows: it is not
    refitted with such a one. Times below a tenth of a second are equal; then more rows count, and then the
    score.
    `baseline` and `guess` are the score of a constant guess and the influence of each test row on it.
    """
    places = with_most_rows(rungs)
    first = max(places, key=lambda i: rungs[i].score)
    best, errors = rungs[first], [standard_error(influences[first] - other) for other in influences]
    near = [rungs[i] for i in places if best.score - rungs[i].score <= errors[i]]
    chosen = min(near, key=lambda rung: (max(rung.seconds, NOTICED), -rung.rows, -rung.score))
    close = [rungs[i] for i in places if best.score - rungs[i].score <= CLOSE * errors[i]]
    liked = next((rung for rung in close if rung.model == "average" and rung.rows >= best.rows), best)
    if max(liked.seconds, NOTICED) < FASTER * max(chosen.seconds, NOTICED):
        chosen = liked
    parts = [f"{describe_rung(chosen, forecast)}: "]
    if best.score - baseline <= 2 * standard_error(influences[first] - guess):
        chance = f"none beats the constant guess, {baseline:.3f}, by more than chance"
        parts.insert(0, f"{chance}; if you need a model, ")
    if chosen is best:
        parts.append(f"the best score, {best.score:.3f}, and no model as good is ten times faster")
    else:
        gap = math.ceil(round(1000 * (best.score - chosen.score), 6)) / 1000
        parts.append(f"within {gap:.3f} of the best" if gap else "as good as the best")
        whole = next((r for r in rungs if r.model == "exact" and r.size == forecast.rows), None)
        slower = best if whole is None or whole is chosen else whole
        if slower.seconds > NOTICED and (times := slower.seconds / chosen.seconds) >= 1.5:
            parts.append(f", {float(f'{times:.2g}'):g} times faster than {describe_rung(slower, forecast)}")
    kernels = [i for i, rung in enumerate(rungs) if rung.model in KERNELS]
    if not kernels:
        parts.append("; no model with a kernel was fitted within the budget")
    elif chosen.model == "average":
        single = max((rungs[i] for i in places if rungs[i] is not chosen), key=lambda rung: rung.score)
        parts.append(f"; alone, {describe_rung(single, forecast)} has {single.score:.3f}")
    elif chosen.model not in KERNELS:
        i, place = max(kernels, key=lambda i: rungs[i].score), rungs.index(chosen)
        lead = chosen.score - rungs[i].score
        wins = lead > standard_error(influences[place] - influences[i])
        if chosen.model in TREES and wins:
            parts.append(f"; trees win here by {lead:.2g}: keep your {TREES[chosen.model]}")
        else:
            parts.append("; a kernel does not pay here")
    most = max(rung.rows for rung in rungs)
    trees = max((rung.rows for rung in rungs if rung.model == "boosted trees"), default=most)
    if trees < most and chosen.model != "boosted trees":
        parts.append(f"; boosted trees reached only {trees:,} rows, others {most:,}: try more seconds")
    return chosen, "".join(parts) + "."


def curve_of(model: str, rungs: Iterable[Rung]) -> list[Rung]:
    """List the fits of a model for a curve: without those that took longer than a larger one."""
    fits = [rung for rung in rungs if rung.model == model]
    return [
        fit for i, fit in enumerate(fits) if all(fit.seconds < larger.seconds for larger in fits[i + 1 :])
    ]


def with_most_rows(rungs: Sequence[Rung]) -> list[int]:
    """Return the places of the models that no other of their kind exceeds in rows."""
    most = {rung.model: rung.rows for rung in sorted(rungs, key=lambda rung: rung.rows)}
    return [i for i, rung in enumerate(rungs) if rung.rows == most[rung.model]]


def describe_rung(rung: Rung, forecast: Forecast) -> str:
    """Name a model with its size."""
    if rung.model in ("linear", "exact"):
        rows = f" on {rung.rows:,} rows" if rung.rows < forecast.rows else ""
        return f"the {rung.model} model{rows}"
    if rung.model == "boosted trees":
        return f"boosted trees, {rung.size:,} steps"
    if rung.model == "forest":
        return f"a forest with {rung.size:,} {'row' if rung.size == 1 else 'rows'} a leaf"
    if rung.model == "average":
        return f"the average of {rung.size} models"
    return f"{rung.model}, c = {rung.size:,}"
