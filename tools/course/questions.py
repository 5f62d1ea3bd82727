"""Turn a notebook of the students' edition into the source of an nbgrader assignment.

A stub becomes two cells: the answer, which the student fills in, and the call of its check, which is locked
and gives the points. Exercises in words become cells that a person grades. So do the comments on the lab's
questions, and the rubric of a comment joins the words of its question. The last cells are graded as the lab's
sheet says: the report, and code in which no cell fails.
"""

import ast
import re
from dataclasses import dataclass, field

from kernbook.student import defined_and_used
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ANSWERS, REPORT, NO_FAILURE = 17, 2, 1  # the sheet's 20 points
# For each question of the lab, the points of its check and those of the written comment.
LAB = [(1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (2, 1), (1, 1), (1, 1)]
EXERCISE = re.compile(r"^(> \*\*Exercise .*(?:\n>.*)*)", re.MULTILINE)
COMMENT = re.compile(r"^(\*Your comment: .*\*)\n\n(<details>[\s\S]*?</details>)$", re.MULTILINE)
ASK_FOR_REPORT = "## Report\n\nWhat you did, what came out, and what you conclude."
WRITE = "*Write your answer here: double-click.*"
WATCH = """\
raised = []  # exceptions of the cells below, except those of checks


def note(result):
    error = result.error_before_exec or result.error_in_exec
    if error is not None and not isinstance(error, AssertionError):
        raised.append(error)


get_ipython().events.register("post_run_cell", note)"""
NO_BUG = 'assert not raised, f"{len(raised)} cells raise an exception, the first one {raised[0]!r}"'


@dataclass(eq=False)  # two questions may have the same words
class Question:
    """An exercise in words, and its stubs if it requires code."""

    words: str
    invitation: str = WRITE
    stubs: list = field(default_factory=list)
    check_points: int = 0
    written_points: int = 0


def make_source(notebook, *, whole):
    """Return the source of an assignment of 20 points: the whole page, or exercises and what they need."""
    parts = list(split_into_parts(notebook))
    questions = [part for part in parts if isinstance(part, Question)]
    assign_points(questions, LAB if whole else None)
    kept = parts if whole else select_exercises(parts)
    cells = [make_cell(new_code_cell, kept[0].source, "package"), make_cell(new_code_cell, WATCH, "watch")]
    for part in kept[1:]:
        match part:
            case Question():
                cells += make_question_cells(part, questions.index(part) + 1)
            case str():
                cells.append(new_markdown_cell(part, id=f"text-{len(cells)}"))
            case _:
                cells.append(make_cell(new_code_cell, part.source, part.id))
    cells.append(make_cell(new_markdown_cell, ASK_FOR_REPORT, "report", points=REPORT, answer=True))
    cells.append(make_cell(new_code_cell, NO_BUG, "no-bugs", points=NO_FAILURE))
    return new_notebook(cells=cells, metadata=notebook.metadata)


def split_into_parts(notebook):
    """Yield a notebook's text (str), questions with their stubs, and other cells with code."""
    question = None
    for cell in notebook.cells:
        if cell.cell_type == "code" and "stub" in cell.metadata.get("tags", []):
            if question is None:
                raise ValueError(f"the stub {cell.id!r} follows no exercise.")
            question.stubs.append(cell.source)
        elif cell.cell_type == "code":
            yield cell
        else:
            source = cell.source
            if comment := COMMENT.search(source):
                if question is None:
                    raise ValueError(f"{comment[1]!r} follows no exercise.")
                question.invitation, rubric = comment.groups()
                question.words += f"\n\n{rubric}"
                source = COMMENT.sub("", source)
            for i, text in enumerate(EXERCISE.split(source)):
                if i % 2:
                    question = Question(text)
                    yield question
                elif text.strip():
                    yield text.strip()


def assign_points(questions, points):
    """Give each question its points for the check and the comment; without a list, 17 in equal parts."""
    if not questions:
        raise ValueError("the page has no exercise.")
    if points is None:
        by_question = zip(split_points(ANSWERS, len(questions)), questions, strict=True)
        points = [(share, 0) if question.stubs else (0, share) for share, question in by_question]
    if len(points) != len(questions):
        raise ValueError(f"there are points for {len(points)} questions, and the page has {len(questions)}.")
    for question, (by_check, by_hand) in zip(questions, points, strict=True):
        if by_check and not question.stubs:
            raise ValueError(f"points for a check, but no stub: {question.words.splitlines()[0]}")
        question.check_points, question.written_points = by_check, by_hand


def split_points(points, parts):
    """Split points into whole parts that are as equal as possible, the first ones larger."""
    return [points // parts + (i < points % parts) for i in range(parts)]


def select_exercises(parts):
    """Keep the title, the exercises, and the cells that import or define what a stub uses."""
    wanted, kept = set(), []
    for question in parts:
        for stub in question.stubs if isinstance(question, Question) else ():
            wanted |= defined_and_used(stub)[1]
    for part in reversed(parts[1:]):
        if isinstance(part, Question):
            kept.insert(0, part)
        elif not isinstance(part, str):
            given, taken = defined_and_used(part.source)
            if only_imports(part.source) or given & wanted:
                wanted = (wanted - given) | taken
                kept.insert(0, part)
    title = next(part for part in parts if isinstance(part, str)).splitlines()[0]
    return [parts[0], f"{title}: exercises", *kept]


def only_imports(source):
    """Return whether a cell only imports modules and sets the style of figures."""
    return all(
        isinstance(line, ast.Import | ast.ImportFrom) or ast.unparse(line) == "use_book_style()"
        for line in ast.parse(source).body
    )


def make_question_cells(question, number):
    """Return the cells of a question: its words, and each stub's answer and check, and the comment."""
    cells = [new_markdown_cell(question.words, id=f"question-{number}")]
    points = split_points(question.check_points, len(question.stubs))
    for i, (stub, share) in enumerate(zip(question.stubs, points, strict=True)):
        name = f"{number}-{i + 1}" if i else str(number)
        answer, check = split_stub(stub)
        cells.append(make_cell(new_code_cell, answer, f"answer-{name}", answer=True))
        cells.append(make_cell(new_code_cell, check, f"check-{name}", points=share or None))
    if points := question.written_points:
        cells.append(
            make_cell(new_markdown_cell, question.invitation, f"written-{number}", points=points, answer=True)
        )
    return cells


def split_stub(source):
    """Split a stub into the answer and the calls of its check, with which it ends."""
    lines, body = source.splitlines(), ast.parse(source).body
    first = len(body)
    while first and ast.unparse(body[first - 1]).startswith("check."):
        first -= 1
    if first == len(body):
        raise ValueError(f"a stub must end in a call of its check, got: {lines[-1]}")
    cut = body[first].lineno - 1
    return "\n".join(lines[:cut]).rstrip(), "\n".join(lines[cut:])


def make_cell(new_cell, source, name, *, points=None, answer=False):
    """Return a cell for nbgrader: an answer or locked; graded if it has points."""
    marks = {"grade": points is not None, "solution": answer, "locked": not answer, "task": False}
    if points is not None:
        marks["points"] = points
    metadata = {"nbgrader": {"schema_version": 3, "grade_id": name, **marks}}
    return new_cell(source, id=name, metadata=metadata)
