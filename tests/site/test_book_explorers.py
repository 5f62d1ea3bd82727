"""Explorers on the built pages, from ``file://`` with no network: keys, mouse, finger, speed, weight."""

import gzip
import importlib
import pkgutil
import random
import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

from kernlib.book import explorers
from kernlib.book.explore import Dots, Explorer, Heat, Plot, Readout, Slider
from kernlib.book.explore.live import ASSETS
from kernlib.book.explore.marks import show
from kernlib.book.explore.page import page_html

ROOT = Path(__file__).resolve().parents[2]
MODULES = [module.name for module in pkgutil.iter_modules(explorers.__path__)]


def page_of(module, variable):
    """The page that shows an explorer: the one with its module's name, or another of its number."""
    (first,) = (ROOT / "chapters").glob(f"[0-9][0-9]_{module}.ipynb")
    shows = re.compile(rf"\bexplore\(\s*(\w+\.)?{variable}\b")
    shown = [
        path
        for path in sorted(first.parent.glob(f"{first.name[:3]}*.ipynb"))
        if shows.search("\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells))
    ]
    return f"chapters/{(shown or [first])[0].stem}.html"


EXPLORERS = {
    explorer.name: (page_of(module, variable), explorer)
    for module in MODULES
    for variable, explorer in vars(importlib.import_module(f"kernlib.book.explorers.{module}")).items()
    if isinstance(explorer, Explorer)
}
RIDGE_PAGE, RIDGE = EXPLORERS["ridge"]
PAGES = sorted(
    {page for page, _ in EXPLORERS.values()} | {page_of("lab", "synthesis"), "chapters/explorers.html"}
)
MOST_HTML = 100_000  # bytes of a page, compressed
MOST_SCRIPT = 45_000  # bytes of our scripts, before they are packed


@pytest.fixture
def open_page(open_page):
    """Let all explorers of a page begin, or one, also those that are far from the screen."""

    def open_and_begin(*place, name=None, **options):
        page = open_page(*place, **options)
        chosen = "kernlib-explorer" if name is None else f"kernlib-explorer[data-name='{name}']"
        page.locator(chosen).evaluate_all("all => all.map((one) => one.begin())")
        return page

    return open_and_begin


def there(page, name):
    return page.locator(f'kernlib-explorer[data-name="{name}"]')


def said(page, name):
    return there(page, name).locator("output").inner_text()


def skip_questions(page):
    skip = page.get_by_role("button", name="Skip", exact=True)
    while skip.count():
        skip.first.click()


def control_of(page, name, control):
    role = "slider" if isinstance(control, Slider) else "combobox"
    return there(page, name).get_by_role(role, name=control.label, exact=True)


def turn(page, name, control, value):
    """Bring a control to one of its stops by keys alone."""
    field = control_of(page, name, control)
    if not isinstance(control, Slider):
        field.select_option(show(value))
        return
    place, last = control.stops.index(value), len(control.stops) - 1
    field.focus()
    for key in ["End"] if place == last else ["Home", *["ArrowRight"] * place]:
        page.keyboard.press(key)  # the locator's own `press` waits for two frames of the whole page


def pictures(page, name):
    """What each panel of an explorer shows: markup, and the pixels of a canvas."""
    return there(page, name).evaluate(
        """(explorer) => [...explorer.querySelectorAll(".drawing")]
             .sort((one, other) => one.dataset.panel - other.dataset.panel).map((slot) =>
             slot.innerHTML + [...slot.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()))"""
    )


def wrong_readouts(page, explorer):
    """Where keys do not bring the readout that Python computes."""
    if not isinstance(explorer.panels[-1], Readout):
        yield "its last panel is no readout"
        return
    for seed in range(2):
        choose = random.Random(seed).choice
        values = {control.name: choose(control.stops) for control in explorer.controls}
        for control in explorer.controls:
            turn(page, explorer.name, control, values[control.name])
        *_, computed = explorer.frames(values)
        if (shown := said(page, explorer.name)) != computed:
            yield f"at {values} it says {shown!r}, and Python {computed!r}"


def wrong_panels(page, explorer):
    """Controls that change another panel than those that depend on them, or none."""
    for control in explorer.controls:
        turn(page, explorer.name, control, control.stops[0])
        before = pictures(page, explorer.name)
        turn(page, explorer.name, control, control.stops[-1])
        after = pictures(page, explorer.name)
        for panel, was, now in zip(explorer.panels, before, after, strict=True):
            own = control in explorer.depends(panel) or panel.cursor == control.name
            if was != now and not own:
                yield f"{control.name} changes the panel {panel.title!r}"
        if before == after:
            yield f"{control.name} changes nothing"


def silent_sliders(page, explorer):
    """Sliders that do not say their name and value."""
    for control in explorer.controls:
        if isinstance(control, Slider):
            turn(page, explorer.name, control, control.stops[-1])
            field = control_of(page, explorer.name, control)
            words = [field.get_attribute(name) for name in ("aria-label", "aria-valuetext")]
            if words != [control.label, show(control.stops[-1])]:
                yield f"the slider {control.name} says {words}"


def costly_keys(page, explorer):
    """Keys that change another part of the page than the explorer, that read a layout, or draw too late.

    A move so costs what the explorer is large, however long the page: a read would lay out all of it anew.
    """
    there(page, explorer.name).evaluate(COUNT_CHANGES_AND_READS)
    for control in explorer.controls:
        if isinstance(control, Slider):
            control_of(page, explorer.name, control).focus()
            page.keyboard.press("End")
            before = len(page.evaluate("window.moves"))
            for key in ("Home", "ArrowRight", "ArrowLeft", "End"):
                page.keyboard.press(key)
            moves = page.evaluate("window.moves")[before:]
            if [move["elsewhere"] + move["reads"] for move in moves] != [0] * 4:
                yield f"keys on {control.name} reach beyond the explorer or read a layout: {moves}"
            elif not (moves[0]["changed"] and moves[-1]["changed"]):
                yield f"keys on {control.name} are not drawn at once: {moves}"


COUNT_CHANGES_AND_READS = """(explorer) => {
  window.moves = [];
  let reads = 0;
  const count = (object, name) => {
    const found = Object.getOwnPropertyDescriptor(object, name);
    const way = found.get ? "get" : "value", read = found[way];
    found[way] = function (...words) { reads += 1; return read.apply(this, words); };
    Object.defineProperty(object, name, found);
  };
  const { prototype } = Element;
  ["clientWidth", "clientHeight", "getBoundingClientRect"].forEach((name) => count(prototype, name));
  ["offsetWidth", "offsetHeight"].forEach((name) => count(HTMLElement.prototype, name));
  count(SVGGraphicsElement.prototype, "getBBox");
  let changed = [];
  const watch = new MutationObserver((records) => changed.push(...records.map((one) => one.target)));
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  watch.observe(document.body, all);
  document.addEventListener("keydown", () => { changed = []; reads = 0; }, true);
  for (const input of explorer.querySelectorAll(".controls input")) {
    // registered after the explorer's own listener, so called after it; the observer comes between
    input.addEventListener("keydown", () => {
      const elsewhere = changed.filter((node) => !explorer.contains(node)).length;
      window.moves.push({ changed: changed.length, elsewhere, reads });
    });
  }
}"""


WHERE_VISIBLE_IS_NOT = """(elements, shown) => elements
  .filter((one) => (one.checkVisibility({ visibilityProperty: true }) && one.offsetHeight > 0) !== shown)
  .map((one) => one.textContent.trim().slice(0, 60))"""


def wrong_in_print(page, explorer):
    """Where print shows no state, no answer, or what can only be used on a screen."""
    page.emulate_media(media="print")
    hidden = ("figure.plain", "input", "button")
    for selector, shown in [("output", True), (".question p.print", True), *((one, False) for one in hidden)]:
        found = there(page, explorer.name).locator(f":scope > div {selector}, :scope > {selector}")
        for words in found.evaluate_all(WHERE_VISIBLE_IS_NOT, shown):
            yield f"print {'leaves out' if shown else 'shows'} {selector}: {words}"


@pytest.mark.parametrize("name", EXPLORERS)
def test_an_explorer_follows_its_keys_on_its_page_and_prints_its_state(name, open_page):
    path, explorer = EXPLORERS[name]
    page = open_page(path, name=name)
    skip_questions(page)
    checks = (wrong_readouts, wrong_panels, silent_sliders, costly_keys, wrong_in_print)
    found = [fault for check in checks for fault in check(page, explorer)] + page.problems
    assert not found, "\n".join(found)


PLACES = {"ArrowRight": 7, "ArrowUp": 7, "ArrowLeft": 5, "ArrowDown": 5} | {
    "PageUp": 8,
    "PageDown": 4,
    "Home": 0,
    "End": 12,
}


def test_all_keys_of_a_slider_work(open_page):
    path, explorer = EXPLORERS["kernels"]
    page = open_page(path, name="kernels")
    skip_questions(page)
    slider, reached = control_of(page, "kernels", explorer.controls[0]), {}
    reset = there(page, "kernels").get_by_role("button", name="Reset")
    for key in PLACES:
        reset.dispatch_event("click")  # a real one waits for frames of the whole page
        assert slider.input_value() == "6"
        slider.focus()
        page.keyboard.press(key)
        reached[key] = int(slider.input_value())
    assert reached == PLACES


@pytest.fixture
def ridge_page(open_page):
    page = open_page(RIDGE_PAGE)
    skip_questions(page)
    return page


def slider_of(page, label, name="ridge"):
    return there(page, name).get_by_role("slider", name=label, exact=True)


def test_the_mouse_moves_a_slider(ridge_page):
    slider = slider_of(ridge_page, "λ")
    before = pictures(ridge_page, "ridge")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    ridge_page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ridge_page.mouse.down()
    ridge_page.mouse.move(box["x"] + box["width"], box["y"] + box["height"] / 2, steps=5)
    ridge_page.mouse.up()
    lam = RIDGE.controls[0].stops[-1]
    assert said(ridge_page, "ridge") == RIDGE.frames({"lam": lam})[-1]
    assert pictures(ridge_page, "ridge")[:2] != before[:2]


def test_a_finger_moves_a_slider(open_page):
    page = open_page(RIDGE_PAGE, "narrow", has_touch=True)
    there(page, "ridge").get_by_role("button", name="Skip", exact=True).tap()
    slider = slider_of(page, "λ")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    assert slider.get_attribute("aria-valuetext") == show(3.0)


def test_the_keyboard_alone_answers_the_question_and_moves_the_sliders(open_page):
    page = open_page(RIDGE_PAGE)
    slider = slider_of(page, "λ")
    assert slider.is_disabled()
    there(page, "ridge").get_by_role("radio").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    answer = there(page, "ridge").locator(".question .answer").inner_text()
    assert "You said: a straight line." in answer
    assert "Answer: the constant 0." in answer
    assert slider.is_enabled()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "λ"


def test_a_skipped_question_unlocks_and_keeps_its_answer_folded(open_page):
    page = open_page(EXPLORERS["bochner"][0])
    skip_questions(page)
    assert slider_of(page, "γ", "bochner").is_enabled()
    answer = there(page, "bochner").locator(".answer details p")
    assert not answer.is_visible()
    there(page, "bochner").get_by_text("Show the answer").click()
    assert "Answer: a tenth." in answer.inner_text()


def test_a_marker_is_placed_on_empty_axes_and_the_curves_come_with_the_answer(open_page):
    opened = open_page(EXPLORERS["rank"][0])
    page = there(opened, "rank")
    drawn = page.locator(".panel.is-plot .drawing > svg path:is(.line, .dots):visible")
    assert drawn.count() == 0
    opened.emulate_media(media="print")  # which answers
    assert drawn.count() == 3
    opened.emulate_media(media="screen")
    assert drawn.count() == 0
    marker = page.get_by_role("slider", name="Your guess: rank k")
    marker.press("End")
    assert page.locator(".guess").count() == 2
    page.get_by_role("button", name="Commit").click()
    assert "You said: 100. Answer: 20." in page.locator(".question .answer").inner_text()
    assert drawn.count() == 3
    assert page.locator(".guess").count() == 2


def test_the_address_holds_the_state_and_brings_it_back(ridge_page, open_page):
    slider_of(ridge_page, "λ").press("End")
    slider_of(ridge_page, "γ").press("Home")
    ridge_page.wait_for_url("**#ridge:lam=3,gamma=0.1")
    again = open_page(RIDGE_PAGE, fragment="#ridge:lam=3,gamma=0.1")
    assert said(again, "ridge") == said(ridge_page, "ridge")
    skip_questions(again)
    there(again, "ridge").get_by_role("button", name="Reset").click()
    again.wait_for_url(f"**/{RIDGE_PAGE}")
    assert again.problems == []


def test_an_address_written_by_hand_finds_the_nearest_stop_and_ignores_the_rest(open_page):
    page = open_page(RIDGE_PAGE, fragment="#ridge:lam=0.0012,nothing=3,gamma=abc,%=%")
    assert slider_of(page, "λ").get_attribute("aria-valuetext") == "0.001"
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
    slider_of(page, "c", "lab").press("Home")
    assert said(page, "lab").startswith("shirts, c = 20, accuracy.")
    page.get_by_role("combobox", name="score").select_option("balanced accuracy")
    assert said(page, "lab").startswith("shirts, c = 20, balanced accuracy.")
    page.get_by_role("combobox", name="data").select_option("ijcnn1")
    assert said(page, "lab").startswith("ijcnn1, c = 20, balanced accuracy.")


HIDDEN_FIGURES = """figures => figures.flatMap((figure) => [
  ...[...figure.querySelectorAll("figcaption")].filter((one) => !one.checkVisibility()),
  ...[...figure.querySelectorAll("img")].filter((one) => one.getBoundingClientRect().height <= 100),
]).map((one) => one.outerHTML.slice(0, 80))"""


def wrong_without_scripts(browser, path):
    """Where the first picture is no figure to look at without scripts."""
    context = browser.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto(path.as_uri())
    figures = page.locator("kernlib-explorer figure.plain")
    if not figures.count():
        yield "without scripts there is no figure"
    yield from (f"without scripts it can't be seen: {one}" for one in figures.evaluate_all(HIDDEN_FIGURES))
    if sliders := page.get_by_role("slider").count():
        yield f"without scripts there are {sliders} sliders"
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_with_explorers_is_light_and_reads_without_scripts(path, browser, book):
    found = list(wrong_without_scripts(browser, book / path))
    if (size := len(gzip.compress((book / path).read_bytes()))) > MOST_HTML:
        found.append(f"{size} bytes, compressed, are more than {MOST_HTML}")
    assert not found, "\n".join(found)


def test_what_is_not_finite_leaves_a_gap_and_breaks_nothing(browser, tmp_path):
    """NaN, ±∞, huge numbers, zeros and negative numbers on logarithmic axes."""
    wild = [np.nan, np.inf, -np.inf, 1e308, -1e308, 0.0, -1.0, 1.0, 1e-320]
    series = [(np.arange(9), wild), (wild, wild), ([5], [5])]

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


def test_equal_axes_draw_a_square_as_a_square(browser, tmp_path):
    corners = Dots([0, 1, 1, 0], [0, 0, 3, 3])
    explorer = Explorer([Plot(lambda: corners, "square", equal=True)], [])
    (tmp_path / "square.html").write_text(
        f'<!doctype html><meta charset="utf-8"><style>{(ASSETS / "explore.css").read_text()}</style>'
        f"{page_html(explorer)}<script>{(ASSETS / 'explore.js').read_text()}</script>"
    )
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "square.html").as_uri())
    box = page.locator("svg path.dots").last.bounding_box()
    dot = 4.4  # the diameter of a point
    assert abs((box["height"] - dot) - 3 * (box["width"] - dot)) < 0.5
    context.close()


