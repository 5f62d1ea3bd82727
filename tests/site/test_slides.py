"""The decks that `make slides` makes: slides fit, explorers live, and nothing comes from elsewhere."""

import re
import shutil
from functools import cache
from pathlib import Path

import make_slides
import pytest
import small_books
from bs4 import BeautifulSoup
from hands import drag, skip_questions
from slides.parts import Parts, split_idea
from slides.text import sentences, take

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = {pages[0]: pages for pages in make_slides.chapters_of(ROOT)}
SMALLEST_TEXT = 14  # pixels, of 720
LOOK = Path(__file__).with_name("deck.js").read_text(encoding="utf-8")


def write_decks(book, folder):
    """Make the decks in a copy of the chapters, so that the tests of the book see it without."""
    shutil.copytree(book / "chapters", folder / "chapters")
    for name in ("_static", "_images"):
        (folder / name).symlink_to(book / name)
    for page in (folder / "chapters").glob("*.html"):
        text = re.sub(r'<a class="btn btn-sm open-slides".*?</a>', "", page.read_text("utf-8"))
        page.write_text(text, "utf-8")
    make_slides.write_decks(folder, list(CHAPTERS.values()))


@pytest.fixture(scope="session")
def decks(once, book):
    """Make the decks once for all tests; give the folder that holds them and the chapters."""
    return once("decks", lambda folder: write_decks(book, folder))


@cache
def misconceptions(page):
    """List the chapters of the usual misconceptions, one for each row of the table."""
    return [row.td.get_text().strip() for row in small_books.parsed(page).select("#misconceptions tbody tr")]


@pytest.fixture
def open_deck(open_window, decks):
    """Give a function that opens a deck and waits until its slides are laid out."""

    def open_(name, address="", width=1280, height=720):
        page = open_window((decks / f"slides/{name}.html").as_uri() + address, width, height)
        page.wait_for_selector("html.started", state="attached")
        return page

    return open_


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_deck_goes_from_title_to_recap_fits_its_slides_and_has_what_its_pages_have(name, decks, open_deck):
    page = open_deck(name)
    looked = page.evaluate(LOOK, SMALLEST_TEXT)
    assert looked["faults"] + page.problems == []
    slides = looked["slides"]
    kinds, notes = ([slide[part] for slide in slides] for part in ("kind", "notes"))
    assert 20 <= len(slides) <= 30
    assert kinds[0] == "is-title" and kinds[-1] == "is-recap"
    assert {"is-text", "is-explorer", "is-statement"} <= set(kinds)
    assert all(slide["words"] > 5 for slide in slides)

    deck = (decks / f"slides/{name}.html").read_text("utf-8")
    assert "Your comment:" not in deck  # the place where a student writes
    texts = [(decks / f"chapters/{page}.html").read_text("utf-8") for page in CHAPTERS[name]]
    explorers = r'<kernlib-explorer[^>]* data-name="([^"]+)"'
    for text in texts:
        assert ("Commit to an answer first" in text) <= ("is-prediction" in kinds)
        assert set(re.findall(explorers, text)) <= set(re.findall(explorers, deck))

    assert all(re.match(r"\d+ minutes?\.", note) for note in notes)
    assert all(
        "The answer" in note for kind, note in zip(kinds, notes, strict=True) if kind == "is-prediction"
    )
    stated = sum(int(re.search(r"<strong>Time</strong>.*?>(\d+) minutes", text)[1]) for text in texts)
    of_explorers = [slide["seconds"] for slide in slides if slide["kind"] == "is-explorer"]
    assert 2 * 60 <= min(of_explorers) and max(of_explorers) <= 25 * 60
    assert sum(slide["seconds"] for slide in slides) == pytest.approx(60 * stated, abs=len(notes))
    number = name.partition("_")[0].lstrip("0")  # a fork may order the chapters anew
    expected = misconceptions(decks / "chapters/teaching.html").count(number)
    assert " ".join(notes).count("Students say:") == expected


def test_the_idea_of_a_proof_is_its_sentence_without_the_label():
    paragraph = "<p>It holds. The idea of the proof of the theorem: split <b>w</b>. Then square.</p>"
    before, idea = split_idea(BeautifulSoup(paragraph, "html.parser").p)
    assert (before.get_text().strip(), idea.get_text()) == ("It holds.", "Split w. Then square.")


def test_an_explorer_in_a_fold_gets_a_slide_whose_notes_hold_its_folded_questions():
    fold = "<details class='hide'><kernlib-explorer data-name='a'></kernlib-explorer></details>"
    questions = "<details><summary>Questions about the explorer</summary><p>Why?</p></details>"
    section = BeautifulSoup(
        f"<section><div class='cell'>{fold}</div>{questions}</section>", "html.parser"
    ).section
    (slide,) = Parts("A heading").read(section)
    assert slide.explorer == "a"
    assert [note.p.get_text() for note in slide.notes] == ["Why?"]


