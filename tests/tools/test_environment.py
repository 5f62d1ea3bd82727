"""`make environment`: an old Python is rejected, a stale environment is replaced, a valid one is kept."""

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
with_make = pytest.mark.skipif(not shutil.which("make"), reason="make is missing: apt-get install make")


@pytest.fixture
def project(tmp_path):
    """A project that consists of the commands and needs no package, in a path with a space."""
    folder = tmp_path / "a project"
    (folder / "tools").mkdir(parents=True)
    for name in ("Makefile", "tools/environment.py"):
        shutil.copy(ROOT / name, folder / name)
    for name in ("requirements.txt", "pyproject.toml"):
        (folder / name).touch()
    return folder


def run_make(project, target, *, python=sys.executable, **environ):
    command = ["make", "--no-print-directory", target, f"PYTHON={python}"]
    outer = {"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "PYTHON", "VENV"}  # of the `make test` that runs this
    env = {name: value for name, value in os.environ.items() if name not in outer} | environ
    return subprocess.run(command, cwd=project, env=env, capture_output=True, text=True)


def test_the_oldest_python_is_the_one_that_the_package_requires():
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert required == ">=" + ".".join(map(str, environment.OLDEST))


@with_make
def test_an_old_python_is_rejected_in_a_sentence_and_nothing_is_written(project):
    old = "import runpy, sys; sys.version_info = (3, 9, 18); del sys.argv[0]; "
    old += "runpy.run_path(sys.argv[0], run_name='__main__')"
    python = project.parent / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c {shlex.quote(old)} "$@"\n')
    python.chmod(0o755)
    before = sorted(project.rglob("*"))
    outcome = run_make(project, "book", python=python, HOME="/nowhere")
    assert outcome.returncode and outcome.stdout == ""
    sentence, make = outcome.stderr.splitlines()
    assert "needs Python 3.11 or newer" in sentence and "3.9.18" in sentence and "PYTHON=" in sentence
    assert make.startswith("make: ***")
    assert sorted(project.rglob("*")) == before


@with_make
def test_an_environment_that_was_moved_is_replaced_and_then_kept(project):
    stale = project / ".venv"
    (stale / "bin").mkdir(parents=True)
    (stale / "bin" / "python").symlink_to("/vanished/bin/python3")
    (stale / "pyvenv.cfg").touch()
    (stale / ".ready").write_text("/another/place/.venv /vanished/bin/python3 3.11.0\n/another/place 0")
    outcome = run_make(project, "environment", PIP_NO_INDEX="1")
    assert outcome.returncode == 0, outcome.stderr
    assert "Creating the environment" in outcome.stdout
    assert str(project) in (stale / "bin" / "pip").read_text()
    assert run_make(project, "environment", PIP_NO_INDEX="1").stdout == ""

    (project / "requirements.txt").write_text("./absent\n")
    outcome = run_make(project, "environment", PIP_NO_INDEX="1")
    assert outcome.returncode
    assert "absent" in outcome.stderr, "pip says why"
    assert not (stale / ".ready").exists()


@with_make
def test_an_unwritable_home_is_replaced_by_one_of_the_book(project):
    with (project / "Makefile").open("a") as makefile:
        makefile.write('\nwhere:\n\t@echo "$$HOME"\n')
    assert run_make(project, "where", HOME="/nowhere").stdout.strip() == str(project / "_build" / "home")
    assert run_make(project, "where", HOME=str(project)).stdout.strip() == str(project)


@pytest.fixture
def calls(monkeypatch, tmp_path):
    """The steps of the next call, "venv" or "pip", which only write what is needed; a first call was made."""
    done, venv = [], tmp_path / "venv"

    def run(python, flag, module, *rest):
        done.append(module)
        if module == "venv":
            venv.mkdir(exist_ok=True)
            (venv / "pyvenv.cfg").touch()

    monkeypatch.setattr(environment, "run", run)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    for name in ("requirements.txt", "pyproject.toml"):
        (tmp_path / name).touch()
    environment.main(venv)
    assert done == ["venv", "pip", "pip"]
    done.clear()
    return done


def test_only_what_changed_is_done_again(calls, tmp_path):
    stamp = tmp_path / "venv" / ".ready"
    environment.main(tmp_path / "venv")
    assert calls == []
    (tmp_path / "requirements.txt").write_text("numpy")
    environment.main(tmp_path / "venv")
    assert calls == ["pip"]
    made_from, packages = stamp.read_text().splitlines()
    for word in made_from.split():  # the folder, the interpreter, its version
        stamp.write_text(f"{made_from.replace(word, 'another')}\n{packages}")
        environment.main(tmp_path / "venv")
    assert calls == ["pip"] + ["venv", "pip", "pip"] * 3


@pytest.mark.parametrize(
    ("file", "stamp"),
    [("thesis.tex", None), ("pyvenv.cfg", ""), ("pyvenv.cfg", "{made_from}\n/another/project 0")],
)
def test_a_folder_that_the_project_did_not_make_is_left_alone(file, stamp, calls, tmp_path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("another's")
    (folder / file).touch()
    if stamp is not None:
        made_from = (tmp_path / "venv" / ".ready").read_text().splitlines()[0]
        (folder / ".ready").write_text(stamp.format(made_from=made_from))
    before = sorted(folder.iterdir())
    with pytest.raises(SystemExit, match="not made by this project"):
        environment.main(folder)
    assert calls == [] and sorted(folder.iterdir()) == before
