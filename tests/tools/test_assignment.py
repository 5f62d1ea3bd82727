"""An assignment holds stubs that students fill in, checks that they cannot change, and 20 points."""

from unittest.mock import Mock

import nbformat
import pytest
from assignment import CONFIG
from course.questions import make_source, split_stub
from course.trial import answer_stub, prepare_namespace
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

EXERCISE = "> **Exercise 5.1 (One).**\n>\n> Find one."
STUB = 'def one(x):\n    """1."""\n    ...\n\n\ncheck.check_one(one)\ncheck.check_sign(\n    one, SIGN\n)'
ANSWER, CHECKS = STUB.split("\n\n\n")


def code(source, *tags):
    return new_code_cell(source, metadata={"tags": list(tags)})


def page(*more):
    """A page with one exercise that has a stub, and cells that the stub needs or does not need."""
    sources = ["import numpy as np", "START = 1", "SIGN = np.sign(START)", "unused = 2"]
    before = [code("%pip install x", "package"), new_markdown_cell("# Title\n\nIntro.")]
    exercise = [new_markdown_cell(f"Before.\n\n{EXERCISE}\n\nAfter."), code(STUB, "stub")]
    return new_notebook(cells=[*before, *map(code, sources), *exercise, *more])


IN_WORDS = new_markdown_cell("> **Exercise 5.2 (Proof).**\n>\n> Prove it.")


def graded_points(source):
    metadata = [cell.metadata.get("nbgrader", {}) for cell in source.cells]
    return {marks["grade_id"]: marks["points"] for marks in metadata if marks.get("grade")}


def test_the_exercises_of_a_chapter_share_17_points():
    source = make_source(page(IN_WORDS), whole=False)
    nbformat.validate(source)
    assert graded_points(source) == {"check-1": 9, "written-2": 8, "report": 2, "no-bugs": 1}


def test_an_exercise_with_two_stubs_shares_its_points():
    source = make_source(page(code("a = ...\n\ncheck.check_a(a)", "stub")), whole=False)
    assert graded_points(source) == {"check-1": 9, "check-1-2": 8, "report": 2, "no-bugs": 1}


def test_the_lab_keeps_the_whole_page_and_the_points_of_its_sheet():
    more = [part for _ in range(7) for part in (new_markdown_cell(EXERCISE), code(STUB, "stub"))]
    source = make_source(page(*more), whole=True)
    assert sum(graded_points(source).values()) == 20
    assert {"Before.", "unused = 2"} <= {cell.source for cell in source.cells}


def test_a_comment_is_written_in_a_cell_of_its_own_and_its_rubric_stands_with_the_question():
    rubric = "<details>\n<summary>Marks</summary>\n\n- Full: a reason.\n\n</details>"
    invitation = "*Your comment: why?*"
    comment = f"{invitation}\n\n{rubric}"
    questions = [
        (new_markdown_cell(EXERCISE), code(STUB, "stub"), new_markdown_cell(comment)) for _ in range(7)
    ]
    source = make_source(page(*sum(questions, ())), whole=True)
    cells = {cell.id: cell for cell in source.cells}
    assert cells["question-8"].source == f"{EXERCISE}\n\n{rubric}"
    assert cells["written-8"].source == invitation
    assert cells["written-8"].metadata.nbgrader.points == 1
    assert not any("Your comment" in cell.source for name, cell in cells.items() if "written" not in name)


def test_a_stub_is_split_before_its_checks_which_are_locked():
    assert split_stub(STUB) == (ANSWER, CHECKS)
    cells = {cell.id: cell for cell in make_source(page(), whole=False).cells}
    answer, check = cells["answer-1"], cells["check-1"]
    assert answer.metadata.nbgrader.solution and not answer.metadata.nbgrader.locked
    assert check.metadata.nbgrader.locked and (answer.source, check.source) == (ANSWER, CHECKS)


def test_a_chapters_assignment_keeps_the_exercises_and_the_cells_that_they_need():
    sources = [cell.source for cell in make_source(page(IN_WORDS), whole=False).cells]
    assert sources[2] == "# Title: exercises"
    assert sources[3:7] == ["import numpy as np", "START = 1", "SIGN = np.sign(START)", EXERCISE]
    assert "unused = 2" not in sources and "Before." not in sources


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([code(STUB, "stub")], "follows no exercise"),
        ([IN_WORDS, code("x = ...", "stub")], "must end in a call of its check"),
        ([], "no exercise"),
    ],
)
def test_a_page_that_cannot_become_an_assignment_says_why(cells, words):
    first = [code("%pip install x", "package"), new_markdown_cell("# Title")]
    with pytest.raises(ValueError, match=words):
        make_source(new_notebook(cells=[*first, *cells]), whole=False)


def test_an_exception_costs_the_point_for_code_unless_a_check_raises_it():
    ip = InteractiveShell.instance()
    cells = {cell.id: cell.source for cell in make_source(page(), whole=False).cells}
    ip.run_cell(cells["watch"], silent=False)
    ip.run_cell("assert False")
    assert ip.user_ns["raised"] == [] and ip.run_cell(cells["no-bugs"]).success
    ip.run_cell("1 / 0")
    ip.run_cell("this is no Python")
    assert [type(error) for error in ip.user_ns["raised"]] == [ZeroDivisionError, SyntaxError]
    assert not ip.run_cell(cells["no-bugs"]).success


def test_a_cell_that_a_student_copied_is_graded_once_and_stops_nothing():
    config = Mock()
    exec(CONFIG, {"get_config": lambda: config})
    (_, unmark_copies), _ = config.Autograde.sanitize_preprocessors.insert.call_args
    source = make_source(page(), whole=False)
    cells = [cell for cell in source.cells for _ in range(1 + (cell.id in ("answer-1", "check-1")))]
    submitted = nbformat.from_dict({**source, "cells": cells})
    changed, _ = unmark_copies(submitted, {})
    unmarked = [cell.id for cell in changed.cells if "nbgrader" not in cell.metadata]
    assert unmarked[2:] == ["answer-1", "check-1"]
    assert graded_points(changed) == graded_points(source)


def test_a_solution_answers_under_the_names_of_the_stub_and_leaves_the_page_alone():
    page = {"check": Mock(), "x": 5, "y_test": [1]}
    exec(answer_stub("check.check_a(a, y_test)", "x, y_test = 3, [2]\ncheck.check_a(2 * x, y_test)"), page)
    exec(answer_stub("check.check_b(f)", "def f(): return x\ncheck.check_b(f)"), page)
    assert (page["a"], page["f"]()) == (6, 3)
    assert (page["x"], page["y_test"]) == (5, [1])


def test_a_solution_uses_the_rows_of_the_page_without_claims_about_its_own():
    page = {"check": Mock(), "X_test": [1, 2, 3], "y_test": [4, 5, 6]}
    setup = "X_test, y_test, n = [1, 2], [4, 5], 7\ndef labels(): return y_test"
    checks, solution = "check.check_a(a, y_test)", "check.check_a([*labels(), n], y_test)"
    setup += "\nfrom kernlib.book.claims import claim"
    solution += "\nwith claim('of two rows') as holds:\n    holds(len(y_test) == 2)"
    exec(prepare_namespace(setup) + answer_stub(checks, solution), page)
    assert page["a"] == [4, 5, 6, 7] and "n" not in page
