"""Two rows at one place, or near it: their coefficients explode or share, while the curve hardly moves."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.plain import dual_ridge, gaussian

__all__ = ["DRAWN", "FIRST", "LAMS", "ROWS", "TWINS", "coefficients", "curve_at", "distance"]

OTHERS = (
    *((0.05, 0.4), (0.15, 0.7), (0.25, 1.05), (0.35, 0.75)),
    *((0.55, -0.25), (0.65, -0.9), (0.75, -0.95), (0.85, -0.7), (0.95, -0.4)),
)
FIRST = (0.45, 0.6)  # the twin that stays
ROWS = len(OTHERS) + 2
GAMMA = 100.0  # with 0.1 between neighbors the other coefficients stay small
LAMS = (*(float(f"{digit}e{power}") for power in range(-6, -1) for digit in (1, 3)), 0.1)
ACROSS = tuple(round(0.4 + 0.005 * step, 3) for step in range(21))
UP = tuple(round(0.1 * step, 1) for step in range(-4, 13))
DRAWN = np.linspace(0, 1, 201)


def rows(twins):
    """Places of shape (11, 1) and values; the twins come first."""
    X, y = np.hsplit(np.array([*twins, *OTHERS]), 2)
    return X, y[:, 0]


def merged(x: float, y: float) -> tuple:
    """Put both twins at their midpoint."""
    middle = ((FIRST[0] + x) / 2, (FIRST[1] + y) / 2)
    return middle, middle


def coefficients(twins: tuple, lam: float) -> NDArray:
    """Compute α = (G + nλI)⁻¹y; the first two are the twins'."""
    X, y = rows(twins)
    return dual_ridge(gaussian(X, X, GAMMA), y, lam)


def curve_at(places: NDArray, twins: tuple, lam: float) -> NDArray:
    """Evaluate f(x) = Σᵢ αᵢ κ(x, xᵢ)."""
    return gaussian(places[:, None], rows(twins)[0], GAMMA) @ coefficients(twins, lam)


@lru_cache(maxsize=64)  # the fit and the readout need the same
def both_curves(x: float, y: float, lam: float) -> list:
    """Compute the fit, and the fit to both twins at their midpoint."""
    return [curve_at(DRAWN, twins, lam) for twins in ((FIRST, (x, y)), merged(x, y))]


def distance(x: float, y: float, lam: float) -> float:
    """Compute the largest distance of the two curves."""
    fit, gray = both_curves(x, y, lam)
    return float(np.abs(fit - gray).max())


@Plot.panel("Fit", x="x", y="y", xlim=(0, 1), ylim=(-2, 2.5), drag=("x", "y"))
def twins_fit(x, y, lam):
    """Eleven points of a wave, two of them at one place or near it, and the fitted curve. It runs between
    twins at one place, and swings through both if they are a little apart and λ is small.
    """
    fit, gray = both_curves(x, y, lam)
    return {
        "other rows": Dots(*np.transpose(OTHERS), "large"),
        "first twin": Dots([FIRST[0]], [FIRST[1]], "large"),
        "second twin, yours": Dots([x], [y], "large"),
        "fit": Line(DRAWN, fit),
        "both twins at their midpoint": Line(DRAWN, gray, style="reference"),
    }


@Plot.panel(
    "The twins' coefficients", x="λ", y="size of the coefficient", log="xy", ylim=(0.01, 1e5), cursor="lam"
)
def twins_coefficients(x, y):
    """The sizes of the two coefficients against λ, both axes logarithmic. For twins at one place with
    different values they grow like 1/λ, and their sum does not.
    """
    first, second = np.transpose([coefficients((FIRST, (x, y)), lam)[:2] for lam in LAMS])
    return {
        "|α₁|, first twin": Line(LAMS, np.abs(first)),
        "|α₂|, second twin": Line(LAMS, np.abs(second), style="dashed"),
        "|α₁ + α₂|": Line(LAMS, np.abs(first + second), style="dotted"),
    }


def twins_summary(x, y, lam):
    """Report the twins' coefficients, their sum, both residuals, and the distance of the two curves."""
    alpha = coefficients((FIRST, (x, y)), lam)[:2]
    far = distance(x, y, lam)
    compared = "coincide" if far < 0.0005 else f"differ by at most {far:.3f}"
    one, two, both, left, right = (show(v, 3) for v in (*alpha, alpha.sum(), *(ROWS * lam * alpha)))
    return (
        f"α₁ = {one} and α₂ = {two}; their sum is {both}. The residuals of the twins are {left} and {right}, "
        f"nλ times the coefficients. The fit and the gray curve {compared}."
    )


TWINS = Explorer(
    title="Twins",
    name="twins",
    hint="Drag the second twin, or move it with the sliders.",
    script="duality_twins",
    data={
        "others": OTHERS,
        "first": FIRST,
        "gamma": GAMMA,
        "lams": LAMS,
        "drawn": DRAWN,
    },
    controls=(
        Slider("lam", LAMS, "λ", 0.01, log=True, play=3),
        Slider("x", ACROSS, "second twin's x", FIRST[0]),
        Slider("y", UP, "second twin's y", 0.1),
    ),
    presets={
        "same place": {"x": 0.45, "y": 0.1, "lam": 1e-6},
        "same place and value": {"x": 0.45, "y": 0.6, "lam": 1e-6},
        "a little apart": {"x": 0.46, "y": 0.1, "lam": 1e-6},
    },
    panels=(twins_fit, twins_coefficients, Readout(twins_summary)),
    predict=Predict(
        "The twins are at the same place, with the values 0.6 and 0.1. λ falls from 0.1 toward 0. What "
        "happens to their two coefficients?",
        answer="they grow without bound, with opposite signs",
        options=(
            "they tend to the same number",
            "they grow without bound, with opposite signs",
            "they grow without bound, with the same sign",
        ),
        shows=(("Fit", "other rows"), ("Fit", "first twin"), ("Fit", "second twin, yours")),
        reason="The residual of a row is nλ times its coefficient, as this page shows. A curve has one value "
        "at that place, so it misses one twin by about 0.25, the other by about −0.25. These residuals "
        "divided by nλ grow like 1/λ. In the curve the two coefficients nearly cancel.",
        at={"lam": 1e-6},
    ),
)
