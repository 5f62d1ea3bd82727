"""Turn pages of the students' edition into nbgrader assignments, in a folder that holds a course.

    python tools/assignment.py [--course FOLDER] [page ...]

A page is `07_lab`, the default, or any other whose exercises have stubs, as `05_bounds`. nbgrader comes into
an environment of its own, FOLDER/environment, with the package; the book doesn't need it. FOLDER/source holds
what a teacher may change, FOLDER/release what students get.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "_ext"))

from course.questions import source_of  # noqa: E402

NBGRADER = "nbgrader>=0.9.5,<0.10"
LAB = "07_lab"
CONFIG = """\
c = get_config()
c.CourseDirectory.course_id = "kernels"
c.ClearSolutions.enabled = False  # the source holds stubs already
c.ExecutePreprocessor.timeout = 600  # seconds for one cell
"""


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
            names = (
                ", ".join(sorted(path.stem for path in edition.glob("*.ipynb"))) or "none: run `make student`"
            )
            sys.exit(f"There is no page {page!r} in the students' edition, only {names}.")
        try:
            source = source_of(nbformat.read(path, as_version=4), whole=page == LAB)
        except ValueError as error:
            sys.exit(f"{page} makes no assignment: {error}")
        folder = course / "source" / page
        folder.mkdir(parents=True, exist_ok=True)
        nbformat.write(source, folder / path.name)
        shutil.copy(edition / "book.mplstyle", folder)
    if not (course / "nbgrader_config.py").exists():
        (course / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")
    python = environment(course / "environment")
    for page in options.pages:
        nbgrader(course, python, "generate_assignment", page, "--force")
        print(f"{course / 'release' / page}: hand out this folder; answers go to submitted/NAME/{page}")


def environment(folder):
    """Make the environment, unless it is there and pyproject.toml the same; give its Python."""
    python, stamp = folder / "bin" / "python", folder / ".ready"
    wanted = hashlib.sha256(
        (NBGRADER + (ROOT / "pyproject.toml").read_text(encoding="utf-8")).encode()
    ).hexdigest()
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != wanted:
        print(f"Installing nbgrader into {folder}: some minutes, the first time", flush=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, NBGRADER, "-e", f"{ROOT}[colab]"], check=True)
        stamp.write_text(wanted, encoding="utf-8")
    return python


def nbgrader(course, python, *arguments):
    """Run nbgrader in the course's folder; end with its own words where it fails."""
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])  # it calls alembic by its name
    outcome = subprocess.run(
        [python, "-m", "nbgrader", *arguments],
        cwd=course,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    if outcome.returncode:
        sys.exit(outcome.stdout + outcome.stderr)
    return outcome.stdout + outcome.stderr


if __name__ == "__main__":
    main()
