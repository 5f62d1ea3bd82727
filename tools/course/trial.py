"""Try an assignment with three made-up submissions, and print the points that nbgrader gives them.

    .venv/bin/python tools/course/trial.py [--course FOLDER] [page]

They are made from the book's own solutions: one is right, one leaves every second exercise as it was, and one
fails in its first answer. What a person grades gets no points here.
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

from assignment import LAB, run_nbgrader  # noqa: E402

DATA = {"X_test", "y_test"}  # what checks take from the page
PRINT_POINTS = """\
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    for submission in book.find_assignment({page!r}).submissions:
        (notebook,) = submission.notebooks
        grades = [grade for grade in notebook.grades if grade.auto_score is not None]
        points = ", ".join(f"{{grade.name}} {{grade.auto_score:g}}" for grade in grades)
        print(f"{{submission.student.id:6}} {{notebook.score:4g}} of {{notebook.max_score:g}}: {{points}}")
"""


def read_solutions(notebook):
    """Return the code before the first solution, and a list with the code of each solution."""
    before, solutions, inside = [], [], False
    for cell in notebook.cells:
        if cell.cell_type == "code":
            (solutions[-1] if inside else before).append(cell.source)
            continue
        for gate in re.findall(r"^`{3,}\{solution-(start|end)\}", cell.source, re.MULTILINE):
            inside = gate == "start"
            if inside:
                solutions.append([])
    return "\n\n".join(before), ["\n\n".join(cells) for cells in solutions]


def find_checks(source):
    """Return the calls of checks in a program."""
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    return [call for call in calls if ast.unparse(call.func).startswith("check.")]


def answer_stub(checks, solution):
    """Return code that runs a solution apart, and gives its results the names in the stub's checks."""
    solved = {ast.unparse(call.func): call.args for call in find_checks(solution)}
    assignments = [
        f"{name.id} = eval({ast.unparse(value)!r}, solved)"
        for call in find_checks(checks)
        for name, value in zip(call.args, solved.get(ast.unparse(call.func), ()), strict=False)
        if isinstance(name, ast.Name) and name.id not in DATA
    ]
    namespace = "solved = globals() | globals().get('solved', {})"
    return "\n".join([namespace, f"exec({solution!r}, solved)", *assignments])


def prepare_namespace(setup):
    """Return code that runs the solutions' setup in their namespace, but keeps the rows of the page.

    The solutions' claims are about fewer test rows, and check nothing here.
    """
    rows = ", ".join(f"{name!r}: {name}" for name in sorted(DATA))
    kept = f"{{{rows}, 'claim': lambda *_, **__: nullcontext(id)}}"
    run = f"solved = dict(globals())\nexec({setup!r}, solved)\nsolved |= {kept}\n"
    return f"from contextlib import nullcontext\n{run}"


def fill_in(release, setup, solutions, student):
    """Fill in the answers of a released notebook as a student: "right", "half" or "fails"."""
    notebook, first = nbformat.reads(nbformat.writes(release), as_version=4), True
    for cell, check in zip(notebook.cells, notebook.cells[1:], strict=False):
        metadata = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and metadata.get("solution"):
            number = int(metadata["grade_id"].split("-")[1])
            if student != "half" or number % 2:
                before = prepare_namespace(setup) if setup and first else ""
                fault = "1 / 0\n" if student == "fails" and first else ""
                cell.source = before + fault + answer_stub(check.source, solutions[number - 1])
            first = False
    return notebook


def main(arguments=None):
    """Submit, grade and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("page", nargs="?", default=LAB)
    parser.add_argument("--course", type=Path, default=ROOT / "course")
    options = parser.parse_args(arguments)
    course, page = options.course.resolve(), options.page
    path = ROOT / "chapters" / f"{page}{'_solutions' if page == LAB else ''}.ipynb"
    setup, solutions = read_solutions(nbformat.read(path, as_version=4))
    release = nbformat.read(course / "release" / page / f"{page}.ipynb", as_version=4)
    for student in ("right", "half", "fails"):
        folder = course / "submitted" / student / page
        folder.mkdir(parents=True, exist_ok=True)
        notebook = fill_in(release, setup if page == LAB else "", solutions, student)
        nbformat.write(notebook, folder / f"{page}.ipynb")
    run_nbgrader(course, "autograde", page, "--create", "--force")
    command = [course / "environment" / "bin" / "python", "-c", PRINT_POINTS.format(page=page)]
    subprocess.run(command, cwd=course, check=True)


if __name__ == "__main__":
    main()
