"""The picture that moves: its place, and the cosines with the picture before the move."""

import numpy as np
import pytest

from kernlib.book.explorers import objects_shift
from kernlib.book.explorers.objects_bins import SIDE, edge_histograms, images


def test_a_moved_picture_is_the_old_one_further_to_the_right():
    for name in objects_shift.NAMES:
        old, new = images()[name], objects_shift.moved(name, 3)
        np.testing.assert_array_equal(new[:, 3:], old[:, : SIDE - 3])
        assert not new[:, :3].any()
        shown = objects_shift.picture(name, 3)["picture"].values[::-1]
        assert np.isnan(shown[:, :3]).all()
        np.testing.assert_array_equal(shown[:, 3:], 1 - new[:, 3:])


def test_the_cosines_are_those_of_the_vectors():
    pixels, _, whole = objects_shift.similarities("T-shirt").values()
    assert pixels[0] == pytest.approx(1) and whole[0] == pytest.approx(1)
    old, new = images()["T-shirt"], objects_shift.moved("T-shirt", 5)
    assert pixels[5] == pytest.approx(np.sum(old * new) / np.sqrt(np.sum(old**2) * np.sum(new**2)))
    x, y = edge_histograms(np.array([old, new]), 1)
    assert whole[5] == pytest.approx(x @ y / np.sqrt((x @ x) * (y @ y)))
    assert f"edges of the whole picture {whole[5]:.2f}" in objects_shift.summary("T-shirt", 5)


def test_the_question_has_the_answer_of_the_pixels():
    pixels, _, whole = objects_shift.similarities("trousers").values()
    assert objects_shift.SHIFT.predict.answer == f"about {pixels[4]:.1f}"
    assert f"It is {pixels[4]:.2f}:" in objects_shift.SHIFT.predict.reason
    assert f"still {whole[4]:.2f}." in objects_shift.SHIFT.predict.reason
