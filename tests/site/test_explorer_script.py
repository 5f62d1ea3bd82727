"""The explorers' script on its own, without the book: whatever numbers it gets, it draws and goes on.

Python refuses most of these before they reach a page; the script must not rely on it, since a page that
hangs takes the whole tab.
"""

import itertools
import json
import re

import pytest

from kernlib.book.explore import Choice, Dots, Explorer, Line, Plot, Predict, Readout, Slider
from kernlib.book.explore.live import ASSETS
from kernlib.book.explore.look import LOOK
from kernlib.book.explore.page import page_html

SCRIPT = (ASSETS / "explore.js").read_text(encoding="utf-8")
STYLE = (ASSETS / "explore.css").read_text(encoding="utf-8")
NUMBERS = [None, 0, 1, -1, 5e-324, -1e-310, 1e-200, 0.1, 1e16, 1e16 + 2, 1.7e308, -1.7e308]
LIMITS = [
    *[
        None,
        [0, 1],
        [1, 1],
        [2, 1],
        [-1, -1],
        [-5, 0],
        [0, 1e-310],
        [1e17, 1e17 + 16],
        [1, 1.0000000000000002],
    ],
    *[[-1.7e308, 1.7e308], [None, None], [5e-324, 1e300]],
]
SERIES = [
    {"mark": "line", "style": "", "label": "curve", "x": NUMBERS, "y": NUMBERS},
    {
        "mark": "line",
        "style": "dashed",
        "label": "",
        "x": [1, 1],
        "y": [7, 7],
        "low": [None, -1],
        "high": [0, 0],
    },
    {"mark": "dots", "style": "large", "label": "dots", "x": NUMBERS, "y": NUMBERS[::-1]},
    {"mark": "bars", "style": "", "label": "bars", "x": [None, 1, 1, 0], "y": [1, None, -1e308, 0]},
    {"mark": "bars", "style": "", "label": "one bar", "x": [5e-324], "y": [5e-324]},
    {"mark": "line", "style": "", "label": "nothing", "x": [], "y": []},
]
LINES = [{**SERIES[0], "style": style} for style in LOOK["lines"]]
POINTS = [{**SERIES[2], "style": style} for style in LOOK["dots"] for _ in LOOK["points"]]


def axis(log, limits):
    return {"label": "axis", "log": log, "limits": limits}


def plot(series, x, y, equal=False):
    spec = {
        "kind": "plot",
        "title": "",
        "alt": "",
        "x": x,
        "y": y,
        "cursor": "c",
        "equal": equal,
        "depends": [],
    }
    return spec, {"series": series}


PLOTS = [
    *[plot(series, axis(False, None), axis(False, None)) for series in (LINES, POINTS)],
    *[plot([one], axis(x, None), axis(y, None)) for one in SERIES for x in (0, 1) for y in (0, 1)],
    *[plot([one], axis(False, None), axis(False, None), equal=True) for one in SERIES],
    *[plot(SERIES, axis(log, limits), axis(log, limits)) for limits in LIMITS for log in (False, True)],
    *[
        plot([{**SERIES[0], "x": [a, b], "y": [b, a]}], axis(log, None), axis(log, None))
        for a, b in itertools.combinations(NUMBERS, 2)
        for log in (False, True)
    ],
    plot([], axis(True, [0, 1]), axis(True, None)),
]
HEATS = [
    (
        {"kind": "heat", "title": "", "alt": "", "depends": []},
        {"shape": shape, "low": 0, "high": 0, "cells": ""},
    )
    for shape in ([0, 0], [0, 3], [1, 1])
]


def explorer(panels, value):
    """The element of an explorer with these panels, and a slider that stands at the value."""
    control = {"kind": "slider", "name": "c", "label": "c", "values": [value], "default": value}
    spec = {"name": "", "title": "", "look": LOOK, "controls": [control], "predict": None}
    spec["panels"] = [panel for panel, _ in panels]
    data = {"spec": spec, "frames": [[frame] for _, frame in panels], "pool": []}
    return f'<kernlib-explorer><script type="application/json">{json.dumps(data)}</script></kernlib-explorer>'


