"""`make environment`: too old a Python is told so, a stale environment is made anew, a right one is left."""

import os
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import environment
import pytest

ROOT = Path(__file__).resolve().parents[2]
with_make = pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")


@pytest.fixture
def project(tmp_path):
    """Make a project of the commands alone, which asks for no package, in a path with a space."""
    folder = tmp_path / "a project"
    (folder / "tools").mkdir(parents=True)
    for name in ("Makefile", "tools/environment.py"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    for name in ("requirements.txt", "pyproject.toml"):
        (folder / name).touch()
    return folder


def run_make(project, target, *, python=sys.executable, **environ):
    command = ["make", "--no-print-directory", target, f"PYTHON={python}"]
    outer = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PYTHON", "VENV"}  # of the `make test` that runs this
    own = {name: value for name, value in os.environ.items() if name not in outer} | environ
    return subprocess.run(command, cwd=project, env=own, capture_output=True, text=True)


def python_of_version(version, folder):
    """Write an interpreter that takes itself for another version."""
    code = (
        f"import runpy, sys; sys.version_info = {version}; del sys.argv[0]; "
        "runpy.run_path(sys.argv[0], run_name='__main__')"
    )
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(code)} "$@"\n')
    program.chmod(0o755)
    return program


def test_the_oldest_python_is_the_one_that_the_package_names():
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert oldest == ">=" + ".".join(map(str, environment.OLDEST))


@with_make
@pytest.mark.parametrize("target", ["book", "test"])
def test_too_old_a_python_is_told_so_in_a_sentence_and_leaves_nothing_behind(target, project):
    before = sorted(project.rglob("*"))
    outcome = run_make(project, target, python=python_of_version((3, 9, 18), project.parent), HOME="/nowhere")
    assert outcome.returncode
    assert outcome.stdout == ""
    sentence, made = outcome.stderr.splitlines()
    assert "needs Python 3.11 or newer" in sentence and "3.9.18" in sentence and "PYTHON=" in sentence
    assert made.startswith("make: ***")
    assert sorted(project.rglob("*")) == before


@with_make
def test_an_environment_that_was_moved_is_made_anew_and_then_left_alone(project):
    stale = project / ".venv"
    (stale / "bin").mkdir(parents=True)
    (stale / "bin" / "python").symlink_to("/vanished/bin/python3")
    (stale / "pyvenv.cfg").touch()
    (stale / ".ready").write_text("/another/place/.venv\n/vanished/bin/python3\n3.11.0")
    outcome = run_make(project, "environment")
    assert outcome.returncode == 0, outcome.stderr
    assert "Making the environment" in outcome.stdout
    assert "Requirement" not in outcome.stdout, "pip's own words"
    assert str(project) in (stale / "bin" / "pip").read_text()
    assert run_make(project, "environment").stdout == ""

    (project / "requirements.txt").write_text("./absent\n")
    outcome = run_make(project, "environment")
    assert outcome.returncode
    assert "absent" in outcome.stderr, "pip says why"
    assert not (stale / ".ready").exists()


@with_make
def test_an_unwritable_home_is_replaced_by_one_of_the_books(project):
    with (project / "Makefile").open("a") as makefile:
        makefile.write('\nwhere:\n\t@echo "$$HOME"\n')
    assert run_make(project, "where", HOME="/nowhere").stdout.strip() == str(project / "_build" / "home")
    assert run_make(project, "where", HOME=str(project)).stdout.strip() == str(project)


@pytest.fixture
def calls(monkeypatch, tmp_path):
    """Replace the two slow steps by notes of their names; the environment's folder is there."""
    done = []

    def make(folder, python):
        done.append("make")
        Path(folder).mkdir(exist_ok=True)
        (Path(folder) / "pyvenv.cfg").touch()
        (Path(folder) / ".ready").unlink(missing_ok=True)

    monkeypatch.setattr(environment, "make", make)
    monkeypatch.setattr(environment, "install", lambda python: done.append("install"))
    monkeypatch.setattr(environment, "ROOT", str(tmp_path))
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    environment.main(tmp_path / "venv")
    assert done == ["make", "install"]
    done.clear()
    return done


def test_a_right_environment_is_left_as_it_is(calls, tmp_path):
    environment.main(tmp_path / "venv")
    assert calls == []


@pytest.mark.parametrize("line", ["folder", "interpreter", "version"])
def test_an_environment_of_another_place_or_python_is_made_anew(line, calls, tmp_path):
    stamp = tmp_path / "venv" / ".ready"
    lines = stamp.read_text().splitlines()
    lines[["folder", "interpreter", "version"].index(line)] = "another"
    stamp.write_text("\n".join(lines))
    environment.main(tmp_path / "venv")
    assert calls == ["make", "install"]


def test_other_requirements_are_installed_into_the_same_environment(calls, tmp_path):
    (tmp_path / "requirements.txt").write_text("numpy")
    environment.main(tmp_path / "venv")
    assert calls == ["install"]


def test_an_interrupted_installation_starts_anew(calls, tmp_path, monkeypatch):
    def interrupted(python):
        raise KeyboardInterrupt

    (tmp_path / "requirements.txt").write_text("numpy")
    with monkeypatch.context() as context, pytest.raises(KeyboardInterrupt):
        context.setattr(environment, "install", interrupted)
        environment.main(tmp_path / "venv")
    environment.main(tmp_path / "venv")
    assert calls == ["make", "install"]


@pytest.mark.parametrize("stamp", [None, "", "{folder}\n{python}\n{version}\n/another/project\n0"])
@pytest.mark.parametrize("file", ["thesis.tex", "pyvenv.cfg"])
def test_a_folder_that_the_project_did_not_make_is_left_alone(file, stamp, calls, tmp_path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("another's")
    (folder / file).touch()
    if stamp is not None:
        own = (tmp_path / "venv" / ".ready").read_text().splitlines()
        text = stamp.format(folder=folder, python=own[1], version=own[2])
        (folder / ".ready").write_text(text)
    before = sorted(folder.iterdir())
    with pytest.raises(SystemExit, match="not made by this project"):
        environment.main(folder)
    assert calls == []
    assert sorted(folder.iterdir()) == before
