"""The execution cache: what changes its key, what doesn't, and a real build that obeys it."""

import re

import pytest
from kernbook import execution, progress
from kernbook.execution import KEPT, cache_key

PACKAGE = "kernlib/__init__.py"


@pytest.fixture
def tree(tmp_path):
    """Make a project with a file of every sort."""
    for name in (
        PACKAGE,
        "data/letters.csv",
        "data/README.md",
        "chapters/book.mplstyle",
        "chapters/one.ipynb",
        "README.md",
    ):
        write(tmp_path / name, "first")
    return tmp_path


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(
    "name",
    [
        PACKAGE,
        "kernlib/kernels/new.py",
        "kernlib/explore/one.js",
        "data/letters.csv",
        "benchmarks/record.json",
        "chapters/book.mplstyle",
    ],
)
def test_the_key_changes_with_the_package_the_data_the_record_and_the_style(name, tree):
    before = cache_key(tree, {})
    write(tree / name, "second")
    assert cache_key(tree, {}) != before


@pytest.mark.parametrize(
    "name",
    ["chapters/one.ipynb", "README.md", "data/README.md", "kernlib/__pycache__/x.pyc", "tests/test_x.py"],
)
def test_the_key_stays_with_all_that_no_output_depends_on(name, tree):
    before = cache_key(tree, {})
    write(tree / name, "second")
    assert cache_key(tree, {}) == before


def test_the_key_changes_when_a_file_is_renamed(tree):
    before = cache_key(tree, {})
    (tree / PACKAGE).rename(tree / "kernlib/other.py")
    assert cache_key(tree, {}) != before


def test_the_key_changes_with_a_version(tree, monkeypatch):
    before = cache_key(tree, {})
    others = [package for package in execution.distributions() if package.name != "numpy"]
    monkeypatch.setattr(execution, "distributions", lambda: others)
    assert cache_key(tree, {}) != before


def test_the_key_changes_with_python(tree, monkeypatch):
    before = cache_key(tree, {})
    monkeypatch.setattr(execution.platform, "python_version", lambda: "3.99.0")
    assert cache_key(tree, {}) != before


def test_the_key_sees_the_data_that_the_loaders_see(tree, tmp_path_factory):
    outside = tmp_path_factory.mktemp("data")
    unset, empty = cache_key(tree, {}), cache_key(tree, {"KERNLIB_DATA": str(outside)})
    write(outside / "ijcnn1", "rows")
    full = cache_key(tree, {"KERNLIB_DATA": str(outside)})
    assert unset == empty != full
    outside.rename(tree.parent / "moved")
    assert cache_key(tree, {"KERNLIB_DATA": "../moved"}) == full


def stamp(folder):
    """Read the executed cell's output: what the package said, and when the cell ran."""
    page = (folder / "_build" / "html" / "chapters" / "one.html").read_text(encoding="utf-8")
    return re.search(r"(first|second) at (\d+)", page).groups()


def test_an_edit_in_the_package_executes_again_and_nothing_else_does(small_book, build):
    folder = small_book("import time\nimport kernlib\nprint(kernlib.ANSWER, 'at', time.time_ns())")

    def rebuild():
        outcome = build(folder, PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1")
        assert outcome.returncode == 0, outcome.stdout
        return outcome.stdout, *stamp(folder)

    write(folder / PACKAGE, "ANSWER = 'first'")
    report, answer, then = rebuild()
    assert answer == "first"
    assert re.search(r"chapters/one  cell \d of 2  0:0\d", report)

    report, _, now = rebuild()
    assert now == then
    assert "0 added, 0 changed, 0 removed" in report

    write(folder / "intro.md", "# Another title")
    report, _, now = rebuild()
    assert now == then
    assert "Another title" in (folder / "_build/html/chapters/one.html").read_text(), "the sidebar is stale"

    write(folder / "_assets" / "book.css", "/* another style */")
    assert rebuild()[2] == then
    assert "another style" in (folder / "_build/html/_static/book.css").read_text(), "the style is stale"

    write(folder / PACKAGE, "ANSWER = 'second'")
    report, answer, now = rebuild()
    assert answer == "second"
    assert now != then
    assert "0 added, 1 changed, 0 removed" in report, "more was read than must be"

    write(folder / PACKAGE, "ANSWER = 'first'")
    assert rebuild()[2] == then, "the first state's outputs were kept"

    for state in range(KEPT + 1):
        (folder / "_build/.jupyter_cache" / f"old{state}").mkdir()
    rebuild()
    assert len(list((folder / "_build/.jupyter_cache").iterdir())) == KEPT


def test_a_cell_that_fails_stops_the_build_and_shows_where(small_book, build):
    outcome = build(small_book("1 / 0"))
    assert outcome.returncode
    assert "ZeroDivisionError" in outcome.stdout


def test_a_warning_fails_the_build_each_time_until_it_is_mended(small_book, build):
    folder = small_book(intro="# A citation of {cite:p}`nobody`")
    for _ in range(2):
        outcome = build(folder)
        assert outcome.returncode
        assert "nobody" in outcome.stdout
    write(folder / "intro.md", "# No citation")
    assert build(folder).returncode == 0


@pytest.mark.parametrize(("on_terminal", "lines"), [(False, 2), (True, 4)])
def test_a_log_gets_a_line_every_few_seconds_and_a_terminal_each_cell(on_terminal, lines, monkeypatch):
    said, now = [], [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress.logger, "info", lambda form, *words, **_: said.append(form % words))
    chapter = progress.Progress("chapters/one", 40, on_terminal=on_terminal)
    for cell, seconds in enumerate([0, 1, 2, 83]):
        now[0] = seconds
        chapter.cell_starts(cell=None, cell_index=cell)
    assert len(said) == lines
    assert said[-1].endswith("chapters/one  cell 4 of 40  1:23")
