"""The built pages as text, and the files that they come from: what needs no browser."""

import importlib
import pkgutil
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

import kernlib
from kernlib.book import checks

ROOT = Path(__file__).resolve().parents[2]
# myst-nb's own alt text is the picture's path; other tools say no more than what it is.
SAYS_NOTHING = re.compile(
    r"^$|^\S*[/\\]\S*$|\.(png|svg|jpe?g|gif|webp)$|^(image|picture|figure|plot|output)\W*\d*$", re.I
)
SPAN = re.compile(r'<(/?)span\b[^>]*?(class="katex")?>')
# Of kernlib's packages, those that serve the others; and what of the book's the API describes.
NOT_IN_THE_API = {"kernlib.book", "kernlib.numerics"}
BESIDE = {"kernlib.book.datasets", "kernlib.book.explore"}


def files_below(*patterns):
    """List files of the project as document names."""
    return {
        str(path.relative_to(ROOT).with_suffix("")) for pattern in patterns for path in ROOT.glob(pattern)
    }


def parsed(path):
    """Parse a page without what its formulas are set with: nine tenths of it, spans in spans."""
    text = path.read_text(encoding="utf-8")
    kept, depth, start = [], 0, 0
    for tag in SPAN.finditer(text):
        if depth:
            depth += -1 if tag[1] else 1
            start = tag.end()
        elif tag[2]:
            kept.append(text[start : tag.start()])
            depth = 1
    return BeautifulSoup("".join([*kept, text[start:]]), "html.parser")


def faults(html, folder):
    """What is wrong with a page, by its text and the files around it, in sentences."""
    for image in html.select("article img"):
        if SAYS_NOTHING.search(image.get("alt", "").strip()):
            yield f"a picture does not say what it shows: {image}"
    for link in html.select("a[href]"):
        target = urlsplit(link["href"])
        if target.path and not target.scheme and not folder.joinpath(unquote(target.path)).is_file():
            yield f"a link leads nowhere: {link['href']}"
    titles = [title for title in html.select("main h1") if not title.find_parent(class_="onlyprint")]
    if len(titles) != 1:
        yield f"it has {len(titles)} titles: {titles}"
    for box in html.select(".proof.theorem, .proof.algorithm, .admonition.exercise"):
        title = box.select_one(".admonition-title").text.strip()
        if not re.match(r"(Theorem|Algorithm|Exercise) \d+(\.\d+)?\b", title):
            yield f"a box has no number: {title}"
    for link in html.select(".admonition-title a"):
        if link.text != link.text.strip():
            yield f"a link's line runs under a blank: {link.text!r}"
    for box in html.select(".admonition.solution"):
        if "dropdown" not in box["class"] and not box.find_parent("details"):
            yield f"a solution is not folded: {box.text.strip()[:60]}"
    for fold in html.select("article summary[aria-label]"):
        yield f"a fold is read aloud as {fold['aria-label']!r}, not as its title: {fold.text.strip()[:60]}"


def test_a_page_says_numbers_links_and_folds_what_it_should(page, book):
    html = parsed(book / page)
    found = list(faults(html, (book / page).parent))
    assert not found, "\n".join(found)


def test_what_is_wrong_with_a_page_is_found(tmp_path):
    html = """<article><img src="a.png" alt="a.png"></article><main><h1>A</h1><h1>B</h1></main>
    <a href="nowhere.html#top">there</a><a href="https://example.org/a">elsewhere</a><a href="#a">here</a>
    <p class="admonition-title">Solution to<a href="#b"> Exercise 1</a></p>
    <div class="proof theorem admonition"><p class="admonition-title">Theorem (Mercer)</p></div>
    <div class="proof algorithm admonition"><p class="admonition-title">Algorithm 3</p></div>
    <div class="admonition solution"><p>open</p></div>
    <details><div class="admonition solution"><p>folded</p></div></details>
    <article><details><summary aria-label="Toggle">Check: it holds</summary></details></article>"""
    found = [fault.partition(":")[0] for fault in faults(BeautifulSoup(html, "html.parser"), tmp_path)]
    assert found == [
        "a picture does not say what it shows",
        "a link leads nowhere",
        "it has 2 titles",
        "a box has no number",
        "a link's line runs under a blank",
        "a solution is not folded",
        "a fold is read aloud as 'Toggle', not as its title",
    ]


@pytest.mark.parametrize("alt", ["", "image", "Figure 3", "../_images/a1b2.png", "_build/x/a.png", "plot"])
def test_an_alt_text_that_says_nothing_is_found(alt):
    assert SAYS_NOTHING.search(alt)


@pytest.mark.parametrize("alt", ["Score against c, both methods", "Figure of merit: error falls as 1/√c"])
def test_an_alt_text_that_says_something_passes(alt):
    assert not SAYS_NOTHING.search(alt)


def test_the_contents_list_every_chapter_and_appendix(documents):
    assert set(documents) == files_below("intro.md", "chapters/*.ipynb", "chapters/*.md", "api/*.md")
    assert len(documents) == len(set(documents))


def test_every_public_name_has_its_description(book):
    overview = parsed(book / "api" / "index.html")
    rooms = {f"kernlib.{module.name}" for module in pkgutil.iter_modules(kernlib.__path__)}
    described_by = {name: name.split(".")[-1] for name in rooms - NOT_IN_THE_API | BESIDE}
    described_by |= {
        f"kernlib.book.checks.{module.name}": "checks"
        for module in pkgutil.iter_modules(checks.__path__)
        if not module.name.startswith("_")
    }
    missing = []
    for name, page in sorted(described_by.items()):
        page = f"{page}.html"
        described = parsed(book / "api" / page)
        for public in importlib.import_module(name).__all__:
            if not described.find(id=f"{name}.{public}"):
                missing.append(f"api/{page} does not describe {name}.{public}")
            if not overview.find("a", href=f"{page}#{name}.{public}"):
                missing.append(f"api/index.html does not list {name}.{public}")
    assert not missing, "\n".join(missing)
