"""What a comparison found: the table, the plot, the recommendation with its reason, the pipeline.

Chapter: Your own data.
"""

import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kernlib.compare.climb import in_seconds
from kernlib.compare.machines import Run
from kernlib.compare.source import source_of

__all__ = ["Comparison", "Forecast", "Rung", "recommend", "rungs_of"]

NOTICED = 0.1  # seconds
WIDTH = 76  # of a line
MACHINES = ("linear", "exact", "random features", "Nyström")


class Forecast(NamedTuple):
    """
    What the exact machine takes, forecast before it runs.

    Parameters
    ----------
    rows : int
        n, the training rows.
    gram_bytes : int
        8n².
    seconds : float
        Of a fit on all of them; nan where the Gram matrix does not fit.
    text : str
        The same as a sentence.
    """

    rows: int
    gram_bytes: int
    seconds: float
    text: str


class Rung(NamedTuple):
    """
    A machine at one size, over its seeds.

    Parameters
    ----------
    machine : str
        "linear", "exact", "random features" or "Nyström".
    size : int
        c; of "exact" the rows it was fitted on, of "linear" the columns of the table.
    score, lowest, highest : float
        Mean over the seeds, and how far they reach.
    fit_seconds, predict_seconds : float
        Means.
    converged : bool
        Whether every solver came to its end.
    """

    machine: str
    size: int
    score: float
    lowest: float
    highest: float
    fit_seconds: float
    predict_seconds: float
    converged: bool

    @property
    def seconds(self) -> float:
        """Fit and prediction together."""
        return self.fit_seconds + self.predict_seconds


def rungs_of(runs: Iterable[Run]) -> Iterator[Rung]:
    """Put the runs of one machine at one size together, the machines in their order, by size."""
    groups: dict[tuple[str, int], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.machine, run.size), []).append(run)
    for machine, size in sorted(groups, key=lambda of: (MACHINES.index(of[0]), of[1])):
        group = groups[machine, size]
        scores, fits, predictions = (
            np.array([getattr(run, name) for run in group])
            for name in ("score", "fit_seconds", "predict_seconds")
        )
        numbers: Any = map(
            float, (scores.mean(), scores.min(), scores.max(), fits.mean(), predictions.mean())
        )
        yield Rung._make([machine, size, *numbers, all(run.converged for run in group)])


def recommend(rungs: Sequence[Rung], error: float, forecast: Forecast, baseline: float) -> tuple[Rung, str]:
    """
    Choose the machine that takes the least time among those within a standard error of the best score.

    Times that nobody notices are alike, and then the score decides. Gives its rung and the reason in a
    sentence.
    """
    best = max(rungs, key=lambda rung: rung.score)
    near = [rung for rung in rungs if rung.score >= best.score - error]
    chosen = min(near, key=lambda rung: (max(rung.seconds, NOTICED), -rung.score))
    parts = [f"{told(chosen, forecast)}: "]
    if chosen is best:
        parts.append(
            f"the best score, {best.score:.3f}, and none within {error:.2g} of it is noticeably faster"
        )
    else:
        gap = math.ceil(round(1000 * (best.score - chosen.score), 6)) / 1000
        parts.append(f"within {gap:.3f} of the best" if gap else "as good as the best")
        whole = next((r for r in rungs if r.machine == "exact" and r.size == forecast.rows), None)
        slower, name = (best, told(best, forecast)) if whole in (None, chosen) else (whole, "exact")
        if slower.seconds > NOTICED and (times := slower.seconds / chosen.seconds) >= 1.5:
            parts.append(f", {times:.2g} times faster than {name}")
    if chosen.machine == "linear":
        parts.append("; a kernel does not pay here")
    if best.score - baseline <= 2 * error:
        parts.append(f"; but none beats the constant guess, {baseline:.3f}, by more than chance")
    return chosen, "".join(parts) + "."


def told(rung, forecast):
    """Name a rung."""
    if rung.machine == "linear":
        return "the linear machine"
    if rung.machine == "exact":
        return "the exact machine" + f" on {rung.size:,} rows" * (rung.size < forecast.rows)
    return f"{rung.machine}, c = {rung.size:,}"


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """
    What `compare` found.

    Parameters
    ----------
    table : list of Rung
        A line for each machine at each size; ``pandas.DataFrame(table)`` takes it.
    forecast : Forecast
        Of the exact machine, before it ran.
    recommendation : str
        Which machine, and why, in a sentence.
    pipeline : Pipeline
        That machine with the preparation of the table: fitted on the training rows.
    chosen : Rung
        Its line of the table.
    score : float
        Of the pipeline itself on the test rows: one of the seeds of its line.
    test_rows : ndarray
        The numbers of the rows that no fit has seen.
    task, scoring : str
        What was compared, and by which score.
    baseline : float
        The score of a constant guess, the most frequent class or the mean.
    error : float
        The standard error of the best score, from the test rows.
    notes : list of str
        What was noticed, chosen, left out, and where each machine ended.
    seconds : float
        All of it.
    """

    table: list
    forecast: Forecast
    recommendation: str
    pipeline: object
    chosen: Rung
    score: float
    test_rows: np.ndarray
    task: str
    scoring: str
    baseline: float
    error: float
    notes: list
    seconds: float

    def __repr__(self):
        lines = [
            f"{'machine':<16} {'c or rows':>9} {self.scoring:>17}  {'lowest–highest':<14} {'fit':>8} "
            f"{'predict':>8}"
        ]
        for rung in self.table:
            reach = f"{rung.lowest:.3f}–{rung.highest:.3f}" + "*" * (not rung.converged)
            lines.append(
                f"{rung.machine:<16} {rung.size:>9,} {rung.score:>17.3f}  {reach:<14} "
                f"{in_seconds(rung.fit_seconds):>8} {in_seconds(rung.predict_seconds):>8}"
            )
        lines += ["* stopped before it converged"] * any(not rung.converged for rung in self.table)
        return "\n".join([*lines, "", textwrap.fill(self.recommendation, WIDTH)])

    def code(self) -> str:
        """Write the pipeline as code that builds it anew, unfitted."""
        return source_of(self.pipeline)

    def plot(self, axes: Any = None) -> Any:
        """
        Draw score against time, a line for each machine; needs matplotlib, the extra "explore".

        Parameters
        ----------
        axes : matplotlib Axes, optional
            Where to draw; new ones where it is not given.

        Returns
        -------
        matplotlib Axes
            With a band over the seeds.
        """
        import matplotlib.pyplot as plt
        from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

        axes = plt.subplots()[1] if axes is None else axes
        styles = {"exact": "C0-s", "random features": "C1--o", "Nyström": "C2-^", "linear": "C3D"}
        for machine, style in styles.items():
            rungs = [rung for rung in self.table if rung.machine == machine]
            if rungs:
                seconds = [rung.seconds for rung in rungs]
                axes.plot(seconds, [rung.score for rung in rungs], style, label=machine)
                low, high = ([getattr(rung, name) for rung in rungs] for name in ("lowest", "highest"))
                axes.fill_between(seconds, low, high, color=style[:2], alpha=0.2, linewidth=0)
        axes.axhline(self.baseline, color="0.5", linestyle=":", label="constant guess")
        axes.plot(
            self.chosen.seconds, self.chosen.score, "o", ms=14, mfc="none", mec="0.4", label="recommended"
        )
        axes.set(xscale="log", xlabel="fit and prediction (s)", ylabel=self.scoring.replace("_", " "))
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.legend()
        return axes
