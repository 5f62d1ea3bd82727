"""The files that the pages come from: all listed, all described, and the outputs that are committed.

The build's execution of a chapter is its test, cell by cell; `pytest --nbval` executes the chapters by
themselves and compares the same.
"""

import importlib
import pkgutil
import re
from pathlib import Path

import nbformat
import pytest
from execute_notebooks import code_cells, strip, writes_to_stderr

import kernlib
from kernlib.book import checks

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))
# Packages that serve the others or are a page of their own, and what of the book's the API describes.
NOT_IN_THE_API = {"kernlib.book", "kernlib.numerics", "kernlib.plain"}
BESIDE = {"kernlib.book.datasets", "kernlib.book.explore"}
# What a reader of the text does not see as text: code, the TeX of a formula, and the tags themselves.
NO_TEXT = re.compile(r"<(script|style|code|pre|annotation)\b.*?</\1>|<[^>]*>", re.DOTALL)


def test_the_contents_list_every_chapter_and_appendix(documents):
    patterns = ("intro.md", "chapters/*.ipynb", "chapters/*.md", "api/*.md")
    files = [path.relative_to(ROOT) for pattern in patterns for path in ROOT.glob(pattern)]
    assert set(documents) == {path.with_suffix("").as_posix() for path in files}
    assert len(documents) == len(set(documents))


def test_no_page_prints_the_dollar_signs_of_a_formula(book):
    texts = {path: NO_TEXT.sub("", path.read_text("utf-8")) for path in sorted(book.rglob("*.html"))}
    around = {path.relative_to(book): re.findall(r".{0,40}\$.{0,40}", text) for path, text in texts.items()}
    assert not {path: found for path, found in around.items() if found}


def test_further_pages_have_letters_and_statements_share_one_counter_across_all(book):
    names = "duality", "dual", "coefficients", "ridge", "leave_one_out"
    pages = [(book / f"chapters/03_{name}.html").read_text("utf-8") for name in names]
    number = r'<h1><span class="section-number">([^<]*)\. </span>'
    first, *others = (re.search(number, page)[1] for page in pages)
    assert first.isdecimal()  # 3, unless a fork orders the chapters anew
    assert others == [f"{first}{letter}" for letter in "bcde"]
    statement = rf'caption-number">(?!Ex|Fig|Tab)\w+ {first}\.(\d+) ?<'
    found = [int(n) for page in pages for n in re.findall(statement, page)]
    assert found == list(range(1, len(found) + 1)) and len(found) > 8


def test_every_public_name_has_its_description(book):
    packages = {f"kernlib.{module.name}" for module in pkgutil.iter_modules(kernlib.__path__)}
    pages = {name: name.split(".")[-1] for name in packages - NOT_IN_THE_API | BESIDE}
    of_checks = {module.name for module in pkgutil.iter_modules(checks.__path__)}
    pages |= {f"kernlib.book.checks.{name}": "checks" for name in of_checks if not name.startswith("_")}
    texts = {page: (book / f"api/{page}.html").read_text("utf-8") for page in {*pages.values(), "index"}}
    missing = []
    for name, page in sorted(pages.items()):
        for public in importlib.import_module(name).__all__:
            if f'id="{name}.{public}"' not in texts[page]:
                missing.append(f"api/{page}.html does not describe {name}.{public}")
            if f'href="{page}.html#{name}.{public}"' not in texts["index"]:
                missing.append(f"api/index.html does not list {name}.{public}")
    assert not missing, "\n".join(missing)


def printed(cell):
    return [output.get("text", output.get("data")) for output in cell.outputs]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_prints_in_the_book_what_is_committed(chapter, book):
    built = nbformat.read(ROOT / "_build" / "jupyter_execute" / "chapters" / f"{chapter}.ipynb", 4)
    committed = nbformat.read(ROOT / "chapters" / f"{chapter}.ipynb", 4)
    loud = [cell.source for cell in code_cells(built) if writes_to_stderr(cell)]
    strip(built)
    others = [
        (then.source, printed(then), printed(now))
        for then, now in zip(code_cells(committed), code_cells(built), strict=True)
        if then.source != now.source
        or (printed(then) != printed(now) and "nbval-ignore-output" not in then.metadata.get("tags", []))
    ]
    assert not loud and not others
