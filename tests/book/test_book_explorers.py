"""Explorers on the built pages, from ``file://`` with no network: keys, mouse, finger, speed, weight."""

import gzip
import importlib
import random
import statistics

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

from kernlib.explore import Explorer, Heat, Plot, Readout, Slider
from kernlib.explore.live import ASSETS
from kernlib.explore.marks import show
from kernlib.explore.page import page_html

MODULES = {
    "explore_kernels": "kernels",
    "explore_bochner": "bochner",
    "explore_ridge": "ridge",
    "explore_rank": "rank_truncation",
    "explore_fourier": "fourier",
    "explore_nystrom": "nystrom",
    "explore_kernel_pca": "kernel_pca",
    "explore_strings": "strings",
}
PAGES = [f"chapters/{name}.html" for name in [*MODULES, "explorers", "07_lab"]]
MOST_HTML = 300_000  # bytes of a page, compressed
MOST_SCRIPT = 30_000  # bytes of our scripts
FRAME = 16  # ms
# Serious or critical by axe's rules, and written by others: the theme's sidebar, docutils' citations.
NOT_OURS = {
    ("summary-name", "<summary>"),
    ("aria-required-children", '<div role="list" class="citation-list">'),
}


@pytest.fixture(params=MODULES)
def definition(request):
    return request.param, importlib.import_module(f"kernlib.explore.{MODULES[request.param]}").EXPLORER


@pytest.fixture
def opened(definition, open_page):
    """Open an explorer's page and skip its question."""
    page = open_page(f"chapters/{definition[0]}.html")
    skip_questions(page)
    return page


def skip_questions(page):
    skip = page.get_by_role("button", name="Skip", exact=True)
    while skip.count():
        skip.first.click()


def visit_again(page, fragment):
    """Come to the page by a link with a fragment."""
    address = page.url
    page.goto("about:blank")
    page.goto(address + fragment)


def control_of(page, control):
    role = "slider" if isinstance(control, Slider) else "combobox"
    return page.locator("kernlib-explorer").get_by_role(role, name=control.label, exact=True)


def turn(page, control, value):
    """Bring a control to one of its stops by keys alone."""
    field = control_of(page, control)
    if not isinstance(control, Slider):
        field.select_option(show(value))
        return
    field.press("Home")
    for _ in range(control.stops.index(value)):
        field.press("ArrowRight")


def pictures(page):
    """What each panel shows: markup, and the pixels of a canvas."""
    return page.evaluate(
        """[...document.querySelectorAll("kernlib-explorer .drawing")].map((slot) =>
             slot.innerHTML + [...slot.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()))"""
    )


@pytest.mark.parametrize("seed", range(2))
def test_keys_bring_the_readout_that_python_computes(seed, definition, opened):
    _, explorer = definition
    choose = random.Random(seed).choice
    values = {control.name: choose(control.stops) for control in explorer.controls}
    for control in explorer.controls:
        turn(opened, control, values[control.name])
    *_, said = explorer.frames(values)
    assert opened.locator("kernlib-explorer output").inner_text() == said
    assert opened.problems == []


def test_each_control_changes_the_panels_that_depend_on_it_and_no_others(definition, opened):
    _, explorer = definition
    for control in explorer.controls:
        turn(opened, control, control.stops[0])
        before = pictures(opened)
        turn(opened, control, control.stops[-1])
        after = pictures(opened)
        for panel, was, now in zip(explorer.panels, before, after, strict=True):
            own = control in explorer.depends(panel) or getattr(panel, "cursor", None) == control.name
            assert own or was == now, (control.name, panel.title)
        assert before != after, control.name


def test_every_slider_says_its_name_and_value(definition, opened):
    _, explorer = definition
    for control in explorer.controls:
        if isinstance(control, Slider):
            turn(opened, control, control.stops[-1])
            field = control_of(opened, control)
            assert field.get_attribute("aria-valuetext") == show(control.stops[-1])
            assert field.get_attribute("aria-label") == control.label


PLACES = {"ArrowRight": 7, "ArrowUp": 7, "ArrowLeft": 5, "ArrowDown": 5, "PageUp": 8, "PageDown": 4}


@pytest.mark.parametrize(("key", "place"), [*PLACES.items(), ("Home", 0), ("End", 12)])
def test_all_keys_of_a_slider_work(key, place, open_page):
    page = open_page("chapters/explore_kernels.html")
    skip_questions(page)
    slider = page.get_by_role("slider", name="γ")
    slider.press(key)
    assert slider.input_value() == str(place)


