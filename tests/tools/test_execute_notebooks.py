"""`make notebooks`: what it keeps, what it removes, and when it leaves a file as it was."""

import shutil
import subprocess
import sys
from pathlib import Path

import execute_notebooks
import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
CELLS = [
    "import os, sys\nprint(os.path.exists('beside.txt'))",
    "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
    "from IPython.display import HTML, Markdown, display\ndisplay(HTML('<b>bold</b>'), Markdown('**bold**'))",
    "import ipywidgets\nipywidgets.IntSlider()",
    "6 * 7",
]


def write_notebook(path, sources):
    notebook = nbformat.v4.new_notebook(metadata={"widgets": {}, "mystnb": {"execution_timeout": 60}})
    notebook.cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook.cells[0].metadata = {"tags": ["hide-input"], "scrolled": True}
    nbformat.write(notebook, path)
    return path


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("executed")
    (folder / "beside.txt").touch()
    path = write_notebook(folder / "chapter.ipynb", CELLS)
    execute_notebooks.main([str(path)])
    return path


def test_text_outputs_counts_and_authored_metadata_are_kept_and_nothing_else(executed):
    notebook = nbformat.read(executed, as_version=4)
    assert [cell.execution_count for cell in notebook.cells] == [1, 2, 3, 4, 5]
    stdout, figure, html, *_, number = outputs = [
        output for cell in notebook.cells for output in cell.outputs
    ]
    assert stdout.text == "True\n"  # the working directory is the notebook's own folder
    assert figure.data == {"text/plain": "<Figure size 640x480 with 1 Axes>"}
    assert html.data == {"text/plain": "<IPython.core.display.HTML object>"}
    assert number.data == {"text/plain": "42"}
    assert {kind for output in outputs for kind in output.get("data", {})} == {"text/plain", "text/markdown"}
    assert notebook.metadata == execute_notebooks.PYTHON | {"mystnb": {"execution_timeout": 60}}
    assert [cell.metadata for cell in notebook.cells] == [{"tags": ["hide-input"]}, {}, {}, {}, {}]


def test_executing_twice_gives_the_same_bytes(executed):
    once = executed.read_bytes()
    execute_notebooks.main([str(executed)])
    assert executed.read_bytes() == once


def test_nbval_accepts_what_was_stripped_and_rejects_another_text(executed, tmp_path):
    (tmp_path / "beside.txt").touch()
    (tmp_path / "other.ipynb").write_text(executed.read_text().replace('"42"', '"43"'))
    shutil.copy(ROOT / "conftest.py", tmp_path)
    command = [sys.executable, "-m", "pytest", "--nbval", "-c", ROOT / "pyproject.toml", tmp_path]
    outcome = subprocess.run(command, capture_output=True, text=True)
    assert "1 failed, 4 passed" in outcome.stdout
    assert "other.ipynb::Cell 4" in outcome.stdout.rpartition("short test summary")[2]


@pytest.mark.parametrize(
    ("source", "complaint"),
    [("1 / 0", "ZeroDivisionError"), ("import sys\nprint('oh', file=sys.stderr)", "write to stderr")],
)
def test_a_cell_that_fails_or_writes_to_stderr_leaves_the_file_untouched(tmp_path, source, complaint):
    path = write_notebook(tmp_path / "chapter.ipynb", ["print(1)", source])
    before = path.read_bytes()
    with pytest.raises(SystemExit, match=complaint):
        execute_notebooks.main([str(path)])
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