@pytest.mark.parametrize("value", [0, -1e308, 5e-324])
def test_any_numbers_are_drawn_without_a_hang_an_error_or_a_nan(browser, value):
    page = browser.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.set_content(explorer([*PLOTS, *HEATS], value))
    page.add_script_tag(content=SCRIPT)
    page.evaluate("document.querySelector('kernlib-explorer').begin()")
    page.wait_for_function(f"document.querySelectorAll('.panel svg[role=img]').length === {len(PLOTS)}")
    panels = page.evaluate(
        """[...document.querySelectorAll(".panel")].map((panel) => ({
          written: [...panel.querySelectorAll("svg *")]
            .flatMap((node) => ["d", "x", "y", "width", "height"].map((name) => node.getAttribute(name)))
            .join(" "),
          ticks: panel.querySelectorAll(".ticks text").length,
        }))"""
    )
    page.close()
    assert len(panels) == len(PLOTS) + len(HEATS)
    for i, panel in enumerate(panels):
        assert not re.search("NaN|Infinity|undefined", panel["written"]), i
        assert panel["ticks"] <= 2 * 50, i
    assert problems == []


def test_an_element_put_back_into_the_page_follows_the_address_again(browser):
    page = browser.new_page()
    page.set_content(page_html(Explorer([Readout(lambda c: c)], [Slider("c", (1, 2, 3))], name="moved")))
    page.add_script_tag(content=SCRIPT)
    said = page.evaluate(
        """async () => {
          const explorer = document.querySelector("kernlib-explorer");
          const said = async (value) => {
            const changed = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
            location.hash = `#moved:c=${value}`;
            await changed;
            return explorer.querySelector("output").textContent;
          };
          const all = [await said(1)];
          explorer.remove();
          all.push(await said(2));
          document.body.append(explorer);
          all.push(await said(3));
          return all;
        }"""
    )
    page.close()
    assert said == ["1", "1", "3"]


def waves(c):
    x = range(50)
    return {"wave": Line(x, [((c * i) % 7) / 7 for i in x])}


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
    predict=Predict("Which?", "this", "Because.", ("this", "that")),
)
LINKS = """<p><a href="#moved:c=30,form=second">in prose</a> <a href="#asked:n=3">asked in prose</a></p>
<details open><summary>Answers</summary><a href="#asked:n=1">in an answer</a></details>"""
FAR = '<div style="height: 4000px"></div>'


@pytest.fixture
def opened(browser, tmp_path):
    """Give a function that opens a page of parts and explorers from a file; `started` has begun them all."""
    contexts = []

    def open_(*parts, size=(1280, 900), fragment="", started=True, **options):
        body = "".join(page_html(part) if isinstance(part, Explorer) else part for part in parts)
        (tmp_path / "page.html").write_text(
            f'<!doctype html><html data-theme="light"><meta charset="utf-8"><style>{STYLE}</style>{body}'
            f"<script>window.parsed = 0; const parse = JSON.parse;"
            f"JSON.parse = (text) => {{ parsed += 1; return parse(text); }};{SCRIPT}</script>",
            encoding="utf-8",
        )
        width, height = size
        contexts.append(
            browser.new_context(viewport={"width": width, "height": height}, offline=True, **options)
        )
        page = contexts[-1].new_page()
        page.goto((tmp_path / "page.html").as_uri() + fragment)
        if started:
            page.evaluate("document.querySelectorAll('kernlib-explorer').forEach((one) => one.begin())")
        return page

    yield open_
    for context in contexts:
        context.close()


def one(page, name):
    return page.locator(f'kernlib-explorer[data-name="{name}"]')


def said(page, name="moved"):
    return one(page, name).locator("output").inner_text()


