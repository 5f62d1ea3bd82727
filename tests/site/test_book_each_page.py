"""Each built page, opened once from ``file://`` with no network: is it sound, and do its explorers work?"""

import gzip
import json
import random
import re
import shutil
from functools import cache
from operator import itemgetter
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from book_explorers import EXPLORERS
from hands import open_folds, skip_questions
from packed import place_of, unpack
from small_books import DOCUMENTS

from kernlib.book.explore import Readout, Slider, TextBox
from kernlib.book.explore.marks import show

ROOT = Path(__file__).resolve().parents[2]
COMPRESSED = {".png", ".woff2"}
OBSERVE = Path(__file__).with_name("observe.js").read_text(encoding="utf-8")
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


def wrong_explorers(page, names, numbers):
    """Say which explorers of a page show more than their questions need, or what their controls do wrong."""
    open_folds(page)
    for name in names:
        was = there(page, name).evaluate("explorer => probe.begun(explorer)")
        skip_questions(there(page, name))
        yield from shown_too_early(was, there(page, name).evaluate("explorer => probe.begun(explorer)"))
        if explorer := EXPLORERS.get(name):
            yield from (
                f"{name}: {fault}" for fault in wrong_moves(page, explorer, json.loads(numbers[name]))
            )
    for name in OF_EVERY_KIND.intersection(names):
        for check in (wrong_sliders, wrong_in_print):
            yield from (f"{name}: {fault}" for fault in check(page, EXPLORERS[name]))
        page.emulate_media(media="screen")
    yield from page.problems


def faults(opened):
    """Say what is wrong with a page that is open, in both themes."""
    opened.evaluate("probe.loadImages()")
    found = [f"asks another host, or complains: {problem}" for problem in opened.problems]
    links = opened.evaluate(
        "[...document.querySelectorAll('a[href]')].map((link) => link.getAttribute('href'))"
    )
    found += [f"a link leads nowhere: {link}" for link in links if leads_nowhere(opened.url, link)]
    return found + opened.evaluate(OBSERVE)


def leads_nowhere(page, link):
    """Tell whether a link is to a file that is not there."""
    target = urlsplit(urljoin(page, link))
    return target.scheme == "file" and not Path(unquote(target.path)).is_file()


def barriers(opened):
    """Say what axe finds; `observe.js` finds faint text and links like their text faster."""
    # What is far from the screen has no layout yet. Axe has no rule for what is in formulas and in code; they
    # are most of a page, and without them its layout takes less time, too.
    opened.evaluate("probe.leaveOut('.katex, div.highlight')")
    without = ("color-contrast", "link-in-text-block")  # seen already
    rules = {rule: {"enabled": False} for rule in without}
    # Its request for the style sheet, refused to a file, would count as a problem of the page.
    options = {"rules": rules, "resultTypes": ["violations"], "preload": False}
    violations = Axe().run(opened, options=options).response["violations"]
    opened.evaluate("probe.putBack()")
    found = [(violation["id"], node["html"]) for violation in violations for node in violation["nodes"]]
    return [f"axe: {rule} at {element}" for rule, element in found]


def burdens(page, files, limit):
    """Say what makes a page heavy at first view."""
    weights = {address: weight(address) for address in files if address.startswith("file:")}
    (most,) = limit("a page at first view, compressed")
    if sum(weights.values()) > most:
        yield f"{sum(weights.values())} bytes, most in {sorted(weights, key=weights.get)[-5:]}"
    before = [address for address in weights if address.endswith((".html", ".css"))]
    (most,) = limit("a page with its style sheet, compressed")
    if len(before) != 2 or sum(map(weights.get, before)) > most:
        yield f"waits too long for its first line: {before}"
    for script in ("fontawesome.js", "searchindex.js", "search-records.js"):
        wanted = (page, script) == ("search.html", "search-records.js")
        if not wanted and any(address.endswith(f"/{script}") for address in files):
            yield f"loads {script}"


@cache
def weight(address):
    """Count the bytes of a file as they travel."""
    path = Path(unquote(urlsplit(address).path))
    content = path.read_bytes() if path.is_file() else b""  # one that is missing is a fault of its own
    return len(content if path.suffix in COMPRESSED else gzip.compress(content))


# One page of each kind. All pages are opened on a phone, where less has room.
ALSO_WIDE = (
    "intro search api/kernels chapters/03_ridge chapters/06_nystrom chapters/07_lab chapters/12_your_data "
    "chapters/explorers chapters/notation chapters/teaching"
).split()


@pytest.mark.parametrize("page", [*(f"{name}.html" for name in DOCUMENTS), "search.html"])
def test_a_page_is_sound_and_light_and_its_explorers_follow_their_controls(
    page, open_page, limit, shown, numbers, book
):
    found, name = [], page.removesuffix(".html")
    for width in ("narrow", "wide") if name in ALSO_WIDE else ("narrow",):
        opened = open_page(page, width)
        found += [f"{width}: {fault}" for fault in [*burdens(page, opened.asked, limit), *faults(opened)]]
    if name in ALSO_WIDE or not name.startswith("api/"):
        found += barriers(opened)
    if names := shown.get(book / page):
        opened.set_viewport_size({"width": 1280, "height": 900})
        found += wrong_explorers(opened, names, numbers)
    assert not found, "\n".join(found)


def test_every_page_that_is_opened_wide_exists(book):
    assert [name for name in ALSO_WIDE if not (book / f"{name}.html").is_file()] == []


def test_what_is_wrong_with_a_page_is_found(tmp_path, open_window, limit):
    shutil.copy(Path(__file__).with_name("unsound.html"), tmp_path)
    (tmp_path / "searchindex.js").touch()
    (tmp_path / "heavy.png").write_bytes(bytes(700_000))
    opened = open_window((tmp_path / "unsound.html").as_uri())
    found = [*burdens("unsound.html", opened.asked, limit), *faults(opened), *barriers(opened)]
    found = "\n".join(found)
    for sentence in (
        "asks another host, or complains: failed: file:",
        "complains: a complaint",
        "scrolls sideways, 3",
        "light: text with a contrast below 4.5 (WCAG AA): faint",
        "dark: text with a contrast below 4.5 (WCAG AA): dim",
        "is cut off: cut",
        "a link in a sentence is known by its color alone: there",
        "0 searches on screen",
        "0 of 1 formulas are set",
        "a formula has an error: no such macro",
        "1 formulas show their source",
        "a picture is missing or does not fit: missing.png",
        "its language is fr",
        "a picture does not say what it shows: a.png",
        "a link leads nowhere: nowhere.html#top",
        "it has 2 titles",
        "a box has no number: Theorem (Mercer)",
        "a link's line runs under a blank: \" Exercise 1",
        "a solution is not folded: open",
        "a fold is read aloud as Toggle, not as its title: Check",
        "bytes, most in [",
        "heavy.png",
        "waits too long for its first line",
        "loads searchindex.js",
        "axe: input-image-alt",
    ):
        assert sentence in found
    for sound in ("no number: Algorithm 3", "folded: folded", "nowhere: #a", "shows: none"):
        assert sound not in found


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
