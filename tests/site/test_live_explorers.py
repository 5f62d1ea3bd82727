"""Explorers in a real JupyterLab with a real kernel, both started here: keys, mouse, errors, speed."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from execute_notebooks import PYTHON
from hands import skip_questions
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from kernlib.book.explorers import duality, strings

CELLS = [
    "from kernlib.book.explore import explore\n"
    "from kernlib.book.explorers.duality import EXPLORER as RIDGE\n"
    "from kernlib.book.explorers.strings import EXPLORER as STRINGS\n"
    "ridge = explore(RIDGE)\n"
    "ridge",
    "explore(STRINGS)",
    "def reciprocal(c):\n    return {'1/(c − 10)': 1 / (c - 10)}\n\nexplore(reciprocal, c=[10, 30, 100])",
    "import time\ndef slow(c):\n    time.sleep(0.1)\n    return str(c)\nexplore(slow, c=(1, 100))",
    "from ipywidgets import HBox\nHBox([explore(reciprocal, c=[11, 30]), explore(reciprocal, c=[11, 30])])",
]
LAST_EXPLORER = 5
SETTINGS = {
    "apputils-extension/notification": '{"fetchNews": "false", "checkForUpdates": false}',
    "notebook-extension/tracker": '{"windowingMode": "none"}',
}


@pytest.fixture(scope="module")
def jupyterlab(tmp_path_factory):
    """Start JupyterLab on a folder with one notebook, without the settings of the user who runs the test."""
    home = tmp_path_factory.mktemp("jupyter")
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    (home / "work").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=PYTHON), home / "work" / "one.ipynb")
    for name, text in SETTINGS.items():
        path = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    options = {
        "ServerApp.port": 0,  # a free one
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.root_dir": home / "work",
        "ServerApp.open_browser": False,
        "ServerApp.allow_root": True,
        "IdentityProvider.token": "",
        "LabApp.user_settings_dir": home / "settings",
        "LabApp.workspaces_dir": home / "workspaces",
    }
    command = [sys.executable, "-m", "jupyterlab", *(f"--{name}={value}" for name, value in options.items())]
    environ = os.environ | {f"JUPYTER_{kind}_DIR": str(home / kind.lower()) for kind in ("CONFIG", "RUNTIME")}
    with open(home / "log", "w") as log:
        server = subprocess.Popen(command, env=environ, stdout=log, stderr=subprocess.STDOUT)
    about, deadline = home / "runtime" / f"jpserver-{server.pid}.json", time.monotonic() + 60
    try:
        while not about.exists():  # until it listens
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"JupyterLab does not start:\n{(home / 'log').read_text()}", pytrace=False)
            time.sleep(0.2)
        yield json.loads(about.read_text())["url"].rstrip("/")
    finally:
        server.terminate()  # it stops its kernels, too
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()


@pytest.fixture(scope="module")
def lab(browser, jupyterlab):
    """Open the notebook, run it, skip the questions; give the page with its `problems`."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(path=Path(__file__).with_name("probes.js"))
    page = context.new_page()
    page.problems, page.defaults = [], {}
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    page.on("console", lambda m: page.problems.append(m.text) if m.type == "error" else None)
    page.goto(f"{jupyterlab}/lab/tree/one.ipynb?reset", timeout=90_000)
    page.locator(".jp-Notebook .jp-Cell").nth(len(CELLS) - 1).wait_for(timeout=60_000)
    idle = page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")
    idle.wait_for(state="attached", timeout=60_000)
    last = page.locator(".kernlib-explorer").nth(LAST_EXPLORER)
    for _ in range(6):  # JupyterLab forgets what it is asked to run before its kernel is connected
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        with suppress(PlaywrightTimeout):
            last.wait_for(timeout=30_000)
            break
    last.wait_for(timeout=1_000)
    skip_questions(page)
    yield page
    context.close()


@pytest.fixture
def explorer(lab):
    """Give a function that finds the explorer of a cell, reset to its defaults."""

    def find(cell):
        found = lab.locator(".jp-Notebook .jp-Cell").nth(cell).locator(".kernlib-explorer").first
        words = found.locator("output")
        if words.count():  # what it says at its defaults, from which only the first one's question has moved
            lab.defaults.setdefault(cell, words.inner_text() if cell else computed(duality))
        found.get_by_role("button", name="Reset").click()
        if words.count():  # the answer to the reset, or what the last test left could pass for this one's
            words.filter(has_text=lab.defaults[cell]).wait_for(timeout=10_000)
        return found

    return find


