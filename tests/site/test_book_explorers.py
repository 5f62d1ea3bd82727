"""Explorers on the built pages, from ``file://`` with no network: keys, print, weight, no scripts."""

import gzip
import importlib
import json
import pkgutil
import random
import re
from pathlib import Path

import pytest
from hands import open_folds, skip_questions
from packed import unpack

from kernlib.book import explorers
from kernlib.book.explore import Explorer, Readout, Slider, TextBox
from kernlib.book.explore.marks import show
from kernlib.book.explorers.lab import price_of_a_second, read_record, synthesis

ROOT = Path(__file__).resolve().parents[2]


EXPLORERS = {
    explorer.name: explorer
    for module in pkgutil.iter_modules(explorers.__path__)
    for explorer in vars(importlib.import_module(f"kernlib.book.explorers.{module.name}")).values()
    if isinstance(explorer, Explorer)
}
OF_THE_LAB = [make(read_record()) for make in (synthesis, price_of_a_second)]
WITH_LAB = EXPLORERS | {explorer.name: explorer for explorer in OF_THE_LAB}
OF_PAGES = ["coins", "speed", "score-seconds"]  # which no module has


@pytest.fixture(scope="module")
def shown(book):
    """Give the names of the explorers of each page that has some."""
    texts = {path: path.read_text("utf-8") for path in sorted(book.glob("chapters/*.html"))}
    names = {path: re.findall(r'<kernlib-explorer[^>]* data-name="([^"]+)"', texts[path]) for path in texts}
    return {path: found for path, found in names.items() if found or path.stem == "explorers"}


NAME_AND_NUMBERS = re.compile(
    r'<kernlib-explorer[^>]* data-name="([^"]*)".*?<script type="application/json">(.*?)</script>', re.DOTALL
)


@pytest.fixture(scope="module")
def numbers(shown):
    """Give what the pages hold or load of each explorer: its description, the packed frames and the pool."""
    found = {}
    for path in shown:
        script = path.with_suffix(".js")  # a quoted line for each explorer whose page does not hold them
        lines = script.read_text("utf-8").splitlines() if script.is_file() else []
        loaded = (line.rstrip(",")[1:-1] for line in lines if line.startswith("'"))
        for name, held in NAME_AND_NUMBERS.findall(path.read_text("utf-8")):
            found[name] = held or re.sub(r"\\(.)", r"\1", next(loaded))
    return found


def sentences(found):
    """All texts of several words in what JSON holds; a matrix in letters has no blank."""
    if isinstance(found, str):
        return [found] if " " in found else []
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else []
    return [text for part in parts for text in sentences(part)]


@pytest.mark.parametrize("name", WITH_LAB)
def test_the_numbers_of_a_page_are_those_computed_live_and_powers_of_ten_are_set(name, numbers):
    explorer, data = WITH_LAB[name], json.loads(numbers[name])
    choose = random.Random(1).choice
    values = {control.name: choose(control.stops or [control.default]) for control in explorer.controls}
    live = json.loads(json.dumps(explorer.frames(values)))
    for i, panel in enumerate(explorer.panels):
        if explorer.in_page(panel):
            continue
        place = 0
        for control in explorer.depends(panel):
            place = place * len(control.stops) + control.stops.index(values[control.name])
        assert unpack(data["frames"][i][place], data["pool"]) == live[i], (panel.title, values)
    assert [text for text in sentences([data, live]) if re.search(r"\d[eE][-+−]?\d", text)] == []


def there(page, name):
    return page.locator(f'kernlib-explorer[data-name="{name}"]')


def with_stops(explorer):
    """List the controls above the panels; the others are points of a plot."""
    return [control for control in explorer.controls if control.stops]


def control_of(page, name, control):
    role = "slider" if isinstance(control, Slider) else "combobox"
    return there(page, name).get_by_role(role, name=control.label, exact=True)


def turn(page, name, control, value):
    """Bring a control to one of its stops."""
    field = control_of(page, name, control)
    if isinstance(control, TextBox):
        field.fill(value)
    elif isinstance(control, Slider):
        field.fill(str(control.stops.index(value)))
    else:
        field.select_option(show(value))


def pictures(page, name):
    return there(page, name).evaluate("explorer => probe.pictures(explorer)")


def wrong_readouts(page, explorer):
    """Say where the controls do not lead to the readout that Python computes."""
    if not isinstance(explorer.panels[-1], Readout):
        yield "its last panel is no readout"
        return
    asked = dict(explorer.predict.at) if explorer.predict else {}  # the state after the question
    for seed in range(2):
        choose = random.Random(seed).choice
        values = {control.name: choose(control.stops) for control in with_stops(explorer)}
        for control in with_stops(explorer):
            turn(page, explorer.name, control, values[control.name])
        computed = explorer.panels[-1].frame(explorer.check(asked | values))
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


