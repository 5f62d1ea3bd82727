"""The site behind "Run here", under a sub-path: Python starts in Chromium and runs kernlib's own wheel.

There is no network: Pyodide comes from the folder that `tools/fetch_pyodide.py` has filled. Where it has
numpy, kernlib computes with it. npm's core has none; what needs it is then left out, and in its place stands
a module of which nothing is an instance, and which fails where it is called.
"""

import json
import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

pytest.importorskip("jupyterlite_core", reason="JupyterLite is not installed: make here")
import run_here
from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION
from kernbook import wheels
from kernbook.here import CORE, write_site

ROOT = Path(__file__).resolve().parents[2]
PYODIDE = Path(os.environ.get("KERNLIB_PYODIDE") or ROOT / "_build" / "pyodide")
PATIENCE = 300_000  # milliseconds, for a page on a busy machine
ABSENT = """
import sys, types
class Absent(types.ModuleType):
    __path__ = []
    inf = float("inf")
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        def refuse(self, *args):
            raise RuntimeError(f"{name} is not here")
        return type(name, (), {"__init__": refuse})
for name in "", ".linalg", ".sparse", ".base", ".utils", ".utils.validation", ".datasets":
    for package in ("numpy", "scipy", "sklearn"):
        sys.modules[package + name] = Absent(package + name)
"""
GRAM = (
    "import numpy as np\nfrom kernlib.kernels import Gaussian\nprint(Gaussian(1.0)(np.zeros((3, 2))).sum())"
)
HAS_NUMPY = any(PYODIDE.glob("numpy-*.whl"))
CELLS = {  # what a cell says, in the browser
    "import kernlib, sys; print(sys.platform, kernlib.__file__)": "emscripten /lib/python3.14/site-packages",
    (GRAM if HAS_NUMPY else ABSENT): "9.0" if HAS_NUMPY else "",
    "from fractions import Fraction\n"
    "from kernlib.strings import all_subsequences, spectrum, subsequence_counts\n"
    'print(all_subsequences("gatta", "cata"), all_subsequences("ab", "ab", weight=Fraction(1, 2)))': "14 9/4",
    'print(spectrum("gatta", "cata", length=2), subsequence_counts("aab")["ab"])': "2 2",
    "from kernlib.datasets.sequences import SPLICE, read\n"
    "rows = list(read(SPLICE)); print(len(rows), len(rows[0][1]))": "3186 60",
    "from kernlib.exercises.strings import check_kernel\n"
    "try:\n    check_kernel(3)\nexcept AssertionError as error:\n    print(error)": "a function, got int",
    "from kernlib.browser import THREADS, most_rows; print(THREADS, most_rows())": "False 4000",
}


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Write a book of one page, with the site, and serve it under a sub-path; give folder and address."""
    if not all((PYODIDE / name).is_file() for name in CORE):
        pytest.skip("no Pyodide in _build/pyodide: python tools/fetch_pyodide.py fetch _build/pyodide")
    folder = tmp_path_factory.mktemp("served")
    book, student = folder / "sub" / "path", folder / "student"
    (book / "chapters").mkdir(parents=True)
    (book / "chapters" / "one.html").write_text(f"<title>One</title>{run_here.BUTTONS}</div>")
    cells = list(map(nbformat.v4.new_code_cell, ["%pip install kernlib", *CELLS]))
    cells[0].metadata["tags"] = ["package"]
    python = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": python})
    student.mkdir()
    nbformat.write(notebook, student / "one.ipynb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KERNLIB_PYODIDE", str(PYODIDE))
        assert write_site(book, student, ROOT)
        assert not write_site(book, student, ROOT)
    assert run_here.add_button(book / "chapters" / "one.html", "one.ipynb")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield SimpleNamespace(folder=book, address=f"http://127.0.0.1:{server.server_port}/sub/path/")
    server.shutdown()


def test_the_lock_file_is_that_of_the_kernels_pyodide():
    assert wheels.pyodide()["version"] == PYODIDE_VERSION


def test_the_lock_file_names_no_package_that_is_nowhere(site):
    python = site.folder / "lite" / "static" / "python"
    packages = json.loads((python / "pyodide-lock.json").read_text())["packages"]
    assert {
        "kernlib",
        "ipywidgets",
        "anywidget",
        "tqdm",
        "pooch",
        "threadpoolctl",
        "numpy",
    } <= packages.keys()
    for package in packages.values():
        assert package["depends"] == [name for name in package["depends"] if name in packages]
        assert package["file_name"].startswith("https:") or (python / package["file_name"]).is_file()


def test_from_a_file_the_page_says_why_it_cannot_run(site, browser):
    page = browser.new_page()
    page.goto((site.folder / "run.html").as_uri() + "#one.ipynb")
    assert "python -m http.server" in page.inner_text("#words")
    page.close()


def test_the_button_starts_python_and_cells_get_right_answers(site, browser):
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site.address}chapters/one.html")
    assert asked == [f"{site.address}chapters/one.html"]
    page.click(".run-here")
    go_on(page, "Open all the same")
    cells = page.locator(".jp-CodeCell")
    cells.first.locator(".cm-content").click()
    for number, said in enumerate(["", *CELLS.values()]):
        page.keyboard.press("Shift+Enter")
        page.wait_for_function(ANSWERED, arg=number)
        output = cells.nth(number).locator(".jp-OutputArea")
        assert said in output.inner_text(), output.inner_text()[-500:]
    page.keyboard.press("Control+S")
    page.wait_for_function("async () => (await indexedDB.databases()).length")
    page.goto(f"{site.address}run.html#one.ipynb")
    page.reload()
    go_on(page, "Open all the same", "Start afresh")
    assert cells.first.inner_text().count("[ ]") == 1
    context.close()


ANSWERED = r"""  // the prompt of a cell has its number
  (i) => {
    const cell = document.querySelectorAll(".jp-CodeCell")[i];
    return /\[\d+\]/.test(cell.querySelector(".jp-InputPrompt").innerText);
  }
"""


def go_on(page, *choices):
    """Press what the page offers where packages are missing or a copy is kept, until the notebook comes."""
    for choice in choices:
        page.locator(f"button:has-text('{choice}'), .jp-CodeCell").first.wait_for()
        if page.locator(f"button:has-text('{choice}')").count():
            page.click(f"button:has-text('{choice}')")
    page.locator(".jp-CodeCell .cm-content").first.wait_for()
