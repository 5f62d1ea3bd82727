"""The project keeps its own rules: commands, versions, the direction of imports, documented functions."""

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from numpydoc.validate import validate

import kernlib

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MODULES = sorted(module.name for module in pkgutil.walk_packages(kernlib.__path__, "kernlib."))
FOR_CHAPTERS = (
    "kernlib.explore",
    "kernlib.explorers",
    "kernlib.exercises",
)  # may draw; the mathematics may not
MATHEMATICS = [name for name in MODULES if not name.startswith(FOR_CHAPTERS)]

# Of numpydoc's checks, those on content: a summary, known sections in order, every parameter with type and
# description, and what is returned.
FOR_READERS = set("GL06 GL07 GL08 SS01 PR01 PR02 PR03 PR04 PR07 PR10 RT01 RT03 YD01".split())
IN_SHORT = {"GL08", "SS01"}  # what our modules call and readers don't: a summary will do


def source_of(name):
    return Path(inspect.getsourcefile(import_module(name))).read_text()


def imported_names(source):
    """Every name that a source imports, in full: `from a.b import c` gives a.b.c."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def wrong_way_imports(source):
    """What the mathematics must not import: plots, widgets, and the layers above."""
    forbidden = re.compile(r"matplotlib|ipywidgets|anywidget|IPython|chapters|kernlib\.(explore|exercises)")
    return [name for name in imported_names(source) if forbidden.match(name)]


def private_names(source):
    """Names with an underscore in front that a source takes from another module of kernlib."""
    own = [name for name in imported_names(source) if name.startswith(("kernlib", "."))]
    modules = {name.rpartition(".")[2] for name in own}
    imported = [name for name in own if "._" in name]
    used = [
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in modules
        and re.match("_(?!_)", node.attr)
    ]
    return imported + used


def in_the_api():
    """The functions and classes that the API's pages describe, by the module that offers them."""
    pages = (ROOT / "api" / "index.md").read_text(encoding="utf-8")
    for name in re.findall(r"public-names:: (\S+)", pages):
        module = import_module(name)
        yield name, [getattr(module, public) for public in module.__all__]


def is_documented(thing):
    return inspect.isroutine(thing) or inspect.isclass(thing)


def faults(thing, rules):
    """What numpydoc says against a docstring, by these rules."""
    name = f"{thing.__module__}.{thing.__qualname__}"
    return [f"{name}: {message}" for code, message in validate(name)["errors"] if code in rules]


def test_kernlib_has_modules():
    assert MATHEMATICS


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md", ".ci/run", ".github/workflows/ci.yml"])
def test_every_make_command_in_a_document_is_a_target(document):
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    text = (ROOT / document).read_text()
    commands = set(re.findall(r"(?:^\s*|`|run: |=\S+ )make ([a-z]+)\b", text, re.MULTILINE))
    assert commands
    assert commands <= targets


def test_files_that_readme_links_to_exist():
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text())
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_one_version_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert PYPROJECT["project"]["version"] == kernlib.__version__ == citation["version"]


def test_requirements_hold_jupyter_book_at_version_1_and_install_kernlib():
    requirements = (ROOT / "requirements.txt").read_text().splitlines()
    (installed,) = (line for line in requirements if line.startswith("-e ."))
    assert "dask" in installed  # the tests need it
    (jupyter_book,) = (line for line in requirements if line.startswith("jupyter-book"))
    assert re.fullmatch(r"jupyter-book(==1\.[\w.]+|.*<2)", jupyter_book)


def test_ci_runs_the_oldest_python_allowed():
    oldest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    assert oldest in workflow["jobs"]["check"]["strategy"]["matrix"]["python"]


def test_the_workflow_names_its_actions_by_commit():
    used = re.findall(r"uses: (.*)", (ROOT / ".github/workflows/ci.yml").read_text())
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action)] == []


@pytest.mark.parametrize("name", MATHEMATICS)
def test_the_mathematics_imports_neither_plots_nor_widgets_nor_chapters(name):
    assert wrong_way_imports(source_of(name)) == []


def test_streaming_is_a_leaf_that_no_other_mathematics_imports():
    others = [name for name in MATHEMATICS if not name.startswith("kernlib.streaming")]
    assert len(others) < len(MATHEMATICS)
    leaf = "kernlib.streaming"
    assert [name for name in others if any(leaf in used for used in imported_names(source_of(name)))] == []


def test_chapter_3s_ridge_stands_on_no_later_chapter():
    code = "import sys, kernlib.ridge; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "kernlib.ridge.direct" in loaded.split()
    later = re.compile(r"kernlib\.(low_rank|fourier|nystrom|kernel_pca|strings|streaming)")
    assert later.findall(loaded) == []


@pytest.mark.parametrize("name", MODULES)
def test_no_module_takes_another_ones_private_names(name):
    assert private_names(source_of(name)) == []


@pytest.mark.parametrize(
    "source",
    ["import matplotlib.pyplot as plt", "if True:\n    from ipywidgets import Box", "import kernlib.explore"],
)
def test_an_import_the_wrong_way_is_seen(source):
    assert wrong_way_imports(source)


@pytest.mark.parametrize(
    "source",
    [
        "from kernlib.kernels import _distances",
        "from .kernels import _distances",
        "from kernlib import kernels\nkernels._distances()",
    ],
)
def test_a_private_name_is_seen(source):
    assert private_names(source)


@pytest.mark.parametrize(("name", "offered"), in_the_api())
def test_docstrings_say_all_that_a_reader_needs(name, offered):
    assert offered
    assert [fault for thing in offered if is_documented(thing) for fault in faults(thing, FOR_READERS)] == []


@pytest.mark.parametrize("name", MODULES)
def test_what_other_modules_call_has_a_summary(name):
    module = import_module(name)
    offered = [getattr(module, public) for public in module.__all__]
    assert [fault for thing in offered if is_documented(thing) for fault in faults(thing, IN_SHORT)] == []
