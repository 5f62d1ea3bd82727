"""What a build executes, reads and writes again, and what a cell that fails costs."""

import os
import signal
import time
from base64 import b64decode, b64encode
from io import BytesIO

import nbformat
import numpy as np
import psutil
import pytest
from kernbook.execution import STARTS, execute, shrink_pictures
from kernbook.failures import LONGEST, failures, make_readable
from matplotlib.figure import Figure
from nbclient import NotebookClient
from PIL import Image
from small_books import ADDRESS, SECONDS, start_build, write_book


def printed_by(step):
    return step.page("chapters/works").select_one(".cell_output").get_text(strip=True)


def test_a_fault_is_named_and_fails_the_build(history):
    printed = history["broken"].printed
    assert history["broken"].code
    for sentence in (
        "nobody",
        r"intro.md:3: WARNING: a formula cannot be set: Undefined control sequence: \nosuch",
        "intro.md:3: WARNING: c of the explorer 'small' is never '4', only 1, 3, 10.",
        "WARNING: a state is written text <explorer?control=value&control=value>, got 'nowhere'.",
        "WARNING: no page has an explorer called 'absent'.",
        "has exactly one right option",
        "lacks its mark or its explanation",
        "is a question and a list of options",
    ):
        assert sentence in printed
    assert "sphinx-doc" not in printed


def test_the_last_lines_name_each_cell_that_fails_and_the_book(history):
    *_, first, follows, died, hung, sentence, warnings, book = history["broken"].printed.splitlines()
    assert first == "chapters/asserts, cell 1: AssertionError: 1.5 is not negative"
    assert follows == "chapters/asserts, cell 2: NameError: name 'absent' is not defined"
    assert died.startswith("chapters/dies, cell 1: KernelDied")
    assert hung.startswith(f"chapters/hangs, cell 1: Timeout: it ran for {SECONDS} seconds")
    assert "fail" in sentence and warnings.endswith(" warnings, above")
    assert book.startswith("The book: ") and book.endswith("index.html")


def test_a_cell_that_fails_costs_its_page_a_box_and_the_reader_nothing_else(history):
    broken = history["broken"]
    page = broken.page("chapters/asserts")
    box, second = page.select(".failed-cell")
    assert "printed before" in box.find_previous(class_="output").get_text()
    assert box.select_one("pre").get_text().strip().splitlines()[-1] == "AssertionError: 1.5 is not negative"
    assert "another result here" in box.get_text() and box.select_one(f"a[href='{ADDRESS}/issues']")
    assert "An earlier cell of this page failed" in second.get_text()
    assert "still runs" in page.get_text() and str(broken.folder.parents[2]) not in page.get_text()
    others = [broken.page(f"chapters/{name}") for name in ("dies", "hangs", "works")]
    assert [len(other.select(".failed-cell")) for other in others] == [1, 1, 0]


def test_what_has_a_fault_is_shown_as_it_was_written(history):
    page = history["broken"].page("intro")
    assert page.select_one("code.unset-formula").text == r"\nosuch{n}"
    assert "four, nowhere." in page.get_text()


def test_faults_stay_until_they_are_mended_and_only_what_failed_is_executed_again(history):
    again = history["again"]
    assert again.code and "nobody" in again.printed and "cell 1: AssertionError" in again.printed
    assert again.executed() == {"asserts", "dies", "hangs"}
    assert printed_by(again) == printed_by(history["broken"])


def test_what_is_mended_leaves_no_fault(history):
    mended = history["mended"]
    assert mended.code == 0, mended.printed
    assert mended.executed() == {"asserts"}
    assert not mended.page("chapters/asserts").select(".failed-cell")
    assert mended.printed.splitlines()[-1].endswith("index.html")


def test_a_build_without_a_change_does_nothing_and_a_course_is_no_part_of_the_book(history):
    assert history["same"].code == 0 and history["same"].printed.startswith("Nothing has changed.")
    assert history["changed"].read() == (0, 2), "the course appeared, and its pages are read"


def test_a_changed_title_and_a_changed_style_reach_all_pages_and_execute_nothing(history):
    changed = history["changed"]
    assert changed.executed() == {"works"}  # and that for another reason
    assert "Another title" in changed.page("chapters/small").get_text()
    assert "#123456" in (changed.folder / "_static" / "style.css").read_text()


def test_a_changed_module_executes_the_notebooks_that_import_it(history):
    assert "works" in history["changed"].executed()
    assert printed_by(history["changed"]).startswith("second at")


def test_the_way_back_and_a_changed_extension_read_all_pages_and_execute_nothing(history):
    back = history["back"]
    assert back.executed() == set() and back.read() == (6, 0)
    assert printed_by(back) == printed_by(history["broken"])


def test_an_interrupted_build_ends_its_kernels_and_a_sentence_says_so(tmp_path):
    forever = "import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(1000)"
    write_book(tmp_path, "# A small book", {"one": [forever], "two": ["print(2)"]})
    process = start_build(
        tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # which a background job ignores
    )
    pid = tmp_path / "chapters" / "pid"
    while not (pid.exists() and pid.read_text()):
        assert process.poll() is None
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0].splitlines()[-1].startswith("Interrupted")
    assert process.returncode
    assert not psutil.pid_exists(int(pid.read_text()))


@pytest.mark.parametrize("failed", [STARTS - 1, STARTS])
def test_a_kernel_whose_port_was_taken_is_started_again(failed, tmp_path, monkeypatch):
    begin, left = NotebookClient.execute, [RuntimeError("Kernel died before replying")] * failed

    def fail_first(client, **options):
        if left:
            raise left.pop()
        return begin(client, **options)

    monkeypatch.setattr(NotebookClient, "execute", fail_first)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(1 + 1)")])
    arguments = notebook, tmp_path, 60, os.environ, lambda **_: None
    if failed == STARTS:
        with pytest.raises(RuntimeError, match="before replying"):
            execute(*arguments)
    else:
        execute(*arguments)
        assert notebook.cells[0].outputs[0].text == "2\n"


def test_a_cell_that_is_there_to_raise_an_error_does_not_fail():
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
    assert lines[0] == "  File kernlib/numerics/psd.py:0 in f" and lines[-1] == "OSError: x"
    assert cell.outputs[0].evalue == "x"


@pytest.mark.parametrize("opacity", [1, 0.5])
def test_a_picture_with_256_colors_looks_the_same_and_a_transparent_one_stays(opacity):
    figure = Figure(facecolor=(1, 1, 1, opacity))
    figure.subplots().imshow(np.random.default_rng(0).random((20, 20)), cmap="turbo")
    figure.savefig(file := BytesIO(), format="png")
    written = b64encode(file.getvalue()).decode()
    output = nbformat.v4.new_output("display_data", {"image/png": written})
    cell = nbformat.v4.new_code_cell("plot()", outputs=[output])
    shrink_pictures(nbformat.v4.new_notebook(cells=[cell]))
    shrunk = cell.outputs[0].data["image/png"]
    if opacity < 1:
        assert shrunk == written
    else:
        assert len(shrunk) < 0.7 * len(written)
        pictures = [Image.open(BytesIO(b64decode(one))).convert("RGB") for one in (written, shrunk)]
        before, after = (np.asarray(picture, int) for picture in pictures)
        assert np.abs(after - before).max() <= 16
