"""Executed notebooks: what changes the cache's key, builds that obey it, and what a failing cell costs."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import psutil
import pytest
from bs4 import BeautifulSoup
from kernbook import execution, progress
from kernbook.execution import KEPT, cache_key
from kernbook.failures import LONGEST, failures, make_readable
from kernbook.kernels import Fork, Forks
from kernbook.notebooks import execute

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
        "kernlib/book/explore/one.js",
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


def test_the_key_sees_the_data_that_the_loaders_see(tree, tmp_path_factory, monkeypatch):
    outside = tmp_path_factory.mktemp("data")
    unset, empty = cache_key(tree, {}), cache_key(tree, {"KERNLIB_DATA": str(outside)})
    write(outside / "ijcnn1", "rows")
    full = cache_key(tree, {"KERNLIB_DATA": str(outside)})
    assert unset == empty != full
    outside.rename(tree.parent / "moved")
    assert cache_key(tree, {"KERNLIB_DATA": "../moved"}) == full
    for home in ("HOME", "USERPROFILE"):  # the second on Windows
        monkeypatch.setenv(home, str(tree.parent))
    assert cache_key(tree, {"KERNLIB_DATA": "~/moved"}) == full


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
    assert re.search(r"chapters/one  1 cells in 0:\d\d, 1 of 1 done", report)

    for state in range(KEPT + 1):
        (folder / "_build/.jupyter_cache" / f"old{state}").mkdir()
    report, _, now = rebuild()
    assert now == then
    assert "0 added, 0 changed, 0 removed" in report
    assert len(list((folder / "_build/.jupyter_cache").iterdir())) == KEPT

    write(folder / "intro.md", "# Another title")
    write(folder / "_assets" / "book.css", "/* another style */")
    assert rebuild()[2] == then
    assert "Another title" in (folder / "_build/html/chapters/one.html").read_text(), "the sidebar is stale"
    assert "another style" in (folder / "_build/html/_static/book.css").read_text(), "the style is stale"

    with (folder / "_ext" / "kernbook" / "about.py").open("a") as module:
        module.write("\n# another extension")
    report, _, now = rebuild()
    assert now == then
    assert "2 added" in report, "pages of the extension as it was are left"

    write(folder / PACKAGE, "ANSWER = 'second'")
    report, answer, now = rebuild()
    assert answer == "second"
    assert now != then
    assert "0 added, 1 changed, 0 removed" in report, "more was read than must be"

    write(folder / PACKAGE, "ANSWER = 'first'")
    assert rebuild()[2] == then, "the first state's outputs were kept"


FAILS = "print('printed before')\ndef f(x):\n    assert x < 0, f'{x} is not negative'\nf(1.5)"
ADDRESS = "https://github.com/someone/kernels"


def page(folder, name):
    text = (folder / "_build" / "html" / "chapters" / f"{name}.html").read_text(encoding="utf-8")
    return BeautifulSoup(text, "html.parser")


def test_a_cell_that_fails_costs_its_page_a_box_and_the_reader_nothing_else(small_book, build):
    folder = small_book(
        FAILS, "y = absent", "print('still', 'runs')", two=["1 / 0"], three=["print('a' * 3)"]
    )
    outcome = build(folder, KERNLIB_REPOSITORY=ADDRESS)
    assert outcome.returncode
    *_, first, follows, other, sentence, where = outcome.stdout.splitlines()
    assert first == "chapters/one, cell 1: AssertionError: 1.5 is not negative"
    assert follows == "chapters/one, cell 2: NameError: name 'absent' is not defined"
    assert other == "chapters/two, cell 1: ZeroDivisionError: division by zero"
    assert "fail" in sentence
    assert where == f"The book: {folder / '_build' / 'html' / 'index.html'}"
    assert "sphinx-doc" not in outcome.stdout

    one = page(folder, "one")
    box, second = one.select(".failed-cell")
    assert "printed before" in box.find_previous(class_="output").get_text()
    assert box.select_one("pre").get_text().strip().splitlines()[-1] == "AssertionError: 1.5 is not negative"
    assert "another result here" in box.get_text()
    assert box.select_one(f"a[href='{ADDRESS}/issues']")
    assert "An earlier cell of this page failed" in second.get_text()
    assert "still runs" in one.get_text()
    assert str(folder) not in one.get_text()
    assert len(page(folder, "two").select(".failed-cell")) == 1
    assert not page(folder, "three").select(".failed-cell")
    assert "aaa" in page(folder, "three").get_text()


def test_a_failure_stays_one_until_it_is_mended_and_only_it_runs_again(small_book, build):
    folder = small_book("1 / 0", two=["import time", "print('first at', time.time_ns())"])

    def ran_at():
        return re.search(r"first at (\d+)", page(folder, "two").get_text())[1]

    assert build(folder).returncode
    then = ran_at()
    outcome = build(folder)
    assert outcome.returncode
    assert "chapters/one, cell 1: ZeroDivisionError" in outcome.stdout
    assert "1 notebooks to execute" in outcome.stdout
    notebook = folder / "chapters" / "one.ipynb"
    write(notebook, notebook.read_text().replace("1 / 0", "1 / 1"))
    outcome = build(folder, KERNLIB_REPOSITORY="")
    assert outcome.returncode == 0, outcome.stdout
    assert outcome.stdout.splitlines()[-1].endswith("index.html")
    assert not page(folder, "one").select(".failed-cell")
    assert ran_at() == then


def test_a_cell_that_ends_its_kernel_or_its_time_is_a_failure_too(small_book, build):
    folder = small_book("import os\nos._exit(1)", "print(1)", two=["while True:\n    pass", "print(2)"])
    settings = folder / "_config.yml"
    settings.write_text(settings.read_text().replace("timeout: 600", "timeout: 2"))
    outcome = build(folder)
    assert outcome.returncode
    assert "chapters/one, cell 1: KernelDied" in outcome.stdout
    assert "chapters/two, cell 1: Timeout: it ran for 2 seconds" in outcome.stdout
    assert [len(page(folder, name).select(".failed-cell")) for name in ("one", "two")] == [1, 1]


@pytest.mark.skipif(not Forks.can_be, reason="kernels are forked on Linux only")
def test_a_forked_kernel_has_its_libraries_and_nothing_else_of_its_own(tmp_path):
    what = (
        "import os, sys",
        "print('sklearn.svm' in sys.modules, 'kernlib' in sys.modules, 'fork' in sys.modules, __name__)",
        "print(sys.path.count(os.environ['EXT']), sys.argv[0], os.getcwd(), os.getsid(0) == os.getpid())",
        "print(os.environ['MINE'], 'MPLBACKEND' in os.environ)",
        "import matplotlib.pyplot as plt\nplt.plot([0, 1])\nplt.show()",
        "print(os.getpid(), os.getppid())",
        "os._exit(1)",
    )
    environ = dict(os.environ, MINE="yes", EXT=str(Path(execution.__file__).parent))
    environ.pop("MPLBACKEND", None)
    forks = Forks(environ)
    try:
        for _ in range(2):
            cells = [nbformat.v4.new_code_cell(source) for source in what]
            execute(nbformat.v4.new_notebook(cells=cells), tmp_path, 60, environ, lambda **_: None, forks)
            said = "".join(output.get("text", "") for cell in cells for output in cell.outputs)
            *lines, (pid, parent) = map(str.split, said.splitlines())
            assert lines[0] == ["True", "False", "False", "__main__"]
            assert lines[1][0] == "0" and lines[1][2:] == [str(tmp_path), "True"]
            assert lines[2] == ["yes", "True"]
            assert "image/png" in cells[4].outputs[0].data
            assert cells[-1].outputs[0].ename == "KernelDied"
            assert int(parent) == forks.process.pid
            assert not psutil.pid_exists(int(pid)), "the fork is gone, and no zombie is left"
        forks.process.kill()
        cell = nbformat.v4.new_code_cell("import os\nprint(os.getppid())")
        execute(nbformat.v4.new_notebook(cells=[cell]), tmp_path, 60, environ, lambda **_: None, forks)
        assert int(cell.outputs[0]["text"]) == os.getpid(), "a kernel starts where there is nothing to fork"
    finally:
        forks.close()


def test_a_kernel_that_has_ended_takes_no_signal():
    process = subprocess.Popen([sys.executable, "-c", ""])
    kernel = Fork(process.pid)
    assert kernel.poll() is None
    process.wait()
    assert kernel.poll() == 1
    kernel.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("cores", ["1", "2"])  # where notebooks wait for a core, their kernels are forked
def test_an_interrupted_build_ends_its_kernels_and_a_sentence_says_so(cores, small_book):
    forever = "import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(1000)"
    folder = small_book(forever, two=["print(2)"])
    program = Path(__file__).parents[2] / "tools" / "build_book.py"
    process = subprocess.Popen(
        [sys.executable, program, "."],
        cwd=folder,
        env=os.environ | {"LOKY_MAX_CPU_COUNT": cores},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a background job ignores
    )
    pid = folder / "chapters" / "pid"
    while not (pid.exists() and pid.read_text()):
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0].splitlines()[-1].startswith("Interrupted")
    assert process.returncode
    assert not psutil.pid_exists(int(pid.read_text()))


def test_a_cell_that_is_there_to_raise_an_error_does_not_fail(tmp_path):
    cell = nbformat.v4.new_code_cell("1 / 0", metadata={"tags": ["raises-exception"]})
    cell.outputs = [nbformat.v4.new_output("error", ename="ZeroDivisionError", evalue="", traceback=[])]
    assert failures(nbformat.v4.new_notebook(cells=[cell])) == []
    del cell.metadata["tags"]
    assert failures(nbformat.v4.new_notebook(cells=[cell])) == [(1, "ZeroDivisionError")]


def test_a_traceback_is_short_and_names_no_folder_of_this_machine(tmp_path):
    frames = [f"  File \x1b[32m{tmp_path}/kernlib/numerics/psd.py:{line}\x1b[39m in f" for line in range(100)]
    error = nbformat.v4.new_output(
        "error", ename="OSError", evalue=f"{tmp_path}/x", traceback=[*frames, "OSError: x"]
    )
    cell = nbformat.v4.new_code_cell("f()", outputs=[error])
    make_readable(nbformat.v4.new_notebook(cells=[cell]), tmp_path)
    lines = cell.outputs[0].traceback
    assert len(lines) == LONGEST + 1
    assert lines[0] == "  File kernlib/numerics/psd.py:0 in f"
    assert lines[-1] == "OSError: x"
    assert cell.outputs[0].evalue == "x"


def test_a_warning_fails_the_build_each_time_until_it_is_mended(small_book, build):
    folder = small_book(intro="# A citation of {cite:p}`nobody`")
    for _ in range(2):
        outcome = build(folder)
        assert outcome.returncode
        assert "nobody" in outcome.stdout
    write(folder / "intro.md", "# No citation")
    assert build(folder).returncode == 0


@pytest.mark.parametrize(("on_terminal", "lines"), [(False, 3), (True, 41)])
def test_a_log_gets_a_line_now_and_then_and_a_terminal_each_cell(on_terminal, lines, monkeypatch):
    said, now = [], [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(progress.logger, "info", lambda form, *words, **_: said.append(form % words))
    shown = progress.Progress({"one": 40, "two": 60}, {"one": 1, "two": 2}, 2, on_terminal=on_terminal)
    shown.starts("one")
    for _ in range(40):
        now[0] += 1
        shown.cell_ends("one")
    shown.ends("one")
    assert len([line for line in said if "one cell" in line]) == lines
    assert "one  40 cells in 0:40, 1 of 2 done, about 2:00 left" in said
