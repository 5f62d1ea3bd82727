"""A live explorer where the host may be dark and Python gone: the widget, with a model made up here."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from colors import contrast, luminance
from docutils.utils import new_document
from kernbook.explorers import ExplorerNode, note_explorers

from kernlib.book.explore import Explorer, Line, Plot, Readout, Slider
from kernlib.book.explore.script import join_script, stylesheet

SCRIPT, STYLE = join_script(), stylesheet()
STOPPED = "Python has stopped: run the cell again."
DOUBLED = Explorer(
    [Readout(lambda n: f"2n = {2 * n}"), Plot(lambda n: Line([0, 1], [0, n]), ylim=(0, 9))],
    [Slider("n", (1, 2, 3))],
    title="Doubled",
)
HOST = Path(__file__).with_name("host.js").read_text(encoding="utf-8")


def picture(n):
    """Compute what Python answers."""
    return {"tick": n, "values": {"n": n}, "panels": DOUBLED.frames({"n": n})}


@pytest.fixture
def host(open_window, tmp_path):
    """Give a function that shows the explorer on a page of this style."""

    def open_(style):
        (tmp_path / "host.html").write_text(f"<style>{STYLE} {style}</style><div id=cell></div>", "utf-8")
        page = open_window((tmp_path / "host.html").as_uri())
        page.add_script_tag(content=SCRIPT)
        page.evaluate(HOST, [json.loads(json.dumps(DOUBLED.spec(live=True))), picture(1)])
        page.locator(".kernlib-explorer.live path.line").first.wait_for()
        page.wait_for_timeout(50)
        return page

    return open_


def color_of(page, selector, what):
    """Read a color of an element: rgb(0, 127.5, 255) is (0, 0.5, 1)."""
    color = page.evaluate(f"getComputedStyle(document.querySelector('{selector}')).{what}")
    return [float(part) / 255 for part in re.findall(r"[\d.]+", color)[:3]]


@pytest.mark.parametrize(
    ("style", "dark"),
    [
        ("body { background: #1e1e1e; }", True),
        ("", False),
        ("body { background: #111; --jp-layout-color0: #fff; --jp-content-font-color1: #000; }", False),
    ],
)
def test_words_and_curves_can_be_read_on_the_explorers_own_ground(style, dark, host):
    page = host(style)
    ground = color_of(page, ".live", "backgroundColor")
    assert (luminance(ground) < 0.2) == dark
    assert contrast(ground, color_of(page, ".live", "color")) > 7
    assert contrast(ground, color_of(page, ".live path.line", "stroke")) > 3


def test_after_two_seconds_without_python_it_says_so_and_an_answer_takes_it_back(host):
    page = host("")
    alert = page.locator(".error")
    page.get_by_role("slider").press("ArrowRight")
    page.wait_for_timeout(1500)
    assert alert.text_content() == ""
    alert.filter(has_text=STOPPED).wait_for(timeout=1500)
    page.evaluate("answer", picture(2))
    assert alert.text_content() == "" and page.locator("output").inner_text() == "2n = 4"


def test_python_that_computes_for_long_has_not_stopped(host):
    page = host("")
    page.evaluate("window.kernel = { connectionStatus: 'connected', status: 'busy' }")
    page.get_by_role("slider").press("ArrowRight")
    page.wait_for_timeout(2500)
    assert page.locator(".error").text_content() == ""
    page.evaluate("window.kernel.status = 'dead'")
    page.get_by_role("alert").filter(has_text=STOPPED).wait_for(timeout=2500)


def test_two_explorers_of_one_name_on_a_page_are_named(caplog):
    document = new_document("page")
    parts = {"name": "twin", "controls": [["c", [1, 2]]], "data": '{"spec": {}}'}
    document += [
        ExplorerNode(parts=parts),
        ExplorerNode(parts=parts),
        ExplorerNode(parts=parts | {"name": ""}),
    ]
    app = SimpleNamespace(env=SimpleNamespace(metadata={"page": {}}, docname="page"))
    note_explorers(app, document)
    assert [record.message for record in caplog.records] == ["two explorers of this page are called 'twin'."]