@pytest.mark.parametrize("state", ["01_kernels.html?full#kernels:gamma=1", "03_duality.html?full#ridge:"])
def test_a_projector_shows_an_explorer_alone(state, book, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
    page = context.new_page()
    page.goto(f"{(book / 'chapters').as_uri()}/{state}")
    page.get_by_role("button", name="Back to the page").wait_for()
    box = page.locator("kernlib-explorer.full").bounding_box()
    context.close()
    assert box == {"x": 0, "y": 0, "width": 1280, "height": 800}


def test_our_scripts_are_light_and_only_pages_with_explorers_load_theirs(book):
    ours = {path.name for folder in (ROOT / "_assets", ASSETS) for path in folder.glob("*.js")}
    assert sum(len(gzip.compress((book / "_static" / name).read_bytes())) for name in ours) <= MOST_SCRIPT
    loaded = {
        name: (book / name).read_text(encoding="utf-8") for name in (PAGES[0], "chapters/notation.html")
    }
    found = {
        name: {script for script in ours if f"_static/{script}?" in text} for name, text in loaded.items()
    }
    everywhere = ours - {"explore.js", "search.js"}
    assert found == {PAGES[0]: everywhere | {"explore.js"}, "chapters/notation.html": everywhere}


def test_an_explorer_that_fails_at_any_stop_fails_the_build(small_book, build):
    outcome = build(
        small_book(
            "from kernlib.book.explore import explore\nexplore(lambda c: 1 / (c - 100), c=[10, 30, 100])"
        )
    )
    assert outcome.returncode
    assert "ZeroDivisionError" in outcome.stdout
