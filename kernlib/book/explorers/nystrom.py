"""c, k, γ, rules and draws of landmarks: the Gram matrix, what is made of it, the error of 200 draws."""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Choice, Dots, Explorer, Heat, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.book.explorers.nystrom_draws import (
    C_STOPS,
    CENTERS,
    DRAWS_SHOWN,
    GAMMAS,
    K_STOPS,
    RULES,
    best_errors,
    data,
    nearest_groups,
    read_record,
    root,
)
from kernlib.kernels import Gaussian
from kernlib.low_rank import relative_error

__all__ = ["EXPLORER", "approximation", "error_of_draw", "finds", "quantiles"]

SHOWN = np.r_[0:140:5, 140:190:5, 190:200:2]  # 28, 10 and 5 of the points, whose matrix is drawn


def landmarks_of(c: int, gamma: float, rule: str, draw: int) -> NDArray:
    """Read the landmarks of one draw from the record."""
    of_rule = read_record()[rule]["landmarks"]
    begin = sum(C_STOPS[: C_STOPS.index(c)])
    place = GAMMAS.index(gamma) if len(of_rule) > 1 else 0
    found = np.array(of_rule[place][draw - 1][begin : begin + c])
    return found if found.ndim == 2 else data()[found]


def quantiles(k: int, gamma: float, rule: str) -> NDArray:
    """Read the 10%, 50% and 90% quantiles of 200 draws' errors for each c from the record."""
    return np.array(read_record()[rule]["quantiles"][GAMMAS.index(gamma)][K_STOPS.index(k)])


def finds(c: int, gamma: float, rule: str) -> int:
    """Read in how many of 200 draws a landmark is in the group of ten from the record."""
    of_rule = read_record()[rule]["finds"]
    return of_rule[GAMMAS.index(gamma) if len(of_rule) > 1 else 0][C_STOPS.index(c)]


@Heat.panel("Truth G", limits=(0, 1), palette="blues")
def truth(gamma):
    """The Gram matrix of 43 of the points: three blocks."""
    return Gaussian(gamma)(data()[SHOWN])


def features(c, k, gamma, rule, draw):
    """Compute Z with ZZᵀ = C W_k⁺ Cᵀ on all points."""
    return root(landmarks_of(c, gamma, rule, draw), gamma)[:, :k]


def approximation(c: int, k: int, gamma: float, rule: str, draw: int) -> NDArray:
    """Compute C W_k⁺ Cᵀ on the points of `truth`."""
    Z = features(c, k, gamma, rule, draw)[SHOWN]
    return Z @ Z.T


@Heat.panel("Error |G − CWₖ⁺Cᵀ|", limits=(0, 1), palette="blues")
def missed(c, k, gamma, rule, draw):
    """Dark where the approximation misses the truth: blocks of groups without a landmark."""
    return np.abs(truth(gamma) - approximation(c, k, gamma, rule, draw))


def error_of_draw(c: int, k: int, gamma: float, rule: str, draw: int) -> float:
    """Compute ‖G − C W_k⁺ Cᵀ‖_F / ‖G‖_F on all points."""
    return float(relative_error(features(c, k, gamma, rule, draw), Gaussian(gamma)(data())))


@Plot.panel("Landmarks of this draw", x="x₁", y="x₂", xlim=(-3, 5.5), ylim=(-2.5, 4.5), equal=True)
def landmarks(c, gamma, rule, draw):
    """Points in a large, a middle and a small group, and the landmarks among them."""
    return {"data": Dots(*data().T), "landmarks": Dots(*landmarks_of(c, gamma, rule, draw).T, "large")}


