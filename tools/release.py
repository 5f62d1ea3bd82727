"""Make a release in `_build/release`: kernlib's wheel and sdist, the book for places without a network, sums.

    python tools/release.py [--tag v0.1.0]

The packages are checked, then the wheel is installed into a fresh environment, which executes chapter 1. With
--tag, the version must be that of the tag, and CHANGELOG.md must have its section; without, what is not yet
released stands in the notes.
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

import kernlib

ROOT = Path(__file__).resolve().parents[1]
FIRST_CHAPTER = "01_kernels.ipynb"
RUNNER = ("nbclient", "ipykernel")  # what executes a notebook, beside kernlib


def main():
    """Build, check and try the packages, then pack the book and write the notes and the sums."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tag", help="the tag of the release, for example v0.1.0")
    tag, version, build = parser.parse_args().tag, kernlib.__version__, ROOT / "_build"
    if tag is not None and tag != f"v{version}":
        sys.exit(f"the tag must be v{version}, the version in pyproject.toml, got {tag}")
    folder = build / "release"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    notes = section_of(changes, "Unreleased" if tag is None else version)

    print("Building and checking wheel and sdist", flush=True)
    run("hatchling", "build", "--target", "wheel", "--target", "sdist", "--directory", folder)
    wheel, sdist = next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))
    check_data(wheel)
    run("twine", "check", "--strict", wheel, sdist)
    run("check_wheel_contents", wheel)
    print(f"Executing {FIRST_CHAPTER} with the wheel, in a fresh environment: a minute or two", flush=True)
    try_wheel(wheel, build / "student" / FIRST_CHAPTER)

    print("Packing the book", flush=True)
    shutil.make_archive(folder / f"kernel-methods-{version}-html", "zip", build / "html")
    for pdf in sorted(build.glob("book-*.pdf")):
        shutil.copy(pdf, folder / f"kernel-methods-{version}-{pdf.name}")
    (folder / "NOTES.md").write_text(notes, encoding="utf-8")
    files = sorted(path for path in folder.iterdir() if path.name != "NOTES.md")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    for path in files:
        print(f"{path.stat().st_size / 1e6:8.1f} MB  {path.name}")
    print(f"The release: {folder}")


def run(module, *arguments):
    """Run a Python module in the project's folder; print its output and stop if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", module, *map(str, arguments)], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}\n{module} failed: nothing may be released")


def section_of(changelog, name):
    """Return the section of a version from the text of CHANGELOG.md."""
    found = re.search(
        rf"^## \[{re.escape(name)}\].*?\n(.*?)(?=^## \[|\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    if found is None or not found[1].strip():
        sys.exit(f"CHANGELOG.md must have a section [{name}] with the changes, found none")
    return found[1].strip() + "\n"


def check_data(wheel):
    """Stop unless the wheel has all data files, and neither the scripts that made them nor their README."""
    with zipfile.ZipFile(wheel) as archive:
        packed = {Path(name).name for name in archive.namelist() if "/data/" in name}
    expected = {path.name for path in (ROOT / "data").glob("*.bz2")}
    if packed != expected:
        sys.exit(f"the wheel must hold the data files {sorted(expected)}, it holds {sorted(packed)}")


def try_wheel(wheel, notebook):
    """Execute a notebook of the students' edition in a fresh environment that has the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(Path(folder, "venv"), with_pip=True)
        python = Path(folder, "venv", "Scripts" if sys.platform == "win32" else "bin", "python")
        shutil.copy(notebook, folder)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, f"{wheel}[colab]", *RUNNER], check=True)
        subprocess.run([python, "-m", "jupyter", "execute", notebook.name], cwd=folder, check=True)


if __name__ == "__main__":
    main()
