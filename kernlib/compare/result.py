"""What a comparison found: the table, the plot, the recommendation with its reason, the pipeline."""

import base64
import html
import io
import textwrap
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from kernlib.compare.climb import in_seconds
from kernlib.compare.rungs import STYLES, Forecast, Rung, curve_of, recommend
from kernlib.compare.source import source_of

__all__ = ["Comparison", "name_of"]

WIDTH = 76  # of a line
LEAST_LEAD = 0.05  # by which the picture reaches below the constant guess, at least, if scores are there
LABELS = {"log_loss": "negative log loss", "r2": "R²", "roc_auc": "ROC AUC"}


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What `compare` found.

    Parameters
    ----------
    table : list of Rung
        A line for each model at each size; ``pandas.DataFrame(table)`` takes it.
    forecast : Forecast
        Of the exact model.
    recommendation : str
        Which model, and why, in a sentence.
    pipeline : Pipeline
        That model with the preparation of the table, fitted.
    rows : int
        How many rows it was fitted to: after a refit all rows of the table, test rows included.
    chosen : Rung
        Its line of the table.
    score, error : float
        The score of this model on the test rows, fitted to training rows only (the mean over its draws, if
        it was refitted), and how far that of the pipeline on new rows may be from it: by the choice of test
        rows, of folds, of the best of many models, and by the refit to more rows.
    test_rows : ndarray
        The numbers of the test rows.
    task, scoring : str
        What was compared, and by which score.
    baseline : float
        The score of a constant guess.
    kernel : Kernel
        The kernel of all models that have one.
    gamma, C : float
        γ, before each column got its own, and C = 1/(nλ) for n = `rows`.
    scales : dict or None
        If each column has its own γ, the share of each column in the squared distances, the largest first.
    rounds : list of tuple
        What was tried to choose γ and λ: (rows, γ, λ, leave-one-out error).
    notes, seconds : list of str, float
        What was noticed, chosen and left out, and why each ladder ended; and the time of the whole
        comparison.
    influences, guess : list of ndarray, ndarray
        By how much each test row moves the score of each line of the table, and that of a constant guess.
    """

    table: list
    forecast: Forecast
    recommendation: str
    pipeline: Any
    rows: int
    chosen: Rung
    score: float
    error: float
    test_rows: NDArray
    task: str
    scoring: str
    baseline: float
    kernel: Any
    gamma: float
    C: float
    scales: dict | None
    rounds: list
    notes: list
    seconds: float
    influences: list
    guess: NDArray | float

    def __repr__(self):
        label = name_of(self.scoring)
        lines = [
            f"{'model':<16} {'size':>7} {'rows':>8} {label:>17}  {'lowest–highest':<14} "
            f"{'fit':>8} {'predict':>8}"
        ]
        for rung in self.table:
            dash = "–" if rung.lowest >= 0 else " to "
            reach = f"{rung.lowest:.3f}{dash}{rung.highest:.3f}" if rung.draws > 1 else ""
            lines.append(
                f"{rung.model:<16} {rung.size:>7,} {rung.rows:>8,} {rung.score:>17.3f}  {reach:<14} "
                f"{in_seconds(rung.fit_seconds):>8} {in_seconds(rung.predict_seconds):>8}"
            )
        notes = [textwrap.fill(note, WIDTH, subsequent_indent="  ") for note in self.notes]
        return "\n".join([*lines, "", *notes, "", textwrap.fill(self.recommendation, WIDTH)])

    def _repr_html_(self):
        text = f"<pre>{html.escape(repr(self))}</pre>"
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            return text
        axes, picture = self.plot(), io.BytesIO()
        axes.figure.savefig(picture, format="png", bbox_inches="tight")
        plt.close(axes.figure)
        data = base64.b64encode(picture.getvalue()).decode()
        return f'<img src="data:image/png;base64,{data}" alt="Score against seconds for each model.">{text}'

    def code(self) -> str:
        """Return the code that builds the pipeline, unfitted."""
        return source_of(self.pipeline)

    def within(self, seconds: float) -> tuple[Rung, str]:
        """Recommend one of the fits that took at most so many seconds with their predictions, and say why."""
        places = [i for i, rung in enumerate(self.table) if rung.seconds <= seconds]
        if not places:
            least = in_seconds(min(rung.seconds for rung in self.table))
            raise ValueError(f"seconds must be at least those of the fastest fit, {least}, got {seconds:g}.")
        rungs, influences = ([of[i] for i in places] for of in (self.table, self.influences))
        return recommend(rungs, influences, self.forecast, self.baseline, self.guess)

    def plot(self, axes: Any = None) -> Any:
        """Draw score against time, a line and a band over the draws for each model; needs matplotlib.

        A fit that took longer than a larger one of its model is left out. Scores that are farther below the
        constant guess than the best is above it are not shown.
        """
        import matplotlib.pyplot as plt
        from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

        axes = plt.subplots(figsize=(7.5, 4.5), layout="constrained")[1] if axes is None else axes
        for model, style in STYLES.items():
            if rungs := curve_of(model, self.table):
                seconds = [rung.seconds for rung in rungs]
                axes.plot(seconds, [rung.score for rung in rungs], style, label=model)
                low, high = ([getattr(rung, name) for rung in rungs] for name in ("lowest", "highest"))
                axes.fill_between(seconds, low, high, color=style[:2], alpha=0.2, linewidth=0)
        axes.axhline(self.baseline, color="0.5", linestyle=":", label="constant guess")
        axes.plot(
            self.chosen.seconds, self.chosen.score, "o", ms=14, mfc="none", mec="0.4", label="recommended"
        )
        axes.set(xscale="log", xlabel="fit and prediction (s)", ylabel=name_of(self.scoring))
        scores = [rung.score for rung in self.table]
        lead = max(max(scores) - self.baseline, LEAST_LEAD)
        if min(scores) < self.baseline - lead:
            axes.set_ylim(self.baseline - lead, max(*scores, self.baseline) + 0.1 * lead)
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), borderaxespad=0)
        return axes


def name_of(scoring: str) -> str:
    """Return the label of a score."""
    return LABELS.get(scoring, scoring.replace("_", " "))
