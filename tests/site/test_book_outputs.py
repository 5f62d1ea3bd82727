"""The pages print what is committed: the build's execution of a chapter is its test, cell by cell.

`pytest --nbval` executes the chapters by themselves and compares the same.
"""

from pathlib import Path

import nbformat
import pytest
from execute_notebooks import code_cells, strip, writes_to_stderr

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))


def printed(cell):
    """The text of a cell's outputs, in order; a stream may have come in pieces."""
    found = []
    for output in cell.outputs:
        text = {"stdout": output.text} if output.output_type == "stream" else dict(output.data)
        if found and "stdout" in text and "stdout" in found[-1]:
            text["stdout"] = found.pop()["stdout"] + text["stdout"]
        found.append(text)
    return found


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
