"""Each chapter's exercises: how many, of which kinds, and their stubs."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from kernlib.book.checks._check import NOT_DONE

CHAPTERS = Path(__file__).parents[3] / "chapters"
NUMBERS = ("01", "02", "03", "04", "05", "06", "08", "09", "10", "11", "12")


def pages(number):
    return [nbformat.read(path, 4) for path in sorted(CHAPTERS.glob(f"{number}_*.ipynb"))]


def pages_with_exercises(number):
    """The cells of each page of a chapter that has exercises."""
    found = [nb.cells for nb in pages(number) if any("{exercise-start}" in cell.source for cell in nb.cells)]
    assert found
    return found


def is_stub(cell):
    return "stub" in cell.metadata.get("tags", [])


def bound_in(cell):
    """The names that a cell of code binds, parameters among them."""
    nodes = list(ast.walk(ast.parse(cell.source)))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return stored | {
        node.name if isinstance(node, ast.FunctionDef) else node.arg
        for node in nodes
        if isinstance(node, ast.FunctionDef | ast.arg)
    }


@pytest.mark.parametrize("number", NUMBERS)
def test_a_chapter_has_enough_exercises_with_a_proof_a_thing_to_break_and_real_data(number, limit):
    source = "\n".join(cell.source for cells in pages_with_exercises(number) for cell in cells)
    titles = re.findall(r"\{exercise-start\} (.+)\n:label: (\S+)", source)
    fewest, most = limit("exercises of a chapter")
    assert fewest <= len(titles) <= most
    for kind in ("Proof: ", "Break it: ", "Real data: "):
        assert any(title.startswith(kind) for title, _ in titles), kind
    assert re.findall(r"\{solution-start\} (\S+)", source) == [label for _, label in titles]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_stub_is_short_ends_in_its_check_and_says_that_it_is_not_done(number, limit):
    stubs = [cell for cells in pages_with_exercises(number) for cell in cells if is_stub(cell)]
    assert [len(stubs)] >= limit("exercises of a chapter")[:1]
    for cell in stubs:
        assert [len(cell.source.splitlines())] <= limit("lines of a stub") and "..." in cell.source
        assert cell.source.splitlines()[-1].startswith("check.check_")
        assert [output.text for output in cell.outputs] == [f"{NOT_DONE}\n"]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_stub_takes_no_name_that_a_solution_needs_from_the_page(number):
    """A stub's name that the page has already is bound again, before a solution uses it."""
    for page in pages_with_exercises(number):
        cells = [cell for cell in page if cell.cell_type == "code"]
        first = next(i for i, cell in enumerate(cells) if is_stub(cell))
        taken = set().union(*map(bound_in, cells[:first])) & set().union(
            *map(bound_in, filter(is_stub, cells))
        )
        bound = set()
        for cell in (cell for cell in cells[first:] if not is_stub(cell)):
            bound |= bound_in(cell)
            used = {node.id for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Name)}
            assert used & taken <= bound
