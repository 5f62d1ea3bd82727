"""What a notebook's outputs depend on: planted changes, and the notebooks that are executed again."""

import sys
from importlib.metadata import distributions
from pathlib import Path

import nbformat
import pytest
from kernbook import dependencies
from kernbook.dependencies import Modules, code_cells, notebook_keys

ROOT = Path(__file__).resolve().parents[2]
EMPTY = (
    *("kernlib/book/__init__.py", "kernlib/book/claims.py", "kernlib/book/explore/explore.js"),
    *("data/letters.csv.bz2", "data/shirts.csv.bz2", "data/README.md", "data/make_letters.py"),
    *("benchmarks/record.json", "kernlib/book/figures/book.mplstyle", "tests/test_ridge.py"),
)
FILES = dict.fromkeys(EMPTY, "") | {
    "kernlib/__init__.py": "def __getattr__(name): ...",
    "kernlib/ridge/__init__.py": "from kernlib.ridge.estimator import KernelRidge\n__all__ = ['KernelRidge']",
    "kernlib/ridge/estimator.py": "from kernlib.numerics import solve\n__all__ = ['KernelRidge']",
    "kernlib/nystrom.py": "from kernlib.numerics import solve\n__all__ = ['Nystrom']",
    "kernlib/numerics.py": "__all__ = ['solve']",
    "kernlib/compare/__init__.py": "from kernlib import Nystrom",
    "kernlib/compare/choice.py": "import os",
    "kernlib/book/datasets/__init__.py": "import kernlib.book.datasets.letters",
    "kernlib/book/datasets/letters.py": "FILE, FOLDER = 'letters.csv', 'KERNLIB_DATA'",
    "kernlib/book/figures/__init__.py": "STYLE = 'book.mplstyle'",
    "kernlib/book/explore/__init__.py": "SCRIPT, RECORD = 'explore.js', 'lab.json'",
    "kernlib/book/explore/lab.json": "{}",
}
NOTEBOOKS = {
    "plain": "%matplotlib inline\nprint(1)",
    "ridge": "from kernlib.ridge import KernelRidge",
    "lazy": "from kernlib import KernelRidge",
    "whole": "import kernlib\nkernlib.KernelRidge",
    "compare": "def late():\n    from kernlib import compare",
    "choice": "import kernlib.compare.choice as choice",
    "data": "from kernlib.book import figures\nfrom kernlib.book.datasets import letters",
    "explore": "from kernlib.book import explore",
    "speed": "open('../benchmarks/record.json')",
    "broken": "from kernlib.ridge import",
}
OF_KERNLIB = set(NOTEBOOKS) - {"plain", "speed"}


@pytest.fixture
def keys(tmp_path, monkeypatch):
    """Write a project whose kernlib is the one on the path; give a function that computes the keys."""
    for name, text in FILES.items():
        plant(tmp_path / name, text)
    for name, code in NOTEBOOKS.items():
        write_notebook(tmp_path / "chapters" / f"{name}.ipynb", code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "kernlib")
    paths = {name: tmp_path / "chapters" / f"{name}.ipynb" for name in NOTEBOOKS}
    return lambda **environ: notebook_keys(tmp_path, paths, environ)


def plant(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def write_notebook(path, *codes, words="words"):
    cells = [nbformat.v4.new_markdown_cell(words), *map(nbformat.v4.new_code_cell, codes)]
    path.parent.mkdir(exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)


def changed(before, after):
    return {name for name in before if before[name] != after[name]}


EXECUTED = {  # by a change of a file
    "kernlib/__init__.py": OF_KERNLIB,
    "kernlib/numerics.py": OF_KERNLIB - {"data", "explore"},
    "kernlib/ridge/estimator.py": {"ridge", "lazy", "whole", "broken"},
    "kernlib/nystrom.py": {"whole", "compare", "choice", "broken"},
    "kernlib/compare/__init__.py": {"compare", "choice", "broken"},
    "kernlib/compare/choice.py": {"choice", "broken"},
    "kernlib/book/__init__.py": {"data", "explore", "broken"},
    "kernlib/book/claims.py": {"broken"},
    "kernlib/book/datasets/letters.py": {"data", "broken"},
    "kernlib/book/explore/lab.json": {"explore", "broken"},
    "kernlib/book/explore/explore.js": set(),
    "data/letters.csv.bz2": {"data", "broken"},
    "data/shirts.csv.bz2": set(),
    "data/README.md": set(),
    "data/make_letters.py": set(),
    "kernlib/book/figures/book.mplstyle": {"data", "broken"},
    "benchmarks/record.json": {"speed"},
    "tests/test_ridge.py": set(),
}


def test_a_changed_file_executes_the_notebooks_that_depend_on_it(keys, tmp_path):
    before, executed = keys(), {}
    for file in EXECUTED:
        plant(tmp_path / file, FILES[file] + "\n")
        executed[file] = changed(before, keys())
        plant(tmp_path / file, FILES[file])
    assert executed == EXECUTED


def test_changed_code_executes_its_notebook_and_changed_words_none(keys, tmp_path):
    before = keys()
    write_notebook(tmp_path / "chapters" / "plain.ipynb", NOTEBOOKS["plain"], words="other words")
    assert keys() == before
    write_notebook(tmp_path / "chapters" / "plain.ipynb", "print(2)")
    assert changed(before, keys()) == {"plain"}
    write_notebook(tmp_path / "chapters" / "plain.ipynb", "one = 1\ntwo = 2")
    whole = keys()
    write_notebook(tmp_path / "chapters" / "plain.ipynb", "one = 1", "two = 2")
    assert changed(whole, keys()) == {"plain"}  # the same code in two cells


def test_versions_of_python_and_of_libraries_execute_everything(keys, monkeypatch):
    before = keys()
    with monkeypatch.context() as patch:
        patch.setattr(dependencies.platform, "python_version", lambda: "3.99.0")
        assert changed(before, keys()) == set(NOTEBOOKS)
    others = [package for package in distributions() if package.name != "numpy"]
    monkeypatch.setattr(dependencies, "distributions", lambda: others)
    assert changed(before, keys()) == set(NOTEBOOKS)


def test_downloaded_data_execute_the_notebooks_whose_loaders_look_for_them(keys, tmp_path, monkeypatch):
    unset = keys()
    folder = tmp_path / "downloads"
    folder.mkdir()
    assert keys(KERNLIB_DATA=str(folder)) == unset
    plant(folder / "ijcnn1.bz2", "rows")
    full = keys(KERNLIB_DATA=str(folder))
    assert changed(unset, full) == {"data", "broken"}
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))  # on Windows
    for same in ("../downloads", "downloads", "~/downloads"):
        assert keys(KERNLIB_DATA=same) == full


def test_chapter_12_alone_imports_the_comparison():
    modules = Modules()
    needed = {
        path.stem: modules.needed_by("\n".join(code_cells(path)))
        for path in (ROOT / "chapters").glob("*.ipynb")
    }
    of_comparison = {page for page, names in needed.items() if "kernlib.compare" in names}
    assert of_comparison == {page for page in needed if page.startswith("12_")}
    assert (
        {page for page in needed if page.startswith("06_")}
        <= {page for page, names in needed.items() if "kernlib.nystrom.landmarks" in names}
        < set(needed)
    )