def test_the_mouse_moves_a_slider(open_page):
    page = open_page("chapters/explore_ridge.html")
    skip_questions(page)
    slider = page.get_by_role("slider", name="λ")
    before = pictures(page)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"], box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    explorer = importlib.import_module("kernlib.explore.ridge").EXPLORER
    lam = explorer.controls[0].stops[-1]
    assert page.locator("kernlib-explorer output").inner_text() == explorer.frames({"lam": lam})[-1]
    assert pictures(page)[:2] != before[:2]


def test_a_finger_moves_a_slider(open_page):
    page = open_page("chapters/explore_ridge.html", "narrow", has_touch=True)
    page.get_by_role("button", name="Skip", exact=True).tap()
    slider = page.get_by_role("slider", name="λ")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    assert slider.get_attribute("aria-valuetext") == show(3.0)


def test_the_keyboard_alone_answers_the_question_and_moves_the_sliders(open_page):
    page = open_page("chapters/explore_ridge.html")
    slider = page.get_by_role("slider", name="λ")
    assert slider.is_disabled()
    page.get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    said = page.locator(".question .answer").inner_text()
    assert "You said: a straight line." in said
    assert "Answer: the constant 0." in said
    assert slider.is_enabled()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "λ"


def test_a_skipped_question_unlocks_and_keeps_its_answer_folded(open_page):
    page = open_page("chapters/explore_bochner.html")
    skip_questions(page)
    assert page.get_by_role("slider", name="γ").is_enabled()
    answer = page.locator(".answer details p")
    assert not answer.is_visible()
    page.get_by_text("Show the answer").click()
    assert "Answer: 2." in answer.inner_text()


def test_a_marker_is_placed_on_empty_axes_and_the_curves_come_with_the_answer(open_page):
    page = open_page("chapters/explore_rank.html")
    drawn = page.locator(".panel.is-plot .drawing > svg path:is(.line, .dots)")
    assert drawn.count() == 0
    marker = page.get_by_role("slider", name="Your guess: rank k")
    marker.press("End")
    assert page.locator("kernlib-explorer .guess").count() == 2
    page.get_by_role("button", name="Commit").click()
    assert "You said: 100. Answer: 20." in page.locator(".question .answer").inner_text()
    assert drawn.count() == 3
    assert page.locator("kernlib-explorer .guess").count() == 2


def test_a_key_is_drawn_within_a_frame(definition, opened, record_property):
    """Median over twenty keys on each slider, layout included; painting is the browser's."""
    _, explorer = definition
    sliders = [control for control in explorer.controls if isinstance(control, Slider)]
    opened.evaluate(
        """() => {
          window.times = [];
          let start;
          document.addEventListener("keydown", () => { start = performance.now(); }, true);
          for (const input of document.querySelectorAll("kernlib-explorer .controls input")) {
            // registered after the explorer's own listener, so called after it
            input.addEventListener("keydown", () => {
              document.querySelector("kernlib-explorer").getBoundingClientRect();
              window.times.push(performance.now() - start);
            });
          }
        }"""
    )
    for control in sliders:
        field = control_of(opened, control)
        for key in ["ArrowLeft"] * 10 + ["ArrowRight"] * 10:
            field.press(key)
    times = opened.evaluate("window.times")
    assert len(times) == 20 * len(sliders)
    record_property("static_ms", statistics.median(times))
    assert statistics.median(times) <= FRAME


def test_the_address_holds_the_state_and_brings_it_back(open_page, book):
    page = open_page("chapters/explore_ridge.html")
    skip_questions(page)
    page.get_by_role("slider", name="λ").press("End")
    page.get_by_role("slider", name="γ").press("Home")
    page.wait_for_url("**#ridge:lam=3,gamma=0.1")
    said = page.locator("kernlib-explorer output").inner_text()
    again = open_page("chapters/explore_ridge.html")
    visit_again(again, "#ridge:lam=3,gamma=0.1")
    assert again.locator("kernlib-explorer output").inner_text() == said
    skip_questions(again)
    again.get_by_role("button", name="Reset").click()
    again.wait_for_url("**/explore_ridge.html")
    assert again.problems == []


def test_an_address_written_by_hand_finds_the_nearest_stop_and_ignores_the_rest(open_page):
    page = open_page("chapters/explore_ridge.html")
    visit_again(page, "#ridge:lam=0.0012,nothing=3,gamma=abc,%=%")
    assert page.get_by_role("slider", name="λ").get_attribute("aria-valuetext") == "0.001"
    assert page.problems == []


