"""The circle lifted to three dimensions by κ(x, x′) = (xᵀx′)², under a rotation, with a point to drag.

The features (x₁², √2 x₁x₂, x₂²) of a point at radius r and angle t lie on a cone: at the height r²/√2 along
its axis, as far away from it, and at the angle 2t around it.
The plane u₁ + u₃ = 1, which is x₁² + x₂² = 1, cuts across the axis.
"""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Line, Plot, Points, Predict, Readout, Slider

__all__ = ["ANGLES", "COUNT", "LIFT", "START", "features", "most_right", "points", "projected"]

COUNT = 80
ANGLES = tuple(range(0, 181, 10))  # degrees
AXES = np.array([[1, 0, -1], [0, np.sqrt(2), 0], [1, 0, 1]]) / np.sqrt(2)  # the third is the cone's axis
AROUND = np.linspace(0, 2 * np.pi, 73)
RIM = 1.6  # radius of the disk that stands for the plane
FLAT, LIFTED = (-1.5, 1.5), (-1.8, 1.8)  # the axes
START = ((0.6, 0.5),)  # the point to drag


def points() -> tuple[NDArray, NDArray]:
    """Draw points in the disk of radius √2, and tell which are inside the unit circle."""
    squared, angle = np.random.default_rng(0).uniform((0, 0), (2, 2 * np.pi), size=(COUNT, 2)).T
    return np.sqrt(squared)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), squared < 1


def features(X: NDArray) -> NDArray:
    """Lift each row to (x₁², √2 x₁x₂, x₂²)."""
    return np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2])


def projected(F: NDArray, angle: float) -> NDArray:
    """Project rows of features on the screen, looking at this angle to the cone's axis."""
    turn = np.deg2rad(angle)
    right, back, axis = AXES @ F.T
    return np.column_stack([right, np.cos(turn) * back + np.sin(turn) * axis])


def most_right(P: NDArray, inside: NDArray) -> int:
    """Count the points that the best straight line across a picture puts on their class's side."""
    # A best line can be moved until it meets two points; a small turn or shift puts these on either side.
    first, second = np.triu_indices(len(P), 1)
    x, y = (P[None] - P[first, None]).transpose(2, 0, 1)
    along = P[second] - P[first]
    agrees = (x * along[:, 1:] - y * along[:, :1] > 0) == inside
    for met in (first, second):
        np.put_along_axis(agrees, met[:, None], False, axis=1)
    right = agrees.sum(axis=1)
    return int(max(right.max() + 2, len(P) - right.min()))


RIGHT = [most_right(projected(features(points()[0]), angle), points()[1]) for angle in ANGLES]


@Plot.panel("The points in the plane", x="x₁", y="x₂", xlim=FLAT, ylim=FLAT, equal=True, handles="point")
def plane():
    """Eighty points of the plane, those of one class inside the unit circle, the others around it, and a
    point to drag.
    """
    X, inside = points()
    return {
        "inside": Dots(*X[inside].T, "large"),
        "outside": Dots(*X[~inside].T, "large"),
        "unit circle": Line(np.cos(AROUND), np.sin(AROUND), style="reference"),
    }


@Plot.panel("Their three features, turned", x="across", y="up", xlim=LIFTED, ylim=LIFTED, equal=True)
def lifted(angle, point):
    """The lifted points lie on a cone. A plane, drawn as a disk, cuts across its axis: the points of one
    class are below it, the others above. At 90 degrees the disk is seen edge-on.
    """
    X, inside = points()
    P, own = (projected(features(rows), angle) for rows in (X, np.array(point)))
    rim = np.column_stack([RIM * np.cos(AROUND), RIM * np.sin(AROUND), np.full(len(AROUND), np.sqrt(0.5))])
    return {
        "inside": Dots(*P[inside].T, "large"),
        "outside": Dots(*P[~inside].T, "large"),
        "yours": Dots(*own.T, "large"),
        "the plane": Line(*projected(rim @ AXES, angle).T, style="reference"),
    }


@Plot.panel(
    "A straight line on the picture",
    x="angle (degrees)",
    y="points on the correct side",
    cursor="angle",
    xlim=(0, 180),
    ylim=(55, 82),
)
def best_line(angle):
    """The number of points that the best straight line classifies correctly, against the angle, up to the
    angle that was reached.
    """
    turned = [a for a in ANGLES if a <= angle]
    return {
        "best line": Line(turned, RIGHT[: len(turned)]),
        f"all {COUNT} points": Line(ANGLES, [COUNT] * len(ANGLES), style="reference"),
    }


def summary(angle, point):
    """On which side of the plane the reader's point is, and how many points the best line gets right."""
    total = np.sum(np.square(point))
    side = "below" if total < 1 else "above"
    seen = "edge-on, as a line" if angle == 90 else "face-on" if angle in (0, 180) else "at a slant"
    return (
        f"Your point has u₁ + u₃ = x₁² + x₂² = {total:.2f}: its features are {side} the plane. You see the "
        f"plane, drawn as a disk, {seen}. The best straight line on this picture puts "
        f"{RIGHT[ANGLES.index(angle)]} of {COUNT} points on the correct side."
    )


LIFT = Explorer(
    title="The circle, lifted",
    name="kernels-lift",
    hint="Drag the triangle, or select it with Tab and move it with the arrow keys. ▶ turns the cloud.",
    script="kernels_lift",
    data={
        "points": points()[0],
        "inside": points()[1],
        "around": AROUND,
        "rim": RIM,
        "angles": ANGLES,
        "right": RIGHT,
    },
    controls=(
        Points("point", START, groups=[2], label="Your point"),
        Slider("angle", ANGLES, "turn by (degrees)", 20, play=5),
    ),
    panels=(plane, lifted, best_line, Readout(summary)),
    predict=Predict(
        "Each point gets three coordinates, (x₁², √2 x₁x₂, x₂²), and you turn the cloud. Is there an angle "
        "at which a straight line on the screen separates the two classes?",
        answer="yes",
        options=("yes", "no"),
        reason="The features of the points on the unit circle are on the plane u₁ + u₃ = 1, because u₁ + u₃ "
        "= x₁² + x₂². At 90° you see this plane edge-on, as a straight line between the classes.",
        shows=("The points in the plane", "Their three features, turned"),
        at={"angle": 90},
    ),
)
