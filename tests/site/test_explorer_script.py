"""The explorers' script on its own, without the book: numbers of all sizes, keys, fingers, links, print.

Python refuses most wild numbers before they reach a page; the script must not rely on it, since a page that
hangs takes the whole tab.
"""

import itertools
import json
import re

import numpy as np
import pytest
from hands import drag, skip_questions

from kernlib.book.explore import (
    Bars,
    Cells,
    Choice,
    Dots,
    Explorer,
    Heat,
    Line,
    Plot,
    Predict,
    Readout,
    Slider,
    Table,
)
from kernlib.book.explore.look import LOOK

COUNT_PARSED = """window.parsed = 0;
const parse = JSON.parse;
JSON.parse = (text) => { parsed += 1; return parse(text); };"""
BEGIN_ALL = "document.querySelectorAll('kernlib-explorer').forEach((one) => one.begin())"
NUMBERS = [None, 0, 1, -1, 5e-324, -1e-310, 1e-200, 0.1, 1e16, 1e16 + 2, 1.7e308, -1.7e308]
LIMITS = [None, [0, 1], [1, 1], [2, 1], [-1, -1], [-5, 0], [0, 1e-310], [1e17, 1e17 + 16]]
LIMITS += [[1, 1.0000000000000002], [-1.7e308, 1.7e308], [None, None], [5e-324, 1e300]]


def series(mark, x, y, style="", **others):
    return {"mark": mark, "style": style, "label": mark, "x": x, "y": y} | others


PANEL = {"title": "", "alt": "", "depends": []}


def plot(all_series, log=(0, 0), limits=None, equal=False):
    """Give the spec of a panel, and what it draws."""
    x, y = ({"label": "axis", "log": bool(of_axis), "limits": limits} for of_axis in log)
    spec = PANEL | {"kind": "plot", "x": x, "y": y, "cursor": "c", "equal": equal}
    return spec, {"series": all_series}


SERIES = [
    series("line", NUMBERS, NUMBERS),
    series("line", [1, 1], [7, 7], "dashed", label="", low=[None, -1], high=[0, 0]),
    series("dots", NUMBERS, NUMBERS[::-1], "large"),
    series("bars", [None, 1, 1, 0], [1, None, -1e308, 0]),
    series("bars", [5e-324], [5e-324]),
    series("line", [], []),
]
PAIRS = [series("line", [a, b], [b, a]) for a, b in itertools.combinations(NUMBERS, 2)]
PLOTS = [
    plot([series("line", NUMBERS, NUMBERS, style) for style in LOOK["lines"]]),
    plot([series("dots", NUMBERS, NUMBERS, style) for style in LOOK["dots"] for _ in LOOK["points"]]),
    *[plot([one], log) for one in SERIES for log in itertools.product((0, 1), repeat=2)],
    *[plot([one], equal=True) for one in SERIES],
    *[plot(SERIES, (log, log), limits) for limits in LIMITS for log in (0, 1)],
    *[plot([pair], (log, log)) for pair in PAIRS for log in (0, 1)],
    plot([], (1, 1), [0, 1]),
]
SHAPES = [{"shape": shape, "low": 0, "high": 0, "cells": ""} for shape in ([0, 0], [0, 3], [1, 1])]
PANELS = [*PLOTS, *((PANEL | {"kind": "heat"}, frame) for frame in SHAPES)]


def test_any_numbers_are_drawn_without_a_hang_an_error_or_a_nan(opened):
    control = {"kind": "slider", "name": "c", "label": "c", "values": [-1e308], "default": -1e308}
    spec = {"name": "", "title": "", "look": LOOK, "controls": [control], "predict": None}
    spec["panels"] = [panel for panel, _ in PANELS]
    text = json.dumps({"spec": spec, "frames": [[frame] for _, frame in PANELS], "pool": []})
    page = opened(f'<kernlib-explorer><script type="application/json">{text}</script></kernlib-explorer>')
    page.wait_for_function(f"document.querySelectorAll('.panel svg[role=img]').length === {len(PLOTS)}")
    panels = page.evaluate("probe.drawn()")
    assert len(panels) == len(PANELS)
    for i, panel in enumerate(panels):
        assert not re.search("NaN|Infinity|undefined", panel["written"]), i
        assert panel["ticks"] <= 2 * 50, i
    assert page.problems == []


