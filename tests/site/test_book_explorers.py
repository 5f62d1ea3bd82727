"""Explorers on the built pages, from ``file://`` with no network: keys, print, weight, no scripts."""

import gzip
import importlib
import pkgutil
import random
import re
from pathlib import Path

import nbformat
import pytest

from kernlib.book import explorers
from kernlib.book.explore import Explorer, Readout, Slider
from kernlib.book.explore.marks import show

ROOT = Path(__file__).resolve().parents[2]
MODULES = [module.name for module in pkgutil.iter_modules(explorers.__path__)]


def page_of(module, variable):
    """Name the page that shows an explorer: that of its module or another of its chapter."""
    every = sorted((ROOT / "chapters").glob("[0-9][0-9]_*.ipynb"))
    (first,) = [path for path in every if f"{module}_".startswith(f"{path.stem[3:]}_")]
    shows = re.compile(rf"\bexplore\(\s*(\w+\.)?{variable}\b")
    shown = [
        path
        for path in sorted(first.parent.glob(f"{first.name[:3]}*.ipynb"))
        if shows.search("\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells))
    ]
    return f"chapters/{(shown or [first])[0].stem}.html"


def explorers_by_page():
    """Give the explorers of each page that shows some of those that are defined in modules."""
    found = {}
    for module in MODULES:
        for variable, explorer in vars(importlib.import_module(f"kernlib.book.explorers.{module}")).items():
            if isinstance(explorer, Explorer):
                found.setdefault(page_of(module, variable), []).append(explorer)
    return found


EXPLORERS = explorers_by_page()
PAGES = sorted({*EXPLORERS, page_of("lab", "synthesis"), "chapters/explorers.html"})


def there(page, name):
    return page.locator(f'kernlib-explorer[data-name="{name}"]')


def skip_questions(page):
    skip = page.get_by_role("button", name="Skip", exact=True)
    while skip.count():
        skip.first.click()


def with_stops(explorer):
    """List the controls above the panels; the others are points of a plot."""
    return [control for control in explorer.controls if control.stops]


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
    return there(page, name).evaluate("explorer => probe.pictures(explorer)")


def wrong_readouts(page, explorer):
    """Say where keys do not lead to the readout that Python computes."""
    if not isinstance(explorer.panels[-1], Readout):
        yield "its last panel is no readout"
        return
    for seed in range(2):
        choose = random.Random(seed).choice
        values = {control.name: choose(control.stops) for control in with_stops(explorer)}
        for control in with_stops(explorer):
            turn(page, explorer.name, control, values[control.name])
        *_, computed = explorer.frames(values)
        if (shown := there(page, explorer.name).locator("output").inner_text()) != computed:
            yield f"at {values} it says {shown!r}, and Python {computed!r}"


def wrong_panels(page, explorer):
    """Say which controls change another panel than those that depend on them, or none."""
    for control in with_stops(explorer):
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


def wrong_sliders(page, explorer):
    """Say which sliders hide their name or value, and whose keys reach beyond the explorer or draw too late.

    So a move costs what the explorer is large, however long the page: a read would lay out all of the page.
    """
    there(page, explorer.name).evaluate("explorer => probe.countMoves(explorer)")
    for control in explorer.controls:
        if isinstance(control, Slider):
            field = control_of(page, explorer.name, control)
            field.focus()
            page.keyboard.press("End")
            words = [field.get_attribute(name) for name in ("aria-label", "aria-valuetext")]
            if words != [control.label, show(control.stops[-1])]:
                yield f"the slider {control.name} says {words}"
            before = len(page.evaluate("probe.seen.moves"))
            for key in ("Home", "ArrowRight", "ArrowLeft", "End"):
                page.keyboard.press(key)
            moves = page.evaluate("probe.seen.moves")[before:]
            if [move["elsewhere"] + move["reads"] for move in moves] != [0] * 4:
                yield f"keys on {control.name} reach beyond the explorer or read a layout: {moves}"
            elif not (moves[0]["changed"] and moves[-1]["changed"]):
                yield f"keys on {control.name} are not drawn at once: {moves}"


def wrong_in_print(page, explorer):
    """Say where print leaves out the state, or shows an answer or what works on a screen only."""
    page.emulate_media(media="print")
    hidden = ("figure.plain", "input", "button", ".question details")
    for selector, shown in [("output", True), *((one, False) for one in hidden)]:
        found = there(page, explorer.name).locator(f":scope > div {selector}, :scope > {selector}")
        for words in found.evaluate_all("(all, shown) => probe.wrongly(all, shown)", shown):
            yield f"print {'leaves out' if shown else 'shows'} {selector}: {words}"


@pytest.mark.parametrize("path", EXPLORERS)
def test_the_explorers_of_a_page_follow_their_keys_and_print_their_states(path, open_page):
    page = open_page(path)
    page.locator("kernlib-explorer").evaluate_all("all => all.map((one) => one.begin())")
    skip_questions(page)
    found = [
        f"{explorer.name}: {fault}"
        for check in (wrong_readouts, wrong_panels, wrong_sliders, wrong_in_print)  # print last
        for explorer in EXPLORERS[path]
        for fault in check(page, explorer)
    ]
    assert not found + page.problems, "\n".join(found + page.problems)


HIDDEN_FIGURES = """figures => figures.flatMap((figure) => [
  ...[...figure.querySelectorAll("figcaption")].filter((one) => !one.checkVisibility()),
  ...[...figure.querySelectorAll("img")].filter((one) => one.getBoundingClientRect().height <= 100),
]).map((one) => one.outerHTML.slice(0, 80))"""


def wrong_without_scripts(page):
    """Say where the first picture is not visible without scripts."""
    figures = page.locator("kernlib-explorer figure.plain")
    if not figures.count():
        yield "without scripts there is no figure"
    yield from (f"without scripts it can't be seen: {one}" for one in figures.evaluate_all(HIDDEN_FIGURES))
    if sliders := page.get_by_role("slider").count():
        yield f"without scripts there are {sliders} sliders"


@pytest.fixture(scope="module")
def without_scripts(browser):
    """Open a window in which pages run no script."""
    context = browser.new_context(offline=True, java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_a_page_with_explorers_is_light_and_reads_without_scripts(path, without_scripts, book, limit):
    without_scripts.goto((book / path).as_uri())
    found = list(wrong_without_scripts(without_scripts))
    (most,) = limit("HTML of a page with explorers, compressed")
    if (size := len(gzip.compress((book / path).read_bytes()))) > most:
        found.append(f"{size} bytes, compressed, are more than {most:.0f}")
    assert not found, "\n".join(found)


@pytest.mark.parametrize("state", ["01_rules.html?full#kernels:gamma=1", "03_duality.html?full#ridge:"])
def test_a_projector_shows_an_explorer_alone(state, book, new_context):
    page = new_context(1280, 800).new_page()
    page.goto(f"{(book / 'chapters').as_uri()}/{state}")
    page.get_by_role("button", name="Back to the page").wait_for()
    box = page.locator("kernlib-explorer.full").bounding_box()
    assert box == {"x": 0, "y": 0, "width": 1280, "height": 800}


def test_the_list_of_explorers_is_cards_with_light_pictures_and_links_to_states(book, new_context, limit):
    page = new_context().new_page()
    page.goto((book / "chapters" / "explorers.html").as_uri())
    cards = page.locator("ul.explorer-cards > li")
    pictures, titles = (cards.locator(part) for part in ("img", ".card-title a.explorer-state"))
    assert cards.count() == pictures.count() == titles.count() >= 30
    address = "img => [img.getAttribute('src'), img.alt.length > 20]"
    named = [picture.evaluate(address) for picture in pictures.all()]
    files = {book / "chapters" / source for source, says_something in named if says_something}
    assert len(files) == cards.count()
    texts = [file.read_text(encoding="utf-8") for file in files]
    assert not [text for text in texts if "<text" in text or not re.search("<(path|image|use) ", text)]
    parts = [book / "chapters" / "explorers.html", book / "_static" / "style.css", *files]
    size = sum(len(gzip.compress(file.read_bytes())) for file in parts)
    assert [size] <= limit("the list of explorers with its pictures, compressed")
    cards.nth(1).click(position={"x": 60, "y": 60})  # the whole card is the link
    page.wait_for_url("**/01_kernels.html#kernels-points:*")


def test_our_scripts_are_light_and_only_pages_with_explorers_load_theirs(book, limit):
    ours = {"explore.js", *(path.name for path in (ROOT / "_assets").glob("*.js"))}
    size = sum(len(gzip.compress((book / "_static" / name).read_bytes())) for name in ours)
    assert [size] <= limit("all our scripts, compressed")
    everywhere = ours - {"explore.js", "search.js"}
    for name, expected in ((PAGES[0], everywhere | {"explore.js"}), ("chapters/notation.html", everywhere)):
        text = (book / name).read_text(encoding="utf-8")
        assert {script for script in ours if f"_static/{script}?" in text} == expected
