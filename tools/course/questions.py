"""Turn a notebook of the students' edition into the source of an nbgrader assignment.

A stub becomes two cells: the answer, which the student fills in, and the call of its check, which is locked
and gives the points. An exercise in words, and the comment that a question asks for, become cells that a
person marks. The last cells are marked as the sheet says: the report, and code in which no cell fails.
"""

import ast
import re
from dataclasses import dataclass, field

from kernbook.student import defined_and_used
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ANSWERS, REPORT, NO_BUGS = 17, 2, 1  # the sheet's 20 points
# For each question of the lab the points of its check, and those of what is written about it.
LAB = [(1, 1), (2, 0), (1, 1), (2, 0), (1, 1), (3, 0), (1, 1), (1, 1)]
EXERCISE = re.compile(r"^(> \*\*Exercise .*(?:\n>.*)*)", re.MULTILINE)
WRITE = "*Write your answer here: double-click.*"
WATCH = """\
raised = []  # what the cells below raise, other than a check that says no


def note(result):
    error = result.error_before_exec or result.error_in_exec
    if error is not None and not isinstance(error, AssertionError):
        raised.append(error)


get_ipython().events.register("post_run_cell", note)"""
NO_BUG = 'assert not raised, f"{len(raised)} cells raise an exception, the first one {raised[0]!r}"'


@dataclass(eq=False)  # two may have the same words
class Question:
    """An exercise in words, and its stubs if it asks for code."""

    words: str
    stubs: list = field(default_factory=list)
    check_points: int = 0
    written_points: int = 0


def source_of(notebook, *, whole):
    """
    Write the source of an assignment.

    Parameters
    ----------
    notebook : NotebookNode
        Of the students' edition.
    whole : bool
        Whether to keep all of the page, as the lab's, or its exercises only, with the cells that they need.

    Returns
    -------
    NotebookNode
        To be put into nbgrader's folder `source`; its points sum to 20.
    """
    parts = list(parts_of(notebook))
    questions = [part for part in parts if isinstance(part, Question)]
    share_points(questions, LAB if whole else None)
    kept = parts if whole else exercises_only(parts)
    cells = [locked(kept[0].source, "package"), locked(WATCH, "watch")]
    for part in kept[1:]:
        match part:
            case Question():
                cells += question_cells(part, questions.index(part) + 1)
            case str():
                cells.append(new_markdown_cell(part, id=f"text-{len(cells)}"))
            case _:
                cells.append(locked(part.source, part.id))
    cells.append(new_markdown_cell("## Report", id="report-words"))
    cells.append(written("What you did, what came out, and what you conclude.", "report", REPORT))
    cells.append(graded(NO_BUG, "no-bugs", NO_BUGS))
    return new_notebook(cells=cells, metadata=notebook.metadata)


def parts_of(notebook):
    """Cut a notebook into words, questions with their stubs, and other cells with code."""
    last = None
    for cell in notebook.cells:
        if cell.cell_type == "code" and "stub" in cell.metadata.get("tags", []):
            if last is None:
                raise ValueError(f"the stub {cell.id!r} follows no exercise.")
            last.stubs.append(cell.source)
        elif cell.cell_type == "code":
            yield cell
        else:
            for i, text in enumerate(EXERCISE.split(cell.source)):
                if i % 2:
                    last = Question(text)
                    yield last
                elif text.strip():
                    yield text.strip()


def share_points(questions, points):
    """Give each question its points: those listed, or 17 in equal parts, what is left to the first ones."""
    if not questions:
        raise ValueError("the page has no exercise.")
    if points is None:
        by_question = zip(shares(ANSWERS, len(questions)), questions, strict=True)
        points = [(share, 0) if question.stubs else (0, share) for share, question in by_question]
    if len(points) != len(questions):
        raise ValueError(f"there are points for {len(points)} questions, and the page has {len(questions)}.")
    for question, (by_check, by_hand) in zip(questions, points, strict=True):
        if by_check and not question.stubs:
            raise ValueError(f"points for a check, but no stub: {question.words.splitlines()[0]}")
        question.check_points, question.written_points = by_check, by_hand


def shares(points, parts):
    """Cut points into whole parts, as equal as may be, the first ones larger."""
    return [points // parts + (i < points % parts) for i in range(parts)]


def exercises_only(parts):
    """Keep the title, the exercises, and of the other cells those that import or give what a stub takes."""
    wanted = set()
    for question in parts:
        for stub in question.stubs if isinstance(question, Question) else ():
            wanted |= defined_and_used(stub)[1]
    kept = []
    for part in reversed(parts[1:]):
        if isinstance(part, str):
            continue
        if not isinstance(part, Question):
            gives, takes = defined_and_used(part.source)
            if not (imports_only(part.source) or gives & wanted):
                continue
            wanted = (wanted - gives) | takes
        kept.insert(0, part)
    title = next(part for part in parts if isinstance(part, str)).splitlines()[0]
    return [parts[0], f"{title}: exercises", *kept]


def imports_only(source):
    """Whether a cell does nothing but import, and set a style."""
    return all(
        isinstance(line, ast.Import | ast.ImportFrom) or ast.unparse(line).startswith("plt.style.")
        for line in ast.parse(source).body
    )


def question_cells(question, number):
    """Write the cells of a question: its words, the answer, its check, what is to be said about it."""
    cells = [new_markdown_cell(question.words, id=f"question-{number}")]
    points = shares(question.check_points, len(question.stubs))
    for i, (stub, share) in enumerate(zip(question.stubs, points, strict=True)):
        name = f"{number}-{i + 1}" if i else str(number)
        answer, check = split_stub(stub)
        marks = nbgrader(f"answer-{name}", grade=False, solution=True, locked=False)
        cells.append(new_code_cell(answer, id=f"answer-{name}", metadata=marks))
        cells.append(graded(check, f"check-{name}", share) if share else locked(check, f"check-{name}"))
    if question.written_points:
        cells.append(written(WRITE, f"written-{number}", question.written_points))
    return cells


def split_stub(source):
    """Cut a stub before the calls of its check, with which it ends."""
    lines, body = source.splitlines(), ast.parse(source).body
    first = len(body)
    while first and ast.unparse(body[first - 1]).startswith("check."):
        first -= 1
    if first == len(body):
        raise ValueError(f"a stub ends in a call of its check, got: {lines[-1]}")
    cut = body[first].lineno - 1
    return "\n".join(lines[:cut]).rstrip(), "\n".join(lines[cut:])


def nbgrader(name, **marks):
    """A cell's metadata, in nbgrader's words."""
    return {"nbgrader": {"schema_version": 3, "grade_id": name, "task": False, **marks}}


def locked(source, name):
    """A cell of the page, which nbgrader puts back where a student changed it."""
    marks = {"grade": False, "solution": False, "locked": True}
    return new_code_cell(source, id=name, metadata=nbgrader(name, **marks))


def graded(source, name, points):
    """A cell that gives its points if it runs."""
    marks = {"grade": True, "solution": False, "locked": True, "points": points}
    return new_code_cell(source, id=name, metadata=nbgrader(name, **marks))


def written(words, name, points):
    """A cell of words that a person marks."""
    marks = {"grade": True, "solution": True, "locked": False, "points": points}
    return new_markdown_cell(words, id=name, metadata=nbgrader(name, **marks))