def waves(c):
    return {"wave": Line(range(50), [((c * i) % 7) / 7 for i in range(50)])}


def point(c, d):
    return Dots([c], [d], "large")


MANY = tuple(range(31))
MOVED = Explorer(
    [
        Plot(waves, "Waves", ylim=(0, 1), cursor="c"),
        Plot(point, "A point", xlim=(-1, 31), ylim=(-1, 31), drag=("c", "d")),
        *[Plot(lambda d: Line(range(9), range(d, d + 9)), f"More {i}") for i in range(3)],
        Readout(lambda c, d, form: f"{form}: c = {c}, d = {d}"),
    ],
    [Slider("c", MANY), Slider("d", MANY, default=3), Choice("form", ("first", "second"))],
    title="Moved",
    name="moved",
)
ASKED = Explorer(
    [Readout(lambda n: f"n = {n}"), Plot(lambda n: Line([0, 1], [0, n]), ylim=(0, 9))],
    [Slider("n", (1, 2, 3))],
    title="Asked",
    name="asked",
    predict=Predict("Which?", "this", "Because.", ("this", "that"), at={"n": 1}),
)
PLACED = Explorer(
    [Plot(lambda n: Line([1, 3], [0, n]), cursor="n", xlim=(1, 3)), Readout(lambda n: f"n = {n}")],
    [Slider("n", (1, 2, 3), play=2)],
    name="placed",
    predict=Predict("Where?", 2, "Because.", marker="n"),
)
PLAYED = Explorer(
    [Plot(lambda c: Line([0, 1, 2], [0, c, 1]), ylim=(0, 9)), Readout(lambda c: f"c = {c}")],
    [Slider("c", range(10), play=30)],
    name="played",
    presets={"small": {"c": 1}, "large": {"c": 8}},
)
HIDDEN = Explorer(
    [
        Plot(lambda n: {"curve": Line([0, 1], [0, 70 * n]), "data": Dots([0, 1], [1, 0])}, "both"),
        Plot(lambda n: Line([0, 1], [0, n]), "needed"),
        Heat(lambda n: np.eye(n), "matrix"),
        Table(lambda n: Cells([[n]]), "table"),
        Readout(lambda n: f"n = {n}"),
    ],
    [Slider("n", (1, 2, 3))],
    name="hidden",
    predict=Predict("Which?", "this", "Because.", ("this", "that"), shows=("needed", ("both", "data"))),
)
UNEQUAL = Explorer(
    [
        Plot(
            lambda: {f"a long name, number {i}": Line([0, 1], [i, i]) for i in range(9)}, "many", x="x", y="y"
        ),
        Plot(lambda: Dots([0, 1], [0, 1]), "a square", equal=True, xlim=(0, 1), ylim=(0, 1)),
    ]
)
BARS = Explorer([Plot(lambda: Bars([2, 1, 1, None], [1, 2, 3, 4]), "bars")])
SQUARE = Explorer([Plot(lambda: Dots([0, 1, 1, 0], [0, 0, 3, 3]), "square", equal=True)], [])
LINKS = """<p><a href="#moved:c=30,form=second">in prose</a> <a href="#asked:n=3">asked in prose</a></p>"""
FAR = '<div style="height: 4000px"></div>'


@pytest.fixture
def opened(open_explorers):
    """Give a function that opens a page of parts and explorers; `started` has begun them all."""

    def open_(*parts, started=True, **options):
        page = open_explorers(*parts, before=COUNT_PARSED, **options)
        if started:
            page.evaluate(BEGIN_ALL)
        return page

    return open_


def one(page, name="moved"):
    return page.locator(f'kernlib-explorer[data-name="{name}"]')