def test_an_explorer_begins_when_it_comes_near_and_is_a_figure_until_then(opened):
    page = opened(FAR, MOVED, FAR, ASKED, started=False)
    page.wait_for_timeout(300)
    assert page.evaluate("parsed") == 0
    assert one(page, "moved").locator("figure.plain").is_visible()
    one(page, "moved").locator("figure.plain").scroll_into_view_if_needed()
    one(page, "moved").get_by_role("slider").first.wait_for()
    assert page.evaluate("parsed") == 1
    assert not one(page, "moved").locator("figure.plain").is_visible()
    assert one(page, "asked").get_by_role("slider").count() == 0


def test_an_explorer_that_the_address_names_begins_at_once_and_comes_into_view(opened):
    page = opened(FAR, MOVED, FAR, ASKED, fragment="#moved:c=4,d=nothing", started=False)
    assert said(page) == "first: c = 4, d = 3"
    assert abs(one(page, "moved").bounding_box()["y"]) < 200
    assert page.evaluate("parsed") == 1


def test_a_projector_shows_one_explorer_alone_and_escape_leads_back(opened):
    page = opened(FAR, MOVED, FAR, ASKED, fragment="?full#moved:c=4", started=False)
    assert said(page) == "first: c = 4, d = 3"
    box = one(page, "moved").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 1280, 900)
    one(page, "moved").get_by_role("slider").first.press("End")
    page.wait_for_function("location.hash.includes('c=30')")
    page.keyboard.press("Escape")
    page.wait_for_url("**/page.html#moved:c=30")
    assert said(page) == "first: c = 30, d = 3"
    assert not one(page, "moved").evaluate("(found) => found.classList.contains('full')")


def test_the_keyboard_that_comes_to_the_plain_figure_finds_the_explorer(opened):
    page = opened('<a href="#top">link</a>', FAR, ASKED, started=False)
    page.get_by_role("link").focus()
    page.keyboard.press("Tab")
    one(page, "asked").get_by_role("radio").first.wait_for()
    assert page.evaluate("document.activeElement.type") == "radio"


def test_a_link_moves_the_explorer_of_its_page_keeps_the_others_and_back_leads_back(opened):
    page = opened(LINKS, FAR, MOVED, FAR, ASKED, fragment="#asked:n=3", started=False)
    page.evaluate("scrollTo(0, 0)")
    page.get_by_role("link", name="in prose", exact=True).click()
    assert said(page) == "second: c = 30, d = 3"
    assert page.url.endswith("#asked:n=3;moved:c=30,form=second")
    assert abs(one(page, "moved").bounding_box()["y"]) < 200
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Moved"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "c"
    page.keyboard.press("Home")
    page.get_by_role("link", name="in prose", exact=True).click()  # once more, to the same place
    assert said(page) == "second: c = 30, d = 3"
    page.go_back()
    page.go_back()
    assert page.url.endswith("#asked:n=3")


def test_a_link_in_an_answer_opens_the_question_and_says_so_one_in_prose_does_not(opened):
    page = opened(ASKED, LINKS)
    slider = one(page, "asked").get_by_role("slider")
    page.get_by_role("link", name="asked in prose").click()
    assert said(page, "asked") == "n = 3"
    assert slider.is_disabled()
    page.get_by_role("link", name="in an answer").click()
    assert said(page, "asked") == "n = 1"
    assert slider.is_enabled()
    assert "The link shows the answer." in one(page, "asked").get_by_role("status").first.inner_text()
    assert not one(page, "asked").locator(".answer details p").is_visible()


@pytest.mark.parametrize(
    ("size", "stays"), [((390, 844), 1), ((900, 1000), 1), ((1366, 768), 1), ((1280, 900), 0)]
)
def test_slider_and_readout_stay_in_view_where_the_screen_is_small(size, stays, opened):
    page = opened(MOVED, FAR, size=size)
    page.get_by_text("More 2").evaluate("(title) => scrollTo(0, title.getBoundingClientRect().top - 100)")
    boxes = [one(page, "moved").locator(what).first.bounding_box() for what in ("input", "output")]
    assert [0 <= box["y"] < size[1] - 50 for box in boxes] == [bool(stays)] * 2


