"""The site behind "Run here", under a sub-path: Python starts in Chromium and runs kernlib's own wheel.

There is no network: Pyodide comes from the folder that `tools/fetch_pyodide.py` has filled. Where it has
numpy, kernlib computes with it. npm's core has none; what needs it is then left out, and in its place stands
a module of which nothing is an instance, and which fails where it is called.

With KERNLIB_HERE=1 every chapter of the book that `make here` has written runs too: each cell, and a slider
of each explorer by its keys. That takes half an hour, and numpy from the book or from Pyodide's host.
"""

import json
import os
import re
import sys
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urljoin

import nbformat
import pytest
import yaml

pytest.importorskip("jupyterlite_core", reason="JupyterLite is missing: make here installs it")
sys.path.append(str(Path(__file__).parent))
import run_here
from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION
from kernbook import wheels
from kernbook.jupyterlite import CORE, write_site
from notebook_page import PATIENCE, NotebookPage, go_on, served

ROOT = Path(__file__).resolve().parents[2]
PYODIDE = Path(os.environ.get("KERNLIB_PYODIDE") or ROOT / "_build" / "pyodide")
BOOK = ROOT / "_build" / "html"
SETTINGS = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["sphinx"]["config"]
LEFT_OUT = {Path(name).name for name in SETTINGS["kernbook_not_for_students"]}
CHAPTERS = sorted({path.stem for path in ROOT.glob("chapters/*.ipynb")} - LEFT_OUT)
ABSENT = """
import sys, types
class Absent(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent(name, (), {})
    def __getitem__(cls, kind):
        return cls
    def __call__(cls, *args):
        raise RuntimeError(f"{cls.__name__} is not here")
class AbsentModule(types.ModuleType):
    __path__ = []
    inf = float("inf")
    empty = str  # called when kernlib is imported
    def __getattr__(self, name):
        return getattr(Absent("absent", (), {}), name)
names = ".linalg .sparse .typing .base .utils .utils.multiclass .utils.validation .datasets".split()
for name in ["", *names]:
    for package in ("numpy", "scipy", "sklearn"):
        sys.modules[package + name] = AbsentModule(package + name)
"""
GRAM = (
    "import numpy as np\nfrom kernlib.kernels import Gaussian\nprint(Gaussian(1.0)(np.zeros((3, 2))).sum())"
)
HAS_NUMPY = any(PYODIDE.glob("numpy-*.whl"))
CELLS = {  # what a cell says, in the browser
    "import kernlib, sys; print(sys.platform, kernlib.__file__)": "emscripten /lib/python3.14/site-packages",
    (GRAM if HAS_NUMPY else ABSENT): "9.0" if HAS_NUMPY else "",
    "from fractions import Fraction\n"
    "from kernlib.strings import all_subsequences, gap_weighted, subsequence_counts\n"
    'print(all_subsequences("gatta", "cata"), all_subsequences("ab", "ab", weight=Fraction(1, 2)))': "14 9/4",
    'print(gap_weighted("gatta", "cata", length=2, decay=1), subsequence_counts("aab")["ab"])': "5 2",
    "from kernlib.book.datasets.sequences import SPLICE, read\n"
    "rows = list(read(SPLICE)); print(len(rows), len(rows[0][1]))": "3186 60",
    "from kernlib.book.checks.strings import check_kernel\n"
    "try:\n    check_kernel(3)\nexcept AssertionError as error:\n    print(error)": "a function, got int",
    "from kernlib.book.row_limit import row_limit; print(row_limit())": "4000",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Write a book of one page, with the site, and serve it under a sub-path; give folder and address."""
    if not all((PYODIDE / name).is_file() for name in CORE):
        pytest.skip("Pyodide is missing: .venv/bin/python tools/fetch_pyodide.py fetch _build/pyodide")
    folder = tmp_path_factory.mktemp("served")
    book, student = folder / "sub" / "path", folder / "student"
    (book / "chapters").mkdir(parents=True)
    student.mkdir()
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    install = nbformat.v4.new_code_cell("%pip install kernlib", metadata={"tags": ["package"]})
    cells = [install, *map(nbformat.v4.new_code_cell, CELLS)]
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": python})
    nbformat.write(notebook, student / "right.ipynb")
    page = book / "chapters" / "right.html"
    page.write_text(f"<title>right</title>{run_here.BUTTONS}</div>", encoding="utf-8")
    assert run_here.add_button(page, "right.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KERNLIB_PYODIDE", str(PYODIDE))
        assert write_site(book, student, ROOT)
        assert not write_site(book, student, ROOT)
    with served(folder) as address:
        yield SimpleNamespace(folder=book, address=f"{address}sub/path/")


@pytest.fixture(scope="module")
def context(browser):
    """Give one profile for all notebooks: what the first has fetched, the others have."""
    opened = browser.new_context()
    yield opened
    opened.close()


def test_the_lock_file_is_that_of_the_kernels_pyodide():
    assert wheels.pyodide()["version"] == PYODIDE_VERSION


def test_the_lock_file_names_no_package_that_is_nowhere(site):
    python = site.folder / "lite" / "static" / "python"
    packages = json.loads((python / "pyodide-lock.json").read_text())["packages"]
    own = {"kernlib", "ipywidgets", "anywidget", "psygnal", "tqdm", "pooch", "threadpoolctl", "numpy"}
    assert own <= packages.keys()
    for package in packages.values():
        assert package["depends"] == [name for name in package["depends"] if name in packages]
        assert package["file_name"].startswith("https:") or (python / package["file_name"]).is_file()


def test_from_a_file_the_page_says_why_it_cannot_run(site, browser):
    page = browser.new_page()
    page.goto((site.folder / "run.html").as_uri() + "#right.ipynb")
    assert "python -m http.server" in page.inner_text("#words")
    page.close()


def test_without_python_itself_the_page_says_that_no_cell_runs(site, browser):
    page = browser.new_page()
    page.route("**/pyodide.asm.wasm", lambda route: route.abort())
    page.goto(f"{site.address}run.html#right.ipynb")
    page.locator("#choices button").first.wait_for()
    assert "Python itself" in page.inner_text("#words") and "no cell runs" in page.inner_text("#words")
    page.close()


@pytest.mark.parametrize(
    ("name", "said"), [("pyodide.asm.wasm", "Python cannot start"), ("ipython-*.whl", "ipython")]
)
def test_a_notebook_says_within_five_seconds_what_cannot_be_fetched(name, said, site, browser):
    page = browser.new_page()
    page.route(f"**/{name}", lambda route: route.abort())
    page.goto(f"{site.address}lite/notebooks/index.html?path=right.ipynb")
    page.locator("#can-it-start").wait_for(timeout=5000)
    assert said in page.inner_text("#can-it-start")
    page.close()


def test_the_button_starts_python_and_cells_get_right_answers(site, context):
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site.address}chapters/right.html")
    assert asked == [f"{site.address}chapters/right.html"]
    page.click(".run-here")
    go_on(page, "Open all the same")
    cells = page.locator(".jp-CodeCell")
    cells.first.locator(".cm-content").click()
    for number, said in enumerate(["", *CELLS.values()]):
        page.keyboard.press("Shift+Enter")
        cells.nth(number).locator(".jp-InputPrompt", has_text=re.compile(r"\[\d+\]")).wait_for()
        output = cells.nth(number).locator(".jp-OutputArea")
        if HAS_NUMPY:
            assert not page.locator("#can-it-start").count()
        assert said in output.inner_text(), output.inner_text()[-500:]
    page.keyboard.press("Control+S")
    page.wait_for_function("async () => (await indexedDB.databases()).length")
    page.goto(f"{site.address}run.html#right.ipynb")
    page.reload()
    go_on(page, "Open all the same", "Start afresh")
    cells.first.locator(".jp-InputPrompt:has-text('[ ]')").wait_for()  # a copy's says [1]
    page.close()


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """Serve the book under a sub-path, where it has "Run here" and numpy can be had; give its address."""
    if not os.environ.get("KERNLIB_HERE"):
        pytest.skip("every chapter in the browser takes half an hour: set KERNLIB_HERE=1 to run it")
    refuse = pytest.fail if os.environ.get("CI") else pytest.skip
    lock = BOOK / "lite" / "static" / "python" / "pyodide-lock.json"
    if not lock.is_file():
        refuse("the book has no site behind the button: make here")
    numpy = urljoin(lock.as_uri(), json.loads(lock.read_text())["packages"]["numpy"]["file_name"])
    try:
        urllib.request.urlopen(numpy, timeout=30).close()
    except OSError as error:
        refuse(f"numpy cannot be had for the browser: {numpy}: {error}")
    folder = tmp_path_factory.mktemp("published")
    (folder / "sub").mkdir()
    (folder / "sub" / "path").symlink_to(BOOK)
    with served(folder) as address:
        yield f"{address}sub/path/"


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_cell_of_a_chapter_runs_and_its_explorers_answer(chapter, published, context):
    notebook = NotebookPage(context, f"{published}chapters/{chapter}.html")
    faults = notebook.faults()
    notebook.page.close()
    assert not faults, "\n".join(faults)