def slider(page, name="moved", **options):
    return one(page, name).get_by_role("slider", **options).first


def readout(page, name="moved"):
    return one(page, name).locator("output").inner_text()


def focused_label(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label')")


def test_an_explorer_begins_when_it_comes_near_and_is_a_figure_until_then(opened):
    page = opened(FAR, MOVED, FAR, ASKED, started=False)
    page.wait_for_timeout(300)
    figure = one(page).locator("figure.plain")
    assert page.evaluate("parsed") == 0 and figure.is_visible()
    figure.scroll_into_view_if_needed()
    slider(page).wait_for()
    assert page.evaluate("parsed") == 1 and not figure.is_visible()
    assert one(page, "asked").get_by_role("slider").count() == 0


def test_an_explorer_that_the_address_names_begins_at_once_and_comes_into_view(opened):
    page = opened(FAR, MOVED, FAR, ASKED, fragment="#moved:c=4.2,d=nothing,absent=1,%=%", started=False)
    assert readout(page) == "first: c = 4, d = 3"  # the nearest stop; what makes no sense is ignored
    assert abs(one(page).bounding_box()["y"]) < 200
    assert page.evaluate("parsed") == 1


def test_a_folded_explorer_opens_for_an_address_or_a_link_that_names_it(opened):
    fold = ("<details><summary>Fold</summary>", "</details>")
    page = opened(fold[0], MOVED, fold[1], fragment="#moved:c=4", started=False)
    assert readout(page) == "first: c = 4, d = 3" and one(page).is_visible()
    page = opened('<a href="#moved:c=4">four</a>', fold[0], MOVED, fold[1], started=False)
    assert not one(page).is_visible()
    page.get_by_role("link", name="four").click()
    assert readout(page) == "first: c = 4, d = 3" and one(page).is_visible()


def test_a_projector_shows_one_explorer_alone_and_escape_leads_back(opened):
    layers = (
        '<div style="position: relative; z-index: 2">',
        '<p style="position: fixed; inset: 0; z-index: 9">',
    )
    page = opened(FAR, layers[0], MOVED, "</div>", layers[1], "</p>", FAR, ASKED, fragment="?full#moved:c=4")
    assert readout(page) == "first: c = 4, d = 3"
    assert one(page).bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 900}
    on_top = "(found) => [[5, 5], [640, 450]].every((at) => found.contains(document.elementFromPoint(...at)))"
    assert one(page).evaluate(on_top)
    fits = "({style, scrollHeight, clientHeight}) => style.zoom && scrollHeight <= clientHeight"
    page.wait_for_function(f"({fits})(document.querySelector('.full'))")
    slider(page).press("End")
    page.wait_for_function("location.hash.includes('c=30')")
    page.keyboard.press("Escape")
    page.wait_for_url("**/page.html#moved:c=30")
    assert readout(page) == "first: c = 30, d = 3"
    assert not one(page).evaluate("(found) => found.classList.contains('full')")


def test_the_keyboard_that_comes_to_the_plain_figure_finds_the_explorer(opened):
    page = opened('<a href="#top">link</a>', FAR, ASKED, started=False)
    page.get_by_role("link").focus()
    page.keyboard.press("Tab")
    one(page, "asked").get_by_role("radio").first.wait_for()
    assert page.evaluate("document.activeElement.type") == "radio"


def test_all_keys_of_a_slider_work(opened):
    page, reached = opened(MOVED), {}
    steps = {"ArrowRight": 16, "ArrowUp": 16, "ArrowLeft": 14, "ArrowDown": 14}
    steps |= {"PageUp": 18, "PageDown": 12, "Home": 0, "End": 30}
    for key in steps:
        one(page).get_by_role("button", name="Reset").click()
        assert slider(page).input_value() == "15"
        slider(page).press(key)
        reached[key] = int(slider(page).input_value())
    assert reached == steps


