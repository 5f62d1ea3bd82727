"""The committed notebooks are as `make notebooks` leaves them, and their outputs compare on any machine.

nbval never compares a cell without execution count, so a notebook committed without them would pass untested:
here it is an error.
"""

import ast
import re
from pathlib import Path

import nbformat
import pytest
from execute_notebooks import code_cells, is_text, strip, writes_to_stderr

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = [*sorted((ROOT / "chapters").glob("*.ipynb")), *(ROOT / "tools" / "templates").glob("*.ipynb")]

LONGEST = 12  # lines of code that stand between two paragraphs
NUMBER = re.compile(r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d+)\.\d+(?!\.?\d)")  # no versions: 3.11.7
ABSOLUTE_PATH = re.compile(r"(?<![\w.:/<])/\w[\w.-]*/\w|\b[A-Z]:\\")
ADDRESS = re.compile(r"\bat 0x[0-9a-f]+")
# What a measured time is called: a word of a variable's name, or the key of a dictionary.
TIME = re.compile(
    r"(^|_)(times?|seconds|ms|elapsed|duration|clock|speed(up)?|rate|timeit|(perf_counter|process_time)(_ns)?|fit|predict)(_|$)"
)


def displayed(cell):
    """The (mimetype, content) pairs of a cell's outputs."""
    return [item for output in cell.outputs for item in output.get("data", {}).items()]


def text_of(cell):
    """All the text that a cell's outputs hold."""
    streams = [output.get("text", "") for output in cell.outputs]
    return "\n".join(streams + [content for kind, content in displayed(cell) if is_text(kind)])


def is_compared(cell):
    tags = cell.metadata.get("tags", [])
    return "NBVAL" not in cell.source and not any(tag.startswith("nbval-") for tag in tags)


def too_precise(text):
    """The decimals with more than three significant digits: their last ones differ between machines."""
    significant = {number: re.sub(r"[.,]", "", number).lstrip("0") for number in NUMBER.findall(text)}
    return [number for number, digits in significant.items() if len(digits) > 3]


def is_shown(cell):
    """Whether a cell's source stands in the reader's way: no claim's, not folded, no listing to read."""
    aside = {"hide-input", "hide-cell", "listing"}.intersection(cell.metadata.get("tags", []))
    return "with claim(" not in cell.source and not aside


def described(cell, part, key):
    """What the metadata say of a cell's figure: its alt text, its caption."""
    return cell.metadata.get("mystnb", {}).get(part, {}).get(key, "").strip()


def checks(source):
    """The expressions that a cell asserts, or claims to hold."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assert(test=test):
                yield test
            case ast.Call(func=ast.Name("holds"), args=[case]):
                yield case


def asserted_times(source):
    """The names and keys in a cell's checks that stand for a measured time: no two machines agree on it."""
    for check in checks(source):
        for node in ast.walk(check):
            key = node.slice if isinstance(node, ast.Subscript) else None
            name = node.id if isinstance(node, ast.Name) else getattr(key, "value", None)
            if isinstance(name, str) and TIME.search(name):
                yield name


def cell_faults(cell):
    """What is wrong with one code cell that isn't empty, in sentences."""
    kinds = [kind for kind, _ in displayed(cell) if not is_text(kind)]
    if kinds:
        yield f"stores {', '.join(kinds)}"
    if any(output.output_type == "error" for output in cell.outputs):
        yield "stores an error"
    if writes_to_stderr(cell):
        yield "writes to stderr"
    if times := sorted(set(asserted_times(cell.source))):
        yield f"asserts a time, {', '.join(times)}"
    text = text_of(cell)
    if path := ABSOLUTE_PATH.search(text):
        yield f"prints a path of one machine, {path[0]}..."
    if "plt.show(" in cell.source or "<Figure size" in text:
        for part, key in {"image": "alt", "figure": "caption"}.items():
            if not described(cell, part, key):
                yield f"draws a figure without {key} (cell metadata mystnb.{part}.{key})"
    lines = len(cell.source.strip().splitlines())
    if lines > LONGEST and is_shown(cell):
        yield f"shows {lines} lines of code: fold it (tag hide-input), or split it"
    if any(isinstance(node, ast.Assert) for node in ast.walk(ast.parse(cell.source))):
        yield "asserts: a claim says what is checked"
    if is_compared(cell):
        if numbers := too_precise(text):
            yield f"prints more than three significant digits: {', '.join(numbers)}"
        if ADDRESS.search(text):
            yield "prints a memory address"


def faults(notebook):
    """What is wrong with a committed notebook, in sentences."""
    found = []
    cells = code_cells(notebook)
    counts = [cell.execution_count for cell in cells]
    if counts != list(range(1, len(cells) + 1)):
        found.append(f"execution counts are {counts}, not 1 to {len(cells)} in order: nbval would skip cells")
    ignored = sum(not is_compared(cell) for cell in cells)
    if 3 * ignored > len(cells):
        found.append(f"{ignored} of {len(cells)} code cells are never compared: at most a third may be")
    for position, cell in enumerate(cells, start=1):
        found += [f"code cell {position} {fault}" for fault in cell_faults(cell)]
    stripped = nbformat.from_dict(notebook)
    strip(stripped)
    if stripped != notebook:
        found.append("holds outputs or metadata that `make notebooks` strips")
    return found


