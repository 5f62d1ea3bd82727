"""Small books with this book's settings: one has each element of ours, one has each fault and is mended."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup
from execute_notebooks import PYTHON
from nbformat.v4 import new_code_cell, new_markdown_cell
from sphinx_external_toc.parsing import parse_toc_yaml
from standalone import page_html

from kernlib.book.explore import Explorer
from kernlib.book.explore.script import join_script, stylesheet

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = list(parse_toc_yaml(ROOT / "_toc.yml"))
TEXTS = Path(__file__).with_name("small_book")
ADDRESS = "https://github.com/someone/kernels"
CLAIM = """from kernlib.book.claims import claim
x = 2
with claim("a square is not negative", over="two numbers") as holds:
    for sign in (-1, 1):
        holds((sign * x) ** 2 >= 0)
"""
CLAIMS = """print("first")
with claim("x is even") as holds:
    holds(x % 2 == 0)
with claim("x is small", over="x = 2") as holds:
    holds([x < 3, x > -3])
"""
STUB = "def root(x):\n    ...\n\n\nroot(4)"
FIGURE = "import matplotlib.pyplot as plt\nplt.plot(ENDS)\nplt.show()"
FIGURE_WORDS = {"caption": "A *line* of slope $1$.", "name": "fig-line"}
EXPLORER = "from kernlib.book.explore import explore\n\nexplore(lambda c: c, c=[1, 3, 10], name='small')"
ELEMENTS = [
    new_markdown_cell((TEXTS / "one.md").read_text(encoding="utf-8")),
    new_code_cell(CLAIM, id="claim"),
    new_code_cell(CLAIMS, id="claims"),
    new_code_cell(STUB, id="stub-root", metadata={"tags": ["stub"]}),
    new_code_cell("ENDS = [0, 1]", id="ends", metadata={"tags": ["hide-cell"]}),
    new_code_cell(FIGURE, id="figure", metadata={"mystnb": {"figure": FIGURE_WORDS}, "tags": ["hide-input"]}),
    new_code_cell("secret = 7", id="answer", metadata={"tags": ["answer"]}),
    new_code_cell("revealed = secret + 1", id="after"),
    new_markdown_cell("## Solutions\n\n```{solution-start} roots\n:class: dropdown\n```\nTake two."),
    new_code_cell("root(9)", id="solution"),
    new_markdown_cell("```{solution-end}\n```"),
]

ASSERTS = "print('printed before')\ndef f(x):\n    assert x < 0, f'{x} is not negative'\nf(1.5)"
PRINTS_TIME = "import time\nfrom kernlib import planted\nprint(planted.ANSWER, 'at', time.time_ns())"
SECONDS = 3  # for the cell that hangs
WRITTEN = {}  # explorers by their ids, and their HTML: to draw one takes up to two seconds


def write_book(folder, intro, chapters):
    """Write a small book with a chapter for each list of cells; a text is a cell of code."""
    for name in ("_ext", "_assets"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "references.bib"):
        shutil.copy(ROOT / name, folder)
    files = ", ".join(f"{{file: chapters/{name}}}" for name in chapters)
    (folder / "_toc.yml").write_text(f"format: jb-book\nroot: intro\nchapters: [{files}]\n")
    (folder / "intro.md").write_text(intro, encoding="utf-8")
    (folder / "chapters").mkdir()
    for name, cells in chapters.items():
        cells = [new_code_cell(cell) if isinstance(cell, str) else cell for cell in cells]
        write_chapter(folder, name, [new_markdown_cell(f"# {name.title()}"), *cells])


def write_chapter(folder, name, cells):
    """Write a notebook with these cells."""
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=PYTHON)
    nbformat.write(notebook, folder / "chapters" / f"{name}.ipynb")


def write_explorers(path, *parts, before=""):
    """Write a page of explorers and of other HTML, with some script before that of the explorers."""
    for part in parts:
        if isinstance(part, Explorer) and id(part) not in WRITTEN:
            WRITTEN[id(part)] = part, page_html(part)
    body = "".join(WRITTEN[id(part)][1] if isinstance(part, Explorer) else part for part in parts)
    start = f'<!doctype html><html data-theme="light"><meta charset="utf-8"><style>{stylesheet()}</style>'
    path.write_text(f"{start}{body}<script>{before}{join_script()}</script>", encoding="utf-8")


def start_build(folder, environ=os.environ, **options):
    """Start the command of `make book` in a folder."""
    command, pipe = [sys.executable, ROOT / "tools" / "build_book.py", "."], subprocess.PIPE
    options = {"stdout": pipe, "stderr": subprocess.STDOUT, "text": True} | options
    return subprocess.Popen(command, cwd=folder, env=environ, **options)


def build(folder, **environ):
    """Build a book; return the exit code and all that was printed."""
    process = start_build(folder, os.environ | environ)
    printed, _ = process.communicate()
    return process.returncode, printed


def parsed(page):
    """Parse a page."""
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


def write_elements(folder):
    """Write a book with each element of ours, and with the templates, copied as CONTRIBUTING says."""
    write_book(
        folder,
        (TEXTS / "intro.md").read_text(encoding="utf-8"),
        {"one": ELEMENTS, "two": [EXPLORER], "half": []},
    )
    templates = ROOT / "tools" / "templates"
    shutil.copy(templates / "explorer.py", folder / "chapters" / "half_way.py")
    template = (templates / "chapter.ipynb").read_text(encoding="utf-8")
    moved = template.replace("kernlib.book.explorers.half_way", "half_way")
    (folder / "chapters" / "half.ipynb").write_text(moved, encoding="utf-8")


def write_history(history):
    """Write a book with each fault, mend it and change it, and build it after each step."""
    folder = history / "book"
    folder.mkdir()
    chapters = {
        "asserts": [ASSERTS, "y = absent", "print('still', 'runs')"],
        "dies": ["import os\nos._exit(1)", "print(1)"],
        "hangs": ["import time\ntime.sleep(1000)", "print(2)"],
        "works": [PRINTS_TIME],
        "small": [EXPLORER],
    }
    write_book(folder, (TEXTS / "faults.md").read_text(encoding="utf-8"), chapters)
    shutil.copytree(ROOT / "kernlib", folder / "kernlib")  # with what is compiled of it
    planted, intro = folder / "kernlib" / "planted.py", folder / "intro.md"
    planted.write_text("ANSWER = 'first'")
    hangs = folder / "chapters" / "hangs.ipynb"
    limited = nbformat.read(hangs, as_version=4)
    limited.metadata["mystnb"] = {"execution_timeout": SECONDS}
    nbformat.write(limited, hangs)

    def step(name, address=""):
        code, printed = build(folder, KERNLIB_REPOSITORY=address, PYTHONPATH=str(folder))
        left = history / "steps" / name
        shutil.copytree(folder / "_build" / "html", left, ignore=shutil.ignore_patterns("*.woff2", "katex"))
        (left / "printed.txt").write_text(f"{code}\n{printed}", encoding="utf-8")

    def mend(name):
        write_chapter(folder, name, [new_markdown_cell("# Mended"), new_code_cell("print('mended')")])

    step("broken", ADDRESS)
    mend("dies")
    mend("hangs")
    step("again", ADDRESS)
    mend("asserts")
    intro.write_text("# A small book")
    step("mended")
    (folder / "course" / "source").mkdir(parents=True)  # as `make assignment` leaves it
    shutil.copy(folder / "chapters" / "works.ipynb", folder / "course" / "source")
    (folder / "course" / "notes.md").write_text("# Notes")
    step("same")
    intro.write_text("# Another title")
    (folder / "_assets" / "book.css").write_text("kernlib-explorer { color: #123456 }")
    planted.write_text("ANSWER = 'second'")
    step("changed")
    planted.write_text("ANSWER = 'first'")
    with (folder / "_ext" / "kernbook" / "citation.py").open("a") as module:
        module.write("\n# another extension")
    step("back")


class Step:
    """What one build of the history printed, and the pages that it left."""

    def __init__(self, folder):
        code, _, self.printed = (folder / "printed.txt").read_text(encoding="utf-8").partition("\n")
        self.folder, self.code = folder, int(code)

    def page(self, name):
        """Parse a page."""
        return parsed(self.folder / f"{name}.html")

    def executed(self):
        """Name the notebooks that this build executed."""
        return set(re.findall(r"^chapters/(\w+)  \d+ cells in", self.printed, re.MULTILINE))

    def read(self):
        """Count the documents that Sphinx read: new ones, changed ones."""
        added, changed = re.search(r"(\d+) added, (\d+) changed", self.printed).groups()
        return int(added), int(changed)