def test_mouse_and_finger_move_a_slider(opened):
    page = opened(MOVED, has_touch=True)
    before = one(page).locator(".stage > svg path.line").first.get_attribute("d")
    box = drag(page, slider(page), 2000, 0)
    assert readout(page) == "first: c = 30, d = 3"
    assert one(page).locator(".stage > svg path.line").first.get_attribute("d") != before
    page.touchscreen.tap(box["x"] + 3, box["y"] + box["height"] / 2)
    assert slider(page).get_attribute("aria-valuetext") == "0"


def test_the_keyboard_alone_answers_a_question_and_unlocks_the_sliders(opened):
    page = opened(ASKED)
    assert one(page, "asked").get_by_role("slider").count() == 0
    one(page, "asked").get_by_role("radio").first.focus()
    for key in ("Space", "ArrowDown", "Tab", "Enter"):
        page.keyboard.press(key)
    answer = one(page, "asked").locator(".question .answer").inner_text()
    assert "You said: that." in answer and "Answer: this." in answer
    assert slider(page, "asked").is_enabled()
    assert focused_label(page) == "n" and readout(page, "asked") == "n = 1"  # the state that was asked for


def test_a_skipped_question_unlocks_and_keeps_its_answer_folded(opened):
    page = opened(ASKED)
    page.get_by_role("button", name="Skip", exact=True).click()
    assert slider(page, "asked").is_enabled() and readout(page, "asked") == "n = 1"
    answer = one(page, "asked").locator(".answer details p")
    assert not answer.is_visible()
    page.get_by_text("Show the answer").click()
    assert "Answer: this." in answer.inner_text()


def test_the_numbers_of_an_axis_give_no_hidden_curve_away(opened):
    page = opened(HIDDEN, PLACED)
    hidden, placed = (
        one(page, name).locator(".ticks text[text-anchor=end]") for name in ("hidden", "placed")
    )
    assert "100" not in hidden.all_text_contents() and not placed.count()
    skip_questions(page)
    assert "100" in hidden.all_text_contents() and placed.count() > 2


def test_play_runs_to_the_last_stop_and_a_key_stops_it(opened):
    page = opened(PLAYED)
    page.emulate_media(reduced_motion="no-preference")
    slider(page, "played").press("Home")
    page.get_by_role("button", name="Play c").click()
    page.wait_for_function("document.querySelector('output').textContent === 'c = 9'")
    page.get_by_role("button", name="Play c").click()  # once more, from the first stop
    page.keyboard.press("Shift")
    assert page.get_by_role("button", name="Play c").is_visible()
    stopped = readout(page, "played")
    page.wait_for_timeout(200)
    assert readout(page, "played") == stopped != "c = 9"


def test_without_motion_each_press_of_play_is_one_step(opened):
    page = opened(PLAYED)
    for c in (6, 7):
        page.get_by_role("button", name="Play c").click()
        page.wait_for_timeout(100)
        assert readout(page, "played") == f"c = {c}"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_preset_lets_curves_move_to_their_places_and_a_slider_puts_them_there(motion, opened):
    page = opened(PLAYED)
    page.emulate_media(reduced_motion=motion)
    running = "document.getAnimations().map(({ effect }) => effect.getTiming().duration)"
    button = page.get_by_role("button", name="large")
    moving = button.evaluate(f"(button) => {{ button.click(); return {running}; }}")
    assert moving == ([180] if motion == "no-preference" else [])
    assert readout(page, "played") == "c = 8"
    page.wait_for_function("location.hash === '#played:c=8'")
    page.wait_for_timeout(300)
    slider(page, "played").press("Home")
    assert page.evaluate(running) == []


