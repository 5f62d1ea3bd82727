"""Score against seconds of all fits of a comparison, and the best of them within the seconds that one has."""

import math
from functools import cache

import numpy as np

from kernlib.book.explore import Cells, Dots, Explorer, Line, Plot, Predict, Readout, Slider, Table
from kernlib.book.explore.marks import show
from kernlib.compare.result import Comparison, name_of
from kernlib.compare.rungs import Forecast, Rung, curve_of, describe_rung, with_most_rows

__all__ = ["best_fits", "score_against_seconds"]

STYLES = {  # of the models, in the order of the book's colors
    "exact": "",
    "random features": "dashed",
    "Nyström": "",
    "linear": "dotted",
    "boosted trees": "",
    "forest": "dashed",
}
BY_ROWS = "exact", "linear"  # their sizes are their rows
CLOCK = 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8  # times powers of ten: the stops
LOSSES = {"at most 0.01": 0.01, "between 0.01 and 0.05": 0.05, "more than 0.05": math.inf}
TITLE = "Score against seconds"


def clock(first: float, last: float) -> tuple[float, ...]:
    """List round numbers of seconds, from the least that is not below the first to one not below the last."""
    powers = range(math.floor(math.log10(first)), math.ceil(math.log10(last)) + 1)
    every = [float(f"{step * 10.0**power:.2g}") for power in powers for step in CLOCK]
    begin, end = (next(i for i, stop in enumerate(every) if stop >= seconds) for seconds in (first, last))
    return tuple(every[begin : end + 1])


def best_fits(found: Comparison, seconds: float) -> dict[str, Rung]:
    """Choose the best fit of each model within the seconds, of those with the most rows, as `found` does."""
    rungs = [rung for rung in found.table if rung.seconds <= seconds]
    best: dict[str, Rung] = {}
    for rung in map(rungs.__getitem__, with_most_rows(rungs)):
        if rung.model not in best or rung.score > best[rung.model].score:
            best[rung.model] = rung
    return best


def score_against_seconds(found: Comparison) -> Explorer:
    """Draw what `compare` found: the fits that take at most t seconds, the best and the recommended one."""
    every = [max(rung.seconds, 1e-4) for rung in found.table]
    stops = clock(min(every), max(every))
    models = [model for model in (*STYLES, "average") if any(rung.model == model for rung in found.table)]
    drawn = {rung.model for rung in found.table if rung.draws > 1}
    within = cache(found.within)

    @Plot.panel(
        TITLE,
        x="seconds for a fit and its predictions",
        y=name_of(found.scoring),
        log="x",
        xlim=(0.8 * min(every), 1.1 * stops[-1]),
        ylim=limits(found),
        cursor="t",
    )
    def curves(t):
        """A curve for each model, through its fits within the seconds, without those that took longer than a
        larger one, and then flat; a large point is the recommended fit.
        """
        fits = [rung for rung in found.table if rung.seconds <= t]
        series = {}
        for model, style in STYLES.items():
            own = [(rung.seconds, *rung[3:6]) for rung in curve_of(model, fits)]
            own += [(t, *last) for _, *last in own[-1:]]  # until there is a better one
            seconds, scores, low, high = np.reshape(own, (-1, 4)).T
            band = (low, high) if model in drawn else ()
            series[model] = Line(seconds, scores, *band, style=style)
        if "average" in models:
            averages = [(rung.seconds, rung.score) for rung in fits if rung.model == "average"]
            series["average"] = Dots(*np.reshape(averages, (-1, 2)).T, "large")
        chosen, _ = within(t)
        series["recommended"] = Dots([chosen.seconds], [chosen.score], "large")
        return series

    @Table.panel("The best fit of each model")
    def table(t):
        """Size, rows and score of the best fit of each model within the seconds."""
        best, (chosen, _) = best_fits(found, t), within(t)
        rows = [cells(best.get(model)) for model in models]
        lit = [(models.index(chosen.model), column) for column in range(3)]
        return Cells(rows, ("size", "rows", "score"), models, lit=lit)

    def summary(t):
        chosen, why = within(t)
        best = max(best_fits(found, t).values(), key=lambda rung: rung.score)
        text = f"Within {show(t)} s, recommended: {why}"
        if best != chosen:
            text = f"Within {show(t)} s the best is {in_words(best, found.forecast)}. Recommended: {why}"
        rows = f" Fitted to {show(chosen.rows)} of {show(found.forecast.rows)} rows."
        return text + rows * (chosen.model not in BY_ROWS)

    return Explorer(
        title=TITLE,
        name="score-seconds",
        hint="Drag the dotted line, or play the clock: how long may a fit take, with its predictions?",
        controls=(Slider("t", stops, "seconds", stops[-1], log=True, play=4),),
        panels=(curves, table, Readout(summary)),
        predict=question(found, stops),
    )


def cells(rung):
    """Write size, rows and score of a fit as cells, empty ones if there is none."""
    if rung is None:
        return [None] * 3
    return [None if rung.model in BY_ROWS else rung.size, rung.rows, f"{rung.score:.3f}"]


def in_words(rung: Rung, forecast: Forecast) -> str:
    """Describe a fit by its model, size, rows and score."""
    rows = "" if rung.model in BY_ROWS else f" on {show(rung.rows)} rows"
    return f"{describe_rung(rung, forecast)}{rows}, with {rung.score:.3f}"


def limits(found):
    """Choose the ends of the axis: scores far below the constant guess are not shown."""
    scores = [rung.score for rung in found.table]
    lead = max(max(scores) - found.baseline, 0.05)
    low = max(min(scores), found.baseline - lead)
    margin = 0.06 * max(max(scores) - low, 0.01)
    return low - margin, max(scores) + margin


def question(found, stops):
    """Ask how much of the best score is lost if a fit may take a tenth of the seconds."""
    best = max(best_fits(found, math.inf).values(), key=lambda rung: rung.score)
    tenth = max((stop for stop in stops if stop <= best.seconds / 10), default=stops[0])
    other = max(best_fits(found, tenth).values(), key=lambda rung: rung.score)
    loss = best.score - other.score
    return Predict(
        f"The fit with the best score, {best.score:.3f}, took {show(best.seconds, 2)} s. How much lower is "
        f"the best score if a fit may take only {show(tenth)} s?",
        options=tuple(LOSSES),
        answer=next(option for option, most in LOSSES.items() if loss <= most),
        shows=[(TITLE, "linear")],
        reason=f"{loss:.3f} lower: the best is then {in_words(other, found.forecast)}.",
        at={"t": tenth},
    )
