"""CONTRIBUTING.md is true: its files, tests and limits exist, and a forgotten place makes a test fail."""

import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml

import kernlib
from kernlib import kernels
from kernlib.book import datasets, explore, explorers
from kernlib.book.explore import Explorer
from kernlib.book.explore.panels import Panel
from kernlib.kernels import Kernel
from kernlib.nystrom.landmarks import LANDMARK_RULES, select_landmarks

ROOT = Path(__file__).resolve().parents[1]


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def source_of(notebook):
    return "\n".join(cell.source for cell in nbformat.read(notebook, as_version=4).cells)


def pages(module):
    """List a chapter's notebooks: the one whose name its modules begin with, and those with its number."""
    every = {page: re.sub(r"^\d\d_", "", page.stem) for page in (ROOT / "chapters").glob("*.ipynb")}
    (first,) = [page for page, name in every.items() if f"{module}_".startswith(f"{name}_")]
    return sorted(first.parent.glob(f"{first.name[:3]}*.ipynb"))


def modules_of(package):
    for module in pkgutil.iter_modules(package.__path__):
        yield module.name, importlib.import_module(f"{package.__name__}.{module.name}")


def concrete(base):
    """The classes below a class that have none below themselves."""
    below = base.__subclasses__()
    return {base} if not below else set().union(*map(concrete, below))


def test_every_file_and_test_that_contributing_names_is_there():
    text = text_of("CONTRIBUTING.md")
    named = set(re.findall(r"`([\w./]+/[\w./]*)`", text))
    assert len(named) > 20
    missing = [name for name in named if not name.startswith("_build") and not (ROOT / name).exists()]
    tests = re.findall(r"`(tests/[\w/]+\.py)`: `(test_\w+)`", text)
    assert len(tests) > 10
    missing += [f"{name} in {file}" for file, name in tests if f"def {name}(" not in text_of(file)]
    assert not missing, "\n".join(missing)


def test_no_change_needs_more_places_than_the_guide_says(limit):
    (most,) = limit("places of a change")
    changes = text_of("CONTRIBUTING.md").partition("## Kinds of change")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (an? [^|]+?) \| (.+?) \|", changes, re.MULTILINE)
    assert len(rows) == 10
    assert [change for change, places in rows if len(places.split("<br>")) > most] == []


def test_every_limit_of_the_guide_is_read_by_the_test_that_it_names():
    limits = text_of("CONTRIBUTING.md").partition("## Limits")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([^|]+) \| [^|]*\d[^|]* \| `(.+)` \|", limits, re.MULTILINE)
    assert rows
    assert [what for what, file in rows if f'limit("{what}")' not in text_of(file)] == []


def test_a_cell_may_run_as_long_in_the_book_as_in_the_tests(limit):
    options = tomllib.loads(text_of("pyproject.toml"))["tool"]["pytest"]["ini_options"]["addopts"]
    in_tests = int(re.search(r"--nbval-cell-timeout=(\d+)", options)[1])
    in_book = yaml.safe_load(text_of("_config.yml"))["execute"]["timeout"]
    assert [in_tests] == [in_book] == limit("seconds for one cell")


@pytest.mark.skipif(sys.platform == "win32", reason="a script for bash")
@pytest.mark.parametrize(
    ("changed", "tier"),
    [
        *((f"kernlib/{room}/some.py", "full") for room in ("ridge", "numerics", "a_new_room")),
        *((file, "full") for file in ("kernlib/plain.py", "requirements.txt", "pyproject.toml", ".ci/run")),
        ("intro.md\nkernlib/book/claims.py\nbenchmarks/race.py", "full"),
        ("", "full"),
        ("intro.md\nchapters/01_cost.ipynb", "quick"),
        ("kernlib/book/checks/strings.py\nkernlib/compare/trial.py\ntests/test_plain.py", "quick"),
    ],
)
def test_the_changed_paths_choose_the_check(changed, tier):
    run = subprocess.run([ROOT / ".ci" / "tier"], input=changed, capture_output=True, text=True, check=True)
    assert run.stdout == f"{tier}\n"


