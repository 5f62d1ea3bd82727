"""Data to drag and to leave out: the ridge fit follows, and a formula says where the refit lands."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from kernlib.book.explore import Dots, Explorer, Line, Plot, Points, Predict, Readout, Slider
from kernlib.kernels import Gaussian
from kernlib.ridge import dual_ridge

__all__ = ["LEAVE_OUT", "START", "fit_with_and_without", "smoother_weights"]

START = (
    *((0.02, 0.09), (0.11, 0.52), (0.22, 0.77), (0.29, 0.88), (0.36, 0.87), (0.46, 0.23)),
    *((0.54, -0.06), (0.61, -0.69), (0.72, -0.98), (0.78, -0.68), (0.87, -0.61), (0.96, -0.35)),
)
ENDS = (0.0, 1.0)
DRAWN = np.linspace(*ENDS, 101)


def system(points, lam, gamma):
    """Return the places X of shape (n, 1), the targets y, and G + nλI."""
    X, y = np.hsplit(np.array(points), 2)
    return X, y[:, 0], Gaussian(gamma)(X) + len(X) * lam * np.eye(len(X))


def smoother_weights(points: Sequence, lam: float, gamma: float) -> NDArray:
    """Compute hᵢ = [G(G + nλI)⁻¹]ᵢᵢ: by how much the fit at xᵢ rises if yᵢ rises by 1."""
    X, _, A = system(points, lam, gamma)
    return 1 - len(X) * lam * np.diag(linalg.inv(A))


def fit_with_and_without(points: Sequence, left: int, lam: float, gamma: float) -> tuple[NDArray, NDArray]:
    """Fit all points, and all but number `left`, with one nλ; evaluate both at `DRAWN` and at the points."""
    X, y, _ = system(points, lam, gamma)
    rows, places = np.delete(np.arange(len(X)), left - 1), np.vstack([DRAWN[:, None], X])
    curves = []
    for some in (np.arange(len(X)), rows):
        alpha = dual_ridge(Gaussian(gamma)(X[some]), y[some], lam=lam * len(X) / len(some))
        curves.append(Gaussian(gamma)(places, X[some]) @ alpha)
    return curves[0], curves[1]


@Plot.panel("Fit", x="x", y="y", xlim=ENDS, ylim=(-1.6, 1.6), handles="points", choose="left")
def fit(points, left, lam, gamma):
    """Twelve points that can be dragged, the curve fitted to all of them, and the curve fitted without one of
    them, which goes through the end of the residual that the formula gives.
    """
    curves = fit_with_and_without(points, max(left, 1), lam, gamma)
    series = {"fit to all points": Line(DRAWN, curves[0][: len(DRAWN)])}
    if left:
        (x, y), h = points[left - 1], smoother_weights(points, lam, gamma)[left - 1]
        residual = (y - curves[0][len(DRAWN) + left - 1]) / (1 - h)
        series["fit without one"] = Line(DRAWN, curves[1][: len(DRAWN)], style="dashed")
        series["residual by the formula"] = Line([x, x], [y, y - residual], style="dotted")
    return series


@Plot.panel(
    "Residuals", x="number of the point", y="size of the residual", cursor="left", xlim=(0, len(START) + 1)
)
def residuals(points, lam, gamma):
    """For each point two residuals: the one when the point is left out is larger than the one in the fit to
    all points.
    """
    _, y, A = system(points, lam, gamma)
    alpha, number = linalg.solve(A, y, assume_a="pos"), np.arange(1, len(y) + 1)
    return {
        "left out": Dots(number, np.abs(alpha / np.diag(linalg.inv(A))), "large"),
        "in the fit": Dots(number, np.abs(len(y) * lam * alpha)),
    }


def summary(points, left, lam, gamma):
    """Write h of the point left out, both predictions there, and the root mean squares of all residuals."""
    found = residuals(points, lam, gamma)
    inside, out = (np.sqrt(np.mean(found[name].y ** 2)) for name in ("in the fit", "left out"))
    text = f"Root mean square of the residuals: {inside:.3f} in the fit, {out:.3f} left out."
    if not left:
        return text
    h = smoother_weights(points, lam, gamma)[left - 1]
    curves = fit_with_and_without(points, left, lam, gamma)
    fitted, without = (curve[len(DRAWN) + left - 1] for curve in curves)
    return (
        f"Point {left}: y = {points[left - 1][1]:.3f}, h = {h:.3f}. The fit is {fitted:.3f} there, and "
        f"{without:.3f} without the point. {text}"
    ).replace("-", "−")


LEAVE_OUT = Explorer(
    title="Drag a point, then leave it out",
    name="leave-out",
    hint="Drag a point, or select it with Tab and use the arrow keys. Click or Enter leaves it out.",
    script="duality",
    data={"drawn": DRAWN},
    controls=(
        Points("points", START, label="Data"),
        Slider("left", range(len(START) + 1), "left out", 5, play=2),
        Slider("lam", (1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1), "λ", 0.003, log=True),
        Slider("gamma", (3, 10, 30, 100, 300), "γ", 30, log=True),
    ),
    presets={
        "too smooth": {"lam": 0.3, "gamma": 3},
        "about right": {"lam": 0.01, "gamma": 10},
        "through every point": {"lam": 1e-4, "gamma": 300},
    },
    panels=(fit, residuals, Readout(summary)),
    predict=Predict(
        "You raise one point by 0.5. How far does the curve fitted to all points rise there?",
        answer="by a fraction of 0.5 that does not depend on the y's",
        options=(
            "by 0.5",
            "by a fraction of 0.5 that does not depend on the y's",
            "by a fraction of 0.5 that is smaller if the point is farther from the curve",
        ),
        shows=(("Fit", "fit to all points"),),
        reason="The fit at the points is G(G + nλI)⁻¹y, which is linear in y. So it rises by 0.5 hᵢ, where "
        "hᵢ is a diagonal entry of G(G + nλI)⁻¹, a number between 0 and 1.",
    ),
)
