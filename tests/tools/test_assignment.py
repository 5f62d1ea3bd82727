"""An assignment holds stubs that students fill in, checks that they cannot change, and 20 points."""

from unittest.mock import Mock

import nbformat
import pytest
from course.questions import locked, parts_of, source_of, split_stub
from course.trial import answer_to, beginning
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

WORDS = "Before.\n\n> **Exercise 5.{0} (One).**\n>\n> Find one.\n\nAfter."
STUB = 'def one(x):\n    """1."""\n    ...\n\n\ncheck.check_one(one)\ncheck.check_sign(\n    one, SIGN\n)'


def cell(source, *tags):
    return new_code_cell(source, metadata={"tags": list(tags)})


def page(*more):
    """A page with one exercise that has a stub and one in words."""
    first = [
        cell("%pip install x", "package"),
        new_markdown_cell("# Title\n\nIntro."),
        cell("import numpy as np"),
    ]
    rest = [
        cell("SIGN = np.sign(START)"),
        cell("START = 1"),
        cell("unused = 2"),
        new_markdown_cell(WORDS.format(1)),
        cell(STUB, "stub"),
    ]
    return new_notebook(cells=[*first, rest[1], rest[0], *rest[2:], *more])


IN_WORDS = new_markdown_cell("> **Exercise 5.2 (Proof).**\n>\n> Prove it.")


def graded_points(source):
    marks = [cell.metadata.get("nbgrader", {}) for cell in source.cells]
    return {mark["grade_id"]: mark["points"] for mark in marks if mark.get("grade")}


def test_the_points_are_those_of_the_sheet():
    source = source_of(page(IN_WORDS), whole=False)
    nbformat.validate(source)
    points = graded_points(source)
    assert points == {"check-1": 9, "written-2": 8, "report": 2, "no-bugs": 1}
    lab = [
        part
        for i in range(8)
        for part in (new_markdown_cell(f"> **Exercise 7.{i} (Question).**\n>\n> Ask."), cell(STUB, "stub"))
    ]
    points = graded_points(source_of(new_notebook(cells=[page().cells[0], *lab]), whole=True))
    assert sum(points.values()) == 20
    assert sum(value for name, value in points.items() if name.startswith(("check", "written"))) == 17


def test_a_stub_is_cut_before_its_checks_which_are_locked():
    answer, check = split_stub(STUB)
    assert answer == 'def one(x):\n    """1."""\n    ...'
    assert check == "check.check_one(one)\ncheck.check_sign(\n    one, SIGN\n)"
    cells = {cell.id: cell for cell in source_of(page(), whole=False).cells}
    assert cells["answer-1"].metadata.nbgrader.solution and not cells["answer-1"].metadata.nbgrader.locked
    assert cells["check-1"].metadata.nbgrader.locked and cells["check-1"].source == check


def test_an_exercise_of_two_stubs_shares_its_points():
    source = source_of(page(cell("a = ...\n\ncheck.check_a(a)", "stub")), whole=False)
    assert graded_points(source) == {"check-1": 9, "check-1-2": 8, "report": 2, "no-bugs": 1}


def test_a_chapters_assignment_keeps_the_exercises_and_the_cells_that_they_need():
    sources = [cell.source for cell in source_of(page(IN_WORDS), whole=False).cells]
    assert sources[2] == "# Title: exercises"
    kept = [
        source for source in sources if source in ("import numpy as np", "START = 1", "SIGN = np.sign(START)")
    ]
    assert kept == ["import numpy as np", "START = 1", "SIGN = np.sign(START)"]
    assert "unused = 2" not in sources and not any("Before" in source for source in sources)
    assert "Before." in [cell.source for cell in source_of_lab_like().cells]


def source_of_lab_like():
    """The whole of a page with eight questions."""
    more = [
        part
        for _ in range(7)
        for part in (new_markdown_cell("> **Exercise 1 (Q).**\n>\n> Ask."), cell(STUB, "stub"))
    ]
    return source_of(page(*more), whole=True)


def test_a_solution_answers_under_the_name_that_the_stub_has():
    page = {"check": Mock(), "x": 5, "y_test": [1]}
    exec(answer_to("check.check_a(a, y_test)", "x, y_test = 3, [2]\ncheck.check_a(2 * x, y_test)"), page)
    exec(answer_to("check.check_b(f)", "def f(): return x\ncheck.check_b(f)"), page)
    assert (page["a"], page["f"]()) == (6, 3)
    assert (page["x"], page["y_test"]) == (5, [1])  # the page's own


def test_solutions_answer_for_the_rows_of_the_page():
    page = {"check": Mock(), "X_test": [1, 2, 3], "y_test": [4, 5, 6]}
    setup = "X_test, y_test, n = [1, 2], [4, 5], 7\ndef labels(): return y_test"
    checks, solution = "check.check_a(a, y_test)", "check.check_a([*labels(), n], y_test)"
    exec(beginning(setup) + answer_to(checks, solution), page)
    assert page["a"] == [4, 5, 6, 7] and "n" not in page


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([cell(STUB, "stub")], "follows no exercise"),
        ([IN_WORDS, cell("x = ...", "stub")], "ends in a call of its check"),
        ([], "no exercise"),
    ],
)
def test_a_page_that_makes_no_assignment_says_why(cells, words):
    first = [cell("%pip install x", "package"), new_markdown_cell("# Title")]
    with pytest.raises(ValueError, match=words):
        source_of(new_notebook(cells=[*first, *cells]), whole=False)


def test_what_a_cell_raises_is_noted_unless_a_check_says_no():
    ip = pytest.importorskip("IPython").core.interactiveshell.InteractiveShell.instance()
    cells = {cell.id: cell.source for cell in source_of(page(), whole=False).cells}
    ip.run_cell(cells["watch"], silent=False)
    ip.run_cell("assert False")
    assert ip.user_ns["raised"] == []
    ip.run_cell("1 / 0")
    ip.run_cell("this is no Python")
    assert [type(error) for error in ip.user_ns["raised"]] == [ZeroDivisionError, SyntaxError]
    assert not ip.run_cell(cells["no-bugs"]).success
    assert locked("x", "name").metadata.nbgrader.locked and list(parts_of(page()))
