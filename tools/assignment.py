"""Turn pages of the students' edition into nbgrader assignments, in a folder that holds a course.

    python tools/assignment.py [--course FOLDER] [page ...]

A page is `07_lab`, the default, or another one whose exercises have stubs, such as `05_draws`. nbgrader is
installed with the package into FOLDER/environment; the book does not need it. A teacher may change what is in
FOLDER/source; students get what is in FOLDER/release.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "_ext"))

from course.questions import make_source  # noqa: E402

NBGRADER = "nbgrader>=0.9.5,<0.10"
LAB = "07_lab"
CONFIG = '''\
c = get_config()
c.CourseDirectory.course_id = "kernels"
c.ClearSolutions.enabled = False  # the source holds stubs already
c.ExecutePreprocessor.timeout = 600  # seconds for one cell


def unmark_copies(notebook, resources):
    """Keep the marks of the last copy of a cell only: nbgrader would stop the grading of all students."""
    seen = set()
    for cell in reversed(notebook.cells):
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in seen:
            cell.metadata.pop("nbgrader", None)
        seen.add(name)
    return notebook, resources


c.Autograde.sanitize_preprocessors.insert(0, unmark_copies)
'''


def main(arguments=None):
    """Write the sources, and let nbgrader make what students get."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", default=[LAB], help="names of notebooks, without .ipynb")
    parser.add_argument("--course", type=Path, default=ROOT / "course", help="the course's folder")
    options = parser.parse_args(arguments)
    edition, course = ROOT / "_build" / "student", options.course.resolve()
    for page in options.pages:
        path = edition / f"{page}.ipynb"
        if not path.is_file():
            pages = ", ".join(sorted(path.stem for path in edition.glob("*.ipynb")))
            sys.exit(f"There is no page {page!r} in the students' edition, only {pages or 'none'}.")
        try:
            source = make_source(nbformat.read(path, as_version=4), whole=page == LAB)
        except ValueError as error:
            sys.exit(f"{page} cannot become an assignment: {error}")
        folder = course / "source" / page
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(source, folder / path.name)
    if not (course / "nbgrader_config.py").exists():
        (course / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    install_nbgrader(course)
    for page in options.pages:
        run_nbgrader(course, "generate_assignment", page, "--force")
        print(f"{course / 'release' / page}: hand out this folder; answers go to submitted/NAME/{page}")


def install_nbgrader(course):
    """Create the course's environment, unless it is there and pyproject.toml has not changed."""
    folder = course / "environment"
    wanted = hashlib.sha256(NBGRADER.encode() + (ROOT / "pyproject.toml").read_bytes()).hexdigest()
    if not (stamp := folder / ".ready").is_file() or stamp.read_text(encoding="utf-8") != wanted:
        print(f"Installing nbgrader into {folder}: some minutes, the first time", flush=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        install = [folder / "bin" / "python", "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*install, NBGRADER, "-e", f"{ROOT}[colab]"], check=True)
        stamp.write_text(wanted, encoding="utf-8")


def run_nbgrader(course, *arguments):
    """Run nbgrader in the course's folder; if it fails, print its output and exit."""
    folder = course / "environment" / "bin"
    env = os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}  # nbgrader calls alembic
    command = [folder / "python", "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=course, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


if __name__ == "__main__":
    main()
