"""P as a valley and D as a hill on a line through the optimum, and what their gap says about predictions."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explorers.duality import data
from kernlib.duality import Duality, KernelLogisticRegression, Logistic, Squared
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge

__all__ = ["VALLEY", "gap_and_bound", "largest_error", "optimum"]

KERNEL = Gaussian(10.0)
LAMS = (0.003, 0.03, 0.3)
T = (0, 0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.25)
ALONG = np.linspace(-0.2, 2.4, 131)
DRAWN = np.linspace(0, 1, 41)


@cache
def optimum(loss: str, lam: float) -> tuple[Duality, NDArray]:
    """Return the problem of the thirty points and its best α; the logistic loss has the signs as labels."""
    X, y = data()
    G = KERNEL(X)
    if loss == "squared":
        return Duality(G, y, lam=lam, loss=Squared()), dual_ridge(G, y, lam=lam)
    y = np.where(y > 0, 1.0, -1.0)
    model = KernelLogisticRegression(KERNEL, lam=lam, tol=1e-13).fit(X, y)
    return Duality(G, y, lam=lam, loss=Logistic()), model.dual_coef_


def gap_and_bound(t: float, loss: str, lam: float) -> tuple[float, float]:
    """Compute P − D at tα°, and the bound √(2(P − D)/λ) on the error of any prediction, as κ(x, x) = 1."""
    problem, best = optimum(loss, lam)
    gap = problem.gap(t * best)
    gap = gap if gap > 1e-12 else 0.0  # which is rounding
    return gap, np.sqrt(2 * gap / lam)


def predictions(loss, lam):
    """f° on [0, 1]."""
    return KERNEL(DRAWN[:, None], data()[0]) @ optimum(loss, lam)[1]


def largest_error(t: float, loss: str, lam: float) -> float:
    """Compute the largest |f(x) − f°(x)| on [0, 1] for f with the coefficients tα°."""
    return abs(1 - t) * np.abs(predictions(loss, lam)).max()


@cache
def both_along(loss, lam, t):
    """P and D at tα° for each t; D is 0 at 0 and, with the squared loss, at 2, without digits of rounding."""
    problem, best = optimum(loss, lam)
    return np.round([(problem.primal(s * best), problem.dual(s * best)) for s in t], 9).T + 0.0


@Plot.panel("P and D at t α°", x="t", y="value", cursor="t")
def valley_and_hill(t, loss, lam):
    """A valley, P, above a hill, D, against t. They touch at t = 1. For the logistic loss the hill ends near
    t = 2.
    """
    primal, dual = both_along(loss, lam, tuple(ALONG))
    here = both_along(loss, lam, (t,))[:, 0]
    return {
        "P": Line(ALONG, primal),
        "D": Line(ALONG, dual, style="dashed"),
        "both at t": Dots([t, t], here, "large"),
    }


@Plot.panel(
    "f at t α°, and a band that contains f°", x="x", y="value of the function", xlim=(0, 1), ylim=(-4.5, 4.5)
)
def band(t, loss, lam):
    """Data, the function with the coefficients t times the best ones, a band around it, and the optimal
    function, which lies in the band. At t = 1 the band has no width.
    """
    problem, _ = optimum(loss, lam)
    best, (_, bound) = predictions(loss, lam), gap_and_bound(t, loss, lam)
    edge = bound if np.isfinite(bound) else np.nan
    return {
        "f at t": Line(DRAWN, t * best, t * best - edge, t * best + edge),
        "f°": Line(DRAWN, best, style="dashed"),
        "data": Dots(data()[0][:, 0], problem.y),
    }


def summary(t, loss, lam):
    """Compare the bound that the gap gives with the largest distance from f°."""
    gap, bound = gap_and_bound(t, loss, lam)
    distance = f"the largest distance on [0, 1] is {largest_error(t, loss, lam):.2g}"
    if not np.isfinite(gap):
        return f"D = −∞, so the gap gives no bound on the distance from f°; {distance}."
    return f"The gap is {gap:.2g}, so no prediction is further than {bound:.2g} from f°; {distance}."


VALLEY = Explorer(
    title="Valley and hill",
    name="valley",
    hint="Drag the dotted line, or play t.",
    controls=(
        Slider("t", T, "t", 0, play=2),
        Choice("loss", ("squared", "logistic")),
        Slider("lam", LAMS, "λ", 0.03, log=True),
    ),
    panels=(valley_and_hill, band, Readout(summary)),
    predict=Predict(
        "At t = 0.9 the gap P − D is a hundredth of the gap at t = 0 (squared loss). How far are the "
        "predictions there from the best ones, compared with those at t = 0?",
        answer="a tenth",
        options=("a tenth", "a hundredth", "a ten-thousandth"),
        reason="f at tα° is t times f°, so its distance from f° falls like 1 − t. P and D are parabolas in t "
        "that touch at t = 1, so the gap falls like (1 − t)². The distance falls like its square root.",
        shows=("P and D at t α°",),
        at={"t": 0.9},
    ),
)