def test_an_explorer_in_a_deck_moves_when_its_slider_moves_and_keeps_its_slide(open_deck):
    page = open_deck("04_rank_truncation", "#rank:k=10")
    explorer = page.locator("section.present kernlib-explorer")
    assert explorer.get_attribute("data-name") == "rank"
    skip_questions(explorer)
    before, slide = explorer.locator("output").first.inner_text(), page.evaluate("Reveal.getIndices().h")
    explorer.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "before => document.querySelector('section.present output').innerText !== before", arg=before
    )
    assert page.evaluate("Reveal.getIndices().h") == slide
    page.keyboard.press("PageDown")
    assert page.evaluate("Reveal.getIndices().h") == slide + 1


def test_a_point_follows_the_pointer_on_a_slide_that_is_scaled(open_deck):
    page = open_deck("01_kernels", "#kernels-drag:", 1600, 900)
    explorer = page.locator("section.present kernlib-explorer")
    skip_questions(explorer)  # the controls come, and the slide is scaled anew
    bottom = "document.querySelector('section.present .stage').getBoundingClientRect().bottom"
    page.wait_for_function(f"{bottom} < 900")
    page.wait_for_timeout(500)
    handle = explorer.locator(".handle").first
    box = drag(page, handle, 40, 20)
    moved = handle.bounding_box()
    assert moved["x"] - box["x"] == pytest.approx(40, abs=6)
    assert moved["y"] - box["y"] == pytest.approx(20, abs=6)


def test_where_the_browser_refuses_its_stores_keys_turn_slides_and_s_opens_the_speakers_view(
    decks, open_without_stores
):
    page = open_without_stores((decks / "slides/12_your_data.html").as_uri())
    page.wait_for_selector("html.started", state="attached")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getIndices().h") == 1
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    notes = popup.value.locator(".speaker-controls-notes .value")
    notes.get_by_text("minute").first.wait_for()
    assert page.problems == []


@pytest.mark.parametrize("name", ["09_strings", "12_your_data"])  # explorers with tables; code and its output
def test_a_deck_prints_one_slide_a_page_and_of_an_explorer_its_picture(name, open_deck):
    page = open_deck(name, "?print-pdf")
    sizes = page.locator(".is-explorer figure > img").evaluate_all(
        "images => images.map((image) => [image.naturalWidth > 0, image.getBoundingClientRect().height])"
    )
    assert sizes and all(loaded and height > 100 for loaded, height in sizes)
    assert page.locator("kernlib-explorer").count() == 0
    page.wait_for_selector("html.reveal-print")
    page.wait_for_selector(".pdf-page", state="attached")
    pages = re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True, print_background=True))
    assert len(pages) == page.evaluate("Reveal.getTotalSlides()")


def test_a_button_on_each_page_of_a_chapter_opens_its_deck_and_the_book_alone_has_none(decks):
    deck_of = {page: name for name, pages in CHAPTERS.items() for page in pages}
    for path in (decks / "chapters").glob("*.html"):
        links = re.findall(r'<a class="btn btn-sm open-slides" href="([^"]*)"', path.read_text("utf-8"))
        assert links == ([f"../slides/{deck_of[path.stem]}.html"] if path.stem in deck_of else [])


def test_with_a_larger_default_text_the_button_and_those_beside_it_fit_a_phone(decks, open_window):
    page = open_window((decks / "chapters/03_ridge.html").as_uri(), "narrow")
    page.add_style_tag(content="html { font-size: 24px !important }")
    assert page.get_by_role("link", name="Slides").count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_links_and_files_of_a_deck_are_there(decks):
    missing = set()
    for deck in (decks / "slides").glob("*.html"):
        for address in re.findall(r'(?:src|href)="([^"#?]+)', deck.read_text("utf-8")):
            if not re.match("https?:|data:", address) and not (deck.parent / address).resolve().exists():
                missing.add(f"{deck.name}: {address}")
    assert not missing


def test_text_is_cut_at_the_end_of_a_sentence_and_not_before_a_formula():
    html = "<p>One is <b>bold.</b> Two follows. Three leads to</p><div class='math'>x = 1.</div><p>Four.</p>"

    def taken(limit):
        blocks = list(BeautifulSoup(html, "html.parser").children)
        return [block.get_text().strip() for block in take(blocks, limit)[0]]

    assert taken(200) == ["One is bold. Two follows. Three leads to", "x = 1."]
    more = "with a J. " + "Two follows. " * 9
    html = f"<p>So</p><div class='math'><x-formula>x = J,</x-formula></div><p>{more}</p>"
    assert taken(200) == ["So", "x = J,", "with a J."]
    assert len(sentences(BeautifulSoup("<p><em>1.</em> One. Two.</p>", "html.parser").p)) == 2
    long = "<p>One is <b>bold.</b> " + "Two follows. " * 9 + "</p>"
    assert take(list(BeautifulSoup(long, "html.parser").children), 85)[0][0].get_text().count("Two") == 6
