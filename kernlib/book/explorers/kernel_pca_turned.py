"""An axis to turn in a cloud: how far it is from the exact component, and how much variance it captures."""

import numpy as np
from numpy.typing import NDArray

from kernlib.book.explore import Dots, Explorer, Line, Plot, Points, Predict, Readout, Slider
from kernlib.book.explore.marks import show
from kernlib.book.explorers.kernel_pca import OFFSETS, toward

__all__ = ["TURNED", "angle_of", "captured", "turned_points"]

SECOND = 0.2, 0.5, 0.8, 0.98  # variances along the second axis
LIMITS = (-2.6, 2.6)
REACH = 4.0  # of the axes
START = ((0.752, 2.07),)  # at 70°, beyond most points
DEGREES = np.arange(91)
UNIT = (OFFSETS @ np.transpose([toward(0), toward(90) / 0.2])).round(3)  # 80 points of covariance I


def turned_points(second: float) -> NDArray:
    """80 points with the variance 1 along the first axis and another along the second."""
    return UNIT * [1, np.sqrt(second)]


def angle_of(end: tuple) -> float:
    """The angle between the first axis and the one through this point, in degrees from 0 to 90."""
    across, up = end[0]
    return float(np.degrees(np.arctan2(abs(up), abs(across))))


def captured(angle: NDArray | float, second: float) -> NDArray | float:
    """Variance along an axis at this angle to the first one, whose variance is 1."""
    return np.cos(np.radians(angle)) ** 2 + second * np.sin(np.radians(angle)) ** 2


@Plot.panel("The cloud and your axis", x="x₁", y="x₂", xlim=LIMITS, ylim=LIMITS, equal=True, handles="end")
def in_the_cloud(end, second):
    """Eighty points, the axis along which they vary most, which is horizontal, and an axis to turn."""
    direction = np.array(end[0]) / (np.hypot(*end[0]) or 1)
    return {
        "points": Dots(*turned_points(second).T),
        "your axis": Line(*np.outer(direction, [-REACH, REACH])),
        "exact first axis": Line([-REACH, REACH], [0.0, 0.0], style="dashed"),
    }


@Plot.panel("Captured variance", x="angle to the exact axis (°)", y="variance", ylim=(0, 1.05))
def over_angles(end, second):
    """The variance along an axis against its angle to the first one: it falls from 1 to the variance along
    the second axis.
    """
    angle = angle_of(end)
    return {
        "at each angle": Line(DEGREES, captured(DEGREES, second)),
        "your axis": Dots([angle], [captured(angle, second)], "large"),
        "exact first axis": Line([0, 90], [1.0, 1.0], style="reference"),
    }


def summary(end, second):
    """Report both errors: the sine of the angle, and what is lost."""
    angle = angle_of(end)
    sine, lost = np.sin(np.radians(angle)), 100 * (1 - captured(angle, second))
    return (
        f"Your axis is turned by {angle:.0f}°: the sine is {show(sine, 2)}. It captures "
        f"{show(captured(angle, second), 2)} of the variance 1, so {show(lost, 2)}% is lost."
    )


TURNED = Explorer(
    title="Turn the axis",
    name="kernel-pca-turned",
    hint="Drag the large point: your axis turns with it.",
    script="kernel_pca_turned",
    data={"unit": UNIT, "reach": REACH, "degrees": DEGREES},
    controls=(
        Points("end", START, groups=[1], label="End of your axis"),  # in the color of the axis
        Slider("second", SECOND, "variance along the second axis", 0.98),
    ),
    panels=(in_the_cloud, over_angles, Readout(summary)),
    predict=Predict(
        "The points have the variance 1 along the horizontal axis, and 0.98 along the vertical one. Your "
        "axis is turned by 70° from the horizontal one. What is the variance of the points along your axis?",
        answer="0.98",
        options=("0.12", "0.34", "0.98"),
        shows=("The cloud and your axis",),
        at={"end": START, "second": 0.98},
        reason="The variance is cos² 70° + 0.98 sin² 70° = 0.98. The cloud is nearly round, so each axis "
        "captures nearly as much as the best one.",
    ),
)
