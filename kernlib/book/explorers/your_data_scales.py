"""A scale for each column: one point of the plane of two scales, and the fit that it gives."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Field, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import cell_centers, show
from kernlib.kernels import Gaussian

__all__ = ["GAMMAS", "OTHERS", "SCALES", "Table", "best_on_diagonal"]

ROWS, OTHERS = 150, 5
NOISE = 0.1  # the standard deviation of the target around its wave
GAMMAS = (*(float(f"{m}e{power}") for power in range(-3, 1) for m in (1, 2, 5)), 10.0)
LAMS = 10.0 ** np.arange(-8.0, 1.0, 0.5)  # times n
ENDS = GAMMAS[0] / 1.4, GAMMAS[-1] * 1.4
CELLS = 24  # of the field, along each axis
DRAWN = np.linspace(0, 24, 73)  # hours


class Table:
    """Rows with an hour and five columns of noise, all standardized, and a target: a wave of the hour."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.hours = rng.uniform(0, 24, ROWS).round(2)
        self.others = rng.normal(size=(ROWS, OTHERS))
        self.others = (self.others - self.others.mean(axis=0)) / self.others.std(axis=0)
        self.target = (wave(self.hours) + NOISE * rng.normal(size=ROWS)).round(3)
        self.X = np.column_stack([self.standardized(self.hours), self.others])

    def standardized(self, hours: NDArray) -> NDArray:
        """Standardize hours as those of the table."""
        return (hours - self.hours.mean()) / self.hours.std()

    def fit(self, hour: float, other: float) -> tuple[float, NDArray]:
        """Compute the leave-one-out error of the best λ for two γ, of the hour and the others, and its α."""
        y = self.target - self.target.mean()
        w, Q = np.linalg.eigh(kernel(hour, other)(self.X))
        D = 1 / (np.maximum(w, 0)[:, None] + LAMS)  # for each λ a column
        alphas = Q @ (D * (Q.T @ y)[:, None])
        errors = np.mean((alphas / (Q**2 @ D)) ** 2, axis=0)
        best = errors.argmin()
        return float(errors[best]), alphas[:, best]

    def error(self, hour: float, other: float) -> float:
        """Compute the leave-one-out error of the best λ."""
        return self.fit(hour, other)[0]

    def curve(self, hour: float, other: float, alpha: NDArray) -> NDArray:
        """Evaluate a fit at the drawn hours, with the other columns at their means."""
        places = np.column_stack([self.standardized(DRAWN), np.zeros((len(DRAWN), OTHERS))])
        return self.target.mean() + kernel(hour, other)(places, self.X) @ alpha


def wave(hours):
    """Compute the target without its noise."""
    return np.sin(hours / 2)


def kernel(hour, other):
    """Make the kernel with one γ for the hour and another for the columns of noise."""
    return Gaussian((hour,) + (other,) * OTHERS)


def best_on_diagonal(table: Table) -> float:
    """Choose the best γ for all six columns, by leave-one-out."""
    return min(GAMMAS, key=lambda gamma: table.error(gamma, gamma))


SHOWN = Table(0)


@cache
def fit_shown(hour, other):
    """Compute the error and α for the table that is shown, once for both panels."""
    return SHOWN.fit(hour, other)


@cache
def diagonal_best():
    """Choose it for the table that is shown."""
    return best_on_diagonal(SHOWN)


@cache
def errors_in_plane():
    """Compute the error at the centers of the cells."""
    ends = tuple(np.log(ENDS))
    gammas = np.exp(cell_centers(ends, ends, CELLS, CELLS))
    return np.reshape([SHOWN.error(*pair) for pair in gammas], (CELLS, CELLS))


@Plot.panel(
    "Leave-one-out error (dark is small)",
    x="γ of the hour",
    y="γ of the five other columns",
    log="xy",
    xlim=ENDS,
    ylim=ENDS,
    drag=("hour", "other"),
)
def plane(hour, other):
    """The error over the plane of two scales. Along the diagonal, where both are equal, it is large
    everywhere; it is small where the scale of the hour is large and that of the others small.
    """
    best = diagonal_best()
    return {
        "one γ for all columns": Line(ENDS, ENDS, style="reference"),
        "the best of them": Dots([best], [best], "large"),
        "yours": Dots([hour], [other], "large"),
        "error": Field(errors_in_plane(), ENDS, ENDS, (0, 0.5)),
    }


@Plot.panel("The fit against the hour", x="hour", y="target", xlim=(0, 24), ylim=(-1.5, 1.5))
def fit_by_hour(hour, other):
    """Rows on a wave of the hour, and the fitted curve. It is too flat if the other columns count as much as
    the hour, and follows the wave if they count little.
    """
    return {
        "fit, other columns at their means": Line(DRAWN, SHOWN.curve(hour, other, fit_shown(hour, other)[1])),
        "rows": Dots(SHOWN.hours, SHOWN.target),
        "wave without noise": Line(DRAWN, wave(DRAWN), style="reference"),
    }


def summary(hour, other):
    """Report the error and the hour's share of the squared distances."""
    share = hour / (hour + OTHERS * other)
    return (
        f"γ of the hour {show(hour)}, of each other column {show(other)}: the hour has {share:.0%} of the "
        f"squared distances. Leave-one-out error: {fit_shown(hour, other)[0]:.3f}."
    )


SCALES = Explorer(
    title="A scale for each column",
    name="column-scales",
    hint="Drag the point “yours” away from the diagonal, or move the sliders.",
    controls=(
        Slider("hour", GAMMAS, "γ of the hour", 1.0, log=True),
        Slider("other", GAMMAS, "γ of the others", 1.0, log=True),
    ),
    panels=(plane, fit_by_hour, Readout(summary)),
    predict=Predict(
        "A target depends on the hour and on none of five other columns. Its variance is 0.5, that of its "
        "noise 0.01. How small does the leave-one-out error become if all six columns have the same γ, the "
        "best one?",
        options=("about 0.01", "about 0.1", "more than 0.4"),
        answer="more than 0.4",
        shows=(("The fit against the hour", "rows"),),
        reason="The five columns of noise have five sixths of the squared distances. Two rows of the same "
        "hour are nearly as far apart as any others, so the fit learns little from one for the other.",
    ),
)
