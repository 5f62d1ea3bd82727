"""The engine: one definition, shown live and in the book."""

import base64
import json
import re

import matplotlib
import numpy as np
import pytest
from packed import data_of, unpack
from standalone import page_html

import kernlib.book.explore
from kernlib.book.explore import Bars, Dots, Explorer, Heat, Line, Plot, Predict, Readout, Slider, explore
from kernlib.book.explore.explorer import pack
from kernlib.book.explore.live import Live
from kernlib.book.explore.page import Page, parts_of


def wave(c, gamma):
    x = np.linspace(-3, 3, 20)
    return {"wave": (x, np.cos(c * x) * np.exp(-gamma * x**2))}


def product(c, gamma):
    return c * gamma


CONTROLS = {"c": [10, 30, 100], "gamma": (0.01, 10, "log")}


@pytest.fixture
def book(monkeypatch):
    monkeypatch.setenv(kernlib.book.explore.BUILDING_THE_BOOK, "1")


def test_a_students_function_is_a_widget_and_in_the_book_a_page_of_the_same_text(monkeypatch):
    widget = explore(lambda c, gamma: c * gamma, **CONTROLS)
    monkeypatch.setenv(kernlib.book.explore.BUILDING_THE_BOOK, "1")
    page = explore(lambda c, gamma: c * gamma, **CONTROLS)
    assert isinstance(widget, Live)
    assert isinstance(page, Page)
    assert repr(widget) == repr(page) == "Explorer: c = 30, gamma = 0.32"  # the docstring's example


def test_a_panel_is_computed_for_its_own_controls_alone():
    asked = []

    def of_c(c):
        asked.append(c)
        return c

    explorer = Explorer(
        [Readout(of_c), Readout(product)], [Slider("c", (1, 2, 3)), Slider("gamma", (1, 2, 3, 4))]
    )
    frames, _ = explorer.grid()
    assert asked == [1, 2, 3]
    assert [len(panel) for panel in frames] == [3, 12]


def test_equal_arrays_are_stored_once():
    html = page_html(Explorer([Plot(wave)], [Slider("c", (1, 2)), Slider("gamma", (1.0, 2.0))]))
    data = data_of(html)
    assert len(data["frames"][0]) == 4
    assert len(data["pool"]) == 1 + 4  # one x, four y


def test_what_is_packed_unpacks_to_the_same():
    values = [{"a": [1, None, 3, 4, 5]}, [[1] * 6, [1] * 6], "a longer text", {"b": [{"c": "x"}]}, 3, None]
    values += [[1, 1, 1, 1, 1], [1.5, 1, 1, 1, 1]]
    pool = {}
    packed = json.loads(json.dumps([pack(value, pool) for value in values]))
    assert [unpack(value, json.loads(json.dumps(list(pool)))) for value in packed] == values


def test_functions_and_controls_that_do_not_fit_are_refused():
    for panels, controls, sentence in [
        ([product], {"c": [1, 2]}, "product needs gamma"),
        ([lambda c: c], {"c": [1], "k": [1]}, "no panel depends on k"),
        ([Plot(wave, cursor="k")], CONTROLS, "must be a slider's name, got 'k'"),
        ([Plot(lambda c: [c], cursor="c", log="x")], {"c": [0, 1]}, "axis can't show c = 0"),
        ([3], {}, "a panel must be a function, Fill, Heat, Pick, Plot"),
        ([product], {"name": "My Explorer"} | CONTROLS, "small letters"),
        ([Plot(wave, drag=3)], CONTROLS, "^wave: drag must name two sliders .*, got 3"),
        ([np.sin], {"x": [1, 2]}, "^sin: compute must be a function whose parameters have names"),
    ]:
        with pytest.raises((TypeError, ValueError), match=sentence):
            explore(*panels, **controls)


def test_an_explorer_of_other_parts_is_refused():
    parts = {"panels": [Readout(lambda c: c)], "controls": [Slider("c", (1, 2))]}
    for wrong, sentence in [
        ({"panels": [product]}, "panels must be Fill, Heat, Pick, Plot"),
        ({"controls": ["c"]}, "controls must be Slider, Choice or TextBox, got 'c'"),
        ({"controls": parts["controls"] * 2}, "a name of its own"),
        ({"predict": Predict("?", 1, "!", marker="k")}, "must be a slider's name, got 'k'"),
        ({"predict": Predict("?", "a", "!", ("a", "b"), at={"c": 3})}, "c must be one of"),
    ]:
        with pytest.raises((TypeError, ValueError), match=sentence):
            Explorer(**parts | wrong)


