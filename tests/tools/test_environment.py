"""`make environment`: an old Python is rejected, a stale environment is replaced, a valid one is kept."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import environment
import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_the_oldest_python_is_the_one_that_the_package_requires():
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert required == ">=" + ".".join(map(str, environment.OLDEST))


def test_an_old_python_is_rejected_in_a_sentence_and_nothing_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "version_info", (3, 9, 18, "final", 0))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, .* is 3\.9\.18\. .* PYTHON="):
        environment.main(tmp_path / "venv")
    assert not (tmp_path / "venv").exists()


@pytest.mark.skipif(not shutil.which("make"), reason="make is missing: apt-get install make")
def test_an_unwritable_home_is_replaced_by_one_of_the_book(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    with (tmp_path / "Makefile").open("a") as makefile:
        makefile.write('\nwhere:\n\t@echo "$$HOME"\n')
    for home, found in (("/nowhere", tmp_path / "_build" / "home"), (tmp_path, tmp_path)):
        command = ["make", "--no-print-directory", "where"]
        printed = subprocess.check_output(
            command, cwd=tmp_path, env=os.environ | {"HOME": str(home)}, text=True
        )
        assert printed.strip() == str(found)


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
    assert done == ["venv", "pip"]
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
    assert calls == ["pip"] + ["venv", "pip"] * 3


@pytest.mark.parametrize("file", ["thesis.tex", "pyvenv.cfg"])
def test_a_folder_that_the_project_did_not_make_is_left_alone(file, calls, tmp_path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("another's")
    (folder / file).touch()
    if file == "pyvenv.cfg":
        made_from = (tmp_path / "venv" / ".ready").read_text().splitlines()[0]
        (folder / ".ready").write_text(f"{made_from}\n/another/project 0")
    before = sorted(folder.iterdir())
    with pytest.raises(SystemExit, match="not made by this project"):
        environment.main(folder)
    assert calls == [] and sorted(folder.iterdir()) == before
