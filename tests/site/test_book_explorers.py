"""Explorers on the built pages, from ``file://`` with no network: keys, print, weight, no scripts."""

import gzip
import json
import random
import re
from operator import itemgetter
from pathlib import Path

import pytest
from book_explorers import EXPLORERS
from hands import open_folds, skip_questions
from packed import place_of, unpack

from kernlib.book.explore import Readout, Slider, TextBox
from kernlib.book.explore.marks import show

ROOT = Path(__file__).resolve().parents[2]
OF_PAGES = ["coins", "speed", "score-seconds"]  # which no module has


def of_every_kind():
    """Choose explorers until each kind of panel is among theirs, computed in the page and before."""
    kinds = set()
    for name, explorer in EXPLORERS.items():
        own = {(panel.kind, explorer.in_page(panel)) for panel in explorer.panels}
        if not own <= kinds:
            kinds |= own
            yield name


OF_EVERY_KIND = set(of_every_kind())


def there(page, name):
    return page.locator(f'kernlib-explorer[data-name="{name}"]')


def with_stops(explorer):
    """List the controls above the panels; the others are points of a plot."""
    return [control for control in explorer.controls if control.stops]


def turned(control, value):
    """Give what a control's field holds at one of its stops."""
    return {control.label: value if isinstance(control, TextBox) else control.stops.index(value)}


def readout(explorer, data, values):
    """Give the readout that a page holds, or that Python computes where the page does."""
    panel = explorer.panels[-1]
    if explorer.in_page(panel):
        return panel.frame(explorer.check(values))
    return unpack(data["frames"][-1][place_of(explorer, panel, values)], data["pool"])


def wrong_moves(page, explorer, data):
    """Say which controls change another panel than their own or none, or lead to another readout."""
    if not isinstance(explorer.panels[-1], Readout):
        yield "its last panel is no readout"
        return
    asked = dict(explorer.predict.at) if explorer.predict else {}  # the state after the question
    controls, working = with_stops(explorer), set()
    for choose in (random.Random(0).choice, random.Random(1).choice, itemgetter(-1)):
        values = {control.name: choose(control.stops) for control in controls}
        start = {label: at for one in controls for label, at in turned(one, values[one.name]).items()}
        ends = [start | turned(control, control.stops[end]) for control in controls for end in (0, -1)]
        shown_at = "(explorer, states) => probe.shownAt(explorer, states)"
        first, *found = there(page, explorer.name).evaluate(shown_at, [start, *ends])
        expected = readout(explorer, data, explorer.defaults | asked | values)
        if first["said"] != expected:
            yield f"at {values} it says {first['said']!r}, not {expected!r}"
        for control, before, after in zip(controls, found[::2], found[1::2], strict=True):
            for panel, was, now in zip(explorer.panels, before["pictures"], after["pictures"], strict=True):
                if was != now:
                    working.add(control)
                    if control not in explorer.depends(panel) and panel.cursor != control.name:
                        yield f"{control.name} changes the panel {panel.title!r}"
    yield from (f"{control.name} changes nothing" for control in controls if control not in working)


def wrong_sliders(page, explorer):
    """Say which sliders hide their name or value, and whose keys reach beyond the explorer or draw too late.

    So a move costs what the explorer is large, however long the page: a read would lay out all of the page.
    """
    there(page, explorer.name).evaluate("explorer => probe.countMoves(explorer)")
    for control in explorer.controls:
        if isinstance(control, Slider):
            field = there(page, explorer.name).get_by_role("slider", name=control.label, exact=True)
            field.focus()
            page.keyboard.press("End")
            words = field.get_attribute("aria-valuetext")
            if words != show(control.stops[-1]):
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


@pytest.mark.parametrize("chapter", sorted(path.stem for path in ROOT.glob("chapters/*.ipynb")))
def test_an_explorer_shows_what_its_question_needs_follows_its_controls_and_prints_its_state(
    chapter, open_page, shown, numbers, book
):
    names = shown.get(book / "chapters" / f"{chapter}.html", [])
    if not names:
        return
    page, found = open_page(f"chapters/{chapter}.html"), []
    open_folds(page)
    for name in names:
        was = there(page, name).evaluate("explorer => probe.begun(explorer)")
        skip_questions(there(page, name))
        found += shown_too_early(was, there(page, name).evaluate("explorer => probe.begun(explorer)"))
        if explorer := EXPLORERS.get(name):
            found += [f"{name}: {fault}" for fault in wrong_moves(page, explorer, json.loads(numbers[name]))]
    for name in OF_EVERY_KIND.intersection(names):
        for check in (wrong_sliders, wrong_in_print):
            found += [f"{name}: {fault}" for fault in check(page, EXPLORERS[name])]
        page.emulate_media(media="screen")
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
    for path in list(shown)[::9]:  # one function writes the figures of all
        page.goto(path.as_uri())
        open_folds(page)
        found += [f"{path.stem}: {fault}" for fault in wrong_without_scripts(page)]
    named = {name for names in shown.values() for name in names}
    assert named == {*EXPLORERS, *OF_PAGES}  # of which each is tested
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
