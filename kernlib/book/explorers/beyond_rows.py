"""Rows to read and to forget: the fit knows them by two sums."""

from collections.abc import Iterable

import numpy as np

from kernlib.book.explore import Dots, Explorer, Line, Pick, Plot, Predict, Readout, Toggles

__all__ = ["POINTS", "READ", "sums"]

POINTS = np.array(  # z and y of each row; small integers, so that the sums can be checked by hand
    [(1, 2), (1, 0), (2, 1), (2, 3), (3, 2), (3, 4), (4, 4), (4, 5), (5, 3), (5, 6), (6, 4), (6, 6)]
)
LAM = 0.1
FEW = 3  # rows, whose terms the sentence writes out
ENDS = np.array([0.0, 7.0])  # of the axis of z
SLOPES = np.linspace(0, 2, 41)


def sums(rows: Iterable[int]) -> tuple[int, int, int, int]:
    """Compute n, S = Σ z², u = Σ zy and τ = Σ y² of some rows."""
    z, y = POINTS[np.array(list(rows), dtype=int)].T
    return len(z), int(z @ z), int(z @ y), int(y @ y)


def slope(n, S, u):
    """Compute w = (S + nλ)⁻¹u, and 0 without rows."""
    return u / (S + n * LAM) if n else 0.0


def objective(n, S, u, tau, v):
    """Compute the ridge objective of the slope v from the four sums; without rows its penalty alone."""
    return (tau - 2 * v * u + v**2 * S) / (2 * max(n, 1)) + LAM / 2 * v**2


@Plot.panel("The rows and their fit", x="feature z", y="target y", xlim=(0, 7), ylim=(0, 7), toggles="rows")
def fit(rows):
    """Twelve points, some of them switched on, and a line through the origin that fits those."""
    w = slope(*sums(rows)[:3])
    return {"": Dots(*POINTS.T), "fit of the rows read": Line(ENDS, w * ENDS)}


@Plot.panel(
    "What the fit minimizes", x="slope v", y="mean squared error/2 + penalty", xlim=(0, 2), ylim=(0, 6)
)
def valley(rows):
    """The ridge objective against the slope v: a parabola, whose lowest point is at w."""
    n, S, u, tau = sums(rows)
    w = slope(n, S, u)
    return {
        "objective": Line(SLOPES, objective(n, S, u, tau, SLOPES)),
        "w": Dots([w], [objective(n, S, u, tau, w)], "large"),
    }


@Pick.panel("Read one more row", toggles="rows")
def weights(rows):
    """A button that reads one more row."""
    return [0 if i in rows else 1 for i in range(len(POINTS))]


def summary(rows):
    """Report the sums and the weight; of a few rows, term by term."""
    n, S, u, tau = sums(rows)
    if not n:
        return "No row was read: n, S and u are 0."
    squares = " + ".join(f"{POINTS[i][0]}²" for i in rows)
    products = " + ".join(f"{POINTS[i][0]}·{POINTS[i][1]}" for i in rows)
    terms = (f"{squares} = ", f"{products} = ") if 1 < n <= FEW else ("", "")
    return (
        f"n = {n}, S = {terms[0]}{S}, u = {terms[1]}{u}: w = {u}/({S} + {n}·{LAM}) = {slope(n, S, u):.2f}. "
        f"The sum of the y² is {tau}."
    )


READ = Explorer(
    title="Read and forget rows",
    name="beyond-rows",
    hint="Click a point to read its row, and click it again to forget it.",
    script="beyond_rows",
    data={"points": POINTS, "lam": LAM, "few": FEW, "ends": ENDS, "slopes": SLOPES},
    controls=(Toggles("rows", len(POINTS), (2, 7), label="Rows"),),
    presets={
        "no rows": {"rows": ()},
        "(2, 1) and (4, 5)": {"rows": (2, 7)},
        "(2, 3) and (4, 4)": {"rows": (3, 6)},
        "all rows": {"rows": tuple(range(len(POINTS)))},
    },
    panels=(fit, valley, weights, Readout(summary)),
    predict=Predict(
        "The fit of the rows (z, y) = (2, 1) and (4, 5) is w = 22/20.2. Forget both. Which two rows give "
        "exactly the same w?",
        answer="(2, 3) and (4, 4)",
        options=("(2, 3) and (4, 4)", "(2, 3) and (4, 5)", "no two others"),
        shows=("The rows and their fit",),
        reason="Both pairs have S = 2² + 4² = 20 and u = 2·1 + 4·5 = 2·3 + 4·4 = 22. The fit cannot "
        "distinguish them.",
        at={"rows": (2, 7)},
    ),
)
