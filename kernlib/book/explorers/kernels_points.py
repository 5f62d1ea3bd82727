"""Three points against a similarity: one negative eigenvalue shows that it is not a kernel."""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Cells, Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider, Table
from kernlib.book.explore.marks import show

__all__ = ["ACROSS", "PAIR", "SIMILARITIES", "UP", "similarities"]

SIMILARITIES = {  # of two points at the distance d
    "near or not: 1 if d ≤ 1": lambda d: (d <= 1 + 1e-9).astype(float),
    "a cap: (1 − d²)₊": lambda d: np.maximum(1 - d**2, 0),
    "a tent: (1 − d)₊": lambda d: np.maximum(1 - d, 0),
    "Gaussian: exp(−d²)": lambda d: np.exp(-(d**2)),
    "squared distance: d²": lambda d: d**2,
}
FIXED = (-0.5, 0.0), (0.5, 0.0)
ACROSS, UP = (tuple(round(0.1 * i, 1) for i in range(*ends)) for ends in ((-15, 16), (0, 13)))


@Plot.panel("The points", x="across", y="up", xlim=(-1.6, 1.6), ylim=(-0.4, 1.4), equal=True, drag=("x", "y"))
def three_points(x, y):
    """Two fixed points at distance 1 and a third one, which you drag, or move by the sliders."""
    return {
        "x₁ (left) and x₂ (right), fixed": Dots(*np.transpose(FIXED), "large"),
        "x₃, yours": Dots([x], [y], "large"),
    }


def similarities(similarity: str, x: float, y: float) -> NDArray:
    """The 3×3 matrix of the similarities of the points."""
    X = np.array([*FIXED, (x, y)])
    return SIMILARITIES[similarity](np.linalg.norm(X[:, None] - X, axis=-1))


@Table.panel("Their matrix G")
def three_by_three(similarity, x, y):
    """The similarities of the three points, three by three."""
    names = ["x₁", "x₂", "x₃"]
    values = [[f"{value:.2f}" for value in row] for row in similarities(similarity, x, y)]
    return Cells(values, names, names)


# the same for all similarities, or the axis would answer the question
@Plot.panel("Least eigenvalue of G", x="x₃, across", y="eigenvalue", ylim=(-1.5, 1.1), cursor="x")
def least_over_x(similarity, y):
    """The least eigenvalue against the place of the third point, with a line at zero."""
    half = np.sqrt(max(0, 1 - y**2))  # x₃ is 1 from another point there, where a similarity may jump
    ends = (center + sign * half + side for center, _ in FIXED for sign in (-1, 1) for side in (-1e-4, 1e-4))
    places = sorted({*ACROSS, *(x for x in ends if ACROSS[0] < x < ACROSS[-1])})
    least = [np.linalg.eigvalsh(similarities(similarity, x, y))[0] for x in places]
    return {
        "least eigenvalue": Line(places, np.round(least, 4)),
        "zero": Line(ACROSS, np.zeros(len(ACROSS)), style="reference"),
    }


def witness(similarity, x, y):
    """The least eigenvalue, and the weights that no kernel could have."""
    lam, V = np.linalg.eigh(similarities(similarity, x, y))
    if lam[0] > -1e-9:
        least = f"{max(lam[0], 0):.2f}"
        return f"Least eigenvalue: {least}. No weights a make aᵀGa negative: these points do not refute it."
    a = V[:, 0] * np.sign(V[np.abs(V[:, 0]) > 0.01, 0][0])  # the first weight that is not 0 is positive
    weights = ", ".join(show(round(weight, 2) + 0.0) for weight in a)
    return (
        f"Least eigenvalue: {show(lam[0], 2)}. With the weights a = ({weights}), "
        f"aᵀGa = {show(lam[0], 2)} < 0: not a kernel."
    )


PAIR = Explorer(
    title="Three points against a similarity",
    name="kernels-points",
    controls=(
        Choice("similarity", SIMILARITIES, "similarity"),
        Slider("x", ACROSS, "x₃, across", 0.0),
        Slider("y", UP, "x₃, up", 0.3),
    ),
    panels=(three_points, three_by_three, least_over_x, Readout(witness)),
    predict=Predict(
        "Two points are similar (1) if they are at most 1 apart, and not (0) otherwise. Is that a kernel?",
        answer="no",
        options=("yes", "no"),
        shows=("The points",),
        reason="Move x₃ to the right until only x₂ is near. Then x₁ is similar to x₂, and x₂ to x₃, but x₁ "
        "is not similar to x₃, and the least eigenvalue is 1 − √2 = −0.41.",
    ),
)