def test_committed_notebooks_have_no_faults():
    found = []
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        ids = [] if notebook.nbformat_minor >= 5 else ["has cells without ids"]
        found += [f"{path.relative_to(ROOT)} {fault}" for fault in ids + faults(notebook)]
    assert len(NOTEBOOKS) > 1 and not found, "\n".join(found)


def code(source="x = 1", *, text=None, data=None, stderr=None, tags=(), alt=None, caption=None):
    """A code cell as a chapter might hold it."""
    cell = nbformat.v4.new_code_cell(source, metadata={"tags": list(tags)} if tags else {})
    if alt or caption:
        cell.metadata["mystnb"] = {"image": {"alt": alt or ""}, "figure": {"caption": caption or ""}}
    if text:
        cell.outputs.append(nbformat.v4.new_output("stream", text=text))
    if stderr:
        cell.outputs.append(nbformat.v4.new_output("stream", name="stderr", text=stderr))
    if data:
        cell.outputs.append(nbformat.v4.new_output("display_data", data=data))
    return cell


def notebook_of(*cells):
    notebook = nbformat.v4.new_notebook(cells=list(cells))
    for count, cell in enumerate(code_cells(notebook), start=1):
        cell.execution_count = count
    strip(bare := nbformat.from_dict(notebook))
    notebook.metadata = bare.metadata
    return notebook


FIGURE = {"text/plain": "<Figure size 640x480 with 1 Axes>"}
GOOD = [
    [code(text="score 0.984, n = 60,000, γ = 0.0455, 1.2e-16, numpy 2.4.6, 28.8 GB, ratio 3/4, [10,0.55]\n")],
    [code("plt.show()", data=FIGURE, alt="Error against the number of features.", caption="It falls.")],
    [
        code("x = 1\n" * 20, tags=["hide-input"]),
        code("with claim('x') as holds:\n" + "    holds(True)\n" * 20),
    ],
    [code(text="fitted in 1.2345 s", tags=["nbval-ignore-output"]), code(), code()],
    [code(data={"text/plain": "2", "text/markdown": "see https://example.org/a/b"}), code("")],
    [code("holds(svm.fit(X, y).predict(X)[0] == sometimes['accuracy'])\nprint(seconds)", text="a")],
]
BAD = {
    "more than three significant digits: 0.98412": [code(text="score 0.98412")],
    "stores image/png": [code(data=FIGURE | {"image/png": "aGk="}, alt="A figure.")],
    "stores text/html": [code(data={"text/plain": "a", "text/html": "<b>a</b>"})],
    "writes to stderr": [code(stderr="a warning")],
    "path of one machine": [code(text="read from /home/reader/data/letters.npz")],
    "memory address": [code(data={"text/plain": "<Widget at 0x7f8a1825ee90>"})],
    "without alt": [code("plt.show()", caption="It falls.")],
    "figure without caption": [code("draw()", data=FIGURE, alt="A curve that falls.")],
    "shows 13 lines of code": [code("x = 1\n" * 13)],
    "asserts: a claim": [code("if True:\n    assert x == 1")],
    "asserts a time, predict": [code("assert result['predict'] > 0")],
    "asserts a time, fit_seconds": [code("with claim('x') as holds:\n    holds(fit_seconds < 1)")],
    "never compared": [code(tags=["nbval-ignore-output"]), code("# NBVAL_SKIP"), code(), code()],
}


@pytest.mark.parametrize("cells", GOOD)
def test_a_good_notebook_has_no_faults(cells):
    assert faults(notebook_of(*cells)) == []


@pytest.mark.parametrize("fault", BAD)
def test_each_fault_is_caught(fault):
    assert fault in "\n".join(faults(notebook_of(*BAD[fault])))


@pytest.mark.parametrize("counts", [(1, None), (2, 1)])
def test_a_cell_without_execution_count_or_out_of_order_is_caught(counts):
    notebook = notebook_of(code(), code())
    for cell, count in zip(notebook.cells, counts, strict=True):
        cell.execution_count = count
    (fault,) = faults(notebook)
    assert "execution counts" in fault


def test_metadata_that_change_from_run_to_run_are_caught():
    for key, value in {"widgets": {}, "language_info": {"version": "3.14.1"}}.items():
        notebook = notebook_of(code())
        notebook.metadata[key] = value
        assert faults(notebook) == ["holds outputs or metadata that `make notebooks` strips"]
    notebook = notebook_of(code())
    notebook.cells[0].metadata["execution"] = {"iopub.status.busy": "2026-01-01T00:00:00Z"}
    assert faults(notebook) == ["holds outputs or metadata that `make notebooks` strips"]