@Plot.panel("Error over c: medians of 200 draws", x="landmarks c", y="‖G − Ĝ‖ / ‖G‖", log="y", cursor="c")
def error_over_c(c, k, gamma, rule, draw):
    """The median errors of four rules fall with the number of landmarks, with a band for one of them, above
    the least possible error. A point marks the draw.
    """
    series = {}
    for name in RULES:
        low, middle, high = quantiles(k, gamma, name)
        series[name] = (
            Line(C_STOPS, middle, low, high) if name == rule else Line(C_STOPS, middle, style="dashed")
        )
    series["this draw"] = Dots([c], [error_of_draw(c, k, gamma, rule, draw)], "large")
    best = best_errors("Gaussian", gamma)[np.minimum(k, C_STOPS)]
    series["least possible"] = Line(C_STOPS, best, style="reference")
    return series


def summary(c, k, gamma, rule, draw):
    """Report the error of one draw and of 200, and the landmarks nearest to each group's center."""
    counts = np.bincount(nearest_groups(landmarks_of(c, gamma, rule, draw)), minlength=3)
    of_draws = quantiles(k, gamma, rule)[:, C_STOPS.index(c)]
    low, middle, high = (show(error, 3) for error in of_draws)
    here, best = error_of_draw(c, k, gamma, rule, draw), best_errors("Gaussian", gamma)[min(k, c)]
    return (
        f"Rank {min(k, c)}: relative error {show(here, 3)} in draw {draw}; the least possible is "
        f"{show(best, 2)}. 200 draws: median {middle}, the middle 80% from {low} to {high}; in "
        f"{finds(c, gamma, rule)} of them a landmark is in the group of 10 points. In this draw the groups "
        f"of 140, 50 and 10 points have {counts[0]}, {counts[1]} and {counts[2]} landmarks."
    )


EXPLORER = Explorer(
    title="Nyström: a few landmarks for all points",
    name="nystrom",
    hint="Step through the draws: each applies the same rule with new random numbers.",
    script="nystrom_rules",
    data={
        "points": data(),
        "shown": SHOWN,
        "centers": CENTERS,
        "rules": list(RULES),
        "gammas": GAMMAS,
        "ranks": K_STOPS,
        "counts": C_STOPS,
        "best": [best_errors("Gaussian", gamma)[: K_STOPS[-1] + 1] for gamma in GAMMAS],
        **{
            f"{name} of {rule}": found
            for rule, of_rule in read_record().items()
            for name, found in of_rule.items()
        },
    },
    controls=(
        Choice("rule", RULES, "rule"),
        Slider("draw", range(1, DRAWS_SHOWN + 1), "draw", 1, play=2),
        Slider("c", C_STOPS, "landmarks c", 4, log=True, play=2),
        Slider("k", K_STOPS, "limit k of the rank", 32, log=True),
        Slider("gamma", GAMMAS, "γ", 0.5, log=True),
    ),
    presets={
        "a lucky draw": {"rule": "uniform", "draw": 1, "c": 4, "k": 32, "gamma": 0.5},
        "k-means": {"rule": "k-means", "draw": 1, "c": 4, "k": 32, "gamma": 0.5},
        "half of the rank": {"rule": "uniform", "draw": 1, "c": 32, "k": 16, "gamma": 0.1},
    },
    panels=(
        error_over_c,
        landmarks,
        truth,
        Heat(
            approximation,
            "Approximation CWₖ⁺Cᵀ",
            "Blocks along the diagonal, one for each group that has a landmark.",
            (0, 1),
            palette="blues",
        ),
        missed,
        Readout(summary),
    ),
    predict=Predict(
        "With four landmarks, the first uniform draw leaves an error of 0.379, and the first draw of "
        "randomly pivoted Cholesky 0.496. Which rule has the smaller median error over 200 draws?",
        answer="randomly pivoted Cholesky",
        options=("uniform", "randomly pivoted Cholesky", "they are equal"),
        shows=("Truth G", ("Landmarks of this draw", "data")),
        reason="The medians are 0.46 for randomly pivoted Cholesky and 0.50 for uniform landmarks. That "
        "uniform draw is better than 85% of all uniform draws. One draw of each rule is not enough to "
        "compare them.",
    ),
)
