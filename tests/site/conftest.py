"""The built book, small books with each element of ours or with each fault, and one Chromium for all tests.

Each book is built once for all workers. The browser opens pages from ``file://`` with its network off, as the
reader of a copied folder does.
"""

import os
import re
import sys
from pathlib import Path

import pytest
from filelock import FileLock
from pdf import find_browser
from playwright.sync_api import sync_playwright

sys.path.append(str(Path(__file__).parent))
import small_books

ROOT = Path(__file__).resolve().parents[2]
WIDTHS = {"wide": 1280, "narrow": 390}
REFUSE_STORES = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { configurable: true, get() { throw new DOMException(); } });"""
PROBES = Path(__file__).with_name("probes.js")
# The tests' machine may be a container; the rest keeps the browser from calling home.
BROWSER_OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@pytest.fixture(scope="session")
def documents():
    """Give the documents of the table of contents."""
    return small_books.DOCUMENTS


@pytest.fixture(params=["wide", "narrow"])
def width(request):
    """Run a test in a wide and in a narrow window."""
    return request.param


@pytest.fixture(scope="session")
def once(tmp_path_factory):
    """Give a function that fills a folder once for all workers; a fault that it returns fails the tests."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def make_once(name, make):
        folder, report = shared / name, shared / f"{name}.txt"
        with FileLock(shared / f"{name}.lock"):
            if not report.exists():
                folder.mkdir()
                report.write_text(make(folder) or "", encoding="utf-8")
        if fault := report.read_text(encoding="utf-8"):
            pytest.fail(fault, pytrace=False)
        return folder

    return make_once


def build_well(folder, **environ):
    """Build a book; return what was printed if the build fails."""
    code, printed = small_books.build(folder, **environ)
    return f"the book does not build:\n{printed[-5000:]}" if code else ""


@pytest.fixture(scope="session")
def book(once):
    """Build the book where `make book` does, quickly if nothing changed; give the folder of its pages."""
    once("book", lambda folder: build_well(ROOT))
    return ROOT / "_build" / "html"


@pytest.fixture(scope="session")
def shown(book):
    """Give the names of the explorers of each page that has some."""
    texts = {path: path.read_text("utf-8") for path in sorted(book.glob("chapters/*.html"))}
    names = {path: re.findall(r'<kernlib-explorer[^>]* data-name="([^"]+)"', texts[path]) for path in texts}
    return {path: found for path, found in names.items() if found or path.stem == "explorers"}


NAME_AND_NUMBERS = re.compile(
    r'<kernlib-explorer[^>]* data-name="([^"]*)".*?<script type="application/json">(.*?)</script>', re.DOTALL
)


@pytest.fixture(scope="session")
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


@pytest.fixture(scope="session")
def small_book(once):
    """Build a small book with each element that the extension adds; give its _build."""

    def make(folder):
        small_books.write_elements(folder)
        return build_well(folder, KERNLIB_REPOSITORY=small_books.ADDRESS, KERNLIB_BRANCH="main")

    return once("small", make) / "_build"


@pytest.fixture(scope="session")
def small_page(small_book):
    """Give a function that parses a page of the small book."""

    return lambda name: small_books.parsed(small_book / "html" / f"{name}.html")


@pytest.fixture(scope="session")
def history(once):
    """Build a book with each fault, then change and build it step by step; give what each step left."""
    folder = once("history", small_books.write_history)
    return {step.name: small_books.Step(step) for step in folder.glob("steps/*")}


@pytest.fixture(scope="session")
def browser():
    """Start the Chromium of KERNLIB_BROWSER or of the PATH; without one the tests skip, in CI they fail."""
    program = find_browser()
    if program is None:
        refuse = pytest.fail if os.environ.get("CI") else pytest.skip
        refuse("no Chromium found: install it (apt-get install chromium) or name it in KERNLIB_BROWSER")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=program, args=BROWSER_OPTIONS)
        yield chromium
        chromium.close()


def start_context(browser, width="wide", height=900, **options):
    """Start a clean browser profile with no network."""
    viewport = {"width": WIDTHS.get(width, width), "height": height}
    # Without motion a color is what it will be, not on its way there.
    context = browser.new_context(viewport=viewport, offline=True, reduced_motion="reduce", **options)
    context.add_init_script(path=PROBES)
    return context


@pytest.fixture
def new_context(browser):
    """Give a function that starts a clean browser profile with no network."""
    contexts = []

    def start(*size, **options):
        contexts.append(start_context(browser, *size, **options))
        return contexts[-1]

    yield start
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def windows():
    """Keep the windows that no test has, by their options."""
    return {}


@pytest.fixture
def open_window(browser, windows):
    """Give a function that opens an address, offline, as a Playwright page with its `problems`.

    What it opened before is then gone. Tests take the same windows in turn, since a new profile costs a
    second; each finds them without a trace of the last.
    """
    taken = {}

    def open_(address, width="wide", height=900, **options):
        key = frozenset(options.items())
        if key in taken:
            clean(taken[key])
        else:
            taken[key] = windows.pop(key, None) or watch(start_context(browser, **options).new_page())
        page = taken[key]
        page.set_viewport_size({"width": WIDTHS.get(width, width), "height": height})
        open_in(page, address)
        return page

    yield open_
    for key, page in taken.items():
        clean(page)
        windows[key] = page


def clean(page):
    """Leave no trace in a window: storage, the pointer, the medium, what is allowed, other windows."""
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.context.clear_permissions()
    page.emulate_media(media="null", reduced_motion="reduce")
    page.mouse.move(-1, -1)
    page.goto(PROBES.as_uri())  # a page of the same origin, which stores nothing when it is left
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


@pytest.fixture
def open_page(open_window, book):
    """Give a function that opens a page of the book, offline, as a Playwright page with its `problems`."""

    def open_(page, width="wide", fragment="", **options):
        return open_window((book / page).as_uri() + fragment, width, **options)

    return open_


@pytest.fixture
def open_explorers(open_window, tmp_path):
    """Give a function that opens a page of explorers and other HTML from a file."""

    def open_(*parts, fragment="", size=(1280, 900), before="", **options):
        small_books.write_explorers(tmp_path / "page.html", *parts, before=before)
        return open_window((tmp_path / "page.html").as_uri() + fragment, *size, **options)

    return open_


@pytest.fixture
def open_without_stores(new_context):
    """Give a function that opens an address in a browser that refuses to store anything."""

    def open_(address, width="wide"):
        page = watch(new_context(width).new_page())
        page.add_init_script(REFUSE_STORES)
        open_in(page, address)
        return page

    return open_


def watch(page):
    """Let a page write down all that goes wrong, and which files it asks for."""

    def note(problem):
        page.problems.append(problem)

    def ask(request):
        page.asked.add(request.url.partition("?")[0])
        if not request.url.startswith(("file:", "data:", "blob:")):
            note(f"asked: {request.url}")

    page.on("console", lambda message: note(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: note(str(error)))

    def fail(request):
        if request.failure != "net::ERR_ABORTED":  # by leaving the page before
            note(f"failed: {request.url}")

    page.on("requestfailed", fail)
    page.on("request", ask)
    return page


def open_in(page, address):
    """Open an address in a page that is watched, and wait for its fonts."""
    page.problems, page.asked = [], set()
    page.goto(address)
    page.evaluate("document.fonts.ready.then(() => null)")
