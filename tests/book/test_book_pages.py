"""The built pages as text, and the files that they come from: what needs no browser."""

import importlib
import pkgutil
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

import kernlib

ROOT = Path(__file__).resolve().parents[2]
# myst-nb's own alt text is the picture's path; other tools say no more than what it is.
SAYS_NOTHING = re.compile(
    r"^$|^\S*[/\\]\S*$|\.(png|svg|jpe?g|gif|webp)$|^(image|picture|figure|plot|output)\W*\d*$", re.I
)
# Modules that serve the others, whose public names come back there; and what only a chapter calls.
NOT_IN_THE_API = {
    "blocks",
    "validation",
    "explore",
    "explorers",
    "normal_equations",
    "progress",
    "psd",
    "rows",
}


@pytest.fixture
def html(book, page):
    """Parse a page."""
    return BeautifulSoup((book / page).read_text(encoding="utf-8"), "html.parser")


def files_below(*patterns):
    """List files of the project as document names."""
    return {
        str(path.relative_to(ROOT).with_suffix("")) for pattern in patterns for path in ROOT.glob(pattern)
    }


def test_every_picture_says_what_it_shows(html):
    silent = [
        image for image in html.select("article img") if SAYS_NOTHING.search(image.get("alt", "").strip())
    ]
    assert silent == []


@pytest.mark.parametrize("alt", ["", "image", "Figure 3", "../_images/a1b2.png", "_build/x/a.png", "plot"])
def test_an_alt_text_that_says_nothing_is_found(alt):
    assert SAYS_NOTHING.search(alt)


@pytest.mark.parametrize("alt", ["Score against c, both methods", "Figure of merit: error falls as 1/√c"])
def test_an_alt_text_that_says_something_passes(alt):
    assert not SAYS_NOTHING.search(alt)


def test_links_inside_the_book_lead_somewhere(html, book, page):
    for link in html.select("a[href]"):
        target = urlsplit(link["href"])
        if target.scheme or not target.path:
            continue
        assert (book / page).parent.joinpath(unquote(target.path)).is_file(), link["href"]


def test_a_page_has_one_title(html):
    titles = [title for title in html.select("main h1") if not title.find_parent(class_="onlyprint")]
    assert len(titles) == 1


def test_theorems_algorithms_and_exercises_are_numbered(html):
    for box in html.select(".proof.theorem, .proof.algorithm, .admonition.exercise"):
        assert re.match(
            r"(Theorem|Algorithm|Exercise) \d+(\.\d+)?\b", box.select_one(".admonition-title").text.strip()
        )


def test_solutions_are_folded(html):
    for box in html.select(".admonition.solution"):
        assert "dropdown" in box["class"] or box.find_parent("details")


def test_the_contents_list_every_chapter_and_appendix(documents):
    assert set(documents) == files_below("intro.md", "chapters/*.ipynb", "chapters/*.md", "api/*.md")
    assert len(documents) == len(set(documents))


MODULES = sorted({m.name for m in pkgutil.iter_modules(kernlib.__path__)} - NOT_IN_THE_API)


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_has_its_description(module, book):
    name = f"kernlib.{module}"
    described = BeautifulSoup((book / "api" / f"{module}.html").read_text(encoding="utf-8"), "html.parser")
    overview = BeautifulSoup((book / "api" / "index.html").read_text(encoding="utf-8"), "html.parser")
    for public in importlib.import_module(name).__all__:
        assert described.find(id=f"{name}.{public}"), public
        assert overview.find("a", href=f"{module}.html#{name}.{public}"), public