def expect_readout(explorer, text):
    """Wait until the readout is this text, and show what it is if that never happens."""
    explorer.locator("output").filter(has_text=text).wait_for(timeout=10_000)
    assert explorer.locator("output").inner_text() == text


def computed(definition, **values):
    """Compute the readout in this process."""
    return definition.EXPLORER.frames(values)[-1]


def live_values(definition, name):
    """List the live values of a control."""
    return next(control.fine for control in definition.EXPLORER.controls if control.name == name)


def test_every_key_moves_a_slider_python_answers_and_the_picture_follows(explorer):
    ridge, values = explorer(0), live_values(duality, "lam")
    slider, curve = ridge.get_by_role("slider", name="λ"), ridge.locator(".stage > svg path.line").first
    before, page = curve.get_attribute("d"), round(len(values) / 10)
    reached = {"Home": 0, "ArrowRight": 1, "ArrowUp": 2, "PageUp": 2 + page, "PageDown": 2}
    reached |= {"ArrowLeft": 1, "ArrowDown": 0, "End": len(values) - 1}
    for key, place in reached.items():
        slider.press(key)
        assert slider.input_value() == str(place)
        expect_readout(ridge, computed(duality, lam=values[place]))
    assert curve.get_attribute("d") != before


def test_a_text_box_takes_any_text_and_keys_stay_in_it(explorer):
    of_strings = explorer(1)
    box = of_strings.get_by_role("combobox", name="s")
    box.fill("")
    box.press_sequentially("abba")  # in JupyterLab's command mode, a and b would add cells
    expect_readout(of_strings, computed(strings, s="abba"))
    assert of_strings.locator("table tbody tr").count() == 5
    expect_readout(explorer(0), computed(duality))


def test_an_error_is_shown_with_its_message_and_goes_when_it_is_mended(explorer):
    failing = explorer(2)
    expect_readout(failing, "1/(c − 10) = 0.05")
    failing.get_by_role("slider").press("Home")
    failing.get_by_role("alert").wait_for()
    assert failing.get_by_role("alert").inner_text() == "ZeroDivisionError: division by zero"
    failing.get_by_role("slider").press("End")
    expect_readout(failing, "1/(c − 10) = 0.01111")
    assert failing.get_by_role("alert").count() == 0


def test_a_fast_hand_builds_no_queue_and_the_last_value_wins(lab, explorer):
    slow = explorer(3)  # each move takes Python a tenth of a second
    slow.get_by_role("slider").press("Home")
    expect_readout(slow, "1")
    slow.evaluate("explorer => probe.countAnswers(explorer)")
    slow.get_by_role("slider").evaluate("input => probe.pressRight(input, 60)")
    expect_readout(slow, "61")
    assert lab.evaluate("probe.seen.answers") < 30


def test_explorers_side_by_side_move_alone(lab):
    one, two = lab.locator(".jp-Notebook .jp-Cell").nth(4).locator(".kernlib-explorer").all()
    one.get_by_role("slider").press("Home")
    expect_readout(one, "1/(c − 10) = 1")
    expect_readout(two, "1/(c − 10) = 0.05")


def test_ids_are_unique_and_nothing_of_ours_complains(lab):
    ids = lab.evaluate("[...document.querySelectorAll('.kernlib-explorer [id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids)) > 0
    ours = ("kernlib", "explore", "anywidget")
    assert [problem for problem in lab.problems if any(word in problem for word in ours)] == []


def test_when_the_kernel_has_gone_it_says_to_run_the_cell_again(lab, jupyterlab, explorer):
    ridge = explorer(0)
    (kernel,) = json.loads(urllib.request.urlopen(f"{jupyterlab}/api/kernels").read())
    token = lab.evaluate("document.cookie.match(/_xsrf=([^;]+)/)?.[1] ?? ''")
    lab.request.post(f"{jupyterlab}/api/kernels/{kernel['id']}/restart", headers={"X-XSRFToken": token})
    ridge.get_by_role("slider", name="λ").press("ArrowRight")
    alert = ridge.get_by_role("alert").filter(has_text="Python has stopped")
    alert.wait_for(timeout=10_000)
    assert alert.inner_text() == "Python has stopped: run the cell again."