def test_a_marker_is_placed_on_empty_axes_and_the_curves_come_with_the_answer(opened):
    page = opened(PLACED)
    drawn = page.locator(".panel.is-plot .stage > svg path:is(.line, .dots):visible")
    assert drawn.count() == 0
    page.emulate_media(media="print")
    assert drawn.count() == 0
    page.emulate_media(media="screen")
    waiting = page.locator(".panel.empty")  # it says that curves follow
    assert waiting.count() == 1
    page.get_by_role("slider", name="Your guess: n").press("End")
    assert page.get_by_role("button", name="Play").count() == 0
    assert page.locator(".guess").count() == 1 and waiting.count() == 0
    label, line = page.locator(".guess-label text"), page.locator(".guess")
    assert label.text_content() == "your guess"
    boxes = label.bounding_box(), line.bounding_box()
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"] + 2
    colors = [
        label.evaluate("e => getComputedStyle(e).fill"),
        line.evaluate("e => getComputedStyle(e).stroke"),
    ]
    assert colors == ["rgb(122, 63, 192)"] * 2
    page.get_by_role("button", name="Commit").click()
    assert "You said: 3. Answer: 2." in page.locator(".question .answer").inner_text()
    assert drawn.count() == page.locator(".guess").count() == 1
    assert page.get_by_role("button", name="Play").count() == 1


def test_a_link_moves_the_explorer_of_its_page_keeps_the_others_and_back_leads_back(opened):
    page = opened(LINKS, FAR, MOVED, FAR, ASKED, fragment="#asked:n=3", started=False)
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("link", name="in prose", exact=True).click()
    assert readout(page) == "second: c = 30, d = 3"
    assert page.url.endswith("#asked:n=3;moved:c=30,form=second")
    assert abs(one(page).bounding_box()["y"]) < 200
    assert focused_label(page) == "Moved"
    page.keyboard.press("Tab")
    assert focused_label(page) == "c"
    untouched = one(page, "asked").inner_html()
    page.keyboard.press("Home")
    assert one(page, "asked").inner_html() == untouched
    page.get_by_role("link", name="in prose", exact=True).click()  # once more, to the same place
    assert readout(page) == "second: c = 30, d = 3"
    page.go_back()
    page.go_back()
    page.wait_for_url("**#asked:n=3")


def test_a_link_to_a_state_shows_it_without_the_question_and_one_without_values_asks(opened):
    page = opened('<a href="#asked:">the question</a>', FAR, ASKED, LINKS)
    page.get_by_role("link", name="the question").click()
    assert one(page, "asked").get_by_role("radio").first.is_visible()
    page.get_by_role("link", name="asked in prose").click()
    assert readout(page, "asked") == "n = 3" and slider(page, "asked").is_enabled()
    question = one(page, "asked").locator(".question")
    assert "A link led here" in question.get_by_role("status").inner_text()
    assert question.get_by_role("radio").count() == 0
    assert not question.locator(".answer details p").is_visible()


@pytest.mark.parametrize(
    ("fragment", "asks"), [("#asked:n=3", False), ("#asked:", True), ("#asked:n=x", True)]
)
def test_an_address_with_a_state_skips_the_question_and_leaves_the_focus_alone(fragment, asks, opened):
    page = opened(ASKED, fragment=fragment, started=False)
    assert one(page, "asked").locator(".asking").count() == asks
    assert page.evaluate("document.activeElement === document.body")


SIZES = [((390, 844), 1), ((1366, 500), 1), ((1280, 1200), 0)]


@pytest.mark.parametrize(("size", "stays"), SIZES)
def test_slider_and_readout_stay_in_view_where_the_explorer_is_higher_than_the_screen(size, stays, opened):
    page = opened(MOVED, FAR, size=size)
    for control in one(page).get_by_role("slider").all():
        width = control.bounding_box()["width"]
        assert width >= 6 * len(MANY)  # six pixels for each stop, and a phone's width
        assert width > 330 or size[0] > 390
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_text("More 2").evaluate("(title) => scrollTo(0, title.getBoundingClientRect().top - 100)")
    boxes = [one(page).locator(what).first.bounding_box() for what in ("input", "output")]
    assert [0 <= box["y"] < size[1] - 50 for box in boxes] == [bool(stays)] * 2