VISIBLE = """(explorer) => {
  explorer.begin();
  const isVisible = (part) => part.checkVisibility({ visibilityProperty: true });
  const parts = ".stage > svg > svg > g:not(:empty), canvas, td, output, button";
  const drawings = [...explorer.querySelectorAll(".drawing")];
  drawings.sort((a, b) => a.dataset.panel - b.dataset.panel);
  return {
    name: explorer.dataset.name,
    shows: explorer.spec.predict?.shows,
    titles: explorer.spec.panels.map(({ title }) => title),
    seen: drawings.map((drawing) => [...drawing.querySelectorAll(parts)].filter(isVisible).length),
    spoken: [...explorer.querySelectorAll(".stage > svg")].map((picture) => picture.ariaLabel),
  };
}"""


def shown_too_early(was, now):
    """Say which panels of an explorer show more than its question needs, or nothing once it is answered."""
    for title, before, after in zip(was["titles"], was["seen"], now["seen"], strict=True):
        needed = [label for panel, label in was["shows"] or [] if panel == title]
        whole = None in needed or was["shows"] is None
        if before != (after if whole else len(needed)) or not after:
            yield f"{was['name']}: {title!r} shows {before} parts, then {after}; needed: {needed}"
    described = [words for words in was["spoken"] if words in now["spoken"] and words not in was["titles"]]
    if was["shows"] is not None and len(described) > len(was["shows"]):
        yield f"{was['name']}: it says {described}"


@pytest.mark.parametrize("name", [*WITH_LAB, *OF_PAGES])
def test_an_explorer_shows_what_its_question_needs_follows_its_keys_and_prints_its_state(
    name, leave_open, shown
):
    page = leave_open(next(path for path in shown if name in shown[path]))
    page.emulate_media(media="screen")
    was = there(page, name).evaluate(VISIBLE)
    skip_questions(there(page, name))
    found = list(shown_too_early(was, there(page, name).evaluate(VISIBLE)))
    if name in WITH_LAB:
        for check in (wrong_readouts, wrong_panels, wrong_sliders):
            found += check(page, WITH_LAB[name])
        if name in [names[0] for names in shown.values() if names]:  # print lays out a whole page
            found += wrong_in_print(page, WITH_LAB[name])
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


def test_pages_with_explorers_are_light_and_read_without_scripts(shown, numbers, new_context, limit):
    page, found = new_context(java_script_enabled=False).new_page(), []
    (most,) = limit("HTML of a page with explorers, compressed")
    contents = {path.stem: path.read_bytes() for path in shown}
    for what, content in (contents | {name: data.encode() for name, data in numbers.items()}).items():
        if (size := len(gzip.compress(content))) > most:
            found.append(f"{what}: {size} bytes, compressed, are more than {most:.0f}")
    for path in shown:
        page.goto(path.as_uri())
        open_folds(page)
        found += [f"{path.stem}: {fault}" for fault in wrong_without_scripts(page)]
    named = {name for names in shown.values() for name in names}
    assert named == {*WITH_LAB, *OF_PAGES}  # of which each is tested
    assert len(shown) > 20 and not found, "\n".join(found)


def test_the_list_of_explorers_is_cards_with_light_pictures_and_links_to_questions(book, new_context, limit):
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
    drawn = [len(re.findall("<(path|image|use) ", text)) for text in texts]
    # the only words are the labels of a question mark's axes: three paths, the mark and the axes' lines
    words = [number for number, text in zip(drawn, texts, strict=True) if "<text" in text]
    assert all(drawn) and set(words) == {3}
    parts = [book / "chapters" / "explorers.html", book / "_static" / "style.css", *files]
    size = sum(len(gzip.compress(file.read_bytes())) for file in parts)
    assert [size] <= limit("the list of explorers with its pictures, compressed")
    cards.nth(1).click(position={"x": 60, "y": 60})  # the whole card is the link
    page.wait_for_url("**/01_kernels.html#kernels-points:")
    assert there(page, "kernels-points").get_by_role("radio").first.is_visible()


def test_our_scripts_are_light_and_only_pages_with_explorers_load_theirs(book, limit):
    ours = {"explore.js", *(path.name for path in (ROOT / "_assets").glob("*.js"))}
    size = sum(len(gzip.compress((book / "_static" / name).read_bytes())) for name in ours)
    assert [size] <= limit("all our scripts, compressed")
    everywhere = ours - {"explore.js", "search.js"}
    for name, expected in (("01_kernels", everywhere | {"explore.js"}), ("notation", everywhere)):
        text = (book / f"chapters/{name}.html").read_text(encoding="utf-8")
        assert {script for script in ours if f"_static/{script}?" in text} == expected
