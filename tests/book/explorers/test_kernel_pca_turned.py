"""The axis to turn: its variance against that of the points, and the words against the curve."""

import numpy as np
import pytest

from kernlib.book.explorers import kernel_pca_turned as turned


@pytest.mark.parametrize("second", turned.SECOND)
@pytest.mark.parametrize("angle", [0, 20, 70, 90])
def test_the_variance_along_an_axis_is_that_of_the_points(angle, second):
    u = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
    found = np.var(turned.turned_points(second) @ u)
    assert turned.captured(angle, second) == pytest.approx(found, abs=2e-3)  # of three decimals


def test_an_axis_has_no_sides():
    angles = [turned.angle_of(((x, y),)) for x, y in ((1, 2), (-1, 2), (1, -2), (-1, -2))]
    assert angles == pytest.approx(4 * [np.degrees(np.arctan(2))])
    assert turned.angle_of(((0.0, 0.0),)) == 0


def test_the_words_and_the_point_are_the_curve():
    shown = turned.over_angles(((0.0, -1.0),), 0.2)
    assert (shown["your axis"].x, shown["your axis"].y) == ([90], [pytest.approx(0.2)])
    assert shown["at each angle"].y[-1] == pytest.approx(0.2)
    assert "by 90°: the sine is 1. It captures 0.2 of the variance 1, so 80% is lost" in turned.summary(
        ((0.0, -1.0),), 0.2
    )
    words = turned.summary(turned.TURNED.defaults["end"], 0.98)
    assert "by 70°: the sine is 0.94. It captures 0.98" in words and "1.8% is lost" in words