def test_two_explorers_on_a_page_do_not_interfere(open_page):
    page = open_page("chapters/explorers.html")
    skip_questions(page)
    one, two = page.locator("kernlib-explorer").all()
    untouched = two.inner_html()
    one.get_by_role("slider").first.press("End")
    assert two.inner_html() == untouched
    untouched = one.inner_html()
    two.get_by_role("slider").first.press("End")
    page.wait_for_url("**#coins:c=1000")
    assert one.inner_html() == untouched
    ids = page.evaluate("[...document.querySelectorAll('kernlib-explorer [id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids)) > 0


def test_the_labs_explorer_reads_out_its_measurements(open_page):
    page = open_page("chapters/07_lab.html")
    said = page.locator("kernlib-explorer output")
    page.get_by_role("slider", name="c", exact=True).press("Home")
    assert said.inner_text().startswith("c = 20, accuracy.")
    page.get_by_role("combobox", name="score").select_option("balanced accuracy")
    assert said.inner_text().startswith("c = 20, balanced accuracy.")


@pytest.mark.parametrize("path", PAGES)
def test_without_scripts_the_first_picture_is_a_figure(path, browser, book):
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((book / path).as_uri())
    for figure in page.locator("kernlib-explorer figure.plain").all():
        assert figure.locator("figcaption").is_visible()
        for image in figure.locator("img").all():
            image.scroll_into_view_if_needed()
            assert image.bounding_box()["height"] > 100
    assert page.get_by_role("slider").count() == 0
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_print_shows_the_figure_and_the_answer_and_no_controls(path, open_page):
    page = open_page(path)
    page.emulate_media(media="print")
    assert page.locator("kernlib-explorer figure.plain").first.is_visible()
    assert not page.locator("kernlib-explorer .controls").first.is_visible()
    for answer in page.locator("kernlib-explorer .question p.print").all():
        assert answer.is_visible()


def test_what_is_not_finite_leaves_a_gap_and_breaks_nothing(browser, tmp_path):
    """NaN, ±∞, huge numbers, nothing at all, zeros and negative numbers on logarithmic axes."""
    wild = [np.nan, np.inf, -np.inf, 1e308, -1e308, 0.0, -1.0, 1.0, 1e-320]
    series = [(np.arange(9), wild), (wild, wild), ([], []), ([1.0], [np.nan]), ([5], [5])]

    def plot(i):
        return {"a": series[i]}

    def heat(i):
        return [np.full((2, 2), np.nan), np.array([wild, wild]), np.zeros((1, 1))][i % 3]

    plots = [Plot(plot, f"log {log}", log=log) for log in ("", "x", "y", "xy")]
    slider = Slider("i", range(len(series)), default=0)
    explorer = Explorer([*plots, Heat(heat), Readout(lambda i: wild[i])], [slider])
    (tmp_path / "wild.html").write_text(
        f'<!doctype html><meta charset="utf-8"><style>{(ASSETS / "explore.css").read_text()}</style>'
        f"{page_html(explorer)}<script>{(ASSETS / 'explore.js').read_text()}</script>"
    )
    context = browser.new_context(offline=True)
    page = context.new_page()
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text))
    page.goto((tmp_path / "wild.html").as_uri())
    for i in range(len(series)):
        assert page.locator("output").inner_text() == show(wild[i])
        drawn = "".join(page.locator(".drawing svg").evaluate_all("all => all.map((svg) => svg.outerHTML)"))
        assert "NaN" not in drawn
        assert "Infinity" not in drawn
        page.get_by_role("slider").press("ArrowRight")
    assert problems == []
    context.close()


def test_axe_finds_nothing_serious_of_ours(page, open_page):
    """All rules in the light; in the dark the one that sees colours."""
    opened = open_page(page)
    found = serious(Axe().run(opened))
    opened.evaluate("document.documentElement.dataset.theme = 'dark'")
    found += serious(Axe().run(opened, options={"runOnly": ["color-contrast"]}))
    assert set(found) - NOT_OURS == set()


def serious(results):
    """The rule and the element of each serious or critical violation."""
    grave = [v for v in results.response["violations"] if v["impact"] in ("serious", "critical")]
    return [(violation["id"], node["html"]) for violation in grave for node in violation["nodes"]]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_with_explorers_is_light(path, book):
    assert len(gzip.compress((book / path).read_bytes())) <= MOST_HTML


def test_our_scripts_are_light_and_only_pages_with_explorers_load_them_all(book):
    static = book / "_static"
    assert sum((static / name).stat().st_size for name in ("explore.js", "book.js")) <= MOST_SCRIPT
    assert "explore.js" in (book / PAGES[0]).read_text()
    assert "explore.js" not in (book / "intro.html").read_text()


def test_an_explorer_that_fails_at_any_stop_fails_the_build(small_book, build):
    outcome = build(
        small_book("from kernlib.explore import explore\nexplore(lambda c: 1 / (c - 100), c=[10, 30, 100])")
    )
    assert outcome.returncode
    assert "ZeroDivisionError" in outcome.stdout