def test_an_error_at_any_stop_fails_the_book(book):
    def fails_late(c):
        return 1 / (c - 100)

    with pytest.raises(ZeroDivisionError):
        explore(fails_late, c=[10, 30, 100])


def test_an_error_in_a_later_picture_is_shown_with_its_message():
    widget = explore(Readout(lambda c: 1 / (c - 10)), c=[10, 30, 100])
    widget.values = {"c": 10}
    assert widget.picture["error"] == "ZeroDivisionError: division by zero"
    assert widget.picture["tick"] == 1
    widget.set(c=100)
    assert "error" not in widget.picture
    assert widget.picture["panels"] == ["0.01111"]


def test_values_that_no_control_has_are_an_error_and_move_nothing():
    widget = explore(product, **CONTROLS)
    for wrong in ({"c": 31}, {"k": 1}, {"gamma": "x"}):
        with pytest.raises(ValueError):
            widget.set(**wrong)
    assert widget.values == {"c": 30, "gamma": 0.32}


def test_live_computes_any_value_and_only_what_moved():
    asked = []

    def of_c(c):
        asked.append(c)
        return c

    widget = explore(Readout(of_c), product, c=[10, 30, 100], gamma=(0.01, 10, "log"))
    widget.set(gamma=0.1234)
    assert widget.picture["panels"] == ["30", "3.702"]
    assert asked == [30]
    widget.set(c=100)
    assert asked == [30, 100]


def test_a_widget_can_be_observed_and_linked():
    from traitlets import link

    one, two = explore(product, **CONTROLS), explore(product, **CONTROLS)
    link((one, "values"), (two, "values"))
    seen = []
    one.observe(lambda change: seen.append(change.new["c"]), "values")
    two.set(c=100)
    assert seen == [100]
    assert one.picture["panels"] == two.picture["panels"] == ["32"]


def test_text_of_an_author_cannot_break_out_of_the_page():
    evil = '</script><b class="evil">&'
    predict = Predict(evil, evil, evil, (evil, "other"))
    explorer = Explorer(
        [Readout(lambda c: f"{c}{evil}", evil)], [Slider("c", (1, 2), evil)], evil, "x", predict
    )
    html = page_html(explorer)
    assert html.count("</script>") == 1 and "<b" not in html.partition("<script")[0]
    assert data_of(html)["spec"]["title"] == evil


def test_not_a_number_and_infinity_are_gaps_and_never_in_the_json():
    def broken(c):
        return {"y": ([1, 2, 3], [np.nan, np.inf, c]), "none": ([np.nan], [np.inf])}

    explorer = Explorer(
        [Plot(broken, log="xy"), Heat(lambda c: np.full((2, 2), np.inf))], [Slider("c", (1, 2))]
    )
    text = page_html(explorer)
    assert "NaN" not in text
    assert "Infinity" not in text


def test_the_page_has_a_plain_figure_that_says_what_it_shows():
    html = page_html(
        Explorer(
            [Plot(wave, "Wave", alt="A wave that dies out.")], [Slider("c", (1, 2)), Slider("gamma", (1, 3))]
        )
    )
    size = 'width="394" height="324" loading="lazy" decoding="async"'
    assert f'<img alt="A wave that dies out." {size} src="data:image/svg+xml;base64,' in html
    assert "c = 2, γ = 3" in html


def test_a_question_and_its_answer_are_in_the_page_without_a_script():
    predict = Predict("Which?", "this", "Because.", ("this", "that"))
    html = page_html(Explorer([Readout(lambda c: c)], [Slider("c", (1, 2))], predict=predict))
    plain = html.split("<script")[0]
    for part in ("Which?", "<li>this</li><li>that</li>", "<summary>Answer</summary>", "Because."):
        assert part in plain


