"""Try an assignment with three made-up submissions, and say what marks nbgrader gives them.

    python tools/course/trial.py [--course FOLDER] [page]

They are made from the book's own solutions: one is right, one leaves every second exercise as it was, and one
fails in its first answer. What a person marks gets nothing here.
"""

import argparse
import ast
import re
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "tools"), str(ROOT / "_ext")]

from assignment import LAB, nbgrader  # noqa: E402

DATA = {"X_test", "y_test"}  # what checks take from the page
MARKS = """\
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    for submission in book.find_assignment({page!r}).submissions:
        (notebook,) = submission.notebooks
        marks = [grade for grade in notebook.grades if grade.auto_score is not None]
        given = ", ".join(f"{{grade.name}} {{grade.auto_score:g}}" for grade in marks)
        print(f"{{submission.student.id:6}} {{notebook.score:4g}} of {{notebook.max_score:g}}: {{given}}")
"""


def solutions(notebook):
    """The code before the first solution, and that of each solution, in their order."""
    before, found, inside = [], [], False
    for cell in notebook.cells:
        if cell.cell_type == "code":
            (found[-1] if inside else before).append(cell.source)
            continue
        for gate in re.findall(r"^`{3,}\{solution-(start|end)\}", cell.source, re.MULTILINE):
            inside = gate == "start"
            if inside:
                found.append([])
    return "\n\n".join(before), ["\n\n".join(cells) for cells in found]


def answer_to(checks, source):
    """A solution's code, and what it gives to its checks under the names that the stub's checks take.

    The code runs among names of its own, so that the page keeps its.
    """
    solved = {ast.unparse(call.func): call.args for call in calls(source)}
    given = [
        f"{name.id} = eval({ast.unparse(value)!r}, solved)"
        for call in calls(checks)
        for name, value in zip(call.args, solved.get(ast.unparse(call.func), ()), strict=False)
        if isinstance(name, ast.Name) and name.id not in DATA
    ]
    first = "solved = globals() | globals().get('solved', {})"
    return "\n".join([first, f"exec({source!r}, solved)", *given])


def beginning(setup):
    """What solutions begin with, among names of its own, but with the page's rows: theirs may be fewer."""
    rows = ", ".join(f"{name!r}: {name}" for name in sorted(DATA))
    return f"solved = dict(globals())\nexec({setup!r}, solved)\nsolved |= {{{rows}}}\n"


def calls(source):
    """The calls of checks in a program."""
    found = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [call for call in found if ast.unparse(call.func).startswith("check.")]


def submissions(release, setup, codes):
    """Fill in the answers of a released notebook; a notebook for each student."""
    answers = {cell.metadata.nbgrader.grade_id: i for i, cell in enumerate(release.cells) if is_answer(cell)}
    filled = {}
    for name in ("right", "half", "fails"):
        filled[name] = nbformat.reads(nbformat.writes(release), as_version=4)
        for order, (answer, place) in enumerate(answers.items()):
            number = answer.split("-")[1]
            if name == "half" and int(number) % 2 == 0:
                continue
            answer = answer_to(release.cells[place + 1].source, codes[int(number) - 1])
            first = beginning(setup) if setup and order == 0 else ""
            failing = "1 / 0\n" if name == "fails" and order == 0 else ""
            filled[name].cells[place].source = first + failing + answer
    return filled


def is_answer(cell):
    """Whether a student fills in this cell."""
    return cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution", False)


def main(arguments=None):
    """Hand in, mark, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("page", nargs="?", default=LAB)
    parser.add_argument("--course", type=Path, default=ROOT / "course")
    options = parser.parse_args(arguments)
    course, page = options.course.resolve(), options.page
    python = course / "environment" / "bin" / "python"
    path = ROOT / "chapters" / f"{page}{'_solutions' if page == LAB else ''}.ipynb"
    setup, codes = solutions(nbformat.read(path, as_version=4))
    release = nbformat.read(course / "release" / page / f"{page}.ipynb", as_version=4)
    for name, notebook in submissions(release, setup if page == LAB else "", codes).items():
        folder = course / "submitted" / name / page
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / f"{page}.ipynb")
        (folder / "book.mplstyle").write_bytes((course / "release" / page / "book.mplstyle").read_bytes())
    nbgrader(course, python, "autograde", page, "--create", "--force")
    subprocess.run([python, "-c", MARKS.format(page=page)], cwd=course, check=True)


if __name__ == "__main__":
    main()