@pytest.mark.parametrize(("base", "package"), [(Kernel, kernels), (Panel, explore)])
def test_every_kernel_and_kind_of_panel_is_offered_by_its_package(base, package):
    classes = {cls for cls in concrete(base) if cls.__module__.startswith("kernlib")}
    assert len(classes) > 3
    assert {cls.__name__ for cls in classes} - set(package.__all__) == set()
    if base is Kernel:
        composites = {cls for cls in classes if cls.__module__ == "kernlib.kernels.algebra"}
        assert {cls.__name__ for cls in classes - composites} - set(kernlib.__all__) == set()


def test_every_rule_for_landmarks_is_described():
    assert [rule for rule in LANDMARK_RULES if f'"{rule}":' not in select_landmarks.__doc__] == []


def test_every_explorer_is_in_its_chapter_and_in_the_list():
    linked, missing = source_of(ROOT / "chapters" / "explorers.ipynb"), []
    for module, definitions in modules_of(explorers):
        sources = {page.stem: source_of(page) for page in pages(module)}
        for variable, explorer in vars(definitions).items():
            if isinstance(explorer, Explorer):
                shows = re.compile(rf"\bexplore\(\s*(\w+\.)?{variable}\b")
                page = next((page for page in sources if shows.search(sources[page])), None)
                if page is None:
                    missing.append(f"no page of the chapter shows {module}.{variable}")
                if f" <{explorer.name}>" not in linked:
                    missing.append(f"explorers.ipynb has no link to {explorer.name}")
    assert not missing, "\n".join(missing)


def test_every_chapter_is_on_the_map_of_the_course():
    numbered = [
        part["chapters"] for part in yaml.safe_load(text_of("_toc.yml"))["parts"] if part.get("numbered")
    ]
    files = [entry["file"] for entries in numbered for entry in entries]
    assert files
    assert [file for file in files if f"| {{doc}}`{file}` | " not in text_of("intro.md")] == []


def test_every_data_set_has_its_script_its_provenance_its_loader_and_its_credit():
    readme, license = text_of("data/README.md"), text_of("chapters/license.md").partition("## Software")[0]
    loaders = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "kernlib/book/datasets").glob("*.py")
    )
    files = [path.name for path in (ROOT / "data").iterdir() if path.suffix not in (".py", ".md")]
    sections = {
        file: (title, text)
        for title, file, text in re.findall(r"^## (.+): `(.+)`\n((?:(?!## ).*\n)*)", readme, re.MULTILINE)
    }
    assert sorted(sections) == sorted(files)
    missing = []
    for file, (title, text) in sections.items():
        if not (script := re.search(r"`(make_\w+\.py)`", text)) or not (ROOT / "data" / script[1]).is_file():
            missing.append(f"{file}: the README names no script in data/ that makes it")
        missing += [f"{file}: no {word}" for word in ("**Provenance.**", "**License.**") if word not in text]
        if not (loader := re.search(r"`(load_\w+)\(", text)) or loader[1] not in datasets.__all__:
            missing.append(f"{file}: the README names no loader that kernlib.book.datasets offers")
        if f'"data/{file}" = "kernlib/book/data/{file}"' not in text_of("pyproject.toml"):
            missing.append(f"{file}: pyproject.toml does not pack it into the wheel")
        if f'"{file.removesuffix(".bz2")}"' not in loaders:
            missing.append(f"{file}: no loader reads it")
        if f"\n{title.partition(',')[0]}\n: " not in license:
            missing.append(f"{file}: chapters/license.md gives {title!r} no credit")
    assert not missing, "\n".join(missing)


def test_every_script_of_the_pages_is_loaded():
    settings = yaml.safe_load(text_of("_config.yml"))["sphinx"]["config"]
    loaded = [*settings["html_js_files"], "search.js"]  # by templates/search.html and search-dialog.js
    assert sorted(loaded) == sorted(path.name for path in (ROOT / "_assets").glob("*.js"))
