"""The project keeps its own rules: commands, versions, the direction of imports, documented functions."""

import ast
import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import nbformat
import pytest
import yaml
from execute_notebooks import code_cells
from numpydoc.validate import validate

import kernlib

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
MODULES = sorted(module.name for module in pkgutil.walk_packages(kernlib.__path__, "kernlib."))
FOR_CHAPTERS = ("kernlib.compare", "kernlib.book")  # may draw; the mathematics may not
MATHEMATICS = [name for name in MODULES if not name.startswith(FOR_CHAPTERS)]

# Of numpydoc's checks, those on content: a summary, known sections in order, every parameter with type and
# description, and what is returned.
FOR_READERS = set("GL06 GL07 GL08 SS01 PR01 PR02 PR03 PR04 PR07 PR10 RT01 RT03 YD01".split())
IN_SHORT = {"GL08", "SS01"}  # what our modules call and readers don't: a summary will do


def unlisted_names(source):
    """Names that a source takes from a module of kernlib whose `__all__` does not list them."""
    tree, modules = ast.parse(source), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and re.match(r"kernlib\b", node.module or ""):
            for alias in node.names:
                if (name := f"{node.module}.{alias.name}") in MODULES:
                    modules[alias.asname or alias.name] = name
                elif alias.name not in import_module(node.module).__all__:
                    yield name
        elif isinstance(node, ast.Import):
            modules |= {alias.asname: alias.name for alias in node.names if alias.name in MODULES}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            name = modules[node.value.id]
            if f"{name}.{node.attr}" not in MODULES and node.attr not in import_module(name).__all__:
                yield f"{name}.{node.attr}"


def callers():
    """Every source that calls kernlib, by its path: its own modules, the tools, the cells of the chapters."""
    for folder in ("kernlib", "_ext", "tools", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        cells = code_cells(nbformat.read(path, as_version=4))
        yield str(path.relative_to(ROOT)), "\n".join(cell.source for cell in cells)


def in_the_api():
    """The functions and classes that the API's pages describe, by the module that offers them."""
    pages = (ROOT / "api" / "index.md").read_text(encoding="utf-8")
    for package, whole in re.findall(r"public-names:: (\S+)(\n   :modules:)?", pages):
        for name in [package, *(name for name in MODULES if whole and re.match(rf"{package}\.(?!_)", name))]:
            module = import_module(name)
            yield name, [getattr(module, public) for public in module.__all__]


def faults(things, rules):
    """What numpydoc says against the docstrings of functions and classes, by these rules."""
    documented = [thing for thing in things if inspect.isroutine(thing) or inspect.isclass(thing)]
    names = dict.fromkeys(f"{thing.__module__}.{thing.__qualname__}" for thing in documented)
    return [f"{name}: {text}" for name in names for code, text in validate(name)["errors"] if code in rules]


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


def test_binder_installs_what_the_chapters_need_and_no_more():
    project = PYPROJECT["project"]
    extras = project["optional-dependencies"]
    own, *wanted = [*extras["colab"], *project["dependencies"]]
    wanted += [line for name in re.search(r"\[(.+)\]", own)[1].split(",") for line in extras[name]]
    lines = (ROOT / "binder" / "requirements.txt").read_text().splitlines()
    assert sorted(line for line in lines if not line.startswith("#")) == sorted(wanted)


def test_ci_runs_the_oldest_python_allowed():
    oldest = PYPROJECT["project"]["requires-python"].removeprefix(">=")
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    assert oldest in workflow["jobs"]["check"]["strategy"]["matrix"]["python"]


@pytest.mark.parametrize("name", ["ci.yml", "release.yml"])
def test_a_workflow_names_its_actions_by_commit(name):
    used = re.findall(r"uses: (.*)", (ROOT / ".github/workflows" / name).read_text())
    assert used
    assert [action for action in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", action)] == []


@pytest.mark.parametrize(
    ("module", "planted", "broken"),
    [
        ("nystrom/landmarks.py", "", 0),
        ("nystrom/landmarks.py", "from kernlib.book import claims", 1),
        ("compare/trial.py", "def late():\n    from kernlib.book.datasets import load_letters", 1),
        ("numerics/psd.py", "from kernlib.ridge import dual_ridge", 1),
        ("new_room.py", "", 1),
    ],
)
def test_an_import_against_the_direction_breaks_a_contract(tmp_path, module, planted, broken):
    shutil.copytree(ROOT / "kernlib", tmp_path / "kernlib", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / "kernlib" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{planted}\n")
    lint = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(cache_dir=None))"
    run = subprocess.run([sys.executable, "-c", lint], cwd=tmp_path, capture_output=True, text=True)
    assert f"{2 - broken} kept, {broken} broken" in run.stdout + run.stderr


def test_chapter_3s_ridge_stands_on_no_later_chapter():
    code = "import sys, kernlib.ridge; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "kernlib.ridge.direct" in loaded.split()
    later = re.compile(r"kernlib\.(low_rank|fourier|nystrom|kernel_pca|strings|streaming)")
    assert later.findall(loaded) == []


def test_the_mathematics_loads_no_package_that_it_may_have_to_do_without():
    code = f"import sys, {', '.join(MATHEMATICS)}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = set(loaded.split())
    assert loaded >= set(MATHEMATICS)
    # scikit-learn itself loads pandas where it is installed
    assert not loaded & {"anywidget", "dask", "distributed", "ipywidgets", "matplotlib", "skimage"}


def test_no_name_is_taken_that_its_module_does_not_offer():
    found = [f"{path}: {name}" for path, source in callers() for name in sorted(set(unlisted_names(source)))]
    assert not found, "\n".join(found)


def test_docstrings_say_all_that_a_reader_needs():
    offered = dict(in_the_api())
    assert offered and all(offered.values())
    found = faults([thing for names in offered.values() for thing in names], FOR_READERS)
    assert not found, "\n".join(found)


def test_what_other_modules_call_has_a_summary():
    modules = map(import_module, MODULES)
    found = faults([getattr(module, name) for module in modules for name in module.__all__], IN_SHORT)
    assert not found, "\n".join(found)


def public_functions(thing):
    """The functions that a public function or class offers: itself, or its constructor, call and methods."""
    if inspect.isroutine(thing):
        yield inspect.unwrap(thing)
    elif inspect.isclass(thing):
        for name, member in vars(thing).items():
            if not name.startswith("_") or name in ("__init__", "__call__"):
                member = getattr(member, "fget", None) or getattr(member, "func", member)
                method = inspect.unwrap(getattr(member, "__func__", member))
                if (
                    inspect.isfunction(method) and method.__name__ != "<lambda>"
                ):  # a field's default is no method
                    yield method


def missing_hints(function):
    """The parameters of a function without a type hint, and "return" if the result has none."""
    signature = inspect.signature(function)
    bare = [p.name for p in signature.parameters.values() if p.annotation is p.empty]
    bare = [name for name in bare if name not in ("self", "cls")]
    return [*bare, "return"] if signature.return_annotation is signature.empty else bare


def test_what_other_modules_call_has_type_hints():
    modules = map(import_module, MODULES)
    offered = [getattr(module, name) for module in modules for name in module.__all__]
    functions = {function for thing in offered for function in public_functions(thing)}
    ours = [function for function in functions if function.__module__.startswith("kernlib")]
    assert ours
    found = [
        f"{f.__module__}.{f.__qualname__}: {', '.join(bare)}" for f in ours if (bare := missing_hints(f))
    ]
    assert not found, "\n".join(sorted(found))