def test_a_prediction_has_options_or_a_marker_and_an_answer_among_them():
    for wrong, sentence in [
        ({}, "a prediction needs options .* or a marker"),
        ({"options": ("a", "b"), "marker": "c"}, "a prediction needs .* and not both"),
        ({"options": ("b", "c")}, "the answer must be one of the options, got 'a'"),
        ({"options": "abc"}, "options must be a list of texts, got 'abc'"),
    ]:
        with pytest.raises((TypeError, ValueError), match=f"^{sentence}"):
            Predict(**{"question": "?", "answer": "a", "reason": "!"} | wrong)


def test_pictures_too_large_for_a_page_are_refused_with_the_panels_name():
    many = Plot(lambda c: Dots(np.arange(3e4), c * np.arange(3e4)), "Many dots")
    with pytest.raises(ValueError, match=r"^Many dots: its pictures must fit in 400,000 characters .*, got"):
        page_html(Explorer([many], [Slider("c", (1, 2, 3))]))


def figure_of(explorer):
    """Give the plain figure's SVG."""
    html = page_html(explorer)
    return base64.b64decode(html.split("base64,")[1].split('"')[0]).decode()


def test_the_plain_figure_has_no_marker_of_the_notebooks_style():
    explorer = Explorer([Plot(lambda: Line(np.arange(99), np.arange(99)))])
    plain = figure_of(explorer)
    with matplotlib.rc_context({"lines.marker": "o", "axes.facecolor": "red"}):
        assert figure_of(explorer) == plain


def test_labels_stand_in_the_plain_figure_as_they_are():
    svg = figure_of(Explorer([Plot(lambda: {"$x^{$": [1, 2], "_a": [2, 1]})]))
    assert "$x^{$" in svg and "_a</text>" in svg


def test_the_numbers_on_logarithmic_axes_are_those_of_the_live_picture():
    for ends, numbers in (
        ([6, 60], ["10", "20", "50"]),
        ([1, 1e5], ["1", "10", "100", "1,000", "10⁴", "10⁵"]),
        ([1e-4, 0.1], ["10⁻⁴", "0.001", "0.01", "0.1"]),
    ):
        svg = figure_of(Explorer([Plot(lambda ends=ends: Line(ends, [1, 2]), log="x")]))
        ticks = svg[svg.index('id="matplotlib.axis_1"') : svg.index('id="matplotlib.axis_2"')]
        assert re.findall(r">([^<>]+)</text>", ticks) == numbers


@pytest.mark.parametrize("places", [[2, 1, 1, None], [1, 1, 1, 1]])
def test_bars_of_the_plain_figure_have_a_width_where_places_are_equal_or_missing(places):
    svg = figure_of(Explorer([Plot(lambda: Bars(places, [1, 2, 3, 4]))]))
    bars = re.findall(
        r'd="M ([\d.]+) [\d.]+ \nL ([\d.]+) [\d.]+ \nL [\d.]+ [\d.]+ \nL [\d.]+ [\d.]+ \nz', svg
    )
    widths = [float(right) - float(left) for left, right in bars]
    assert len(widths) > 3 and min(widths) > 10


def test_the_list_of_explorers_gets_of_the_picture_what_the_question_needs():
    def both(c):
        return {"truth": (range(5), [c] * 5), "found": Dots(range(5), range(5))}

    def drawn(*shows):
        asked = Predict("?", "a", "because", ("a", "b"), shows=shows) if shows else None
        panels = [Plot(both, "First"), Heat(lambda c: c * np.eye(3), "Second")]
        parts = parts_of(Explorer(panels, [Slider("c", (1, 2))], predict=asked))
        return parts["asking"], parts["picture"]

    asking, picture = drawn(("First", "truth"))
    assert "PathCollection" not in asking and "PathCollection" in picture  # dots
    assert "line2d" in asking
    assert "PathCollection" in drawn("First")[0]
    assert "<image" in drawn("Second")[0] and "<image" not in asking
    assert drawn()[0] == ""


def test_without_anything_that_a_question_needs_the_list_gets_a_question_mark_and_the_axes_labels():
    asked = Predict("?", "a", "because", ("a", "b"))
    panels = [Plot(wave, x="time", y="height")]
    parts = parts_of(Explorer(panels, [Slider("c", (1, 2)), Slider("gamma", (1, 2))], predict=asked))
    assert "line2d" not in parts["asking"]
    assert re.findall("<text[^>]*>([^<]*)<", parts["asking"]) == ["time", "height"]
