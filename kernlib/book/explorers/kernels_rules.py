"""Rules that make a kernel of kernels, with a coefficient b that some of them need to be non-negative."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Choice, Explorer, Heat, Line, Plot, Points, Predict, Readout, Slider
from kernlib.book.explore.marks import show

__all__ = ["ANY", "KERNELS", "NONE", "RULED", "RULES", "START", "WEIGHTS", "eigenvalues", "gram"]

KERNELS: dict[str, Callable] = {
    "Gaussian": lambda x, y: np.exp(-((x - y) ** 2)),
    "Laplace": lambda x, y: np.exp(-np.abs(x - y)),
    "linear": lambda x, y: x * y,
    "wave": lambda x, y: np.cos(2 * (x - y)),
}
RULES: dict[str, Callable] = {  # of b, both kernels and both arguments
    "rule 1: κ₁ + bκ₂": lambda b, k, m, x, y: k(x, y) + b * m(x, y),
    "rules 3 and 1: κ₁κ₂ + b": lambda b, k, m, x, y: k(x, y) * m(x, y) + b,
    "rules 4 and 3: (x + b)(x′ + b)κ₁": lambda b, k, m, x, y: (x + b) * (y + b) * k(x, y),
    "rule 5: κ₁(bx, bx′)": lambda b, k, m, x, y: k(b * x, b * y),
    "rule 6: 1 + bκ₁ + κ₁²": lambda b, k, m, x, y: 1 + b * k(x, y) + k(x, y) ** 2,
    "rule 6: exp(bκ₁)": lambda b, k, m, x, y: np.exp(b * k(x, y)),
    "no rule: tanh(bκ₁)": lambda b, k, m, x, y: np.tanh(b * k(x, y)),
}
SUM, PRODUCT, SCALED, MAPPED, SQUARE, _, NONE = RULES
ANY = SCALED, MAPPED  # b may be negative
WEIGHTS = tuple(0.25 * i for i in range(-8, 9))
DRAWN, ALONG = np.linspace(-2.5, 2.5, 101), np.linspace(-2, 2, 81)
START = tuple((x, 0.0) for x in (-2.2, -1.4, -0.5, 0.4, 1.0, 1.9))
CLOSER = tuple((x, 0.0) for x in (-0.9, -0.45, 0.0, 0.45, 0.9, 1.35))
DIFFERENCE = {"rule": SUM, "first": "Laplace", "second": "Gaussian", "b": -0.75}
ROUNDING = 1e-12  # an eigenvalue below it, as a fraction of the largest, counts as zero


def gram(points: Sequence, rule: str, first: str, second: str, b: float) -> NDArray:
    """Compute the Gram matrix of the new function."""
    x = np.array(points)[:, 0]
    return RULES[rule](b, KERNELS[first], KERNELS[second], x[:, None], x)


def eigenvalues(points: Sequence, rule: str, first: str, second: str, b: float) -> tuple[float, float]:
    """Compute the least eigenvalue of G, or 0 if it is a rounding error, and the largest absolute one."""
    lam = np.linalg.eigvalsh(gram(points, rule, first, second, b))
    most = float(np.abs(lam).max())
    return (float(lam[0]) if abs(lam[0]) > ROUNDING * most else 0.0), most


@Plot.panel("κ(x, s), with s at the square", x="x", y="κ", xlim=(-2.5, 2.5), ylim=(-2.5, 4), handles="points")
def slices(points, rule, first, second, b):
    """Six points on a line, and curves of the kernels and of the function made from them, against x. The
    other argument is the fourth point.
    """
    s, kernels = points[3][0], (KERNELS[first], KERNELS[second])
    lines = {
        "κ₁(x, s)": Line(DRAWN, kernels[0](DRAWN, s), style="dotted"),
        "the new κ(x, s)": Line(DRAWN, RULES[rule](b, *kernels, DRAWN, s)),
        "κ₂(x, s)": Line(DRAWN, kernels[1](DRAWN, s), style="dashed"),
    }
    return lines if rule in (SUM, PRODUCT) else dict(list(lines.items())[:2])


@Plot.panel(
    "Least eigenvalue, divided by the largest",
    x="b",
    y="least / largest |eigenvalue|",
    ylim=(-1.05, 0.65),
    cursor="b",
)
def least_over_b(points, rule, first, second):
    """The least eigenvalue of the Gram matrix, as a fraction of the largest absolute value of one, against
    the coefficient b, with a line at zero.
    """
    pairs = [eigenvalues(points, rule, first, second, b) for b in ALONG]
    return {
        "zero": Line([-2, 2], [0, 0], style="reference"),
        "least eigenvalue of G": Line(ALONG, [least / max(most, 1e-300) for least, most in pairs]),
    }


def verdict(points, rule, first, second, b):
    """Report the least eigenvalue, and whether it refutes the new function or a rule proves it."""
    least, most = eigenvalues(points, rule, first, second, b)
    part = ""
    if least < 0:
        part = f"; divided by the largest |eigenvalue| it is {show(least / most, 2)}"
        after = "The new κ is not a kernel."
    elif rule in ANY or b == 0 or (b > 0 and rule != NONE):
        after = "No points make it negative: the new κ is a kernel by the rules."
    else:
        why = "no rule proves that it is a kernel" if rule == NONE else "the rule needs b ≥ 0"
        after = f"These points do not refute the new κ, but {why}."
    return f"The least eigenvalue of G is {show(least, 2)}{part}. {after}"


RULED = Explorer(
    title="Which rules allow a negative coefficient?",
    name="kernels-rules",
    hint="Drag a point, or select it with Tab and move it with the arrow keys.",
    script="kernels_rules",
    data={"drawn": DRAWN, "along": ALONG, "rounding": ROUNDING},
    controls=(
        Points("points", START, groups=[0, 0, 0, 1, 0, 0], move="x", label="Points"),
        Choice("first", KERNELS, "κ₁", "linear"),
        Choice("second", KERNELS, "κ₂ (rule 1, rule 3)", "Gaussian"),
        Slider("b", WEIGHTS, "b", -2.0, play=3),
        Choice("rule", RULES, "rule", SQUARE),
    ),
    presets={
        "a product": {"points": START, "rule": PRODUCT, "first": "Gaussian", "second": "wave", "b": 0.0},
        "a difference": {"points": START, **DIFFERENCE},
        "closer points": {"points": CLOSER, **DIFFERENCE},
        "tanh(xx′)": {"points": START, "rule": NONE, "first": "linear", "b": 1.0},
    },
    panels=(
        slices,
        Heat(
            gram, "G of the new κ", "The Gram matrix of the six points, by the new function.", link="points"
        ),
        least_over_b,
        Readout(verdict),
    ),
    predict=Predict(
        "The function (xx′ − 1)² = 1 − 2xx′ + (xx′)² is a square, so it is never negative. Is it a kernel?",
        answer="no",
        options=("yes", "no"),
        shows=("κ(x, s), with s at the square",),
        reason="Its matrix at the points 1 and −1 has zeros on the diagonal and 4 off it, so one "
        "eigenvalue is −4. Rule 6 does not allow the coefficient −2, and rule 3 does not help, because xx′ − "
        "1 is not a kernel.",
    ),
)