def test_on_a_phone_the_slider_in_use_and_a_short_readout_alone_stay_in_view_and_nothing_jumps(opened):
    page = opened(MOVED, FAR, size=(390, 844), has_touch=True)
    tops = "[...document.querySelectorAll('.panel')].map((one) => one.getBoundingClientRect().top + scrollY)"
    before = page.evaluate(tops)
    for name in ("c", "d"):
        one(page).get_by_label(name, exact=True).first.tap()
        page.get_by_text("More 2").evaluate("(title) => scrollBy(0, title.getBoundingClientRect().top)")
        boxes = {
            (part.locator("label").or_(part.locator("output"))).first.inner_text(): part.bounding_box()
            for part in one(page).locator(".control, .is-readout").all()
        }
        ends = {what: box["y"] + box["height"] for what, box in boxes.items() if 0 <= box["y"] < 200}
        assert list(ends) == [name, readout(page)] and max(ends.values()) <= 0.2 * 844
        page.evaluate("scrollTo(0, 0)")
    assert page.evaluate(tops)[2:] == before[2:]


def test_bars_at_equal_places_have_a_width(opened):
    boxes = opened(BARS).locator(".stage .bars").bounding_box()
    assert boxes["width"] > 20


def test_plots_abreast_have_one_height_and_one_line_of_axes_whatever_their_legends(opened):
    page = opened(UNEQUAL)
    for part in (".stage > svg", ".stage .axes"):
        boxes = [found.bounding_box() for found in page.locator(part).all()]
        assert len({(round(box["y"], 1), round(box["height"], 1)) for box in boxes}) == 1
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(100)
    line, square = (found.bounding_box()["height"] for found in page.locator(".stage > svg").all())
    assert line < square  # one below the other each has its own


def test_equal_axes_draw_a_square_as_a_square(opened):
    box = opened(SQUARE).locator("svg path.dots").last.bounding_box()
    dot = 4.4  # the diameter of a point
    assert abs((box["height"] - dot) - 3 * (box["width"] - dot)) < 0.5


def test_the_link_to_a_state_is_copied_and_leads_to_it(opened):
    page = opened(MOVED)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    slider(page).press("End")
    page.get_by_role("button", name="Copy link to this state").click()
    page.get_by_text("Copied.").wait_for()
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == page.url.split("#")[0] + "#moved:c=30,d=3,form=first"
    page.goto("about:blank")
    page.goto(address)
    assert readout(page) == "first: c = 30, d = 3"
    one(page).get_by_role("button", name="Reset").click()
    page.wait_for_url("**/page.html")


def test_where_the_clipboard_is_refused_the_link_is_there_to_be_copied_by_hand(opened):
    page = opened(MOVED)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.get_by_role("button", name="Copy link to this state").click()
    field = page.get_by_role("textbox", name="Link")
    assert field.input_value().endswith("#moved:c=15,d=3,form=first")
    assert page.evaluate("getSelection().toString()").endswith("#moved:c=15,d=3,form=first")


def test_print_shows_the_readers_state_or_the_plain_figure_and_no_answer_and_cuts_nothing(opened):
    page = opened(MOVED, FAR, ASKED, started=False)
    slider(page).press("End")
    page.emulate_media(media="print")
    moved, asked = one(page), one(page, "asked")
    assert moved.locator("output").is_visible() and readout(page) == "first: c = 30, d = 3"
    assert moved.locator(".value").first.inner_text() == "30"
    for_screens = moved.locator("button, input[type=range], .grip, figure.plain").all()
    assert not any(thing.is_visible() for thing in for_screens)
    assert asked.locator("figure.plain").is_visible()  # at the state in which the reader left it
    assert asked.get_by_text("Because.").first.is_hidden()
    page.emulate_media(media="screen")
    page.evaluate(BEGIN_ALL)
    page.emulate_media(media="print")
    assert asked.locator("figure.plain").is_visible() and asked.locator(".panels").is_hidden()
    assert (
        "Because." not in asked.inner_text()
        and asked.get_by_text("that").locator("visible=true").count() == 1
    )
    page.set_viewport_size({"width": 640, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
