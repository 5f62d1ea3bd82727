"""Controls: what `explore` makes of a keyword, the stops, the checks."""

import numpy as np
import pytest

from kernlib.book.explore import Choice, Slider, TextBox
from kernlib.book.explore.controls import spread
from kernlib.book.explore.shorthand import as_control


def test_a_list_of_numbers_is_a_slider_with_these_stops():
    control = as_control("c", [10, 30, 100])
    assert (type(control), control.stops, control.default) == (Slider, (10, 30, 100), 30)
    assert control.fine == control.stops
    with pytest.raises(ValueError, match="c must be one of"):
        control.check(20)


def test_a_range_offers_every_number_between_its_ends():
    control = as_control("gamma", (0.01, 10, "log"))
    assert control.stops[0] == 0.01
    assert control.stops[-1] == 10
    assert set(control.stops) < set(control.fine)
    assert control.check(0.12345) == 0.12345
    for outside in (0.001, 11, "1", np.nan):
        with pytest.raises(ValueError, match=r"gamma must be a number from 0.01 to 10"):
            control.check(outside)


def test_a_range_of_integers_holds_integers_only():
    control = as_control("k", (1, 50))
    assert all(isinstance(value, int) for value in control.fine)
    assert isinstance(control.check(7.0), int)
    with pytest.raises(ValueError, match="integer"):
        control.check(7.5)


def test_a_list_of_texts_is_a_choice_and_a_text_a_box():
    assert isinstance(as_control("form", ["phase", "pair"]), Choice)
    box = as_control("s", "banana")
    assert isinstance(box, TextBox)
    assert box.check("any other") == "any other"
    with pytest.raises(ValueError, match="at most 40 characters"):
        box.check("a" * 41)


def test_a_text_box_is_a_list_in_the_book():
    box = TextBox("s", ("ab", "ba"))
    assert box.spec(live=False)["kind"] == "choice"
    assert box.spec(live=True)["kind"] == "text"
    with pytest.raises(ValueError, match=r"^s must be a text of at most 40 characters, got 3"):
        box.check(3)


def test_what_is_no_control_is_refused_in_a_sentence():
    for what in (3, [], (2, 1), (0, 1, "log"), (0, np.inf)):
        with pytest.raises(ValueError, match=r"^x must be"):
            as_control("x", what)


def test_stops_must_ascend_and_hold_the_default():
    for stops, more, sentence in [
        ((3, 2), {}, "ascend"),
        (("a", "b"), {}, "must be numbers"),
        ((1, np.nan), {}, "finite"),
        ((0, 1), {"log": True}, "above 0"),
        ((1, 2), {"default": 3}, "default"),
    ]:
        with pytest.raises((TypeError, ValueError), match=sentence):
            Slider("c", stops, **more)


def test_a_spread_is_round_ascending_and_keeps_its_ends():
    for low, high, log in [(0.01, 10, True), (1, 512, True), (0, 1.0, False), (-3, 17, False)]:
        values = spread(low, high, 13, log, 2)
        assert (values[0], values[-1]) == (low, high)
        assert list(values) == sorted(set(values))
        assert 8 <= len(values) <= 15
        assert all(len(f"{value:g}") <= 5 for value in values)
