"""The score of the best of many equally good models, on the same test rows."""

from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from kernlib.book.explore import Choice, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show

__all__ = ["BEST", "ROWS", "TRUTH", "best_law", "excess", "standard_error"]

TRUTH = 0.9  # of all possible rows are classified correctly, by each model
MODELS = 1, 2, 5, 10, 20, 50, 100, 200
ROWS = 100, 375, 1500, 6000, 12_000
SHARED = {"none": 0.0, "half": 0.5, "three quarters": 0.75}


@cache
def best_law(k: int, m: int, shared: float) -> NDArray:
    """Compute the probabilities of 0, …, m correct rows for the best of k models.

    On a fixed share of the rows all models give the same answer. On the others they err independently.
    """
    together = round(shared * m)
    apart = m - together
    common = stats.binom.pmf(np.arange(together + 1), together, TRUTH)
    best = np.diff(stats.binom.cdf(np.arange(apart + 1), apart, TRUTH) ** k, prepend=0)
    return np.convolve(common, best)


def excess(k: int, m: int, shared: float = 0.0) -> float:
    """Compute by how much the best of k scores is too high on average."""
    return float(best_law(k, m, shared) @ np.arange(m + 1)) / m - TRUTH


def standard_error(m: int) -> float:
    """√(s(1 − s)/m) of a single score."""
    return float(np.sqrt(TRUTH * (1 - TRUTH) / m))


def density(law: NDArray) -> tuple[NDArray, NDArray]:
    """Compute the probability of each thousandth of a score, from groups of an eighth of a standard error."""
    m = len(law) - 1
    step = max(1, round(m * standard_error(m) / 8))
    start = round(m * (TRUTH - 3.5 * standard_error(m)))
    count = (min(m + 1, round(m * (TRUTH + 5 * standard_error(m)))) - start) // step
    groups = law[start : start + count * step].reshape(count, step)
    middles = start + step * np.arange(count) + (step - 1) / 2
    return middles / m, groups.mean(axis=1) * m / 1000


@Plot.panel("Score on the test rows", x="score", y="probability per 0.001")
def laws(k, m, agree):
    """Two bell curves over the score: one model, centered at the truth, and the best of k, which is narrower
    and further to the right. A line marks the truth.
    """
    one, best = density(best_law(1, m, 0.0)), density(best_law(k, m, SHARED[agree]))
    top = max(one[1].max(), best[1].max())
    return {
        "best of k": Line(*best),
        "one model": Line(*one, style="dashed"),
        "truth": Line((TRUTH, TRUTH), (0, top), style="reference"),
    }


@Plot.panel(
    "How much too high the best score is", x="models k", y="score less the truth", log="x", cursor="k"
)
def excess_by_models(m, agree):
    """The mean of the best score less the truth rises with the number of models, ever more slowly. A line
    marks the standard error of one score.
    """
    ends = MODELS[0], MODELS[-1]
    return {
        "best of k, less the truth": Line(MODELS, [excess(k, m, SHARED[agree]) for k in MODELS]),
        "standard error of one score": Line(ends, [standard_error(m)] * 2, style="reference"),
    }


def summary(k, m, agree):
    """Write the mean of the best score, and its excess in standard errors."""
    high = excess(k, m, SHARED[agree])
    return (
        f"On average the best of {show(k)} on {show(m)} test rows scores {TRUTH + high:.3f}, "
        f"{abs(high):.3f} too high: {abs(high) / standard_error(m):.1f} standard errors of one score."
    )


BEST = Explorer(
    title="The best of many equally good models",
    name="best-of-many",
    hint="Each model classifies 90% of all possible rows correctly. Shared answers: the part of the rows on "
    "which all models give the same answer.",
    controls=(
        Slider("k", MODELS, "models k", 20, play=3),
        Slider("m", ROWS, "test rows m", 1500),
        Choice("agree", tuple(SHARED), "shared answers", "none"),
    ),
    panels=(laws, excess_by_models, Readout(summary)),
    predict=Predict(
        "On 1,500 test rows the best of 20 equally good models scores 0.014 too high on average. By how much "
        "is the best of 200 too high?",
        options=("by about as much", "by about one and a half times as much", "by about ten times as much"),
        answer="by about one and a half times as much",
        shows=(("Score on the test rows", "one model"), ("Score on the test rows", "truth")),
        reason="By 0.021. Ten times as many models raise the excess by a half only, because scores far from "
        "the truth are rare.",
    ),
)
