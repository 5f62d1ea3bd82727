"""The built book, small books built on the side, and one Chromium for all tests.

The browser opens pages from ``file://`` with its network off, as a reader of a copied folder does.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import nbformat
import pytest
import yaml
from filelock import FileLock
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "_ext"))  # as Jupyter Book does for local extensions

WIDTHS = {"wide": 1280, "narrow": 390}
TO_THEME = "theme => { document.documentElement.dataset.theme = theme; }"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# The tests' machine may be a container; the rest keeps the browser from calling home.
BROWSER_OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


ALL_IMAGES = """  // those below the screen would wait for their reader
  () => Promise.allSettled([...document.images].map((image) => {
    image.loading = "eager";
    return image.decode();
  })).then(() => null)
"""


def listed_documents(toc=ROOT / "_toc.yml"):
    """List the documents of the table of contents, in order."""

    def below(entry):
        yield from [entry[key] for key in ("root", "file") if key in entry]
        for key in ("parts", "chapters", "sections"):
            for child in entry.get(key, []):
                yield from below(child)

    return list(below(yaml.safe_load(toc.read_text(encoding="utf-8"))))


@pytest.fixture(scope="session")
def documents():
    """Give the documents of the table of contents."""
    return listed_documents()


def pytest_generate_tests(metafunc):
    for name, values in {
        "page": [f"{document}.html" for document in listed_documents()] + ["search.html"],
        "width": WIDTHS,
    }.items():
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, values)


def build(folder, **environ):
    """Run the command of `make book` in a folder; give its exit code and all that it printed."""
    return subprocess.run(
        [sys.executable, ROOT / "tools" / "build_book.py", "."],
        cwd=folder,
        env=os.environ | environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture(scope="session", name="build")
def build_command():
    """Give the function that runs the build."""
    return build


@pytest.fixture(scope="session", name="write_small_book")
def write_command():
    """Give the function that writes a small book into a folder."""
    return write_small_book


@pytest.fixture(scope="session")
def book(tmp_path_factory, testrun_uid):
    """Build the book where `make book` does (quickly, if nothing changed), once for all workers."""
    said = tmp_path_factory.getbasetemp().parent / f"book-{testrun_uid}.txt"
    with FileLock(said.with_suffix(".lock")):
        if not said.exists():
            outcome = build(ROOT)
            failure = f"the book does not build:\n{outcome.stdout[-5000:]}" if outcome.returncode else ""
            said.write_text(failure, encoding="utf-8")
    if failure := said.read_text(encoding="utf-8"):
        pytest.fail(failure, pytrace=False)
    return ROOT / "_build" / "html"


def write_small_book(folder, *sources, intro="# A small book", **others):
    """Write a small book with this book's settings: a chapter of these cells, the others by their names."""
    for name in ("_ext", "_assets"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "references.bib"):
        shutil.copy(ROOT / name, folder)
    chapters = {"one": sources} | others
    files = ", ".join(f"{{file: chapters/{name}}}" for name in chapters)
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: intro\nchapters: [{files}]\n")
    (folder / "intro.md").write_text(intro)
    (folder / "chapters").mkdir()
    for name, cells in chapters.items():
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_markdown_cell("# One"), *map(nbformat.v4.new_code_cell, cells)],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        )
        nbformat.write(notebook, folder / "chapters" / f"{name}.ipynb")
    return folder


@pytest.fixture
def small_book(tmp_path):
    """Give a function that writes a small book; it returns the folder."""
    return partial(write_small_book, tmp_path)


@pytest.fixture(scope="session")
def browser():
    """Start the Chromium of KERNLIB_BROWSER or of the PATH; without one the tests skip, in CI they fail."""
    program = os.environ.get("KERNLIB_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse("no Chromium found: install it (apt-get install chromium) or name it in KERNLIB_BROWSER")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=BROWSER_OPTIONS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser, book):
    """Give a function that opens a page of the book, offline, as a Playwright page with its `problems`."""
    contexts = []

    def open_(page, width="wide", fragment="", **options):
        contexts.append(new_context(browser, width, **options))
        return watched_page(contexts[-1], (book / page).as_uri() + fragment)

    yield open_
    for context in contexts:
        context.close()


def new_context(browser, width, **options):
    """Start a clean browser profile with no network."""
    viewport = {"width": WIDTHS[width], "height": 900}
    # Without motion a colour is what it will be, not on its way there.
    return browser.new_context(viewport=viewport, offline=True, reduced_motion="reduce", **options)


def watched_page(context, address):
    """Open a page, write down all that goes wrong, and wait for its fonts."""
    page = context.new_page()
    page.problems, page.asked = [], set()
    note = page.problems.append

    def ask(request):
        page.asked.add(request.url.partition("?")[0])
        if not request.url.startswith(("file:", "data:", "blob:")):
            note(f"asked: {request.url}")

    page.on("console", lambda message: note(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: note(str(error)))
    page.on("requestfailed", lambda request: note(f"failed: {request.url}"))
    page.on("request", ask)
    page.goto(address)
    page.evaluate("document.fonts.ready.then(() => null)")
    return page


@dataclass
class Visit:
    """A look at a page at one width: files it asked for by itself, what is seen, faint text in each theme."""

    opened: object
    files: set
    seen: dict
    faint: dict


@pytest.fixture
def visit(browser):
    """Give a function that looks at a page at a width, and at its colours where it is wide; it stays open."""
    observe = Path(__file__).with_name("observe.js").read_text(encoding="utf-8")
    contexts = []

    def look(path, width):
        contexts.append(new_context(browser, width))
        opened = watched_page(contexts[-1], path.as_uri())
        files = set(opened.asked)
        opened.evaluate(ALL_IMAGES)
        visited = Visit(opened, files, opened.evaluate(observe), {})
        for theme in ("light", "dark") if width == "wide" else ():
            opened.evaluate(TO_THEME, theme)
            visited.faint[theme] = opened.evaluate(observe, "faint")
        return visited

    yield look
    for context in contexts:
        context.close()