@pytest.mark.parametrize("size", [(390, 844), (700, 900), (1280, 900)])
def test_a_slider_has_six_pixels_for_each_stop_and_a_phones_width(size, opened):
    page = opened(MOVED, size=size)
    for slider in one(page, "moved").get_by_role("slider").all():
        width = slider.bounding_box()["width"]
        assert width >= 6 * len(MANY)
        assert width > 330 or size[0] > 390
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_move_makes_no_axes_anew_where_they_stay(opened):
    page = opened(MOVED)
    page.evaluate(
        """() => {
          window.made = [];
          new MutationObserver((records) => {
            for (const { addedNodes } of records) made.push(...[...addedNodes].map((node) => node.nodeName));
          }).observe(document.querySelector(".panels"), { childList: true, subtree: true });
        }"""
    )
    slider = one(page, "moved").get_by_role("slider", name="c", exact=True)
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    made = page.evaluate("made")
    assert made.count("g") == 4  # two curves and two points, one for each move
    assert set(made) <= {"g", "path"}


def test_the_link_to_a_state_is_copied_and_leads_to_it(opened):
    page = opened(MOVED)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one(page, "moved").get_by_role("slider").first.press("End")
    page.get_by_role("button", name="Copy link to this state").click()
    page.get_by_text("Copied.").wait_for()
    address = page.evaluate("navigator.clipboard.readText()")
    assert address == page.url.split("#")[0] + "#moved:c=30,d=3,form=first"
    page.goto("about:blank")
    page.goto(address)
    assert said(page) == "first: c = 30, d = 3"


def test_where_the_clipboard_is_refused_the_link_is_there_to_be_copied_by_hand(opened):
    page = opened(MOVED)
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    page.get_by_role("button", name="Copy link to this state").click()
    field = page.get_by_role("textbox", name="Link")
    assert field.input_value().endswith("#moved:c=15,d=3,form=first")
    assert page.evaluate("getSelection().toString()").endswith("#moved:c=15,d=3,form=first")


def test_the_mouse_drags_a_point_and_the_sliders_follow(opened):
    page = opened(MOVED)
    grip = one(page, "moved").locator(".grip")
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 3000, box["y"] - 3000, steps=4)
    page.mouse.up()
    assert said(page) == "first: c = 30, d = 30"
    page.mouse.move(10, 10)
    assert said(page) == "first: c = 30, d = 30"
    there = grip.bounding_box()
    assert there["x"] > box["x"] and there["y"] < box["y"]


def test_print_shows_the_readers_state_and_the_answer_and_cuts_nothing(opened):
    page = opened(MOVED, FAR, ASKED, started=False)
    one(page, "moved").get_by_role("slider").first.press("End")
    page.emulate_media(media="print")
    moved, asked = one(page, "moved"), one(page, "asked")
    assert moved.locator("output").is_visible() and said(page) == "first: c = 30, d = 3"
    assert moved.locator(".value").first.inner_text() == "30"
    assert not any(
        thing.is_visible()
        for thing in page.locator("button, input[type=range], .grip, figure.plain").all()
        if thing.locator("xpath=ancestor::*[@data-name='moved']").count()
    )
    assert asked.locator("figure.plain").is_visible()  # at the state in which the reader left it
    assert asked.locator("p.print").first.is_visible()
    page.emulate_media(media="screen")
    page.evaluate("document.querySelectorAll('kernlib-explorer').forEach((one) => one.begin())")
    page.emulate_media(media="print")
    assert "Answer: this. Because." in asked.locator(".question p.print").last.inner_text()
    page.set_viewport_size({"width": 640, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 640
